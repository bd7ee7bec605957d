// Pairs of numbers that stand for their sum, without the renormalisation of DoubleDouble: for a few operations in a row, where the
// second number may stay larger than the last place of the first.
#pragma once

#include "polhode/arithmetic/error_free.hpp"

namespace POLHODE_CORE::loose {

template <class T>
[[gnu::always_inline]] inline ErrorFree<T> sum(const ErrorFree<T>& a, const ErrorFree<T>& b) {
  const auto [value, error] = two_sum(a.value, b.value);
  return {value, error + (a.error + b.error)};
}

template <class T>
[[gnu::always_inline]] inline ErrorFree<T> difference(const ErrorFree<T>& a, const ErrorFree<T>& b) {
  const auto [value, error] = two_sum(a.value, T{} - b.value);
  return {value, error + (a.error - b.error)};
}

template <class T>
[[gnu::always_inline]] inline ErrorFree<T> product(const ErrorFree<T>& a, const ErrorFree<T>& b) {
  const auto [value, error] = two_product(a.value, b.value);
  return {value, error + (a.value * b.error + a.error * b.value)};
}

template <class T>
[[gnu::always_inline]] inline ErrorFree<T> square(const ErrorFree<T>& a) {
  const auto [value, error] = two_product(a.value, a.value);
  return {value, error + (a.value + a.value) * a.error};
}

/// By a number that is 1/b, up to its rounding.
template <class T>
[[gnu::always_inline]] inline ErrorFree<T> quotient(const ErrorFree<T>& a, const ErrorFree<T>& b,
                                                    const T& over_b) {
  const T value = a.value * over_b;
  const auto [back, error] = two_product(value, b.value);
  return {value, (((a.value - back) - error) + (a.error - value * b.error)) * over_b};
}

/// Of a pair above zero.
template <class T>
[[gnu::always_inline]] inline ErrorFree<T> root(const ErrorFree<T>& a) {
  const T value = sqrt(a.value);
  const auto [back, error] = two_product(value, value);
  return {value, (((a.value - back) - error) + a.error) / (value + value)};
}

}  // namespace POLHODE_CORE::loose
