// The turn of a body with wheels, dissipation or changing inertia, for numbers, packs and dual numbers.
//
// CarriedMotion (driving.hpp) says what is computed; DrivenPacks does the same with many bodies.
#pragma once

#include <cstddef>
#include <utility>

#include "polhode/arithmetic/gauss_collocation.hpp"
#include "polhode/arithmetic/quaternion.hpp"
#include "polhode/arithmetic/selection.hpp"

namespace POLHODE_CORE::carried {

/// At the time of a node: m0 - l, and I^-1.
template <class T>
struct Node {
  Vector<T> relative;
  Matrix<T> inverse;
};

/// A bound of the rate of turning; here the node has l in place of m0 - l.
template <class T>
T largest_rate(const Vector<T>& m, const Node<T>& rotor, const T& dissipation) {
  const T size = norm(m);
  const T trace = rotor.inverse[0][0] + rotor.inverse[1][1] + rotor.inverse[2][2];
  return (size + norm(rotor.relative)) * trace * (T(1) + dissipation * size);
}

template <Scalar T>
bool can_be_divided(const T& angle) {
  return isfinite(angle) && angle <= T(0x1p40);
}
/// Into how many a step by such an angle is divided: a power of two, which divides it exactly.
template <Scalar T>
double pieces(const T& angle) {
  constexpr double largest_angle = 0.25;
  double count = 1;
  while (T(count) * T(largest_angle) < angle) count *= 2;
  return count;
}

/// r'/|r| for r = 1 + increment, with the momentum r^-1 m0 r.
///
/// The momentum is m0 and an increment: computed as rotate() does, it would be multiplied by the rounding error of the norm,
/// which changes little from step to step, and the energy would drift.
template <class T, class Mask>
[[gnu::always_inline]] inline Quaternion<T> rate(const Node<T>& node, const Vector<T>& m0,
                                                 const T& dissipation, const Mask& dissipates,
                                                 const Quaternion<T>& increment) {
  Quaternion<T> r = increment;
  r[0] += T(1);
  const Vector<T> u = r.vector(), across = cross(u, m0);
  const Vector<T> change = (T(2) / norm_squared(r)) * (cross(u, across) - r[0] * across);
  Vector<T> omega = node.inverse * (node.relative + change);
  if (any_lane(dissipates)) {
    const Vector<T> more = omega + dissipation * cross(m0 + change, omega);
    omega = select_components(dissipates, more, omega, std::make_index_sequence<3>());
  }
  return T(0.5) * times_vector(r, omega);
}

/// Turns the open lanes of a motion, whose extended precision is W, over an inner time; which of them are done. node(i) is
/// that of the method's node i.
template <class T, class W, class M, class Method, class NodeAt>
MaskOf<T> turn(M& motion, const Method& method, const NodeAt& node, const T& dissipation,
               const MaskOf<T>& dissipates, const T& inner, const MaskOf<T>& open) {
  const Vector<T> m0 = motion.momentum();
  const auto rate_at = [&](std::size_t i, const Quaternion<T>& increment) {
    return rate(node(i), m0, dissipation, dissipates, increment);
  };
  const auto size = [](const Quaternion<T>& q) { return sqrt(norm_squared(q)); };
  const Quaternion<T> zero(T(0), T(0), T(0), T(0));
  const auto found = gauss_step(method, inner, rate_at(0, zero), T(0), open, rate_at, size);
  Quaternion<W> r = convert<W>(found.increment);
  r[0] += W(1);
  motion.assign(rotate(conjugate(r), motion.wide_momentum()), motion.wide_attitude() * r);
  return found.converged;
}

}  // namespace POLHODE_CORE::carried
