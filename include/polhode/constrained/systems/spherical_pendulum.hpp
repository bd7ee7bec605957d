// A unit mass on the unit sphere under gravity: one constraint.
#pragma once

#include "polhode/constrained/system.hpp"

namespace POLHODE_CORE::systems {

/// H = |p|^2/2 + z, |q| = 1.
struct SphericalPendulum {
  static constexpr std::size_t dimension = 3;
  static constexpr std::size_t constraints = 1;
  static constexpr bool spheres = true;

  template <class T>
  T potential(std::span<const T> q) const {
    return q[2];
  }
  template <class T>
  void force(std::span<const T>, std::span<T> f) const {
    f[0] = T(0);
    f[1] = T(0);
    f[2] = T(-1);
  }
  template <class T>
  T constraint(std::span<const T> q, std::size_t) const {
    return q[0] * q[0] + q[1] * q[1] + q[2] * q[2] - T(1);
  }
  template <class T>
  void gradient(std::span<const T> q, std::size_t, std::span<T> row) const {
    for (std::size_t j = 0; j < 3; ++j) row[j] = T(2) * q[j];
  }

  PhasePoint<DoubleDouble, 3> standard_state() const {
    PhasePoint<DoubleDouble, 3> state;
    state.position[0] = 1.0;
    state.momentum[1] = 0.8;
    state.momentum[2] = 0.5;
    return state;
  }
};

}  // namespace POLHODE_CORE::systems

namespace polhode::constrained {
namespace systems = core::systems;
}  // namespace polhode::constrained
