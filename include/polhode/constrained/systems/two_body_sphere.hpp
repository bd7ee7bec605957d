// Kepler's problem on the sphere: two unit masses that attract each other along great circles [CH13 section 3.2].
#pragma once

#include "polhode/arithmetic/double_double_functions.hpp"
#include "polhode/constrained/system.hpp"

namespace POLHODE_CORE::systems {

/// U = -cot of the angle between the bodies, |Q1| = |Q2| = 1.
struct TwoBodySphere {
  static constexpr std::size_t dimension = 6;
  static constexpr std::size_t constraints = 2;
  static constexpr bool spheres = true;
  static constexpr Window window(std::size_t i) { return {3 * i, 3}; }

  template <class T>
  T potential(std::span<const T> q) const {
    const T c = cosine(q);
    return -c / sqrt(T(1) - c * c);
  }
  template <class T>
  void force(std::span<const T> q, std::span<T> f) const {
    const T c = cosine(q);
    const T sine2 = T(1) - c * c;
    const T slope = T(1) / (sine2 * sqrt(sine2));
    for (std::size_t j = 0; j < 3; ++j) {
      f[j] = slope * q[j + 3];
      f[j + 3] = slope * q[j];
    }
  }
  template <class T>
  T constraint(std::span<const T> q, std::size_t i) const {
    const auto x = q.subspan(3 * i, 3);
    return x[0] * x[0] + x[1] * x[1] + x[2] * x[2] - T(1);
  }
  template <class T>
  void gradient(std::span<const T> q, std::size_t i, std::span<T> row) const {
    for (std::size_t j = 0; j < 3; ++j) row[j] = T(2) * q[3 * i + j];
  }

  /// From the angles Q = (cos phi sin theta, sin phi sin theta, cos theta), which [CH13] leaves out.
  static PhasePoint<DoubleDouble, 6> from_angles(const std::array<double, 2>& phi,
                                                 const std::array<double, 2>& theta,
                                                 const std::array<double, 2>& phi_rate,
                                                 const std::array<double, 2>& theta_rate) {
    PhasePoint<DoubleDouble, 6> state;
    for (std::size_t i = 0; i < 2; ++i) {
      const auto [sin_phi, cos_phi] = sincos(DoubleDouble(phi[i]));
      const auto [sin_theta, cos_theta] = sincos(DoubleDouble(theta[i]));
      const DoubleDouble around = phi_rate[i] * sin_theta, down = theta_rate[i];
      state.position[3 * i] = cos_phi * sin_theta;
      state.position[3 * i + 1] = sin_phi * sin_theta;
      state.position[3 * i + 2] = cos_theta;
      state.momentum[3 * i] = down * cos_phi * cos_theta - around * sin_phi;
      state.momentum[3 * i + 1] = down * sin_phi * cos_theta + around * cos_phi;
      state.momentum[3 * i + 2] = -(down * sin_theta);
    }
    return state;
  }
  PhasePoint<DoubleDouble, 6> standard_state() const {
    return from_angles({0.8, 0.5}, {0.6, 1.5}, {1.1, -0.8}, {-0.2, 0.0});
  }

 private:
  template <class T>
  static T cosine(std::span<const T> q) {
    return q[0] * q[3] + q[1] * q[4] + q[2] * q[5];
  }
};

}  // namespace POLHODE_CORE::systems

namespace polhode::constrained {
namespace systems = core::systems;
}  // namespace polhode::constrained
