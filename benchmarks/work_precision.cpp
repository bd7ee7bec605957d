// Error against cost: the water molecule to t = 1000 by each method with many steps, or tolerances. Prints CSV, from
// which scripts/figures/benchmarks.gp draws docs/figures/work-precision.svg.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <exception>
#include <limits>
#include <numeric>

#include "bench/other_library.hpp"
#include "run/meter.hpp"
#include "systems/body/free_body.hpp"

using namespace polhode;
using namespace polhode::core;
using namespace polhode::program;

namespace {

constexpr double end = 1000.0;
constexpr std::array<double, 15> steps{1000.0, 100.0, 10.0, 5.0,  2.0,   1.0,   0.5,  0.2,
                                       0.1,    0.05,  0.02, 0.01, 0.005, 0.002, 0.001};
/// Methods of finite order have nothing to show for longer steps than this.
constexpr double longest_of_finite_order = 1.0;

void print_row(const std::string& method, double step, std::int64_t count, double seconds, double error) {
  fmt::print("{},{:g},{},{:.0f},{:.3g}\n", method, step, count, 1e9 * seconds, error);
  std::fflush(stdout);
}

/// The way goes in pieces, several times, and the smallest time of each piece counts: a piece is short enough to be
/// undisturbed now and then on a machine that others use too. The simulation ends up at the end of the way.
double seconds_for(Simulation& simulation, std::int64_t count) {
  using Clock = std::chrono::steady_clock;
  constexpr double enough = 0.3, piece_seconds = 0.5e-3;
  constexpr int most = 50, least = 3;
  const std::vector<std::byte> start = simulation.save();
  const std::int64_t piece = Meter(simulation, count).steps_in(piece_seconds);
  std::vector<double> best;
  double total = 0.0;
  for (int round = 0; round < most && (round < least || total < enough); ++round) {
    simulation.restore(start);
    std::size_t i = 0;
    for (std::int64_t done = 0; done < count; ++i) {
      const std::int64_t now = std::min(piece, count - done);
      const auto before = Clock::now();
      simulation.advance(now);
      const double seconds = std::chrono::duration<double>(Clock::now() - before).count();
      if (i == best.size()) best.push_back(seconds);
      best[i] = std::min(best[i], seconds);
      total += seconds;
      done += now;
    }
  }
  return std::accumulate(best.begin(), best.end(), 0.0);
}

void print_stepping(const std::string& name, Simulation& simulation, const BenchProblem& problem) {
  const double step = simulation.description().step;
  const auto count = static_cast<std::int64_t>(std::lround(end / step));
  const double seconds = seconds_for(simulation, count);
  const std::vector<double> state = simulation.look().state;
  Quaternion<DoubleDouble> attitude;
  for (std::size_t i = 0; i < 4; ++i) attitude[i] = state[3 + i];
  const DoubleDouble time = DoubleDouble(static_cast<double>(count)) * DoubleDouble(step);
  const double error = problem.attitude_error(attitude, time);
  if (std::isfinite(error)) print_row(name, step, count, seconds, error);
}

void print_method(const std::string& name, const BenchProblem& problem) {
  const std::vector<MethodEntry> methods = free_methods();
  const auto method =
      std::find_if(methods.begin(), methods.end(), [&](const MethodEntry& m) { return m.name == name; });
  if (method == methods.end()) return;
  const FreeMethod choice{{name, {}}, method->compensation};
  const bool any_step = name == "exact" || name == "frb-quaternion";
  for (const double step : steps)
    if (any_step || step <= longest_of_finite_order)
      print_stepping(name, *make_free_body(Body<double>(problem.moments), problem.initial, step, choice),
                     problem);
}

void print_other_library(const std::string& name, const BenchProblem& problem) {
  for (const double step : steps)
    if (step <= longest_of_finite_order)
      print_stepping(name, *make_other_library(name, problem, step), problem);
}

void print_cvode(const BenchProblem& problem) {
  for (int digits = 4; digits <= 15; ++digits) {
    const double tolerance = std::pow(10.0, -digits);
    CvodeResult result;
    double best = std::numeric_limits<double>::infinity();
    for (int i = 0; i < 4; ++i) {
      result = run_cvode(problem, tolerance, end, 1);
      best = std::min(best, result.seconds);
    }
    print_row("sundials-cvode", tolerance, result.steps, best,
              problem.attitude_error(convert<DoubleDouble>(result.final.attitude), DoubleDouble(end)));
  }
}

}  // namespace

int main() {
  try {
    const BenchProblem problem = water_molecule();
    fmt::print("method,step_or_tolerance,steps,nanoseconds,attitude_error\n");
    for (const char* name : {"exact", "dmv4", "dmv6", "dmv8", "dmv10", "frb-quaternion", "mr", "rk4"})
      print_method(name, problem);
    for (const std::string& name : stepping_libraries()) print_other_library(name, problem);
    if (has_cvode()) print_cvode(problem);
    return 0;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "work_precision: %s\n", e.what());
    return 1;
  }
}
