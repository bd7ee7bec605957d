// A torque of one's own: a lambda of attitude and time, or a potential from which the library finds the torque.
#include <cmath>
#include <cstdio>

#include "polhode/polhode.hpp"

int main() {
  using namespace polhode;
  const Body body({0.7, 0.9, 1.2});
  const State<double> start{.momentum = {0.3, 0.1, 1.1}};

  // A gyrostat's motor that is switched on and off, about the body's third axis.
  const auto torque = [](const Quaternion<double>&, double t) {
    return Vector(0.0, 0.0, 0.02 * std::sin(t));
  };
  auto motor = driven(body, start, torque, scheme("rkn6-11"));
  motor.advance(0.1, 1000);
  const Vector m = motor.state().momentum;
  std::printf("motor:  m = (%.12f, %.12f, %.12f) at t = %g\n", m[0], m[1], m[2], double(motor.time()));

  // Two torsion springs that hold the body's axes 1 and 2 to those of space. Any scalar: the torque comes from dual numbers.
  const auto potential = [](const auto& q) {
    const auto r = to_matrix(q);
    return -0.2 * r[0][0] - 0.1 * r[1][1] * r[1][1];
  };
  auto springs = driven(body, start, from_potential(potential), scheme("aba-8-6-4"));
  const DoubleDouble energy = springs.energy();
  springs.advance(0.05, 100'000);
  const double error = std::abs(double(springs.energy() - energy));
  std::printf("spring: energy kept to %s over %g units of time\n", error < 1e-11 ? "1e-11" : "less",
              double(springs.time()));
}
