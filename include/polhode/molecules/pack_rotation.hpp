// The free rotation of many bodies of one kind, in packs.
#pragma once

#include <span>

#include "polhode/arithmetic/pack.hpp"
#include "polhode/free_motion/exact.hpp"

namespace POLHODE_CORE {

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
class PackRotation {
 public:
  PackRotation(const Inertia<double>& inertia, const typename Method::Options& options)
      : method_(inertia, options) {}

  /// Of the method; 0: exact.
  int order() const { return method_.info.order; }

  /// A step of the first `count` bodies of the packs; h in inner units.
  void operator()(std::span<MoleculePack> packs, double h, std::size_t count) const {
    for (std::size_t i = 0; i < count; ++i)
      turn_alone(method_, packs[i / Pack::width].turning, h, i % Pack::width);
  }

 private:
  Method method_;
};

/// By the exact flow: packs go through the kernel for steps of middle length as one, because the molecules of a liquid turn by
/// more than a short step and by less, side by side. A body that turns by more goes its own way, and what does not turn stays.
template <>
class PackRotation<Exact<double>> {
 public:
  PackRotation(const Inertia<double>& inertia, const NoOptions& options) : exact_(inertia, options) {
    for (std::size_t lane = 0; lane < Pack::width; ++lane)
      kernel_.visit_with(exact_.increment_flow(), [lane](Pack& pack, double x) { pack.set(lane, x); });
  }

  int order() const { return 0; }

  void operator()(std::span<MoleculePack> packs, double h, std::size_t count) const {
    for (std::size_t first = 0; first < count; first += Pack::width) {
      PackSums& sums = packs[first / Pack::width].turning;
      const Vector<Pack> m = sums.momentum();
      const Pack size2 = dot(m, m), angle2 = kernel_.square_angle(size2, Pack(h));
      if (all_within(Pack(0.0), size2, angle2, limit_)) {
        turn_together(sums, Pack(h));
      } else {
        turn_apart(sums, size2, angle2, h);
      }
    }
  }

 private:
  /// Flat, because the registers are to hold the state: what is not inlined costs more than what it computes.
  [[gnu::flatten, gnu::noinline]] void turn_together(PackSums& sums, const Pack& h) const {
    kernel_.middle_step(sums, h);
  }

  [[gnu::noinline]] void turn_apart(PackSums& sums, const Pack& size2, const Pack& angle2, double h) const {
    const PackSums start = sums;
    turn_together(sums, Pack(h));
    for (std::size_t lane = 0; lane < Pack::width; ++lane) {
      if (size2[lane] > 0.0 && angle2[lane] <= limit_[lane]) continue;
      sums.visit_with(start, [lane](Pack& x, const Pack& y) { x.set(lane, y[lane]); });
      turn_alone(exact_, sums, h, lane);
    }
  }

  Exact<double> exact_;
  IncrementFlow<Pack> kernel_;
  Pack limit_{square(middle_angle)};
};

}  // namespace POLHODE_CORE
