// Sine and cosine of an angle that is given as a pair, for a number and for a pack, with the same bits on every machine.
#pragma once

#include <array>

#include "polhode/arithmetic/selection.hpp"

namespace POLHODE_CORE {

namespace sine_cosine_fit {

/// (sin(r) - r)/r^3 and (cos(r) - 1 + r^2/2)/r^4 by powers of r^2, to an eighth of a turn: nearest in the sense of Chebyshev, to 2e-17
/// and 1.3e-18.
inline constexpr std::array<double, 6> sine{-0.16666666666666665,    0.0083333333333309246,
                                            -0.00019841269836722418, 2.7557316083816359e-6,
                                            -2.5051127944014188e-8,  1.5917848524808261e-10};
inline constexpr std::array<double, 6> cosine{0.041666666666666665,  -0.0013888888888887382,
                                              2.4801587298743069e-5, -2.7557317260008838e-7,
                                              2.0876143827993132e-9, -1.1382456778061306e-11};

}  // namespace sine_cosine_fit

/// The nearest whole number, for sizes below 2^51.
template <class T>
[[gnu::always_inline]] inline T nearest_integer(const T& x) {
  const T shift(0x1.8p52);
  return (x + shift) - shift;
}

template <class T>
struct UnitVector {
  T sin, cos;
};

/// The error is about one unit of the last place; sizes up to 2^20.
template <class T>
[[gnu::always_inline]] inline UnitVector<T> sincos_of_pair(const ErrorFree<T>& angle) {
  const T quarters = nearest_integer(angle.value * T(0.63661977236758134308));
  // A quarter of a turn in three parts, of which the first two have 33 bits: their products are exact.
  const T turned = angle.value - quarters * T(1.5707963267341256),
          beyond = quarters * T(6.077100506303966e-11);
  const T first = turned - beyond;
  const T rest = ((turned - first) - beyond) + (angle.error - quarters * T(2.0222662487959506e-21));
  const auto [r, low] = fast_two_sum(first, rest);
  const T z = r * r, zz = z * z;
  const auto polynomial = [&](const std::array<double, 6>& c) {
    return ((T(c[0]) + z * T(c[1])) + zz * (T(c[2]) + z * T(c[3]))) + (zz * zz) * (T(c[4]) + z * T(c[5]));
  };
  const T half = T(0.5) * z, near = T(1) - half;
  const T cosine = near + (((T(1) - near) - half) + (zz * polynomial(sine_cosine_fit::cosine) - r * low));
  const T sine = r + ((r * z) * polynomial(sine_cosine_fit::sine) + low);
  // The quarter of the turn, from -2 to 2.
  const T quarter = quarters - T(4) * nearest_integer(quarters * T(0.25));
  const auto odd = both(is_less(T(0.5), quarter * quarter), is_less(quarter * quarter, T(1.5)));
  const T s = select(odd, cosine, sine), c = select(odd, sine, cosine);
  // The sine is the other way in the third and fourth quarter, the cosine in the second and third.
  const T plus(1), minus(-1);
  const T of_sine = select(is_less(T(1.5), quarter), minus, select(is_less(quarter, T(-0.5)), minus, plus)),
          of_cosine = select(is_less(T(0.5), quarter), minus, select(is_less(quarter, T(-1.5)), minus, plus));
  return {of_sine * s, of_cosine * c};
}

}  // namespace POLHODE_CORE
