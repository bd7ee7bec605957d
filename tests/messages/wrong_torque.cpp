// A torque of the wrong shape: the compiler has to say what a torque is.
#include "polhode/splitting/driven_rotor.hpp"

int main() {
  auto rotor = polhode::driven(polhode::Body({1.0, 2.0, 3.0}), {.momentum = {0.1, 2.0, 0.1}},
                               [](double time) { return time; });
  rotor.advance(0.1, 1);
}
