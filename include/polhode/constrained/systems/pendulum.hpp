// The mathematical pendulum [CH13 section 3.1].
#pragma once

#include "polhode/arithmetic/double_double_functions.hpp"
#include "polhode/constrained/system.hpp"

namespace POLHODE_CORE::systems {

/// H = p^2/2 - cos q.
struct Pendulum {
  static constexpr std::size_t dimension = 1;

  template <class T>
  T potential(std::span<const T> q) const {
    return -cos(q[0]);
  }
  template <class T>
  void force(std::span<const T> q, std::span<T> f) const {
    f[0] = -sin(q[0]);
  }

  /// [CH13] does not give one; a libration that is far from both linear and separatrix.
  PhasePoint<DoubleDouble, 1> standard_state() const {
    PhasePoint<DoubleDouble, 1> state;
    state.position[0] = 0.0;
    state.momentum[0] = 1.25;
    return state;
  }
};

}  // namespace POLHODE_CORE::systems

namespace polhode::constrained {
namespace systems = core::systems;
}  // namespace polhode::constrained
