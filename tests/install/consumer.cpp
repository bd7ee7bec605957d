// A program of somebody who has polhode from elsewhere: it sees the headers and nothing of the source tree. The first lines of the manual;
// it prints the version if they come to what they should.
#include <polhode_step.h>
#include <polhode/polhode.hpp>
#include <polhode/version.hpp>

#include <cmath>
#include <iostream>

int main() {
  polhode::Body water({0.345, 0.653, 1.0});
  polhode::Rotor rotor(water, {.momentum = {0.5, 0.2, 0.84}});
  rotor.advance(0.01, 1000);
  const auto& state = rotor.state();
  const double norm = std::hypot(state.momentum[0], state.momentum[1], state.momentum[2]);
  const bool right = double(rotor.time()) == 10.0 && std::abs(norm - std::hypot(0.5, 0.2, 0.84)) < 1e-15 &&
                     state.attitude[0] != 1.0 && std::abs(double(rotor.errors().energy)) < 1e-17;
  if (right) std::cout << polhode::version << '\n';
}
