// The free rigid body, by every method of the list in polhode/free_motion/methods.hpp.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "laboratory/scenario.hpp"
#include "laboratory/simulation.hpp"
#include "laboratory/systems.hpp"
#include "polhode/body/body.hpp"

namespace polhode::laboratory {

/// A method by its name, and how it is to run. Options that are not given are the method's own choice.
struct FreeMotionChoice {
  std::string method;
  bool compensated = false;
  std::optional<int> quadrature;
  std::optional<int> frame;
};

/// What is known of the methods, in the order of the list.
std::vector<MethodEntry> free_motion_methods();

/// Throws InputError if the list has no such method, or the state is not one.
std::unique_ptr<Simulation> make_free_body(const Body<double>& body, const State<double>& initial,
                                           double step, const FreeMotionChoice& choice);

/// From a scenario with kind = "free-body".
std::unique_ptr<Simulation> build_free_body(Scenario& scenario);

}  // namespace polhode::laboratory
