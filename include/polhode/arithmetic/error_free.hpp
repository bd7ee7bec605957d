// Error-free transformations: a rounded sum or product together with its exact error [Knu69, Dek71].
//
// Barring overflow and underflow the results are exact, hence the same bits on every IEEE 754 machine: with a
// fused multiply-add the product costs two operations, without it Dekker's splitting gives the same pair.
// (Where the splitting of a huge number overflows, it is done with a smaller one. Below |a b| = 2^-968 or so the error may have no
// double: then it is rounded once, with the fused operation and without.)
#pragma once

#include <cstddef>

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

/// Products below it lose bits of their error to underflow.
inline constexpr double tiny_product = 0x1p-960;

/// The error of a product by Dekker's splitting [Dek71]: wrong where the product is tiny, not finite where a part of it overflows.
constexpr double error_by_splitting(double a, double b, double product) {
  const auto [a_high, a_low] = split(a);
  const auto [b_high, b_low] = split(b);
  return ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low;
}
/// Whether it may be one of these, in one comparison: the difference is zero or not a number.
constexpr bool is_in_doubt(double product, double error) {
  return !(__builtin_fabs(product) + (error - error) >= tiny_product);
}

constexpr bool is_finite_number(double x) { return __builtin_fabs(x) <= 0x1.fffffffffffffp1023; }

/// The error of a product that is in doubt, rounded once, as a fused operation gives it: that of a product without an end is without an
/// end, too.
[[gnu::noinline, gnu::cold]] constexpr double rounded_error_of_product(double a, double b, double product) {
  if (!is_finite_number(product))
    return is_finite_number(a) && is_finite_number(b) ? -product : product - product;
  const bool is_tiny = __builtin_fabs(product) < tiny_product;
  if (is_tiny && product == 0.0)
    return product;  // less than half of the least number is left, of the same sign
  // A tiny product is made larger by the smaller factor, a huge one smaller by the larger.
  const double factor = is_tiny ? 0x1p600 : 0x1p-600;
  if ((__builtin_fabs(a) < __builtin_fabs(b)) == is_tiny)
    a *= factor;
  else
    b *= factor;
  const double scaled = a * b;  // far from underflow: its error is a double
  return (error_by_splitting(a, b, scaled) + (scaled - product * factor)) / factor;
}
constexpr double error_in_doubt(double a, double b, double product) {
  return a == 0.0 || b == 0.0 ? product - product
                              : rounded_error_of_product(a, b, product);  // zeros are frequent
}

/// a b without a fused operation.
constexpr ErrorFree<double> two_product_split(double a, double b) {
  const double product = a * b, error = error_by_splitting(a, b, product);
  if (is_in_doubt(product, error)) [[unlikely]]
    return {product, error_in_doubt(a, b, product)};
  return {product, error};
}

/// Bit i says whether a comparison of doubles holds in lane i of a register.
template <class Lanes, class Mask>
inline unsigned lanes_where(const Mask& holds) {
#if defined(__AVX__)
  if constexpr (sizeof(Lanes) == 32)
    return static_cast<unsigned>(__builtin_ia32_movmskpd256(reinterpret_cast<Lanes>(holds)));
#endif
#if defined(__SSE2__)
  if constexpr (sizeof(Lanes) == 16)
    return static_cast<unsigned>(__builtin_ia32_movmskpd(reinterpret_cast<Lanes>(holds)));
#endif
  unsigned result = 0;
  for (std::size_t i = 0; i < sizeof(Lanes) / sizeof(double); ++i)
    result |= static_cast<unsigned>(holds[i] != 0) << i;
  return result;
}

/// Bit i says whether the error of the product a b in lane i is in doubt, but not of a zero, whose error is zero: of the lanes that are used.
template <class Lanes>
inline unsigned errors_in_doubt(const Lanes& a, const Lanes& b, const Lanes& product, const Lanes& error,
                                unsigned used = ~0U) {
  const Lanes examined = product + (error - error);
  const auto sure = (examined >= tiny_product) | (examined <= -tiny_product);
  used &= (1U << (sizeof(Lanes) / sizeof(double))) - 1;
  if ((~lanes_where<Lanes>(sure) & used) == 0) [[likely]]
    return 0;
  return lanes_where<Lanes>(~sure & (a != 0.0) & (b != 0.0)) & used;
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
    const double error = ((high * high - product) + 2.0 * high * low) + low * low;
    if (is_in_doubt(product, error)) [[unlikely]]
      return {product, error_in_doubt(a, a, product)};
    return {product, error};
  }
}

/// Types wider than double serve as their own reference: their products count as exact.
template <Scalar T>
requires(std::numeric_limits<T>::digits >
         std::numeric_limits<double>::digits) ErrorFree<T> two_product(const T& a, const T& b) {
  return {a * b, T(0)};
}

}  // namespace POLHODE_CORE
