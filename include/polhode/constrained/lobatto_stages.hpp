// The stages of one step of a Lobatto IIIA-IIIB pair, with their multipliers.
#pragma once

#include <sstream>

#include "polhode/constrained/collocation_iteration.hpp"
#include "polhode/constrained/multipliers.hpp"
#include "polhode/stepping/evaluations.hpp"

namespace POLHODE_CORE::detail {

/// Q_i = q + c_i h v + h^2 sum_j n_ij M^-1 (f(Q_j) - G(Q_j)^T lambda_j), g(Q_i) = 0 for i = 2, ..., s [Jay96; HLW06
/// VII.1.4]. The column s of n is zero: lambda_s belongs to the velocity at the end. So there are as many multipliers
/// as constraints, and with two stages there are no forces to be iterated.
///
/// Forces and derivatives are those at the last positions; multipliers follow by a simplified Newton step, for which
/// all G_j are taken for that at q, so that the matrix is the product of n and G M^-1 G^T, and both are solved with
/// apart. T is the scalar of forces and multipliers, State that of positions.
template <System S, class T, class State>
class LobattoStages {
 public:
  static constexpr bool pairs = std::same_as<T, DoubleDouble>;
  /// Increments of multipliers are small: double serves for double-double too.
  using Base = std::conditional_t<pairs, double, T>;

  struct Stage {
    explicit Stage(const S& system)
        : base(dimension_of(system)),
          position(dimension_of(system)),
          force(dimension_of(system)),
          acceleration(dimension_of(system)),
          lambda(constraints_of(system)),
          increment(constraints_of(system)),
          derivative(system) {}
    Coordinates<S, State> base;  ///< q + c_i h v
    Coordinates<S, State> position;
    Coordinates<S, T> force;
    Coordinates<S, T> acceleration;  ///< M^-1 (f - G^T lambda)
    Multipliers<S, T> lambda;
    Multipliers<S, Base> increment;  ///< along M^-1 G^T, by which g is missed
    ConstraintDerivative<S, T> derivative;
  };

  LobattoStages(const S& system, const CollocationTable& table, const DoubleDouble& h,
                const MultiplierOptions& options)
      : options_(resolved(options)),
        mass_(system),
        stages_(table.stages(), Stage(system)),
        nystrom_(table.stages()),
        inverse_(inverse_of(table, h)),
        wide_(dimension_of(system)),
        rational_(system) {
    for (std::size_t i = 0; i < size(); ++i)
      for (std::size_t j = 0; j < size(); ++j)
        nystrom_(i, j) = static_cast<State>(h * h * table.nystrom(i, j));
  }

  std::size_t size() const { return stages_.size(); }
  Stage& operator[](std::size_t i) { return stages_[i]; }
  const Stage& operator[](std::size_t i) const { return stages_[i]; }
  Stage& last() { return stages_.back(); }
  /// With what was left open decided.
  const MultiplierOptions& options() const { return options_; }

  /// Force and derivative at the position of the stage i.
  void evaluate(const S& system, std::size_t i) {
    const Coordinates<S, T> q = convert<T>(stages_[i].position);
    force(system, q, stages_[i].force);
    stages_[i].derivative.evaluate(system, q);
  }

  /// The first stage is known: position, force and derivative, with its factored Gram matrix; of the others base, and
  /// first guesses of lambda and of the accelerations. The last stage gets its position only.
  void solve(const S& system, const GramFactor<S, Base>& gram, std::int64_t step, EvaluationCounts& counts) {
    constexpr const char* what = "the stages and their multipliers";
    const bool forces_change = size() > 2;
    if (!forces_change) accelerate();
    place();
    const T size_of_q = static_cast<T>(largest(stages_[0].position) + largest(last().position));
    Convergence<Base> convergence(options_.max_iterations,
                                  static_cast<Base>(ScalarTraits<T>::epsilon() * size_of_q));
    if (!HasConstraints<S> && !forces_change) return;
    for (;;) {
      Base change(0);
      if (forces_change) {
        for (std::size_t i = 1; i + 1 < size(); ++i) evaluate(system, i);
        counts.force += static_cast<std::int64_t>(size()) - 2;
        accelerate();
        change = place();
      }
      for (std::size_t i = 1; i < size(); ++i) {
        constraint(system, stages_[i]);
        gram.solve(stages_[i].increment);
        const Base increment = largest(stages_[i].increment);
        if (!(increment <= change)) change = increment;
      }
      if (HasConstraints<S>) counts.constraint += static_cast<std::int64_t>(size()) - 1;
      if (options_.stopping == Stopping::convergence) {
        if (!convergence.goes_on(change, step, what)) return;
        apply();
      } else {
        const bool small = change <= Base(options_.tolerance);
        if (!small || options_.stopping == Stopping::tolerance) apply();
        if (small) return;
        convergence.count_one(change, step, what);
      }
    }
  }

 private:
  static MultiplierOptions resolved(const MultiplierOptions& given) {
    MultiplierOptions options = with_evaluation_for<S, T>(given);
    if (options.extrapolation < -1 || options.extrapolation > 3)
      throw InputError("the first guess continues the past multipliers by a degree of 0 to 3");
    if (options.extrapolation == -1)
      options.extrapolation = options.evaluation == ConstraintEvaluation::standard ? 1 : 3;
    return options;
  }

  /// The inverse of h^2 n without its first row and last column, which are zero.
  static StageMatrix<Base> inverse_of(const CollocationTable& table, const DoubleDouble& h) {
    const std::size_t m = table.stages() - 1;
    StageMatrix<DoubleDouble> a(m);
    StageMatrix<Base> result(m);
    for (std::size_t i = 0; i < m; ++i)
      for (std::size_t j = 0; j < m; ++j) a(i, j) = h * h * table.nystrom(i + 1, j);
    for (std::size_t column = 0; column < m; ++column) {
      std::vector<DoubleDouble> unit(m, DoubleDouble(0));
      unit[column] = 1;
      const std::vector<DoubleDouble> x = solved(a, unit);
      for (std::size_t i = 0; i < m; ++i) result(i, column) = static_cast<Base>(x[i]);
    }
    return result;
  }

  void accelerate() {
    for (std::size_t i = 0; i + 1 < size(); ++i) {
      Stage& stage = stages_[i];
      stage.acceleration = stage.derivative.transposed_times(stage.lambda, stage.force.size());
      for (std::size_t k = 0; k < stage.force.size(); ++k)
        stage.acceleration[k] = stage.force[k] - stage.acceleration[k];
      mass_.divide(stage.acceleration);
    }
  }

  /// The positions that belong to the accelerations; the largest change.
  Base place() {
    Base change(0);
    for (std::size_t i = 1; i < size(); ++i) {
      Stage& stage = stages_[i];
      for (std::size_t k = 0; k < stage.base.size(); ++k) {
        State sum(0);
        for (std::size_t j = 0; j + 1 < size(); ++j) sum += nystrom_(i, j) * stages_[j].acceleration[k];
        const State position = stage.base[k] + sum;
        const Base size = static_cast<Base>(abs(position - stage.position[k]));
        if (!(size <= change)) change = size;
        stage.position[k] = position;
      }
    }
    return change;
  }

  /// The increments become multipliers, and the positions follow.
  void apply() {
    for (std::size_t j = 0; j + 1 < size(); ++j)
      for (std::size_t k = 0; k < stages_[j].lambda.size(); ++k) {
        Base sum(0);
        for (std::size_t i = 1; i < size(); ++i) sum += inverse_(j, i - 1) * stages_[i].increment[k];
        stages_[j].lambda[k] += T(sum);
      }
    accelerate();
    place();
  }

  /// g at the position of a stage.
  void constraint([[maybe_unused]] const S& system, [[maybe_unused]] Stage& stage) {
    if constexpr (HasConstraints<S>) {
      if constexpr (rational_possible<S, T>) {
        if (options_.evaluation == ConstraintEvaluation::rational) {
          const Coordinates<S, double> q = convert<double>(stage.position);
          Coordinates<S, double> rest(q.size());
          for (std::size_t k = 0; k < q.size(); ++k)
            rest[k] = static_cast<double>(stage.position[k] - State(q[k]));
          rational_.centre(system, q.span());  // each time: stages lie apart
          rational_.evaluate(system, q.span(), rest.span(), stage.increment);
          return;
        }
      }
      if (options_.evaluation == ConstraintEvaluation::standard) {
        const Coordinates<S, T> q = convert<T>(stage.position);
        for (std::size_t i = 0; i < stage.increment.size(); ++i)
          stage.increment[i] = static_cast<Base>(system.constraint(q.span(), i));
      } else {
        wide_ = convert<Wide<T>>(stage.position);
        for (std::size_t i = 0; i < stage.increment.size(); ++i)
          stage.increment[i] = static_cast<Base>(system.constraint(std::as_const(wide_).span(), i));
      }
    }
  }

  MultiplierOptions options_;
  Mass<S, T> mass_;
  std::vector<Stage> stages_;
  StageMatrix<State> nystrom_;  ///< h^2 n
  StageMatrix<Base> inverse_;
  Coordinates<S, Wide<T>> wide_;
  [[no_unique_address]] RationalIfPossible<S, T> rational_;
};

}  // namespace POLHODE_CORE::detail
