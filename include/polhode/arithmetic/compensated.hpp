// Compensated summation of increments, as the papers use it.
#pragma once

#include <concepts>

#include "polhode/arithmetic/error_free.hpp"

namespace POLHODE_CORE {

/// Whether a sum of increments carries its rounding errors along.
enum class Summation { plain, compensated };

/// What a motion has unless it is told otherwise. Float is for speed alone.
template <class T>
inline constexpr Summation usual_summation =
    std::same_as<T, float> ? Summation::plain : Summation::compensated;

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

  /// An increment given with its own error, added without any loss but that of the error's last bit: the
  /// pair is a sum in twice the precision. In the recursion above the increment is rounded when it meets the
  /// error, which leaves eps |increment| a step.
  constexpr void add(const ErrorFree<T>& increment) {
    const auto [sum, rest] = two_sum(value, increment.value);
    const auto [high, low] = fast_two_sum(sum, rest + (error + increment.error));
    value = high;
    error = low;
  }
};

}  // namespace POLHODE_CORE

namespace polhode {
using core::Summation;
}  // namespace polhode
