// The tennis-racket effect without stepping: spin next to the intermediate axis, evaluated at any time at constant cost.
#include <cstdio>

#include "polhode/polhode.hpp"

int main() {
  using namespace polhode;
  // An asteroid in SI units, its inertia tensor in a skew frame.
  const Matrix<double> tensor({2.9e23, 1.0e22, -2.0e22}, {1.0e22, 3.4e23, 3.0e22}, {-2.0e22, 3.0e22, 1.1e23});
  const Body asteroid(tensor);
  const Matrix<double> axes = convert<double>(asteroid.axes());  // the principal ones, as rows

  const Trajectory motion(asteroid, {.momentum = 4.0e19 * axes[1] + 1.0e14 * axes[0]});
  std::printf("period of the tumbling: %.12g days\n", motion.period() / 86400);
  for (const double years : {0.0, 1.0, 1000.0, 1.0e6}) {
    const Vector momentum = motion.at(years * 365.25 * 86400).momentum;
    std::printf("after %9g years the spin makes %.12f with the intermediate axis\n", years,
                dot(momentum, axes[1]) / norm(momentum));
  }
}
