// One step of a symmetric multistep method for a set of coordinates, in the forms of [CH13 section 2].
//
// Velocities v = M^-1 p stand on the staggered grid instead of momenta, and accelerations a = M^-1 (f - G^T lambda)
// on the grid: the same equations divided by M, so that the mass enters once a step, with the force.
#pragma once

#include "polhode/arithmetic/double_double.hpp"
#include "polhode/arithmetic/pack.hpp"
#include "polhode/constrained/column.hpp"
#include "polhode/constrained/multistep_options.hpp"
#include "polhode/constrained/multistep_table.hpp"

namespace POLHODE_CORE {

enum class MultistepForm {
  direct,  ///< (4) as printed, term by term: the difference equation for positions, which amplifies round-off
  staggered,    ///< (6) with symmetric differences
  compensated,  ///< (6) with the compensated summation of section 2.3
  error_free,   ///< (6) as a sum in pairs, where no product or sum loses more than the last place of the pair
  summed,  ///< the other remedy of section 2.1: first and second sums of accelerations, and a small correction
};

/// The coefficients as numbers. Those that are multiplied with differences are integers, hence exact.
template <class B>
struct MultistepCoefficients {
  static constexpr std::size_t most = MultistepTable::max_steps + 1;

  MultistepCoefficients(const MultistepTable& table, const B& h, Compensation compensation)
      : keeps_position(compensation == Compensation::both || compensation == Compensation::position),
        keeps_velocity(compensation == Compensation::both || compensation == Compensation::momentum),
        half(static_cast<std::size_t>(table.steps() / 2)),
        step(h),
        alpha_scale(number(table.alpha_scale())) {
    for (int j = 0; j <= table.steps(); ++j) {
      alpha[static_cast<std::size_t>(j)] = number(table.alpha(j));
      hat_alpha[static_cast<std::size_t>(j)] = number(table.hat_alpha(j));
      beta[static_cast<std::size_t>(j)] = number(table.beta(j));
    }
    const Wide<B> scale = Wide<B>(static_cast<double>(table.beta_scale()));
    force_factor = split_number(Wide<B>(h) / scale);
    inverse_alpha = split_number(Wide<B>(1) / Wide<B>(alpha_scale));
    for (std::size_t j = 0; j < most; ++j) {
      direct_alpha[j] = alpha[j] / alpha_scale;
      direct_beta[j] = static_cast<B>(Wide<B>(h) * Wide<B>(h) * Wide<B>(beta[j]) / scale);
    }
    kick_factor = force_factor.value * beta[1];
    per_multiplier = B(1) / direct_beta[1];
    set_correction(table);
  }

  bool keeps_position, keeps_velocity;  ///< whether compensated sums keep their rounding errors

  std::size_t half;  ///< k/2
  B step;
  std::array<B, most> alpha{}, hat_alpha{}, beta{};
  std::array<B, most> direct_alpha{}, direct_beta{};  ///< alpha_j and h^2 beta_j, rounded
  B alpha_scale;
  ErrorFree<B> force_factor;   ///< h/beta_scale, as a value with its error
  ErrorFree<B> inverse_alpha;  ///< 1/alpha_scale
  B kick_factor;               ///< h beta_{k-1}: from the newest acceleration to the velocity
  B per_multiplier;  ///< 1/(h^2 beta_{k-1}): from a shift of the position to lambda [CH13 section 2.4]
  /// Of the summed form: alpha_scale times the coefficients of rho_1 = rho/(z - 1)^2, and h^2 times those of
  /// tau = (sigma/z - rho_1)/(z - 1)^2, rounded.
  std::array<B, most> inner_alpha{}, correction{};

 private:
  /// Both polynomials of the difference have the same value and, because they are symmetric, the same derivative at 1.
  void set_correction(const MultistepTable& table) {
    const std::size_t k = 2 * half;
    for (std::size_t j = k - 1; j-- > 0;) inner_alpha[j] = inner_alpha[j + 1] + hat_alpha[j + 1];
    const Wide<B> scale = Wide<B>(static_cast<double>(table.beta_scale()));
    Wide<B> once(0), twice(0);
    for (std::size_t j = k - 1; j >= 3; --j) {  // by (z - 1)^2, from the highest power down
      once += Wide<B>(beta[j]) / scale - Wide<B>(inner_alpha[j - 1]) / Wide<B>(alpha_scale);
      twice += once;
      correction[j - 3] = static_cast<B>(Wide<B>(step) * Wide<B>(step) * twice);
    }
    for (std::size_t j = 0; 2 * j + 4 < k; ++j) correction[j] = correction[k - 4 - j];  // to the bit
  }
  static B number(std::int64_t value) { return B(static_cast<double>(value)); }
  static ErrorFree<B> split_number(const Wide<B>& x) {
    const B value = static_cast<B>(x);
    return {value, static_cast<B>(x - Wide<B>(value))};
  }
};

/// Coordinates are worked on a few at a time: columns are filled up with zeros to whole groups.
inline constexpr std::size_t coordinate_group = 4;
constexpr std::size_t filled_up(std::size_t n) {
  return n == dynamic_length ? n : (n + coordinate_group - 1) / coordinate_group * coordinate_group;
}

/// Values, and errors where the form carries them, of n coordinates.
template <class B, std::size_t n>
struct PairColumn {
  Column<B, filled_up(n)> value, error;
  explicit PairColumn(std::size_t size) : value(filled_up(size)), error(filled_up(size)), size_(size) {}

  constexpr std::size_t size() const {
    if constexpr (n == dynamic_length)
      return size_;
    else
      return n;
  }
  std::span<const B> values() const { return value.span().first(size()); }
  std::span<const B> errors() const { return error.span().first(size()); }

 private:
  std::size_t size_;
};

/// Where the values of one grid point stand.
template <class B>
struct PairPointer {
  const B* value = nullptr;
  const B* error = nullptr;
};

/// What a step sees of the past: j counts from n, as in the formulas.
template <class B>
struct MultistepWindow {
  std::array<PairPointer<B>, MultistepTable::max_steps + 1> position, velocity, acceleration;
  std::array<PairPointer<B>, MultistepTable::max_steps + 1> correction;  ///< of the summed form
  PairPointer<B> second_sum;                                             ///< of the summed form, the newest
};

/// What a step adds: the acceleration and the multiplier at the newest grid point, the velocity after it, the position at
/// the next one. In the summed form the velocity is the first sum, and the position is second sum and correction.
template <class B, std::size_t n, std::size_t m>
struct MultistepPoint {
  PairColumn<B, n> position, velocity, acceleration;
  PairColumn<B, m> lambda;
  PairColumn<B, n> second_sum, correction;
  MultistepPoint(std::size_t dimension, std::size_t constraints)
      : position(dimension),
        velocity(dimension),
        acceleration(dimension),
        lambda(constraints),
        second_sum(dimension),
        correction(dimension) {}
};

namespace detail {

/// The type for a part of a group: a pack of doubles, one number of any other scalar.
template <class B>
struct Part {
  using Type = B;
  static constexpr std::size_t width = 1;
  static B load(const B* from) { return *from; }
  static void store(const B& x, B* to) { *to = x; }
};
template <>
struct Part<double> {
  using Type = Pack;
  static constexpr std::size_t width = Pack::width;
  static Pack load(const double* from) { return Pack::load(from); }
  static void store(const Pack& x, double* to) { x.store(to); }
};

/// A sum of products with integers, as a pair.
template <class L>
struct PairSum {
  L value{}, error{};
  void add(const L& factor, const L& x, const L& x_error) {
    const auto [product, product_error] = two_product(factor, x);
    const auto [sum, rest] = two_sum(value, product);
    value = sum;
    error += rest + (product_error + factor * x_error);
  }
};

template <class L, class B>
ErrorFree<L> pair_product(const ErrorFree<B>& a, const L& b, const L& b_error) {
  const L value(a.value);
  const auto [product, error] = two_product(value, b);
  return {product, error + (value * b_error + L(a.error) * b)};
}

}  // namespace detail

/// The sums of one step that do not depend on the newest acceleration, and the step from there. k/2 = 1 is Stormer's
/// method, where the newest acceleration is the only one.
template <class B, std::size_t n, MultistepForm form>
class MultistepKernel {
 public:
  explicit MultistepKernel(std::size_t dimension) : force_(dimension), past_(dimension) {}

  [[gnu::flatten]] void collect(const MultistepCoefficients<B>& c, const MultistepWindow<B>& w) {
    for (std::size_t i = 0; i < force_.value.size(); i += Part::width) {
      if constexpr (form == MultistepForm::error_free)
        collect_pairs(c, w, i);
      else if constexpr (form == MultistepForm::summed)
        collect_sums(c, w, i);
      else
        collect_values(c, w, i);
    }
  }

  /// The new velocity and position, for the newest acceleration.
  template <std::size_t m>
  [[gnu::flatten]] void finish(const MultistepCoefficients<B>& c, const MultistepWindow<B>& w,
                               MultistepPoint<B, n, m>& point) const {
    for (std::size_t i = 0; i < force_.value.size(); i += Part::width) {
      if constexpr (form == MultistepForm::error_free)
        finish_pairs(c, w, point.acceleration, point.velocity, point.position, i);
      else if constexpr (form == MultistepForm::summed)
        finish_sums(c, w, point, i);
      else
        finish_values(c, w, point.acceleration, point.velocity, point.position, i);
    }
  }

 private:
  using Part = detail::Part<B>;
  using L = typename Part::Type;

  static L value(const PairPointer<B>& x, std::size_t i) { return Part::load(x.value + i); }
  static L error(const PairPointer<B>& x, std::size_t i) { return Part::load(x.error + i); }
  static L value(const PairColumn<B, n>& x, std::size_t i) { return Part::load(&x.value[i]); }
  static L error(const PairColumn<B, n>& x, std::size_t i) { return Part::load(&x.error[i]); }
  static void put(PairColumn<B, n>& to, std::size_t i, const L& x, const L& rest) {
    Part::store(x, &to.value[i]);
    Part::store(rest, &to.error[i]);
  }

  void collect_pairs(const MultistepCoefficients<B>& c, const MultistepWindow<B>& w, std::size_t i) {
    const std::size_t k = 2 * c.half;
    detail::PairSum<L> force, past;
    for (std::size_t j = 2; j < c.half; ++j) {
      const auto &a = w.acceleration[j], &b = w.acceleration[k - j];
      const auto [sum, rest] = two_sum(value(a, i), value(b, i));
      force.add(L(c.beta[j]), sum, rest + (error(a, i) + error(b, i)));
    }
    if (c.half > 1) {
      const auto& middle = w.acceleration[c.half];
      force.add(L(c.beta[c.half]), value(middle, i), error(middle, i));
    }
    for (std::size_t j = 1; j < c.half; ++j) {
      const auto &a = w.velocity[k - 1 - j], &b = w.velocity[j];
      const auto [difference, rest] = two_sum(value(a, i), -value(b, i));
      past.add(L(c.hat_alpha[j]), difference, rest + (error(a, i) - error(b, i)));
    }
    put(force_, i, force.value, force.error);
    put(past_, i, past.value, past.error);
  }

  void collect_values(const MultistepCoefficients<B>& c, const MultistepWindow<B>& w, std::size_t i) {
    const std::size_t k = 2 * c.half;
    if constexpr (form == MultistepForm::direct) {
      L sum(0.0);
      for (std::size_t j = 0; j + 1 < k; ++j)
        sum += L(c.direct_beta[j]) * value(w.acceleration[j], i) -
               L(c.direct_alpha[j]) * value(w.position[j], i);
      put(past_, i, sum, L(0.0));
      return;
    }
    L force(0.0), past(0.0), past_error(0.0);
    for (std::size_t j = 2; j < c.half; ++j)
      force += L(c.beta[j]) * (value(w.acceleration[k - j], i) + value(w.acceleration[j], i));
    if (c.half > 1) force += L(c.beta[c.half]) * value(w.acceleration[c.half], i);
    for (std::size_t j = 1; j < c.half; ++j)
      past += L(c.hat_alpha[j]) * (value(w.velocity[k - 1 - j], i) - value(w.velocity[j], i));
    if (form == MultistepForm::compensated && c.keeps_velocity)
      for (std::size_t j = 1; j < c.half; ++j)
        past_error += L(c.hat_alpha[j]) * (error(w.velocity[k - 1 - j], i) - error(w.velocity[j], i));
    put(force_, i, force, L(0.0));
    put(past_, i, past, past_error);
  }

  void finish_pairs(const MultistepCoefficients<B>& c, const MultistepWindow<B>& w, const PairColumn<B, n>& a,
                    PairColumn<B, n>& velocity, PairColumn<B, n>& position, std::size_t i) const {
    detail::PairSum<L> force{value(force_, i), error(force_, i)};
    if (c.half > 1) {
      const auto& oldest = w.acceleration[1];
      const auto [sum, rest] = two_sum(value(a, i), value(oldest, i));
      force.add(L(c.beta[1]), sum, rest + (error(a, i) + error(oldest, i)));
    } else {
      force.add(L(c.beta[1]), value(a, i), error(a, i));
    }
    const auto kick = detail::pair_product(c.force_factor, force.value, force.error);
    const auto past = detail::pair_product(c.inverse_alpha, value(past_, i), error(past_, i));
    const auto [change, change_rest] = two_sum(past.value, kick.value);
    const auto &first = w.velocity[0], &last = w.position[2 * c.half - 1];
    const auto [v, v_rest] = two_sum(value(first, i), change);
    const auto pair = fast_two_sum(v, v_rest + (error(first, i) + (change_rest + (past.error + kick.error))));
    put(velocity, i, pair.value, pair.error);
    const auto [move, move_rest] = two_product(L(c.step), pair.value);
    const auto [q, q_rest] = two_sum(value(last, i), move);
    const auto place = fast_two_sum(q, q_rest + (error(last, i) + (move_rest + L(c.step) * pair.error)));
    put(position, i, place.value, place.error);
  }

  void finish_values(const MultistepCoefficients<B>& c, const MultistepWindow<B>& w,
                     const PairColumn<B, n>& a, PairColumn<B, n>& velocity, PairColumn<B, n>& position,
                     std::size_t i) const {
    if constexpr (form == MultistepForm::direct) {
      const std::size_t last = 2 * c.half - 1;
      const L term =
          L(c.direct_beta[last]) * value(a, i) - L(c.direct_alpha[last]) * value(w.position[last], i);
      put(position, i, value(past_, i) + term, L(0.0));
    } else {
      const L newest = c.half > 1 ? value(a, i) + value(w.acceleration[1], i) : value(a, i);
      const L force = value(force_, i) + L(c.beta[1]) * newest;
      const L kick = L(c.force_factor.value) * force;
      const auto &first = w.velocity[0], &last = w.position[2 * c.half - 1];
      const L old_velocity = value(first, i), old_position = value(last, i);
      if constexpr (form == MultistepForm::staggered) {
        const L v = old_velocity + (value(past_, i) / L(c.alpha_scale) + kick);
        put(velocity, i, v, L(0.0));
        put(position, i, old_position + L(c.step) * v, L(0.0));
      } else {
        const L past = (value(past_, i) + error(past_, i)) / L(c.alpha_scale);
        const L change = kick + past + error(first, i);
        const L v = old_velocity + change;
        put(velocity, i, v, c.keeps_velocity ? (old_velocity - v) + change : L(0.0));
        const L move = L(c.step) * v + error(last, i);
        const L q = old_position + move;
        put(position, i, q, c.keeps_position ? (old_position - q) + move : L(0.0));
      }
    }
  }

  // With the first sum v_{n+1/2} = v_{n-1/2} + h a_n and the second sum x_{n+1} = x_n + h v_{n+1/2} the method is
  // rho_1(E) (q - x) = h^2 tau(E) a for the correction q - x, which is as small as h^2 a, as are its rounding errors.
  // The zeros of rho_1 are simple, on the unit circle, and not 1.
  void collect_sums(const MultistepCoefficients<B>& c, const MultistepWindow<B>& w, std::size_t i) {
    const std::size_t k = 2 * c.half;
    L force(0.0), past(0.0);
    for (std::size_t j = 4; j + 1 < c.half + 2; ++j)
      force += L(c.correction[j - 3]) * (value(w.acceleration[k + 2 - j], i) + value(w.acceleration[j], i));
    if (c.half > 2) force += L(c.correction[c.half - 2]) * value(w.acceleration[c.half + 1], i);
    for (std::size_t j = 3; j + 1 < c.half + 2; ++j)
      past += L(c.inner_alpha[j - 2]) * (value(w.correction[k + 2 - j], i) + value(w.correction[j], i));
    if (c.half > 1) past += L(c.inner_alpha[c.half - 1]) * value(w.correction[c.half + 1], i);
    put(force_, i, force, L(0.0));
    put(past_, i, past, L(0.0));
  }

  template <std::size_t m>
  void finish_sums(const MultistepCoefficients<B>& c, const MultistepWindow<B>& w,
                   MultistepPoint<B, n, m>& point, std::size_t i) const {
    const L a = value(point.acceleration, i);
    L correction(0.0);
    if (c.half > 1) {
      const L newest = c.half > 2 ? a + value(w.acceleration[3], i) : a;
      const L force = value(force_, i) + L(c.correction[0]) * newest;
      correction = force - value(past_, i) / L(c.alpha_scale) - value(w.correction[2], i);
    }
    const auto &first = w.velocity[2 * c.half - 2], &second = w.second_sum;
    const L old_velocity = value(first, i), old_sum = value(second, i);
    const L change = L(c.step) * a + error(first, i);
    const L v = old_velocity + change;
    put(point.velocity, i, v, c.keeps_velocity ? (old_velocity - v) + change : L(0.0));
    const L move = L(c.step) * v + error(second, i);
    const L x = old_sum + move;
    const L rest = c.keeps_position ? (old_sum - x) + move : L(0.0);
    put(point.second_sum, i, x, rest);
    put(point.correction, i, correction, L(0.0));
    const L small = correction + rest;
    const L q = x + small;
    put(point.position, i, q, c.keeps_position ? (x - q) + small : L(0.0));
  }

  PairColumn<B, n> force_, past_;
};

}  // namespace POLHODE_CORE

namespace polhode::constrained {
using core::MultistepForm;
}  // namespace polhode::constrained
