// Runs of many bodies at once.
#pragma once

#include "bindings.hpp"

namespace polhode::python {

void bind_batch(py::module_& m);

}  // namespace polhode::python
