// The increments of the exact flow over a short step.
//
// No branch, no square root, one division: the same source serves a number and a pack of numbers. docs/exact-flow.md
// derives the formulas and analyses their rounding.
#pragma once

#include "polhode/body/inertia.hpp"
#include "polhode/body/motion.hpp"
#include "polhode/elliptic/abel.hpp"
#include "polhode/free_motion/modified_inertia.hpp"

namespace polhode {

/// (1 - sqrt(1 - y))/y by its series, for the small y of short steps: the terms to y^6 leave out 0.013 y^7. Summed in pairs:
/// a step is a long chain of operations that wait for each other.
template <Arithmetic T>
T half_versine_series(const T& y) {
  const T y2 = y * y;
  const T low = (T(0.5) + T(0.125) * y) + y2 * (T(0.0625) + T(5.0 / 128) * y);
  const T high = (T(7.0 / 256) + T(21.0 / 1024) * y) + y2 * T(33.0 / 2048);
  return low + (y2 * y2) * high;
}

template <Arithmetic T>
class ShortFlow {
 public:
  /// All that depends on the invariants and the step alone, in terms of l2 = a2 S: rounding l2 is a change of
  /// time. The ratios a1/a2 + a3/a2 = 1 and their products with l2 are carried with their errors, because a relative
  /// error that is the same in every step would make the invariants drift.
  struct Scale {
    T l2;
    ErrorFree<T> l1, l3;
    T twice_energy;
    ModifiedInertia<T> modified;
  };

  ShortFlow() = default;
  template <std::same_as<T> U>
  explicit ShortFlow(const Inertia<U>& inertia)
      : inverse_(convert<T>(inertia.inverse)),
        a1_(static_cast<T>(inertia.a1)),
        a2_(static_cast<T>(inertia.a2)),
        a3_(static_cast<T>(inertia.a3)),
        series_(inertia) {
    using W = Wide<T>;
    if (inertia.a2 > W(0)) {  // the ratios of a sphere do not matter: l2 is zero
      ratio1_ = rounded(W(inertia.a1 / inertia.a2));
      ratio3_ = rounded(W(inertia.a3 / inertia.a2));
    }
  }

  /// The largest (h |m|/I1)^2 for which the series are complete to the precision of T: what they leave out is of relative
  /// size 1e-5 (h |m|/I1)^10 at most (1.5e-6 over random bodies; the bound is that of S on the separatrix), and
  /// is a change of time, which no invariant feels.
  static T square_angle_limit() {
    return T(elliptic::rounded_down(
        std::pow(static_cast<double>(ScalarTraits<T>::epsilon()) / (8 * 1e-5), 1.0 / 5.0)));
  }

  /// The square of an upper bound of the angle of a step; size2 = |m|^2.
  T square_angle(const T& size2, const T& h) const { return square(h * inverse_[0]) * size2; }

  [[gnu::always_inline]] Scale scale(const Vector<T>& m, const T& size2, const T& h) const {
    const T m11 = m[0] * m[0], m22 = m[1] * m[1], m33 = m[2] * m[2];
    const T ah2 = (h * a1_) * (h * (a2_ * m33 + a3_ * m22)), bh2 = (h * a3_) * (h * (a2_ * m11 + a1_ * m22));
    const T l2 = a2_ * (h - h * elliptic::abel_series_correction<T, false>(ah2 + bh2, ah2 * bh2));
    const T half_h2 = h * h * T(0.5);
    const T twice_energy = m11 * inverse_[0] + m22 * inverse_[1] + m33 * inverse_[2];
    return {l2, scaled(ratio1_, l2), scaled(ratio3_, l2), twice_energy,
            series_(half_h2 * size2, half_h2 * twice_energy)};
  }

  /// A short step; size2 = |m|^2, not zero.
  template <class M>
  [[gnu::always_inline]] void step(M& motion, const Vector<T>& m, const T& size2, const T& h) const {
    const Scale k = scale(m, size2, h);
    const auto [p3, p1] = square_sines(k, m, motion.momentum_error());
    move(motion, m, k, versine(p3), versine(p1), size2, T(0.5) / size2, h);
  }

  /// P = 1 - c^2 = l1 (l2 m3^2 + l3 m2^2) and R = 1 - d^2 = l3 (l2 m1^2 + l1 m2^2), numbers that stay the same from step to
  /// step (and m1 or m3 too, if the body is symmetric), so that all their rounding would always be the same.
  struct SquareSines {
    ErrorFree<T> p, r;
  };
  static SquareSines square_sines(const Scale& k, const Vector<T>& m, const Vector<T>& error) {
    const T m22 = m[1] * m[1], m22_low = (m[1] + m[1]) * error[1];
    return {square_sine(k.l1, k.l3, k.l2, m[2], error[2], m22, m22_low),
            square_sine(k.l3, k.l1, k.l2, m[0], error[0], m22, m22_low)};
  }

  /// 1 - sqrt(1 - p) with its error, which varies too little from step to step to be left out.
  static ErrorFree<T> versine(const ErrorFree<T>& p) {
    const T c = p.value * half_versine_series(p.value);
    const auto [cc, cc_low] = two_product(c, c);
    return {c, (((p.value - (c + c)) + cc) + (cc_low + p.error)) * (T(0.5) + T(0.5) * c)};
  }

  /// Adds the increments for given C = 1 - c and E = 1 - d; half_inverse = 1/(2 |m|^2).
  template <class M>
  [[gnu::always_inline]] void move(M& motion, const Vector<T>& m, const Scale& k, const ErrorFree<T>& c,
                                   const ErrorFree<T>& e, const T& size2, const T& half_inverse,
                                   const T& h) const {
    const std::array<ErrorFree<T>, 3> increment = momentum_increment(m, motion.momentum_error(), k, c, e);
    const Vector<T> dm{{increment[0].value, increment[1].value, increment[2].value}};
    const Vector<T> p = m + m + dm;
    // 2/|p|^2 from |p|^2 = 4 |m|^2 - |dm|^2.
    const T small = dot(dm, dm) * half_inverse * T(0.5);
    const T inverse = half_inverse * geometric(small);
    // The twist about the momentum beyond the smallest rotation: its sine is h |m| x, half its tangent beta/|m|.
    const T x = (k.modified.s * T(0.5)) * ((T(4) * k.twice_energy - dot(dm, times(inverse_, dm))) * inverse) +
                k.modified.delta;  // p . I^-1 p = 8 T - dm . I^-1 dm
    const T hx = h * x;
    const T beta = size2 * hx * half_versine_series(size2 * hx * hx);
    const Vector<T> v = inverse * (cross(dm, m) + beta * p);
    motion.add_attitude(times_vector(motion.attitude(), v));
    motion.add_momentum(increment);
  }

  /// Calls visit(a, b) for each constant of this object and its like of another one.
  template <class Other, class Visitor>
  void visit_with(const Other& other, Visitor&& visit) {
    for (std::size_t i = 0; i < 3; ++i) visit(inverse_[i], other.inverse_[i]);
    visit(a1_, other.a1_);
    visit(a2_, other.a2_);
    visit(a3_, other.a3_);
    visit(ratio1_.value, other.ratio1_.value);
    visit(ratio1_.error, other.ratio1_.error);
    visit(ratio3_.value, other.ratio3_.value);
    visit(ratio3_.error, other.ratio3_.error);
    series_.visit_with(other.series_, visit);
  }

 private:
  template <Arithmetic U>
  friend class ShortFlow;

  template <class W>
  static ErrorFree<T> rounded(const W& x) {
    const T value = static_cast<T>(x);
    return {value, static_cast<T>(x - W(value))};
  }

  /// m+ - m with its error, from m + error. The terms of first order in h are carried with their errors.
  [[gnu::always_inline]] static std::array<ErrorFree<T>, 3> momentum_increment(const Vector<T>& m,
                                                                               const Vector<T>& error,
                                                                               const Scale& k,
                                                                               const ErrorFree<T>& c,
                                                                               const ErrorFree<T>& e) {
    const T m22 = m[1] * m[1];
    const T f = (k.l1.value * m[1]) * (k.l3.value * m[1]);
    const T f_low = (k.l1.error * k.l3.value + k.l1.value * k.l3.error) * m22;
    const ErrorFree<T> t1 = triple(k.l1, m[1], m[2], error[1], error[2]);
    const ErrorFree<T> t2 = triple(k.l2, m[0], m[2], error[0], error[2]);
    const ErrorFree<T> t3 = triple(k.l3, m[0], m[1], error[0], error[1]);
    // F may be far below the last place of C or E, and it is never negative: what a rounded difference drops adds up.
    const auto [cf, cf_rest] = two_sum(c.value, -f);
    const auto [ef, ef_rest] = two_sum(e.value, -f);
    const T cf_low = cf_rest + (c.error - f_low), ef_low = ef_rest + (e.error - f_low);
    // 1 - (1-C)(1-E), another number that hardly changes from step to step, less F.
    const auto [sum, sum_low] = two_sum(cf, e.value);
    const auto [g, g_low] = two_sum(sum, -(c.value * e.value));
    const T growth = f * geometric(f);  // 1/(1-F) - 1
    return {
        total(-t1.value, t1.value * e.value - m[0] * cf, -t1.error - (m[0] * cf_low + error[0] * cf), growth),
        total(t2.value, -(m[1] * g),
              t2.error - (m[1] * (cf_low + e.error + (sum_low + g_low)) + error[1] * g), growth),
        total(-t3.value, t3.value * c.value - m[2] * ef, -t3.error - (m[2] * ef_low + error[2] * ef),
              growth)};
  }

  static ErrorFree<T> scaled(const ErrorFree<T>& ratio, const T& l2) {
    const auto [value, error] = two_product(ratio.value, l2);
    return {value, error + ratio.error * l2};
  }

  /// l (l2 (x + dx)^2 + other (y + dy)), all of it with its error but for the rounding of `other y`, which varies.
  static ErrorFree<T> square_sine(const ErrorFree<T>& l, const ErrorFree<T>& other, const T& l2, const T& x,
                                  const T& dx, const T& y, const T& dy) {
    const auto [xx, xx_low] = two_product(x, x);
    const auto [lxx, lxx_low] = two_product(l2, xx);
    const auto [sum, rest] = two_sum(lxx, other.value * y);
    const auto [value, low] = two_product(l.value, sum);
    const T sum_low = rest + (lxx_low + l2 * (xx_low + (x + x) * dx)) + (other.error * y + other.value * dy);
    return {value, low + (l.value * sum_low + l.error * sum)};
  }

  /// l (x + dx) (y + dy).
  static ErrorFree<T> triple(const ErrorFree<T>& l, const T& x, const T& y, const T& dx, const T& dy) {
    const auto [xy, xy_low] = two_product(x, y);
    const auto [value, low] = two_product(l.value, xy);
    return {value, low + (l.value * (xy_low + (x * dy + dx * y)) + l.error * xy)};
  }

  static ErrorFree<T> triple(const T& l, const T& x, const T& y, const T& dx, const T& dy) {
    const auto [xy, xy_low] = two_product(x, y);
    const auto [value, low] = two_product(l, xy);
    return {value, low + l * (xy_low + (x * dy + dx * y))};
  }

  /// (first + second + low) (1 + growth), where low is far smaller.
  static ErrorFree<T> total(const T& first, const T& second, const T& low, const T& growth) {
    const auto [sum, rest] = two_sum(first, second);
    const auto [value, error] = fast_two_sum(sum, growth * sum);
    return {value, error + (rest + low)};
  }

  /// 1/(1 - x) for the small x of short steps (at most 0.0013): (1 + x)(1 + x^2 + x^4).
  static T geometric(const T& x) {
    const T x2 = x * x;
    return (T(1) + x) * ((T(1) + x2) + x2 * x2);
  }

  Vector<T> inverse_{};
  T a1_{}, a2_{}, a3_{};
  ErrorFree<T> ratio1_{}, ratio3_{};  // a1/a2 and a3/a2
  ModifiedInertiaSeries<T> series_{};
};

}  // namespace polhode
