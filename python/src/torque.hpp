// A torque that is a Python function.
#pragma once

#include <memory>

#include "bindings.hpp"
#include "systems/body/torque_system.hpp"

namespace polhode::python {

/// torque(q, t) -> three numbers, in the user's frame; q is a unit quaternion, scalar first, body to space. If the object
/// also has a method potential(q, t), the energy is followed. The caller holds the GIL.
std::shared_ptr<const program::TorqueSystem> python_torque(py::object torque, const Body<double>& body);

}  // namespace polhode::python
