// The Lobatto IIIA-IIIB pair for systems in coordinates with constraints, or without: symplectic, symmetric, of the
// order 2 s - 2 [Jay96; HLW06 VII.1.4].
#pragma once

#include <deque>

#include "polhode/arithmetic/compensated.hpp"
#include "polhode/constrained/coordinate_stepper.hpp"
#include "polhode/constrained/lobatto_stages.hpp"
#include "polhode/constrained/projection.hpp"

namespace POLHODE_CORE {

struct LobattoOptions {
  int stages = 3;  ///< 2 to 4
  /// As for multistep methods; there is no closed form here, because stages couple the constraints.
  MultiplierOptions multipliers = {};
};

/// A motion in steps of one length. T is the scalar of forces and multipliers. The state, and the increments that it
/// is the sum of, are carried in Wide<T>, or with Summation::plain in T.
template <System S, class T = double, Summation summation = Summation::compensated>
class Lobatto : public CoordinateStepper<Lobatto<S, T, summation>, S, T> {
  using Common = CoordinateStepper<Lobatto, S, T>;
  friend Common;

 public:
  using Shown = Wide<T>;
  using Common::dimension;

  /// The initial value comes in the wide scalar, so that it can satisfy the constraints to all places. Throws
  /// InputError where it does not satisfy them at all, and where the step or the options are invalid.
  Lobatto(const S& system, const PhasePointOf<S, Shown>& initial, double step,
          const LobattoOptions& options = {})
      : Common(system, step),
        options_(options),
        table_(CollocationTable::lobatto(options.stages)),
        step_(step),
        manifold_(system),
        mass_(system),
        base_mass_(system),
        stages_(system, table_, step_, options.multipliers),
        base_derivative_(system),
        gram_(system, base_derivative_),
        next_gram_(gram_) {
    const PhasePointOf<S, Shown> start = consistent(manifold_, initial);
    for (std::size_t i = 0; i < table_.stages(); ++i) {
      drift_.push_back(static_cast<State>(step_ * table_.nodes[i]));
      weight_.push_back(static_cast<State>(step_ * table_.weights[i]));
    }
    point_ = convert<State>(start);
    begin_history(start);
    begin();
  }

  int order() const { return 2 * options_.stages - 2; }

  /// Position and momentum, with their errors.
  PhasePointOf<S, Shown> wide_state() const { return convert<Shown>(point_); }
  Shown energy() const requires HasPotential<S> {
    return core::energy(system_, manifold_.mass(), wide_state());
  }
  Residual<Shown> residual() const { return manifold_.residual(wide_state()); }

 private:
  using State = std::conditional_t<summation == Summation::compensated, Shown, T>;
  using Stages = detail::LobattoStages<S, T, State>;
  using Base = typename Stages::Base;
  static constexpr std::size_t past = 4;

  /// What the first guesses continue: the stages of a step.
  struct Past {
    std::vector<Coordinates<S, Base>> acceleration;
    std::vector<Multipliers<S, Base>> lambda;
  };

  template <class Self, class F>
  static void visit(Self& self, F&& f) {
    f(self.steps_);
    f(self.counts_);
    f(self.known_);
    f(self.point_.position.span());
    f(self.point_.momentum.span());
    for (auto& step : self.history_)
      for (std::size_t i = 0; i < step.lambda.size(); ++i) {
        f(step.acceleration[i].span());
        f(step.lambda[i].span());
      }
  }

  /// As if the acceleration had always been that of the beginning.
  void begin_history(const PhasePointOf<S, Shown>& start) {
    Coordinates<S, Shown> velocity = start.momentum, acceleration(dimension());
    Multipliers<S, Shown> lambda(constraints_of(system_));
    manifold_.mass().divide(velocity);
    if (!manifold_.acceleration(start.position, velocity, acceleration, lambda))
      throw InputError("the constraints are dependent at the initial value: G M^-1 G^T is singular");
    for (Past& step : history_) {
      step.acceleration.assign(stages_.size() - 1, convert<Base>(acceleration));
      step.lambda.assign(stages_.size() - 1, convert<Base>(lambda));
    }
  }

  /// The first stage from the state, at the beginning and after restore().
  void begin() {
    stages_[0].position = point_.position;
    stages_.evaluate(system_, 0);
    if (!factor(0, gram_)) throw InputError("the constraints are dependent: G M^-1 G^T is singular");
  }
  bool factor(std::size_t stage, GramFactor<S, Base>& gram) {
    if constexpr (Stages::pairs) {
      base_derivative_.evaluate(system_, convert<Base>(stages_[stage].position));
      return gram.factor(base_derivative_, base_mass_);
    } else {
      return gram.factor(stages_[stage].derivative, base_mass_);
    }
  }

  void advance_once() {
    Coordinates<S, State> velocity = point_.momentum;
    mass_.divide(velocity);
    for (std::size_t i = 1; i < stages_.size(); ++i)
      for (std::size_t k = 0; k < dimension(); ++k)
        stages_[i].base[k] = point_.position[k] + drift_[i] * velocity[k];
    predict();
    EvaluationCounts counts = counts_;
    stages_.solve(system_, gram_, steps_, counts);
    stages_.evaluate(system_, stages_.size() - 1);
    ++counts.force;
    if (!factor(stages_.size() - 1, next_gram_))
      throw StepError(steps_, "the constraints are dependent: G M^-1 G^T is singular");
    const Coordinates<S, State> momentum = next_momentum();
    State sum(0);
    for (std::size_t k = 0; k < dimension(); ++k) sum += stages_.last().position[k] + momentum[k];
    if (!isfinite(static_cast<double>(sum)))
      throw StepError(steps_, "a coordinate or a momentum is no longer a finite number");
    point_.momentum = momentum;
    point_.position = stages_.last().position;
    remember();
    std::swap(stages_[0].position, stages_.last().position);
    std::swap(stages_[0].force, stages_.last().force);
    std::swap(stages_[0].derivative, stages_.last().derivative);
    std::swap(gram_, next_gram_);
    counts_ = counts;
  }

  /// Each stage by a polynomial through its values in the last steps.
  void predict() {
    static constexpr std::array<std::array<double, past>, past> binomial{
        {{1, 0, 0, 0}, {2, -1, 0, 0}, {3, -3, 1, 0}, {4, -6, 4, -1}}};
    const int degree = std::min(stages_.options().extrapolation, std::max(0, static_cast<int>(known_) - 1));
    for (std::size_t i = 0; i + 1 < stages_.size(); ++i) {
      auto& stage = stages_[i];
      std::fill(stage.acceleration.begin(), stage.acceleration.end(), T(0));
      std::fill(stage.lambda.begin(), stage.lambda.end(), T(0));
      for (int j = 0; j <= degree; ++j) {
        const Base factor(binomial[static_cast<std::size_t>(degree)][static_cast<std::size_t>(j)]);
        const Past& step = history_[static_cast<std::size_t>(j)];
        for (std::size_t k = 0; k < dimension(); ++k)
          stage.acceleration[k] += T(factor * step.acceleration[i][k]);
        for (std::size_t k = 0; k < stage.lambda.size(); ++k)
          stage.lambda[k] += T(factor * step.lambda[i][k]);
      }
    }
  }
  void remember() {
    std::rotate(history_.begin(), history_.end() - 1, history_.end());
    for (std::size_t i = 0; i + 1 < stages_.size(); ++i) {
      history_[0].acceleration[i] = convert<Base>(stages_[i].acceleration);
      history_[0].lambda[i] = convert<Base>(stages_[i].lambda);
    }
    known_ = std::min<std::int64_t>(known_ + 1, past);
  }

  /// p + h sum_j b_j (f_j - G_j^T lambda_j), where lambda_s makes it tangential. Twice, because the first time leaves
  /// the round-off of the part that is removed.
  Coordinates<S, State> next_momentum() {
    Coordinates<S, State> p = point_.momentum;
    const std::size_t end = stages_.size() - 1;
    for (std::size_t i = 0; i <= end; ++i) {
      Coordinates<S, T> x = stages_[i].force;
      if (i < end) {
        const Coordinates<S, T> along =
            stages_[i].derivative.transposed_times(stages_[i].lambda, dimension());
        for (std::size_t k = 0; k < dimension(); ++k) x[k] -= along[k];
      }
      for (std::size_t k = 0; k < dimension(); ++k) p[k] += weight_[i] * x[k];
    }
    const ConstraintDerivative<S, T>& g = stages_.last().derivative;
    for (int pass = 0; HasConstraints<S> && pass < 2; ++pass) {
      Coordinates<S, State> v = p;
      mass_.divide(v);
      Multipliers<S, Base> mu(g.size());
      for (std::size_t i = 0; i < mu.size(); ++i) {
        State sum(0);
        const auto row = g.row(i);
        for (std::size_t j = 0; j < row.size(); ++j) sum += v[g.window(i).first + j] * row[j];
        mu[i] = static_cast<Base>(sum);
      }
      next_gram_.solve(mu);
      for (std::size_t i = 0; i < mu.size(); ++i) {
        const auto row = g.row(i);
        for (std::size_t j = 0; j < row.size(); ++j) p[g.window(i).first + j] -= State(mu[i]) * row[j];
      }
    }
    return p;
  }

  using Common::counts_;
  using Common::steps_;
  using Common::system_;

  LobattoOptions options_;
  CollocationTable table_;
  DoubleDouble step_;
  mutable Manifold<S, Shown> manifold_;
  Mass<S, State> mass_;
  Mass<S, Base> base_mass_;
  Stages stages_;
  ConstraintDerivative<S, Base> base_derivative_;
  GramFactor<S, Base> gram_, next_gram_;  ///< at the first stage and at the last
  std::vector<State> drift_;              ///< h c_i
  std::vector<State> weight_;             ///< h b_i
  PhasePointOf<S, State> point_;
  std::array<Past, past> history_;
  std::int64_t known_ = 0;  ///< how many steps of the history are true
};

}  // namespace POLHODE_CORE

namespace polhode::constrained {
using core::Lobatto;
using core::LobattoOptions;
}  // namespace polhode::constrained
