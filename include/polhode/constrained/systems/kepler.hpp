// One body about a fixed centre.
#pragma once

#include "polhode/constrained/system.hpp"

namespace POLHODE_CORE::systems {

/// H = |p|^2/2 - 1/|q| in the plane.
struct Kepler {
  static constexpr std::size_t dimension = 2;

  double eccentricity = 0.2;  ///< of the standard initial value only

  template <class T>
  T potential(std::span<const T> q) const {
    return T(-1) / sqrt(q[0] * q[0] + q[1] * q[1]);
  }
  template <class T>
  void force(std::span<const T> q, std::span<T> f) const {
    const T r2 = q[0] * q[0] + q[1] * q[1];
    const T pull = T(-1) / (r2 * sqrt(r2));
    f[0] = pull * q[0];
    f[1] = pull * q[1];
  }

  template <class T>
  static T angular_momentum(const PhasePoint<T, 2>& point) {
    return point.position[0] * point.momentum[1] - point.position[1] * point.momentum[0];
  }

  /// At the pericentre of an orbit with the period 2 pi.
  PhasePoint<DoubleDouble, 2> standard_state() const {
    PhasePoint<DoubleDouble, 2> state;
    state.position[0] = 1.0 - DoubleDouble(eccentricity);
    state.momentum[1] = sqrt((1.0 + DoubleDouble(eccentricity)) / (1.0 - DoubleDouble(eccentricity)));
    return state;
  }
};

}  // namespace POLHODE_CORE::systems

namespace polhode::constrained {
namespace systems = core::systems;
}  // namespace polhode::constrained
