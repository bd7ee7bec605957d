// The tennis-racket effect without stepping: spin next to the intermediate axis, evaluated at any time at constant cost.
#include <cstdio>

#include "polhode/polhode.hpp"

int main() {
  using namespace polhode;
  // An asteroid in SI units, its inertia tensor in a skew frame.
  const Matrix<double> tensor{{Vector<double>{{2.9e23, 1.0e22, -2.0e22}},
                               Vector<double>{{1.0e22, 3.4e23, 3.0e22}},
                               Vector<double>{{-2.0e22, 3.0e22, 1.1e23}}}};
  const Body<double> asteroid(tensor);
  const Vector<double> intermediate = convert<double>(asteroid.axes()[1]);
  State<double> start;
  start.momentum = 4.0e19 * intermediate + 1.0e14 * convert<double>(asteroid.axes()[0]);

  const Trajectory<double> motion(asteroid, start);
  std::printf("period of the tumbling: %.12g days\n", motion.period() / 86400);
  for (const double years : {0.0, 1.0, 1000.0, 1.0e6}) {
    const State<double> s = motion.at(years * 365.25 * 86400);
    const double along = dot(s.momentum, intermediate) / norm(s.momentum);
    std::printf("after %9g years the spin makes %.12f with the intermediate axis\n", years, along);
  }
}
