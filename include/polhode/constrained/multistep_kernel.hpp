// One step of a symmetric multistep method for a set of coordinates, in the forms of [CH13 section 2].
//
// Velocities v = M^-1 p stand on the staggered grid instead of momenta, and accelerations a = M^-1 (f - G^T lambda)
// on the grid: the same equations divided by M, so that the mass enters once a step, with the force.
#pragma once

#include "polhode/arithmetic/double_double.hpp"
#include "polhode/constrained/column.hpp"
#include "polhode/constrained/multistep_table.hpp"

namespace polhode {

enum class MultistepForm {
  direct,       ///< (4) as printed: differences of positions, whose round-off grows like t^2
  staggered,    ///< (6) with symmetric differences
  compensated,  ///< (6) with the compensated summation of section 2.3
  error_free,   ///< (6) as a sum in pairs, where no product or sum loses more than the last place of the pair
};

/// The coefficients as numbers. Those that are multiplied with differences are integers, hence exact.
template <class B>
struct MultistepCoefficients {
  static constexpr std::size_t most = MultistepTable::max_steps + 1;

  MultistepCoefficients(const MultistepTable& table, const B& h)
      : half(static_cast<std::size_t>(table.steps() / 2)), step(h), alpha_scale(number(table.alpha_scale())) {
    for (int j = 0; j <= table.steps(); ++j) {
      alpha[static_cast<std::size_t>(j)] = number(table.alpha(j));
      hat_alpha[static_cast<std::size_t>(j)] = number(table.hat_alpha(j));
      beta[static_cast<std::size_t>(j)] = number(table.beta(j));
    }
    const Wide<B> scale = Wide<B>(static_cast<double>(table.beta_scale()));
    force_factor = split_number(Wide<B>(h) / scale);
    inverse_alpha = split_number(Wide<B>(1) / Wide<B>(alpha_scale));
    direct_factor = static_cast<B>(Wide<B>(h) * Wide<B>(h) / scale);
    kick_factor = force_factor.value * beta[1];
    multiplier_factor = direct_factor * beta[1];
  }

  std::size_t half;  ///< k/2
  B step;
  std::array<B, most> alpha{}, hat_alpha{}, beta{};
  B alpha_scale;
  ErrorFree<B> force_factor;   ///< h/beta_scale, as a value with its error
  ErrorFree<B> inverse_alpha;  ///< 1/alpha_scale
  B direct_factor;             ///< h^2/beta_scale
  B kick_factor;               ///< h beta_{k-1}: from the newest acceleration to the velocity
  B multiplier_factor;  ///< h^2 beta_{k-1}: from lambda to the shift of the position [CH13 section 2.4]

 private:
  static B number(std::int64_t value) { return B(static_cast<double>(value)); }
  static ErrorFree<B> split_number(const Wide<B>& x) {
    const B value = static_cast<B>(x);
    return {value, static_cast<B>(x - Wide<B>(value))};
  }
};

/// Values, and errors where the form carries them, of n coordinates.
template <class B, std::size_t n>
struct PairColumn {
  Column<B, n> value, error;
  explicit PairColumn(std::size_t size) : value(size), error(size) {}
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
};

namespace detail {

/// A sum of products with integers, as a pair.
template <class B>
struct PairSum {
  B value{}, error{};
  void add(const B& factor, const B& x, const B& x_error) {
    const auto [product, product_error] = two_product(factor, x);
    const auto [sum, rest] = two_sum(value, product);
    value = sum;
    error += rest + (product_error + factor * x_error);
  }
};

template <class B>
ErrorFree<B> pair_product(const ErrorFree<B>& a, const B& b, const B& b_error) {
  const auto [product, error] = two_product(a.value, b);
  return {product, error + (a.value * b_error + a.error * b)};
}

}  // namespace detail

/// The sums of one step that do not depend on the newest acceleration, and the step from there. k/2 = 1 is Stormer's
/// method, where the newest acceleration is the only one.
template <class B, std::size_t n, MultistepForm form>
class MultistepKernel {
 public:
  explicit MultistepKernel(std::size_t dimension) : force_(dimension), past_(dimension) {}

  void collect(const MultistepCoefficients<B>& c, const MultistepWindow<B>& w) {
    const std::size_t k = 2 * c.half;
    for (std::size_t i = 0; i < force_.value.size(); ++i) {
      if constexpr (form == MultistepForm::error_free) {
        detail::PairSum<B> force, past;
        for (std::size_t j = 2; j < c.half; ++j) {
          const auto &a = w.acceleration[j], &b = w.acceleration[k - j];
          const auto [sum, rest] = two_sum(a.value[i], b.value[i]);
          force.add(c.beta[j], sum, rest + (a.error[i] + b.error[i]));
        }
        if (c.half > 1)
          force.add(c.beta[c.half], w.acceleration[c.half].value[i], w.acceleration[c.half].error[i]);
        for (std::size_t j = 1; j < c.half; ++j) {
          const auto &a = w.velocity[k - 1 - j], &b = w.velocity[j];
          const auto [difference, rest] = two_sum(a.value[i], -b.value[i]);
          past.add(c.hat_alpha[j], difference, rest + (a.error[i] - b.error[i]));
        }
        force_.value[i] = force.value;
        force_.error[i] = force.error;
        past_.value[i] = past.value;
        past_.error[i] = past.error;
      } else {
        B force(0), past(0), past_error(0);
        for (std::size_t j = 2; j < c.half; ++j)
          force += c.beta[j] * (w.acceleration[k - j].value[i] + w.acceleration[j].value[i]);
        if (c.half > 1) force += c.beta[c.half] * w.acceleration[c.half].value[i];
        if constexpr (form == MultistepForm::direct) {
          for (std::size_t j = 0; j < k; ++j) past -= c.alpha[j] * w.position[j].value[i];
        } else {
          for (std::size_t j = 1; j < c.half; ++j)
            past += c.hat_alpha[j] * (w.velocity[k - 1 - j].value[i] - w.velocity[j].value[i]);
        }
        if constexpr (form == MultistepForm::compensated)
          for (std::size_t j = 1; j < c.half; ++j)
            past_error += c.hat_alpha[j] * (w.velocity[k - 1 - j].error[i] - w.velocity[j].error[i]);
        force_.value[i] = force;
        past_.value[i] = past;
        past_.error[i] = past_error;
      }
    }
  }

  /// The new velocity and position, for the newest acceleration a.
  void finish(const MultistepCoefficients<B>& c, const MultistepWindow<B>& w, const PairColumn<B, n>& a,
              PairColumn<B, n>& velocity, PairColumn<B, n>& position) const {
    const bool alone = c.half == 1;
    const PairPointer<B>&first = w.velocity[0], &last = w.position[2 * c.half - 1],
          &oldest = w.acceleration[1];
    for (std::size_t i = 0; i < force_.value.size(); ++i) {
      if constexpr (form == MultistepForm::error_free) {
        const B other = alone ? B(0) : oldest.value[i], other_error = alone ? B(0) : oldest.error[i];
        const auto [sum, rest] = two_sum(a.value[i], other);
        detail::PairSum<B> force{force_.value[i], force_.error[i]};
        force.add(c.beta[1], sum, rest + (a.error[i] + other_error));
        const auto kick = detail::pair_product(c.force_factor, force.value, force.error);
        const auto past = detail::pair_product(c.inverse_alpha, past_.value[i], past_.error[i]);
        const auto [change, change_rest] = two_sum(past.value, kick.value);
        const auto [v, v_rest] = two_sum(first.value[i], change);
        const auto pair =
            fast_two_sum(v, v_rest + (first.error[i] + (change_rest + (past.error + kick.error))));
        velocity.value[i] = pair.value;
        velocity.error[i] = pair.error;
        const auto [move, move_rest] = two_product(c.step, pair.value);
        const auto [q, q_rest] = two_sum(last.value[i], move);
        const auto place = fast_two_sum(q, q_rest + (last.error[i] + (move_rest + c.step * pair.error)));
        position.value[i] = place.value;
        position.error[i] = place.error;
      } else {
        const B newest = alone ? a.value[i] : a.value[i] + oldest.value[i];
        const B force = force_.value[i] + c.beta[1] * newest;
        if constexpr (form == MultistepForm::direct) {
          position.value[i] = past_.value[i] / c.alpha_scale + c.direct_factor * force;
        } else {
          const B kick = c.force_factor.value * force;
          if constexpr (form == MultistepForm::staggered) {
            velocity.value[i] = first.value[i] + (past_.value[i] / c.alpha_scale + kick);
            position.value[i] = last.value[i] + c.step * velocity.value[i];
          } else {
            const B past = (past_.value[i] + past_.error[i]) / c.alpha_scale;
            const B change = kick + past + first.error[i];
            velocity.value[i] = first.value[i] + change;
            velocity.error[i] = (first.value[i] - velocity.value[i]) + change;
            const B move = c.step * velocity.value[i] + last.error[i];
            position.value[i] = last.value[i] + move;
            position.error[i] = (last.value[i] - position.value[i]) + move;
          }
        }
      }
    }
  }

 private:
  PairColumn<B, n> force_, past_;
};

}  // namespace polhode
