// Dual numbers: a value with its derivatives in n directions, for potentials and constraints whose derivative the user
// has not written. The derivatives are as exact as the arithmetic: nothing is differenced.
//
// A Dual is a Scalar, so generic code takes it, and a Dual of Duals gives second derivatives.
#pragma once

#include <array>
#include <cmath>
#include <compare>
#include <cstddef>

#include "polhode/arithmetic/scalar.hpp"

namespace POLHODE_CORE {

template <class T, std::size_t n = 1>
class Dual {
 public:
  constexpr Dual() = default;
  // Implicit: constants of a formula are numbers without a derivative.
  constexpr Dual(const T& constant) : value_(constant) {}  // NOLINT(google-explicit-constructor)
  template <class U>
  requires(!std::same_as<U, T> && std::constructible_from<T, U>) constexpr Dual(const U& constant)  // NOLINT
      : value_(constant) {}
  constexpr Dual(const T& value, const std::array<T, n>& gradient) : value_(value), gradient_(gradient) {}

  /// The variable of direction i.
  static constexpr Dual variable(const T& value, std::size_t i) {
    Dual result(value);
    result.gradient_[i] = T(1);
    return result;
  }

  constexpr const T& value() const { return value_; }
  constexpr const std::array<T, n>& gradient() const { return gradient_; }
  explicit constexpr operator double() const { return static_cast<double>(value_); }

  friend constexpr Dual operator-(const Dual& a) { return a.mapped(-a.value_, T(-1)); }
  friend constexpr Dual operator+(const Dual& a, const Dual& b) {
    return a.joined(b, a.value_ + b.value_, [](const T& x, const T& y) { return x + y; });
  }
  friend constexpr Dual operator-(const Dual& a, const Dual& b) {
    return a.joined(b, a.value_ - b.value_, [](const T& x, const T& y) { return x - y; });
  }
  friend constexpr Dual operator*(const Dual& a, const Dual& b) {
    return a.joined(b, a.value_ * b.value_,
                    [&](const T& x, const T& y) { return x * b.value_ + a.value_ * y; });
  }
  friend constexpr Dual operator/(const Dual& a, const Dual& b) {
    const T quotient = a.value_ / b.value_;
    return a.joined(b, quotient, [&](const T& x, const T& y) { return (x - quotient * y) / b.value_; });
  }
  constexpr Dual& operator+=(const Dual& b) { return *this = *this + b; }
  constexpr Dual& operator-=(const Dual& b) { return *this = *this - b; }
  constexpr Dual& operator*=(const Dual& b) { return *this = *this * b; }
  constexpr Dual& operator/=(const Dual& b) { return *this = *this / b; }

  /// Order and equality are those of the values: branches of a formula are taken as they would be without derivatives.
  friend constexpr bool operator==(const Dual& a, const Dual& b) { return a.value_ == b.value_; }
  friend constexpr std::partial_ordering operator<=>(const Dual& a, const Dual& b) {
    if (a.value_ < b.value_) return std::partial_ordering::less;
    if (b.value_ < a.value_) return std::partial_ordering::greater;
    return a.value_ == b.value_ ? std::partial_ordering::equivalent : std::partial_ordering::unordered;
  }

  /// A function of this number, from its value and its derivative there.
  constexpr Dual mapped(const T& value, const T& derivative) const {
    Dual result(value, gradient_);
    for (auto& x : result.gradient_) x = derivative * x;
    return result;
  }

 private:
  template <class Rule>
  constexpr Dual joined(const Dual& b, const T& value, Rule&& rule) const {
    Dual result(value, {});
    for (std::size_t i = 0; i < n; ++i) result.gradient_[i] = rule(gradient_[i], b.gradient_[i]);
    return result;
  }

  T value_{0.0};
  std::array<T, n> gradient_{};
};

template <class T, std::size_t n>
Dual<T, n> sqrt(const Dual<T, n>& a) {
  const T root = sqrt(a.value());
  return a.mapped(root, T(0.5) / root);
}

template <class T, std::size_t n>
SineCosine<Dual<T, n>> sincos(const Dual<T, n>& a) {
  const auto [s, c] = sincos(a.value());
  return {a.mapped(s, c), a.mapped(c, -s)};
}

template <class T, std::size_t n>
Dual<T, n> sin(const Dual<T, n>& a) {
  return sincos(a).sin;
}

template <class T, std::size_t n>
Dual<T, n> cos(const Dual<T, n>& a) {
  return sincos(a).cos;
}

template <class T, std::size_t n>
Dual<T, n> exp(const Dual<T, n>& a) {
  using std::exp;
  const T value = exp(a.value());
  return a.mapped(value, value);
}

template <class T, std::size_t n>
Dual<T, n> log(const Dual<T, n>& a) {
  using std::log;
  return a.mapped(log(a.value()), T(1) / a.value());
}

template <class T, std::size_t n>
Dual<T, n> atan2(const Dual<T, n>& y, const Dual<T, n>& x) {
  const T square_of_radius = x.value() * x.value() + y.value() * y.value();
  const Dual<T, n> along = y.mapped(T(0), x.value() / square_of_radius);
  const Dual<T, n> across = x.mapped(T(0), -(y.value() / square_of_radius));
  return along + across + Dual<T, n>(atan2(y.value(), x.value()));
}

template <class T, std::size_t n>
Dual<T, n> asin(const Dual<T, n>& a) {
  return a.mapped(asin(a.value()), T(1) / sqrt((T(1) - a.value()) * (T(1) + a.value())));
}

template <class T, std::size_t n>
constexpr Dual<T, n> abs(const Dual<T, n>& a) {
  return a < Dual<T, n>(0.0) ? -a : a;
}

template <class T, std::size_t n>
Dual<T, n> ldexp(const Dual<T, n>& a, int exponent) {
  using std::ldexp;
  return a.mapped(ldexp(a.value(), exponent), ldexp(T(1), exponent));
}

template <class T, std::size_t n>
bool isfinite(const Dual<T, n>& a) {
  return isfinite(a.value());
}

template <class T, std::size_t n>
struct ScalarTraits<Dual<T, n>> {
  using Wide = Dual<polhode::core::Wide<T>, n>;
  static constexpr Dual<T, n> epsilon() { return Dual<T, n>(ScalarTraits<T>::epsilon()); }
};

}  // namespace POLHODE_CORE
