// The reference for bodies in a uniform field: the equations of motion integrated by their Taylor series.
//
// m' = m x w + u x r, u' = u x w and q' = q (0, w)/2 with w = I^-1 m are quadratic. Nothing here shares a formula with the
// library.
#pragma once

#include <array>

#include "polhode/body/motion.hpp"

namespace polhode::reference {

using namespace core;

/// The state after `steps` steps of length h, for the field u0 in space and the arm r in the principal frame.
template <std::size_t order = 30, class Q>
State<Q> taylor_top(const Vector<Q>& moments, State<Q> s, const Vector<Q>& field, const Vector<Q>& arm,
                    const Q& h, int steps) {
  using Series = std::array<Q, order + 1>;
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
  for (int n = 0; n < steps; ++n) {
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
        m[i][k + 1] =
            scale * (product(m[j], w[l]) - product(m[l], w[j]) + u[j][k] * arm[l] - u[l][k] * arm[j]);
        u[i][k + 1] = scale * (product(u[j], w[l]) - product(u[l], w[j]));
        q[i + 1][k + 1] =
            scale * (product(q[0], w[i]) + product(q[j + 1], w[l]) - product(q[l + 1], w[j])) / Q(2);
      }
      q[0][k + 1] = -scale * (product(q[1], w[0]) + product(q[2], w[1]) + product(q[3], w[2])) / Q(2);
    }
    for (auto& a : m) sum(a);
    for (auto& a : u) sum(a);
    for (auto& a : q) sum(a);
  }
  for (std::size_t i = 0; i < 3; ++i) s.momentum[i] = m[i][0];
  for (std::size_t i = 0; i < 4; ++i) s.attitude[i] = q[i][0];
  return s;
}

}  // namespace polhode::reference
