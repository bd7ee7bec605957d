// The implicit part of a multistep step: the multipliers for which the next position satisfies the constraints.
#pragma once

#include <limits>
#include <sstream>

#include "polhode/constrained/multipliers.hpp"
#include "polhode/constrained/multistep_memory.hpp"
#include "polhode/stepping/evaluations.hpp"

namespace POLHODE_CORE {

/// Finds lambda by simplified Newton iterations [CH13 section 2.4], or by the quadratic equation of a sphere. Whatever
/// lambda is tried, the acceleration M^-1 (f - G^T lambda) is formed and rounded first, and velocity and position follow from
/// that: later steps use the same number.
///
/// Increments are small, so plain doubles serve for them even where everything else is double-double: G M^-1 G^T is
/// factored in the base scalar.
template <System S, class T, MultistepForm form>
requires HasConstraints<S>
class MultiplierSolver {
 public:
  static constexpr bool pairs = std::same_as<T, DoubleDouble>;
  using Base = std::conditional_t<pairs, double, T>;
  static constexpr std::size_t n = fixed_dimension<S>;
  using Point = MultistepPoint<Base, n, fixed_constraints<S>>;
  using Kernel = MultistepKernel<Base, n, form>;

  MultiplierSolver(const S& system, const MultiplierOptions& options)
      : options_(with_evaluation_for<S, T>(options)),
        mass_(system),
        base_mass_(system),
        derivative_(system),
        base_derivative_(system),
        gram_(system, base_derivative_),
        rational_(system),
        increment_(constraints_of(system)),
        position_(dimension_of(system)),
        wide_(dimension_of(system)) {}

  /// q and f are position and force at the newest grid point, point.lambda is the first guess. Returns what went wrong, if
  /// anything.
  std::string solve(const S& system, const Coordinates<S, T>& q, const Coordinates<S, T>& f,
                    const Kernel& kernel, const MultistepCoefficients<Base>& c,
                    const MultistepWindow<Base>& window, Point& point, EvaluationCounts& counts) {
    if (!differentiate(system, q)) return "the constraints are dependent: G M^-1 G^T is singular";
    const auto follow = [&] {
      accelerate(f, point);
      kernel.finish(c, window, point);
    };
    follow();
    if constexpr (rational_possible<S, T>)
      if (options_.evaluation == ConstraintEvaluation::rational)
        rational_.centre(system, point.position.values());
    Base previous(std::numeric_limits<double>::infinity());
    for (int i = 0; i < options_.max_iterations; ++i) {
      const Base size_of_g = evaluate(system, point);
      ++counts.constraint;
      if (closed_form()) {
        for (std::size_t j = 0; j < increment_.size(); ++j) {
          if constexpr (HasSpheres<S>)
            increment_[j] = sphere_multiplier(base(), base_mass_, point.position.values(), j, increment_[j]);
        }
      } else {
        divide_by_gram();
      }
      const Base size = largest(increment_);
      if (!isfinite(size)) return not_converging(size_of_g, i, c.step);
      if (closed_form()) {
        apply(c, point, size, follow);
        // In pairs an increment in doubles leaves a part of itself: once more where that would show.
        if (!pairs || size <= Base(0x1p-44) * (Base(1) + largest(point.position.value))) return {};
        continue;
      }
      if (options_.stopping == Stopping::convergence) {
        const Base scale = Base(1) + largest(point.position.value);
        // The errors of pairs have finer last places to wander in than the pairs promise.
        if (size == Base(0) || (pairs && size <= Base(0x1p-104) * scale)) return {};
        if (!(size < previous))
          return size <= Base(1e-9) * scale ? std::string() : not_converging(size_of_g, i, c.step);
      } else if (size <= Base(options_.tolerance)) {
        if (options_.stopping == Stopping::tolerance) apply(c, point, size, follow);
        return {};
      }
      apply(c, point, size, follow);
      previous = size;
    }
    return not_converging(evaluate(system, point), options_.max_iterations, c.step);
  }

 private:
  bool closed_form() const { return HasSpheres<S> && options_.closed_form; }
  const ConstraintDerivative<S, Base>& base() const {
    if constexpr (pairs)
      return base_derivative_;
    else
      return derivative_;
  }

  [[gnu::flatten]] bool differentiate(const S& system, const Coordinates<S, T>& q) {
    derivative_.evaluate(system, q);
    if constexpr (pairs) base_derivative_.evaluate(system, convert<double>(q));
    return closed_form() || gram_.factor(base(), base_mass_);
  }

  [[gnu::flatten]] void divide_by_gram() { gram_.solve(increment_); }

  /// g at the new position into the increment; returns its largest entry.
  [[gnu::flatten]] Base evaluate(const S& system, const Point& point) {
    if constexpr (std::same_as<Base, double>) {
      if constexpr (rational_possible<S, T>) {
        if (options_.evaluation == ConstraintEvaluation::rational) {
          rational_.evaluate(system, point.position.values(), point.position.errors(), increment_);
          return largest(increment_);
        }
      }
      if (pairs || options_.evaluation == ConstraintEvaluation::wide) {
        for (std::size_t i = 0; i < wide_.size(); ++i)
          wide_[i] = DoubleDouble(point.position.value[i], point.position.error[i]);
        for (std::size_t i = 0; i < increment_.size(); ++i)
          increment_[i] = static_cast<double>(system.constraint(std::as_const(wide_).span(), i));
        return largest(increment_);
      }
    }
    for (std::size_t i = 0; i < increment_.size(); ++i)
      increment_[i] = system.constraint(point.position.values(), i);
    return largest(increment_);
  }

  /// M^-1 (f - G^T lambda).
  [[gnu::flatten]] void accelerate(const Coordinates<S, T>& f, Point& point) {
    position_ = f;
    for (std::size_t i = 0; i < point.lambda.size(); ++i) {
      const auto row = derivative_.row(i);
      const std::size_t first = derivative_.window(i).first;
      const T lambda = whole(point.lambda.value[i], point.lambda.error[i]);
      for (std::size_t j = 0; j < row.size(); ++j) position_[first + j] -= row[j] * lambda;
    }
    mass_.divide(position_);
    for (std::size_t j = 0; j < position_.size(); ++j) {
      if constexpr (pairs) {
        point.acceleration.value[j] = position_[j].high();
        point.acceleration.error[j] = position_[j].low();
      } else {
        point.acceleration.value[j] = position_[j];
      }
    }
  }
  static T whole(const Base& value, [[maybe_unused]] const Base& error) {
    if constexpr (pairs)
      return T(value, error);
    else
      return value;
  }

  /// Adds the increment (a shift of the position) to lambda and lets the rest follow.
  template <class Follow>
  void apply(const MultistepCoefficients<Base>& c, Point& point, const Base& size, const Follow& follow) {
    for (std::size_t i = 0; i < increment_.size(); ++i) {
      increment_[i] = increment_[i] * c.per_multiplier;
      if constexpr (pairs)
        add(increment_[i], point.lambda.value[i], point.lambda.error[i]);
      else
        point.lambda.value[i] += increment_[i];
    }
    if constexpr (pairs) {
      // A small increment changes the pairs by less than what their values can lose: doubles do.
      if (size <= 1e-9 * (1.0 + largest(point.position.value)) * c.step * c.step) {
        Coordinates<S, Base> change = base().transposed_times(increment_, position_.size());
        base_mass_.divide(change);
        for (std::size_t j = 0; j < change.size(); ++j) {
          add(-change[j], point.acceleration.value[j], point.acceleration.error[j]);
          const Base kick = c.kick_factor * -change[j];
          add(kick, point.velocity.value[j], point.velocity.error[j]);
          add(c.step * kick, point.position.value[j], point.position.error[j]);
        }
        return;
      }
    }
    follow();
  }
  static void add(const Base& x, Base& value, Base& error) {
    const auto [sum, rest] = fast_two_sum(value, error + x);
    value = sum;
    error = rest;
  }

  static std::string not_converging(const Base& residual, int iterations, const Base& step) {
    if (step * step < Base(std::numeric_limits<double>::min()))
      return "the step is too small: its square is not a number of double";
    std::ostringstream text;
    text << "the multipliers do not converge (|g| is " << static_cast<double>(residual) << " after "
         << iterations << " iterations): the step is too large";
    return text.str();
  }

  MultiplierOptions options_;
  Mass<S, T> mass_;
  Mass<S, Base> base_mass_;
  ConstraintDerivative<S, T> derivative_;
  ConstraintDerivative<S, Base> base_derivative_;
  GramFactor<S, Base> gram_;
  [[no_unique_address]] RationalIfPossible<S, T> rational_;
  Multipliers<S, Base> increment_;
  Coordinates<S, T> position_;
  Coordinates<S, DoubleDouble> wide_;
};

}  // namespace POLHODE_CORE
