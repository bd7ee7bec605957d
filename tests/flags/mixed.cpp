// One program of sources with other instructions each: PART is the name of the function that this source gives, and without it the
// source is the program. Not optimised, so that no function is inlined: the linker keeps one of each name.
#include <cstdint>

#ifdef PART
#include <cstring>
#include <vector>

#include <polhode/polhode.hpp>

namespace {

/// Of all bits of a state.
void mix(std::uint64_t& hash, const polhode::State<double>& state) {
  for (const double x : {state.momentum[0], state.momentum[1], state.momentum[2], state.attitude[0],
                         state.attitude[1], state.attitude[2], state.attitude[3]}) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &x, sizeof bits);
    hash = (hash ^ bits) * 0x100000001b3U;
  }
}

}  // namespace

/// Throws an InputError, in the source of the other instructions.
void refuse();

#ifdef WITH_REFUSE
void refuse() { static_cast<void>(polhode::Body<double>({1.0, -1.0, 1.0})); }
#endif

std::uint64_t PART() {
  using namespace polhode;
  std::uint64_t hash = 0xcbf29ce484222325U;
  std::vector<State<double>> states;
  for (int i = 0; i < 11; ++i) states.push_back({{0.5 + 0.1 * i, 0.2, 0.84}, {1, 0, 0, 0}});
  const Body<double> body({0.345, 0.653, 1.0});
  Batch batch(body, states);
  torques::ArrayTorques pull;
  pull.torques.push_back([](auto attitudes, double, auto all) {
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = Vector(0.0, 0.1 * attitudes[i][0], 0.0);
  });
  DrivenBatch driven(body, states, torques::TorqueList<double>(), scheme("aba-8-2"), pull);
  Rotor rotor(body, states[0]);
  for (const double step : {0.01, 0.1, 3.0}) {
    batch.advance(step, 5);
    rotor.advance(step, 5);
  }
  driven.advance(0.05, 5);
  mix(hash, rotor.state());
  try {
    refuse();
  } catch (const InputError&) {
    // An exception has one name in all sources; another one would end the program.
  }
  for (std::size_t i = 0; i < states.size(); ++i) {
    mix(hash, batch.state(i));
    mix(hash, driven.state(i));
  }
  return hash;
}
#else
#include <cstdio>

std::uint64_t with_few();
std::uint64_t with_many();

int main() {
  const std::uint64_t few = with_few(), many = with_many();
  std::printf("%016llx %016llx\n", static_cast<unsigned long long>(few),
              static_cast<unsigned long long>(many));
  return few == many ? 0 : 1;
}
#endif
