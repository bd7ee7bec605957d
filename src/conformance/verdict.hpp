// What the errors of a program mean, in words.
#pragma once

#include <string>
#include <vector>

#include "conformance/given_states.hpp"

namespace polhode::program {

struct ConformanceScore;

/// The errors of one state.
struct Measured {
  const GivenState* state;
  double attitude;  ///< in rad
  double energy;    ///< relative, with its sign
  double momentum;  ///< in space, relative
  double omega;     ///< relative
  double sensitivity;
};

/// From the score, which has all but its verdicts, and the states at the lowest frequency and the last time.
std::vector<std::string> verdicts(const ConformanceScore& score, const std::vector<const Measured*>& rows);

}  // namespace polhode::program
