// Dual numbers: a value with its derivatives in a few directions, for forces and constraints that are given without
// their derivatives (forward-mode differentiation).
#pragma once

#include <array>
#include <compare>

#include "polhode/arithmetic/double_double_functions.hpp"

namespace polhode {

template <class T, std::size_t directions = 1>
struct Dual {
  T value{};
  std::array<T, directions> slope{};

  constexpr Dual() = default;
  // Implicit: constants enter formulas as numbers.
  constexpr Dual(const T& constant) : value(constant) {}  // NOLINT(google-explicit-constructor)
  template <class U>
  requires(!std::same_as<U, T> && std::constructible_from<T, U>) constexpr Dual(const U& constant)  // NOLINT
      : value(constant) {}
  constexpr Dual(const T& v, const std::array<T, directions>& s) : value(v), slope(s) {}

  explicit constexpr operator double() const { return static_cast<double>(value); }

  friend constexpr Dual operator-(const Dual& a) { return a.chain(-a.value, T(-1)); }
  friend constexpr Dual operator+(const Dual& a, const Dual& b) {
    Dual result(a.value + b.value);
    for (std::size_t i = 0; i < directions; ++i) result.slope[i] = a.slope[i] + b.slope[i];
    return result;
  }
  friend constexpr Dual operator-(const Dual& a, const Dual& b) {
    Dual result(a.value - b.value);
    for (std::size_t i = 0; i < directions; ++i) result.slope[i] = a.slope[i] - b.slope[i];
    return result;
  }
  friend constexpr Dual operator*(const Dual& a, const Dual& b) {
    Dual result(a.value * b.value);
    for (std::size_t i = 0; i < directions; ++i)
      result.slope[i] = a.slope[i] * b.value + a.value * b.slope[i];
    return result;
  }
  friend constexpr Dual operator/(const Dual& a, const Dual& b) {
    Dual result(a.value / b.value);
    for (std::size_t i = 0; i < directions; ++i)
      result.slope[i] = (a.slope[i] - result.value * b.slope[i]) / b.value;
    return result;
  }
  constexpr Dual& operator+=(const Dual& b) { return *this = *this + b; }
  constexpr Dual& operator-=(const Dual& b) { return *this = *this - b; }
  constexpr Dual& operator*=(const Dual& b) { return *this = *this * b; }
  constexpr Dual& operator/=(const Dual& b) { return *this = *this / b; }

  // Order is that of the values: derivatives follow the branch that the value takes.
  friend constexpr bool operator==(const Dual& a, const Dual& b) { return a.value == b.value; }
  friend constexpr std::partial_ordering operator<=>(const Dual& a, const Dual& b) {
    return a.value < b.value    ? std::partial_ordering::less
           : b.value < a.value  ? std::partial_ordering::greater
           : a.value == b.value ? std::partial_ordering::equivalent
                                : std::partial_ordering::unordered;
  }

  /// f(a) with f and f' at the value.
  constexpr Dual chain(const T& f, const T& derivative) const {
    Dual result(f);
    for (std::size_t i = 0; i < directions; ++i) result.slope[i] = derivative * slope[i];
    return result;
  }
};

template <class T, std::size_t n>
Dual<T, n> sqrt(const Dual<T, n>& a) {
  const T root = sqrt(a.value);
  return a.chain(root, T(1) / (T(2) * root));
}

template <class T, std::size_t n>
SineCosine<Dual<T, n>> sincos(const Dual<T, n>& a) {
  const auto [s, c] = sincos(a.value);
  return {a.chain(s, c), a.chain(c, -s)};
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
Dual<T, n> atan2(const Dual<T, n>& y, const Dual<T, n>& x) {
  const T size2 = x.value * x.value + y.value * y.value;
  Dual<T, n> result(atan2(y.value, x.value));
  for (std::size_t i = 0; i < n; ++i) result.slope[i] = (x.value * y.slope[i] - y.value * x.slope[i]) / size2;
  return result;
}

template <class T, std::size_t n>
constexpr Dual<T, n> abs(const Dual<T, n>& a) {
  return a.value < T(0) ? -a : a;
}

template <class T, std::size_t n>
struct ScalarTraits<Dual<T, n>> {
  using Wide = Dual<polhode::Wide<T>, n>;
  static constexpr Dual<T, n> epsilon() { return ScalarTraits<T>::epsilon(); }
};

}  // namespace polhode
