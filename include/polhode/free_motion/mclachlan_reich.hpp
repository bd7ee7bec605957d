// The splitting of McLachlan and Reich: five rotations about the principal axes [CS06 section 4].
#pragma once

#include <array>

#include "polhode/arithmetic/double_double_functions.hpp"
#include "polhode/error.hpp"
#include "polhode/free_motion/method.hpp"

namespace POLHODE_CORE {

struct McLachlanReichOptions {
  /// The order of the rotations; the last of the three axes is the one in the middle of the step. 0 to 5 are 123 (as in [CS06]), 132,
  /// 213, 231, 312, 321, the axes of ascending moments. The error depends on it.
  int axes = 0;
};

inline constexpr std::array<OptionEntry<McLachlanReichOptions>, 1> mclachlan_reich_option_list{
    {{{"axes", "order of the rotations; 0: 123, 1: 132, 2: 213, 3: 231, 4: 312, 5: 321", 0, 5, 0},
      [](McLachlanReichOptions& options, int value) { options.axes = value; }}}};

template <Scalar T>
class McLachlanReich {
 public:
  using Value = T;
  using Options = McLachlanReichOptions;
  static constexpr auto option_list = mclachlan_reich_option_list;
  static constexpr MethodInfo info{
      .name = "mr",
      .summary = "splitting of McLachlan and Reich into rotations about the axes, order 2",
      .order = 2,
      .keeps_energy = false};

  /// Throws InputError unless the order of the axes is 0 to 5.
  explicit McLachlanReich(const Inertia<T>& inertia, const Options& options = {})
      : inverse_(convert<T>(inertia.inverse)), axes_(examined(options.axes)) {}

  template <class M>
  void step(M& motion, const T& h) const {
    if (axes_ != 0) return step_in_other_order(motion, h);
    step_by<0, 1, 2>(motion, h);
  }

 private:
  static int examined(int axes) {
    if (axes < 0 || axes > 5) throw InputError("the order of the axes must be 0 to 5");
    return axes;
  }

  template <class M>
  [[gnu::noinline]] void step_in_other_order(M& motion, const T& h) const {
    switch (axes_) {
      case 1:
        return step_by<0, 2, 1>(motion, h);
      case 2:
        return step_by<1, 0, 2>(motion, h);
      case 3:
        return step_by<1, 2, 0>(motion, h);
      case 4:
        return step_by<2, 0, 1>(motion, h);
      default:
        return step_by<2, 1, 0>(motion, h);
    }
  }

  template <std::size_t first, std::size_t second, std::size_t middle, class M>
  void step_by(M& motion, const T& h) const {
    Vector<T> m = motion.momentum();
    Quaternion<T> q = motion.attitude();
    const T half = h / T(2);
    turn<first>(m, q, half);
    turn<second>(m, q, half);
    turn<middle>(m, q, h);
    turn<second>(m, q, half);
    turn<first>(m, q, half);
    motion.assign(m, q);
  }

  /// The flow of m_i^2/(2 I_i): a rotation about axis i by the angle h m_i/I_i, of the body in space; seen from
  /// the body, the momentum turns the other way. (Printed with omega_i/I_i in [CS06].)
  template <std::size_t i>
  void turn(Vector<T>& m, Quaternion<T>& q, const T& h) const {
    constexpr std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
    const auto [s, c] = sincos(h * m[i] * inverse_[i] / T(2));
    const T sine = T(2) * s * c, versine = T(2) * s * s;
    const T mj = m[j], mk = m[k];
    m[j] = mj + (mk * sine - mj * versine);
    // Everything as differences: from sums and differences of products side by side GCC 12 makes fused operations, whatever it is
    // told of contraction.
    m[k] = mk + ((-mj) * sine - mk * versine);
    const T q0 = q[0], qi = q[i + 1], qj = q[j + 1], qk = q[k + 1], minus = -s;
    q.c[0] = q0 * c - qi * s;
    q.c[i + 1] = qi * c - q0 * minus;
    q.c[j + 1] = qj * c - qk * minus;
    q.c[k + 1] = qk * c - qj * s;
  }

  Vector<T> inverse_;
  int axes_;
};

}  // namespace POLHODE_CORE

namespace polhode::methods {
using core::McLachlanReich;
using core::McLachlanReichOptions;
}  // namespace polhode::methods
