// Kepler's equation of the ellipse.
#pragma once

#include "polhode/arithmetic/double_double_functions.hpp"
#include "polhode/arithmetic/sine_cosine.hpp"

namespace POLHODE_CORE {

/// E - e sin E = M for M in [-pi, pi], by Newton's method. The left side is convex between 0 and pi, so from min(M + e, pi),
/// which is beyond the root, the method falls to it monotonously for every eccentricity.
template <class U>
U eccentric_anomaly(const U& mean, const U& e) {
  if (e == U(0)) return mean;
  const U size = abs(mean) + e < pi<U>() ? abs(mean) + e : pi<U>();
  U anomaly = mean < U(0) ? -size : size;
  U last(4);
  for (int i = 0; i < 64; ++i) {
    const auto [s, c] = sincos(anomaly);
    const U change = (anomaly - e * s - mean) / (U(1) - e * c);
    if (change == U(0) || (i > 2 && !(abs(change) < last))) break;
    anomaly -= change;
    last = abs(change);
  }
  return anomaly;
}

/// Sine and cosine of the eccentric anomaly in double, for a number or a pack: Halley's method, from a parabola in place of the sine.
/// It ends when the change is so small that its fourth power does not matter; the last change goes to sine and cosine by
/// their series. Where it has not ended in eight iterations, Newton's method does it as above.
template <class T>
UnitVector<T> eccentric_direction(const T& mean, const T& e) {
  const T sign = select(is_less(mean, T(0)), T(-1), T(1)), size = sign * mean;
  if (!any_lane(is_less(T(0), e))) {
    const auto [s, c] = sincos_of_pair(ErrorFree<T>{size, T(0)});
    return {sign * s, c};
  }
  const T turned = size * T(0.31830988618379067154);
  T anomaly = size + e * ((T(4) * turned) * (T(1) - turned));
  T sine(0), cosine(0);
  MaskOf<T> open = is_less(T(0), T(1));
  constexpr int of_halley = 8, most = 64;
  for (int i = 0;; ++i) {
    const auto [s, c] = sincos_of_pair(ErrorFree<T>{anomaly, T(0)});
    const T inverse = T(1) / (T(1) - e * c), half = (T(0.5) * e) * (s * inverse);
    const T newton = ((anomaly - size) - e * s) * inverse, halley = newton / (T(1) - half * newton);
    const T scaled = halley * (T(1) + e * inverse);
    const auto near = both(is_less(T(-0x1p-13), scaled), is_less(scaled, T(0x1p-13)));
    const T change = newton + (halley * halley) * (half - (e * (c * inverse) * T(1.0 / 6)) * halley);
    const T square = change * change, rise = change - change * (square * T(1.0 / 6));
    const auto ends = i == most ? open : both(open, near);
    sine = select(ends, s - (c * rise + s * (T(0.5) * square)), sine);
    cosine = select(ends, c + (s * rise - c * (T(0.5) * square)), cosine);
    open = both(open, none_of(near));
    if (i == most || !any_lane(open)) return {sign * sine, cosine};
    if (i + 1 == of_halley) {
      const T beyond = size + e, pi(3.14159265358979311600);
      anomaly = select(open, select(is_less(beyond, pi), beyond, pi), anomaly);
    } else {
      anomaly = select(open, anomaly - (i < of_halley ? halley : newton), anomaly);
    }
  }
}

}  // namespace POLHODE_CORE
