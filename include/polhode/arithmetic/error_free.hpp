// Error-free transformations: a rounded sum or product together with its exact error [Knu69, Dek71].
//
// Barring overflow and underflow the results are exact, hence the same bits on every IEEE 754 machine: with a
// fused multiply-add the product costs two operations, without it Dekker's splitting gives the same pair.
// (The splitting needs |a|, |b| < 2^995; both need |a b| > 2^-968 or so for the error to be representable.)
#pragma once

#include "polhode/arithmetic/scalar.hpp"

namespace POLHODE_CORE {

#if defined(__FMA__) || defined(__FP_FAST_FMA) || defined(__ARM_FEATURE_FMA)
inline constexpr bool has_fast_fma = true;
#else
inline constexpr bool has_fast_fma = false;
#endif

/// value + error equals the exact result; value is the rounded one.
template <class T>
struct ErrorFree {
  T value;
  T error;
};

/// a + b for any a and b [Knu69].
template <class T>
constexpr ErrorFree<T> two_sum(const T& a, const T& b) {
  const T sum = a + b;
  const T b_part = sum - a;
  const T a_part = sum - b_part;
  return {sum, (a - a_part) + (b - b_part)};
}

/// a + b where |a| >= |b| or a = 0 [Dek71].
template <class T>
constexpr ErrorFree<T> fast_two_sum(const T& a, const T& b) {
  const T sum = a + b;
  return {sum, b - (sum - a)};
}

/// A double as the sum of two numbers of at most 26 bits each.
constexpr ErrorFree<double> split(double a) {
  const double scaled = 134217729.0 * a;  // 2^27 + 1
  const double high = scaled - (scaled - a);
  return {high, a - high};
}

/// a b by Dekker's splitting: no fused operation needed [Dek71].
constexpr ErrorFree<double> two_product_split(double a, double b) {
  const double product = a * b;
  const auto [a_high, a_low] = split(a);
  const auto [b_high, b_low] = split(b);
  return {product, ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low};
}

/// a b for any a and b.
inline ErrorFree<double> two_product(double a, double b) {
  if constexpr (has_fast_fma) {
    const double product = a * b;
    return {product, __builtin_fma(a, b, -product)};
  } else {
    return two_product_split(a, b);
  }
}

/// a^2: the splitting is shared where there is no fused operation.
inline ErrorFree<double> two_square(double a) {
  if constexpr (has_fast_fma) {
    return two_product(a, a);
  } else {
    const double product = a * a;
    const auto [high, low] = split(a);
    return {product, ((high * high - product) + 2.0 * high * low) + low * low};
  }
}

/// Types wider than double serve as their own reference: their products count as exact.
template <Scalar T>
requires(std::numeric_limits<T>::digits >
         std::numeric_limits<double>::digits) ErrorFree<T> two_product(const T& a, const T& b) {
  return {a * b, T(0)};
}

}  // namespace POLHODE_CORE
