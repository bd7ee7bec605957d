// The free rotation of many bodies of one kind, in packs.
#pragma once

#include <span>

#include "polhode/free_motion/packed_exact.hpp"

namespace polhode {

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

/// By any method: body by body.
template <FreeMotionMethod Method>
class Turning {
 public:
  Turning(const Inertia<double>& inertia, const typename Method::Options& options)
      : method_(inertia, options) {}

  /// A step of the first `count` bodies of the packs; h in inner units.
  void operator()(std::span<MoleculePack> packs, double h, std::size_t count) const {
    for (std::size_t i = 0; i < count; ++i)
      step_alone(method_, packs[i / Pack::width].turning, h, i % Pack::width);
  }

 private:
  Method method_;
};

/// By the exact flow: packs at once.
template <>
class Turning<Exact<double>> {
 public:
  Turning(const Inertia<double>& inertia, const NoOptions& options)
      : exact_(inertia, options), packed_(exact_) {}

  [[gnu::flatten]] void operator()(std::span<MoleculePack> packs, double h, std::size_t count) const {
    const auto exact_of = [this](std::size_t) -> const Exact<double>& { return exact_; };
    for (std::size_t first = 0; first < count; first += Pack::width)
      packed_.step(packs[first / Pack::width].turning, Pack(h), exact_of);
  }

 private:
  Exact<double> exact_;
  PackedExact packed_;
};

}  // namespace polhode
