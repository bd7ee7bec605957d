// The exact states of the kit's bodies, as decimals of 32 digits.
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "core.hpp"

namespace polhode::program {

struct KitState {
  std::string_view body;
  int time;
  /// q0 to q3 and omega1 to omega3, each rounded correctly to 32 significant digits. q is of norm one, and the first of its
  /// components that is not zero is positive.
  std::array<std::string_view, 7> digits;
};

/// Body after body, in the order of the times.
std::span<const KitState> kit_states();

/// The state of a body at a time of the kit. Throws std::out_of_range.
const KitState& kit_state(std::string_view body, int time);

}  // namespace polhode::program
