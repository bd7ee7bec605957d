// The parts of the module, one function each.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

namespace polhode::core {}

namespace polhode::python {

using namespace core;

namespace py = pybind11;

void bind_body(py::module_& m);
void bind_step(py::module_& m);
void bind_trajectory(py::module_& m);
void bind_derivatives(py::module_& m);
void bind_elliptic(py::module_& m);
void bind_double_double(py::module_& m);
void bind_scenario(py::module_& m);
void bind_attitudes(py::module_& m);
void bind_conformance(py::module_& m);
void bind_spin(py::module_& m);
/// What check_signals() has to know; in the thread that imports the module.
void bind_signals();

}  // namespace polhode::python

namespace py = pybind11;  // NOLINT(misc-unused-alias-decls): of PYBIND11_MODULE
