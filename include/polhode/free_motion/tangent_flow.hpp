// The derivative of the free motion of the momentum with respect to the momentum, in the principal frame.
//
// The closed form of [exact-flow] is differentiated as it stands: m+ is rational in m and in S, c, d, which
// depend on m through A and A - B alone. docs/tangent-map.md derives what is used here.
#pragma once

#include <array>
#include <limits>

#include "polhode/body/inertia.hpp"
#include "polhode/elliptic/abel.hpp"
#include "polhode/elliptic/legendre.hpp"
#include "polhode/free_motion/axis_renaming.hpp"

namespace polhode::core {

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

 private:
  using Jet = detail::Jet<W>;

  /// As in ClosedForm.
  static constexpr double separatrix_end = 160.0;

  Matrix<W> advance_canonical(const W& h) const {
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
    const auto f = abel(h);
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

}  // namespace polhode::core
