// Legendre's elliptic integrals of the first and third kind, and the complete one of the second.
//
// Conventions of [DLMF 19.2]: F(phi, k) = int 1/Delta, Pi(phi, n, k) = int 1/((1 - n sin^2) Delta), where
// Delta^2 = 1 - k^2 sin^2, from 0 to phi. n < 1, also negative of any size.
#pragma once

#include "polhode/arithmetic/double_double_functions.hpp"
#include "polhode/elliptic/carlson.hpp"
#include "polhode/elliptic/modulus.hpp"

namespace POLHODE_CORE::elliptic {

namespace detail {

/// Bulirsch's complete integral cel(k', p, a, b), the integral of (a cos^2 + b sin^2) / ((cos^2 + p sin^2) Delta)
/// over a quarter turn [Bul69; DLMF 19.2.11]. For p > 0 and a, b >= 0 it only adds positive numbers.
template <Scalar T>
T bulirsch_cel(const T& k1, T p, T a, T b) {
  const T enough = sqrt(ScalarTraits<T>::epsilon());
  T e = k1;
  T q = k1;
  T mean = T(1);
  p = sqrt(p);
  b /= p;
  for (;;) {
    const T old = a;
    a += b / p;
    const T ratio = e / p;
    b = T(2) * (b + old * ratio);
    p += ratio;
    const T gap = abs(mean - q);
    const bool converged = !(gap > enough * mean);
    mean += q;
    if (converged) break;
    q = T(2) * sqrt(e);
    e = q * mean;
  }
  return pi<T>() / T(2) * (b + a * mean) / (mean * (mean + p));
}

}  // namespace detail

// The complete integrals are computed in the wide type: they are the units of all longer arguments, belong to the
// preparation of a motion rather than to its steps, and are then right to the last place.

/// K by the arithmetic-geometric mean of 1 and k' [DLMF 19.8.5]; infinite for k' = 0.
template <Scalar T>
T complete_first(const Modulus<T>& m) {
  using W = Wide<T>;
  if (m.complement == T(0)) return detail::infinity<T>();
  const W enough = sqrt(ScalarTraits<W>::epsilon());  // the means then agree to the square of this, over 16
  W a = W(1);
  W b = sqrt(m.template to<W>().complement);
  while (a - b > enough * a) {
    const W root = sqrt(a * b);
    a = (a + b) / W(2);
    b = root;
  }
  return static_cast<T>(pi<W>() / (a + b));
}

/// E, the complete integral of the second kind.
template <Scalar T>
T complete_second(const Modulus<T>& m) {
  using W = Wide<T>;
  if (m.complement == T(0)) return T(1);
  const W k2c = m.template to<W>().complement;
  return static_cast<T>(detail::bulirsch_cel<W>(sqrt(k2c), W(1), W(1), k2c));
}

/// Pi(n), the complete integral of the third kind for n < 1.
template <Scalar T>
T complete_third(const T& n, const Modulus<T>& m) {
  using W = Wide<T>;
  if (m.complement == T(0)) return detail::infinity<T>();
  return static_cast<T>(
      detail::bulirsch_cel<W>(sqrt(m.template to<W>().complement), W(1) - W(n), W(1), W(1)));
}

/// F on the principal branch |phi| <= pi/2, from sn = sin phi, cn = cos phi >= 0 and dn = Delta [DLMF 19.25.5].
/// Right to a few ulps if cn and dn are, however small they are.
template <Scalar T>
T incomplete_first(const T& sn, const T& cn, const T& dn) {
  return sn * rf<T>(cn * cn, dn * dn, T(1));
}

namespace detail {

/// Pi(n) on the principal branch; k2s2 is k^2 sn^2.
///
/// [DLMF 19.25.14], Pi = sn R_F + n/3 sn^3 R_J(p) with p = 1 - n sn^2, cancels for n << 0. There the change of
/// parameter n -> k^2/n [DLMF 19.21.12 about z, 19.7(iii)], q = 1 - k^2 sn^2 / n, makes of it
///   Pi = sn R_C(cn^2 dn^2, p q) + (q - 1)/3 sn R_J(cn^2, dn^2, 1, q),
/// both terms positive. R_C is an arctangent whose p q - cn^2 dn^2 = (1 - n)(sn^2 - k^2 sn^2 / n) has no difference.
template <Scalar T>
T third_kind(const T& n, const T& sn, const T& cn, const T& dn, const T& k2s2) {
  const T s2 = sn * sn;
  const T excess = -n * s2;  // p - 1
  if (!(excess > T(0.25))) {
    // 1 - n sn^2, where n or sn may be next to 1
    const T p = excess < T(0) ? cn * cn + (T(1) - n) * s2 : T(1) + excess;
    const auto r = first_and_third<T>(cn * cn, dn * dn, T(1), p);
    return sn * (r.first - excess / T(3) * r.third);
  }
  const T shift = k2s2 / -n;  // q - 1
  const T root = sqrt(T(1) - n) * sqrt(s2 + shift);
  const T circular = atan2(root, cn * dn) / root;
  return sn * (circular + shift / T(3) * rj<T>(cn * cn, dn * dn, T(1), T(1) + shift));
}

}  // namespace detail

/// Pi(n) on the principal branch, from sn, cn >= 0 and dn.
template <Scalar T>
T incomplete_third(const T& n, const T& sn, const T& cn, const T& dn) {
  return detail::third_kind<T>(n, sn, cn, dn, (T(1) - dn) * (T(1) + dn));
}

namespace detail {

/// The amplitude phi as half_turns pi + psi, |psi| <= pi/2, psi given by its sine and its cosine.
template <Scalar T>
struct ReducedAmplitude {
  T half_turns;
  T sn;
  T cn;
};

template <Scalar T>
ReducedAmplitude<T> reduce_amplitude(const T& phi) {
  auto [s, c] = sincos(phi);  // reduces the angle without loss
  T half_turns = abs(phi) < T(1.5) ? T(0) : floor(phi / pi<T>() + T(0.5));
  if (half_turns - T(2) * floor(half_turns / T(2)) != T(0)) {
    s = -s;
    c = -c;
  }
  if (c < T(0)) {  // the quotient was rounded over the half
    half_turns += sign_of(s);
    s = -s;
    c = -c;
  }
  return {half_turns, s, c};
}

}  // namespace detail

/// F(phi) for any real phi.
template <Scalar T>
T incomplete_first(const T& phi, const Modulus<T>& m) {
  if (!isfinite(phi)) return phi;
  const auto [half_turns, sn, cn] = detail::reduce_amplitude(phi);
  const T principal = incomplete_first<T>(sn, cn, sqrt(cn * cn + m.complement * (sn * sn)));
  if (half_turns == T(0)) return principal;
  if (m.complement == T(0)) return phi < T(0) ? -detail::infinity<T>() : detail::infinity<T>();
  using W = Wide<T>;
  return static_cast<T>(W(T(2) * half_turns) * complete_first(m.template to<W>()) + W(principal));
}

/// Pi(phi, n) for any real phi.
template <Scalar T>
T incomplete_third(const T& phi, const T& n, const Modulus<T>& m) {
  if (!isfinite(phi)) return phi;
  const auto [half_turns, sn, cn] = detail::reduce_amplitude(phi);
  const T dn = sqrt(cn * cn + m.complement * (sn * sn));
  const T principal = detail::third_kind<T>(n, sn, cn, dn, m.squared * (sn * sn));
  if (half_turns == T(0)) return principal;
  if (m.complement == T(0)) return phi < T(0) ? -detail::infinity<T>() : detail::infinity<T>();
  using W = Wide<T>;
  return static_cast<T>(W(T(2) * half_turns) * complete_third(W(n), m.template to<W>()) + W(principal));
}

}  // namespace POLHODE_CORE::elliptic

namespace polhode {
namespace elliptic = core::elliptic;
}  // namespace polhode
