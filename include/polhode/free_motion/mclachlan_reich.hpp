// The splitting of McLachlan and Reich: five rotations about the principal axes [CS06 section 4].
#pragma once

#include "polhode/arithmetic/double_double_functions.hpp"
#include "polhode/free_motion/method.hpp"

namespace polhode::core {

template <Scalar T>
class McLachlanReich {
 public:
  using Value = T;
  using Options = NoOptions;
  static constexpr MethodInfo info{
      .name = "mr",
      .summary = "splitting of McLachlan and Reich into rotations about the axes, order 2",
      .order = 2,
      .keeps_energy = false};

  explicit McLachlanReich(const Inertia<T>& inertia, const Options& = {})
      : inverse_(convert<T>(inertia.inverse)) {}

  template <class M>
  void step(M& motion, const T& h) const {
    Vector<T> m = motion.momentum();
    Quaternion<T> q = motion.attitude();
    const T half = h / T(2);
    turn<0>(m, q, half);
    turn<1>(m, q, half);
    turn<2>(m, q, h);
    turn<1>(m, q, half);
    turn<0>(m, q, half);
    motion.assign(m, q);
  }

 private:
  /// The flow of m_i^2/(2 I_i): a rotation about axis i by the angle h m_i/I_i, of the body in space; seen from
  /// the body, the momentum turns the other way. (Printed with omega_i/I_i in [CS06].)
  template <std::size_t i>
  void turn(Vector<T>& m, Quaternion<T>& q, const T& h) const {
    constexpr std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
    const auto [s, c] = sincos(h * m[i] * inverse_[i] / T(2));
    const T sine = T(2) * s * c, versine = T(2) * s * s;
    const T mj = m[j], mk = m[k];
    m[j] = mj + (mk * sine - mj * versine);
    m[k] = mk - (mj * sine + mk * versine);
    Vector<T> axis{};
    axis[i] = s;
    q = q * Quaternion<T>(c, axis);
  }

  Vector<T> inverse_;
};

}  // namespace polhode::core

namespace polhode::methods {
using core::McLachlanReich;
}  // namespace polhode::methods
