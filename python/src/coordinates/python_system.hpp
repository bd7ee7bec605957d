// Python's functions as a system of the core: one class for all of them, so that each method is compiled once.
#pragma once

#include "coordinates/coordinates.hpp"
#include "systems/coordinates/motion.hpp"

namespace polhode::python {

/// What systems with constraints and without have in common.
class PythonForce {
 public:
  explicit PythonForce(SharedFunctions functions) : functions_(std::move(functions)) {}

  std::size_t dimension() const { return functions_->dimension(); }
  double mass(std::size_t i, std::size_t j) const { return functions_->mass(i, j); }
  double round_off() const { return functions_->extended() ? 0.0 : 0x1p-53; }

  void force(std::span<const double> q, std::span<double> f) const { functions_->force(q, f); }
  void force(std::span<const DoubleDouble> q, std::span<DoubleDouble> f) const { functions_->force(q, f); }
  double potential(std::span<const double> q) const { return functions_->potential(q); }
  DoubleDouble potential(std::span<const DoubleDouble> q) const { return functions_->potential(q); }

  const SystemFunctions& functions() const { return *functions_; }

 private:
  SharedFunctions functions_;
};

class PythonConstraints : public PythonForce {
 public:
  /// So that the evaluation of such constraints is compiled; whether it is used is known when the functions are.
  static constexpr bool quadratic = true;

  using PythonForce::PythonForce;

  std::size_t constraints() const { return functions().constraints(); }
  double constraint(std::span<const double> q, std::size_t i) const { return functions().constraint(q, i); }
  DoubleDouble constraint(std::span<const DoubleDouble> q, std::size_t i) const;
  void gradient(std::span<const double> q, std::size_t i, std::span<double> row) const {
    functions().gradient(q, i, row);
  }
  void gradient(std::span<const DoubleDouble> q, std::size_t i, std::span<DoubleDouble> row) const {
    functions().gradient(q, i, row);
  }
  DoubleDouble curvature(std::span<const DoubleDouble> q, std::span<const DoubleDouble> v,
                         std::size_t i) const {
    return functions().curvature(q, v, i);
  }
};

/// Quadratic constraints have more digits than a double also from functions of doubles.
inline DoubleDouble PythonConstraints::constraint(std::span<const DoubleDouble> q, std::size_t i) const {
  if (functions().extended() || !functions().quadratic()) return functions().constraint(q, i);
  std::vector<double> value, error;
  for (const DoubleDouble& x : q) {
    value.push_back(x.high());
    error.push_back(x.low());
  }
  Multipliers<PythonConstraints, double> g(constraints());
  RationalConstraint<PythonConstraints> rational(*this);
  rational.centre(*this, value);
  rational.evaluate(*this, value, error, g);
  return g[i];
}

template <polhode::core::System S>
std::unique_ptr<program::Simulation> make_python_motion(const program::CoordinateSystem<S>& system,
                                                        const program::GivenPoint& given, double step,
                                                        const program::CoordinateChoice& choice) {
  PhasePointOf<S, DoubleDouble> point(given.position.size());
  for (std::size_t i = 0; i < given.position.size(); ++i) {
    point.position[i] = given.position[i];
    point.momentum[i] = given.momentum[i];
  }
  return program::make_motion(system, point, step, choice);
}

}  // namespace polhode::python
