#include "laboratory/systems.hpp"

#include "laboratory/free_body.hpp"
#include "laboratory/text.hpp"

namespace polhode::laboratory {

const std::vector<System>& systems() {
  static const std::vector<System> table{
      {"free-body", "a rigid body that no torque acts on", free_motion_methods, build_free_body},
  };
  return table;
}

std::unique_ptr<Simulation> build(Scenario& scenario) {
  std::vector<std::string> names;
  for (const System& system : systems()) {
    if (system.name == scenario.kind()) return system.build(scenario);
    names.emplace_back(system.name);
  }
  scenario.system().fail(
      "kind", "there is no system " + quoted(scenario.kind()) + suggestion(scenario.kind(), names));
}

}  // namespace polhode::laboratory
