// The mathematical pendulum.
#include "polhode/constrained/systems/pendulum.hpp"
#include "systems/coordinates/motion.hpp"

namespace polhode::program {

namespace {

std::unique_ptr<Simulation> build_pendulum(const System& entry, Scenario& scenario) {
  entry.allow_keys(scenario.system(), {"kind"});
  scenario.state().allow({"position", "momentum"});
  const CoordinateSystem<systems::Pendulum> system{.name = entry.name, .system = {}};
  return build_motion_of(scenario, system, read_point(scenario.state(), system.system));
}

}  // namespace

namespace entries {
System pendulum() {
  return {"pendulum", "the mathematical pendulum", {}, unconstrained_methods, build_pendulum};
}
}  // namespace entries

}  // namespace polhode::program
