// Jacobi's elliptic functions sn, cn, dn and the amplitude, for any real argument and 0 <= k <= 1.
//
// For k^2 <= 1/2 from the theta functions with the nome q of k, for k^2 > 1/2 from those with the nome q' of k' at an
// imaginary argument: either nome is at most exp(-pi), so that three terms are enough for double, and
// hyperbolic functions take over from the circular ones as k -> 1. Only tan(am) is summed, with the zero of each series
// as a factor; sn, cn and dn follow by positive square roots. Hence sn and dn are right to a few ulps of
// themselves, and cn to a few ulps of dn, which is its scale where it vanishes (cn^2 = dn^2 - k'^2 sn^2).
// The usual recursions (descending Landen, [Bul65]) multiply the argument by a mean with its rounding, which costs a factor
// K in cn and dn as k -> 1; in the form used here the mean is 1 - small and its rounding is carried along.
#pragma once

#include <array>
#include <cmath>
#include <limits>

#include "polhode/arithmetic/double_double_functions.hpp"
#include "polhode/elliptic/legendre.hpp"
#include "polhode/elliptic/modulus.hpp"

namespace POLHODE_CORE::elliptic {

/// sn, cn and dn at one argument.
template <Scalar T>
struct JacobiFunctions {
  T sn;
  T cn;
  T dn;
};

namespace detail {

/// e^-x and 1 - e^-x, both to full relative accuracy, x >= 0.
template <Scalar T>
struct Decay {
  T value;
  T loss;
};

inline Decay<double> decay(double x) {
  if (x < 0.5) {
    const double loss = -std::expm1(-x);
    return {1.0 - loss, loss};
  }
  const double value = std::exp(-x);
  return {value, 1.0 - value};
}

/// For wider types: e^-x = 2^-h e^-r, Taylor's series at r / 128, then seven doublings of the loss, 1 - (1 - l)^2 = l (2 - l).
template <Scalar T>
Decay<T> decay(const T& x) {
  const double size = static_cast<double>(x);
  if (!(size < 1e4)) return {T(0) * x, T(1)};
  const int halvings = static_cast<int>(size * 1.4426950408889634);  // of e^-x
  T rest = x;
  if (halvings > 0) {  // ln 2 in three parts
    rest -= T(halvings) * T(0.6931471805599453);
    rest -= T(halvings) * T(2.3190468138462996e-17);
    rest -= T(halvings) * T(5.707708438416212e-34);
  }
  constexpr int doublings = 7;
  rest /= T(1 << doublings);
  T loss = T(0);
  for (int n = 24; n >= 1; --n) loss = rest / T(n) * (T(1) - loss);
  for (int n = 0; n < doublings; ++n) loss = loss * (T(2) - loss);
  if (halvings <= 0) return {T(1) - loss, loss};
  const T value = ldexp(T(1) - loss, -halvings);
  return {value, T(1) - value};
}

/// A nome q and the amount by which pi/(2K) = 1/theta_3^2 differs from 1.
template <Scalar T>
struct Nome {
  T q;
  T theta_excess;  ///< theta_3(0, q) - 1
  T shrink;        ///< 1 - 1/theta_3^2
};

/// Wider types than double are summed to about 1e-45.
template <Scalar T>
inline constexpr bool is_wide = (std::numeric_limits<T>::digits > 53);
template <Scalar T>
inline constexpr int theta_terms = is_wide<T> ? 5 : 3;

/// The nome of k^2 <= 1/2, where k1 = k' and root = sqrt(k') [WW27 section 21.8; OEIS A002103].
template <Scalar T>
Nome<T> nome(const T& k2, const T& k1, const T& root) {
  constexpr std::array<double, 12> coefficients{1.0,        2.0,         15.0,         150.0,
                                                1707.0,     20910.0,     268616.0,     3567400.0,
                                                48555069.0, 673458874.0, 9481557398.0, 135119529972.0};
  const T e = k2 / (T(2) * (T(1) + k1) * square(T(1) + root));  // (1 - sqrt k') / (2 + 2 sqrt k')
  const T e4 = square(e * e);
  T sum = T(0);
  for (std::size_t n = is_wide<T> ? 12 : 4; n-- > 1;) sum = (sum + T(coefficients[n])) * e4;
  const T q = e + e * sum;
  const T q2 = q * q;
  T tail = q * square(q2 * q2);                                                                // q^9
  if constexpr (is_wide<T>) tail += square(square(q2 * q2)) * (T(1) + q2 * q2 * q2 * q2 * q);  // q^16, q^25
  const T half = q + (square(q2) + tail);        // (theta_3 - 1) / 2
  const T excess = T(4) * half * (T(1) + half);  // theta_3^2 - 1
  return {q, T(2) * half, excess / (T(1) + excess)};
}

/// Two numbers in the ratio sn : cn, the first nonnegative. `inside` says whether the argument was one of the first
/// quarter period, or so little beyond that nothing is lost.
template <Scalar T>
struct AmplitudeRatio {
  T sine;
  T cosine;
  bool inside;
};

/// tan(am) = sqrt(1/k') theta_1(z, q) / theta_2(z, q) with z = u / theta_3^2 [DLMF 22.2.4, 22.2.5, 20.2.1, 20.2.2],
/// for the argument u + rest >= 0.
template <Scalar T>
AmplitudeRatio<T> circular_ratio(const T& u, const T& rest, const Modulus<T>& m) {
  const T k1 = sqrt(m.complement);
  const T root = sqrt(k1);
  const auto [q, theta_excess, shrink] = nome(m.squared, k1, root);
  const auto [z, error] = fast_two_sum<T>(u, -(u * shrink));
  if (!(z < T(1.6))) return {T(0), T(0), false};
  const T correction = error + rest;
  const auto [s0, c0] = sincos(z);
  const T s = s0 + correction * c0;
  const T c = c0 - correction * s0;
  // sin((2n+1)z)/sin z and cos((2n+1)z)/cos z by the recursion that both satisfy.
  const T twice = T(2) - T(4) * (s * s);  // 2 cos 2z
  T sine_old = T(-1), sine_new = T(1), cosine_old = T(1), cosine_new = T(1);
  T sine_sum = T(0), cosine_sum = T(0);
  const T q2 = q * q;
  T power = T(1);  // q^(n(n+1))
  T factor = q2;   // q^(2n)
  for (int n = 1; n <= theta_terms<T>; ++n) {
    power *= factor;
    factor *= q2;
    const T sine_next = twice * sine_new - sine_old;
    const T cosine_next = twice * cosine_new - cosine_old;
    sine_old = sine_new;
    cosine_old = cosine_new;
    sine_new = sine_next;
    cosine_new = cosine_next;
    sine_sum += n % 2 == 1 ? -power * sine_new : power * sine_new;
    cosine_sum += power * cosine_new;
  }
  return {s + s * sine_sum, root * (c + c * cosine_sum), true};
}

/// The sum of (-1)^n q^(n^2) y^n (1 + x + ... + x^(2n)) over n > 0.
template <Scalar T>
T hyperbolic_series(const T& q, const T& x, const T& y) {
  const T q2 = q * q;
  const T x2 = x * x;
  T sum = T(0);
  T power = T(1);       // (-1)^n q^(n^2) y^n
  T factor = -(q * y);  // -q^(2n-1) y
  T pair = x + x2;      // x^(2n-1) + x^(2n)
  T geometric = T(1);
  for (int n = 1; n <= theta_terms<T>; ++n) {
    power *= factor;
    factor *= q2;
    geometric += pair;
    pair *= x2;
    sum += power * geometric;
  }
  return sum;
}

/// The same by Jacobi's imaginary transformation, tan(am(u, k)) = -i sn(iu, k') [DLMF 22.6(iv)]. With the nome
/// q of k', w = u / theta_3(q)^2, x = e^(-2w) and y = q / x, both in [q, 1] up to the quarter period,
///   tan(am) = theta_3 / (1 + q^2 + q^6 + ...) (1 - x) S(x, y) / (2 sqrt(x) (1 - y) S(y, x)),
/// S being 1 + hyperbolic_series: the terms of theta_1 and theta_4 in pairs, which have 1 - x and 1 - y in common.
/// Nothing but 1 - y near the quarter period cancels, and q and x are right to a few ulps there whatever K is.
template <Scalar T>
AmplitudeRatio<T> hyperbolic_ratio(const T& u, const T& rest, const Modulus<T>& m) {
  if (m.complement == T(0)) {  // tan(am) = sinh u; by e^-u, since e^-2u would underflow
    const auto [root, loss] = decay(u);
    return {loss * (T(1) + root), T(2) * root, true};
  }
  const T k = sqrt(m.squared);
  const auto [q, theta_excess, shrink] = nome(m.complement, k, sqrt(k));
  const auto [w, error] = fast_two_sum<T>(u, -(u * shrink));
  const auto [decayed, loss] = decay(w + w);
  const T correction = T(2) * (error + rest) * decayed;
  const T x = decayed - correction;
  const T y = q / x;
  if (!(y < T(1.0625))) return {T(0), T(0), false};
  const T q2 = q * q;
  T tail = q2 + q2 * square(q2);
  if constexpr (is_wide<T>) tail += square(square(q2 * q)) * (T(1) + square(square(q2)));  // q^12, q^20
  const T ratio = (theta_excess - tail) / (T(1) + tail);
  const T series = hyperbolic_series(q, x, y);
  const T cosine = T(2) * (sqrt(x) * (T(1) - y));
  return {loss + (correction + loss * (ratio + (series + ratio * series))),
          cosine + cosine * hyperbolic_series(q, y, x), true};
}

template <Scalar T>
AmplitudeRatio<T> amplitude_ratio(const T& u, const T& rest, const Modulus<T>& m) {
  return m.squared > m.complement ? hyperbolic_ratio(u, rest, m) : circular_ratio(u, rest, m);
}

/// u = 2K half_periods + offset, with tan(am(offset)); u > 0.
template <Scalar T>
struct ReducedArgument {
  T half_periods;
  T sine;
  T cosine;
};

template <Scalar T>
ReducedArgument<T> reduce_argument(const T& u, const Modulus<T>& m) {
  const auto direct = amplitude_ratio(u, T(0), m);
  if (direct.inside) return {T(0), direct.sine, direct.cosine};
  using W = Wide<T>;
  const W period = W(2) * complete_first(m.template to<W>());
  // An argument whose last place is more than a period has no phase; zero is as good as any.
  const T about = floor(u / static_cast<T>(period));
  if (!(about * ScalarTraits<T>::epsilon() < T(1))) return {about, T(0), T(1)};
  const T count = static_cast<T>(floor(W(u) / period + W(0.5)));
  const W offset = W(u) - W(count) * period;
  const W size = offset < W(0) ? -offset : offset;
  const T high = static_cast<T>(size);
  const auto [sine, cosine, inside] = amplitude_ratio(high, static_cast<T>(size - W(high)), m);
  return {count, offset < W(0) ? -sine : sine, cosine};
}

}  // namespace detail

/// sn, cn and dn of u. Odd and even in u to the bit.
template <Scalar T>
JacobiFunctions<T> jacobi(const T& u, const Modulus<T>& m) {
  if (u == T(0)) return {u, T(1), T(1)};
  const T distance = abs(u);
  if (const T sum = distance + m.squared + m.complement; !isfinite(sum)) {
    if (m.complement == T(0) && distance == detail::infinity<T>()) return {sign_of(u), T(0), T(0)};
    const T none = sum - sum;
    return {none, none, none};
  }
  const auto [count, sine, cosine] = detail::reduce_argument(distance, m);
  const T length = sqrt(sine * sine + cosine * cosine);
  const T parity = count - T(2) * floor(count / T(2));
  const T sn = sine / length;
  const T cn = cosine / length;
  const T dn = m.squared <= m.complement ? sqrt(T(1) - m.squared * (sn * sn))
               : m.complement == T(0)    ? cn
                                         : sqrt(cn * cn + m.complement * (sn * sn));
  return {(u < T(0)) != (parity != T(0)) ? -sn : sn, parity != T(0) ? -cn : cn, dn};
}

/// The amplitude of u: sn = sin(am), cn = cos(am), increasing by pi every 2K.
template <Scalar T>
T am(const T& u, const Modulus<T>& m) {
  if (u == T(0)) return u;
  const T distance = abs(u);
  if (const T sum = distance + m.squared + m.complement; !isfinite(sum)) {
    if (m.complement == T(0) && distance == detail::infinity<T>()) return sign_of(u) * pi<T>() / T(2);
    return sum - sum;
  }
  const auto [count, sine, cosine] = detail::reduce_argument(distance, m);
  const T principal = atan2(sine, cosine);
  using W = Wide<T>;
  const T result = count == T(0) ? principal : static_cast<T>(W(count) * pi<W>() + W(principal));
  return u < T(0) ? -result : result;
}

}  // namespace POLHODE_CORE::elliptic

namespace polhode {
namespace elliptic = core::elliptic;
}  // namespace polhode
