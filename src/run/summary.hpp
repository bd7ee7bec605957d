// The summary of a run, for a person and for a program.
#pragma once

#include <string>
#include <vector>

#include "run/runner.hpp"

namespace polhode::program {

std::string summary_json(const Description& description, const RunResult& result,
                         const std::vector<std::string>& warnings);

std::string summary_text(const Description& description, const RunResult& result,
                         const std::vector<std::string>& warnings);

}  // namespace polhode::program
