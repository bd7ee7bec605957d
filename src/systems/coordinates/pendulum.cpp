// The mathematical pendulum.
#include "polhode/constrained/systems/pendulum.hpp"
#include "systems/coordinates/motion.hpp"

namespace polhode::program {

std::unique_ptr<Simulation> build_pendulum(Scenario& scenario) {
  scenario.system().allow({"kind"});
  scenario.state().allow({"position", "momentum"});
  const CoordinateSystem<systems::Pendulum> system{.name = "pendulum", .system = {}};
  return build_motion_of(scenario, system, read_point(scenario.state(), system.system));
}

}  // namespace polhode::program
