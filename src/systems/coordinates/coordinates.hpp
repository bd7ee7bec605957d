// Systems in coordinates: what their scenarios have in common, and the methods for them.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "polhode/constrained/multipliers.hpp"
#include "polhode/constrained/multistep_kernel.hpp"
#include "systems/system.hpp"

namespace polhode::program {

enum class MethodFamily { multistep, lobatto, gauss };

/// In what the state is carried, and the forces and constraints are evaluated.
enum class Precision {
  plain,        ///< everything in double
  compensated,  ///< the state in double with its rounding errors
  extended      ///< everything in double-double
};

/// A method by its name, with all of its options.
struct CoordinateChoice {
  std::string method;
  MethodFamily family = MethodFamily::multistep;
  Precision precision = Precision::compensated;
  std::optional<MultistepTable> table;             ///< of multistep methods
  MultistepForm form = MultistepForm::error_free;  ///< of multistep methods
  MultistepOptions multistep;                      ///< of multistep methods
  int stages = 0;                                  ///< of Runge-Kutta methods
  MultiplierOptions
      multipliers;      ///< of systems with constraints; the cap on iterations is of all implicit methods
  std::string details;  ///< all of that for a reader, but whether the sums are compensated
};

/// What a system is, as far as the choice of a method depends on it.
struct CoordinateTraits {
  bool constrained = false;
  bool spheres = false;  ///< whether the multipliers have a closed form
};

std::vector<MethodEntry> unconstrained_methods();
std::vector<MethodEntry> constrained_methods();

/// The section [method]. Throws ScenarioError.
CoordinateChoice read_coordinate_method(Scenario& scenario, const CoordinateTraits& traits);

/// The numbers of [state].
struct GivenPoint {
  std::vector<double> position;
  std::vector<double> momentum;
};

/// state.position and state.momentum, or nothing where the section has none of the two: then the system's own initial
/// value is meant.
std::optional<GivenPoint> read_given_point(Section& state, std::size_t dimension);

/// state.angles, for systems that a position at rest is more easily given for by angles; or nothing.
std::optional<std::vector<double>> read_angles(Section& state, std::size_t count);

/// Reads the method, makes the simulation, and lays the blame for an initial value that is invalid.
std::unique_ptr<Simulation> build_motion(
    Scenario& scenario, const CoordinateTraits& traits,
    const std::function<std::unique_ptr<Simulation>(const CoordinateChoice&)>& make);

}  // namespace polhode::program
