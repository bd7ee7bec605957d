// How fast two nearby motions of a tennis racket part: the finite-time Lyapunov exponent and the state-transition matrix.
#include <cstdio>

#include "polhode/free_motion/tangent.hpp"

int main() {
  using namespace polhode;
  const Body racket({0.0012, 0.0164, 0.0175});               // kg m^2
  const State<double> spin{.momentum = {1e-6, 0.05, 1e-6}};  // kg m^2/s, next to the intermediate axis

  for (const int seconds : {1, 10, 50, 1000}) {
    const double exponent = lyapunov_exponent(racket, spin, 0.1, 10 * seconds);
    std::printf("over %4d s: %.9f per second\n", seconds, exponent);
  }

  std::printf("after 10 s, d(m, xi)/d(m, xi) is\n");
  for (const auto& row : state_transition(racket, spin, 10.0))
    std::printf("%16.8g %16.8g %16.8g %12.8f %12.8f %12.8f\n", row[0], row[1], row[2], row[3], row[4],
                row[5]);
}
