// The systems that a scenario can name. To add one: write its file with its entry, and add its name to the list in
// registry.cpp.
#pragma once

#include "systems/system.hpp"

namespace polhode::program {

const std::vector<System>& systems();

/// The simulation that a scenario describes. Throws ScenarioError.
std::unique_ptr<Simulation> build(Scenario& scenario);

}  // namespace polhode::program
