// Round-off of Gauss methods over 10^6 steps: energy errors of several pendulums and Kepler orbits, to see whether they walk
// at random (Brouwer's law). Prints the table of docs/gauss.md.
//
//   gauss_roundoff [steps [members]]
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <random>
#include <vector>

#include "../tests/reference/growth.hpp"
#include "polhode/constrained/gauss.hpp"
#include "polhode/constrained/systems/kepler.hpp"
#include "polhode/constrained/systems/pendulum.hpp"

using namespace polhode;
using namespace polhode::core;

namespace {

/// Sizes of the errors at 10^3, ..., steps, five times a decade. `start` gives the initial value of a member.
template <class S, Summation summation, class Start>
void walk(const char* name, double step, int stages, double steps, int members, const Start& start) {
  std::vector<double> times;
  for (int i = 0; 1e3 * std::pow(10.0, i / 5.0) <= 1.001 * steps; ++i)
    times.push_back(std::round(1e3 * std::pow(10.0, i / 5.0)));
  std::vector<double> rms(times.size());
  double mean = 0.0, worst = 0.0;
  std::mt19937_64 random(20260101);
  std::int64_t forces = 0;
  for (int i = 0; i < members; ++i) {
    Gauss<S, double, summation> gauss(S{}, start(random), step, {.stages = stages});
    const DoubleDouble energy = gauss.energy();
    for (std::size_t j = 0; j < times.size(); ++j) {
      gauss.advance(static_cast<std::int64_t>(times[j]) - gauss.steps_taken());
      const double error = static_cast<double>(gauss.energy() - energy);
      rms[j] += error * error / members;
      worst = std::max(worst, std::abs(error));
      if (j + 1 == times.size()) mean += error / members;
    }
    forces += gauss.evaluations().force;
  }
  for (double& x : rms) x = std::sqrt(x);
  std::printf("| %s | %s | %d | %g | %.2f | %.1e | %.1e | %.2f | %.2f |\n", name,
              summation == Summation::plain ? "double" : "compensated", stages, step,
              static_cast<double>(forces) / (times.back() * members * stages), rms.back(), worst,
              std::abs(mean) / rms.back(), reference::growth(times, rms));
  std::fflush(stdout);
}

}  // namespace

int main(int count, char** arguments) {
  try {
    const double steps = count > 1 ? std::atof(arguments[1]) : 1e6;
    const int members = count > 2 ? std::atoi(arguments[2]) : 20;
    if (!(steps >= 1e4) || members < 1) {
      std::fprintf(stderr, "gauss_roundoff: at least 10^4 steps and one member\n");
      return 2;
    }
    std::printf("| system | sums | stages | step | sweeps | rms | worst | mean/rms | exponent |\n");
    std::printf("|---|---|---|---|---|---|---|---|---|\n");
    const auto pendulum = [](std::mt19937_64& random) {
      PhasePoint<DoubleDouble, 1> x;
      x.momentum[0] = std::uniform_real_distribution<double>(0.5, 1.7)(random);
      return x;
    };
    const auto kepler = [](std::mt19937_64& random) {
      return systems::Kepler{std::uniform_real_distribution<double>(0.595, 0.605)(random)}.standard_state();
    };
    using systems::Kepler, systems::Pendulum;
    walk<Pendulum, Summation::compensated>("pendulum", 0.25, 6, steps, members, pendulum);
    walk<Pendulum, Summation::compensated>("pendulum", 0.5, 8, steps, members, pendulum);
    walk<Pendulum, Summation::plain>("pendulum", 0.25, 6, steps, members, pendulum);
    walk<Kepler, Summation::compensated>("kepler", 0.03125, 6, steps, members, kepler);
    walk<Kepler, Summation::compensated>("kepler", 0.0625, 8, steps, members, kepler);
    return 0;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "gauss_roundoff: %s\n", e.what());
    return 1;
  }
}
