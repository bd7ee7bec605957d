// A system in coordinates whose force and constraints are Python functions.
#pragma once

#include <memory>

#include "coordinates/system_functions.hpp"
#include "systems/coordinates/coordinates.hpp"

namespace polhode::python {

/// From the functions (see SystemFunctions) and a scenario's [state] and [method]. The caller holds the GIL.
std::unique_ptr<program::Simulation> build_python_system(program::Scenario& scenario,
                                                         const py::dict& functions);

/// The simulation of a choice that is read; each is in a file of its own, with all its methods and precisions.
using SharedFunctions = std::shared_ptr<const SystemFunctions>;
std::unique_ptr<program::Simulation> make_free_system(const SharedFunctions& functions,
                                                      const program::GivenPoint& point, double step,
                                                      const program::CoordinateChoice& choice);
std::unique_ptr<program::Simulation> make_constrained_system(const SharedFunctions& functions,
                                                             const program::GivenPoint& point, double step,
                                                             const program::CoordinateChoice& choice);

}  // namespace polhode::python
