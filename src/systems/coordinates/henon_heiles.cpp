// The model of Henon and Heiles.
#include "polhode/constrained/systems/henon_heiles.hpp"
#include "systems/coordinates/motion.hpp"

namespace polhode::program {

std::unique_ptr<Simulation> build_henon_heiles(Scenario& scenario) {
  scenario.system().allow({"kind"});
  scenario.state().allow({"position", "momentum"});
  const CoordinateSystem<systems::HenonHeiles> system{.name = "henon-heiles", .system = {}};
  return build_motion_of(scenario, system, read_point(scenario.state(), system.system));
}

}  // namespace polhode::program
