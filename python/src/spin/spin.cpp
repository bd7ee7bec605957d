// Spin states: the periods of a free motion, their derivatives, and the momentum that has given periods.
#include "arrays.hpp"
#include "polhode/free_motion/spin_state.hpp"

namespace polhode::python {

namespace {

Vector<double> one_momentum(py::handle momentum) {
  const Rows m = rows(momentum, 3, "momentum");
  if (m.array.ndim() != 1) throw InputError("a spin state has one momentum, of the shape (3,)");
  return vector_at(m[0]);
}

Mode mode_from(const std::string& name) {
  for (const Mode mode : {Mode::short_axis, Mode::long_axis, Mode::undecided})
    if (name_of(mode) == name) return mode;
  throw InputError("the mode is " + name + ", and must be short-axis or long-axis");
}

py::tuple spin_periods(py::handle inertia, py::handle momentum) {
  const Periods<double> p = polhode::spin::periods(body_from(inertia), one_momentum(momentum));
  return py::make_tuple(name_of(p.mode), p.precession, p.rotation, p.energy_ratio);
}

Doubles spin_derivatives(py::handle inertia, py::handle momentum) {
  const auto rows = polhode::spin::period_derivatives(body_from(inertia), one_momentum(momentum));
  Doubles result(Shape{3, 6});
  for (std::size_t i = 0; i < 3; ++i)
    std::copy(rows[i].begin(), rows[i].end(), result.mutable_data() + 6 * i);
  return result;
}

Doubles spin_momentum(py::handle inertia, double precession, double rotation, const std::string& mode) {
  const Vector<double> m =
      polhode::spin::momentum_with_periods(body_from(inertia), precession, rotation, mode_from(mode));
  Doubles result(3);
  std::copy(m.c.begin(), m.c.end(), result.mutable_data());
  return result;
}

}  // namespace

void bind_spin(py::module_& m) {
  m.def("spin_periods", &spin_periods, py::arg("inertia"), py::arg("momentum"),
        "Mode, precession and rotation period and E/E0 of a free motion.");
  m.def("spin_derivatives", &spin_derivatives, py::arg("inertia"), py::arg("momentum"),
        "The derivatives of periods and E/E0 with respect to principal moments and principal momentum.");
  m.def("spin_momentum", &spin_momentum, py::arg("inertia"), py::arg("precession"), py::arg("rotation"),
        py::arg("mode"),
        "The momentum of a motion with given periods, where it is nearest to the middle axis.");
}

}  // namespace polhode::python
