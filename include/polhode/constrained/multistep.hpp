// Symmetric multistep methods for systems in coordinates, with or without constraints [CH13].
#pragma once

#include "polhode/constrained/coordinate_stepper.hpp"
#include "polhode/constrained/multiplier_solver.hpp"
#include "polhode/constrained/starter.hpp"
#include "polhode/error.hpp"

namespace POLHODE_CORE {

/// A motion in steps of one length. T is the scalar of forces and constraints: with double the form says how state and
/// sums are carried; with DoubleDouble (form error_free) everything has twice the precision.
///
/// The momentum at a grid point needs velocities on both sides of it [CH13 (7)]: the integration runs half_width() steps
/// ahead of the grid point that it shows, and begins on both sides of the initial value.
template <System S, class T, MultistepForm form = MultistepForm::error_free>
class Multistep : public CoordinateStepper<Multistep<S, T, form>, S, T> {
  using Common = CoordinateStepper<Multistep, S, T>;
  friend Common;

 public:
  using Shown = Wide<T>;
  using Common::dimension;

  /// The initial value comes in the wide scalar, so that it can satisfy the constraints to all places. Throws InputError
  /// where it does not satisfy them at all, or when there is no motion to be followed from it.
  Multistep(const S& system, const MultistepTable& table, const PhasePointOf<S, Shown>& initial, double step,
            const MultiplierOptions& options = {}, const MultistepOptions& more = {})
      : Common(system, step),
        mass_(system),
        manifold_(system),
        coefficients_(checked(table), Base(step), more.compensation),
        momentum_(table.steps() / 2),
        extrapolation_(checked(options)),
        solver_(system, options),
        kernel_(dimension()),
        memory_(table.steps() + 1, dimension(), constraints_of(system), summed),
        point_(dimension(), constraints_of(system)),
        newest_(dimension()),
        force_(dimension()),
        formula_(more.momentum) {
    start(consistent(manifold_, initial), more.start);
  }

  int half_width() const { return momentum_.half_width(); }

  /// Position and momentum at the current grid point, in the wide scalar with their errors, on the manifold.
  PhasePointOf<S, Shown> wide_state() const {
    if (formula_ != MomentumFormula::wide) return narrow_state();
    const std::int64_t centre = memory_.head - half_width();
    PhasePointOf<S, Shown> result(dimension());
    const PairPointer<Base> q = memory_.at(Memory::positions, centre);
    for (std::size_t i = 0; i < dimension(); ++i) {
      result.position[i] = shown(q, i);
      Shown sum(0);
      for (int j = -half_width(); j < half_width(); ++j)
        sum += Shown(static_cast<double>(momentum_[j])) * staggered_velocity(centre + j, i);
      result.momentum[i] = sum / Shown(static_cast<double>(momentum_.scale()));
    }
    manifold_.mass().multiply(result.momentum);
    if (!manifold_.project_momentum(result))
      throw StepError(steps_, "the constraints are dependent: G M^-1 G^T is singular");
    return result;
  }

  /// Energy and residuals of the constraints at that point, in the wide scalar.
  Shown energy() const requires HasPotential<S> {
    return core::energy(system_, manifold_.mass(), wide_state());
  }
  Residual<Shown> residual() const { return manifold_.residual(wide_state()); }

 private:
  static constexpr bool pairs = std::same_as<T, DoubleDouble>;  ///< a T is a value with its error
  using Base = std::conditional_t<pairs, double, T>;
  static_assert(!pairs || form == MultistepForm::error_free, "double-double is carried in pairs");
  static_assert(std::same_as<Base, double> || form == MultistepForm::direct ||
                    form == MultistepForm::staggered,
                "pairs are made of doubles");
  static constexpr bool summed = form == MultistepForm::summed;
  static constexpr std::size_t n = fixed_dimension<S>;
  using Memory = MultistepMemory<Base>;
  using Point = MultistepPoint<Base, n, fixed_constraints<S>>;

  struct NoSolver {
    NoSolver(const S&, const MultiplierOptions&) {}
  };
  template <class X>
  struct SolverType {
    using Type = NoSolver;
  };
  template <HasConstraints X>
  struct SolverType<X> {
    using Type = MultiplierSolver<X, T, form>;
  };

  static const MultistepTable& checked(const MultistepTable& table) {
    if (HasConstraints<S> && !table.stable_with_constraints())
      throw InputError(
          "the method is unstable with constraints, because sigma has zeros off the unit circle: "
          "take sy2, sy4, sy6, or roots like -0.8, -0.4, 0.7");
    return table;
  }
  static std::size_t checked(const MultiplierOptions& options) {
    if (options.extrapolation < -1 || options.extrapolation > 3)
      throw InputError("the first guess continues the multipliers by a polynomial of degree 0 to 3");
    if (options.extrapolation >= 0) return static_cast<std::size_t>(options.extrapolation);
    return std::same_as<T, double> && options.evaluation == ConstraintEvaluation::standard ? 1 : 3;
  }

  template <class Self, class F>
  static void visit(Self& self, F&& f) {
    f(self.steps_);
    f(self.counts_);
    f(self.memory_.head);
    f(self.memory_.numbers());
  }

  void advance_once() {
    look_back();
    evaluate_force();
    kernel_.collect(coefficients_, window_);
    EvaluationCounts counts = counts_;
    ++counts.force;
    if constexpr (HasConstraints<S>) {
      guess_multipliers();
      const std::string failure =
          solver_.solve(system_, newest_, force_, kernel_, coefficients_, window_, point_, counts);
      if (!failure.empty()) throw StepError(steps_, failure);
    } else {
      mass_.divide(force_);
      for (std::size_t i = 0; i < dimension(); ++i) split(force_[i], point_.acceleration, i, pairs);
      kernel_.finish(coefficients_, window_, point_);
    }
    Base sum(0);
    for (const Base& x : point_.position.value) sum += x;
    if (!isfinite(sum)) throw StepError(steps_, "the position is no longer a finite number");
    counts_ = counts;
    memory_.write(Memory::accelerations, memory_.head, point_.acceleration);
    memory_.write(Memory::multipliers, memory_.head, point_.lambda);
    memory_.write(Memory::velocities, memory_.head, point_.velocity);
    memory_.write(Memory::positions, ++memory_.head, point_.position);
    if constexpr (summed) write_sums(memory_.head);
  }
  void write_sums(std::int64_t index) {
    memory_.write(Memory::second_sums, index, point_.second_sum);
    memory_.write(Memory::corrections, index, point_.correction);
  }

  [[gnu::flatten]] void evaluate_force() {
    const PairPointer<Base> q = memory_.at(Memory::positions, memory_.head);
    for (std::size_t i = 0; i < dimension(); ++i) {
      if constexpr (pairs)
        newest_[i] = DoubleDouble(q.value[i], q.error[i]);
      else
        newest_[i] = q.value[i];
    }
    force(system_, newest_, force_);
  }

  void look_back() {
    const std::size_t k = 2 * coefficients_.half;
    for (std::size_t j = 0; j < k; ++j) {
      const std::int64_t index = memory_.head + 1 - static_cast<std::int64_t>(k - j);
      window_.position[j] = memory_.at(Memory::positions, index);
      window_.velocity[j] = memory_.at(Memory::velocities, index);
      window_.acceleration[j] = memory_.at(Memory::accelerations, index);
      if constexpr (summed) window_.correction[j] = memory_.at(Memory::corrections, index);
    }
    if constexpr (summed) window_.second_sum = memory_.at(Memory::second_sums, memory_.head);
  }

  /// Continues the last multipliers by a polynomial.
  void guess_multipliers() {
    static constexpr double weights[4][4] = {{1, 0, 0, 0}, {2, -1, 0, 0}, {3, -3, 1, 0}, {4, -6, 4, -1}};
    for (std::size_t i = 0; i < point_.lambda.size(); ++i) {
      Base value(0);
      for (std::size_t j = 0; j <= degree(); ++j)
        value += Base(weights[degree()][j]) *
                 memory_.at(Memory::multipliers, memory_.head - 1 - static_cast<std::int64_t>(j)).value[i];
      point_.lambda.value[i] = value;
      point_.lambda.error[i] = Base(0);
    }
  }
  /// A ring of two steps remembers only two multipliers.
  std::size_t degree() const { return std::min(extrapolation_, 2 * coefficients_.half - 1); }

  static Shown shown(const PairPointer<Base>& x, std::size_t i) {
    return Shown(x.value[i]) + Shown(x.error[i]);
  }
  Shown staggered_velocity(std::int64_t index, std::size_t i) const {
    const auto slope = [&](typename Memory::Ring ring) {
      return (shown(memory_.at(ring, index + 1), i) - shown(memory_.at(ring, index), i)) /
             Shown(coefficients_.step);
    };
    if constexpr (form == MultistepForm::direct) return slope(Memory::positions);
    const Shown v = shown(memory_.at(Memory::velocities, index), i);
    if constexpr (summed) return v + slope(Memory::corrections);
    return v;
  }

  /// The same as wide_state() in the scalar of the method, by [CH13 (5)] or (7) and a projection.
  PhasePointOf<S, Shown> narrow_state() const {
    const std::int64_t centre = memory_.head - half_width();
    PhasePointOf<S, T> point(dimension());
    for (std::size_t i = 0; i < dimension(); ++i) {
      point.position[i] = static_cast<T>(shown(memory_.at(Memory::positions, centre), i));
      T sum(0);
      if (formula_ == MomentumFormula::differences) {
        for (int j = -half_width(); j <= half_width(); ++j)
          sum += T(static_cast<double>(momentum_.delta(j))) *
                 static_cast<T>(shown(memory_.at(Memory::positions, centre + j), i));
        sum = sum / T(coefficients_.step);
      } else {
        for (int j = -half_width(); j < half_width(); ++j)
          sum += T(static_cast<double>(momentum_[j])) * static_cast<T>(staggered_velocity(centre + j, i));
      }
      point.momentum[i] = sum / T(static_cast<double>(momentum_.scale()));
    }
    Manifold<S, T> manifold(system_);
    manifold.mass().multiply(point.momentum);
    if (!manifold.project_momentum(point))
      throw StepError(steps_, "the constraints are dependent: G M^-1 G^T is singular");
    return convert<Shown>(point);
  }

  /// A number with its rounding error, if that is carried.
  template <class X, std::size_t length>
  static void split(const X& x, PairColumn<Base, length>& to, std::size_t i, bool with_error) {
    to.value[i] = static_cast<Base>(x);
    to.error[i] = with_error ? static_cast<Base>(x - X(to.value[i])) : Base(0);
  }

  void start(const PhasePointOf<S, Shown>& initial, StartMethod method) {
    memory_.head = half_width();
    Starter<S, Shown> starter(manifold_, method);
    MotionPoint<S, Shown> before = starter.begin(initial), after = before;
    std::vector<MotionPoint<S, Shown>> points(static_cast<std::size_t>(2 * half_width() + 1), before);
    begin_at(0, before);
    for (int j = 1; j <= half_width(); ++j) {
      const auto earlier = starter.step(before, -Shown(coefficients_.step));
      const auto later = starter.step(after, Shown(coefficients_.step));
      begin_between(-j, earlier, before);
      begin_between(j - 1, after, later);
      begin_at(-j, earlier);
      begin_at(j, later);
      points[static_cast<std::size_t>(half_width() - j)] = before = earlier;
      points[static_cast<std::size_t>(half_width() + j)] = after = later;
    }
    if constexpr (summed) begin_sums(points);
  }
  void begin_at(std::int64_t index, const MotionPoint<S, Shown>& motion) {
    for (std::size_t i = 0; i < dimension(); ++i) {
      split(motion.position[i], point_.position, i, keeps(coefficients_.keeps_position));
      split(motion.acceleration[i], point_.acceleration, i, pairs);
    }
    for (std::size_t i = 0; i < motion.lambda.size(); ++i) split(motion.lambda[i], point_.lambda, i, pairs);
    memory_.write(Memory::positions, index, point_.position);
    memory_.write(Memory::accelerations, index, point_.acceleration);
    memory_.write(Memory::multipliers, index, point_.lambda);
  }
  /// The velocity between two grid points, before it is rounded: in double it would miss eps/h.
  void begin_between(std::int64_t index, const MotionPoint<S, Shown>& left,
                     const MotionPoint<S, Shown>& right) {
    for (std::size_t i = 0; i < dimension(); ++i)
      split((right.position[i] - left.position[i]) / Shown(coefficients_.step), point_.velocity, i,
            keeps(coefficients_.keeps_velocity));
    memory_.write(Memory::velocities, index, point_.velocity);
  }
  /// Whether a sum carries its error, which the option says for some forms.
  static bool keeps(bool option) {
    if (form == MultistepForm::compensated || summed) return option;
    return form == MultistepForm::error_free;
  }

  /// First and second sums, and the corrections that are left of the positions of the grid points -l, ..., l. Sums of
  /// accelerations are defined up to a line. It is the one for which the formula of the corrections holds at the two
  /// places that lie before the first step: then that step, and every later one, is a step of the method.
  void begin_sums(const std::vector<MotionPoint<S, Shown>>& points) {
    const int l = half_width();
    const Shown h(coefficients_.step);
    const auto place = [l](int j) { return static_cast<std::size_t>(l + j); };
    std::vector<Coordinates<S, Shown>> sums(points.size(), Coordinates<S, Shown>(dimension())), slopes = sums;
    for (std::size_t i = 0; i < dimension(); ++i) {
      const auto add_up = [&] {
        for (int j = -l; j < l; ++j) {
          if (j > -l) slopes[place(j)][i] = slopes[place(j - 1)][i] + h * points[place(j)].acceleration[i];
          sums[place(j + 1)][i] = sums[place(j)][i] + h * slopes[place(j)][i];
        }
      };
      const auto missing = [&](int m) {  // in the formula at the place m, over rho_1(1)
        Shown left(0), right(0), total(0);
        for (int j = 0; j <= 2 * l - 2; ++j) {
          const Shown alpha(coefficients_.inner_alpha[static_cast<std::size_t>(j)]);
          total += alpha;
          left += alpha * (points[place(m + j)].position[i] - sums[place(m + j)][i]);
        }
        for (int j = 0; j <= 2 * l - 4; ++j)
          right += Shown(coefficients_.correction[static_cast<std::size_t>(j)]) *
                   points[place(m + 1 + j)].acceleration[i];
        return (left - right * Shown(coefficients_.alpha_scale)) / total;
      };
      sums[0][i] = points[0].position[i];
      slopes[0][i] = (points[1].position[i] - points[0].position[i]) / h;
      add_up();
      const Shown value = missing(1 - l), change = missing(2 - l) - value;
      slopes[0][i] += change / h;
      sums[0][i] += value - Shown(static_cast<double>(l)) * change;
      add_up();
    }
    for (int j = -l; j <= l; ++j) {
      for (std::size_t i = 0; i < dimension(); ++i) {
        split(sums[place(j)][i], point_.second_sum, i, coefficients_.keeps_position);
        split(points[place(j)].position[i] - sums[place(j)][i], point_.correction, i, false);
        split(slopes[place(j)][i], point_.velocity, i, coefficients_.keeps_velocity);
      }
      write_sums(j);
      memory_.write(Memory::velocities, j, point_.velocity);
    }
  }

  using Common::counts_;
  using Common::steps_;
  using Common::system_;

  Mass<S, T> mass_;
  mutable Manifold<S, Shown> manifold_;
  MultistepCoefficients<Base> coefficients_;
  MomentumTable momentum_;
  std::size_t extrapolation_;
  [[no_unique_address]] typename SolverType<S>::Type solver_;
  MultistepKernel<Base, n, form> kernel_;
  Memory memory_;
  MultistepWindow<Base> window_;
  Point point_;
  Coordinates<S, T> newest_, force_;
  MomentumFormula formula_;
};

}  // namespace POLHODE_CORE

namespace polhode::constrained {
using core::Multistep;
}  // namespace polhode::constrained
