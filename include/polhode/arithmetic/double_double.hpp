// DoubleDouble: the unevaluated sum of two doubles, about 106 bits, in algorithms whose relative error bounds are
// proved, where nothing overflows or underflows (u = 2^-53, terms of u^3 left out): 3 u^2 for a sum [JMP17, algorithm
// 6], 5 u^2 for a product [JMP17, algorithm 10, with the bound of MR22], 25/8 u^2 for a square root [LLMPR23].
// The quotient corrects that of the high parts, which is wrong by 3 u at most, by a residual that is wrong by 3 u^2
// and is divided with an error of 3 u: 12 u^2 (the worst seen is 9.3 u^2). A double as the second operand makes it
// 2 u^2, 3 u^2 and 3 u^2 for sum, product and quotient [JMP17, algorithms 4, 8 and 15].
//
// An infinity or an overflow ends as a NaN, because its error is one; so does a division by zero. The sign of a zero
// is not kept by sums.
#pragma once

#include <compare>
#include <cstdint>

#include "polhode/arithmetic/error_free.hpp"

namespace POLHODE_CORE {

class DoubleDouble {
 public:
  constexpr DoubleDouble() = default;
  // Implicit: a double or a small integer is a DoubleDouble without loss, and formulas mix them freely.
  constexpr DoubleDouble(double value) : high_(value) {}  // NOLINT(google-explicit-constructor)
  constexpr DoubleDouble(int value) : high_(value) {}     // NOLINT(google-explicit-constructor)
  /// high + low, where the sum is already rounded: high = fl(high + low).
  constexpr DoubleDouble(double high, double low) : high_(high), low_(low) {}
  /// The exact sum of two doubles in any order.
  static constexpr DoubleDouble sum(double a, double b) {
    const auto [value, error] = two_sum(a, b);
    return {value, error};
  }
  /// The exact product of two doubles.
  static DoubleDouble product(double a, double b) {
    const auto [value, error] = two_product(a, b);
    return {value, error};
  }

  constexpr double high() const { return high_; }
  constexpr double low() const { return low_; }
  explicit constexpr operator double() const { return high_; }

  friend constexpr DoubleDouble operator-(const DoubleDouble& a) { return {-a.high_, -a.low_}; }
  friend constexpr DoubleDouble operator+(const DoubleDouble& a, const DoubleDouble& b) {
    const auto [high, high_error] = two_sum(a.high_, b.high_);
    const auto [low, low_error] = two_sum(a.low_, b.low_);
    const auto [value, rest] = fast_two_sum(high, high_error + low);
    return renormalized(value, rest + low_error);
  }
  friend constexpr DoubleDouble operator+(const DoubleDouble& a, double b) {
    const auto [high, error] = two_sum(a.high_, b);
    return renormalized(high, error + a.low_);
  }
  friend constexpr DoubleDouble operator+(double a, const DoubleDouble& b) { return b + a; }
  friend constexpr DoubleDouble operator-(const DoubleDouble& a, const DoubleDouble& b) { return a + (-b); }
  friend constexpr DoubleDouble operator-(const DoubleDouble& a, double b) { return a + (-b); }
  friend constexpr DoubleDouble operator-(double a, const DoubleDouble& b) { return (-b) + a; }
  friend DoubleDouble operator*(const DoubleDouble& a, const DoubleDouble& b) {
    const auto [high, error] = two_product(a.high_, b.high_);
    return renormalized(high, error + (a.high_ * b.low_ + a.low_ * b.high_));
  }
  friend DoubleDouble operator*(const DoubleDouble& a, double b) {
    const auto [high, error] = two_product(a.high_, b);
    return renormalized(high, error + a.low_ * b);
  }
  friend DoubleDouble operator*(double a, const DoubleDouble& b) { return b * a; }
  friend DoubleDouble operator/(const DoubleDouble& a, const DoubleDouble& b) {
    const double quotient = a.high_ / b.high_;
    const DoubleDouble rest = a - b * quotient;
    return renormalized(quotient, rest.high_ / b.high_);
  }
  friend DoubleDouble operator/(const DoubleDouble& a, double b) {
    const double quotient = a.high_ / b;
    const auto [product, error] = two_product(quotient, b);
    const double rest = ((a.high_ - product) - error) + a.low_;
    return renormalized(quotient, rest / b);
  }
  friend DoubleDouble operator/(double a, const DoubleDouble& b) { return DoubleDouble(a) / b; }

  DoubleDouble& operator+=(const DoubleDouble& b) { return *this = *this + b; }
  DoubleDouble& operator-=(const DoubleDouble& b) { return *this = *this - b; }
  DoubleDouble& operator*=(const DoubleDouble& b) { return *this = *this * b; }
  DoubleDouble& operator/=(const DoubleDouble& b) { return *this = *this / b; }

  friend constexpr bool operator==(const DoubleDouble& a, const DoubleDouble& b) {
    return a.high_ == b.high_ && a.low_ == b.low_;
  }
  friend constexpr std::partial_ordering operator<=>(const DoubleDouble& a, const DoubleDouble& b) {
    const auto order = a.high_ <=> b.high_;
    return order == 0 ? a.low_ <=> b.low_ : order;
  }

 private:
  static constexpr DoubleDouble renormalized(double high, double low) {
    const auto [value, error] = fast_two_sum(high, low);
    return {value, error};
  }

  double high_ = 0.0;
  double low_ = 0.0;
};

template <>
struct ScalarTraits<double> {
  using Wide = DoubleDouble;
  static constexpr double epsilon() { return 0x1p-52; }
};

template <>
struct ScalarTraits<DoubleDouble> {
  using Wide = DoubleDouble;
  static constexpr DoubleDouble epsilon() { return 0x1p-104; }
};

inline DoubleDouble sqrt(const DoubleDouble& a) {
  const double root = std::sqrt(a.high());
  if (!(root > 0.0) || !std::isfinite(root)) return root;  // 0, infinity, or NaN of a negative number
  const auto [squared, error] = two_square(root);
  const double rest = ((a.high() - squared) - error) + a.low();
  const auto [value, low] = fast_two_sum(root, rest / (2.0 * root));
  return {value, low};
}

constexpr DoubleDouble abs(const DoubleDouble& a) { return a < DoubleDouble(0.0) ? -a : a; }

inline bool isfinite(const DoubleDouble& a) { return std::isfinite(a.high()); }

inline DoubleDouble ldexp(const DoubleDouble& a, int power) {
  return {std::ldexp(a.high(), power), std::ldexp(a.low(), power)};
}

inline DoubleDouble floor(const DoubleDouble& a) {
  const double high = std::floor(a.high());
  if (high != a.high()) return high;
  return DoubleDouble::sum(high, std::floor(a.low()));
}

}  // namespace POLHODE_CORE

template <>
class std::numeric_limits<polhode::core::DoubleDouble> : public std::numeric_limits<double> {
 public:
  static constexpr bool is_iec559 = false;
  static constexpr int digits = 104;
  static constexpr int digits10 = 31;
  static constexpr int max_digits10 = 33;
  static constexpr polhode::core::DoubleDouble epsilon() { return 0x1p-104; }
};

namespace polhode {
using core::DoubleDouble;
}  // namespace polhode
