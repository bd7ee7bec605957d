// The files of the conformance kit, as texts.
#pragma once

#include <string>
#include <vector>

#include "conformance/bodies.hpp"
#include "conformance/states.hpp"

namespace polhode::program {

struct KitFile {
  std::string name;
  std::string text;
};

/// What to read first, the bodies, and the states with 17 and with 32 digits, as CSV and as JSON.
std::vector<KitFile> kit_files();

/// The kit as JSON, its numbers with 17 digits (a double each).
std::string kit_json();

/// A state of the kit in double.
struct KitPoint {
  Quaternion<double> attitude;
  Vector<double> omega;
};
KitPoint kit_point(const KitBody& body, int time);

/// The error of the attitude at the time, in rad, for a relative error of one of omega at the start (one at least): what the
/// motion itself makes of rounding errors.
double kit_sensitivity(const KitBody& body, int time);

}  // namespace polhode::program
