// The compiled part of the Python module `polhode`: the package in python/polhode is what its users see.
#include "batch/batch.hpp"
#include "bindings.hpp"
#include "polhode/error.hpp"
#include "polhode/version.hpp"
#include "text/citation.hpp"

PYBIND11_MODULE(_core, m) {
  using namespace polhode;
  m.doc() = "The compiled part of polhode; use the package.";
  m.attr("__version__") = version;
  m.def("cite", &program::citation, R"(How polhode is cited: a sentence, and an entry for BibTeX.

>>> print(polhode.cite().splitlines()[2])
@software{polhode,
)");

  // Later registrations are asked first: what is not one of ours stays what pybind11 makes of it.
  py::register_exception<MotionError>(m, "MotionError", PyExc_RuntimeError);
  py::register_exception<InputError>(m, "InputError", PyExc_ValueError);

  python::bind_signals();
  python::bind_body(m);
  python::bind_step(m);
  python::bind_trajectory(m);
  python::bind_derivatives(m);
  python::bind_elliptic(m);
  python::bind_double_double(m);
  python::bind_scenario(m);
  python::bind_batch(m);
  python::bind_attitudes(m);
  python::bind_conformance(m);
  python::bind_spin(m);
}
