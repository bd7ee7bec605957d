// The free rotation of many bodies of one kind, in packs.
#pragma once

#include <algorithm>
#include <span>

#include "polhode/arithmetic/pack.hpp"
#include "polhode/free_motion/exact.hpp"

namespace polhode {

using PackSums = Motion<Pack, Summation::compensated>;

/// The sums that carry a pack of molecules of one kind from step to step.
struct MoleculePack {
  PackSums turning;  ///< in the principal frame and the inner unit of the kind
  std::array<Compensated<Pack>, 3> position, momentum;

  /// Calls visit(x) for each number of the sums, for saving and restoring them.
  template <class Visitor>
  void visit(Visitor&& visit) {
    turning.visit_with(turning, [&](Pack& x, const Pack&) { visit(x); });
    for (auto* const sums : {&position, &momentum}) {
      for (Compensated<Pack>& sum : *sums) {
        visit(sum.value);
        visit(sum.error);
      }
    }
  }
};

/// One body of a pack by any method; a body at rest stays.
template <class Method>
void turn_alone(const Method& method, PackSums& sums, double h, std::size_t lane) {
  Motion<double, Summation::compensated> one;
  one.visit_with(sums, [lane](double& x, const Pack& y) { x = y[lane]; });
  if (one.momentum() == Vector<double>{}) return;
  method.step(one, h);
  sums.visit_with(one, [lane](Pack& x, double y) { x.set(lane, y); });
}

/// By any method: body by body.
template <FreeMotionMethod Method>
class Turning {
 public:
  Turning(const Inertia<double>& inertia, const typename Method::Options& options)
      : method_(inertia, options) {}

  /// A step of the first `count` bodies of the packs; h in inner units.
  void operator()(std::span<MoleculePack> packs, double h, std::size_t count) const {
    for (std::size_t i = 0; i < count; ++i)
      turn_alone(method_, packs[i / Pack::width].turning, h, i % Pack::width);
  }

 private:
  Method method_;
};

/// By the exact flow: packs go through the kernel of short steps as one, with the bits that each body alone would have. A body
/// that turns by more goes its own way, and what does not turn stays.
template <>
class Turning<Exact<double>> {
 public:
  Turning(const Inertia<double>& inertia, const NoOptions& options) : exact_(inertia, options) {
    for (std::size_t lane = 0; lane < Pack::width; ++lane)
      kernel_.visit_with(exact_.short_flow(), [lane](Pack& pack, double x) { pack.set(lane, x); });
  }

  void operator()(std::span<MoleculePack> packs, double h, std::size_t count) const {
    const double limit = exact_.square_angle_limit();
    for (std::size_t first = 0; first < count; first += Pack::width) {
      PackSums& sums = packs[first / Pack::width].turning;
      const std::size_t present = std::min(Pack::width, count - first);
      const Vector<Pack> m = sums.momentum();
      const Pack size2 = dot(m, m), angle2 = kernel_.square_angle(size2, Pack(h));
      const auto is_short = [&](std::size_t lane) { return size2[lane] > 0.0 && angle2[lane] <= limit; };
      const PackSums start = sums;
      kernel_.step(sums, size2, Pack(h));
      for (std::size_t lane = 0; lane < present; ++lane) {
        if (is_short(lane)) continue;
        sums.visit_with(start, [lane](Pack& x, const Pack& y) { x.set(lane, y[lane]); });
        turn_alone(exact_, sums, h, lane);
      }
    }
  }

 private:
  Exact<double> exact_;
  ShortFlow<Pack> kernel_;
};

}  // namespace polhode
