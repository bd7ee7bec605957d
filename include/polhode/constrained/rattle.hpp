// RATTLE: the Stormer-Verlet method for systems with constraints [And83].
#pragma once

#include "polhode/constrained/lobatto.hpp"

namespace POLHODE_CORE {

/// The Lobatto pair of two stages: order 2, and explicit but for the multipliers. Without constraints it is the
/// Stormer-Verlet method.
template <System S, class T = double, Summation summation = Summation::compensated>
class Rattle : public Lobatto<S, T, summation> {
 public:
  Rattle(const S& system, const PhasePointOf<S, Wide<T>>& initial, double step,
         const MultiplierOptions& options = {})
      : Lobatto<S, T, summation>(system, initial, step, {.stages = 2, .multipliers = options}) {}
};

}  // namespace POLHODE_CORE

namespace polhode::constrained {
using core::Rattle;
}  // namespace polhode::constrained
