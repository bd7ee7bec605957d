// The increments of the exact flow over a step that is not long.
//
// docs/exact-flow.md derives the formulas and analyses their rounding.
#pragma once

#include "polhode/arithmetic/pack.hpp"
#include "polhode/body/motion.hpp"
#include "polhode/elliptic/abel.hpp"
#include "polhode/free_motion/middle_step_corrections.hpp"
#include "polhode/free_motion/modified_inertia.hpp"
#include "polhode/free_motion/step_constants.hpp"

namespace POLHODE_CORE {

/// Short: up to a sixteenth of a radian, in float up to 0.467, by series. Middle: up to half a radian, up to one with
/// constants of extended precision. Neither has a branch: the same source serves a number and a pack of numbers.
enum class StepLength { short_step, middle_step };

template <Arithmetic T>
class IncrementFlow {
 public:
  IncrementFlow() = default;
  template <std::same_as<T> U>
  explicit IncrementFlow(const Inertia<U>& inertia) : body_(inertia) {
    products_ =
        ThreeLanes<T>(static_cast<T>(inertia.a2 * inertia.a3), static_cast<T>(inertia.a1 * inertia.a3),
                      static_cast<T>(inertia.a1 * inertia.a2));
    const ModifiedInertiaSeries<T> series(inertia);
    constexpr std::size_t degree = ModifiedInertiaSeries<T>::highest_degree;
    // s - 1 and delta for N^i E^j, and the same for N^(i+1) E^j: even and odd powers of N side by side.
    const auto row = [&](std::size_t i, std::size_t j) {
      const bool even = i + j > 0 && i + j <= degree, odd = i + 1 + j <= degree;
      return FourLanes<T>(even ? series.s(i, j) : T(0), even ? series.delta(i, j) : T(0),
                          odd ? series.s(i + 1, j) : T(0), odd ? series.delta(i + 1, j) : T(0));
    };
    rows_ = {row(0, 0), row(0, 1), row(0, 2), row(0, 3), row(0, 4),
             row(2, 0), row(2, 1), row(2, 2), row(4, 0)};
  }

  /// The largest (h |m|/I1)^2 for which the series are complete to the precision of T: what they leave out is of relative
  /// size 3e-5 (h |m|/I1)^10 at most, and is a change of time or of the body, which makes nothing drift.
  static T square_angle_limit() {
    return T(elliptic::detail::rounded_down(
        std::pow(static_cast<double>(ScalarTraits<T>::epsilon()) / (8 * 3e-5), 1.0 / 5.0)));
  }

  /// The square of an upper bound of the angle of a step; size2 = |m|^2.
  T square_angle(const T& size2, const T& h) const { return square(h * body_.inverse.value[0]) * size2; }

  /// A short step; size2 = |m|^2, not zero.
  template <class M>
  [[gnu::always_inline]] void step(M& motion, const T& size2, const T& h) const {
    if constexpr (M::compensated || !has_plain_steps) {
      advance<StepLength::short_step>(
          motion, body_.constants(short_corrections(motion.momentum_components(), size2, h), h));
    } else {
      plain_advance<StepLength::short_step>(
          motion, body_.plain_constants(short_corrections(motion.momentum_components(), size2, h), h));
    }
  }

  /// A step of at most middle_angle; the momentum is not zero.
  template <class M>
  void middle_step(M& motion, const T& h) const {
    if constexpr (M::compensated || !has_plain_steps) {
      advance<StepLength::middle_step>(motion, body_.constants(middle(motion, h), h));
    } else {
      plain_advance<StepLength::middle_step>(motion, body_.plain_constants(middle(motion, h), h));
    }
  }

  /// Whether a motion without compensation goes by operations of its own, which know nothing of rounding errors.
  static constexpr bool has_plain_steps = std::same_as<T, double> || std::same_as<T, Pack> ||
                                          std::same_as<T, float> || std::same_as<T, PackOf<float>>;

  /// Adds the increments for the given constants.
  ///
  /// The implicit equation of StepConstants is linear in dm. It is solved in the precision of T, and its right-hand
  /// side then evaluated once more with its rounding errors: what the first result lacks is multiplied by the
  /// small coefficients, and after a longer step corrected.
  template <StepLength length, class M>
  [[gnu::always_inline]] static void advance(M& motion, const StepConstants<T>& constants) {
    using V = ThreeLanes<T>;
    constexpr bool is_short = length == StepLength::short_step;
    const V &l = constants.swing.value, &l_low = constants.swing.error;
    const V &turn = constants.turn.value, &turn_low = constants.turn.error;
    const V m = motion.momentum_components(), error = motion.momentum_error_components();
    const V mj = next(m), mk = previous(m), lj = next(l), lk = previous(l);
    const V twice = m + m, twice_j = mj + mj, twice_k = mk + mk;
    const auto [jk, jk_error] = two_product(twice_j, mk);
    const V jk_low = jk_error + (twice_j * previous(error) + next(error) * twice_k);

    // Cramer's rule, with f_i = l_i 2 m_j m_k, p_i = l_j l_k m_i^2, s_i = p_j + p_k and q^2 = p_1 p_2 p_3:
    // dm_i = (f_i + 2 m_i (s_i + q))/(1 - p_1 - p_2 - p_3 - 2 q).
    const V f = l * jk, coupling = lj * lk;
    const V s = (lk * l) * (mj * mj) + (l * lj) * (mk * mk);
    const V twice_q = (f * m) * coupling;
    const V phi = (s + coupling * (m * m)) + twice_q;
    // What f lacks would be lost in it: it goes to the terms that are smaller.
    const V base = f + (twice * (s + T(0.5) * twice_q) + l_low * jk);
    const V inverse = growth<length>(phi);  // 1/det - 1
    const V near = base + inverse * base;

    ErrorFree<V> dm;
    if constexpr (is_short) {
      const auto [y, y_error] = fast_two_sum(jk, mk * next(near) + mj * previous(near));
      dm = two_product(l, y);
      dm.error = dm.error + (l * (y_error + jk_low) + l_low * y);
    } else {
      const auto first = two_product(mk, next(near)), second = two_product(mj, previous(near));
      const auto [x, x_error] = two_sum(first.value, second.value);
      const auto [y, y_error] = two_sum(jk, x);
      const V y_low = (y_error + x_error) + (jk_low + (first.error + second.error)) +
                      (previous(error) * next(near) + next(error) * previous(near));
      dm = two_product(l, y);
      dm.error = dm.error + (l * y_low + l_low * y);
      // With N x = l (m_k x_j + m_j x_k) this was dm = f + N near, evaluated without error; f + N dm is what it should be.
      // The difference is (I - N)^-1 - I = (2 q I + N + N^2)/det times d = dm - near.
      const V d = (dm.value - near) + dm.error;
      const V scale = inverse + V(T(1)), scaled = l * scale;
      const V of_next = scaled * (mk + lk * (m * mj)), of_previous = scaled * (mj + lj * (m * mk));
      dm.error += (scale * (twice_q + s)) * d + (of_next * next(d) + of_previous * previous(d));
    }

    const auto [both, both_error] = is_short ? fast_two_sum(twice, dm.value) : two_sum(twice, dm.value);
    const V both_low = both_error + ((error + error) + dm.error);
    const auto [w, w_error] = two_product(turn, both);
    const ErrorFree<V> v = tangent<length>(w, w_error, turn_low * both + turn * both_low);
    const TimesVector<T> times(motion.attitude_components()), times_low(motion.attitude_error_components());
    ErrorFree<FourLanes<T>> dq = times.with_error(v.value);
    dq.error = dq.error + (times(v.error) + times_low(v.value));
    motion.add_attitude(dq);
    motion.add_momentum(dm);
  }

  /// The same for a motion without compensation, by Cramer's rule alone.
  ///
  /// What an increment lacks is eps of its size, below the rounding error of the sum; v is w and a small correction, because
  /// a factor would have the same rounding error in every step.
  template <StepLength length, class M>
  [[gnu::always_inline]] static void plain_advance(M& motion, const PlainStepConstants<T>& constants) {
    using V = ThreeLanes<T>;
    const V &l = constants.swing, m = motion.momentum_components();
    const V mk = previous(m), twice = m + m, coupling = next(l) * previous(l);
    const V f = (l * next(twice)) * mk, p = coupling * (m * m);
    const T twice_q = (f[0] * m[0]) * coupling[0];
    const T scale = T(1) / ((T(1) - twice_q) - sum(p));
    const V dm = scale * (f + twice * ((next(p) + previous(p)) + V(T(0.5) * twice_q)));
    const V w = constants.turn * (twice + dm);
    const T x = sum(w * w);
    const V v = w + plain_excess<length>(x) * w;
    motion.add_attitude(TimesVector<T>(motion.attitude_components())(v));
    motion.add_momentum(dm);
  }

  /// Those of a short step, from the series of S/(c d), of S^2 times that, and of s and delta of ModifiedInertiaSeries.
  [[gnu::always_inline]] StepCorrections<T> short_corrections(const ThreeLanes<T>& m, const T& size2,
                                                              const T& h) const {
    const T u = h * T(0.5), uu = u * u;
    const ThreeLanes<T> mm = m * m;
    const T shared = products_[1] * mm[1];
    const T a = uu * (products_[2] * mm[2] + shared), b = uu * (products_[0] * mm[0] + shared);
    const T e1 = a + b, e2 = a * b, q = e1 * e1;
    const T tau = e1 * (T(1.0 / 3) + (q * T(17.0 / 315) - e2 * T(22.0 / 105))) +
                  ((q * T(2.0 / 15) - e2 * T(0.4)) +
                   (q * (q * T(62.0 / 2835) - e2 * T(38.0 / 315)) + e2 * (e2 * T(2.0 / 15))));
    const T w = T(1) + ((q * T(1.0 / 15) - e2 * T(0.2)) + e1 * (q * T(4.0 / 189) - e2 * T(2.0 / 21)));

    const T half_h2 = uu + uu;
    const T n = half_h2 * size2, e = half_h2 * sum(mm * body_.inverse.value), nn = n * n;
    const FourLanes<T> low = rows_[0] + e * (rows_[1] + e * (rows_[2] + e * (rows_[3] + e * rows_[4])));
    const FourLanes<T> high = rows_[5] + e * (rows_[6] + e * rows_[7]);
    const FourLanes<T> series = low + nn * (high + nn * rows_[8]);
    return {ThreeLanes<T>(tau - b * w, tau, tau - a * w), series[0] + n * series[2],
            series[1] + n * series[3]};
  }

  /// Calls visit(a, b) for each constant of this object and its like of another one.
  template <class Other, class Visitor>
  void visit_with(const Other& other, Visitor&& visit) {
    const auto visit_all = [&](auto& mine, const auto& theirs, std::size_t size) {
      for (std::size_t i = 0; i < size; ++i) {
        T x = mine[i];
        visit(x, theirs[i]);
        mine.set(i, x);
      }
    };
    visit_all(body_.inverse.value, other.body_.inverse.value, 3);
    visit_all(body_.inverse.error, other.body_.inverse.error, 3);
    visit_all(body_.b.value, other.body_.b.value, 3);
    visit_all(body_.b.error, other.body_.b.error, 3);
    visit_all(products_, other.products_, 3);
    for (std::size_t i = 0; i < rows_.size(); ++i) visit_all(rows_[i], other.rows_[i], 4);
  }

 private:
  template <Arithmetic U>
  friend class IncrementFlow;

  template <class M>
  [[gnu::always_inline]] StepCorrections<T> middle(const M& motion, const T& h) const {
    const ThreeLanes<T> m = motion.momentum_components();
    if constexpr (has_plain_steps && !M::compensated) {
      return middle_corrections(body_.b.value, body_.inverse.value, body_.plain_invariants(m), h);
    } else if constexpr (std::same_as<T, double> || std::same_as<T, Pack>) {
      return middle_corrections(body_.b.value, body_.inverse.value,
                                body_.invariants(m, motion.momentum_error_components()), h);
    } else {
      return step_corrections<terms_of_extended_precision>(body_.b.value, body_.inverse.value, m, h);
    }
  }

  /// 1/(1 - x) - 1.
  template <StepLength length>
  static ThreeLanes<T> growth(const ThreeLanes<T>& x) {
    const ThreeLanes<T> one(T(1));
    if constexpr (length == StepLength::short_step) {  // x is below 0.001: (x + x^2)(1 + x^2 + x^4)
      const ThreeLanes<T> x2 = x * x;
      return (x + x2) * ((one + x2) + x2 * x2);
    } else {
      return x / (one - x);
    }
  }

  /// tan(y/2) = (1 + e) w, w = sin(y)/2: e of x = |w|^2, without the rounding errors that tangent() has.
  template <StepLength length>
  static T plain_excess(const T& x) {
    if constexpr (length == StepLength::short_step && (std::same_as<T, double> || std::same_as<T, Pack>)) {
      const T x2 = x * x;
      return (x + T(2) * x2) + (x * x2) * ((T(5) + T(14) * x) + T(42) * x2);
    } else {
      return T(4) * x / square(T(1) + sqrt(T(1) - T(4) * x));
    }
  }

  /// tan(y/2) from w = sin(y)/2, along the axis of the turn; w lacks w_error and w_rest.
  template <StepLength length>
  [[gnu::always_inline]] static ErrorFree<ThreeLanes<T>> tangent(const ThreeLanes<T>& w,
                                                                 const ThreeLanes<T>& w_error,
                                                                 const ThreeLanes<T>& w_rest) {
    using V = ThreeLanes<T>;
    if constexpr (length == StepLength::short_step) {  // the numbers of Catalan; the next term is 132 x^6
      const T x = sum(w * w), x2 = x * x;
      const T excess = (x + T(2) * x2) + (x * x2) * ((T(5) + T(14) * x) + T(42) * x2);
      return {w, w_error + (w_rest + excess * w)};
    } else {
      const V w_low = w_error + w_rest;
      // tan(y/2) = (1 + e) w, where e = x (1 + e)^2, x = |w|^2. Rounded, e would turn the momentum by another angle in each step:
      // what it lacks is the residual of its equation, over 1 - 2 x (1 + e).
      const auto [squares, squares_error] = two_product(w, w);
      const auto [first, first_error] = two_sum(squares[0], squares[1]);
      const auto [x, x_error] = two_sum(first, squares[2]);
      const T x_low = (first_error + x_error) + sum(squares_error + (w + w) * w_low);
      const T root = sqrt(T(1) - T(4) * x);
      const T e = T(4) * x / square(T(1) + root);
      const auto [y, y_error] = two_product(x, e);
      const T lack = ((x - e) + (y + y)) + (y * e + ((y_error + y_error) + x_low * (T(1) + (e + e))));
      const auto [more, more_error] = two_product(V(e), w);
      const auto [value, error] = fast_two_sum(w, more);
      return {value, error + ((more_error + (lack / root) * w) + (w_low + e * w_low))};
    }
  }

  StepBody<T> body_{};
  ThreeLanes<T> products_{};  // a2 a3, a1 a3, a1 a2
  std::array<FourLanes<T>, 9> rows_{};
};

}  // namespace POLHODE_CORE
