// The heavy top of the tests' reference: its equations integrated by their Taylor series, in any precision.
//
// m' = m x I^-1 m + u x r and u' = u x I^-1 m are quadratic in (m, u), so the coefficients follow from convolutions. Nothing
// here shares a formula with the library.
#pragma once

#include <array>
#include <cstddef>

#include "polhode/arithmetic/vector.hpp"

namespace polhode::reference {

/// Momentum, and the field seen from the body.
template <class Q>
struct Top {
  Vector<Q> momentum, field;
};

/// `count` steps of h. With h at most a quarter of I1/|m| a term is below (1/6.2)^k of the first: 1e-22 at order 28.
template <std::size_t order = 28, class Q>
Top<Q> taylor_top(const Vector<Q>& moments, const Vector<Q>& arm, Top<Q> s, const Q& h, long count) {
  std::array<std::array<Q, order + 1>, 3> m, u, w;
  for (long n = 0; n < count; ++n) {
    for (std::size_t i = 0; i < 3; ++i) {
      m[i][0] = s.momentum[i];
      u[i][0] = s.field[i];
    }
    for (std::size_t k = 0; k < order; ++k) {
      for (std::size_t i = 0; i < 3; ++i) w[i][k] = m[i][k] / moments[i];
      const auto cross_term = [k, &w](const auto& a, std::size_t j, std::size_t l) {
        Q sum(0);
        for (std::size_t p = 0; p <= k; ++p) sum += a[j][p] * w[l][k - p] - a[l][p] * w[j][k - p];
        return sum;
      };
      const Q scale = h / Q(static_cast<double>(k + 1));
      for (std::size_t i = 0; i < 3; ++i) {
        const std::size_t j = (i + 1) % 3, l = (i + 2) % 3;
        m[i][k + 1] = scale * (cross_term(m, j, l) + u[j][k] * arm[l] - u[l][k] * arm[j]);
        u[i][k + 1] = scale * cross_term(u, j, l);
      }
    }
    const auto sum = [](const auto& a) {
      Q total(0);
      for (std::size_t k = order + 1; k-- > 0;) total += a[k];
      return total;
    };
    for (std::size_t i = 0; i < 3; ++i) {
      s.momentum[i] = sum(m[i]);
      s.field[i] = sum(u[i]);
    }
  }
  return s;
}

}  // namespace polhode::reference
