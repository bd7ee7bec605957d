// The free rigid body, by every method of the list in polhode/free_motion/methods.hpp.
#pragma once

#include <memory>

#include "polhode/body/body.hpp"
#include "run/simulation.hpp"
#include "systems/body/free_methods.hpp"

namespace polhode::program {

/// Throws InputError if the list has no such method, or the state is invalid.
std::unique_ptr<Simulation> make_free_body(const Body<double>& body, const State<double>& initial,
                                           double step, const FreeMethod& method, double time = 0.0);

}  // namespace polhode::program
