// Carlson's symmetric elliptic integrals by his duplication theorem [Car95], with the series to degree seven
// [DLMF 19.36.1, 19.36.2].
//
// Arguments are nonnegative, at most one of x, y, z being zero; p > 0. Every intermediate quantity is a sum of
// positive terms, so the results are right to a few ulps however different the arguments are: from 1e-300 to
// 1e300 nothing overflows before the result does. Products of roots are taken instead of roots of products for
// this reason. Where an integral diverges the result is infinite; NaN in gives NaN out.
#pragma once

#include <concepts>
#include <limits>

#include "polhode/arithmetic/double_double.hpp"

namespace POLHODE_CORE::elliptic {

namespace detail {

/// Every duplication shrinks the spread of the arguments by 4, and takes the root of a huge ratio before: 25 are
/// enough for double and 40 for quadruple precision. Only a divergent integral reaches the bound.
inline constexpr int most_duplications = 100;

/// The relative spread of the arguments below which the terms of degree eight, at most `factor` times its eighth
/// power, are beyond the last place.
template <Scalar T>
T series_radius(double factor) {
  return sqrt(sqrt(sqrt(ScalarTraits<T>::epsilon() * T(0.25 / factor))));
}

template <Scalar T>
T largest(const T& a, const T& b) {
  return a < b ? b : a;
}

template <Scalar T>
T smallest(const T& a, const T& b) {
  return b < a ? b : a;
}

template <Scalar T>
T infinity() {
  return T(std::numeric_limits<T>::infinity());
}

// The deviations of the last arguments from their mean are nearly exact differences. Their sum, which the series take
// as zero, is therefore the rounding error of the mean: its first order is `residual` below, and undoes that error.

/// The series of R_F in the symmetric functions of the relative deviations [DLMF 19.36.1], over a common denominator.
template <Scalar T>
T series_first(const T& x, const T& y, const T& residual) {
  const T z = -(x + y);
  const T e2 = x * y - z * z;
  const T e3 = x * y * z;
  const T tail = e3 * (T(6930) * e3 + e2 * (T(15015) * e2 - T(16380)) + T(17160)) +
                 e2 * ((T(10010) - T(5775) * e2) * e2 - T(24024));
  return T(1) + (tail / T(240240) + residual / T(6));
}

/// The series that R_J and R_D share [DLMF 19.36.2].
template <Scalar T>
T series_third(const T& e2, const T& e3, const T& e4, const T& e5, const T& residual) {
  const T tail = (T(471240) - T(540540) * e2) * e5 + (T(612612) * e2 - T(540540) * e3 - T(556920)) * e4 +
                 e3 * (T(306306) * e3 + e2 * (T(675675) * e2 - T(706860)) + T(680680)) +
                 e2 * ((T(417690) - T(255255) * e2) * e2 - T(875160));
  return T(1) + (tail / T(4084080) + residual * T(3) / T(10));
}

}  // namespace detail

/// R_F(x, y, z), half the integral of ((t + x)(t + y)(t + z))^(-1/2) over t > 0.
template <Scalar T>
T rf(T x, T y, T z) {
  const T radius = detail::series_radius<T>(0.25);
  for (int n = 0; n < detail::most_duplications; ++n) {
    const T mean = (x + y + z) / T(3);
    const T dx = mean - x;
    const T dy = mean - y;
    const T dz = mean - z;
    if (!(detail::largest(abs(dx), detail::largest(abs(dy), abs(dz))) > radius * mean))
      return detail::series_first<T>(dx / mean, dy / mean, (dx + dy + dz) / mean) / sqrt(mean);
    const T rx = sqrt(x);
    const T ry = sqrt(y);
    const T rz = sqrt(z);
    const T lambda = rx * ry + rx * rz + ry * rz;
    x = (x + lambda) / T(4);
    y = (y + lambda) / T(4);
    z = (z + lambda) / T(4);
  }
  return detail::infinity<T>();
}

/// R_C(x, y) = R_F(x, y, y); the principal value where y < 0 [DLMF 19.2.20].
template <Scalar T>
T rc(T x, T y) {
  T factor = T(1);
  if (y < T(0)) {
    factor = sqrt(x) / sqrt(x - y);
    x -= y;
    y = -y;
  }
  const T radius = detail::series_radius<T>(4.0);
  for (int n = 0; n < detail::most_duplications; ++n) {
    const T mean = (x + y + y) / T(3);
    const T deviation = y - mean;
    if (!(abs(deviation) > radius * mean)) {
      const T s = deviation / mean;  // [Car95]
      const T tail =
          s * s *
          (T(24024) + s * (T(11440) + s * (T(30030) + s * (T(32760) + s * (T(61215) + s * T(90090))))));
      const T residual = ((mean - x) - T(2) * deviation) / mean;
      return factor * (T(1) + (tail / T(80080) + residual / T(6))) / sqrt(mean);
    }
    const T lambda = T(2) * sqrt(x) * sqrt(y) + y;
    x = (x + lambda) / T(4);
    y = (y + lambda) / T(4);
  }
  return detail::infinity<T>();
}

namespace detail {

/// R_C(1, y): near y = 1 the sum of (1 - y)^n / (2n + 1), as many terms as needed, else duplication.
template <Scalar T>
T rc_from_one(const T& y) {
  const T x = T(1) - y;
  if (!(abs(x) < T(0.0625))) return rc(T(1), y);
  constexpr int digits = std::numeric_limits<T>::digits;
  const int terms = abs(x) < T(0x1p-10) ? digits / 10 : digits / 4;
  T sum = T(0);
  for (int n = terms; n >= 0; --n) sum = T(1) / T(2 * n + 1) + x * sum;
  return sum;
}

/// From this ratio of the arguments on R_J and R_D take a way of their own.
inline constexpr double far = 0x1p20;

/// Arguments that need many duplications: R_J and R_D then collect a rounding error from each, up to 11 ulps, and are
/// computed in the wide type instead. One small x is not meant: it takes the size of the others in one step.
template <Scalar T>
bool far_apart(const T& x, const T& y, const T& z, const T& p) {
  if constexpr (std::same_as<T, Wide<T>>) {
    return false;
  } else {
    const T low = smallest(x, y);
    const T high = largest(x, y);
    const T median = smallest(high, largest(low, z));
    return largest(largest(high, z), p) > T(far) * smallest(median, p);
  }
}

template <Scalar T>
struct FirstAndThird {
  T first;
  T third;
};

template <Scalar T>
FirstAndThird<T> first_and_third(T x, T y, T z, T p);

/// The same where p is far above x, y and z: p is no part of lambda and would only fall by a factor 4 at a time. The
/// change of parameter p -> q about the largest of them [DLMF 19.21.12] leaves R_F and two small corrections.
template <Scalar T>
FirstAndThird<T> first_and_third_of_large(const T& x, const T& y, const T& z, const T& p) {
  const T top = largest(largest(x, y), z);
  const T low = smallest(smallest(x, y), z);
  const T middle = smallest(largest(x, y), largest(smallest(x, y), z));
  if (top < ScalarTraits<T>::epsilon() * p) {  // q = top, and R_J of it is below the last place
    const T alone = rf<T>(x, y, z);
    return {alone, T(3) * (alone - rc<T>(low * (middle / top), p)) / (p - top)};
  }
  if (top < T(0x1p-600)) {  // R_J(q) might overflow where its product with q - top does not
    const T s = T(0x1p600);
    const auto scaled = first_and_third_of_large<T>(x * s, y * s, z * s, p * s);
    return {scaled.first * T(0x1p300), scaled.third * T(0x1p900)};
  }
  const T shift = (top - low) * ((top - middle) / (p - top));  // q - top
  const auto [first, third] = first_and_third<T>(x, y, z, top + shift);
  const T circular = rc<T>(low * (middle / top), p * ((top + shift) / top));
  return {first, T(3) * (first - (circular + shift * third / T(3))) / (p - top)};
}

/// R_F(x, y, z) and R_J(x, y, z, p) for p > 0: the duplications of the two have their roots in common.
///
/// [Car95; DLMF 19.36(i)] adds R_C(1, 1 + e_n) with e_n from differences, which loses everything where e_n -> -1
/// (small p). Here with alpha = (p (sqrt x + sqrt y + sqrt z) + sqrt(xyz))^2, beta = p (p + lambda)^2 of the theorem
/// [DLMF 19.26(iii)]: d_n = sqrt alpha + sqrt beta and 1 + e_n = 2 sqrt beta / d_n, without any difference.
template <Scalar T>
FirstAndThird<T> first_and_third(T x, T y, T z, T p) {
  if (p > T(far) * largest(largest(x, y), z)) return first_and_third_of_large(x, y, z, p);
  if (far_apart(x, y, z, p)) {
    using W = Wide<T>;
    const auto [first, third] = first_and_third<W>(W(x), W(y), W(z), W(p));
    return {static_cast<T>(first), static_cast<T>(third)};
  }
  const T radius = series_radius<T>(4.0);
  T power = T(1);  // 4^-n
  T sum = T(0);
  for (int n = 0; n < most_duplications; ++n) {
    const T mean = (x + y + z + (p + p)) / T(5);
    const T dx = mean - x;
    const T dy = mean - y;
    const T dz = mean - z;
    const T spread = largest(largest(abs(dx), abs(dy)), largest(abs(dz), abs(mean - p)));
    if (!(spread > radius * mean)) {
      const T a = dx / mean;
      const T b = dy / mean;
      const T c = dz / mean;
      const T d = -(a + b + c) / T(2);
      const T abc = a * b * c;
      const T e2 = a * b + a * c + b * c - T(3) * d * d;
      const T e3 = abc + T(2) * e2 * d + T(4) * d * d * d;
      const T e4 = (T(2) * abc + e2 * d + T(3) * d * d * d) * d;
      const T e5 = abc * d * d;
      const T residual = (dx + dy + dz + T(2) * (mean - p)) / mean;
      const T third = power * series_third<T>(e2, e3, e4, e5, residual) / mean / sqrt(mean) + T(6) * sum;
      const T mean3 = (x + y + z) / T(3);
      const T ux = mean3 - x;
      const T uy = mean3 - y;
      const T first = series_first<T>(ux / mean3, uy / mean3, (ux + uy + (mean3 - z)) / mean3) / sqrt(mean3);
      return {first, third};
    }
    const T rx = sqrt(x);
    const T ry = sqrt(y);
    const T rz = sqrt(z);
    const T rp = sqrt(p);
    const T lambda = rx * ry + rx * rz + ry * rz;
    // The factors of d_n in two groups, because their product may overflow where the quotient does not.
    const T px = rp + rx;
    const T pyz = (rp + ry) * (rp + rz);
    sum += power * rc_from_one<T>(T(2) * (rp / px) * ((p + lambda) / pyz)) / px / pyz;
    power /= T(4);
    x = (x + lambda) / T(4);
    y = (y + lambda) / T(4);
    z = (z + lambda) / T(4);
    p = (p + lambda) / T(4);
  }
  return {infinity<T>(), infinity<T>()};
}

}  // namespace detail

/// R_J(x, y, z, p) for p > 0, three halves of the integral of ((t + x)(t + y)(t + z))^(-1/2) / (t + p) over t > 0.
template <Scalar T>
T rj(const T& x, const T& y, const T& z, const T& p) {
  return detail::first_and_third(x, y, z, p).third;
}

/// R_D(x, y, z) = R_J(x, y, z, z); z > 0.
template <Scalar T>
T rd(T x, T y, T z) {
  if (detail::far_apart(x, y, z, z)) return static_cast<T>(rd<Wide<T>>(Wide<T>(x), Wide<T>(y), Wide<T>(z)));
  const T radius = detail::series_radius<T>(4.0);
  T power = T(1);
  T sum = T(0);
  for (int n = 0; n < detail::most_duplications; ++n) {
    const T mean = (x + y + T(3) * z) / T(5);
    const T dx = mean - x;
    const T dy = mean - y;
    const T dz = mean - z;
    if (!(detail::largest(abs(dx), detail::largest(abs(dy), abs(dz))) > radius * mean)) {
      const T a = dx / mean;
      const T b = dy / mean;
      const T c = -(a + b) / T(3);
      const T ab = a * b;
      const T c2 = c * c;
      const T residual = (dx + dy + T(3) * dz) / mean;
      const T series = detail::series_third<T>(ab - T(6) * c2, (T(3) * ab - T(8) * c2) * c,
                                               T(3) * (ab - c2) * c2, ab * c2 * c, residual);
      return power * series / mean / sqrt(mean) + T(3) * sum;
    }
    const T rx = sqrt(x);
    const T ry = sqrt(y);
    const T rz = sqrt(z);
    const T lambda = rx * ry + rx * rz + ry * rz;
    sum += power / rz / (z + lambda);
    power /= T(4);
    x = (x + lambda) / T(4);
    y = (y + lambda) / T(4);
    z = (z + lambda) / T(4);
  }
  return detail::infinity<T>();
}

}  // namespace POLHODE_CORE::elliptic

namespace polhode {
namespace elliptic = core::elliptic;
}  // namespace polhode
