// A mass on a sphere under gravity.
#include "polhode/constrained/systems/spherical_pendulum.hpp"
#include "systems/coordinates/motion.hpp"

namespace polhode::program {

std::unique_ptr<Simulation> build_spherical_pendulum(Scenario& scenario) {
  scenario.system().allow({"kind"});
  scenario.state().allow({"position", "momentum"});
  const CoordinateSystem<systems::SphericalPendulum> system{
      .name = "spherical-pendulum",
      .system = {},
      .invariants = {{"vertical_momentum", 1, 1, "angular momentum about the vertical, user's units"}},
      .measure = [](const PhasePoint<DoubleDouble, 3>& point, std::vector<DoubleDouble>& numbers) {
        const auto &q = point.position, &p = point.momentum;
        numbers.push_back(q[0] * p[1] - q[1] * p[0]);
      }};
  return build_motion_of(scenario, system, read_point(scenario.state(), system.system));
}

}  // namespace polhode::program
