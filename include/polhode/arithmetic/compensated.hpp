// Compensated summation of increments, as the papers use it.
#pragma once

#include "polhode/arithmetic/error_free.hpp"

namespace polhode {

/// A sum whose rounding errors are carried along: value + error is what it stands for.
template <class T>
struct Compensated {
  T value{};
  T error{};

  /// Kahan's and Moller's recursion [Kah65, Mol65], three additions, as in [Vil08 section 5]. The
  /// error is exact while the increment is smaller than the sum; where the sum passes through zero a part of
  /// the increment's last bit is lost.
  constexpr void add(const T& increment) {
    error += increment;
    const T old = value;
    value = old + error;
    error += old - value;
  }

  /// The same with Knuth's sum: value + error takes up the rounded error + increment exactly, whatever the
  /// sizes, also where the sum passes through zero.
  constexpr void add_exactly(const T& increment) {
    const auto [sum, rest] = two_sum(value, error + increment);
    value = sum;
    error = rest;
  }
};

}  // namespace polhode
