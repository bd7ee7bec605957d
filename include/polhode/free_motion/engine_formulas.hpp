// The formulas of physics engines for the gyroscopic term, as methods to compare with.
//
// With omega = I^-1 m in the body frame and the step h, what engines call semi-implicit: first the velocity, then the attitude by
// the new velocity, q+ = q exp(h omega+ / 2), a rotation about a fixed axis. (Engines store omega in space; the rotation is about omega+
// itself, so that its components in the body are the same before and after.) implicit-midpoint turns by the mean velocity
// instead. No engine's own code is here, nor its limits on the speed and its damping.
//
//   explicit-euler     m+ = m + h m x omega
//   momentum-kept      the same, then m+ brought to the length of m (Jolt, avian)
//   implicit-euler     m+ = m + h m+ x omega+, one step of Newton's method from omega (Bullet)
//   implicit-midpoint  m+ = m + h M x W, W = (omega + omega+)/2, M = I W, Newton's method to the end (MuJoCo 3.10, Genesis);
//                      q+ = q exp(h W / 2)
#pragma once

#include "polhode/arithmetic/double_double_functions.hpp"
#include "polhode/free_motion/method.hpp"

namespace POLHODE_CORE {

namespace detail {

/// q exp(h omega/2): the attitude after a turn about an axis that is fixed in the body.
template <class T>
Quaternion<T> turned(const Quaternion<T>& q, const Vector<T>& omega, const T& h) {
  const T speed = norm(omega);
  if (!(speed > T(0))) return q;
  const auto [s, c] = core::sincos(h * speed / T(2));
  return q * Quaternion<T>(c, (s / speed) * omega);
}

/// The equation I (w - w0) = k (I w) x w for w, whose Jacobian is I + k (w x I - (I w) x).
template <Scalar T>
class GyroscopicEquation {
 public:
  explicit GyroscopicEquation(const Inertia<T>& inertia)
      : moments_(inertia.moments),
        differences_{{moments_[2] - moments_[1], moments_[0] - moments_[2], moments_[1] - moments_[0]}} {}

  /// What a step of Newton's method adds to w.
  Vector<T> newton(const Vector<T>& w, const Vector<T>& w0, const T& k) const {
    const Vector<T> kw = k * w;
    const auto& [d0, d1, d2] = differences_.c;
    // Its columns: (I w) x w has the components -d0 w1 w2, -d1 w2 w0, -d2 w0 w1.
    const Vector<T> a{{moments_[0], d1 * kw[2], d2 * kw[1]}}, b{{d0 * kw[2], moments_[1], d2 * kw[0]}},
        c{{d0 * kw[1], d1 * kw[0], moments_[2]}};
    const Vector<T> residual{{moments_[0] * (w0[0] - w[0]) - d0 * (kw[1] * w[2]),
                              moments_[1] * (w0[1] - w[1]) - d1 * (kw[2] * w[0]),
                              moments_[2] * (w0[2] - w[2]) - d2 * (kw[0] * w[1])}};
    const Vector<T> bc = cross(b, c);
    const T determinant = dot(a, bc);
    if (!(abs(determinant) > T(0))) return {};
    return {{dot(residual, bc) / determinant, dot(residual, cross(c, a)) / determinant,
             dot(residual, cross(a, b)) / determinant}};
  }

  /// w, by steps of Newton's method from w0 until the next one would be below the last place. A step of h that is too long for
  /// it ends after the thirtieth.
  Vector<T> solution(const Vector<T>& w0, const T& k) const {
    Vector<T> w = w0;
    for (int i = 0; i < 30; ++i) {
      const Vector<T> change = newton(w, w0, k);
      w = w + change;
      if (!(dot(change, change) > ScalarTraits<T>::epsilon() / T(1024) * dot(w, w))) break;
    }
    return w;
  }

 private:
  Vector<T> moments_, differences_;
};

}  // namespace detail

template <Scalar T>
class ExplicitEuler {
 public:
  using Value = T;
  using Options = NoOptions;
  static constexpr MethodInfo info{
      .name = "explicit-euler",
      .summary = "for comparison with engines: explicit Euler, then the attitude by the new velocity",
      .order = 1,
      .keeps_energy = false,
      .keeps_spatial_momentum = false,
      .reversible = false};

  explicit ExplicitEuler(const Inertia<T>& inertia, const Options& = {})
      : inverse_(convert<T>(inertia.inverse)) {}

  template <class M>
  void step(M& motion, const T& h) const {
    const Vector<T> m = motion.momentum(), next = m + h * cross(m, times(inverse_, m));
    motion.assign(next, detail::turned(motion.attitude(), times(inverse_, next), h));
  }

 private:
  Vector<T> inverse_;
};

template <Scalar T>
class MomentumKept {
 public:
  using Value = T;
  using Options = NoOptions;
  static constexpr MethodInfo info{
      .name = "momentum-kept",
      .summary = "for comparison with engines: explicit Euler, the size of the momentum restored",
      .order = 1,
      .keeps_energy = false,
      .keeps_spatial_momentum = false,
      .reversible = false};

  explicit MomentumKept(const Inertia<T>& inertia, const Options& = {})
      : inverse_(convert<T>(inertia.inverse)) {}

  template <class M>
  void step(M& motion, const T& h) const {
    const Vector<T> m = motion.momentum(), moved = m + h * cross(m, times(inverse_, m));
    const T size = norm(moved);
    const Vector<T> next = size > T(0) ? (norm(m) / size) * moved : moved;
    motion.assign(next, detail::turned(motion.attitude(), times(inverse_, next), h));
  }

 private:
  Vector<T> inverse_;
};

template <Scalar T>
class ImplicitEuler {
 public:
  using Value = T;
  using Options = NoOptions;
  static constexpr MethodInfo info{
      .name = "implicit-euler",
      .summary = "for comparison with engines: implicit Euler by one step of Newton's method",
      .order = 1,
      .keeps_energy = false,
      .keeps_spatial_momentum = false,
      .reversible = false};

  explicit ImplicitEuler(const Inertia<T>& inertia, const Options& = {})
      : moments_(inertia.moments), inverse_(convert<T>(inertia.inverse)), equation_(inertia) {}

  template <class M>
  void step(M& motion, const T& h) const {
    const Vector<T> m = motion.momentum(), w = times(inverse_, m), change = equation_.newton(w, w, h);
    motion.assign(m + times(moments_, change), detail::turned(motion.attitude(), w + change, h));
  }

 private:
  Vector<T> moments_, inverse_;
  detail::GyroscopicEquation<T> equation_;
};

template <Scalar T>
class ImplicitMidpoint {
 public:
  using Value = T;
  using Options = NoOptions;
  static constexpr MethodInfo info{
      .name = "implicit-midpoint",
      .summary = "for comparison with engines: implicit midpoint rule, Newton's method to the end",
      .order = 2,
      .keeps_spatial_momentum = false};

  explicit ImplicitMidpoint(const Inertia<T>& inertia, const Options& = {})
      : moments_(inertia.moments), inverse_(convert<T>(inertia.inverse)), equation_(inertia) {}

  template <class M>
  void step(M& motion, const T& h) const {
    const Vector<T> m = motion.momentum(), middle = equation_.solution(times(inverse_, m), h / T(2));
    motion.assign(m + h * cross(times(moments_, middle), middle),
                  detail::turned(motion.attitude(), middle, h));
  }

 private:
  Vector<T> moments_, inverse_;
  detail::GyroscopicEquation<T> equation_;
};

}  // namespace POLHODE_CORE

namespace polhode::methods {
using core::ExplicitEuler;
using core::ImplicitEuler;
using core::ImplicitMidpoint;
using core::MomentumKept;
}  // namespace polhode::methods
