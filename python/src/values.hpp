// Python's dictionaries, lists and numbers as the values of a scenario.
#pragma once

#include "bindings.hpp"
#include "scenario/document.hpp"

namespace polhode::python {

/// A document of that name from a dictionary of tables, with further values for dotted keys put in. The values are Python's
/// own: polhode._values has examined them.
program::Document document_from(const py::dict& tables, const std::string& name, const py::dict& overrides);

}  // namespace polhode::python
