// Systems of Python functions without constraints.
#include "python_system.hpp"

namespace polhode::python {

std::unique_ptr<laboratory::Simulation> make_free_system(const SharedFunctions& functions,
                                                         const laboratory::GivenPoint& point, double step,
                                                         const laboratory::CoordinateChoice& choice) {
  const laboratory::CoordinateSystem<PythonForce> system{
      .name = "python-system", .system = PythonForce(functions), .conservative = functions->conservative()};
  return make_python_motion(system, point, step, choice);
}

}  // namespace polhode::python
