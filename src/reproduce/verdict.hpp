// The verdict on the claims of an experiment, for programs.
#pragma once

#include "reproduce/experiment.hpp"

namespace polhode::program {

/// {"name": ..., "claims": [{"claim", "paper", "measured", "bound", "source", "as_printed", "pass"}, ...]}; source is "paper" or "ours",
/// as_printed a name of AsPrinted, and null for claims of ours.
std::string verdict_json(const Experiment& experiment, const std::vector<Claim>& claims);

}  // namespace polhode::program
