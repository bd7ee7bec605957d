// One step of the free motion, of any length, at a cost that does not depend on the length.
//
// docs/exact-flow.md derives the formulas and analyses their rounding.
#pragma once

#include "polhode/arithmetic/lanes.hpp"
#include "polhode/body/motion.hpp"
#include "polhode/free_motion/axis_renaming.hpp"
#include "polhode/free_motion/landen.hpp"

namespace POLHODE_CORE {

/// The phases are computed in the precision of T, energy, size of the momentum and momentum in space in pairs: what a step makes of a phase
/// is another time, what it makes of an invariant would stay. One source for a number and for a pack of numbers.
///
/// It does not take what is next to nothing: a momentum across the axis of a symmetric body, the separatrix itself, and steps of
/// thousands of radians. These are the closed form's (closed_form.hpp).
template <Arithmetic T>
class LongStep {
 public:
  using Mask = MaskOf<T>;

  /// The largest square of h |m|/I1: at this angle the error of the phase is about 5e-13.
  static constexpr double square_angle_limit = 0x1p24;

  LongStep() = default;
  template <std::same_as<T> U>
  explicit LongStep(const Inertia<U>& inertia) : sides_{Side(inertia, false), Side(inertia, true)} {}

  /// Takes the step in the lanes where it can, and says which these are; the others keep their state. The angle is at most that of
  /// square_angle_limit.
  template <class M>
  [[gnu::always_inline]] Mask step(M& motion, const T& h) const {
    using V3 = ThreeLanes<T>;
    using V4 = FourLanes<T>;
    using P = ErrorFree<T>;
    const V3 m = motion.momentum_components(), m_low = motion.momentum_error_components();

    // Which axis the momentum goes about: the sign of D = a1 m3^2 - a3 m1^2, for which a rounded number would not do.
    const std::array<P, 3> squares{loose::square(P{m[0], m_low[0]}), loose::square(P{m[1], m_low[1]}),
                                   loose::square(P{m[2], m_low[2]})};
    const P of_axis3 = loose::product(sides_[0].a1, squares[2]),
            of_axis1 = loose::product(sides_[0].minus_a3, squares[0]);
    const P d0 = loose::sum(of_axis3, of_axis1);
    const T d0_value = d0.value + d0.error;
    const Mask exchanged = is_less(d0_value, T(0));
    const auto& side = Side::chosen(exchanged, sides_[1], sides_[0]);
    const Mask flipped = is_less(select(exchanged, m[0], m[2]), T(0));
    const T f = select(flipped, T(-1), T(1)), g = select(exchanged, T(-1), T(1));
    const V3 signs(f, g, f);
    const auto inward = [&](const V3& v) {
      return signs * select3(exchanged, v.template shuffled<2, 1, 0>(), v);
    };
    const V3 start = inward(m), start_low = inward(m_low);
    const T m1 = start[0], m2 = start[1], m3 = start[2];
    const P s1 = chosen(exchanged, squares[2], squares[0]), s2 = squares[1],
            s3 = chosen(exchanged, squares[0], squares[2]);

    // The invariants.
    const P j1 = loose::sum(loose::product(side.a2, s1), loose::product(side.a1, s2));
    const P size2 = loose::sum(loose::sum(s1, s2), s3);
    const P z2 = loose::sum(s3, loose::product(side.a3_to_a2, s2));
    const P b2 = loose::product(side.a2, P{d0_value, (d0.value - d0_value) + d0.error});
    const T z2_least = T(0x1p-200) * size2.value;
    const Mask apart = is_less(z2_least, z2.value);  // z0 is not next to nothing
    const P z0 = loose::root(P{select(apart, z2.value, size2.value), z2.error}), size = loose::root(size2);
    const T over_size_z0 = T(1) / (size.value + z0.value);
    const P over_sum = loose::quotient(j1, loose::sum(size, z0), over_size_z0);  // J1/(G + z0) = a2 (G - z0)
    const P rate = loose::sum(loose::product(size, side.inverse3), over_sum);
    // A sphere has a = b = 0, and S = h all the same.
    const T least = T(0x1p-200) * rate.value;
    P a = loose::product(side.root12, z0);
    const Mask turning = is_less(least, a.value);
    a = {select(turning, a.value, least), select(turning, a.error, T(0))};
    const T b2_least = (T(1e-50) * a.value) * a.value;
    const Mask off_separatrix = is_less(b2_least, b2.value);
    const P b_root = loose::root(P{select(off_separatrix, b2.value, a.value), b2.error});
    const P b{select(turning, b_root.value, least), select(turning, b_root.error, T(0))};
    // Far out of the inner units (body.hpp) products of ten factors would overflow or vanish.
    const Mask in_range = both(is_less(T(0x1p-120), size2.value), is_less(size2.value, T(0x1p120)));
    const Mask taken = both(both(apart, in_range), either(off_separatrix, none_of(turning)));

    const T shortfall = over_sum.value * side.over_a2;  // G - z0
    const LandenInput<T> in{a,    b,         T(0.5) * (side.root23 * shortfall), side.size2 * z0.value,
                            rate, side.sense};
    const auto phases = phases_of(in, h);

    // The momentum: the addition theorem, as increments where c and the denominator are not small.
    const T s = phases.s, c = phases.c, d = phases.d, q = phases.q, q_d = phases.q_less_d;
    const T qq = q * q, sm3 = s * m3;
    const T lack = (side.a13 * (m2 * m2)) * phases.ss;
    const Mask near = both(is_less(T(0.7) * q, c), is_less(lack, T(0.3) * qq));
    // q - c = (q^2 - c^2)/(q + c), of which the denominator joins the other one.
    const T joined = select(near, q + c, T(1)), less = q * ((side.a12 * z0.value * z0.value) * phases.ss);
    const T over_d = T(1) / (joined * select(near, qq - lack, c * c + side.a12 * (sm3 * sm3)));
    const V3 factors(select(near, joined * lack - less, c * q),
                     select(near, joined * (lack - c * q_d) - less, c * d),
                     select(near, joined * (lack - q * q_d), d * q));
    const V3 mixed(-(side.a1.value * (s * d)) * (m2 * m3), side.a2.value * (s * q) * (m1 * m3),
                   side.minus_a3.value * (s * c) * (m1 * m2));
    const V3 moved = over_d * (start * factors + joined * mixed);
    const auto [sum, sum_error] = two_sum(start, moved);
    const V3 zero{};
    const V3 first = select3(near, sum, moved), first_low = select3(near, sum_error, zero);

    // The rotation p(m)^-1 y p(m+), with the phase of the momentum at both ends in y: before the correction of the momentum, which does
    // not change it, so that the two are computed side by side.
    const T e1 = first[0], e2 = first[1], e3 = first[2];
    const T w1 = z0.value + m3, w2 = z0.value + e3, kappa = shortfall * over_size_z0;
    const T mixing = (-(side.minus_a3.value) * kappa) * z0.value * phases.s1 * m2 * w2;
    const T zr = (w1 * phases.q1) * (w2 * w2 + (side.a3_to_a2.value * kappa) * (e2 * e2)) - mixing * e1;
    const T zi = mixing * e2;
    const T yr = phases.frame_re * zr - phases.frame_im * zi,
            yi = phases.frame_re * zi + phases.frame_im * zr;
    const T wa = size.value + m3, wb = size.value + e3;
    const T b0 = yr * wb, b1 = yr * e2 + yi * e1, bb2 = yi * e2 - yr * e1, b3 = yi * wb;
    // The rotation is (r, r_v) times this factor; the rest does not wait for it.
    const T scale = T(0.5) / sqrt((yr * yr + yi * yi) * ((wa * wb) * size2.value));
    const T r = wa * b0 + (m2 * b1 - m1 * bb2);
    const V3 r_v((wa * b1 - m2 * b0) + m1 * b3, (wa * bb2 + m1 * b0) + m2 * b3,
                 (wa * b3 - m2 * bb2) - m1 * b1);

    const auto [end, end_low] =
        fast_two_sum(first, momentum_correction(side, j1, d0, first, first_low) + first_low);
    const Turn low = turn_correction(start, start_low, end, end_low, {r, r_v}, size2.value);

    // Back to the principal axes; q r.
    const V3 new_m = outward(exchanged, signs, end), new_m_low = outward(exchanged, signs, end_low);
    const auto turned_back = [&](const Turn& turn) {
      const V3 v = outward(exchanged, signs, turn.v);
      return V4(turn.w, v[0], v[1], v[2]);
    };
    const ErrorFree<V4> new_q =
        attitude_times(motion.attitude_components(), motion.attitude_error_components(),
                       turned_back({r, r_v}), turned_back(low), scale);
    if constexpr (std::same_as<T, double>) {
      if (taken) {
        motion.assign_momentum(ErrorFree<V3>{new_m, new_m_low});
        motion.assign_attitude(new_q);
      }
    } else {
      motion.assign_momentum(ErrorFree<V3>{select3(taken, new_m, m), select3(taken, new_m_low, m_low)});
      motion.assign_attitude(ErrorFree<V4>{select4(taken, new_q.value, motion.attitude_components()),
                                           select4(taken, new_q.error, motion.attitude_error_components())});
    }
    return taken;
  }

  /// Calls visit(a, b) for each constant of this object and its like of another one.
  template <class Other, class Visitor>
  void visit_with(const Other& other, Visitor&& visit) {
    for (std::size_t i = 0; i < 2; ++i) {
      const auto mine = sides_[i].numbers();
      const auto theirs = other.sides_[i].numbers();
      for (std::size_t k = 0; k < mine.size(); ++k) visit(*mine[k], *theirs[k]);
    }
  }

 private:
  template <Arithmetic U>
  friend class LongStep;

  /// The constants of a body about renamed axes (AxisRenaming); after an exchange a1, a2 and a3 are negative.
  struct Side {
    ErrorFree<T> a1{}, a2{}, minus_a3{};
    ErrorFree<T> inverse3{}, a3_to_a2{}, root12{};
    T a12{}, a13{}, root23{}, over_a2{}, size2{}, sense{};

    Side() = default;
    template <class U>
    Side(const Inertia<U>& inertia, bool exchanged) {
      using W = Wide<U>;
      const W b1 = exchanged ? -inertia.a3 : inertia.a1, b2 = exchanged ? -inertia.a2 : inertia.a2,
              b3 = exchanged ? -inertia.a1 : inertia.a3;
      const bool sphere = b2 == W(0);
      a1 = pair(b1);
      a2 = pair(b2);
      minus_a3 = pair(-b3);
      inverse3 = pair(inertia.inverse[exchanged ? 0 : 2]);
      a3_to_a2 = pair(sphere ? W(0) : W(b3 / b2));
      root12 = pair(sqrt(b1 * b2));
      a12 = static_cast<T>(b1 * b2);
      a13 = static_cast<T>(b1 * b3);
      root23 = static_cast<T>(sqrt(b2 * b3));
      over_a2 = sphere ? T(0) : static_cast<T>(W(1) / b2);
      size2 = static_cast<T>(exchanged ? -b2 : b2);
      sense = exchanged ? T(-1) : T(1);
    }

    /// All of them.
    auto numbers() { return addresses<T*>(*this); }
    auto numbers() const { return addresses<const T*>(*this); }

    static const Side& chosen(bool condition, const Side& a, const Side& b) { return condition ? a : b; }
    static Side chosen(const Pack::Mask& condition, const Side& a, const Side& b) {
      Side result;
      const auto to = result.numbers();
      const auto from = a.numbers(), otherwise = b.numbers();
      for (std::size_t i = 0; i < to.size(); ++i) *to[i] = select(condition, *from[i], *otherwise[i]);
      return result;
    }

    template <class Pointer, class S>
    static std::array<Pointer, 18> addresses(S& s) {
      return {&s.a1.value,
              &s.a1.error,
              &s.a2.value,
              &s.a2.error,
              &s.minus_a3.value,
              &s.minus_a3.error,
              &s.inverse3.value,
              &s.inverse3.error,
              &s.a3_to_a2.value,
              &s.a3_to_a2.error,
              &s.root12.value,
              &s.root12.error,
              &s.a12,
              &s.a13,
              &s.root23,
              &s.over_a2,
              &s.size2,
              &s.sense};
    }

    template <class W>
    static ErrorFree<T> pair(const W& x) {
      const T value = static_cast<T>(x);
      return {value, static_cast<T>(x - W(value))};
    }
  };

  static ErrorFree<T> at(const ErrorFree<ThreeLanes<T>>& v, std::size_t i) {
    return {v.value[i], v.error[i]};
  }

  static ErrorFree<T> chosen(const Mask& condition, const ErrorFree<T>& a, const ErrorFree<T>& b) {
    return {select(condition, a.value, b.value), select(condition, a.error, b.error)};
  }

  static ThreeLanes<T> select3(const Mask& condition, const ThreeLanes<T>& a, const ThreeLanes<T>& b) {
    if constexpr (std::same_as<T, double>)
      return condition ? a : b;
    else
      return select_components(condition, a, b, std::make_index_sequence<3>());
  }
  static FourLanes<T> select4(const Mask& condition, const FourLanes<T>& a, const FourLanes<T>& b) {
    return select_components(condition, a, b, std::make_index_sequence<4>());
  }

  static ThreeLanes<T> outward(const Mask& exchanged, const ThreeLanes<T>& signs, const ThreeLanes<T>& v) {
    const ThreeLanes<T> turned = signs * v;
    return select3(exchanged, turned.template shuffled<2, 1, 0>(), turned);
  }

  /// By as many levels as b/a needs. The lanes of a pack go each by its own number.
  [[gnu::always_inline]] static LandenPhases<T> phases_of(const LandenInput<T>& in, const T& h) {
    const Mask few = is_less(T(0.1) * in.a.value, in.b.value),
               some = is_less(T(2e-6) * in.a.value, in.b.value);
    if constexpr (std::same_as<T, double>) {
      if (few) [[likely]]
        return landen_phases<5>(in, h);
      return some ? more_phases<7>(in, h) : more_phases<9>(in, h);
    } else {
      LandenPhases<T> result = landen_phases<5>(in, h);
      const auto replace = [&](const Mask& keep, const LandenPhases<T>& other) {
        for (const auto x :
             {&LandenPhases<T>::s, &LandenPhases<T>::c, &LandenPhases<T>::d, &LandenPhases<T>::q,
              &LandenPhases<T>::ss, &LandenPhases<T>::q_less_d, &LandenPhases<T>::s1, &LandenPhases<T>::q1,
              &LandenPhases<T>::frame_re, &LandenPhases<T>::frame_im})
          result.*x = select(keep, result.*x, other.*x);
      };
      if (any_lane(none_of(few))) {
        replace(few, more_phases<7>(in, h));
        if (any_lane(none_of(some))) replace(some, more_phases<9>(in, h));
      }
      return result;
    }
  }
  template <int levels>
  [[gnu::noinline]] static LandenPhases<T> more_phases(const LandenInput<T>& in, const T& h) {
    return landen_phases<levels>(in, h);
  }

  /// The smallest change of a momentum that gives it the invariants J1 and D. Each keeps its relative accuracy where the other one does
  /// not.
  ///
  /// With the gradients g1 and g2 of J1/2 and D/2 and n = g1 x g2 it is (lack1 g2 x n + lack2 n x g1)/(2 n.n). What is late are the two
  /// that are lacking; the rest is computed meanwhile.
  [[gnu::always_inline]] static ThreeLanes<T> momentum_correction(const Side& side, const ErrorFree<T>& j1,
                                                                  const ErrorFree<T>& d,
                                                                  const ThreeLanes<T>& m,
                                                                  const ThreeLanes<T>& m_low) {
    using V3 = ThreeLanes<T>;
    using P = ErrorFree<T>;
    const T g1x = side.a2.value * m[0], g1y = side.a1.value * m[1], g2x = side.minus_a3.value * m[0],
            g2z = side.a1.value * m[2];
    const T g11 = g1x * g1x + g1y * g1y, g22 = g2x * g2x + g2z * g2z;
    const T nx = g1y * g2z, ny = -(g1x * g2z), nz = -(g1y * g2x);
    const T nn = nx * nx + (ny * ny + nz * nz);
    // Next to axis 3, where the squares of the other two components underflow, or on it, J1 has no digits to be kept: then D alone. Next to
    // axis 2, where those of the first and the third do, J1 alone.
    const T least(0x1p-900);
    const Mask both_ways = is_less(least, nn), of_d = is_less(least, g22),
               of_j1 = both(none_of(of_d), is_less(least, g11));
    const T half = T(0.5) / select(both_ways, nn, select(of_d, g22, select(of_j1, g11, T(1))));
    const V3 none{};
    const V3 alone1 = select3(of_j1, V3(g1x, g1y, T(0)), none),
             alone2 = select3(of_d, V3(g2x, T(0), g2z), none);
    const V3 way1 = half * select3(both_ways, V3(-(g2z * ny), g2z * nx - g2x * nz, g2x * ny), alone1),
             way2 = half * select3(both_ways, V3(-(nz * g1y), nz * g1x, nx * g1y - ny * g1x), alone2);

    const ErrorFree<V3> squares = loose::square(ErrorFree<V3>{m, m_low});
    const auto lacking = [](const P& whole, const P& x, const P& y) {
      const auto [value, error] = two_sum(x.value, y.value);
      return (whole.value - value) + ((whole.error - (x.error + y.error)) - error);
    };
    const T lack1 =
        lacking(j1, loose::product(side.a2, at(squares, 0)), loose::product(side.a1, at(squares, 1)));
    const T lack2 =
        lacking(d, loose::product(side.a1, at(squares, 2)), loose::product(side.minus_a3, at(squares, 0)));
    return lack1 * way1 + lack2 * way2;
  }

  /// A rotation as a scalar and a vector.
  struct Turn {
    T w;
    ThreeLanes<T> v;
  };

  /// What the rotation r lacks of r m+ = m r: E = r m+ - m r without rounding errors, dr = (E m+ - m E)/(4 |m|^2). With d = m+ - m and
  /// s = m+ + m the map r -> r m+ - m r is (w, v) -> (-v.d, w d + v x s).
  [[gnu::always_inline]] static Turn turn_correction(const ThreeLanes<T>& start,
                                                     const ThreeLanes<T>& start_low, const ThreeLanes<T>& end,
                                                     const ThreeLanes<T>& end_low, const Turn& r,
                                                     const T& size2) {
    using V3 = ThreeLanes<T>;
    const auto [d, d_error] = two_sum(end, V3{} - start);
    const auto [s, s_error] = two_sum(end, start);
    const V3 d_low = d_error + (end_low - start_low), s_low = s_error + (end_low + start_low);
    const V3 v_next = next(r.v), v_previous = previous(r.v);
    const auto [p1, p1_error] = two_product(V3(r.w), d);
    const auto [p2, p2_error] = two_product(v_next, previous(s));
    const auto [p3, p3_error] = two_product(V3{} - v_previous, next(s));
    const auto [p12, p12_error] = two_sum(p1, p2);
    const auto [p123, p123_error] = two_sum(p12, p3);
    const V3 low = r.w * d_low + (v_next * previous(s_low) - v_previous * next(s_low));
    const V3 e = p123 + (((p12_error + p123_error) + (p1_error + p2_error)) + (p3_error + low));
    const auto [t, t_error] = two_product(r.v, d);
    const auto [t01, t01_error] = two_sum(t[0], t[1]);
    const auto [t012, t012_error] = two_sum(t01, t[2]);
    const T minus_e = t012 + ((t01_error + t012_error) + sum(t_error + r.v * d_low));
    const T scale = T(0.25) / size2;
    return {-(scale * sum(e * d)), scale * (cross(e, s) - minus_e * d)};
  }

  /// (q + q_low)(r + r_low) scale, of which r_low and q_low are below the last places.
  [[gnu::always_inline]] static ErrorFree<FourLanes<T>> attitude_times(const FourLanes<T>& q,
                                                                       const FourLanes<T>& q_low,
                                                                       const FourLanes<T>& r,
                                                                       const FourLanes<T>& r_low,
                                                                       const T& scale) {
    using V = FourLanes<T>;
    struct Columns {
      V k0, k1, k2, k3;
      explicit Columns(const V& r)
          : k0(r),
            k1(with_signs<T>(r.template shuffled<1, 0, 3, 2>(), {{-1, 1, -1, 1}})),
            k2(with_signs<T>(r.template shuffled<2, 3, 0, 1>(), {{-1, 1, 1, -1}})),
            k3(with_signs<T>(r.template shuffled<3, 2, 1, 0>(), {{-1, -1, 1, 1}})) {}
      V operator()(const V& q) const { return (V(q[0]) * k0 + V(q[1]) * k1) + (V(q[2]) * k2 + V(q[3]) * k3); }
    };
    const Columns of_r(r), of_low(r_low);
    const auto [p0, e0] = two_product(V(q[0]), of_r.k0);
    const auto [p1, e1] = two_product(V(q[1]), of_r.k1);
    const auto [p2, e2] = two_product(V(q[2]), of_r.k2);
    const auto [p3, e3] = two_product(V(q[3]), of_r.k3);
    const auto [p01, e01] = two_sum(p0, p1);
    const auto [p23, e23] = two_sum(p2, p3);
    const auto [value, error] = two_sum(p01, p23);
    const V low = (((e0 + e1) + (e2 + e3)) + ((e01 + e23) + error)) + (of_r(q_low) + of_low(q));
    const auto [scaled, scaled_error] = two_product(V(scale), value);
    return fast_two_sum(scaled, scaled_error + V(scale) * low);
  }

  std::array<Side, 2> sides_{};
};

}  // namespace POLHODE_CORE
