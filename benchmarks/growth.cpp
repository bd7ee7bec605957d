// How round-off grows with the number of steps, twenty initial values.
//
//   growth [steps]           h = 0.01, next to the initial values of [Vil08], four bodies, several methods
//   growth lengths [steps]   `exact` with steps of 0.1 to 10, momenta in all directions, three bodies
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <string_view>
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

/// One body and one length of step: energy and Q m, root mean square over the initial values, and how they grow from a hundredth of the steps
/// on. Momenta are of size one. By the batch, which has the bits of `exact`.
void measure_length(const Vector<double>& moments, double step, std::int64_t most) {
  const Body<double> body(moments);
  std::mt19937_64 random(2008);
  std::normal_distribution<double> normal;
  std::vector<State<double>> states;
  for (int i = 0; i < runs; ++i) {
    const Vector<double> m{{normal(random), normal(random), normal(random)}};
    states.push_back({(1 / norm(m)) * m, {}});
  }
  Batch batch(body, states);
  std::vector<Invariants<DoubleDouble>> before;
  for (std::size_t i = 0; i < batch.size(); ++i) before.push_back(batch.invariants(i));
  struct Sums {
    double mean = 0, energy2 = 0, spatial2 = 0;
  };
  const auto look = [&] {
    Sums sums;
    std::array<double, 3> spatial2{};
    for (std::size_t i = 0; i < batch.size(); ++i) {
      const Invariants<DoubleDouble> error = batch.invariants(i) - before[i];
      const double energy = static_cast<double>(error.energy);
      sums.mean += energy / runs;
      sums.energy2 += energy * energy / runs;
      for (std::size_t j = 0; j < 3; ++j)
        spatial2[j] += square(static_cast<double>(error.spatial_momentum[j])) / runs;
    }
    sums.spatial2 = *std::max_element(spatial2.begin(), spatial2.end());
    return sums;
  };
  batch.advance(step, most / 100);
  const Sums first = look();
  batch.advance(step, most - most / 100);
  const Sums last = look();
  const double energy = std::sqrt(last.energy2), spatial = std::sqrt(last.spatial2);
  fmt::print("{:<20} {:>5} {:>10.1e} {:>10.2f} {:>9.2f} {:>10.1e} {:>9.2f}\n",
             fmt::format("{:g} {:g} {:g}", moments[0], moments[1], moments[2]), step, energy,
             std::abs(last.mean) / energy, std::log10(last.energy2 / first.energy2) / 4, spatial,
             std::log10(last.spatial2 / first.spatial2) / 4);
  std::fflush(stdout);
}

void measure_lengths(std::int64_t most) {
  fmt::print("{:<20} {:>5} {:>10} {:>10} {:>9} {:>10} {:>9}\n", "moments", "h", "energy", "mean/rms",
             "exponent", "Q m", "exponent");
  for (const Vector<double>& moments :
       {Vector<double>{{0.345, 0.653, 1}}, Vector<double>{{0.6, 0.8, 1}}, Vector<double>{{0.5, 0.5, 1}}})
    for (const double step : {0.1, 0.5, 1.0, 3.0, 10.0}) measure_length(moments, step, most);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && std::string_view(argv[1]) == "lengths") {
    measure_lengths(argc > 2 ? std::atoll(argv[2]) : 1'000'000);
    return 0;
  }
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
