// Systems of Python functions without constraints.
#include "coordinates/python_system.hpp"

namespace polhode::python {

std::unique_ptr<program::Simulation> make_free_system(const SharedFunctions& functions,
                                                      const program::GivenPoint& point, double step,
                                                      const program::CoordinateChoice& choice) {
  const program::CoordinateSystem<PythonForce> system{
      .name = "python-system", .system = PythonForce(functions), .conservative = functions->conservative()};
  return make_python_motion(system, point, step, choice);
}

}  // namespace polhode::python
