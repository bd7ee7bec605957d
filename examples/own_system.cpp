// A system of one's own: a bead on an ellipse under gravity, as a potential and a constraint. The library derives the force and
// the gradient, integrates to the limit of double precision, and shows the energy in twice that precision.
#include <cmath>
#include <cstdio>

#include "polhode/constrained/multistep.hpp"
#include "polhode/constrained/multistep_methods.hpp"

struct BeadOnEllipse {
  static constexpr std::size_t dimension = 2;
  static constexpr std::size_t constraints = 1;
  auto potential(auto q) const { return 9.81 * q[1]; }
  auto constraint(auto q, std::size_t) const { return q[0] * q[0] / 4.0 + q[1] * q[1] - 1.0; }
};

int main() {
  using namespace polhode;
  using namespace polhode::constrained;
  PhasePoint<DoubleDouble, 2> start;
  start.position[0] = 2.0;
  start.momentum[1] = 0.5;

  Multistep<BeadOnEllipse, double> motion(BeadOnEllipse{}, console_hairer_table, start, 0.001);
  const DoubleDouble energy = motion.energy();
  motion.advance(100'000);
  const auto [position, momentum] = motion.state();
  std::printf("position %.10f %.10f\n", double(position[0]), double(position[1]));
  std::printf("momentum %.10f %.10f\n", double(momentum[0]), double(momentum[1]));
  const double error = std::abs(double((motion.energy() - energy) / energy));
  const double missed = double(motion.residual().position);
  std::printf("energy kept to 1e-12: %s, constraint to 1e-16: %s\n", error < 1e-12 ? "yes" : "no",
              missed < 1e-16 ? "yes" : "no");
}
