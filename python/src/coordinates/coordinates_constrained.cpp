// Systems of Python functions with constraints.
#include "coordinates/python_system.hpp"

namespace polhode::python {

namespace {

using Point = PhasePointOf<PythonConstraints, DoubleDouble>;

void derive_residual(const PythonConstraints& system, const Point& point, std::vector<double>& numbers) {
  for (std::size_t i = 0; i < system.constraints(); ++i)
    numbers.push_back(static_cast<double>(system.constraint(point.position.span(), i)));
}

}  // namespace

std::unique_ptr<program::Simulation> make_constrained_system(const SharedFunctions& functions,
                                                             const program::GivenPoint& point, double step,
                                                             const program::CoordinateChoice& choice) {
  const program::CoordinateSystem<PythonConstraints> system{
      .name = "python-system",
      .system = PythonConstraints(functions),
      .derived = {{"constraint_residual", functions->constraints(), 1, "g(q)", false, true}},
      .derive = derive_residual,
      .conservative = functions->conservative()};
  return make_python_motion(system, point, step, choice);
}

}  // namespace polhode::python
