// The free rigid body, by every method of the list in polhode/free_motion/methods.hpp.
#pragma once

#include <memory>

#include "laboratory/free_motion_choice.hpp"
#include "laboratory/simulation.hpp"
#include "polhode/body/body.hpp"

namespace polhode::laboratory {

/// Throws InputError if the list has no such method, or the state is not one.
std::unique_ptr<Simulation> make_free_body(const Body<double>& body, const State<double>& initial,
                                           double step, const FreeMotionChoice& choice);

/// From a scenario with kind = "free-body".
std::unique_ptr<Simulation> build_free_body(Scenario& scenario);

}  // namespace polhode::laboratory
