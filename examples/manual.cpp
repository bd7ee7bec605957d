// The lines of C++ that the manual shows, as one program: what stands there compiles and runs.
#include <array>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <vector>

#include "polhode/polhode.hpp"

namespace {

using namespace polhode;

// docs/cpp.md
template <polhode::Stepper S>
void follow(S& motion, int rows) {
  for (int row = 0; row < rows; ++row) {
    motion.advance(100);
    std::cout << motion.time() << ' ' << motion.energy() << '\n';
  }
}

void read_a_state(const Rotor<>& rotor) {
  const State now = rotor.state();
  const Quaternion q = now.attitude;                     // q[0] is the scalar part
  const Vector axis = rotate(q, Vector(0.0, 0.0, 1.0));  // axis 3 of the body, in space
  const Matrix r = to_matrix(q);                         // its columns are the axes of the body in space
  const Vector up = rotate(conjugate(q), Vector(0.0, 0.0, 1.0));  // axis 3 of space, seen from the body
  std::printf("axis 3 in space: %.12f %.12f %.12f\n", axis[0], axis[1], axis[2]);
  std::printf("the last column of the matrix less that: %g, the last row less the way back: %g\n",
              norm(Vector(r[0][2], r[1][2], r[2][2]) - axis), norm(r[2] - up));
}

void drive() {
  auto top = driven(Body({1.0, 1.0, 0.5}), {.momentum = {0.0, 0.1, 5.0}}, UniformField({0.0, 0.0, 1.0}),
                    scheme("aba-8-6-4"));
  top.advance(0.02, 50'000);
  auto motor =
      driven(Body({0.7, 0.9, 1.2}), {.momentum = {0.3, 0.1, 1.1}},
             [](const Quaternion<double>&, double t) { return Vector(0.0, 0.0, 0.02 * std::sin(t)); },
             scheme("rkn6-11"), {"dmv10"});
  motor.advance(0.1, 1000);
  std::printf("top: %.10f, motor: %.10f\n", top.state().attitude[0], motor.state().attitude[0]);
}

// docs/splitting.md
void own_scheme() {
  const Body body({1.0, 1.0, 0.5});
  const State<double> start{.momentum = {0.0, 0.1, 5.0}};
  const UniformField<double> torque({0.0, 0.0, 1.0});
  auto own = driven(body, start, torque,
                    scheme({0.0792036964311957, 0.353172906049774, -0.0420650803577195},
                           {0.209515106613362, -0.143851773179818}));
  own.advance(0.01, 1000);
  std::printf("own scheme: %.10f\n", own.state().attitude[0]);
}

// docs/driven-bodies.md
void in_the_world() {
  const Body body({1.0, 3.0, 3.4});
  const State<double> state{.momentum = {0.1, 0.2, 0.3}};
  const double start_time = 10.0;
  const KeplerOrbit<double> orbit(
      {.gravitational_parameter = 398600.4418, .eccentricity = 0.01, .periapsis = 7000.0});
  torques::TorqueList torque{GravityGradient(orbit), torques::Damping(0.01),
                             torques::Wheels({0.0, 0.0, 0.2})};
  torque.add([](const Quaternion<double>& q, const Vector<double>& omega, double t) {
    return (-0.01 * std::cos(t) * q[0]) * omega;
  });
  auto satellite = driven(body, state, torque, scheme("aba-8-2"), start_time);
  satellite.advance(0.1, 1000);

  KeplerOrbit<double> flyby({.gravitational_parameter = 398600.4418,
                             .eccentricity = 1.8,
                             .inclination = 0.4,
                             .periapsis = 7000.0,
                             .periapsis_time = 1200.0});
  auto asteroid = driven(body, state, GravityGradient(flyby), scheme("rkn6-14"));
  asteroid.advance(1.0, 1000);

  std::vector<double> times;
  std::vector<Vector<double>> positions;
  for (int i = -4; i < 40; ++i) {
    times.push_back(100.0 * i);
    positions.push_back({384400.0 * std::cos(2.66e-4 * i), 384400.0 * std::sin(2.66e-4 * i), 0.0});
  }
  torques::Ephemeris moon(times, positions);  // or (times, positions, velocities)
  torques::TorqueList attraction{GravityGradient(orbit), GravityGradient(moon, 4902.8)};
  auto tidal = driven(body, state, attraction, scheme("aba-8-2"));
  tidal.advance(1.0, 1000);
  std::printf("satellite: %.10f, asteroid: %.10f, with the Moon: %.10f\n", satellite.state().attitude[0],
              asteroid.state().attitude[0], tidal.state().attitude[0]);
}

// docs/molecules.md
void liquid_water() {
  using namespace polhode::molecules;
  const double kT = 2.4789;
  const unsigned seed = 1;
  const Vector edges(1.24, 1.24, 1.24);                                            // nm
  const ForceField field({water("spce")}, {.coulomb = 138.935458, .box = edges});  // in kJ/mol, nm, e
  const auto states = thermal_lattice(field, {64}, edges, kT, seed);
  RigidMolecules<> liquid(field, {64}, states, scheme("rkn4-6"));
  equilibrate(liquid, {64}, kT, 0.001, 50);
  liquid.advance(0.001, 10);
  const double kinetic = double(liquid.state().energies().kinetic());
  std::printf("water: a kinetic energy between 300 and 700 kJ/mol: %s\n",
              kinetic > 300 && kinetic < 700 ? "yes" : "no");
}

}  // namespace

int main() {
  Rotor rotor(Body({0.345, 0.653, 1.0}), {.momentum = {0.5, 0.2, 0.84}});
  rotor.set_step(0.01);
  follow(rotor, 2);
  read_a_state(rotor);
  drive();
  own_scheme();
  in_the_world();
  liquid_water();
}
