// The derivative of the free motion of the momentum with respect to the momentum, in the principal frame.
//
// The closed form of [exact-flow] is differentiated as it stands: m+ is rational in m and in S, c, d, which
// depend on m through A and A - B alone. docs/tangent-map.md derives what is used here.
#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "polhode/body/inertia.hpp"
#include "polhode/elliptic/abel.hpp"
#include "polhode/elliptic/legendre.hpp"
#include "polhode/free_motion/axis_renaming.hpp"

namespace POLHODE_CORE {

namespace detail {

/// A function of the moduli with its two derivatives: by A where A - B is held, and by A - B where A is. These two, and
/// not A and B, because next to the separatrix everything hangs on A - B.
template <Scalar W>
struct Jet {
  W value{};
  W by_a{};
  W by_gap{};

  constexpr Jet() = default;
  explicit constexpr Jet(double constant) : value(constant) {}
  explicit constexpr Jet(int constant) : value(constant) {}
  constexpr Jet(const W& v, const W& a, const W& gap) : value(v), by_a(a), by_gap(gap) {}
  explicit operator double() const { return static_cast<double>(value); }

  friend Jet operator-(const Jet& x) { return {-x.value, -x.by_a, -x.by_gap}; }
  friend Jet operator+(const Jet& x, const Jet& y) {
    return {x.value + y.value, x.by_a + y.by_a, x.by_gap + y.by_gap};
  }
  friend Jet operator-(const Jet& x, const Jet& y) {
    return {x.value - y.value, x.by_a - y.by_a, x.by_gap - y.by_gap};
  }
  friend Jet operator*(const Jet& x, const Jet& y) {
    return {x.value * y.value, x.value * y.by_a + x.by_a * y.value, x.value * y.by_gap + x.by_gap * y.value};
  }
  /// From the quotient, not from 1/y: its derivative, of size 1/y^2, would overflow first.
  friend Jet operator/(const Jet& x, const Jet& y) {
    const W quotient = x.value / y.value;
    return {quotient, (x.by_a - quotient * y.by_a) / y.value, (x.by_gap - quotient * y.by_gap) / y.value};
  }
  Jet& operator+=(const Jet& y) { return *this = *this + y; }
  Jet& operator-=(const Jet& y) { return *this = *this - y; }
  Jet& operator*=(const Jet& y) { return *this = *this * y; }
  Jet& operator/=(const Jet& y) { return *this = *this / y; }
  friend bool operator<(const Jet& x, const Jet& y) { return x.value < y.value; }
  friend bool operator==(const Jet& x, const Jet& y) { return x.value == y.value; }

  friend Jet sqrt(const Jet& x) {
    using core::sqrt;
    const W root = sqrt(x.value);
    const W factor = W(1) / (W(2) * root);
    return {root, factor * x.by_a, factor * x.by_gap};
  }
};

/// cosh(lambda t) and sinh(lambda t)/lambda.
template <Scalar W>
struct Hyperbolic {
  W cosh;
  W sinh;
};

/// From lambda^2, which may be zero, by the series and doubling. Not finite where cosh is not.
template <Scalar W>
Hyperbolic<W> hyperbolic(const W& lambda2, W t) {
  int doublings = 0;
  while (lambda2 * t * t > W(0x1p-8)) {
    t /= W(2);
    ++doublings;
  }
  const W x = lambda2 * t * t;
  W versed(1), sinh(1);  // x^n / (2n + 2)! times 2, and x^n / (2n + 1)!, summed from the far end
  for (int n = 14; n > 0; --n) {
    versed = W(1) + x / W(static_cast<double>((2 * n + 1) * (2 * n + 2))) * versed;
    sinh = W(1) + x / W(static_cast<double>(2 * n * (2 * n + 1))) * sinh;
  }
  Hyperbolic<W> f{W(1) + x / W(2) * versed, t * sinh};
  for (; doublings > 0; --doublings) f = {W(1) + W(2) * lambda2 * f.sinh * f.sinh, W(2) * f.sinh * f.cosh};
  return f;
}

}  // namespace detail

/// dm+/dm of the free motion through one momentum, for any time.
///
/// W is the scalar of the computation; `bits` is the relative accuracy wanted of it. It is relative to the norm of the
/// result, however large that is, and holds in all cases: sums in which large terms cancel are avoided as they are
/// in ClosedForm.
template <Scalar W, int bits = std::numeric_limits<W>::digits + 2>
class MomentumTangent {
 public:
  /// As for ClosedForm: m in the principal frame, of a size near one.
  template <class T>
  MomentumTangent(const Inertia<T>& inertia, const Vector<W>& m)
      : orientation_(inertia, m), body_(orientation_, inertia), m_(orientation_.inward(m)) {
    const W j1 = body_.a2 * square(m_[0]) + body_.a1 * square(m_[1]);
    const W j3 = body_.a2 * square(m_[2]) + body_.a3 * square(m_[1]);
    moduli_ = {body_.a1 * j3, body_.a3 * j1,
               body_.a2 * (body_.a1 * square(m_[2]) - body_.a3 * square(m_[0]))};
    by_a_ = W(2) * body_.a1 * Vector<W>{{W(0), body_.a3 * m_[1], body_.a2 * m_[2]}};
    by_gap_ = W(2) * body_.a2 * Vector<W>{{-(body_.a3 * m_[0]), W(0), body_.a1 * m_[2]}};
    lambda_ = sqrt(moduli_.a);
  }

  /// The derivative of the momentum after the time h of either sign.
  Matrix<W> advance(const W& h) const {
    const Matrix<W> canonical = advance_canonical(h);
    Matrix<W> columns;
    for (std::size_t j = 0; j < 3; ++j) {
      Vector<W> axis{};
      axis[j] = W(1);
      columns[j] = orientation_.outward(canonical * orientation_.inward(axis));
    }
    return transpose(columns);
  }

  /// What the motion over the time h owes to the inverse moments 1/Ij, in the principal frame: the derivatives of the
  /// momentum after it, and the integrals of mj^2 along it.
  struct ByInverseMoments {
    std::array<Vector<W>, 3> momentum;
    Vector<W> squares;
  };
  ByInverseMoments by_inverse_moments(const W& h) const {
    const ByConstants c = by_constants(h);
    // a1 = 1/I2 - 1/I3 and a3 = 1/I1 - 1/I2, of the renamed axes.
    ByInverseMoments result{{orientation_.outward(c.by_a3), orientation_.outward(c.by_a1 - c.by_a3),
                             orientation_.outward(-c.by_a1)},
                            {W(0), c.square2, W(0)}};
    const bool sphere = body_.a2 == W(0);
    const W j1 = body_.a2 * square(m_[0]) + body_.a1 * square(m_[1]);
    const W j3 = body_.a2 * square(m_[2]) + body_.a3 * square(m_[1]);
    result.squares[0] = sphere ? h * square(m_[0]) : (j1 * h - body_.a1 * c.square2) / body_.a2;
    result.squares[2] = sphere ? h * square(m_[2]) : (j3 * h - body_.a3 * c.square2) / body_.a2;
    if (orientation_.exchanged()) {
      std::swap(result.momentum[0], result.momentum[2]);
      std::swap(result.squares[0], result.squares[2]);
    }
    return result;
  }

 private:
  using Jet = detail::Jet<W>;

  /// In the renamed frame: dm+ by a1 and by a3 (a2 is their sum), and the integral of m2^2.
  struct ByConstants {
    Vector<W> by_a1, by_a3;
    W square2;
  };

  ByConstants by_constants(const W& h) const {
    if (m_[0] == W(0) && m_[2] == W(0)) return {{}, {}, h * square(m_[1])};
    if (moduli_.difference == W(0)) {
      if (!(lambda_ * abs(h) > W(separatrix_end))) return constants_within(h, false, W(0), W(0), W(0));
      const W arrival = (h < W(0) ? W(-separatrix_end) : W(separatrix_end)) / lambda_;
      Vector<W> end;
      within_half_period(arrival, false, Vector<W>{}, &end);
      const ByConstants first = constants_within(arrival, false, W(0), W(0), W(0));
      const Matrix<W> rest = beside_axis_2(end[1], h - arrival);
      return {rest * first.by_a1, rest * first.by_a3, first.square2 + (h - arrival) * square(end[1])};
    }
    if (lambda_ * abs(h) > W(1.5)) {
      const W half_period = elliptic::detail::abel_half_period(moduli_);
      const W count = floor(h / half_period + W(0.5));
      if (!(count == W(0))) {
        const W k1 = sqrt(moduli_.difference / moduli_.a);
        const W cosine = elliptic::detail::bulirsch_cel<W>(k1, W(1), W(1), W(0));
        const W sine = elliptic::detail::bulirsch_cel<W>(k1, W(1), W(0), W(1));
        // dP by the gap and by A, and the integral of S^2 over P.
        return constants_within(h - count * half_period, !(floor(count / W(2)) * W(2) == count),
                                count * cosine / (lambda_ * moduli_.difference),
                                count * sine / (lambda_ * moduli_.a),
                                count * W(2) * sine / (lambda_ * moduli_.a));
      }
    }
    return constants_within(h, false, W(0), W(0), W(0));
  }

  /// h: what is left of the time when the half periods are taken off; delays: its derivatives by the gap and by A; squares: the
  /// integral of S^2 over the half periods.
  ByConstants constants_within(const W& h, bool odd, const W& delay_by_gap, const W& delay_by_a,
                               const W& squares) const {
    const auto f = abel(h);
    const W &s = f.s.value, &c = f.c.value, &d = f.d.value;
    const W turn = W(odd ? -1 : 1);
    const Vector<W> m{{turn * m_[0], turn * m_[1], m_[2]}};
    const W &a1 = body_.a1, &a2 = body_.a2, &a3 = body_.a3;
    const W inverse = W(1) / (square(c) + a1 * a2 * square(s * m[2]));
    const Vector<W> end{{(m[0] * c - a1 * s * d * m[1] * m[2]) * inverse,
                         (m[1] * c * d + a2 * s * m[0] * m[2]) * inverse,
                         (m[2] * d - a3 * s * c * m[0] * m[1]) * inverse}};
    const Vector<W> rate{{-(a1 * end[1] * end[2]), a2 * end[0] * end[2], -(a3 * end[0] * end[1])}};
    const W gap = a1 * square(m[2]) - a3 * square(m[0]);  // over a2
    const auto by = [&](const W& da1, const W& da3) {
      const W da2 = da1 + da3;
      const W d_a =
          da1 * (a2 * square(m[2]) + a3 * square(m[1])) + a1 * (da2 * square(m[2]) + da3 * square(m[1]));
      const W d_gap = da2 * gap + a2 * (da1 * square(m[2]) - da3 * square(m[0]));
      // Where A = B = 0 a derivative may be infinite that nothing asks for.
      const auto change = [&](const Jet& x) {
        return (d_a == W(0) ? W(0) : x.by_a * d_a) + (d_gap == W(0) ? W(0) : x.by_gap * d_gap);
      };
      const W ds = change(f.s), dc = change(f.c), dd = change(f.d);
      const W denominator =
          W(2) * c * dc + square(m[2]) * ((da1 * a2 + a1 * da2) * square(s) + W(2) * a1 * a2 * s * ds);
      const Vector<W> numerator{{m[0] * dc - m[1] * m[2] * (da1 * s * d + a1 * (d * ds + s * dd)),
                                 m[1] * (d * dc + c * dd) + m[0] * m[2] * (da2 * s + a2 * ds),
                                 m[2] * dd - m[0] * m[1] * (da3 * s * c + a3 * (c * ds + s * dc))}};
      return inverse * (numerator - denominator * end) + (delay_by_gap * d_gap + delay_by_a * d_a) * rate;
    };
    const W j1 = a2 * square(m[0]) + a1 * square(m[1]), j3 = a2 * square(m[2]) + a3 * square(m[1]);
    const W swing = j1 * j3 == W(0) ? W(0) : j1 * j3 * (squares + square_integral(h));
    return {by(W(1), W(0)), by(W(0), W(1)), swing + s * m[1] * end[1]};
  }

  /// The integral J of S^2 from 0 to h: by the series of S^2, whose second derivative is 2 - 4 (A + B) S^2 + 6 A B S^4, and
  /// the doubling J(2 t) = 2 J(t) + S(t)^2 S(2 t).
  W square_integral(const W& h) const {
    W t = h;
    int doublings = 0;
    const W limit = W(std::min(0x1p-8, elliptic::detail::abel_series_limit(bits + 4)));
    while (moduli_.a * t * t > limit) {
      t /= W(2);
      ++doublings;
    }
    constexpr std::size_t terms = 18;
    std::array<W, terms> y{};
    y[0] = W(0);
    y[1] = W(1);
    const W sum = W(-4) * (moduli_.a + moduli_.b), product = W(6) * moduli_.a * moduli_.b;
    for (std::size_t k = 2; k < terms; ++k) {
      W squared(0);
      for (std::size_t i = 1; i + 1 < k; ++i) squared += y[i] * y[k - 1 - i];
      y[k] = (sum * y[k - 1] + product * squared) / W(static_cast<double>(2 * k * (2 * k - 1)));
    }
    const W x = t * t;
    W series(0);
    for (std::size_t k = terms - 1; k > 0; --k)
      series = (series + y[k] / W(static_cast<double>(2 * k + 1))) * x;
    W result = series * t;
    auto f = elliptic::detail::abel_series<W>(moduli_, t);
    for (; doublings > 0; --doublings) {
      const W before = square(f.s);
      f = elliptic::detail::abel_double(moduli_, f);
      result = W(2) * result + before * f.s;
    }
    return result;
  }

  /// As in ClosedForm.
  static constexpr double separatrix_end = 160.0;
  /// From this angle on the momentum stays, as it does there; what a period owes to m still grows.
  static constexpr double phase_limit = 0x1p100;

  Matrix<W> advance_canonical(const W& h) const {
    if (body_.a2 == W(0)) return Matrix<W>::identity();  // a sphere
    if (m_[0] == W(0) && m_[2] == W(0)) return beside_axis_2(m_[1], h);
    if (moduli_.difference == W(0)) {
      if (!(lambda_ * abs(h) > W(separatrix_end))) return within_half_period(h, false, Vector<W>{});
      // The momentum has come to rest: what follows is the motion next to axis 2.
      const W arrival = (h < W(0) ? W(-separatrix_end) : W(separatrix_end)) / lambda_;
      Vector<W> end;
      const Matrix<W> first = within_half_period(arrival, false, Vector<W>{}, &end);
      return beside_axis_2(end[1], h - arrival) * first;
    }
    if (lambda_ * abs(h) > W(1.5)) {
      const W half_period = elliptic::detail::abel_half_period(moduli_);
      if (lambda_ * abs(h) >= W(phase_limit))
        return within_half_period(W(0), false, (-(h / half_period)) * half_period_gradient());
      const W count = floor(h / half_period + W(0.5));
      if (!(count == W(0)))
        return within_half_period(h - count * half_period, !(floor(count / W(2)) * W(2) == count),
                                  (-count) * half_period_gradient());
    }
    return within_half_period(h, false, Vector<W>{});
  }

  /// The motion linearised about a rest on axis 2, where m2 is the momentum.
  Matrix<W> beside_axis_2(const W& m2, const W& h) const {
    const auto f = detail::hyperbolic<W>(body_.a1 * body_.a3 * square(m2), h);
    return {{Vector<W>{{f.cosh, W(0), -(body_.a1 * m2 * f.sinh)}}, Vector<W>{{W(0), W(1), W(0)}},
             Vector<W>{{-(body_.a3 * m2 * f.sinh), W(0), f.cosh}}}};
  }

  /// dP/dm, P = 2 K/sqrt(A): the combinations of K and E that are left are Legendre's integrals of cos^2/Delta
  /// and of sin^2/Delta, both positive and regular at k = 0 and k = 1.
  Vector<W> half_period_gradient() const {
    const W k1 = sqrt(moduli_.difference / moduli_.a);
    const W cosine = elliptic::detail::bulirsch_cel<W>(k1, W(1), W(1), W(0));
    const W sine = elliptic::detail::bulirsch_cel<W>(k1, W(1), W(0), W(1));
    return (-cosine / (lambda_ * moduli_.difference)) * by_gap_ + (-sine / (lambda_ * moduli_.a)) * by_a_;
  }

  /// S, c and d at the time h with their derivatives.
  elliptic::AbelFunctions<Jet> abel(const W& h) const {
    const elliptic::AbelModuli<Jet> moduli{
        {moduli_.a, W(1), W(0)}, {moduli_.b, W(1), W(-1)}, {moduli_.difference, W(0), W(1)}};
    W t = h;
    int doublings = 0;
    // Four bits more, since the term that is left out has a derivative twelve times as large.
    const W limit = W(elliptic::detail::abel_series_limit(bits + 4));
    while (moduli_.a * t * t > limit) {
      t /= W(2);
      ++doublings;
    }
    auto f = elliptic::detail::abel_series<Jet>(moduli, Jet(t, W(0), W(0)));
    for (; doublings > 0; --doublings) f = doubled(moduli, f);
    return f;
  }

  /// abel_double, with quotients that neither overflow nor cancel when they are differentiated: where c and d go to
  /// zero, dS is a small difference, and comes from that of c by A S^2 = 1 - c^2.
  static elliptic::AbelFunctions<Jet> doubled(const elliptic::AbelModuli<Jet>& m,
                                              const elliptic::AbelFunctions<Jet>& f) {
    const Jet s2 = f.s * f.s;
    const Jet cd = f.c * f.d;
    const Jet cd2 = cd * cd;
    const Jet gap = m.difference * s2;
    const Jet n = f.c * f.c + m.a * s2 * (f.d * f.d);
    elliptic::AbelFunctions<Jet> g{Jet(2) * f.s * cd / n, (cd2 - gap) / n, (cd2 + gap) / n};
    if (W(2) * square(g.c.value) < W(1)) {
      const W inverse = W(-1) / (m.a.value * g.s.value);
      g.s.by_a = (square(g.s.value) / W(2) + g.c.value * g.c.by_a) * inverse;
      g.s.by_gap = g.c.value * g.c.by_gap * inverse;
    }
    return g;
  }

  /// The gradient of a function of the moduli with respect to m.
  Vector<W> gradient(const Jet& f) const { return f.by_a * by_a_ + f.by_gap * by_gap_; }

  /// |h| at most a quarter of the period; delay: the gradient of h, from the half periods that were taken off; odd: their
  /// number was, and each is a turn of the momentum by pi about the third axis.
  Matrix<W> within_half_period(const W& h, bool odd, const Vector<W>& delay,
                               Vector<W>* momentum = nullptr) const {
    // Where A = B = 0 their gradients are zero, too, and the derivatives of the series overflow in a long step.
    const auto f =
        moduli_.a == W(0) ? elliptic::AbelFunctions<Jet>{{h, W(0), W(0)}, Jet(1), Jet(1)} : abel(h);
    const W &s = f.s.value, &c = f.c.value, &d = f.d.value;
    const Vector<W> ds = gradient(f.s), dc = gradient(f.c), dd = gradient(f.d);
    const W turn = W(odd ? -1 : 1);
    const Vector<W> m{{turn * m_[0], turn * m_[1], m_[2]}};
    const Vector<W> e1{{turn, W(0), W(0)}}, e2{{W(0), turn, W(0)}}, e3{{W(0), W(0), W(1)}};
    const auto& [a1, a2, a3, inverse2, inverse3] = body_;

    const W inverse = W(1) / (square(c) + a1 * a2 * square(s * m[2]));
    const Vector<W> end{{(m[0] * c - a1 * s * d * m[1] * m[2]) * inverse,
                         (m[1] * c * d + a2 * s * m[0] * m[2]) * inverse,
                         (m[2] * d - a3 * s * c * m[0] * m[1]) * inverse}};
    const Vector<W> denominator = W(2) * (c * dc + (a1 * a2 * s * m[2]) * (m[2] * ds + s * e3));
    const Vector<W> rate{{-(a1 * end[1] * end[2]), a2 * end[0] * end[2], -(a3 * end[0] * end[1])}};
    const std::array<Vector<W>, 3> numerator{
        c * e1 + m[0] * dc - a1 * ((s * d) * (m[2] * e2 + m[1] * e3) + (m[1] * m[2]) * (d * ds + s * dd)),
        (c * d) * e2 + m[1] * (d * dc + c * dd) + a2 * (s * (m[2] * e1 + m[0] * e3) + (m[0] * m[2]) * ds),
        d * e3 + m[2] * dd - a3 * ((s * c) * (m[1] * e1 + m[0] * e2) + (m[0] * m[1]) * (c * ds + s * dc))};
    Matrix<W> result;
    for (std::size_t i = 0; i < 3; ++i)
      result[i] = inverse * (numerator[i] - end[i] * denominator) + rate[i] * delay;
    if (momentum) *momentum = end;
    return result;
  }

  AxisRenaming<W> orientation_;
  RenamedBody<W> body_;
  Vector<W> m_;
  Vector<W> by_a_, by_gap_;  // the gradients of A and of A - B
  W lambda_;
  elliptic::AbelModuli<W> moduli_;
};

}  // namespace POLHODE_CORE
