// The water molecule of the literature: a million steps of the exact flow.
#include <iostream>

#include "polhode/polhode.hpp"

int main() {
  using namespace polhode;
  Body water({0.345, 0.653, 1.0});                     // principal moments, in any order
  Rotor rotor(water, {.momentum = {0.5, 0.2, 0.84}});  // in the body; the attitude is the identity
  rotor.advance(0.01, 1'000'000);                      // step, count

  State state = rotor.state();
  std::cout << "at time " << rotor.time() << ": " << state << '\n';
  std::cout << "momentum in space: " << rotate(state.attitude, state.momentum) << '\n';
  std::cout << "error of the energy: " << rotor.errors().energy << '\n';
}
