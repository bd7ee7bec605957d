// Names of the library for systems in coordinates, molecules and bodies that attract each other that no other example uses.
#include <cmath>
#include <cstdio>
#include <vector>

#include "polhode/constrained/gauss.hpp"
#include "polhode/constrained/lobatto.hpp"
#include "polhode/constrained/multistep.hpp"
#include "polhode/constrained/multistep_methods.hpp"
#include "polhode/constrained/rattle.hpp"
#include "polhode/constrained/systems/four_points.hpp"
#include "polhode/constrained/systems/henon_heiles.hpp"
#include "polhode/constrained/systems/kepler.hpp"
#include "polhode/constrained/systems/outer_solar_system.hpp"
#include "polhode/constrained/systems/pendulum.hpp"
#include "polhode/constrained/systems/pendulum_chain.hpp"
#include "polhode/constrained/systems/spherical_pendulum.hpp"
#include "polhode/constrained/systems/triple_pendulum.hpp"
#include "polhode/constrained/systems/two_body_sphere.hpp"
#include "polhode/gravity/extended_bodies.hpp"
#include "polhode/molecules/rigid_molecules.hpp"
#include "polhode/molecules/thermal.hpp"
#include "polhode/molecules/water.hpp"

namespace {

using namespace polhode;
using namespace polhode::constrained;

template <System S>
double first_coordinate(const S& system) {
  const PhasePointOf<S, DoubleDouble> start = system.standard_state();
  return double(start.position[0]);
}

void systems_of_the_literature() {
  std::printf("pendulum %.6f, kepler %.6f, henon-heiles %.6f, outer solar system %.6f\n",
              first_coordinate(systems::Pendulum{}), first_coordinate(systems::Kepler{}),
              first_coordinate(systems::HenonHeiles{}), first_coordinate(systems::OuterSolarSystem{}));
  std::printf("spherical pendulum %.6f, two bodies on a sphere %.6f, triple pendulum %.6f\n",
              first_coordinate(systems::SphericalPendulum{}), first_coordinate(systems::TwoBodySphere{}),
              first_coordinate(systems::TriplePendulum{}));
  std::printf("a chain %.6f, four points %.6f\n", first_coordinate(systems::PendulumChain(3)),
              first_coordinate(systems::FourPoints({0.6, 0.8, 1.0})));
}

void without_constraints() {
  const systems::Kepler kepler;
  Gauss<systems::Kepler, double> motion(kepler, kepler.standard_state(), 0.1, GaussOptions{.stages = 4});
  motion.advance(100);
  const Coordinates<systems::Kepler, double> position = motion.state().position;
  std::printf("gauss: %.9f %.9f\n", position[0], position[1]);

  const MultistepTable& table = multistep_table("sy8");
  const MultistepOptions options{
      .compensation = Compensation::both, .momentum = MomentumFormula::wide, .start = StartMethod::gauss};
  Multistep<systems::Kepler, double, MultistepForm::summed> steps(kepler, table, kepler.standard_state(),
                                                                  0.01, {}, options);
  steps.advance(1000);
  std::printf("%s and %d more: %.9f\n", "sy8", int(multistep_methods.size()) - 1,
              double(steps.state().position[0]));
}

void with_constraints() {
  const systems::SphericalPendulum pendulum;
  const MultiplierOptions usual{.evaluation = ConstraintEvaluation::accurate,
                                .stopping = Stopping::convergence};
  Rattle<systems::SphericalPendulum, double> rattle(pendulum, pendulum.standard_state(), 0.001, usual);
  rattle.advance(1000);
  Lobatto<systems::SphericalPendulum, double> lobatto(pendulum, pendulum.standard_state(), 0.01,
                                                      LobattoOptions{.stages = 3});
  lobatto.advance(100);
  std::printf("rattle %.4f, lobatto %.9f\n", double(rattle.state().position[0]),
              double(lobatto.state().position[0]));
  const Window all{.first = 0, .count = 3};  // of coordinates that a constraint depends on
  std::printf("a window ends before %d\n", int(all.end()));
}

void two_molecules() {
  using namespace polhode::molecules;
  const Site oxygen{.name = "O", .element = "O", .mass = 16.0, .epsilon = 1.0, .sigma = 0.3};
  const Site hydrogen{.name = "H", .element = "H", .position = {0.1, 0.0, 0.0}, .mass = 1.0};
  Site other = hydrogen;
  other.position = {0.0, 0.1, 0.0};
  const Molecule angle("angle", {oxygen, hydrogen, other});
  const ForceFieldOptions options{.coulomb = 138.935458, .cutoff = 2.0};
  const ForceField field({angle}, options);
  std::vector<MoleculeState<double>> states(2);
  states[1].position = {0.5, 0.0, 0.0};
  states[1].momentum = {1.0, 0.0, 0.0};
  remove_common_motion(field, {2}, states);
  RigidMolecules<> pair(field, {2}, states, scheme("strang"));
  pair.advance(0.001, 100);
  const Configuration now = pair.state();
  const MoleculeEnergies energies = now.energies();
  std::printf("two molecules: %.9f, of %d models of water: %s\n", double(energies.total()),
              int(water_names().size()), std::string(water_names().front()).c_str());
}

void attraction() {
  using namespace polhode::gravity;
  const std::vector<ExtendedBody<double>> bodies{
      {.mass = 1.0}, {.mass = 0.001, .body = Body({1e-6, 1.2e-6, 1.5e-6}), .name = "moon"}};
  std::vector<PlacedState<double>> states(2);
  states[1].position = {1.0, 0.0, 0.0};
  states[1].momentum = {0.0, 0.001, 0.0};
  states[1].turning.momentum = {0.0, 0.0, 1.5e-6};
  ExtendedBodies<> pair(bodies, states);
  pair.advance(0.1, 10);
  const Constellation<double> now = pair.state();
  const ConstellationEnergies<DoubleDouble> energies = now.energies();
  std::printf("moon and planet: %.12f\n", double(energies.total()));
}

void errors() {
  const systems::Kepler kepler;
  PhasePoint<DoubleDouble, 2> falling;
  falling.position[0] = 1.0;
  try {
    Gauss<systems::Kepler, double> motion(kepler, falling, 0.5);
    motion.advance(100);
  } catch (const StepError& error) {
    std::printf("a step that cannot be taken, after %d: %s\n", int(error.step()), error.what());
  }
}

}  // namespace

int main() {
  systems_of_the_literature();
  without_constraints();
  with_constraints();
  two_molecules();
  attraction();
  errors();
}
