// Kepler's equation of the ellipse.
#pragma once

#include "polhode/arithmetic/double_double_functions.hpp"

namespace polhode::core {

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

}  // namespace polhode::core
