// A mass on a sphere under gravity.
#include "polhode/constrained/systems/spherical_pendulum.hpp"
#include "systems/coordinates/motion.hpp"

namespace polhode::program {

namespace {

std::unique_ptr<Simulation> build_spherical_pendulum(const System& entry, Scenario& scenario) {
  entry.allow_keys(scenario.system(), {"kind"});
  scenario.state().allow({"position", "momentum"});
  const CoordinateSystem<systems::SphericalPendulum> system{
      .name = entry.name,
      .system = {},
      .invariants = {{"vertical_momentum", 1, 1, "angular momentum about the vertical, user's units"}},
      .measure = [](const PhasePoint<DoubleDouble, 3>& point, std::vector<DoubleDouble>& numbers) {
        const auto &q = point.position, &p = point.momentum;
        numbers.push_back(q[0] * p[1] - q[1] * p[0]);
      }};
  return build_motion_of(scenario, system, read_point(scenario.state(), system.system));
}

}  // namespace

namespace entries {
System spherical_pendulum() {
  return {"spherical-pendulum",
          "a mass on a sphere under gravity",
          {},
          constrained_methods,
          build_spherical_pendulum};
}
}  // namespace entries

}  // namespace polhode::program
