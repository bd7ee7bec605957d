// The states of another program, as it wrote them.
#pragma once

#include <string>
#include <vector>

#include "conformance/bodies.hpp"

namespace polhode::program {

struct GivenState {
  const KitBody* body;
  double frequency;  ///< steps in a unit of time
  int time;
  Quaternion<double> attitude;  ///< as given, of any norm
  Vector<double> omega;         ///< in the body frame
  bool finite() const;
};

struct GivenStates {
  std::vector<GivenState> rows;
  /// Whether the numbers of the attitudes, or those of omega, are floats, which nine digits tell: the program computes in single precision.
  bool single_precision = false;
};

/// CSV with a line of names: body, time, frequency or step, q0 to q3, omega1 to omega3 or momentum1 to momentum3, in any order; further
/// columns are passed over, and so are lines that begin with #. Throws ScenarioError that names the source and the line.
GivenStates read_states(const std::string& text, const std::string& source);

}  // namespace polhode::program
