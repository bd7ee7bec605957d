// A torque of one's own: a lambda of attitude and time, or a potential from which the library finds the torque.
#include <cmath>
#include <cstdio>

#include "polhode/polhode.hpp"

int main() {
  using namespace polhode;
  const Body<double> body(Vector<double>{{0.7, 0.9, 1.2}});
  const State<double> start{{{0.3, 0.1, 1.1}}, {1, 0, 0, 0}};

  // A gyrostat's motor that is switched on and off, about the body's third axis.
  auto motor = driven(
      body, start,
      [](const Quaternion<double>&, double t) {
        return Vector<double>{{0, 0, 0.02 * std::sin(t)}};
      },
      scheme("rkn6-11"));
  motor.advance(0.1, 1000);
  const Vector<double> m = motor.state().momentum;
  std::printf("motor:  m = (%.12f, %.12f, %.12f) at t = %g\n", m[0], m[1], m[2],
              static_cast<double>(motor.time()));

  // Two torsion springs that hold the body's axes 1 and 2 to those of space. Any scalar: the torque comes from dual numbers.
  auto springs = driven(body, start, from_potential([](const auto& q) {
                          const auto r = to_matrix(q);
                          return -0.2 * r[0][0] - 0.1 * r[1][1] * r[1][1];
                        }),
                        scheme("aba-8-6-4"));
  const DoubleDouble energy = springs.energy();
  springs.advance(0.05, 100000);
  const double error = static_cast<double>(springs.energy() - energy);
  std::printf("spring: energy kept to %s over %g units of time\n", std::abs(error) < 1e-11 ? "1e-11" : "less",
              static_cast<double>(springs.time()));
}
