// The contract of whatever steps: bodies alone, under torque or in batches, molecules, systems in coordinates.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "polhode/error.hpp"
#include "polhode/stepping/evaluations.hpp"

namespace POLHODE_CORE {

/// A motion that goes on in steps.
///
///   advance(count)   takes steps of the length that was set. How steps are divided among the calls makes no difference, to
///                    the last bit. Throws InputError for a negative count, and MotionError if one of the steps cannot
///                    be taken: then none of the call has been.
///   time()           that the motion has come to, in extended precision: a product, not a sum
///   steps_taken()    of any length, since the beginning
///   state()          at that time
///   evaluations()    of forces (or torques) and constraints that the steps have asked for
///   save()           all that the future depends on, as bytes; restore() takes them and goes on bit for bit. They fit an
///                    object that was made with the same arguments; others are refused with InputError, by their size.
///
/// Where there is an energy, energy() is it, in extended precision.
template <class S>
concept Stepper = requires(S s, const S c, std::int64_t count, std::span<const std::byte> bytes) {
  s.advance(count);
  static_cast<double>(c.time());
  { c.steps_taken() } -> std::same_as<std::int64_t>;
  c.state();
  { c.evaluations() } -> std::convertible_to<EvaluationCounts>;
  { c.save() } -> std::same_as<std::vector<std::byte>>;
  s.restore(bytes);
};

/// A stepper whose steps may have any length and sign, each call another: advance(step, count), or set_step(step) and then
/// advance(count).
template <class S>
concept FreeStepper = Stepper<S> && requires(S s, double step, std::int64_t count) {
  s.set_step(step);
  s.advance(step, count);
};

template <class S>
concept HasEnergy = requires(const S c) {
  static_cast<double>(c.energy());
};

}  // namespace POLHODE_CORE

namespace polhode {
using core::FreeStepper;
using core::HasEnergy;
using core::Stepper;
}  // namespace polhode
