// What a scenario wants to see of a run: [output] and [[event]].
#pragma once

#include "run/watch.hpp"
#include "scenario/scenario.hpp"

namespace polhode::program {

/// output.times, and the events: a quantity of the rows that goes through a value. Throws ScenarioError.
Watch read_watch(Scenario& scenario, const Simulation& simulation);

}  // namespace polhode::program
