// The triple coupled pendulum.
#include "polhode/constrained/systems/triple_pendulum.hpp"
#include "systems/coordinates/motion.hpp"

namespace polhode::program {

std::unique_ptr<Simulation> build_triple_pendulum(Scenario& scenario) {
  scenario.system().allow({"kind"});
  Section& state = scenario.state();
  state.allow({"position", "momentum", "angles"});
  const CoordinateSystem<systems::TriplePendulum> system{.name = "triple-pendulum", .system = {}};
  if (const auto angles = read_angles(state, 3))
    return build_motion_of(scenario, system,
                           systems::TriplePendulum::at_rest({(*angles)[0], (*angles)[1], (*angles)[2]}));
  return build_motion_of(scenario, system, read_point(state, system.system));
}

}  // namespace polhode::program
