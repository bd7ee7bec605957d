// The free rigid body as four points with six rods: a constrained system with a constant mass, to be compared with the
// exact flow. (In quaternions the mass would depend on the position, which the multistep methods exclude.)
#pragma once

#include <string>

#include "polhode/arithmetic/quaternion.hpp"
#include "polhode/constrained/system.hpp"
#include "polhode/error.hpp"

namespace POLHODE_CORE::systems {

/// Unit masses at (a, b, c), (a, -b, -c), (-a, b, -c) and (-a, -b, c) in the principal frame have the moments of inertia
/// I1 = 4 (b^2 + c^2) and so on, and these are also the squares of the distances: of the points 1 and 2, and 3 and 4, it is
/// I1. Any moments that keep the triangle inequality strictly can be had.
class FourPoints {
 public:
  static constexpr std::size_t dimension = 12;
  static constexpr std::size_t constraints = 6;
  static constexpr bool quadratic = true;

  explicit FourPoints(const Vector<double>& moments) : moments_(moments) {
    for (std::size_t i = 0; i < 3; ++i)
      if (!(moments[i] > 0.0) || !(moments[(i + 1) % 3] + moments[(i + 2) % 3] > moments[i]))
        throw InputError(
            "four points need positive moments of inertia, each less than the sum of the other two");
  }

  template <class T>
  T potential(std::span<const T>) const {
    return T(0);
  }
  template <class T>
  void force(std::span<const T>, std::span<T> f) const {
    for (T& x : f) x = T(0);
  }
  template <class T>
  T constraint(std::span<const T> q, std::size_t i) const {
    const auto [a, b, axis] = rod(i);
    return square(q[3 * b] - q[3 * a]) + square(q[3 * b + 1] - q[3 * a + 1]) +
           square(q[3 * b + 2] - q[3 * a + 2]) - T(moments_[axis]);
  }
  template <class T>
  void gradient(std::span<const T> q, std::size_t i, std::span<T> row) const {
    for (T& x : row) x = T(0);
    const auto [a, b, axis] = rod(i);
    for (std::size_t j = 0; j < 3; ++j) {
      const T twice = T(2) * (q[3 * b + j] - q[3 * a + j]);
      row[3 * b + j] = twice;
      row[3 * a + j] = -twice;
    }
  }

  /// The points of a body at rest in its centre of mass, with the momentum m in the body frame and the attitude Q.
  template <Scalar T>
  PhasePoint<T, 12> state(const Vector<T>& momentum, const Quaternion<T>& attitude) const {
    PhasePoint<T, 12> result;
    const Vector<T> rate{
        {momentum[0] / T(moments_[0]), momentum[1] / T(moments_[1]), momentum[2] / T(moments_[2])}};
    for (std::size_t k = 0; k < 4; ++k) {
      const Vector<T> r = place<T>(k);
      const Vector<T> x = rotate(attitude, r), v = rotate(attitude, cross(rate, r));
      for (std::size_t j = 0; j < 3; ++j) {
        result.position[3 * k + j] = x[j];
        result.momentum[3 * k + j] = v[j];
      }
    }
    return result;
  }

  /// The attitude matrix, body to space: sum x r^T times the inverse of sum r r^T = diag(4 a^2, 4 b^2, 4 c^2).
  template <Scalar T>
  Matrix<T> attitude(const PhasePoint<T, 12>& point) const {
    Matrix<T> result;
    for (std::size_t k = 0; k < 4; ++k) {
      const Vector<T> r = place<T>(k);
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) result[i][j] += point.position[3 * k + i] / (T(4) * r[j]);
    }
    return result;
  }

  /// The angular momentum in space.
  template <Scalar T>
  static Vector<T> spatial_momentum(const PhasePoint<T, 12>& point) {
    Vector<T> sum{};
    for (std::size_t k = 0; k < 4; ++k) {
      Vector<T> x, p;
      for (std::size_t j = 0; j < 3; ++j) {
        x[j] = point.position[3 * k + j];
        p[j] = point.momentum[3 * k + j];
      }
      sum = sum + cross(x, p);
    }
    return sum;
  }

  PhasePoint<DoubleDouble, 12> standard_state() const {
    return state<DoubleDouble>({{0.5, 0.2, 0.8}}, Quaternion<DoubleDouble>());
  }

 private:
  struct Rod {
    std::size_t a, b, axis;
  };
  static constexpr Rod rod(std::size_t i) {
    constexpr Rod rods[constraints] = {{0, 1, 0}, {0, 2, 1}, {0, 3, 2}, {1, 2, 2}, {1, 3, 1}, {2, 3, 0}};
    return rods[i];
  }
  template <Scalar T>
  Vector<T> place(std::size_t k) const {
    Vector<T> r;
    for (std::size_t j = 0; j < 3; ++j) {
      const T square_sum = T(moments_[(j + 1) % 3]) + T(moments_[(j + 2) % 3]) - T(moments_[j]);  // 8 a^2
      const T size = sqrt(square_sum / T(8));
      r[j] = k == 0 || k == j + 1 ? size : -size;
    }
    return r;
  }

  Vector<double> moments_;
};

}  // namespace POLHODE_CORE::systems

namespace polhode::constrained {
namespace systems = core::systems;
}  // namespace polhode::constrained
