// Abel's form of the elliptic functions: S, c and d with
//   S' = c d,  c' = -A S d,  d' = -B S c,   S(0) = 0, c(0) = d(0) = 1,
// so that c^2 = 1 - A S^2 and d^2 = 1 - B S^2 for any A, B >= 0. With lambda^2 = max(A, B) and k^2 = min/max,
// S = sn(lambda t)/lambda. Unlike Jacobi's functions these need no case distinction between A and B, and
// are regular where both are zero.
#pragma once

#include <cmath>

#include "polhode/arithmetic/scalar.hpp"

namespace POLHODE_CORE::elliptic {

/// A, B and A - B. The difference is given on its own since it is the square of the complementary modulus,
/// lambda^2 k'^2, which A and B determine badly near the separatrix A = B.
template <Scalar T>
struct AbelModuli {
  T a;
  T b;
  T difference;
};

template <Scalar T>
struct AbelFunctions {
  T s;
  T c;
  T d;
};

namespace detail {

/// The leading eight bits of a positive number: limits that decide between two ways of computing must not depend on
/// the last bit of a library's function.
inline double rounded_down(double x) {
  int exponent = 0;
  const double fraction = std::frexp(x, &exponent);
  return std::ldexp(std::floor(fraction * 256), exponent - 8);
}

/// The largest lambda^2 t^2 for which abel_series is right to a relative error of 2^-bits.
///
/// The first term that the series leaves out is largest for A = B, where S is tanh(lambda t)/lambda, whose
/// coefficient of t^13 is 21844/6081075.
inline double abel_series_limit(int bits) {
  return rounded_down(std::pow(std::ldexp(278.0, -bits), 1.0 / 6.0));
}

/// 1 - S(t)/t for small t, from e1 = (A + B) t^2 and e2 = A B t^4; what it leaves out is of relative size 2^-bits where
/// lambda^2 t^2 <= abel_series_limit(bits).
template <Arithmetic T>
T abel_series_correction(const T& e1, const T& e2) {
  const T q = e1 * e1;
  const T t5 = q * (T(1) / T(120)) + e2 * (T(1) / T(10));
  const T t7 = e1 * (q * (T(1) / T(5040)) + e2 * (T(132) / T(5040)));
  const T t9 = q * q * (T(1) / T(362880)) + e2 * (q * (T(1224) / T(362880)) + e2 * (T(3024) / T(362880)));
  const T t11 = e1 * (q * (q * (T(1) / T(39916800)) + e2 * (T(11064) / T(39916800))) +
                      e2 * e2 * (T(132624) / T(39916800)));
  return (e1 * (T(1) / T(6)) - (t5 - t7)) - (t9 - t11);
}

/// S, c and d for a small t. Low is the type of the correction 1 - S/t, a number below 1/1000 when 64 bits are wanted:
/// for these double is enough.
template <Scalar Low, Scalar T>
AbelFunctions<T> abel_series(const AbelModuli<T>& m, const T& t) {
  const T x = t * t;
  const Low ax = static_cast<Low>(m.a * x), bx = static_cast<Low>(m.b * x);
  const T s = t - t * T(abel_series_correction<Low>(ax + bx, ax * bx));
  const T s2 = s * s;
  return {s, sqrt(T(1) - m.a * s2), sqrt(T(1) - m.b * s2)};
}

/// The functions at 2 t from those at t.
///
/// The usual numerators c^2 - A S^2 d^2 and 1 - A B S^4 are written as sums that keep their
/// relative accuracy as c and d go to zero together; only the true zeros of c and d cancel.
template <Scalar T>
AbelFunctions<T> abel_double(const AbelModuli<T>& m, const AbelFunctions<T>& f) {
  const T s2 = f.s * f.s;
  const T cd = f.c * f.d;
  const T cd2 = cd * cd;
  const T gap = m.difference * s2;
  const T inverse = T(1) / (f.c * f.c + m.a * s2 * (f.d * f.d));  // 1 / (1 - A B S^4)
  return {T(2) * f.s * cd * inverse, (cd2 - gap) * inverse, (cd2 + gap) * inverse};
}

/// The limit of the arithmetic-geometric mean; b = 0 gives 0.
template <Scalar T>
T arithmetic_geometric_mean(T a, T b) {
  if (b == T(0) || a == T(0)) return T(0);
  const T enough = sqrt(ScalarTraits<T>::epsilon());
  for (int i = 0; i < 64; ++i) {  // ten iterations are many; the bound is for NaN
    const T mean = (a + b) / T(2);
    const T gap = abs(a - b);
    b = sqrt(a * b);
    a = mean;
    if (!(gap > enough * mean)) break;
  }
  return (a + b) / T(2);
}

/// Half the period of S: S(t + P) = -S(t); infinite (a quotient by zero) on the separatrix and where A = B = 0.
template <Scalar T>
T abel_half_period(const AbelModuli<T>& m) {
  const T larger = m.a < m.b ? m.b : m.a;
  return pi<T>() / arithmetic_geometric_mean(sqrt(larger), sqrt(abs(m.difference)));
}

}  // namespace detail

/// S, c and d for any t, by reduction modulo the period, halving and doubling, in Wide<T>. The smaller of A and B and the
/// difference are taken as exact; the larger one is their sum.
template <Scalar T>
AbelFunctions<T> abel(const AbelModuli<T>& moduli, const T& argument) {
  using W = Wide<T>;
  AbelModuli<W> m{W(moduli.a), W(moduli.b), W(moduli.difference)};
  const bool first_is_larger = !(moduli.difference < T(0));
  if (first_is_larger) {
    m.a = m.b + abs(m.difference);
  } else {
    m.b = m.a + abs(m.difference);
  }
  const W larger = first_is_larger ? m.a : m.b;
  W t(argument);
  if (larger == W(0)) return {argument, T(1), T(1)};
  if (m.difference == W(0) && sqrt(larger) * abs(t) > W(350)) {  // the separatrix: at rest to the last digit
    return {static_cast<T>(sign_of(t) / sqrt(larger)), T(0), T(0)};
  }
  bool odd = false;
  if (larger * t * t > W(2) && !(m.difference == W(0))) {
    const W half_period = detail::abel_half_period(m);
    const W count = floor(t / half_period + W(0.5));
    t -= count * half_period;
    odd = !(floor(count / W(2)) * W(2) == count);
  }
  int doublings = 0;
  const W limit = W(detail::abel_series_limit(std::numeric_limits<T>::digits + 10));
  while (larger * t * t > limit) {
    t /= W(2);
    ++doublings;
  }
  AbelFunctions<W> f = detail::abel_series<W>(m, t);
  for (; doublings > 0; --doublings) f = detail::abel_double(m, f);
  if (odd) {
    f.s = -f.s;
    (first_is_larger ? f.c : f.d) *=
        W(-1);  // the one that plays cn; the other, dn, has the half period as its period
  }
  return {static_cast<T>(f.s), static_cast<T>(f.c), static_cast<T>(f.d)};
}

}  // namespace POLHODE_CORE::elliptic

namespace polhode {
namespace elliptic = core::elliptic;
}  // namespace polhode
