// The summary of a run, for a person and for a program.
#pragma once

#include <string>
#include <vector>

#include "run/runner.hpp"

namespace polhode::program {

std::string summary_json(const Description& description, const RunResult& result,
                         const std::vector<std::string>& warnings, const Watch& watch = {});

std::string summary_text(const Description& description, const RunResult& result,
                         const std::vector<std::string>& warnings, const Watch& watch = {});

}  // namespace polhode::program
