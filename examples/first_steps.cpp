// The water molecule of the literature: a million steps of the exact flow, and the same motion in one evaluation.
#include <cstdio>

#include "polhode/polhode.hpp"

int main() {
  using namespace polhode;
  const Body<double> water(Vector<double>{{0.345, 0.653, 1.0}});
  const State<double> start{.momentum = {{0.5, 0.2, 0.84}}, .attitude = {1, 0, 0, 0}};

  Rotor<Exact<double>> rotor(water, start);
  const auto before = rotor.invariants();
  rotor.advance(0.01, 1'000'000);
  const auto after = rotor.invariants();
  const State<double> stepped = rotor.state();
  std::printf("momentum  %19.16f %19.16f %19.16f\n", stepped.momentum[0], stepped.momentum[1],
              stepped.momentum[2]);
  std::printf("energy error after 10^6 steps: %.1e\n", static_cast<double>(after.energy - before.energy));

  // 0.01 is not a double: a million steps of the double next to it are this far.
  const State<double> direct =
      convert<double>(Trajectory<double>(water, start).wide_at(DoubleDouble(0.01) * 1e6));
  std::printf("directly  %19.16f %19.16f %19.16f\n", direct.momentum[0], direct.momentum[1],
              direct.momentum[2]);
}
