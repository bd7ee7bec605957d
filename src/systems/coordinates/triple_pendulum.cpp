// The triple coupled pendulum.
#include "polhode/constrained/systems/triple_pendulum.hpp"
#include "systems/coordinates/motion.hpp"

namespace polhode::program {

namespace {

std::unique_ptr<Simulation> build_triple_pendulum(const System& entry, Scenario& scenario) {
  entry.allow_keys(scenario.system(), {"kind"});
  Section& state = scenario.state();
  state.allow({"position", "momentum", "angles"});
  const CoordinateSystem<systems::TriplePendulum> system{.name = entry.name, .system = {}};
  if (const auto angles = read_angles(state, 3))
    return build_motion_of(scenario, system,
                           systems::TriplePendulum::at_rest({(*angles)[0], (*angles)[1], (*angles)[2]}));
  return build_motion_of(scenario, system, read_point(state, system.system));
}

}  // namespace

namespace entries {
System triple_pendulum() {
  return {"triple-pendulum",
          "the triple coupled pendulum: 8 coordinates, 5 constraints",
          {},
          constrained_methods,
          build_triple_pendulum};
}
}  // namespace entries

}  // namespace polhode::program
