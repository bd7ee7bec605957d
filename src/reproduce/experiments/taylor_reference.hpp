// The truth about a top, by the Taylor series of the equations of motion in double-double: slow, and independent of every
// method that is measured against it.
#pragma once

#include <array>
#include <cmath>

#include "polhode/arithmetic/double_double_functions.hpp"
#include "polhode/body/motion.hpp"

namespace polhode::program::experiments {

/// Momentum, attitude, and the field seen from the body.
struct TopState {
  Vector<DoubleDouble> momentum;
  Quaternion<DoubleDouble> attitude;
  Vector<DoubleDouble> field;
};

/// m' = m x w + u x e3, u' = u x w, q' = q (0, w)/2, w = I^-1 m, to the given time, from an attitude of identity with the
/// field u0. Without a field this is the free body. The steps are a fifth of the time in which the body turns by a radian,
/// where 26 terms leave 1e-19.
inline TopState taylor_reference(const Vector<double>& moments, const Vector<double>& momentum,
                                 const Vector<double>& field, const DoubleDouble& time) {
  using W = DoubleDouble;
  constexpr std::size_t order = 26;
  using Series = std::array<W, order + 1>;
  const auto product = [](const Series& a, const Series& b, std::size_t k) {
    W total(0);
    for (std::size_t j = 0; j <= k; ++j) total += a[j] * b[k - j];
    return total;
  };
  TopState s{convert<W>(momentum), Quaternion<W>(), convert<W>(field)};
  const bool driven = !(field == Vector<double>{});
  const double size =
      static_cast<double>(norm(s.momentum)) + norm(field) * std::abs(static_cast<double>(time));
  const double fastest = size / std::min({moments[0], moments[1], moments[2]});
  const double count = std::max(1.0, std::ceil(5 * std::abs(static_cast<double>(time)) * fastest));
  const W h = time / W(count);
  std::array<Series, 3> m, w, u;
  std::array<Series, 4> q;
  for (double n = 0; n < count; ++n) {
    for (std::size_t i = 0; i < 3; ++i) {
      m[i][0] = s.momentum[i];
      u[i][0] = s.field[i];
    }
    for (std::size_t i = 0; i < 4; ++i) q[i][0] = s.attitude[i];
    for (std::size_t k = 0; k < order; ++k) {
      const W scale = h / W(static_cast<double>(k + 1));
      for (std::size_t i = 0; i < 3; ++i) w[i][k] = m[i][k] / W(moments[i]);
      for (std::size_t i = 0; i < 3; ++i) {
        const std::size_t j = (i + 1) % 3, l = (i + 2) % 3;
        m[i][k + 1] = scale * (product(m[j], w[l], k) - product(m[l], w[j], k));
        q[i + 1][k + 1] =
            scale * (product(q[0], w[i], k) + product(q[j + 1], w[l], k) - product(q[l + 1], w[j], k)) / W(2);
        if (driven) u[i][k + 1] = scale * (product(u[j], w[l], k) - product(u[l], w[j], k));
      }
      q[0][k + 1] =
          -scale * (product(q[1], w[0], k) + product(q[2], w[1], k) + product(q[3], w[2], k)) / W(2);
      if (driven) {
        m[0][k + 1] += scale * u[1][k];
        m[1][k + 1] -= scale * u[0][k];
      }
    }
    const auto sum = [](const Series& a) {
      W total(0);
      for (std::size_t k = order + 1; k-- > 0;) total += a[k];
      return total;
    };
    for (std::size_t i = 0; i < 3; ++i) {
      s.momentum[i] = sum(m[i]);
      if (driven) s.field[i] = sum(u[i]);
    }
    for (std::size_t i = 0; i < 4; ++i) s.attitude[i] = sum(q[i]);
  }
  return s;
}

}  // namespace polhode::program::experiments
