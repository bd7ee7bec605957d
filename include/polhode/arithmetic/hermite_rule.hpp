// Quadrature by Hermite interpolation at the two ends of an interval.
#pragma once

#include <cstddef>
#include <vector>

#include "polhode/arithmetic/double_double_functions.hpp"

namespace POLHODE_CORE {

/// With a_j and b_j the Taylor coefficients of f at the ends of an interval of length L,
///   integral of f = sum_j weight_j L^(j+1) (a_j + (-1)^j b_j),
/// the integral of the polynomial that has the value of f and its first derivatives in common with it at both ends.
template <Scalar T>
struct HermiteRule {
  /// A type of our own: vectors of it share no function with other objects (polhode/free_motion/held_method.hpp).
  struct Weight {
    T value;
  };
  std::vector<Weight> weights;
};

/// The rule with the given number of Taylor coefficients at each end: the value alone (the trapezoidal rule), the value and the
/// derivative, ...; its order is twice that number. Symmetric: the ends may be exchanged.
template <Scalar T>
HermiteRule<T> hermite_rule(int count) {
  using W = Wide<T>;
  HermiteRule<T> rule;
  W weight = W(1) / W(2);
  for (int j = 0; j < count; ++j) {
    if (j > 0) weight = weight * W((count - j) * j) / W((2 * count - j) * (j + 1));
    rule.weights.push_back({static_cast<T>(weight)});
  }
  return rule;
}

}  // namespace POLHODE_CORE
