// Integers and fractions without rounding, for the coefficients of methods; they serve the compiler as well as the program.
#pragma once

#include <array>
#include <charconv>
#include <compare>
#include <cstdint>
#include <string>

#include "polhode/error.hpp"

namespace POLHODE_CORE {

/// 127 bits and a sign. What does not fit is an error, at compile time too, never a wrong number.
class ExactInteger {
 public:
  __extension__ typedef __int128 Storage;

  constexpr ExactInteger() = default;
  // Implicit: small integers enter formulas as numbers.
  constexpr ExactInteger(std::int64_t value) : value_(value) {}  // NOLINT(google-explicit-constructor)

  friend constexpr ExactInteger operator-(const ExactInteger& a) { return ExactInteger(0) - a; }
  friend constexpr ExactInteger operator+(const ExactInteger& a, const ExactInteger& b) {
    ExactInteger result;
    if (__builtin_add_overflow(a.value_, b.value_, &result.value_)) too_large();
    return result;
  }
  friend constexpr ExactInteger operator-(const ExactInteger& a, const ExactInteger& b) {
    ExactInteger result;
    if (__builtin_sub_overflow(a.value_, b.value_, &result.value_)) too_large();
    return result;
  }
  friend constexpr ExactInteger operator*(const ExactInteger& a, const ExactInteger& b) {
    ExactInteger result;
    if (__builtin_mul_overflow(a.value_, b.value_, &result.value_)) too_large();
    return result;
  }
  /// Rounded towards zero.
  friend constexpr ExactInteger operator/(const ExactInteger& a, const ExactInteger& b) {
    ExactInteger result;
    result.value_ = a.value_ / b.value_;
    return result;
  }
  constexpr ExactInteger& operator+=(const ExactInteger& b) { return *this = *this + b; }
  constexpr ExactInteger& operator-=(const ExactInteger& b) { return *this = *this - b; }
  constexpr ExactInteger& operator*=(const ExactInteger& b) { return *this = *this * b; }
  friend constexpr auto operator<=>(const ExactInteger&, const ExactInteger&) = default;

  friend constexpr ExactInteger gcd(ExactInteger a, ExactInteger b) {
    while (b.value_ != 0) {
      ExactInteger rest;
      rest.value_ = a.value_ % b.value_;
      a = b;
      b = rest;
    }
    return a.value_ < 0 ? -a : a;
  }

  /// As an integer that a double holds exactly, so that no coefficient is rounded.
  constexpr std::int64_t exact_in_double() const {
    constexpr Storage limit = std::int64_t{1} << 53;
    if (value_ > limit || value_ < -limit) too_large();
    return static_cast<std::int64_t>(value_);
  }

 private:
  [[noreturn]] static void too_large() {
    throw InputError(
        "the coefficients of the method have too many digits: give the roots with fewer decimals");
  }

  Storage value_ = 0;
};

constexpr ExactInteger lcm(const ExactInteger& a, const ExactInteger& b) { return a / gcd(a, b) * b; }

/// A fraction in lowest terms with a positive denominator.
class Fraction {
 public:
  constexpr Fraction() = default;
  // Implicit: integers are fractions.
  constexpr Fraction(std::int64_t value) : numerator_(value) {}  // NOLINT(google-explicit-constructor)
  constexpr Fraction(const ExactInteger& numerator, const ExactInteger& denominator) {
    if (denominator == 0) throw InputError("a fraction with the denominator 0");
    const ExactInteger common = denominator < 0 ? -gcd(numerator, denominator) : gcd(numerator, denominator);
    numerator_ = numerator / common;
    denominator_ = denominator / common;
  }
  /// The decimal number that a person wrote to get this double: the shortest that reads back to it, -0.8 as -4/5.
  static Fraction decimal(double value);

  constexpr const ExactInteger& numerator() const { return numerator_; }
  constexpr const ExactInteger& denominator() const { return denominator_; }

  friend constexpr Fraction operator+(const Fraction& a, const Fraction& b) {
    const ExactInteger common = lcm(a.denominator_, b.denominator_);
    return {a.numerator_ * (common / a.denominator_) + b.numerator_ * (common / b.denominator_), common};
  }
  friend constexpr Fraction operator-(const Fraction& a, const Fraction& b) {
    return a + Fraction(-b.numerator_, b.denominator_);
  }
  friend constexpr Fraction operator*(const Fraction& a, const Fraction& b) {
    const Fraction left(a.numerator_, b.denominator_),
        right(b.numerator_, a.denominator_);  // small before large
    return {left.numerator_ * right.numerator_, left.denominator_ * right.denominator_};
  }
  constexpr Fraction& operator+=(const Fraction& b) { return *this = *this + b; }
  constexpr Fraction& operator-=(const Fraction& b) { return *this = *this - b; }
  friend constexpr bool operator==(const Fraction&, const Fraction&) = default;
  friend constexpr bool operator<(const Fraction& a, const Fraction& b) { return (a - b).numerator_ < 0; }

 private:
  ExactInteger numerator_ = 0;
  ExactInteger denominator_ = 1;
};

inline Fraction Fraction::decimal(double value) {
  std::array<char, 64> text{};
  const auto result = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
  if (result.ec != std::errc{} || !(value - value == 0.0))
    throw InputError("a coefficient is not a number of moderate size");
  ExactInteger numerator = 0, denominator = 1;
  bool negative = false, after_point = false;
  for (const char* c = text.data(); c != result.ptr; ++c) {
    if (*c == '-') {
      negative = true;
    } else if (*c == '.') {
      after_point = true;
    } else {
      numerator = numerator * 10 + (*c - '0');
      if (after_point) denominator *= 10;
    }
  }
  return {negative ? -numerator : numerator, denominator};
}

}  // namespace POLHODE_CORE
