// Torques and other things that act on a body as Python functions, and events that are such functions.
#pragma once

#include "bindings.hpp"
#include "run/watch.hpp"
#include "systems/body/driven_body.hpp"

namespace polhode::python {

/// The tables [[torque]] of kind "function": `index` is the place of the function in the list, whose entries are pairs of
///   "torque"   f(q, t) -> torque in the body; with a method potential(q, t), the energy is followed
///   "control"  f(q, omega, t) -> torque in the body
///   "wheels"   f(t) -> momentum of the wheels
///   "inertia"  f(t) -> 3x3 tensor
///   "masses"   (mass of the body, [(mass, position(t), velocity(t)), ...])
/// and what is written behind. q is a unit quaternion, scalar first, body to space; vectors are in the user's frame. The caller
/// holds the GIL. `run` is the name that begins sentences about what they return.
program::OtherParts python_parts(const py::list& functions, const std::string& run);

/// Events from a list of (name, f, direction, terminal). f.begin(quantities) is told what a row has, the state and what is derived
/// from it; then f(t, row) is the number that is watched.
std::vector<program::WatchedEvent> python_events(const py::list& events, const py::list& quantities);

}  // namespace polhode::python
