// The Sun, the four large planets and Pluto.
#include "polhode/constrained/systems/outer_solar_system.hpp"
#include "systems/coordinates/motion.hpp"

namespace polhode::program {

namespace {

using Planets = systems::OuterSolarSystem;

void measure(const PhasePoint<DoubleDouble, Planets::dimension>& point, std::vector<DoubleDouble>& numbers) {
  for (std::size_t j = 0; j < 3; ++j) {
    DoubleDouble sum = 0.0;
    for (std::size_t a = 0; a < Planets::bodies; ++a) sum += point.momentum[3 * a + j];
    numbers.push_back(sum);
  }
  append_angular_momentum(point, numbers);
}

}  // namespace

std::unique_ptr<Simulation> build_outer_solar_system(Scenario& scenario) {
  scenario.system().allow({"kind"});
  scenario.state().allow({"position", "momentum"});
  const CoordinateSystem<Planets> system{
      .name = "outer-solar-system",
      .system = {},
      .invariants = {{"total_momentum", 3, 1, "solar masses times astronomical units a day"},
                     {"angular_momentum", 3, 1, "solar masses times square astronomical units a day"}},
      .measure = measure};
  return build_motion_of(scenario, system, read_point(scenario.state(), system.system));
}

}  // namespace polhode::program
