// A pack of DoubleDoubles: every lane goes through the operations of DoubleDouble in their order, and ends with its bits.
#pragma once

#include "polhode/arithmetic/double_double.hpp"
#include "polhode/arithmetic/pack.hpp"

namespace POLHODE_CORE {

/// DoubleDouble over lanes; its comments say what the algorithms are.
class WidePack {
 public:
  WidePack() = default;
  WidePack(const Pack& value) : high_(value) {}      // NOLINT(google-explicit-constructor): as a number is
  WidePack(double value) : WidePack(Pack(value)) {}  // NOLINT(google-explicit-constructor)
  WidePack(const Pack& high, const Pack& low) : high_(high), low_(low) {}
  explicit WidePack(const DoubleDouble& value) : high_(value.high()), low_(value.low()) {}

  const Pack& high() const { return high_; }
  const Pack& low() const { return low_; }
  explicit operator Pack() const { return high_; }

  [[gnu::always_inline]] friend WidePack operator-(const WidePack& a) { return {-a.high_, -a.low_}; }
  [[gnu::always_inline]] friend WidePack operator+(const WidePack& a, const WidePack& b) {
    const auto [high, high_error] = two_sum(a.high_, b.high_);
    const auto [low, low_error] = two_sum(a.low_, b.low_);
    const auto [value, rest] = fast_two_sum(high, high_error + low);
    return renormalized(value, rest + low_error);
  }
  [[gnu::always_inline]] friend WidePack operator-(const WidePack& a, const WidePack& b) { return a + (-b); }
  [[gnu::always_inline]] friend WidePack operator*(const WidePack& a, const WidePack& b) {
    const auto [high, error] = two_product(a.high_, b.high_);
    return renormalized(high, error + (a.high_ * b.low_ + a.low_ * b.high_));
  }
  [[gnu::always_inline]] friend WidePack operator/(const WidePack& a, const WidePack& b) {
    const Pack quotient = a.high_ / b.high_;
    const auto [product, error] = two_product(b.high_, quotient);
    const WidePack rest = a - renormalized(product, error + b.low_ * quotient);
    return renormalized(quotient, rest.high_ / b.high_);
  }

  WidePack& operator+=(const WidePack& b) { return *this = *this + b; }

  /// Of positive numbers.
  [[gnu::always_inline]] friend WidePack sqrt(const WidePack& a) {
    Pack root;
    for (std::size_t lane = 0; lane < Pack::width; ++lane) root.set(lane, std::sqrt(a.high_[lane]));
    const auto [squared, error] = two_product(root, root);
    const Pack rest = ((a.high_ - squared) - error) + a.low_;
    const auto [value, low] = fast_two_sum(root, rest / (Pack(2.0) * root));
    return {value, low};
  }

 private:
  [[gnu::always_inline]] static WidePack renormalized(const Pack& high, const Pack& low) {
    const auto [value, error] = fast_two_sum(high, low);
    return {value, error};
  }

  Pack high_{};
  Pack low_{};
};

}  // namespace POLHODE_CORE
