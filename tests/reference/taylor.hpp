// The reference of the tests: the equations of motion integrated by their Taylor series, in quadruple precision.
//
// m' = m x w + u x r, u' = u x w and q' = q (0, w)/2 with w = I^-1 m are quadratic: the coefficients follow from convolutions.
// Nothing here shares a formula with the library.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "polhode/body/motion.hpp"

namespace polhode::reference {

using namespace core;

/// The state after `steps` steps of length h in the field u0 of space, for the arm r in the principal frame. A free body has
/// neither, and their series are left out.
template <std::size_t order, class Q>
State<Q> taylor_steps(const Vector<Q>& moments, State<Q> s, const Vector<Q>& field, const Vector<Q>& arm,
                      const Q& h, long steps) {
  using Series = std::array<Q, order + 1>;
  const bool driven = !(field == Vector<Q>{});
  std::array<Series, 3> m, w, u;
  std::array<Series, 4> q;
  const Matrix<Q> to_body = transpose(to_matrix(s.attitude));
  for (std::size_t i = 0; i < 3; ++i) {
    m[i][0] = s.momentum[i];
    u[i][0] = dot(to_body[i], field);
  }
  for (std::size_t i = 0; i < 4; ++i) q[i][0] = s.attitude[i];
  const auto sum = [](Series& a) {
    Q total(0);
    for (std::size_t k = order + 1; k-- > 0;) total += a[k];
    a[0] = total;
  };
  for (long n = 0; n < steps; ++n) {
    for (std::size_t k = 0; k < order; ++k) {
      for (std::size_t i = 0; i < 3; ++i) w[i][k] = m[i][k] / moments[i];
      const auto product = [k](const Series& a, const Series& b) {
        Q total(0);
        for (std::size_t j = 0; j <= k; ++j) total += a[j] * b[k - j];
        return total;
      };
      const Q scale = h / Q(static_cast<double>(k + 1));
      for (std::size_t i = 0; i < 3; ++i) {
        const std::size_t j = (i + 1) % 3, l = (i + 2) % 3;
        Q rate = product(m[j], w[l]) - product(m[l], w[j]);
        if (driven) {
          rate += u[j][k] * arm[l] - u[l][k] * arm[j];
          u[i][k + 1] = scale * (product(u[j], w[l]) - product(u[l], w[j]));
        }
        m[i][k + 1] = scale * rate;
        q[i + 1][k + 1] =
            scale * (product(q[0], w[i]) + product(q[j + 1], w[l]) - product(q[l + 1], w[j])) / Q(2);
      }
      q[0][k + 1] = -scale * (product(q[1], w[0]) + product(q[2], w[1]) + product(q[3], w[2])) / Q(2);
    }
    for (auto& a : m) sum(a);
    if (driven)
      for (auto& a : u) sum(a);
    for (auto& a : q) sum(a);
  }
  for (std::size_t i = 0; i < 3; ++i) s.momentum[i] = m[i][0];
  for (std::size_t i = 0; i < 4; ++i) s.attitude[i] = q[i][0];
  return s;
}

/// A free body after the time h, for principal moments in any order.
///
/// The singularities in the complex plane lie at least pi/2 / lambda away, lambda <= |m|/I1: with steps of at most a
/// quarter of I1/|m| a term is below (1/6.2)^k of the first, 1e-32 at order 40, 1e-25 at order 32.
template <std::size_t order = 40, class Q>
State<Q> taylor(const Vector<Q>& moments, const State<Q>& s, const Q& h) {
  Q smallest = moments[0];
  for (std::size_t i = 1; i < 3; ++i)
    if (moments[i] < smallest) smallest = moments[i];
  const double angle = std::abs(static_cast<double>(Q(h * norm(s.momentum) / smallest)));
  const auto steps = static_cast<long>(std::max(1.0, std::ceil(angle / 0.25)));
  return taylor_steps<order, Q>(moments, s, {}, {}, h / Q(static_cast<double>(steps)), steps);
}

/// A body in a uniform field.
template <std::size_t order = 30, class Q>
State<Q> taylor_top(const Vector<Q>& moments, const State<Q>& s, const Vector<Q>& field, const Vector<Q>& arm,
                    const Q& h, long steps) {
  return taylor_steps<order, Q>(moments, s, field, arm, h, steps);
}

}  // namespace polhode::reference
