#include "systems/registry.hpp"

#include "text/text.hpp"

// One line a system: the function that returns its entry, in the order in which they are listed.
// A program with fewer systems brings a list of its own.
#ifndef POLHODE_SYSTEMS
#define POLHODE_SYSTEMS(ENTRY) \
  ENTRY(free_body)             \
  ENTRY(driven_body)           \
  ENTRY(heavy_top)             \
  ENTRY(satellite)             \
  ENTRY(dipole)                \
  ENTRY(pendulum)              \
  ENTRY(kepler)                \
  ENTRY(henon_heiles)          \
  ENTRY(outer_solar_system)    \
  ENTRY(spherical_pendulum)    \
  ENTRY(two_body_sphere)       \
  ENTRY(triple_pendulum)       \
  ENTRY(pendulum_chain)        \
  ENTRY(four_points)           \
  ENTRY(rigid_molecules)       \
  ENTRY(extended_bodies)
#endif
#ifndef POLHODE_SYSTEMS_ELSEWHERE
#define POLHODE_SYSTEMS_ELSEWHERE ""
#endif

namespace polhode::program {

namespace entries {
#define POLHODE_DECLARE(name) System name();
POLHODE_SYSTEMS(POLHODE_DECLARE)
#undef POLHODE_DECLARE
}  // namespace entries

const std::vector<System>& systems() {
#define POLHODE_CALL(name) entries::name(),
  static const std::vector<System> table{POLHODE_SYSTEMS(POLHODE_CALL)};
#undef POLHODE_CALL
  return table;
}

std::unique_ptr<Simulation> build(Scenario& scenario) {
  std::vector<std::string> names;
  for (const System& system : systems()) {
    if (system.name == scenario.kind()) {
      if (!system.takes_torques && !scenario.torques().empty())
        scenario.torques().front().fail(
            "",
            filled("a system of kind {} has no tables [[torque]]: take driven-body", in_quotes(system.name)));
      if (!system.takes_bodies && !scenario.bodies().empty())
        scenario.bodies().front().fail(
            "", filled("a system of kind {} has no tables [[body]]: take extended-bodies",
                       in_quotes(system.name)));
      return system.build(system, scenario);
    }
    names.push_back(system.name);
  }
  scenario.system().fail("kind", "there is no system " + in_quotes(scenario.kind()) +
                                     suggestion(scenario.kind(), names) + POLHODE_SYSTEMS_ELSEWHERE);
}

}  // namespace polhode::program
