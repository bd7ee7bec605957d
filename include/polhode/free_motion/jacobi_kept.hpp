// Euler's equations by Jacobi's elliptic functions with constants that are computed once [CS06 section 3], and with the
// arithmetic-geometric mean and Landen's transformations as [CS06 section 3] and [CZ08 section 3.2] print them.
//
// The subject is the round-off of these formulas, so they stay as printed. Amplitudes and modulus of a motion are computed from its
// first momentum and kept; each step takes only the phase from the momentum. The attitude is carried along as in frb-quaternion.
#pragma once

#include "polhode/arithmetic/double_double_functions.hpp"
#include "polhode/free_motion/jacobi_euler.hpp"

namespace POLHODE_CORE {

/// The sequence of arithmetic-geometric means of a modulus, a_0 = 1, b_0 = k', c_0 = k, until c is round-off.
template <Scalar T>
class MeanSequence {
 public:
  explicit MeanSequence(const T& k2) {
    a_[0] = T(1);
    b_[0] = sqrt(T(1) - k2);
    c_[0] = sqrt(k2);
    while (last_ + 1 < a_.size() && c_[last_] > ScalarTraits<T>::epsilon()) {
      a_[last_ + 1] = (a_[last_] + b_[last_]) / T(2);
      b_[last_ + 1] = sqrt(a_[last_] * b_[last_]);
      c_[last_ + 1] = (a_[last_] - b_[last_]) / T(2);
      ++last_;
    }
  }

  /// F(phi, k) by the ascending transformation [CZ08 (17), (19)].
  T first_kind(T phi) const {
    for (std::size_t n = 0; n < last_; ++n) {
      const auto [s, c] = sincos(phi);
      const T turn = T(2) * pi<T>();
      const T more = atan2(b_[n] * s, a_[n] * c);  // phi_{n+1} - phi_n, up to whole turns
      phi += more + turn * floor((phi - more) / turn + T(0.5));
    }
    return phi / scale();
  }

  /// am(u, k) by the descending transformation [CZ08 section 3.2].
  T amplitude(const T& u) const {
    T phi = scale() * u;
    for (std::size_t n = last_; n > 0; --n) phi = (phi + asin(c_[n] / a_[n] * sin(phi))) / T(2);
    return phi;
  }

 private:
  T scale() const { return ldexp(a_[last_], static_cast<int>(last_)); }

  std::array<T, 16> a_{}, b_{}, c_{};
  std::size_t last_ = 0;
};

/// Jacobi's solution with kept constants: the momentum is (x cn, y sn, z dn) with the axes 1 and 3 exchanged in the second regime.
template <Scalar T>
class KeptJacobi {
 public:
  static constexpr std::string_view name = "jacobi-kept";
  static constexpr std::string_view summary =
      "Jacobi's elliptic functions with constants computed once, as in Celledoni and Safstrom";

  explicit KeptJacobi(const Inertia<T>& inertia) : i_(inertia.moments) {}

  /// Nothing if the formulas cancel.
  std::optional<EulerStep<T>> operator()(const Vector<T>& y, const T& h, MethodMemory<T>& memory) const {
    if (memory[regime] == T(unknown)) memory = constants(y);
    if (memory[regime] == T(cancelled)) return std::nullopt;
    const bool second = memory[regime] == T(about_first_axis);
    const std::size_t x = second ? 2 : 0, z = second ? 0 : 2;
    const MeanSequence<T> means(memory[modulus]);
    const T start = atan2(y[1] / memory[amplitude_y], y[x] / memory[amplitude_x]);
    const T end = means.amplitude(means.first_kind(start) + memory[rate] * h);
    const auto [sn, cn] = sincos(end);
    EulerStep<T> step;
    step.momentum[x] = memory[amplitude_x] * cn;
    step.momentum[1] = memory[amplitude_y] * sn;
    step.momentum[z] = memory[amplitude_z] * sqrt(T(1) - memory[modulus] * sn * sn);
    const T turn = T(2) * pi<T>();
    T arc = atan2(sn, cn) - start;  // the smaller one
    if (arc > pi<T>()) arc -= turn;
    if (arc < -pi<T>()) arc += turn;
    step.winding = floor((end - start - arc) / turn + T(0.5));
    return step;
  }

 private:
  /// The places of the constants in the memory.
  enum Place : std::size_t { regime, amplitude_x, amplitude_y, amplitude_z, modulus, rate };
  enum Regime { unknown, about_third_axis, about_first_axis, cancelled };

  /// [CS06 section 1] with a1^2 = 2 T I3 - G^2 and a3^2 = G^2 - 2 T I1, for the momentum in place of the angular velocity.
  MethodMemory<T> constants(const Vector<T>& y) const {
    MethodMemory<T> memory{};
    const T h2 = y[0] * y[0] / i_[0] + y[1] * y[1] / i_[1] + y[2] * y[2] / i_[2];
    const T c2 = y[0] * y[0] + y[1] * y[1] + y[2] * y[2];
    const T a1 = h2 * i_[2] - c2, a3 = c2 - h2 * i_[0];
    const T least = T(detail::cancelled) * c2, gap1 = i_[1] - i_[0], gap3 = i_[2] - i_[1],
            gap = i_[2] - i_[0];
    memory[regime] = T(cancelled);
    if (!(a1 > least) || !(a3 > least) || !(gap1 > T(detail::cancelled) * i_[2]) ||
        !(gap3 > T(detail::cancelled) * i_[2]))
      return memory;
    const bool second = gap3 * a3 < gap1 * a1;
    const T product = i_[0] * i_[1] * i_[2];
    const T first = sqrt(a1 * i_[0] / gap), third = sqrt(a3 * i_[2] / gap);
    const T k2 = second ? gap3 * a3 / (gap1 * a1) : gap1 * a1 / (gap3 * a3);
    if (T(1) - k2 < T(detail::cancelled)) return memory;
    const T sign = sign_of(y[second ? 0 : 2]);
    memory[amplitude_x] = second ? third : first;
    memory[amplitude_y] = second ? sqrt(a3 * i_[1] / gap1) : sqrt(a1 * i_[1] / gap3);
    memory[amplitude_z] = sign * (second ? first : third);
    memory[modulus] = k2;
    memory[rate] = sign * (second ? sqrt(gap1 * a1 / product) : sqrt(gap3 * a3 / product));
    memory[regime] = T(second ? about_first_axis : about_third_axis);
    return memory;
  }

  Vector<T> i_;
};

template <Scalar T>
using JacobiKept = JacobiEuler<T, KeptJacobi>;

}  // namespace POLHODE_CORE

namespace polhode::methods {
using core::JacobiKept;
}  // namespace polhode::methods
