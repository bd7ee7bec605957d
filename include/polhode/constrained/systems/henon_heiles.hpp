// The model of Henon and Heiles: regular and chaotic motion side by side.
#pragma once

#include "polhode/constrained/system.hpp"

namespace POLHODE_CORE::systems {

/// H = |p|^2/2 + (x^2 + y^2)/2 + x^2 y - y^3/3.
struct HenonHeiles {
  static constexpr std::size_t dimension = 2;

  template <class T>
  T potential(std::span<const T> q) const {
    const T x2 = q[0] * q[0], y2 = q[1] * q[1];
    return T(0.5) * (x2 + y2) + q[1] * (x2 - y2 / T(3));
  }
  template <class T>
  void force(std::span<const T> q, std::span<T> f) const {
    f[0] = -q[0] * (T(1) + T(2) * q[1]);
    f[1] = q[1] * q[1] - q[1] - q[0] * q[0];
  }

  /// With an energy of about 1/12, where most of the motions are regular.
  PhasePoint<DoubleDouble, 2> standard_state() const {
    PhasePoint<DoubleDouble, 2> state;
    state.position[1] = 0.1;
    state.momentum[0] = 0.375;
    state.momentum[1] = 0.125;
    return state;
  }
};

}  // namespace POLHODE_CORE::systems

namespace polhode::constrained {
namespace systems = core::systems;
}  // namespace polhode::constrained
