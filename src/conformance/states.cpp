#include "conformance/states.hpp"

#include <stdexcept>

namespace polhode::program {

namespace {

// Written by tests/conformance/states_test.cpp, which also recomputes them in another way.
constexpr KitState kit_state_list[] = {
#include "conformance/states.inc"
};

}  // namespace

std::span<const KitState> kit_states() { return kit_state_list; }

const KitState& kit_state(std::string_view body, int time) {
  for (const KitState& s : kit_state_list)
    if (s.body == body && s.time == time) return s;
  throw std::out_of_range("the kit has no such state");
}

}  // namespace polhode::program
