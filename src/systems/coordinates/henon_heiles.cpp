// The model of Henon and Heiles.
#include "polhode/constrained/systems/henon_heiles.hpp"
#include "systems/coordinates/motion.hpp"

namespace polhode::program {

namespace {

std::unique_ptr<Simulation> build_henon_heiles(const System& entry, Scenario& scenario) {
  entry.allow_keys(scenario.system(), {"kind"});
  scenario.state().allow({"position", "momentum"});
  const CoordinateSystem<systems::HenonHeiles> system{.name = entry.name, .system = {}};
  return build_motion_of(scenario, system, read_point(scenario.state(), system.system));
}

}  // namespace

namespace entries {
System henon_heiles() {
  return {"henon-heiles",
          "the model of Henon and Heiles, two coordinates",
          {},
          unconstrained_methods,
          build_henon_heiles};
}
}  // namespace entries

}  // namespace polhode::program
