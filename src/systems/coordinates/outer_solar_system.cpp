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

std::unique_ptr<Simulation> build_outer_solar_system(const System& entry, Scenario& scenario) {
  entry.allow_keys(scenario.system(), {"kind"});
  scenario.state().allow({"position", "momentum"});
  const CoordinateSystem<Planets> system{
      .name = entry.name,
      .system = {},
      .invariants = {{"total_momentum", 3, 1, "solar masses times astronomical units a day"},
                     {"angular_momentum", 3, 1, "solar masses times square astronomical units a day"}},
      .measure = measure};
  return build_motion_of(scenario, system, read_point(scenario.state(), system.system));
}

}  // namespace

namespace entries {
System outer_solar_system() {
  return {"outer-solar-system",
          "the Sun, the four large planets and Pluto",
          {},
          unconstrained_methods,
          build_outer_solar_system};
}
}  // namespace entries

}  // namespace polhode::program
