// The score of another program on the conformance kit.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "conformance/recognition.hpp"

namespace polhode::program {

/// An error over the bodies at the last time: the median of its size, with the sign that most have, and the worst with the body.
struct ErrorScore {
  double median = 0;
  double worst = 0;
  std::string body;
};

struct FrequencyScore {
  double frequency = 0;
  int time = 0;  ///< the last one that is given
  std::size_t bodies = 0;
  ErrorScore attitude;  ///< in rad
  ErrorScore energy;    ///< relative, with its sign
  ErrorScore momentum;  ///< in space, relative
  ErrorScore omega;     ///< relative
};

struct ConformanceScore {
  std::vector<FrequencyScore> frequencies;  ///< ascending
  /// Observed, of the attitude; 0: the error is that of rounding at every frequency; NaN: it cannot be seen.
  double order = std::numeric_limits<double>::quiet_NaN();
  double omega_order = std::numeric_limits<double>::quiet_NaN();  ///< the same of omega
  bool single_precision = false;
  std::string
      worst_body;  ///< the one with the largest error of the attitude for what the motion makes of errors
  std::vector<std::string> missing;  ///< bodies of the kit that were not given
  Recognition recognition;
  std::vector<std::string> verdicts;  ///< in words, what matters most first
};

ConformanceScore score(const GivenStates& states);

std::string score_text(const ConformanceScore& score);
std::string score_json(const ConformanceScore& score);

}  // namespace polhode::program
