// How round-off grows with the number of steps: h = 0.01, twenty initial values next to those of [Vil08], four bodies.
// Usage: growth [steps]
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <vector>

#include "polhode/polhode.hpp"

using namespace polhode;
using namespace polhode::core;

namespace {

constexpr double h = 0.01;
constexpr int runs = 20;

/// Of all runs, at one time.
struct Errors {
  double energy2 = 0, energy = 0, attitude2 = 0;
  std::array<double, 3> spatial2{};
};

double angle_between(const Quaternion<DoubleDouble>& a, const Quaternion<DoubleDouble>& b) {
  const Quaternion<DoubleDouble> turn = conjugate(a) * b;
  return 2 * std::atan2(static_cast<double>(norm(turn.vector())), std::abs(static_cast<double>(turn[0])));
}

template <class Make, class Advance>
void measure(const char* name, const Vector<double>& moments, std::int64_t most, Make&& make,
             Advance&& advance) {
  const Body<double> body(moments);
  std::vector<std::int64_t> counts;
  for (std::int64_t n = 1000; n <= most; n *= 10) counts.push_back(n);
  std::vector<Errors> errors(counts.size());
  std::mt19937_64 random(2008);
  std::uniform_real_distribution<double> uniform(-0.01, 0.01);
  for (int i = 0; i < runs; ++i) {
    State<double> s{{{0.5 + uniform(random), 0.2 + uniform(random), 0}}, {}};
    s.momentum[2] = std::sqrt(1 - s.momentum[0] * s.momentum[0] - s.momentum[1] * s.momentum[1]);
    auto rotor = make(body, s);
    const Trajectory<double> truth(body, s);
    const auto before = rotor.invariants();
    std::int64_t done = 0;
    for (std::size_t k = 0; k < counts.size(); ++k) {
      advance(rotor, counts[k] - done);
      done = counts[k];
      const auto after = rotor.invariants();
      const double energy = static_cast<double>(after.energy - before.energy);
      const double angle =
          angle_between(rotor.wide_state().attitude,
                        truth.wide_at(DoubleDouble(h) * DoubleDouble(static_cast<double>(done))).attitude);
      errors[k].energy += energy / runs;
      errors[k].energy2 += energy * energy / runs;
      errors[k].attitude2 += angle * angle / runs;
      for (std::size_t j = 0; j < 3; ++j) {
        const double d = static_cast<double>(after.spatial_momentum[j] - before.spatial_momentum[j]);
        errors[k].spatial2[j] += d * d / runs;
      }
    }
  }
  for (std::size_t k = 0; k < counts.size(); ++k) {
    const Errors& e = errors[k];
    fmt::print("{:<10} {:<20} {:>9} {:>9.2e} {:>10.2e} {:>9.2e} {:>9.2e} {:>9.2e} {:>9.2e}\n", name,
               fmt::format("{:g} {:g} {:g}", moments[0], moments[1], moments[2]), counts[k],
               std::sqrt(e.energy2), e.energy, std::sqrt(e.spatial2[0]), std::sqrt(e.spatial2[1]),
               std::sqrt(e.spatial2[2]), std::sqrt(e.attitude2));
  }
  if (counts.size() > 2) {
    const double decades = static_cast<double>(counts.size() - 2);
    fmt::print("{:<10} growth exponent of the energy error from 10^4 on: {:.2f}\n", name,
               std::log10(errors.back().energy2 / errors[1].energy2) / (2 * decades));
  }
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const std::int64_t most = argc > 1 ? std::atoll(argv[1]) : 10'000'000;
  fmt::print("{:<10} {:<20} {:>9} {:>9} {:>10} {:>9} {:>9} {:>9} {:>9}\n", "method", "moments", "steps",
             "energy", "mean", "(Q m)_1", "(Q m)_2", "(Q m)_3", "attitude");
  for (const Vector<double>& moments : {Vector<double>{{0.345, 0.653, 1}}, Vector<double>{{0.6, 0.8, 1}},
                                        Vector<double>{{0.9, 0.9001, 1}}, Vector<double>{{0.5, 0.5, 1}}}) {
    measure(
        "exact", moments, most, [](const auto& body, const auto& s) { return Rotor<Exact<double>>(body, s); },
        [](auto& rotor, std::int64_t n) { rotor.advance(h, n); });
    measure(
        "fixed-step", moments, most,
        [](const auto& body, const auto& s) { return FixedStepRotor<double>(body, s, h); },
        [](auto& rotor, std::int64_t n) { rotor.advance(n); });
    measure(
        "dmv10", moments, most,
        [](const auto& body, const auto& s) { return Rotor<MoserVeselov<double, 10>>(body, s); },
        [](auto& rotor, std::int64_t n) { rotor.advance(h, n); });
  }
}
