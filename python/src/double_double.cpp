// DoubleDouble in Python: what functions of one's own are called with where a double has too few digits.
#include "polhode/arithmetic/double_double_functions.hpp"

#include <cmath>

#include "arrays.hpp"
#include "bindings.hpp"
#include "polhode/error.hpp"

namespace polhode::python {

namespace {

/// The shortest text that reads back to the same number.
std::string shortest(double x) { return py::str(py::float_(x)); }

DoubleDouble power(const DoubleDouble& x, std::int64_t n) {
  if (n < 0) return DoubleDouble(1.0) / power(x, -n);
  DoubleDouble result = 1.0, factor = x;
  for (; n > 0; n /= 2) {
    if (n % 2 == 1) result = result * factor;
    if (n > 1) factor = factor * factor;
  }
  return result;
}

/// Forces ask for (q @ q) ** 1.5.
DoubleDouble power_of_halves(const DoubleDouble& x, double exponent) {
  const double whole = std::floor(exponent);
  if (!(std::abs(whole) < 0x1p31) || (exponent != whole && exponent != whole + 0.5))
    throw InputError("a DoubleDouble has powers of integers and halves, not " + shortest(exponent));
  const DoubleDouble result = power(x, static_cast<std::int64_t>(whole));
  return exponent == whole ? result : result * sqrt(x);
}

}  // namespace

void bind_double_double(py::module_& m) {
  // Both operands are made DoubleDouble first, as in the core, where constants are of the scalar of the formula.
  using D = DoubleDouble;
  py::class_<D> type(m, "DoubleDouble", R"(high + low: a number of about 31 digits, the sum of two floats.

What a System with extended=True gives to its functions, in arrays of dtype object. + - * /, powers of integers and
halves, abs and comparisons work, with floats and integers too, and so do np.sqrt, np.sin, np.cos, np.arctan2 and
np.arcsin. There is no float() of it: digits are not lost without a word. `high` is the nearest float.

>>> x = polhode.DoubleDouble(2.0)
>>> x.sqrt() ** 2 - 2
DoubleDouble(..., 0.0)
>>> abs(x.sqrt() ** 2 - 2) < 1e-31
True
>>> np.sqrt(np.array([x, 4 * x])) @ np.array([1.0, -0.5])
DoubleDouble(0.0, 0.0)
)");
  type.def(py::init([](double high, double low) { return D::sum(high, low); }), py::arg("high"),
           py::arg("low") = 0.0)
      .def(py::pickle([](const D& x) { return py::make_tuple(x.high(), x.low()); },
                      [](const py::tuple& state) {
                        if (state.size() != 2) throw InputError("this is not the state of a DoubleDouble");
                        const double high = number_from(state[0], "high"), low = number_from(state[1], "low");
                        if (std::isfinite(high) && high + low != high)
                          throw InputError("the low part of a DoubleDouble is too large for its high part");
                        return D(high, low);
                      }))
      .def_property_readonly("high", &D::high, "The nearest float.")
      .def_property_readonly("low", &D::low, "What is missing to that.")
      .def("__repr__",
           [](const D& x) { return "DoubleDouble(" + shortest(x.high()) + ", " + shortest(x.low()) + ")"; })
      .def("__neg__", [](const D& a) { return -a; })
      .def("__pos__", [](const D& a) { return a; })
      .def("__abs__", [](const D& a) { return abs(a); })
      .def("__bool__", [](const D& a) { return !(a == D(0.0)); })
      .def("__hash__", [](const D& a) { return py::hash(py::make_tuple(a.high(), a.low())); });
  const auto with = [&]<class B>(std::type_identity<B>) {
    type.def(
            "__add__", [](const D& a, const B& b) { return a + D(b); }, py::is_operator())
        .def(
            "__sub__", [](const D& a, const B& b) { return a - D(b); }, py::is_operator())
        .def(
            "__mul__", [](const D& a, const B& b) { return a * D(b); }, py::is_operator())
        .def(
            "__truediv__", [](const D& a, const B& b) { return a / D(b); }, py::is_operator())
        .def(
            "__eq__", [](const D& a, const B& b) { return a == D(b); }, py::is_operator())
        .def(
            "__ne__", [](const D& a, const B& b) { return !(a == D(b)); }, py::is_operator())
        .def(
            "__lt__", [](const D& a, const B& b) { return a < D(b); }, py::is_operator())
        .def(
            "__le__", [](const D& a, const B& b) { return a <= D(b); }, py::is_operator())
        .def(
            "__gt__", [](const D& a, const B& b) { return a > D(b); }, py::is_operator())
        .def(
            "__ge__", [](const D& a, const B& b) { return a >= D(b); }, py::is_operator());
  };
  with(std::type_identity<D>{});
  with(std::type_identity<double>{});
  type.def(
          "__radd__", [](const D& a, double b) { return D(b) + a; }, py::is_operator())
      .def(
          "__rsub__", [](const D& a, double b) { return D(b) - a; }, py::is_operator())
      .def(
          "__rmul__", [](const D& a, double b) { return D(b) * a; }, py::is_operator())
      .def(
          "__rtruediv__", [](const D& a, double b) { return D(b) / a; }, py::is_operator())
      .def("__pow__", &power, py::is_operator())
      .def("__pow__", &power_of_halves, py::is_operator());
  // By these names NumPy's functions find them.
  type.def(
          "sqrt", [](const D& a) { return sqrt(a); }, "np.sqrt of it.")
      .def(
          "sin", [](const D& a) { return sin(a); }, "np.sin of it.")
      .def(
          "cos", [](const D& a) { return cos(a); }, "np.cos of it.")
      .def(
          "arcsin", [](const D& a) { return asin(a); }, "np.arcsin of it.")
      .def(
          "arctan2", [](const D& y, const D& x) { return atan2(y, x); }, py::arg("x"),
          "np.arctan2 of it and x.")
      .def(
          "square", [](const D& a) { return a * a; }, "np.square of it.")
      .def(
          "conjugate", [](const D& a) { return a; }, "Itself, a real number.");
}

}  // namespace polhode::python
