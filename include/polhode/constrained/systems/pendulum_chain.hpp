// A chain of n pendulums in the plane, as points and rods.
#pragma once

#include "polhode/arithmetic/double_double_functions.hpp"
#include "polhode/constrained/system.hpp"
#include "polhode/error.hpp"

namespace POLHODE_CORE::systems {

/// Unit masses at the ends of unit rods, hung one below the other at the origin, unit gravity along -y: 2 n coordinates
/// (x_1, y_1, x_2, ...) and n constraints, of which each meets only its neighbours.
class PendulumChain {
 public:
  static constexpr bool quadratic = true;

  explicit PendulumChain(std::size_t links) : links_(links) {
    if (links < 1) throw InputError("a chain has at least one pendulum");
  }

  std::size_t dimension() const { return 2 * links_; }
  std::size_t constraints() const { return links_; }
  Window window(std::size_t i) const { return i == 0 ? Window{0, 2} : Window{2 * i - 2, 4}; }

  template <class T>
  T potential(std::span<const T> q) const {
    T sum(0);
    for (std::size_t i = 0; i < links_; ++i) sum += q[2 * i + 1];
    return sum;
  }
  template <class T>
  void force(std::span<const T>, std::span<T> f) const {
    for (std::size_t i = 0; i < links_; ++i) {
      f[2 * i] = T(0);
      f[2 * i + 1] = T(-1);
    }
  }
  template <class T>
  T constraint(std::span<const T> q, std::size_t i) const {
    const auto [x, y] = rod(q, i);
    return x * x + y * y - T(1);
  }
  template <class T>
  void gradient(std::span<const T> q, std::size_t i, std::span<T> row) const {
    const auto [x, y] = rod(q, i);
    const std::size_t own = i == 0 ? 0 : 2;
    row[own] = T(2) * x;
    row[own + 1] = T(2) * y;
    if (i > 0) {
      row[0] = T(-2) * x;
      row[1] = T(-2) * y;
    }
  }

  /// At rest, the rod i at the angle angles(i) from the vertical.
  template <class Angles>
  PhasePoint<DoubleDouble, dynamic_length> at_rest(const Angles& angles) const {
    PhasePoint<DoubleDouble, dynamic_length> state(dimension());
    DoubleDouble x = 0.0, y = 0.0;
    for (std::size_t i = 0; i < links_; ++i) {
      const auto [s, c] = sincos(DoubleDouble(angles(i)));
      state.position[2 * i] = x += s;
      state.position[2 * i + 1] = y -= c;
    }
    return state;
  }
  PhasePoint<DoubleDouble, dynamic_length> standard_state() const {
    return at_rest([](std::size_t) { return 0.5; });
  }

 private:
  template <class T>
  struct Rod {
    T x, y;
  };
  template <class T>
  static Rod<T> rod(std::span<const T> q, std::size_t i) {
    if (i == 0) return {q[0], q[1]};
    return {q[2 * i] - q[2 * i - 2], q[2 * i + 1] - q[2 * i - 1]};
  }

  std::size_t links_;
};

}  // namespace POLHODE_CORE::systems

namespace polhode::constrained {
namespace systems = core::systems;
}  // namespace polhode::constrained
