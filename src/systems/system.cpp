#include "systems/system.hpp"

#include <algorithm>

namespace polhode::program {

void System::allow_keys(const Section& section, std::vector<std::string> others) const {
  for (const SystemKey& key : keys) others.push_back(key.name);
  section.allow(others);
}

std::unique_ptr<Simulation> examined(Scenario& scenario, std::unique_ptr<Simulation> simulation) {
  const std::vector<DoubleDouble> invariants = simulation->look().invariants;
  if (!std::all_of(invariants.begin(), invariants.end(), [](const auto& x) { return isfinite(x); }))
    scenario.warn(
        "the energy or the momentum is too large for a double in these units: its error is not known");
  return simulation;
}

}  // namespace polhode::program
