// The exact free motion for a step of any length: closed form, constant cost.
//
// The formulas hold for every body and every momentum without a case distinction in the mathematics; what is
// distinguished is where a formula would lose digits. docs/exact-flow.md derives them.
#pragma once

#include <variant>

#include "polhode/arithmetic/double_double_functions.hpp"
#include "polhode/arithmetic/quaternion.hpp"
#include "polhode/arithmetic/ranged.hpp"
#include "polhode/body/inertia.hpp"
#include "polhode/elliptic/abel.hpp"
#include "polhode/elliptic/carlson.hpp"
#include "polhode/elliptic/legendre.hpp"
#include "polhode/free_motion/axis_renaming.hpp"

namespace POLHODE_CORE {

/// The result of a free motion over some time: the new momentum, and the rotation r (a unit quaternion) by
/// which the attitude is multiplied from the right, q -> q r. The sign of r is that of the continuous motion.
template <Scalar W>
struct Displacement {
  Vector<W> momentum;
  Quaternion<W> rotation;
};

namespace detail {

template <Scalar W>
struct Complex {
  W re;
  W im;
  friend Complex operator*(const Complex& a, const Complex& b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  }
};

template <Scalar W>
Complex<W> conjugate(const Complex<W>& a) {
  return {a.re, -a.im};
}

/// A positive multiple of the principal square root of z: half the argument, which lies in (-pi, pi).
template <Scalar W>
Complex<W> half_argument(Complex<W> z) {
  // The numbers are squares of small components: bring them next to one, so that their own squares do not vanish.
  const W larger = abs(z.re) < abs(z.im) ? abs(z.im) : abs(z.re);
  if (!(larger > W(0)) || !isfinite(larger)) return z;
  const auto exponent = -binary_exponent(larger);
  z = {ldexp(z.re, exponent), ldexp(z.im, exponent)};
  const W size = sqrt(z.re * z.re + z.im * z.im);
  if (z.re < W(0)) {
    const W im = sqrt((size - z.re) / W(2));
    return {abs(z.im) / (W(2) * im), z.im < W(0) ? -im : im};
  }
  const W re = sqrt((size + z.re) / W(2));
  return {re, z.im / (W(2) * re)};
}

/// z scaled to a norm near one. Only the argument matters, so a rounded factor will do.
template <Scalar W>
Complex<W> trimmed(const Complex<W>& z) {
  const double re = static_cast<double>(z.re), im = static_cast<double>(z.im);
  const W scale = W(1.0 / std::sqrt(re * re + im * im));
  return {z.re * scale, z.im * scale};
}

}  // namespace detail

/// The free motion through one momentum. All that does not depend on the time is computed once, on construction.
///
/// W is the scalar of the computation; `bits` is the relative accuracy wanted of it. For a result in double, W is
/// DoubleDouble and 64 bits leave the last rounding as the only error that counts.
///
/// Inside, the axes are renamed so that the momentum circulates about the positive third one (AxisRenaming).
template <Scalar W, int bits = std::numeric_limits<W>::digits + 2>
class ClosedForm {
 public:
  /// inverse = 1/Ij and a1, a3 (>= 0) as in Inertia; m in the principal frame, not zero.
  template <class T>
  ClosedForm(const Inertia<T>& inertia, const Vector<W>& m)
      : orientation_(inertia, m), body_(orientation_, inertia), m_(orientation_.inward(m)) {
    size_ = norm(m_);
    const W j1 = body_.a2 * square(m_[0]) + body_.a1 * square(m_[1]);
    const W j3 = body_.a2 * square(m_[2]) + body_.a3 * square(m_[1]);
    moduli_ = {body_.a1 * j3, body_.a3 * j1,
               body_.a2 * (body_.a1 * square(m_[2]) - body_.a3 * square(m_[0]))};
    n_ = body_.a3 * j3;
    lambda_ = sqrt(moduli_.a);
  }

  /// The motion over the time h of either sign. An error of the phase is that of h in W. Where that is all of it, from 2^100 radians on,
  /// the phase stays what it is: the invariants are kept over any time, and nothing is left of the phase to be known.
  Displacement<W> advance(const W& h) const {
    const Displacement<W> d = advance_canonical(h);
    return {orientation_.outward(d.momentum),
            Quaternion<W>(d.rotation[0], orientation_.outward(d.rotation.vector()))};
  }

  /// The time after which the momentum returns; infinite on the separatrix, for a sphere and where the
  /// momentum rests.
  W period() const {
    if (moduli_.difference == W(0) || moduli_.a == W(0)) return W(std::numeric_limits<double>::infinity());
    return W(2) * elliptic::detail::abel_half_period(moduli_);
  }

 private:
  using Complex = detail::Complex<W>;
  /// When only 64 bits are wanted of a DoubleDouble, double will do for corrections below 1/1000.
  static constexpr bool is_short = std::same_as<W, DoubleDouble> && bits <= 64;
  using Low = std::conditional_t<is_short, double, W>;

  static SineCosine<W> unit(const W& angle) {
    if constexpr (is_short) {
      return sincos_short(angle);
    } else {
      return full_unit(angle);
    }
  }
  /// An angle whose last place is more than a radian has no phase; zero is as good as any.
  static SineCosine<W> full_unit(const W& angle) {
    if (abs(angle) >= W(phase_limit)) return {W(0), W(1)};
    return sincos(angle);
  }
  static constexpr double phase_limit = 0x1p100;

  Displacement<W> rest(std::size_t axis, const W& angle) const {
    const auto [s, c] = full_unit(angle / W(2));
    Vector<W> v{};
    v[axis] = s;
    return {m_, Quaternion<W>(c, v)};
  }

  Displacement<W> advance_canonical(const W& time) const {
    if (size_ == W(0)) return {m_, Quaternion<W>()};
    const Vector<W>& m = m_;
    // Beyond phase_limit by far, the largest numbers and what is infinite in inner units included: nothing shall overflow.
    const W longest = W(0x1p200) / size_;
    const W h = time > longest ? longest : (time < -longest ? -longest : time);
    if (m[0] == W(0) && m[1] == W(0)) return rest(2, size_ * h * body_.inverse3);
    if (m[0] == W(0) && m[2] == W(0)) return rest(1, m[1] * h * body_.inverse2);
    const bool separatrix = moduli_.difference == W(0);
    if (separatrix && lambda_ * abs(h) > separatrix_end()) return beyond_separatrix(h);
    if (!separatrix && lambda_ * abs(h) >= W(phase_limit)) return {m_, Quaternion<W>()};  // as full_unit
    W remainder = h;
    W half_angle(0);  // of the half periods that are taken off
    bool odd = false;
    if (!separatrix && lambda_ * abs(h) > W(1.5)) {
      const W half_period = elliptic::detail::abel_half_period(moduli_);
      const W count = floor(h / half_period + W(0.5));
      if (!(count == W(0))) {
        remainder = h - count * half_period;
        odd = !(floor(count / W(2)) * W(2) == count);
        half_angle = count * half_period_half_angle(half_period);
      }
    }
    return within_half_period(remainder, half_angle, odd);
  }

  /// Half the angle psi by which the frame of smallest rotation turns in half a period: during it the
  /// azimuth of the momentum advances by pi, in the sense of a2.
  W half_period_half_angle(const W& half_period) const {
    const W k2c = moduli_.difference / moduli_.a;
    const W k2 = moduli_.b / moduli_.a;
    const W third = elliptic::complete_third(-body_.a3 / body_.a1, elliptic::Modulus<W>{k2, k2c});
    return (size_ * (half_period * body_.inverse3 + body_.a2 * (W(2) * third / lambda_)) -
            sign_of(body_.a2) * pi<W>()) /
           W(2);
  }

  /// |h| at most a quarter of the period. `extra` is added to half the angle of the frame; odd: an odd number of half
  /// periods was taken off, each a turn of the momentum by pi about the third axis.
  Displacement<W> within_half_period(const W& h, const W& extra, bool odd) const {
    // Halve until the series hold, then double; z = exp(i a2 |m| Pi), Pi = int_0^t dt / (1 + n S^2). The rate a2 |m|
    // bounds those of S and of n as well.
    W t = h / W(2);
    int doublings = 0;
    const W limit = W(elliptic::detail::abel_series_limit(bits));
    const W rate = body_.a2 * size_;
    const W rate2 = square(rate);
    while (rate2 * t * t > limit) {
      t /= W(2);
      ++doublings;
    }
    auto f = elliptic::detail::abel_series<Low>(moduli_, t);
    const W ns2 = n_ * square(f.s);
    const W third = t - ns2 * f.s *
                            W(elliptic::rj(static_cast<Low>(square(f.c)), static_cast<Low>(square(f.d)),
                                           Low(1), static_cast<Low>(W(1) + ns2)) /
                              Low(3));
    const auto [sine, cosine] = unit(rate * third);
    Complex z{cosine, sine};
    for (; doublings > 0; --doublings) {
      const auto doubled = elliptic::detail::abel_double(moduli_, f);
      z = detail::trimmed(z * z * excess_of_doubling(f, doubled));
      f = doubled;
    }
    const auto whole = elliptic::detail::abel_double(moduli_, f);
    const Complex half = detail::half_argument(excess_of_doubling(f, whole));

    const Vector<W> start = odd ? Vector<W>{{-m_[0], -m_[1], m_[2]}} : m_;
    const Vector<W> end = momentum_after(start, whole);
    const auto [s, c] = unit(extra + size_ * h * body_.inverse3 / W(2));
    Complex y = Complex{c, s};
    const W off_axis = square(m_[0]) + square(m_[1]);
    if (off_axis >
        W(1e-200) * square(size_)) {  // otherwise the frame turns with |m|/I3, and the rest underflows
      const Complex phase = detail::half_argument(excess_of_sum(whole.s, start, end));
      const Complex azimuth = detail::half_argument(Complex{start[0] * end[0] + start[1] * end[1],  //
                                                            start[1] * end[0] - start[0] * end[1]});
      y = (y * z) * (half * phase) * azimuth;
    }
    const Quaternion<W> from = frame(m_), to = frame(end);
    return {end, normalized((conjugate(from) * Quaternion<W>(y.re, W(0), W(0), y.im)) * to)};
  }

  /// exp(-i W) up to a positive factor, W = a2 |m| (Pi(u) + Pi(v) - Pi(u + v)), the addition theorem of the integral of
  /// the third kind, for u = v.
  Complex excess_of_doubling(const elliptic::AbelFunctions<W>& f,
                             const elliptic::AbelFunctions<W>& doubled) const {
    const W s2 = n_ * square(f.s);
    return {W(1) + n_ * square(doubled.s) - s2 * (doubled.c * doubled.d),
            -(body_.a2 * size_ * s2 * doubled.s)};
  }

  /// The same for the phase of the momentum `start` and a step with the given S; S(u) = m2 / sqrt(J1 J3) is
  /// eliminated, so that nothing is singular as J1 goes to zero.
  Complex excess_of_sum(const W& s, const Vector<W>& start, const Vector<W>& end) const {
    const W factor = body_.a3 * s * start[1];
    return {square(end[0]) + square(end[1]) - factor * end[0] * end[2], -(factor * size_ * end[1])};
  }

  /// The momentum after a step with the given S, c, d. The denominator 1 - a1 a3 S^2 m2^2 is written as a sum of
  /// squares.
  Vector<W> momentum_after(const Vector<W>& m, const elliptic::AbelFunctions<W>& f) const {
    const W inverse = W(1) / (square(f.c) + body_.a1 * body_.a2 * square(f.s * m[2]));
    return {{(m[0] * f.c - body_.a1 * f.s * f.d * m[1] * m[2]) * inverse,
             (m[1] * f.c * f.d + body_.a2 * f.s * m[0] * m[2]) * inverse,
             (m[2] * f.d - body_.a3 * f.s * f.c * m[0] * m[1]) * inverse}};
  }

  /// The quaternion of the smallest rotation that takes m to the third axis, not normalised [CZ08 section 1.4 (1)].
  Quaternion<W> frame(const Vector<W>& m) const { return {size_ + m[2], m[1], -m[0], W(0)}; }

  /// On the separatrix the momentum comes to rest on axis 2: after this many time constants it is there. One that begins next
  /// to the axis has to leave it first, by a factor of two in 0.7 time constants.
  W separatrix_end() const {
    const W off_axis = abs(m_[0]) < abs(m_[2]) ? abs(m_[2]) : abs(m_[0]);
    const auto halvings = binary_exponent(size_) - binary_exponent(off_axis);
    return W(halvings > 256 ? 0.7 * static_cast<double>(halvings) + 300.0 : 300.0);
  }

  Displacement<W> beyond_separatrix(const W& h) const {
    const W arrival = (h < W(0) ? -separatrix_end() : separatrix_end()) / lambda_;
    Displacement<W> d = within_half_period(arrival, W(0), false);
    const W pole = d.momentum[1] < W(0) ? W(-1) : W(1);
    const auto [s, c] = full_unit(size_ * (h - arrival) * body_.inverse2 / W(2));
    d.rotation = d.rotation * Quaternion<W>(c, W(0), pole * s, W(0));
    return d;
  }

  AxisRenaming<W> orientation_;
  RenamedBody<W> body_;
  Vector<W> m_;
  W size_, n_, lambda_;
  elliptic::AbelModuli<W> moduli_;
};

namespace detail {

/// A ClosedForm in W or, next to the middle axis, in Ranged<W>. There the difference of two squares decides when the momentum
/// leaves the axis, and squares of components below 1e-154 vanish.
template <Scalar W, int bits>
class RangedClosedForm {
 public:
  template <class T>
  RangedClosedForm(const Inertia<T>& inertia, const Vector<W>& m)
      : solution_(next_to_middle_axis(m) ? Solution(Far(inertia, convert<Ranged<W>>(m)))
                                         : Solution(Near(inertia, m))) {}

  Displacement<W> advance(const W& h) const {
    if (const Near* near = std::get_if<Near>(&solution_)) return near->advance(h);
    const W longest(0x1p1000);  // Ranged does not compare what is infinite
    const auto d = std::get_if<Far>(&solution_)
                       ->advance(Ranged<W>(h > longest ? longest : (h < -longest ? -longest : h)));
    return {convert<W>(d.momentum), convert<W>(d.rotation)};
  }
  W period() const {
    if (const Near* near = std::get_if<Near>(&solution_)) return near->period();
    return static_cast<W>(std::get_if<Far>(&solution_)->period());
  }

 private:
  using Near = ClosedForm<W, bits>;
  using Far = ClosedForm<Ranged<W>, bits>;
  using Solution = std::variant<Near, Far>;

  static bool next_to_middle_axis(const Vector<W>& m) {
    const W limit = ldexp(abs(m[1]), -256);
    return abs(m[0]) < limit && abs(m[2]) < limit && !(m[0] == W(0) && m[2] == W(0));
  }

  Solution solution_;
};

template <Scalar W, int bits>
struct ClosedFormOfAnyMotion {
  using Type = ClosedForm<W, bits>;
};
template <int bits>
struct ClosedFormOfAnyMotion<DoubleDouble, bits> {
  using Type = RangedClosedForm<DoubleDouble, bits>;
};

}  // namespace detail

/// The closed form for every motion: scalars with the range of double have another one next to the middle axis.
template <Scalar W, int bits = std::numeric_limits<W>::digits + 2>
using AnyClosedForm = typename detail::ClosedFormOfAnyMotion<W, bits>::Type;

}  // namespace POLHODE_CORE
