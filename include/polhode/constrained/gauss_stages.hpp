// The stages of one step of a Gauss method, and their iteration.
#pragma once

#include <algorithm>
#include <utility>

#include "polhode/constrained/collocation_iteration.hpp"
#include "polhode/constrained/mechanics.hpp"

namespace POLHODE_CORE::detail {

/// Q_i = q + c_i h v + h^2 sum_j n_ij x_j with x_j = M^-1 f(Q_j), by fixed-point iteration in the scalar T. Unknown
/// are the increments Q_i - q, whose round-off is that of small numbers.
template <System S, class T>
class GaussStages {
 public:
  GaussStages(const S& system, const CollocationTable& table, const DoubleDouble& h)
      : mass_(system),
        nystrom_(table.nystrom, h * h),
        start_(dimension_of(system)),
        stages_(table.stages(), Stage(dimension_of(system))) {}

  std::size_t size() const { return stages_.size(); }
  const Coordinates<S, T>& force(std::size_t i) const { return stages_[i].force; }
  const Coordinates<S, T>& acceleration(std::size_t i) const { return stages_[i].acceleration; }
  Coordinates<S, T>& acceleration(std::size_t i) { return stages_[i].acceleration; }

  /// From the position q with the velocity v; drift_i = h c_i. What T cannot hold of q goes into the increments.
  template <class State>
  void begin(const Coordinates<S, State>& q, const Coordinates<S, State>& v,
             const std::vector<State>& drift) {
    for (std::size_t k = 0; k < q.size(); ++k) {
      start_[k] = static_cast<T>(q[k]);
      for (std::size_t i = 0; i < size(); ++i)
        stages_[i].base[k] = static_cast<T>((q[k] - State(start_[k])) + drift[i] * v[k]);
    }
  }

  /// The positions that belong to the accelerations; the largest change of an increment.
  T place() {
    T change(0);
    for (std::size_t i = 0; i < size(); ++i) {
      Coordinates<S, T> sum(start_.size()), rest(start_.size());
      for (std::size_t j = 0; j < size(); ++j) {
        const T value = nystrom_.value(i, j), error = nystrom_.error(i, j);
        const Coordinates<S, T>& x = stages_[j].acceleration;
        for (std::size_t k = 0; k < x.size(); ++k) {
          sum[k] += value * x[k];
          if constexpr (!std::same_as<T, DoubleDouble>) rest[k] += error * x[k];
        }
      }
      Stage& stage = stages_[i];
      for (std::size_t k = 0; k < start_.size(); ++k) {
        const T increment = stage.base[k] + (sum[k] + rest[k]);
        const T size = abs(increment - stage.increment[k]);
        if (!(size <= change)) change = size;
        stage.increment[k] = increment;
        stage.position[k] = start_[k] + increment;
      }
    }
    return change;
  }

  /// The forces and accelerations that belong to the positions.
  void evaluate(const S& system) {
    for (Stage& stage : stages_) {
      core::force(system, stage.position, stage.force);
      stage.acceleration = stage.force;
      mass_.divide(stage.acceleration);
    }
  }

  /// To the last digit; the number of evaluations of all forces.
  int iterate(const S& system, int most, std::int64_t step) {
    const T size = largest(start_) + largest(stages_.back().increment);
    Convergence<T> convergence(most, ScalarTraits<T>::epsilon() * size);
    do evaluate(system);
    while (convergence.goes_on(place(), step, "the stages"));
    return convergence.count();
  }

 private:
  struct Stage {
    explicit Stage(std::size_t n) : base(n), increment(n), position(n), force(n), acceleration(n) {}
    Coordinates<S, T> base;       ///< of the increment: what does not depend on the forces
    Coordinates<S, T> increment;  ///< the position of the stage minus start_
    Coordinates<S, T> position, force, acceleration;
  };

  Mass<S, T> mass_;
  SplitMatrix<T> nystrom_;
  Coordinates<S, T> start_;
  std::vector<Stage> stages_;
};

}  // namespace POLHODE_CORE::detail
