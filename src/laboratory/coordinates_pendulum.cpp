// The mathematical pendulum.
#include "laboratory/coordinates_motion.hpp"
#include "polhode/constrained/systems/pendulum.hpp"

namespace polhode::laboratory {

std::unique_ptr<Simulation> build_pendulum(Scenario& scenario) {
  scenario.system().allow({"kind"});
  scenario.state().allow({"position", "momentum"});
  const CoordinateSystem<systems::Pendulum> system{.name = "pendulum", .system = {}};
  return build_motion_of(scenario, system, read_point(scenario.state(), system.system));
}

}  // namespace polhode::laboratory
