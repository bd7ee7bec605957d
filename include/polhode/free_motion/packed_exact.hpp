// The exact flow of a pack of bodies.
#pragma once

#include "polhode/arithmetic/pack.hpp"
#include "polhode/free_motion/exact.hpp"

namespace polhode {

using PackSums = Motion<Pack, Summation::compensated>;

/// One body of a pack by any method; a body at rest stays.
template <class Method>
void step_alone(const Method& method, PackSums& sums, double h, std::size_t lane) {
  Motion<double, Summation::compensated> one;
  one.visit_with(sums, [lane](double& x, const Pack& y) { x = y[lane]; });
  if (one.momentum() == Vector<double>{}) return;
  method.step(one, h);
  sums.visit_with(one, [lane](Pack& x, double y) { x.set(lane, y); });
}

/// Steps the bodies of a pack, each with the bits that Exact<double> alone would give it.
///
/// Lanes whose step is short go through that kernel together, and so do those whose step is of middle length. A pack
/// has mostly lanes of one kind. A body that turns by more goes its own way, and what does not turn stays.
class PackedExact {
 public:
  PackedExact() = default;
  /// All lanes of one kind.
  explicit PackedExact(const Exact<double>& exact) {
    for (std::size_t lane = 0; lane < Pack::width; ++lane) set(lane, exact);
  }
  void set(std::size_t lane, const Exact<double>& exact) {
    kernel_.visit_with(exact.short_flow(), [lane](Pack& pack, double x) { pack.set(lane, x); });
  }

  /// exact_of(lane) is the flow of the body alone.
  template <class ExactOf>
  [[gnu::always_inline]] void step(PackSums& sums, const Pack& h, const ExactOf& exact_of) const {
    const Vector<Pack> m = sums.momentum();
    const Pack size2 = dot(m, m), angle2 = kernel_.square_angle(size2, h);
    if (all_within(Pack(0.0), size2, angle2, limit_)) {
      kernel_.step(sums, size2, h);
    } else {
      step_apart(sums, size2, angle2, h, exact_of);
    }
  }

 private:
  template <class ExactOf>
  [[gnu::noinline]] void step_apart(PackSums& sums, const Pack& size2, const Pack& angle2, const Pack& h,
                                    const ExactOf& exact_of) const {
    const PackSums start = sums;
    const auto is_short = (size2.lanes() > Pack(0.0).lanes()) & (angle2.lanes() <= limit_.lanes());
    const auto is_middle = (angle2.lanes() > limit_.lanes()) & (angle2.lanes() <= middle_limit_.lanes());
    middle_step(sums, size2, h);
    if (!all_within(limit_, angle2, angle2, middle_limit_)) {
      PackSums other = start;
      short_step(other, size2, h);
      sums.visit_with(other, [&](Pack& x, const Pack& y) { x = Pack(is_middle ? x.lanes() : y.lanes()); });
      sums.visit_with(
          start, [&](Pack& x, const Pack& y) { x = Pack((is_middle | is_short) ? x.lanes() : y.lanes()); });
    }
    for (std::size_t lane = 0; lane < Pack::width; ++lane)
      if (!is_short[lane] && !is_middle[lane] && size2[lane] != 0.0)
        step_alone(exact_of(lane), sums, h[lane], lane);
  }

  [[gnu::flatten, gnu::noinline]] void middle_step(PackSums& sums, const Pack& size2, const Pack& h) const {
    kernel_.middle_step(sums, size2, h);
  }
  [[gnu::flatten, gnu::noinline]] void short_step(PackSums& sums, const Pack& size2, const Pack& h) const {
    kernel_.step(sums, size2, h);
  }

  ShortFlow<Pack> kernel_;
  Pack limit_{ShortFlow<double>::square_angle_limit()};
  Pack middle_limit_{square(middle_angle)};
};

}  // namespace polhode
