// Ranged: a number with the digits of another scalar and an exponent of its own.
//
// Squares and products of numbers below 1e-154 vanish or lose their digits as doubles do; here they keep them. It is slower than its
// digits alone, and meant for the few motions that need the range.
#pragma once

#include <cstdint>

#include "polhode/arithmetic/double_double_functions.hpp"

namespace POLHODE_CORE {

/// digits 2^exponent, where the size of the digits is in [1, 2), or both are zero. A number that is not finite has no exponent.
template <Scalar W>
class Ranged {
 public:
  Ranged() = default;
  Ranged(double value) : Ranged(W(value)) {}         // NOLINT(google-explicit-constructor): as its digits
  Ranged(int value) : Ranged(W(value)) {}            // NOLINT(google-explicit-constructor)
  Ranged(const W& value, std::int64_t exponent = 0)  // NOLINT(google-explicit-constructor)
      : digits_(value), exponent_(exponent) {
    const double high = static_cast<double>(digits_);
    if (high == 0.0 || !std::isfinite(high)) {
      exponent_ = 0;
      return;
    }
    const int shift = std::ilogb(high);
    digits_ = ldexp(digits_, -shift);
    exponent_ += shift;
  }

  /// floor(log2 |x|) of a finite number that is not zero.
  friend std::int64_t binary_exponent(const Ranged& x) { return x.exponent_; }

  /// Rounded, to zero where it is too small.
  explicit operator W() const { return ldexp(digits_, bounded(exponent_)); }
  explicit operator double() const requires(!std::same_as<W, double>) {
    return std::ldexp(static_cast<double>(digits_), bounded(exponent_));
  }

  friend Ranged operator-(const Ranged& a) { return made(-a.digits_, a.exponent_); }
  friend Ranged operator+(const Ranged& a, const Ranged& b) {
    if (a.digits_ == W(0)) return b;
    if (b.digits_ == W(0)) return a;
    const std::int64_t apart = a.exponent_ - b.exponent_;
    return apart >= 0 ? Ranged(a.digits_ + ldexp(b.digits_, bounded(-apart)), a.exponent_)
                      : Ranged(ldexp(a.digits_, bounded(apart)) + b.digits_, b.exponent_);
  }
  friend Ranged operator-(const Ranged& a, const Ranged& b) { return a + (-b); }
  friend Ranged operator*(const Ranged& a, const Ranged& b) {
    return Ranged(a.digits_ * b.digits_, a.exponent_ + b.exponent_);
  }
  friend Ranged operator/(const Ranged& a, const Ranged& b) {
    return Ranged(a.digits_ / b.digits_, a.exponent_ - b.exponent_);
  }
  Ranged& operator+=(const Ranged& b) { return *this = *this + b; }
  Ranged& operator-=(const Ranged& b) { return *this = *this - b; }
  Ranged& operator*=(const Ranged& b) { return *this = *this * b; }
  Ranged& operator/=(const Ranged& b) { return *this = *this / b; }

  friend bool operator==(const Ranged& a, const Ranged& b) {
    return a.digits_ == b.digits_ && a.exponent_ == b.exponent_;
  }
  friend bool operator<(const Ranged& a, const Ranged& b) { return (a - b).digits_ < W(0); }
  friend bool operator>(const Ranged& a, const Ranged& b) { return b < a; }
  friend bool operator<=(const Ranged& a, const Ranged& b) { return (a - b).digits_ <= W(0); }
  friend bool operator>=(const Ranged& a, const Ranged& b) { return b <= a; }

  friend Ranged sqrt(const Ranged& a) {
    const std::int64_t odd = a.exponent_ & 1;
    return Ranged(sqrt(ldexp(a.digits_, static_cast<int>(odd))), (a.exponent_ - odd) / 2);
  }
  friend Ranged abs(const Ranged& a) { return made(abs(a.digits_), a.exponent_); }
  friend bool isfinite(const Ranged& a) { return isfinite(a.digits_); }
  friend Ranged ldexp(const Ranged& a, std::int64_t power) { return Ranged(a.digits_, a.exponent_ + power); }
  friend Ranged floor(const Ranged& a) { return Ranged(floor(static_cast<W>(a))); }

 private:
  static Ranged made(const W& digits, std::int64_t exponent) {
    Ranged result;
    result.digits_ = digits;
    result.exponent_ = exponent;
    return result;
  }
  /// An exponent for ldexp: beyond these every double is zero or infinite.
  static int bounded(std::int64_t exponent) {
    return static_cast<int>(exponent < -3000 ? -3000 : exponent > 3000 ? 3000 : exponent);
  }

  W digits_{};
  std::int64_t exponent_ = 0;
};

template <Scalar W>
struct ScalarTraits<Ranged<W>> {
  using Wide = Ranged<W>;
  static Ranged<W> epsilon() { return ScalarTraits<W>::epsilon(); }
};

template <Scalar W>
SineCosine<Ranged<W>> sincos(const Ranged<W>& angle) {
  const auto [s, c] = sincos(static_cast<W>(angle));
  return {s, c};
}

/// floor(log2 |x|) of a finite number that is not zero.
template <Scalar W>
int binary_exponent(const W& x) {
  return std::ilogb(static_cast<double>(x));
}

}  // namespace POLHODE_CORE

template <polhode::core::Scalar W>
class std::numeric_limits<polhode::core::Ranged<W>> : public std::numeric_limits<W> {};
