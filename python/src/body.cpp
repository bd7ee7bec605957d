// Body: moments, axes, and what is doubtful about it.
#include "arrays.hpp"
#include "gil.hpp"

namespace polhode::python {

namespace {

Doubles array_of(const Vector<double>& v) {
  Doubles result(3);
  std::copy(v.c.begin(), v.c.end(), result.mutable_data());
  return result;
}

Doubles array_of(const Matrix<double>& a) {
  Doubles result(Shape{3, 3});
  for (std::size_t i = 0; i < 3; ++i) std::copy(a[i].c.begin(), a[i].c.end(), result.mutable_data() + 3 * i);
  return result;
}

/// In the user's frame, from the moments and the axes.
Doubles tensor_of(const Body<double>& body) {
  Matrix<double> tensor{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      DoubleDouble sum = 0.0;
      for (std::size_t k = 0; k < 3; ++k)
        sum += body.axes()[k][i] * DoubleDouble(body.moments()[k]) * body.axes()[k][j];
      tensor[i][j] = static_cast<double>(sum);
    }
  return array_of(tensor);
}

std::string number_text(double x) { return py::repr(py::float_(x)); }

}  // namespace

void bind_body(py::module_& m) {
  py::class_<GivenBody>(m, "Body", R"(A rigid body: its principal moments and axes.

Body(inertia) takes three moments about the axes of your frame, in any order, or a symmetric 3x3 tensor; any units.
Everything that takes an inertia takes a Body too, and need not find the principal axes again.

>>> water = polhode.Body([0.345, 0.653, 1.0])
>>> water.moments
array([0.345, 0.653, 1.   ])
>>> water.warning
'the moments of inertia break the triangle inequality I1 + I2 >= I3: no distribution of mass has them'
)")
      .def(py::init([](py::handle inertia) {
             if (py::isinstance<GivenBody>(inertia)) return inertia.cast<const GivenBody&>();
             const Body<double> body = body_from(inertia);
             Doubles given = called(doubles(inertia, "inertia").attr("copy"));
             given.attr("setflags")(py::arg("write") = false);
             return GivenBody(body, given);
           }),
           py::arg("inertia"))
      .def_property_readonly(
          "moments", [](const GivenBody& b) { return array_of(b.moments()); },
          "The principal moments in ascending order, in your units.")
      .def_property_readonly(
          "axes", [](const GivenBody& b) { return array_of(convert<double>(b.axes())); },
          "The principal axes in your frame, as rows, right-handed.")
      .def_readonly("inertia", &GivenBody::inertia, "What the body was made from, read-only.")
      .def_property_readonly(
          "tensor", [](const GivenBody& b) { return tensor_of(b); }, "The inertia tensor in your frame.")
      .def_property_readonly(
          "warning",
          [](const GivenBody& b) -> py::object {
            const std::string warning = b.warning();
            return warning.empty() ? py::object(py::none()) : py::str(warning);
          },
          "A sentence on what is doubtful about the body, or None.")
      .def(py::pickle([](const GivenBody& b) { return py::make_tuple(b.inertia); },
                      [](const py::tuple& state) {
                        if (state.size() != 1) throw InputError("this is not the state of a Body");
                        const Doubles given = doubles(state[0], "inertia");
                        given.attr("setflags")(py::arg("write") = false);
                        return GivenBody(body_from(given), given);
                      }))
      .def("__repr__", [](const GivenBody& b) {
        const auto& i = b.moments();
        return "Body(moments=[" + number_text(i[0]) + ", " + number_text(i[1]) + ", " + number_text(i[2]) +
               "]" + (b.axes() == Matrix<DoubleDouble>::identity() ? ")" : ", turned)");
      });
}

}  // namespace polhode::python
