// Exact arithmetic with dyadic numbers, and random operands: the reference of these tests. A few dozen lines, because
// the folder is compiled for every variant and a multiprecision library would take most of that time.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <ostream>
#include <random>
#include <vector>

#include "polhode/arithmetic/double_double.hpp"

namespace polhode::reference {

using namespace core;

inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// (-1)^negative * (limbs as an integer of base 2^64) * 2^(64 exponent). Sums and products are exact and of any length.
class Exact {
 public:
  Exact() = default;
  Exact(double x) : negative_(std::signbit(x)) {  // NOLINT(google-explicit-constructor)
    if (x == 0.0) return;
    int exponent = 0;
    const double fraction = std::frexp(std::abs(x), &exponent);
    const auto mantissa = static_cast<std::uint64_t>(std::ldexp(fraction, 53));
    exponent -= 53;
    exponent_ = exponent >= 0 ? exponent / 64 : -((63 - exponent) / 64);
    const int shift = exponent - 64 * exponent_;
    limbs_ = {mantissa << shift, shift == 0 ? 0 : mantissa >> (64 - shift)};
    trim();
  }
  Exact(const DoubleDouble& x)
      : Exact(Exact(x.high()) + Exact(x.low())) {}  // NOLINT(google-explicit-constructor)
  /// An integer of base 2^64, the highest limb first, times 2^(64 exponent).
  static Exact of_limbs(std::vector<std::uint64_t> highest_first, int exponent) {
    Exact result;
    result.limbs_.assign(highest_first.rbegin(), highest_first.rend());
    result.exponent_ = exponent;
    result.trim();
    return result;
  }

  bool is_zero() const { return limbs_.empty(); }

  friend Exact operator-(Exact a) {
    a.negative_ = !a.negative_;
    return a;
  }
  friend Exact operator+(Exact a, Exact b) {
    if (a.is_zero()) return b;
    if (b.is_zero()) return a;
    const int exponent = std::min(a.exponent_, b.exponent_);
    a.align(exponent);
    b.align(exponent);
    const std::size_t length = std::max(a.limbs_.size(), b.limbs_.size()) + 1;
    a.limbs_.resize(length);
    b.limbs_.resize(length);
    if (a.negative_ != b.negative_ &&
        std::lexicographical_compare(a.limbs_.rbegin(), a.limbs_.rend(), b.limbs_.rbegin(), b.limbs_.rend()))
      std::swap(a, b);
    const bool subtract = a.negative_ != b.negative_;
    std::uint64_t carry = 0;
    for (std::size_t i = 0; i < length; ++i) {
      const Double128 x = a.limbs_[i], y = Double128(b.limbs_[i]) + carry;
      const Double128 z = subtract ? x - y : x + y;
      a.limbs_[i] = static_cast<std::uint64_t>(z);
      carry = static_cast<std::uint64_t>(z >> 64) == 0 ? 0 : 1;
    }
    a.trim();
    return a;
  }
  friend Exact operator-(const Exact& a, const Exact& b) { return a + (-b); }
  friend Exact operator*(const Exact& a, const Exact& b) {
    Exact result;
    result.negative_ = a.negative_ != b.negative_;
    result.exponent_ = a.exponent_ + b.exponent_;
    result.limbs_.resize(a.limbs_.size() + b.limbs_.size());
    for (std::size_t i = 0; i < a.limbs_.size(); ++i) {
      std::uint64_t carry = 0;
      for (std::size_t j = 0; j < b.limbs_.size(); ++j) {
        const Double128 z = Double128(a.limbs_[i]) * b.limbs_[j] + result.limbs_[i + j] + carry;
        result.limbs_[i + j] = static_cast<std::uint64_t>(z);
        carry = static_cast<std::uint64_t>(z >> 64);
      }
      result.limbs_[i + b.limbs_.size()] = carry;
    }
    result.trim();
    return result;
  }
  friend bool operator==(const Exact& a, const Exact& b) { return (a - b).is_zero(); }

  /// The quotient by a small integer, and any number, cut below 2^(64 exponent): for series, not exact.
  Exact divided_by(std::uint64_t divisor, int exponent) const {
    Exact result = *this;
    if (!is_zero() && exponent < exponent_) result.align(exponent);
    std::uint64_t rest = 0;
    for (std::size_t i = result.limbs_.size(); i-- > 0;) {
      const Double128 z = (Double128(rest) << 64) + result.limbs_[i];
      result.limbs_[i] = static_cast<std::uint64_t>(z / divisor);
      rest = static_cast<std::uint64_t>(z % divisor);
    }
    return result.cut(exponent);
  }
  Exact cut(int exponent) const {
    Exact result = *this;
    if (is_zero() || exponent <= exponent_) return result;
    const auto count = std::min(limbs_.size(), static_cast<std::size_t>(exponent - exponent_));
    result.limbs_.erase(result.limbs_.begin(), result.limbs_.begin() + static_cast<std::ptrdiff_t>(count));
    result.exponent_ = exponent;
    result.trim();
    return result;
  }

  /// Right to about 2^-52 relative.
  double approximate() const {
    double result = 0.0;
    for (std::size_t i = limbs_.size(); i-- > 0 && i + 3 >= limbs_.size();)
      result += std::ldexp(static_cast<double>(limbs_[i]), 64 * (exponent_ + static_cast<int>(i)));
    return negative_ ? -result : result;
  }
  friend std::ostream& operator<<(std::ostream& out, const Exact& a) { return out << a.approximate(); }

 private:
  __extension__ typedef unsigned __int128 Double128;

  void align(int exponent) {
    limbs_.insert(limbs_.begin(), static_cast<std::size_t>(exponent_ - exponent), 0);
    exponent_ = exponent;
  }
  void trim() {
    while (!limbs_.empty() && limbs_.back() == 0) limbs_.pop_back();
    std::size_t zeros = 0;
    while (zeros < limbs_.size() && limbs_[zeros] == 0) ++zeros;
    limbs_.erase(limbs_.begin(), limbs_.begin() + static_cast<std::ptrdiff_t>(zeros));
    exponent_ = limbs_.empty() ? 0 : exponent_ + static_cast<int>(zeros);
  }

  bool negative_ = false;
  int exponent_ = 0;
  std::vector<std::uint64_t> limbs_;
};

/// |a / b| of two exact numbers, in units of 2^-106 (u^2, where u = 2^-53).
inline double units(const Exact& a, const Exact& b) {
  return std::abs(a.approximate() / b.approximate()) * 0x1p106;
}

inline std::uint64_t bits(double x) { return std::bit_cast<std::uint64_t>(x); }

/// Random operands of the kinds on which error bounds are reached: any mantissa, one just above a power of two, one
/// just below, one of few bits.
class Operands {
 public:
  explicit Operands(std::uint64_t seed) : engine_(seed) {}

  std::uint64_t integer() { return engine_(); }
  /// An integer in [low, high].
  int integer(int low, int high) {
    return low + static_cast<int>(engine_() % static_cast<std::uint64_t>(high - low + 1));
  }
  /// In [0, 1).
  double uniform() { return std::ldexp(static_cast<double>(engine_() >> 11), -53); }
  double uniform(double low, double high) { return low + (high - low) * uniform(); }

  /// A mantissa in [1, 2), of either sign, times 2^power, low <= power <= high.
  double number(int low, int high) {
    constexpr std::uint64_t implicit = std::uint64_t(1) << 52;
    std::uint64_t mantissa = engine_() >> 12;
    const int spread = integer(1, 52);
    switch (engine_() % 4) {
      case 0:
        mantissa >>= spread;
        break;
      case 1:
        mantissa = (implicit - 1) - (mantissa >> spread);
        break;
      case 2:
        mantissa = (mantissa >> spread) << spread;
        break;
      default:
        break;
    }
    const double x = std::ldexp(static_cast<double>(implicit + mantissa), integer(low, high) - 52);
    return engine_() % 2 == 0 ? x : -x;
  }
  /// A normalised pair whose low part is mostly close below half a unit in the last place of the high one, sometimes
  /// much smaller, sometimes zero.
  DoubleDouble pair(int low, int high) {
    const double first = number(low, high);
    const int gap = engine_() % 4 == 0 ? integer(54, 150) : integer(54, 55);
    const double second = engine_() % 16 == 0 ? 0.0 : std::ldexp(number(0, 0), std::ilogb(first) - gap);
    return DoubleDouble::sum(first, second);
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace polhode::reference
