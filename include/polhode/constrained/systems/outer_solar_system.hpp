// The Sun, the four large planets and Pluto, with the data of [HLW06 section I.2.4]: astronomical units, days, and
// masses in units of the Sun's, to which the inner planets are added.
#pragma once

#include "polhode/constrained/system.hpp"

namespace POLHODE_CORE::systems {

/// H = sum |p_i|^2/(2 m_i) - G sum m_i m_j/|q_i - q_j|.
struct OuterSolarSystem {
  static constexpr std::size_t bodies = 6;
  static constexpr std::size_t dimension = 3 * bodies;
  static constexpr double gravity = 2.95912208286e-4;
  static constexpr std::array<double, bodies> masses{1.00000597682,      0.000954786104043,
                                                     0.000285583733151,  0.0000437273164546,
                                                     0.0000517759138449, 1.0 / 1.3e8};

  double mass(std::size_t i) const { return masses[i / 3]; }

  template <class T>
  T potential(std::span<const T> q) const {
    T sum(0);
    for (std::size_t a = 0; a < bodies; ++a)
      for (std::size_t b = 0; b < a; ++b) sum += T(masses[a]) * T(masses[b]) / sqrt(square_distance(q, a, b));
    return -T(gravity) * sum;
  }
  template <class T>
  void force(std::span<const T> q, std::span<T> f) const {
    for (T& x : f) x = T(0);
    for (std::size_t a = 0; a < bodies; ++a)
      for (std::size_t b = 0; b < a; ++b) {
        const T r2 = square_distance(q, a, b);
        const T pull = T(gravity) * T(masses[a]) * T(masses[b]) / (r2 * sqrt(r2));
        for (std::size_t j = 0; j < 3; ++j) {
          const T part = pull * (q[3 * a + j] - q[3 * b + j]);
          f[3 * a + j] -= part;
          f[3 * b + j] += part;
        }
      }
  }

  template <class T>
  static std::array<T, 3> angular_momentum(const PhasePoint<T, dimension>& point) {
    std::array<T, 3> sum{T(0), T(0), T(0)};
    for (std::size_t a = 0; a < bodies; ++a)
      for (std::size_t j = 0; j < 3; ++j) {
        const std::size_t k = 3 * a + (j + 1) % 3, l = 3 * a + (j + 2) % 3;
        sum[j] += point.position[k] * point.momentum[l] - point.position[l] * point.momentum[k];
      }
    return sum;
  }

  /// September 5, 1994. The data are relative to the Sun; here the centre of mass rests at the origin, because a drift of
  /// the whole would cost digits of every coordinate.
  PhasePoint<DoubleDouble, dimension> standard_state() const {
    constexpr std::array<double, dimension> positions{
        0.0,        0.0,         0.0,         -3.5023653,  -3.8169847,  -1.5507963,
        9.0755314,  -3.0458353,  -1.6483708,  8.3101420,   -16.2901086, -7.2521278,
        11.4707666, -25.7294829, -10.8169456, -15.5387357, -25.2225594, -3.1902382};
    constexpr std::array<double, dimension> velocities{
        0.0,        0.0,        0.0,        0.00565429, -0.00412490, -0.00190589,
        0.00168318, 0.00483525, 0.00192462, 0.00354178, 0.00137102,  0.00055029,
        0.00288930, 0.00114527, 0.00039677, 0.00276725, -0.00170702, -0.00136504};
    PhasePoint<DoubleDouble, dimension> state;
    for (std::size_t j = 0; j < 3; ++j) {
      DoubleDouble total = 0.0, place = 0.0, drift = 0.0;
      for (std::size_t a = 0; a < bodies; ++a) {
        total += masses[a];
        place += DoubleDouble::product(masses[a], positions[3 * a + j]);
        drift += DoubleDouble::product(masses[a], velocities[3 * a + j]);
      }
      for (std::size_t a = 0; a < bodies; ++a) {
        state.position[3 * a + j] = positions[3 * a + j] - place / total;
        state.momentum[3 * a + j] = (velocities[3 * a + j] - drift / total) * masses[a];
      }
    }
    return state;
  }

 private:
  template <class T>
  static T square_distance(std::span<const T> q, std::size_t a, std::size_t b) {
    T sum(0);
    for (std::size_t j = 0; j < 3; ++j) sum += square(q[3 * a + j] - q[3 * b + j]);
    return sum;
  }
};

}  // namespace POLHODE_CORE::systems

namespace polhode::constrained {
namespace systems = core::systems;
}  // namespace polhode::constrained
