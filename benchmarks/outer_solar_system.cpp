// The outer solar system over 10^6 years by symmetric multistep and by Gauss methods, with steps at which truncation is
// below round-off. Prints CSV, from which scripts/figures/outer-solar-system.gp draws docs/figures/outer-solar-system.svg,
// and the table of docs/gauss.md on standard error.
//
//   outer_solar_system [years [members [name]]]
//
// First one motion over all the years, or in double-double over a tenth of them; then, for the statistics, several motions
// (members) over a tenth, whose initial values differ in the tenth digit of one coordinate. With a name only that
// method.
#include "polhode/constrained/systems/outer_solar_system.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <string>
#include <vector>

#include "../tests/reference/growth.hpp"
#include "polhode/constrained/gauss.hpp"
#include "polhode/constrained/multistep.hpp"
#include "polhode/constrained/multistep_methods.hpp"

using namespace polhode;
using namespace polhode::core;

namespace {

using SolarSystem = systems::OuterSolarSystem;
using Point = PhasePoint<DoubleDouble, SolarSystem::dimension>;

constexpr double year = 365.25;

/// Energy and angular momentum, as errors relative to the beginning.
class Invariants {
 public:
  explicit Invariants(const Point& start)
      : mass_(SolarSystem{}), energy_(energy_of(start)), momentum_(SolarSystem::angular_momentum(start)) {}

  double energy_error(const Point& point) const {
    return static_cast<double>((energy_of(point) - energy_) / abs(energy_));
  }
  double momentum_error(const Point& point) const {
    const auto now = SolarSystem::angular_momentum(point);
    double error2 = 0.0, size2 = 0.0;
    for (std::size_t j = 0; j < 3; ++j) {
      error2 += square(static_cast<double>(now[j] - momentum_[j]));
      size2 += square(static_cast<double>(momentum_[j]));
    }
    return std::sqrt(error2 / size2);
  }

 private:
  DoubleDouble energy_of(const Point& point) const { return energy(SolarSystem{}, mass_, point); }

  Mass<SolarSystem, DoubleDouble> mass_;
  DoubleDouble energy_;
  std::array<DoubleDouble, 3> momentum_;
};

/// Times that grow by a factor, up to the end, in steps.
std::vector<std::int64_t> sampling(double years, double step, double from_years, int per_decade) {
  std::vector<std::int64_t> result;
  const double decades = std::log10(years / from_years);
  const int count = static_cast<int>(std::lround(decades * per_decade));
  for (int i = 0; i <= count; ++i) {
    const double t = i == count ? years : from_years * std::pow(10.0, i / static_cast<double>(per_decade));
    const std::int64_t at = std::llround(t * year / step);
    if (result.empty() || at > result.back()) result.push_back(at);
  }
  return result;
}

struct Plan {
  double years = 1e6;
  int members = 8;
  std::string only;  ///< the name of the one method to be run
};

/// `make` takes the initial value and gives the motion.
template <class Make>
void run(const std::string& name, double step, const Plan& plan, bool pairs, const Make& make) {
  if (!plan.only.empty() && plan.only != name) return;
  const Point start = SolarSystem{}.standard_state();
  const Invariants invariants(start);
  auto motion = make(start);
  double energy_max = 0.0, momentum_max = 0.0, energy_now = 0.0, momentum_now = 0.0;
  const std::clock_t begin = std::clock();
  for (const std::int64_t at : sampling(pairs ? plan.years / 10.0 : plan.years, step, 10.0, 60)) {
    motion.advance(at - motion.steps_taken());
    const Point point = motion.wide_state();
    energy_now = invariants.energy_error(point);
    momentum_now = invariants.momentum_error(point);
    energy_max = std::max(energy_max, std::abs(energy_now));
    momentum_max = std::max(momentum_max, momentum_now);
    std::printf("%s,%g,%.6g,%.4g,%.4g\n", name.c_str(), step, static_cast<double>(at) * step / year,
                energy_now, momentum_now);
  }
  std::fflush(stdout);
  const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  std::fprintf(stderr, "| %s | %g | %.1f | %.1f | %.1e | %.1e | %.1e | %.1e |", name.c_str(), step,
               static_cast<double>(motion.evaluations().force) / 1e6, seconds, std::abs(energy_now),
               energy_max, momentum_now, momentum_max);
  if (pairs) {
    std::fprintf(stderr, " | | |\n");
    return;
  }

  const auto times = sampling(plan.years / 10.0, step, plan.years / 1000.0, 5);
  std::vector<double> square_sums(times.size()), years;
  double sum = 0.0;
  for (const std::int64_t at : times) years.push_back(static_cast<double>(at) * step / year);
  for (int i = 0; i < plan.members; ++i) {
    Point shifted = start;
    shifted.position[3] += 1e-9 * (i + 1);  // Jupiter's
    const Invariants own(shifted);
    auto member = make(shifted);
    for (std::size_t j = 0; j < times.size(); ++j) {
      member.advance(times[j] - member.steps_taken());
      const double error = own.energy_error(member.wide_state());
      square_sums[j] += error * error;
      if (j + 1 == times.size()) sum += error;
    }
  }
  std::vector<double> rms;
  for (const double x : square_sums) rms.push_back(std::sqrt(x / plan.members));
  std::fprintf(stderr, " %.1e | %.2f | %.2f |\n", rms.back(), std::abs(sum / plan.members) / rms.back(),
               reference::growth(years, rms));
}

template <class T>
void run_multistep(const char* table, const std::string& name, double step, const Plan& plan) {
  run(name, step, plan, std::same_as<T, DoubleDouble>, [&](const Point& start) {
    return Multistep<SolarSystem, T>(SolarSystem{}, multistep_table(table), start, step);
  });
}

template <class T>
void run_gauss(int stages, const std::string& name, double step, const Plan& plan) {
  run(name, step, plan, std::same_as<T, DoubleDouble>, [&](const Point& start) {
    return Gauss<SolarSystem, T>(SolarSystem{}, start, step, {.stages = stages});
  });
}

}  // namespace

int main(int count, char** arguments) {
  try {
    Plan plan;
    if (count > 1) plan.years = std::atof(arguments[1]);
    if (count > 2) plan.members = std::atoi(arguments[2]);
    if (count > 3) plan.only = arguments[3];
    if (!(plan.years >= 1e4) || plan.members < 1) {
      std::fprintf(stderr, "outer_solar_system: at least 10000 years and one member\n");
      return 2;
    }
    std::printf("method,step,years,energy_error,angular_momentum_error\n");
    std::fprintf(
        stderr,
        "| method | step, days | forces, 10^6 | seconds | energy, final | energy, max | momentum, final | "
        "momentum, max | rms | mean/rms | exponent |\n|---|---|---|---|---|---|---|---|---|---|---|\n");
    run_multistep<double>("sy8", "sy8", 5.0, plan);
    run_multistep<double>("sy12", "sy12", 10.0, plan);
    run_gauss<double>(6, "gauss-6-short", 50.0, plan);
    run_gauss<double>(6, "gauss-6", 200.0, plan);
    run_gauss<double>(8, "gauss-8", 300.0, plan);
    run_multistep<DoubleDouble>("sy8", "sy8-pairs", 5.0, plan);
    run_gauss<DoubleDouble>(8, "gauss-8-pairs", 300.0, plan);
    return 0;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "outer_solar_system: %s\n", e.what());
    return 1;
  }
}
