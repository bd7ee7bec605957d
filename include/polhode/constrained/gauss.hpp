// Symplectic Gauss methods for systems in coordinates without constraints, implemented so that round-off is a random
// walk, as Brouwer's law has it [HMR08].
#pragma once

#include "polhode/arithmetic/compensated.hpp"
#include "polhode/constrained/coordinate_stepper.hpp"
#include "polhode/constrained/gauss_stages.hpp"
#include "polhode/constrained/projection.hpp"

namespace POLHODE_CORE {

struct GaussOptions {
  int stages = 6;  ///< 1 to 8; the order is twice that
  int max_iterations = 100;
};

/// A motion in steps of one length. T is the scalar of forces and stages. The state, and the increments that it is
/// the sum of, are carried in Wide<T>, or with Summation::plain in T: double, compensated double, and DoubleDouble
/// are Gauss<S, double, Summation::plain>, Gauss<S, double> and Gauss<S, DoubleDouble>.
///
/// What makes the difference between a random walk and a drift [HMR08]: coefficients enter with their rounding
/// errors, because rounded ones are those of a method that is not symplectic; stages are increments of the state;
/// they are iterated until the iteration changes nothing or only jitters, because what a tolerance leaves is a
/// systematic error.
///
/// What remains in compensated double is the round-off of the forces.
template <System S, class T = double, Summation summation = Summation::compensated>
class Gauss : public CoordinateStepper<Gauss<S, T, summation>, S, T> {
  using Base = CoordinateStepper<Gauss, S, T>;
  friend Base;
  static_assert(!HasConstraints<S>, "a Gauss method takes no constraints: use Rattle, Lobatto or Multistep");

 public:
  using Shown = Wide<T>;
  using Base::dimension;

  /// Throws InputError where the initial value, the step or the options are invalid.
  Gauss(const S& system, const PhasePointOf<S, Shown>& initial, double step, const GaussOptions& options = {})
      : Base(system, step),
        options_(options),
        table_(CollocationTable::gauss(options.stages)),
        step_(step),
        mass_(system),
        point_(convert<State>(initial)),
        stages_(system, table_, step_),
        pair_stages_(system, table_, step_),
        past_(table_.stages(), Coordinates<S, Coarse>(dimension())) {
    if (options.max_iterations < 1) throw InputError("the stages need at least one iteration");
    Manifold<S, Shown> manifold(system);
    consistent(manifold, initial);
    const auto extrapolation = table_.extrapolation(table_.stages());
    extrapolation_ = StageMatrix<Coarse>(table_.stages());
    for (std::size_t i = 0; i < table_.stages(); ++i) {
      drift_.push_back(static_cast<State>(step_ * table_.nodes[i]));
      momentum_weight_.push_back(static_cast<State>(step_ * table_.weights[i]));
      position_weight_.push_back(static_cast<State>(step_ * step_ * table_.position_weights[i]));
      for (std::size_t j = 0; j < table_.stages(); ++j)
        extrapolation_(i, j) = static_cast<Coarse>(extrapolation(i, j));
    }
  }

  int order() const { return 2 * options_.stages; }

  /// Position and momentum, with their errors.
  PhasePointOf<S, Shown> wide_state() const { return convert<Shown>(point_); }
  Shown energy() const requires HasPotential<S> {
    return core::energy(system_, Mass<S, Shown>(system_), wide_state());
  }

  /// Nothing is constrained; of all methods, for programs that take any of them.
  Residual<Shown> residual() const { return {}; }

 private:
  static constexpr bool pairs = std::same_as<T, DoubleDouble>;
  using State = std::conditional_t<summation == Summation::compensated, Shown, T>;
  /// Double-double begins where the iteration in double ends: more than half of the way, at a small part of the
  /// price.
  using Coarse = std::conditional_t<pairs, double, T>;
  struct Nothing {
    Nothing(const S&, const CollocationTable&, const DoubleDouble&) {}
  };

  template <class Self, class F>
  static void visit(Self& self, F&& f) {
    f(self.steps_);
    f(self.counts_);
    f(self.point_.position.span());
    f(self.point_.momentum.span());
    for (auto& x : self.past_) f(x.span());
  }

  void advance_once() {
    Coordinates<S, State> velocity = point_.momentum;
    mass_.divide(velocity);
    stages_.begin(point_.position, velocity, drift_);
    const int first = predict();
    int sweeps = stages_.iterate(system_, options_.max_iterations, steps_);
    if constexpr (pairs) {
      pair_stages_.begin(point_.position, velocity, drift_);
      for (std::size_t i = 0; i < stages_.size(); ++i)
        pair_stages_.acceleration(i) = convert<T>(stages_.acceleration(i));
      pair_stages_.place();
      sweeps += pair_stages_.iterate(system_, options_.max_iterations, steps_);
      add_increments(pair_stages_);
    } else {
      add_increments(stages_);
    }
    for (std::size_t i = 0; i < stages_.size(); ++i) past_[i] = stages_.acceleration(i);
    counts_.force += first + sweeps * static_cast<std::int64_t>(stages_.size());
  }

  /// The accelerations of the last step, continued by a polynomial; at the beginning, constant ones. Returns the number
  /// of forces that this took.
  int predict() {
    if (steps_ == 0) {
      Coordinates<S, Coarse> f(dimension());
      core::force(system_, convert<Coarse>(point_.position), f);
      Mass<S, Coarse>(system_).divide(f);
      for (std::size_t i = 0; i < stages_.size(); ++i) stages_.acceleration(i) = f;
    } else {
      for (std::size_t i = 0; i < stages_.size(); ++i) {
        Coordinates<S, Coarse>& x = stages_.acceleration(i);
        std::fill(x.begin(), x.end(), Coarse(0));
        for (std::size_t j = 0; j < stages_.size(); ++j)
          for (std::size_t k = 0; k < dimension(); ++k) x[k] += extrapolation_(i, j) * past_[j][k];
      }
    }
    stages_.place();
    return steps_ == 0 ? 1 : 0;
  }

  template <class Stages>
  void add_increments(const Stages& stages) {
    Coordinates<S, State> shift(dimension());
    for (std::size_t k = 0; k < dimension(); ++k) {
      State impulse(0), moment = static_cast<State>(step_) * point_.momentum[k];
      for (std::size_t i = 0; i < stages.size(); ++i) {
        impulse += momentum_weight_[i] * stages.force(i)[k];
        moment += position_weight_[i] * stages.force(i)[k];
      }
      shift[k] = moment;
      point_.momentum[k] += impulse;
    }
    mass_.divide(shift);
    for (std::size_t k = 0; k < dimension(); ++k) point_.position[k] += shift[k];
  }

  using Base::counts_;
  using Base::steps_;
  using Base::system_;

  GaussOptions options_;
  CollocationTable table_;
  DoubleDouble step_;
  Mass<S, State> mass_;
  PhasePointOf<S, State> point_;
  detail::GaussStages<S, Coarse> stages_;
  [[no_unique_address]] std::conditional_t<pairs, detail::GaussStages<S, T>, Nothing> pair_stages_;
  std::vector<Coordinates<S, Coarse>> past_;  ///< the accelerations of the last step's stages
  StageMatrix<Coarse> extrapolation_;
  std::vector<State> drift_;            ///< h c_i
  std::vector<State> momentum_weight_;  ///< h b_i
  std::vector<State> position_weight_;  ///< h^2 b_i (1 - c_i)
};

}  // namespace POLHODE_CORE

namespace polhode::constrained {
using core::Gauss;
using core::GaussOptions;
}  // namespace polhode::constrained
