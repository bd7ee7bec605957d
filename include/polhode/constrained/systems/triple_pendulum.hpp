// The triple coupled pendulum in dimension 8 with 5 constraints, all quadratic [CH13 section 3.2].
#pragma once

#include "polhode/arithmetic/double_double_functions.hpp"
#include "polhode/constrained/system.hpp"

namespace POLHODE_CORE::systems {

/// The paper says no more than the two numbers. Four points in the plane with five rods have them, and three degrees of
/// freedom, as a triple pendulum has: a rod from the origin to P1, a rigid triangle P1 P2 P3 that swings about P1, and a
/// rod from P3 to P4. Unit masses, unit rods, unit gravity along -y.
struct TriplePendulum {
  static constexpr std::size_t dimension = 8;
  static constexpr std::size_t constraints = 5;
  static constexpr bool quadratic = true;

  /// The coordinates between the first of the one point and the last of the other.
  static constexpr Window window(std::size_t i) {
    constexpr Window windows[constraints] = {{0, 2}, {0, 4}, {0, 6}, {2, 4}, {4, 4}};
    return windows[i];
  }

  template <class T>
  T potential(std::span<const T> q) const {
    return q[1] + q[3] + q[5] + q[7];
  }
  template <class T>
  void force(std::span<const T>, std::span<T> f) const {
    for (std::size_t j = 0; j < dimension; ++j) f[j] = T(j % 2 == 0 ? 0 : -1);
  }
  template <class T>
  T constraint(std::span<const T> q, std::size_t i) const {
    if (i == 0) return q[0] * q[0] + q[1] * q[1] - T(1);
    const auto [a, b] = ends(i);
    return square(q[b] - q[a]) + square(q[b + 1] - q[a + 1]) - T(1);
  }
  template <class T>
  void gradient(std::span<const T> q, std::size_t i, std::span<T> row) const {
    for (T& x : row) x = T(0);
    const auto [a, b] = ends(i);
    const std::size_t first = window(i).first;
    for (std::size_t j = 0; j < 2; ++j) {
      const T difference = i == 0 ? q[j] : q[b + j] - q[a + j];
      if (i > 0) row[a + j - first] = T(-2) * difference;
      row[b + j - first] = T(2) * difference;
    }
  }

  /// At rest, with the first rod, the side P1 P3 of the triangle and the last rod at these angles from the vertical.
  static PhasePoint<DoubleDouble, 8> at_rest(const std::array<double, 3>& angles) {
    PhasePoint<DoubleDouble, 8> state;
    const auto rod = [](const DoubleDouble& angle) { return sincos(angle); };
    const auto first = rod(angles[0]), side = rod(angles[1]), last = rod(angles[2]);
    const auto other = rod(angles[1] + pi<DoubleDouble>() / 3.0);
    const DoubleDouble x = first.sin, y = -first.cos;
    const std::array<DoubleDouble, 8> q{x,
                                        y,
                                        x + other.sin,
                                        y - other.cos,
                                        x + side.sin,
                                        y - side.cos,
                                        x + side.sin + last.sin,
                                        y - side.cos - last.cos};
    for (std::size_t j = 0; j < 8; ++j) state.position[j] = q[j];
    return state;
  }
  PhasePoint<DoubleDouble, 8> standard_state() const { return at_rest({0.4, 0.1, -0.3}); }

 private:
  /// Where the coordinates of the two points of a rod begin.
  struct Ends {
    std::size_t a, b;
  };
  static constexpr Ends ends(std::size_t i) {
    constexpr Ends all[constraints] = {{0, 0}, {0, 2}, {0, 4}, {2, 4}, {4, 6}};
    return all[i];
  }
};

}  // namespace POLHODE_CORE::systems

namespace polhode::constrained {
namespace systems = core::systems;
}  // namespace polhode::constrained
