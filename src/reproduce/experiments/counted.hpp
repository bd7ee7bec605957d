// A number that counts the operations done with it.
#pragma once

#include <cmath>
#include <compare>
#include <cstdint>
#include <limits>

#include "core.hpp"

namespace polhode::program::experiments {

/// Operations with Counted numbers in this thread.
struct OperationCount {
  std::int64_t arithmetic = 0;  ///< sums, differences, products and quotients
  std::int64_t functions = 0;   ///< roots, sines, arctangents and their like

  /// A function takes as long as so many sums or products.
  double weighted(double of_function) const {
    return static_cast<double>(arithmetic) + of_function * static_cast<double>(functions);
  }
};
inline thread_local OperationCount operation_count;

/// The scalar of the core in which methods are counted: a double that notes each operation. Changes of the sign,
/// comparisons and ldexp count nothing.
class Counted {
 public:
  Counted() = default;
  constexpr Counted(double value) : value_(value) {}
  explicit constexpr operator double() const { return value_; }

  friend bool operator==(const Counted&, const Counted&) = default;
  friend auto operator<=>(const Counted&, const Counted&) = default;
  Counted operator-() const { return -value_; }
  friend Counted operator+(const Counted& a, const Counted& b) { return noted(a.value_ + b.value_); }
  friend Counted operator-(const Counted& a, const Counted& b) { return noted(a.value_ - b.value_); }
  friend Counted operator*(const Counted& a, const Counted& b) { return noted(a.value_ * b.value_); }
  friend Counted operator/(const Counted& a, const Counted& b) { return noted(a.value_ / b.value_); }
  Counted& operator+=(const Counted& b) { return *this = *this + b; }
  Counted& operator-=(const Counted& b) { return *this = *this - b; }
  Counted& operator*=(const Counted& b) { return *this = *this * b; }
  Counted& operator/=(const Counted& b) { return *this = *this / b; }

  friend Counted sqrt(const Counted& x) { return noted_function(std::sqrt(x.value_)); }
  friend Counted sin(const Counted& x) { return noted_function(std::sin(x.value_)); }
  friend Counted cos(const Counted& x) { return noted_function(std::cos(x.value_)); }
  friend Counted asin(const Counted& x) { return noted_function(std::asin(x.value_)); }
  friend Counted atan2(const Counted& y, const Counted& x) {
    return noted_function(std::atan2(y.value_, x.value_));
  }
  friend Counted abs(const Counted& x) { return std::abs(x.value_); }
  friend Counted floor(const Counted& x) { return std::floor(x.value_); }
  friend Counted ldexp(const Counted& x, int exponent) { return std::ldexp(x.value_, exponent); }
  friend bool isfinite(const Counted& x) { return std::isfinite(x.value_); }

 private:
  static Counted noted(double result) {
    ++operation_count.arithmetic;
    return result;
  }
  static Counted noted_function(double result) {
    ++operation_count.functions;
    return result;
  }

  double value_ = 0;
};

/// The operations of a call.
template <class Call>
OperationCount operations_of(Call&& call) {
  operation_count = {};
  call();
  return operation_count;
}

/// A step of the free motion of MR, and of SEJ as [CS06] has it: momentum at the middle and at the end of the step by elliptic
/// functions whose constants are kept, the attitude by one exponential. The kick is the same in both and left out.
OperationCount operations_of_mr_step();
OperationCount operations_of_sej_step();

}  // namespace polhode::program::experiments

template <>
struct std::numeric_limits<polhode::program::experiments::Counted> : std::numeric_limits<double> {
  static constexpr polhode::program::experiments::Counted epsilon() {
    return std::numeric_limits<double>::epsilon();
  }
};
