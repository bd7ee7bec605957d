// The common part of the steppers of systems in coordinates.
#pragma once

#include <cmath>

#include "polhode/constrained/mechanics.hpp"
#include "polhode/stepping/bytes.hpp"
#include "polhode/stepping/clock.hpp"
#include "polhode/stepping/stepper.hpp"

namespace POLHODE_CORE {

/// The base of a method with steps of one length. Derived has advance_once(), which takes one step or throws StepError and
/// leaves the motion where it was; wide_state(); visit(self, f), which calls f with all that the future depends on; and
/// begin() where something has to be computed from that again.
template <class Derived, System S, class T>
class CoordinateStepper {
 public:
  using Value = T;
  using Shown = Wide<T>;

  const S& system() const { return system_; }
  std::size_t dimension() const { return dimension_of(system_); }
  double step() const { return step_; }

  /// Throws StepError if a step cannot be taken; none of the call has been taken then.
  void advance(std::int64_t count = 1) {
    examine_count(count);
    if (count == 0) return;
    detail::all_or_none(derived(), count, [this] {
      derived().advance_once();
      ++steps_;
    });
  }

  DoubleDouble time() const { return DoubleDouble(step_) * DoubleDouble(static_cast<double>(steps_)); }
  std::int64_t steps_taken() const { return steps_; }
  const EvaluationCounts& evaluations() const { return counts_; }

  std::vector<std::byte> save() const {
    detail::ByteWriter writer;
    Derived::visit(*static_cast<const Derived*>(this), [&](const auto& x) { writer.put(x); });
    return writer.take();
  }
  void restore(std::span<const std::byte> bytes) {
    detail::ByteReader reader(bytes, save().size());
    Derived::visit(derived(), [&](auto&& x) { reader.get(x); });
    if constexpr (requires(Derived & d) { d.begin(); }) derived().begin();
  }

  /// Position and momentum; wide_state() has them with their errors.
  PhasePointOf<S, T> state() const { return convert<T>(static_cast<const Derived*>(this)->wide_state()); }

 protected:
  CoordinateStepper(const S& system, double step) : system_(system), step_(step) {
    if (step == 0.0 || !std::isfinite(step))
      throw InputError("the step is not a finite number other than zero");
  }

  S system_;
  std::int64_t steps_ = 0;
  EvaluationCounts counts_;

 private:
  Derived& derived() { return *static_cast<Derived*>(this); }

  double step_;
};

}  // namespace POLHODE_CORE
