// The exact flow in increment form: explicit, exact for any step, compensated summation throughout.
//
// docs/exact-flow.md derives the formulas and analyses their rounding.
#pragma once

#include "polhode/free_motion/method.hpp"
#include "polhode/free_motion/modified_inertia.hpp"
#include "polhode/free_motion/orbit.hpp"

namespace polhode {

/// Short steps, up to about a fifteenth of a radian, take the increments of the momentum in their backward-exact form
/// and the attitude from the series of s and delta. Steps up to about a radian are 2, 4, 8 or 16 short ones, with
/// compensation inside. Longer ones take the closed form of Orbit in extended precision, whose only rounding
/// that counts is the last.
template <Scalar T>
class Exact {
 public:
  using Value = T;
  using Options = NoOptions;
  using W = Wide<T>;
  static constexpr MethodInfo info{.name = "exact",
                                   .summary = "exact flow in increment form, for any step",
                                   .order = 0,
                                   .increments = true};

  explicit Exact(const Inertia<T>& inertia, const Options& = {})
      : inertia_(inertia),
        inverse_(convert<T>(inertia.inverse)),
        a1_(static_cast<T>(inertia.a1)),
        a2_(static_cast<T>(inertia.a2)),
        a3_(static_cast<T>(inertia.a3)),
        series_(inertia) {
    if (inertia.a2 > W(0)) {  // the ratios of a sphere do not matter: l2 is zero
      ratio1_ = rounded(inertia.a1 / inertia.a2);
      ratio3_ = rounded(inertia.a3 / inertia.a2);
    }
  }

  template <class M>
  void step(M& motion, const T& h) const {
    const Vector<T> m = motion.momentum();
    const T size2 = dot(m, m);
    if (size2 == T(0)) return;
    const T angle2 = square(h * inverse_[0]) * size2;  // the square of an upper bound of the angle
    if (angle2 <= T(short_step_limit())) {
      short_step(motion, m, size2, h);
    } else if (angle2 <= T(most_short_steps * most_short_steps * short_step_limit())) {
      several_short_steps(motion, angle2, h);
    } else {
      long_step(motion, h);
    }
    motion.settle();
  }

  /// The largest (h |m|/I1)^2 for which the series of a short step are complete to the precision of T: what
  /// they leave out is of relative size 1e-5 (h |m|/I1)^10 at most (1.5e-6 over random bodies; the bound is that of
  /// S on the separatrix), and is a change of time, which no invariant feels.
  static double short_step_limit() {
    static const double limit =
        std::pow(static_cast<double>(ScalarTraits<T>::epsilon()) / (8 * 1e-5), 1.0 / 5.0);
    return limit;
  }

  /// The closed form for any step.
  template <class M>
  void long_step(M& motion, const T& h) const {
    const auto d = Orbit<W, bits>(inertia_, motion.wide_momentum()).advance(W(h));
    motion.assign(d.momentum, motion.wide_attitude() * d.rotation);
  }

  /// The increments for a short step; size2 = |m|^2, not zero.
  template <class M>
  void short_step(M& motion, const Vector<T>& m, const T& size2, const T& h) const {
    const std::array<ErrorFree<T>, 3> increment = momentum_increment(m, motion.momentum_error(), h);
    const Vector<T> dm{{increment[0].value, increment[1].value, increment[2].value}};
    const T half_h2 = h * h / T(2);
    const auto [s, delta] = series_(half_h2 * size2, half_h2 * dot(m, times(inverse_, m)));
    const Vector<T> p = m + m + dm;
    const T inverse = T(2) / dot(p, p);
    // The twist about the momentum beyond the smallest rotation: its sine is h |m| x, half its tangent beta/|m|.
    const T x = s * (dot(p, times(inverse_, p)) * inverse) / T(2) + delta;
    const T hx = h * x;
    const T beta = size2 * hx / (T(1) + sqrt(T(1) - size2 * hx * hx));
    const Vector<T> c = inverse * (cross(dm, m) + beta * p);
    motion.add_attitude(times_vector(motion.attitude(), c));
    motion.add_momentum(increment);
  }

 private:
  static constexpr int bits =
      std::same_as<T, W> ? std::numeric_limits<W>::digits + 2 : std::numeric_limits<T>::digits + 11;

  static constexpr double most_short_steps = 16;

  static ErrorFree<T> rounded(const W& x) {
    const T value = static_cast<T>(x);
    return {value, static_cast<T>(x - W(value))};
  }

  template <class M>
  void several_short_steps(M& motion, const T& angle2, const T& h) const {
    int count = 2;  // powers of two: they divide the step exactly
    while (T(static_cast<double>(count * count) * short_step_limit()) < angle2) count *= 2;
    const T part = h / T(count);
    Motion<T, Summation::compensated> inner;
    inner.assign(motion.wide_momentum(), motion.wide_attitude());
    for (int i = 0; i < count; ++i) {
      const Vector<T> m = inner.momentum();
      short_step(inner, m, dot(m, m), part);
    }
    motion.assign(inner.wide_momentum(), inner.wide_attitude());
  }

  /// m+ - m with its error, from m + error.
  ///
  /// All is a function of the number l2 = a2 S and of the ratios a1/a2 + a3/a2 = 1: rounding l2 is a change of
  /// time. The ratios and their products with l2 are carried with their errors, because a relative error that
  /// is the same in every step would make the invariants drift; so are the terms of first order in h.
  std::array<ErrorFree<T>, 3> momentum_increment(const Vector<T>& m, const Vector<T>& error,
                                                 const T& h) const {
    const T m11 = m[0] * m[0], m22 = m[1] * m[1], m33 = m[2] * m[2];
    const T ah2 = (h * a1_) * (h * (a2_ * m33 + a3_ * m22)), bh2 = (h * a3_) * (h * (a2_ * m11 + a1_ * m22));
    const T l2 = a2_ * (h - h * elliptic::abel_series_correction<T>(ah2 + bh2, ah2 * bh2));
    const ErrorFree<T> l1 = scaled(ratio1_, l2), l3 = scaled(ratio3_, l2);
    const auto [u3, u3_low] = weighted_sum(l2, m[2], l3.value * m22);
    const auto [u1, u1_low] = weighted_sum(l2, m[0], l1.value * m22);
    const auto [c, c_low] = versine(l1.value, u3, l1.error * u3 + l1.value * (u3_low + l3.error * m22));
    const auto [e, e_low] = versine(l3.value, u1, l3.error * u1 + l3.value * (u1_low + l1.error * m22));
    const T f = (l1.value * m[1]) * (l3.value * m[1]);
    const T f_low = (l1.error * l3.value + l1.value * l3.error) * m22;
    const ErrorFree<T> t1 = triple(l1, m[1], m[2], error[1], error[2]);
    const ErrorFree<T> t2 = triple({l2, T(0)}, m[0], m[2], error[0], error[2]);
    const ErrorFree<T> t3 = triple(l3, m[0], m[1], error[0], error[1]);
    const T cf = c - f, cf_low = c_low - f_low, ef = e - f, ef_low = e_low - f_low;
    // 1 - (1-C)(1-E), another number that hardly changes from step to step, less F.
    const auto [sum, sum_low] = two_sum(cf, e);
    const auto [g, g_low] = two_sum(sum, -(c * e));
    const T growth = f / (T(1) - f);
    return {total(-t1.value, t1.value * e - m[0] * cf, -t1.error - m[0] * cf_low, growth),
            total(t2.value, -(m[1] * g), t2.error - m[1] * (cf_low + e_low + (sum_low + g_low)), growth),
            total(-t3.value, t3.value * c - m[2] * ef, -t3.error - m[2] * ef_low, growth)};
  }

  static ErrorFree<T> scaled(const ErrorFree<T>& ratio, const T& l2) {
    const auto [value, error] = two_product(ratio.value, l2);
    return {value, error + ratio.error * l2};
  }

  /// l x^2 + y, a number that stays the same from step to step (as x does if the body is symmetric): its rounding would be
  /// the same too.
  static ErrorFree<T> weighted_sum(const T& l, const T& x, const T& y) {
    const auto [xx, xx_low] = two_product(x, x);
    const auto [lxx, lxx_low] = two_product(l, xx);
    const auto [sum, rest] = two_sum(lxx, y);
    return {sum, rest + (lxx_low + l * xx_low)};
  }

  /// l (x + dx) (y + dy).
  static ErrorFree<T> triple(const ErrorFree<T>& l, const T& x, const T& y, const T& dx, const T& dy) {
    const auto [xy, xy_low] = two_product(x, y);
    const auto [value, low] = two_product(l.value, xy);
    return {value, low + (l.value * (xy_low + (x * dy + dx * y)) + l.error * xy)};
  }

  /// (first + second + low) (1 + growth), |first| >= |second| up to rounding in the mean, low far smaller.
  static ErrorFree<T> total(const T& first, const T& second, const T& low, const T& growth) {
    const auto [sum, rest] = two_sum(first, second);
    const auto [value, error] = two_sum(sum, growth * sum);
    return {value, error + (rest + low)};
  }

  /// 1 - sqrt(1 - (l u + low)) and its rounding error, which varies too little from step to step to be left out.
  static ErrorFree<T> versine(const T& l, const T& u, const T& low) {
    const auto [p, p_low] = two_product(l, u);
    const T c = p / (T(1) + sqrt(T(1) - p));
    const auto [cc, cc_low] = two_product(c, c);
    return {c, (((p - (c + c)) + cc) + (cc_low + (p_low + low))) * (T(0.5) + T(0.5) * c)};
  }

  Inertia<T> inertia_;
  Vector<T> inverse_;
  T a1_, a2_, a3_;
  ErrorFree<T> ratio1_{}, ratio3_{};  // a1/a2 and a3/a2
  ModifiedInertiaSeries<T> series_;
};

}  // namespace polhode
