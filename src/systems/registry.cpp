#include "systems/registry.hpp"

#include "systems/body/driven_body.hpp"
#include "systems/body/free_body.hpp"
#include "systems/coordinates/coordinates.hpp"
#include "systems/molecules/molecules.hpp"
#include "text/text.hpp"

namespace polhode::program {

const std::vector<System>& systems() {
  static const std::vector<System> table{
      {"free-body", "a rigid body that no torque acts on", free_motion_methods, build_free_body},
      {"heavy-top", "a rigid body with a fixed point under gravity", nearly_free_methods, build_heavy_top},
      {"satellite", "a rigid body in a Kepler orbit, turned by the gravity gradient", driven_methods,
       build_satellite},
      {"dipole", "a rigid body with a dipole in a uniform field, constant or alternating", driven_methods,
       build_dipole},
      {"pendulum", "the mathematical pendulum", unconstrained_methods, build_pendulum},
      {"kepler", "one body in the plane about a fixed centre", unconstrained_methods, build_kepler},
      {"henon-heiles", "the model of Henon and Heiles, two coordinates", unconstrained_methods,
       build_henon_heiles},
      {"outer-solar-system", "the Sun, the four large planets and Pluto", unconstrained_methods,
       build_outer_solar_system},
      {"spherical-pendulum", "a mass on a sphere under gravity", constrained_methods,
       build_spherical_pendulum},
      {"two-body-sphere", "two bodies on a sphere that attract each other", constrained_methods,
       build_two_body_sphere},
      {"triple-pendulum", "the triple coupled pendulum: 8 coordinates, 5 constraints", constrained_methods,
       build_triple_pendulum},
      {"pendulum-chain", "a chain of pendulums in the plane", constrained_methods, build_pendulum_chain},
      {"four-points", "the free rigid body as four points with six rods", constrained_methods,
       build_four_points},
      {"rigid-molecules", "rigid molecules that act on each other, in a periodic box or free",
       molecule_methods, build_rigid_molecules},
  };
  return table;
}

std::unique_ptr<Simulation> build(Scenario& scenario) {
  std::vector<std::string> names;
  for (const System& system : systems()) {
    if (system.name == scenario.kind()) return system.build(scenario);
    names.emplace_back(system.name);
  }
  scenario.system().fail(
      "kind", "there is no system " + quoted(scenario.kind()) + suggestion(scenario.kind(), names));
}

}  // namespace polhode::program
