#include "coordinates/coordinates.hpp"

namespace polhode::python {

namespace {

using program::CoordinateChoice;

/// What the functions have no digits for is refused, and the accurate evaluation is the best that they allow.
void adapt(const program::Section& method, const SystemFunctions& functions, CoordinateChoice& choice) {
  if (choice.precision == program::Precision::extended && !functions.extended())
    method.fail("precision",
                "functions of float64 arrays have the digits of a double: \"double-double\" needs functions "
                "that take "
                "arrays of polhode.DoubleDouble too, which extended=True promises");
  if (choice.multipliers.evaluation == ConstraintEvaluation::accurate && !functions.quadratic())
    choice.multipliers.evaluation = ConstraintEvaluation::wide;
}

}  // namespace

std::unique_ptr<program::Simulation> build_python_system(program::Scenario& scenario, const py::dict& given) {
  scenario.system().allow({"kind"});
  scenario.state().allow({"position", "momentum"});
  const auto functions = std::make_shared<SystemFunctions>(given);
  const std::optional<program::GivenPoint> point =
      program::read_given_point(scenario.state(), functions->dimension());
  if (!point) scenario.state().fail("position", "is missing");
  functions->examine_at(point->position);
  const bool constrained = functions->constraints() > 0;
  auto simulation =
      program::build_motion(scenario, {.constrained = constrained}, [&](CoordinateChoice choice) {
        adapt(scenario.method(), *functions, choice);
        return (constrained ? make_constrained_system : make_free_system)(functions, *point, scenario.step(),
                                                                          choice);
      });
  functions->set_started();
  return simulation;
}

}  // namespace polhode::python
