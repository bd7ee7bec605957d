// The verdict on the claims of an experiment, for programs.
#pragma once

#include "reproduce/experiment.hpp"

namespace polhode::program {

bool all_hold(const std::vector<Claim>& claims);

/// {"name": ..., "claims": [{"claim", "paper", "measured", "bound", "pass"}, ...]}
std::string verdict_json(const Experiment& experiment, const std::vector<Claim>& claims);

}  // namespace polhode::program
