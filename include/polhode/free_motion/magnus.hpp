// The exact momentum, and the attitude by one exponential of a truncated Magnus series: the free motion of SEJ, the splitting
// (S) that solves Euler's equations (E) by Jacobi's elliptic functions (J) [CS06].
#pragma once

#include <array>

#include "polhode/arithmetic/double_double_functions.hpp"
#include "polhode/free_motion/exact.hpp"

namespace POLHODE_CORE {

/// q' = q (0, w)/2 with w = I^-1 m(t) known: q -> q exp(omega/2). Order 2 has omega = h w at the middle of the step; order 4 has
///   omega = h/2 (w1 + w2) + sqrt(3)/12 h^2 w1 x w2
/// with w at the nodes h (1/2 -+ sqrt(3)/6) of Gauss. Symmetric in time; the momentum does not see the attitude, so that the map
/// is not symplectic, and Q m is conserved to the order of the method only.
template <Scalar T, int order_>
class Magnus {
 public:
  static_assert(order_ == 2 || order_ == 4);
  using Value = T;
  using Options = NoOptions;
  static constexpr MethodInfo info{
      .name = order_ == 2 ? "magnus2" : "magnus4",
      .summary = order_ == 2 ? "exact momentum, the attitude by one exponential at the middle of the step"
                             : "exact momentum, the attitude by the Magnus series of order 4",
      .order = order_,
      .increments = true,
      .keeps_spatial_momentum = false};

  explicit Magnus(const Inertia<T>& inertia, const Options& = {})
      : exact_(inertia), inverse_(convert<T>(inertia.inverse)) {}

  template <class M>
  void step(M& motion, const T& h) const {
    const M before = motion;
    const auto velocity_after = [&](const T& time) {
      exact_.step(motion, time);
      return times(inverse_, motion.momentum());
    };
    Vector<T> omega;
    if constexpr (order_ == 2) {
      omega = h * velocity_after(h / T(2));
      exact_.step(motion, h / T(2));
    } else {
      const T between = h / sqrt(T(3)), outside = (h - between) / T(2);
      const Vector<T> w1 = velocity_after(outside), w2 = velocity_after(between);
      exact_.step(motion, outside);
      omega = (h / T(2)) * (w1 + w2) + (h * between / T(4)) * cross(w1, w2);
    }
    motion.copy_attitude(before);
    motion.add_attitude(motion.attitude() * exponential_minus_one(omega));
  }

  /// exp(omega/2) - 1.
  static Quaternion<T> exponential_minus_one(const Vector<T>& omega) {
    const T angle = norm(omega);
    if (angle == T(0)) return {T(0), T(0), T(0), T(0)};
    const auto [s, c] = sincos(angle / T(4));
    return {T(-2) * s * s, (T(2) * s * c / angle) * omega};
  }

 private:
  Exact<T> exact_;
  Vector<T> inverse_;
};

}  // namespace POLHODE_CORE

namespace polhode::methods {
using core::Magnus;
}  // namespace polhode::methods
