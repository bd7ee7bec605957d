// The free motion in ball arithmetic (Arb): numbers with rigorous bounds of their errors, for a proof of the digits of a result.
//
// The solution is Jacobi's, by theta functions and Carlson's integrals of Arb, with the azimuth and the inclination of the momentum about
// the axis that it circulates about: another frame than the library's, and no line of its code. Link with -lflint-arb -lflint.
#pragma once

#include <acb_elliptic.h>
#include <acb_modular.h>
#include <arb.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "polhode/arithmetic/double_double.hpp"
#include "polhode/body/motion.hpp"

namespace polhode::reference {

/// A real number between two bounds.
class Ball {
 public:
  /// The bits of every operation that follows in this thread.
  static inline thread_local slong precision = 128;

  Ball() { arb_init(x_); }
  Ball(double x) : Ball() { arb_set_d(x_, x); }  // NOLINT(google-explicit-constructor)
  Ball(int x) : Ball() { arb_set_si(x_, x); }    // NOLINT(google-explicit-constructor)
  explicit Ball(const core::DoubleDouble& x) : Ball() {
    Ball low(x.low());
    arb_set_d(x_, x.high());
    arb_add(x_, x_, low.x_, ARF_PREC_EXACT);
  }
  Ball(const Ball& b) : Ball() { arb_set(x_, b.x_); }
  Ball(Ball&& b) noexcept : Ball() { arb_swap(x_, b.x_); }
  Ball& operator=(const Ball& b) {
    arb_set(x_, b.x_);
    return *this;
  }
  Ball& operator=(Ball&& b) noexcept {
    arb_swap(x_, b.x_);
    return *this;
  }
  ~Ball() { arb_clear(x_); }

  static Ball pi() {
    return made([](arb_t r) { arb_const_pi(r, precision); });
  }

  friend Ball operator+(const Ball& a, const Ball& b) {
    return made([&](arb_t r) { arb_add(r, a.x_, b.x_, precision); });
  }
  friend Ball operator-(const Ball& a, const Ball& b) {
    return made([&](arb_t r) { arb_sub(r, a.x_, b.x_, precision); });
  }
  friend Ball operator*(const Ball& a, const Ball& b) {
    return made([&](arb_t r) { arb_mul(r, a.x_, b.x_, precision); });
  }
  friend Ball operator/(const Ball& a, const Ball& b) {
    return made([&](arb_t r) { arb_div(r, a.x_, b.x_, precision); });
  }
  friend Ball operator-(const Ball& a) {
    return made([&](arb_t r) { arb_neg(r, a.x_); });
  }
  friend Ball square(const Ball& a) {
    return made([&](arb_t r) { arb_sqr(r, a.x_, precision); });
  }
  friend Ball sqrt(const Ball& a) {
    return made([&](arb_t r) { arb_sqrt(r, a.x_, precision); });
  }
  friend Ball atan(const Ball& a) {
    return made([&](arb_t r) { arb_atan(r, a.x_, precision); });
  }
  friend Ball asinh(const Ball& a) {
    return made([&](arb_t r) { arb_asinh(r, a.x_, precision); });
  }
  friend Ball tanh(const Ball& a) {
    return made([&](arb_t r) { arb_tanh(r, a.x_, precision); });
  }
  friend Ball sech(const Ball& a) {
    return made([&](arb_t r) { arb_sech(r, a.x_, precision); });
  }
  friend Ball mean(const Ball& a, const Ball& b) {  // arithmetic-geometric
    return made([&](arb_t r) { arb_agm(r, a.x_, b.x_, precision); });
  }
  friend std::pair<Ball, Ball> sine_cosine(const Ball& a) {
    Ball s, c;
    arb_sin_cos(s.x_, c.x_, a.x_, precision);
    return {std::move(s), std::move(c)};
  }
  /// A whole number next to the middle of the ball, and whether it is odd.
  friend std::pair<Ball, bool> near_integer(const Ball& a) {
    Ball result;
    fmpz_t n;
    fmpz_init(n);
    arf_get_fmpz(n, arb_midref(a.x_), ARF_RND_NEAR);
    const bool odd = fmpz_is_odd(n) != 0;
    arb_set_fmpz(result.x_, n);
    fmpz_clear(n);
    return {std::move(result), odd};
  }

  /// The sign where it is known, otherwise zero; for a number without an error it always is.
  int sign() const { return arb_is_positive(x_) ? 1 : arb_is_negative(x_) ? -1 : 0; }
  bool is_zero() const { return arb_is_zero(x_) != 0; }
  bool is_finite() const { return arb_is_finite(x_) != 0; }
  /// Upper bounds of the size and of the radius.
  double largest() const {
    mag_t m;
    mag_init(m);
    arb_get_mag(m, x_);
    const double d = mag_get_d(m);
    mag_clear(m);
    return d;
  }
  double radius() const { return is_finite() ? mag_get_d(arb_radref(x_)) : HUGE_VAL; }

  const arb_t& get() const { return x_; }
  arb_t& get() { return x_; }

  template <class Compute>
  static Ball made(Compute&& compute) {
    Ball r;
    compute(r.x_);
    return r;
  }

 private:
  arb_t x_;
};

namespace ball_detail {

inline Ball carlson_rf(const Ball& x, const Ball& y, const Ball& z) {
  std::array<acb_struct, 4> c;
  for (auto& v : c) acb_init(&v);
  acb_set_arb(&c[1], x.get());
  acb_set_arb(&c[2], y.get());
  acb_set_arb(&c[3], z.get());
  acb_elliptic_rf(&c[0], &c[1], &c[2], &c[3], 0, Ball::precision);
  Ball r;
  arb_set(r.get(), acb_realref(&c[0]));
  for (auto& v : c) acb_clear(&v);
  return r;
}

inline Ball carlson_rj(const Ball& x, const Ball& y, const Ball& z, const Ball& p) {
  std::array<acb_struct, 5> c;
  for (auto& v : c) acb_init(&v);
  acb_set_arb(&c[1], x.get());
  acb_set_arb(&c[2], y.get());
  acb_set_arb(&c[3], z.get());
  acb_set_arb(&c[4], p.get());
  acb_elliptic_rj(&c[0], &c[1], &c[2], &c[3], &c[4], 0, Ball::precision);
  Ball r;
  arb_set(r.get(), acb_realref(&c[0]));
  for (auto& v : c) acb_clear(&v);
  return r;
}

struct Jacobi {
  Ball sn, cn, dn;
};

/// At r, by the theta functions of z = r/(2K) and of zero.
inline Jacobi jacobi(const Ball& r, const Ball& k, const Ball& k1) {
  std::array<acb_struct, 10> c;
  for (auto& v : c) acb_init(&v);
  const Ball first = mean(Ball(1), k1);  // pi/(2K), and of the complementary modulus
  const Ball z = r * first / Ball::pi();
  const Ball ratio = first / mean(Ball(1), k);  // K'/K
  acb_set_arb(&c[0], z.get());
  arb_set(acb_imagref(&c[1]), ratio.get());
  acb_modular_theta(&c[2], &c[3], &c[4], &c[5], &c[0], &c[1], Ball::precision);
  acb_zero(&c[0]);
  acb_modular_theta(&c[6], &c[7], &c[8], &c[9], &c[0], &c[1], Ball::precision);
  const auto real = [&](std::size_t i) {
    Ball b;
    arb_set(b.get(), acb_realref(&c[i]));
    return b;
  };
  Jacobi f{real(8) * real(2) / (real(7) * real(5)), real(9) * real(3) / (real(7) * real(5)),
           real(9) * real(4) / (real(8) * real(5))};
  for (auto& v : c) acb_clear(&v);
  return f;
}

/// Half of the angle whose cosine and sine have the ratio of these, as (cos, sin), up to the sign of both.
inline std::pair<Ball, Ball> half_angle(const Ball& cosine, const Ball& sine) {
  const Ball size = sqrt(square(cosine) + square(sine));
  const Ball c = cosine / size, s = sine / size;
  if (c.sign() < 0) {
    const Ball half = sqrt((Ball(1) - c) / Ball(2));
    return {s / (Ball(2) * half), half};
  }
  const Ball half = sqrt((Ball(1) + c) / Ball(2));
  return {half, s / (Ball(2) * half)};
}

using Turn = std::array<Ball, 4>;

inline Turn operator*(const Turn& p, const Turn& q) {
  return {p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3],
          p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
          p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1],
          p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0]};
}

/// A rotation that takes m to the third axis: by its azimuth about that axis, then by its inclination.
inline Turn frame(const std::array<Ball, 3>& m) {
  const Ball across = sqrt(square(m[0]) + square(m[1]));
  const auto [ca, sa] = half_angle(m[0], m[1]);
  const auto [ci, si] = half_angle(m[2], across);
  const Turn inclination{ci, Ball(0), -si, Ball(0)}, azimuth{ca, Ball(0), Ball(0), -sa};
  return inclination * azimuth;
}

}  // namespace ball_detail

/// The free motion of a body with ascending moments over the time h, with the present precision.
struct BallMotion {
  std::array<Ball, 3> momentum;
  ball_detail::Turn attitude;
  Ball size;  ///< of the momentum

  BallMotion(const core::Vector<double>& moments, const core::State<double>& start, double h) {
    std::array<Ball, 3> i, m;
    for (std::size_t j = 0; j < 3; ++j) {
      i[j] = Ball(moments[j]);
      m[j] = Ball(start.momentum[j]);
    }
    size = sqrt(square(m[0]) + square(m[1]) + square(m[2]));
    ball_detail::Turn turn{Ball(1), Ball(0), Ball(0), Ball(0)};
    momentum = m;
    if (!size.is_zero()) advance(i, m, Ball(h), turn);
    ball_detail::Turn q;
    Ball norm2(0);
    for (std::size_t j = 0; j < 4; ++j) {
      q[j] = Ball(start.attitude[j]);
      norm2 = norm2 + square(q[j]);
    }
    const Ball norm = sqrt(norm2);
    for (auto& x : q) x = x / norm;
    attitude = ball_detail::operator*(q, turn);
  }

  /// The largest radius, of the momentum in units of its size.
  double radius() const {
    double worst = 0;
    for (const Ball& x : momentum) worst = std::max(worst, (x / size).radius());
    for (const Ball& x : attitude) worst = std::max(worst, x.radius());
    return worst;
  }

 private:
  /// Numbers without errors: what decides between cases has none.
  static Ball exact_product(const Ball& a, const Ball& b) {
    return Ball::made([&](arb_t r) { arb_mul(r, a.get(), b.get(), ARF_PREC_EXACT); });
  }
  static Ball exact_difference(const Ball& a, const Ball& b) {
    return Ball::made([&](arb_t r) { arb_sub(r, a.get(), b.get(), ARF_PREC_EXACT); });
  }
  /// I1 I2 I3 (a1 m3^2 - a3 m1^2)
  static Ball gap(const std::array<Ball, 3>& i, const std::array<Ball, 3>& m) {
    return exact_difference(
        exact_product(exact_product(i[0], exact_difference(i[2], i[1])), exact_product(m[2], m[2])),
        exact_product(exact_product(i[2], exact_difference(i[1], i[0])), exact_product(m[0], m[0])));
  }

  void rotate_about_momentum(const std::array<Ball, 3>& m, const Ball& moment, const Ball& h,
                             ball_detail::Turn& turn) const {
    const auto [s, c] = sine_cosine(size * h / (Ball(2) * moment));
    turn = {c, s * m[0] / size, s * m[1] / size, s * m[2] / size};
  }

  void advance(std::array<Ball, 3> i, std::array<Ball, 3> m, const Ball& h, ball_detail::Turn& turn) {
    using ball_detail::Turn;
    int zeros = 0;
    std::size_t axis = 0;
    for (std::size_t j = 0; j < 3; ++j) m[j].is_zero() ? ++zeros : static_cast<int>(axis = j);
    if (zeros == 2) return rotate_about_momentum(m, i[axis], h, turn);
    if (exact_difference(i[2], i[0]).is_zero()) return rotate_about_momentum(m, i[0], h, turn);
    const bool exchanged = gap(i, m).sign() < 0;
    if (exchanged) {
      std::swap(i[0], i[2]);
      std::swap(m[0], m[2]);
      m[1] = -m[1];
    }
    const bool flipped = m[2].sign() < 0;
    if (flipped) {
      m[0] = -m[0];
      m[2] = -m[2];
    }
    const Ball g = gap(i, m);
    const bool separatrix = g.is_zero();
    // Across the axis of a symmetric body.
    if (separatrix && (exact_difference(i[1], i[2]).is_zero() || exact_difference(i[1], i[0]).is_zero())) {
      Turn about;
      rotate_about_momentum(m, i[1], h, about);
      turn = outward(about, exchanged, flipped);
      return;
    }
    const Ball a1 = exact_difference(i[2], i[1]) / (i[1] * i[2]),
               a2 = exact_difference(i[2], i[0]) / (i[0] * i[2]),
               a3 = exact_difference(i[1], i[0]) / (i[0] * i[1]);
    const Ball j1 = a2 * square(m[0]) + a1 * square(m[1]), j3 = a2 * square(m[2]) + a3 * square(m[1]);
    const Ball rate = exchanged ? -sqrt(a1 * j3) : sqrt(a1 * j3);
    const std::array<Ball, 3> amplitude{sqrt(j1 / a2), sqrt(j1 / a1), sqrt(j3 / a2)};
    const Ball nu = a3 / a1;  // m1^2 + m2^2 = (J1/a2)(1 + nu sn^2)

    // The end and the integral of 1/(1 + nu sn^2) over the phase.
    Ball third;
    std::array<Ball, 3> end;
    if (separatrix) {
      const Ball parity(m[0].sign());
      const Ball from = asinh(m[1] * amplitude[0] / (amplitude[1] * m[0])), to = from + rate * h;
      const Ball root = sqrt(nu);
      const auto integral = [&](const Ball& u) { return (u + root * atan(root * tanh(u))) / (Ball(1) + nu); };
      third = integral(to) - integral(from);
      end = {parity * amplitude[0] * sech(to), parity * amplitude[1] * tanh(to), amplitude[2] * sech(to)};
    } else {
      const Ball k2 = a3 * j1 / (a1 * j3), k1 = sqrt(a2 * g / (i[0] * i[1] * i[2] * a1 * j3));
      const Ball k = sqrt(k2);
      const bool circular = k2.is_zero();
      const Ball quarter = Ball::pi() / (Ball(2) * mean(Ball(1), k1));
      const bool start_odd = m[0].sign() < 0;
      const Ball parity(start_odd ? -1 : 1);
      const Ball sn = parity * m[1] / amplitude[1], cn = parity * m[0] / amplitude[0],
                 dn = m[2] / amplitude[2];
      const Ball complete =
          quarter - nu / Ball(3) * ball_detail::carlson_rj(Ball(0), square(k1), Ball(1), Ball(1) + nu);
      const auto principal = [&](const Ball& r, const Ball& s, const Ball& c, const Ball& d) {
        const Ball ss = square(s);
        return r - nu / Ball(3) * s * ss *
                       ball_detail::carlson_rj(square(c), square(d), Ball(1), Ball(1) + nu * ss);
      };
      const Ball r0 = sn * ball_detail::carlson_rf(square(cn), square(dn), Ball(1));
      const Ball u1 = r0 + rate * h;
      const auto [count, odd] = near_integer(u1 / (Ball(2) * quarter));
      const Ball r1 = u1 - Ball(2) * count * quarter;
      ball_detail::Jacobi f;
      if (circular) {
        const auto [s, c] = sine_cosine(r1);
        f = {s, c, Ball(1)};
      } else {
        f = ball_detail::jacobi(r1, k, k1);
      }
      if (f.cn.sign() <= 0) {  // not known to be on the principal branch
        arb_indeterminate(momentum[0].get());
        return;
      }
      third = principal(r1, f.sn, f.cn, f.dn) - principal(r0, sn, cn, dn) + Ball(2) * count * complete;
      const Ball end_parity(start_odd != odd ? -1 : 1);
      end = {end_parity * amplitude[0] * f.cn, end_parity * amplitude[1] * f.sn, amplitude[2] * f.dn};
    }
    const auto [s, c] = sine_cosine((size * h / i[2] + size * a2 / rate * third) / Ball(2));
    Turn back = ball_detail::frame(m);
    for (std::size_t j = 1; j < 4; ++j) back[j] = -back[j];
    turn = outward(ball_detail::operator*(ball_detail::operator*(back, Turn{c, Ball(0), Ball(0), s}),
                                          ball_detail::frame(end)),
                   exchanged, flipped);
    const Turn vector = outward({Ball(0), end[0], end[1], end[2]}, exchanged, flipped);
    momentum = {vector[1], vector[2], vector[3]};
  }

  static ball_detail::Turn outward(ball_detail::Turn t, bool exchanged, bool flipped) {
    if (flipped) {
      t[1] = -t[1];
      t[3] = -t[3];
    }
    if (exchanged) {
      std::swap(t[1], t[3]);
      t[2] = -t[2];
    }
    return t;
  }
};

/// Upper bounds of the errors of a state: of the components of the momentum in units of its size, and of the attitude up to its sign.
struct ProvedErrors {
  double momentum = HUGE_VAL, attitude = HUGE_VAL;
};

/// Of `end` after the time h; infinite where no precision up to `most_bits` gives balls below `radius`.
template <class T>
ProvedErrors proved_errors(const core::Vector<double>& moments, const core::State<double>& start, double h,
                           const core::State<T>& end, double radius = 1e-22, slong most_bits = 1 << 14) {
  for (slong bits = 192; bits <= most_bits; bits *= 2) {
    Ball::precision = bits;
    const BallMotion truth(moments, start, h);
    if (!(truth.radius() < radius)) continue;
    ProvedErrors e{0, 0};
    for (std::size_t j = 0; j < 3; ++j)
      e.momentum = std::max(e.momentum, ((Ball(end.momentum[j]) - truth.momentum[j]) / truth.size).largest());
    double same = 0, opposite = 0;
    for (std::size_t j = 0; j < 4; ++j) {
      same = std::max(same, (Ball(end.attitude[j]) - truth.attitude[j]).largest());
      opposite = std::max(opposite, (Ball(end.attitude[j]) + truth.attitude[j]).largest());
    }
    e.attitude = std::min(same, opposite);
    return e;
  }
  return {};
}

}  // namespace polhode::reference
