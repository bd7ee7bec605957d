// The reference of the tests: the equations of motion integrated by their Taylor series, in quadruple precision.
//
// m' = m x I^-1 m and q' = q (0, I^-1 m)/2 are quadratic, so the coefficients follow from two
// convolutions. Nothing here shares a formula with the library.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "polhode/body/motion.hpp"

namespace polhode::reference {

using namespace core;

/// The state after the time h, for principal moments in any order.
///
/// The singularities in the complex plane lie at least pi/2 / lambda away, lambda <= |m|/I1: with steps of at most a
/// quarter of I1/|m| a term is below (1/6.2)^k of the first, 1e-32 at order 40, 1e-25 at order 32.
template <std::size_t order = 40, class Q>
State<Q> taylor(const Vector<Q>& moments, State<Q> s, const Q& h) {
  Q smallest = moments[0];
  for (std::size_t i = 1; i < 3; ++i)
    if (moments[i] < smallest) smallest = moments[i];
  const double angle = std::abs(static_cast<double>(Q(h * norm(s.momentum) / smallest)));
  const auto steps = static_cast<long>(std::max(1.0, std::ceil(angle / 0.25)));
  const Q step = h / Q(static_cast<double>(steps));
  std::array<std::array<Q, order + 1>, 3> m, w;
  std::array<std::array<Q, order + 1>, 4> q;
  for (long n = 0; n < steps; ++n) {
    for (std::size_t i = 0; i < 3; ++i) m[i][0] = s.momentum[i];
    for (std::size_t i = 0; i < 4; ++i) q[i][0] = s.attitude[i];
    for (std::size_t k = 0; k < order; ++k) {
      for (std::size_t i = 0; i < 3; ++i) w[i][k] = m[i][k] / moments[i];
      const auto product = [k](const auto& a, const auto& b) {
        Q sum(0);
        for (std::size_t j = 0; j <= k; ++j) sum += a[j] * b[k - j];
        return sum;
      };
      const Q scale = step / Q(static_cast<double>(k + 1));
      for (std::size_t i = 0; i < 3; ++i) {
        const std::size_t j = (i + 1) % 3, l = (i + 2) % 3;
        m[i][k + 1] = scale * (product(m[j], w[l]) - product(m[l], w[j]));
        q[i + 1][k + 1] =
            scale * (product(q[0], w[i]) + product(q[j + 1], w[l]) - product(q[l + 1], w[j])) / Q(2);
      }
      q[0][k + 1] = -scale * (product(q[1], w[0]) + product(q[2], w[1]) + product(q[3], w[2])) / Q(2);
    }
    const auto sum = [](const auto& a) {
      Q total(0);
      for (std::size_t k = order + 1; k-- > 0;) total += a[k];
      return total;
    };
    for (std::size_t i = 0; i < 3; ++i) s.momentum[i] = sum(m[i]);
    for (std::size_t i = 0; i < 4; ++i) s.attitude[i] = sum(q[i]);
  }
  return s;
}

}  // namespace polhode::reference
