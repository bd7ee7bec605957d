// What a run has thrown, as Python has it.
#pragma once

#include <exception>
#include <string>

#include "bindings.hpp"

namespace polhode::python {

/// InputError or MotionError, by its name in the module.
py::object made_exception(const char* kind, const std::string& sentence);

/// None where nothing was thrown; an exception of Python as it is, others with `before` in front of their sentence.
py::object as_python(const std::exception_ptr& trouble, const std::string& before);

}  // namespace polhode::python
