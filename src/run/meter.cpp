#include "run/meter.hpp"

#include <algorithm>

#include "polhode/error.hpp"

namespace polhode::program {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

double cost_of_clock() {
  double least = 1.0;
  for (int i = 0; i < 100; ++i) {
    const auto start = Clock::now();
    least = std::min(least, seconds_since(start));
  }
  return least;
}

}  // namespace

Meter::Meter(Simulation& simulation, std::int64_t limit)
    : simulation_(&simulation), clock_cost_(cost_of_clock()) {
  constexpr double enough = 100e-6;
  const std::vector<std::byte> start = simulation.save();
  std::int64_t taken = 0;
  for (std::int64_t count = 1; taken < limit; count *= 2) {
    const std::int64_t now = std::min(count, limit - taken);
    double spent = 0.0;
    try {
      spent = time_of(now);
    } catch (const MotionError&) {
      break;  // the run itself will come to it
    }
    estimate_ = spent / static_cast<double>(now);
    taken += now;
    if (spent > enough) break;
  }
  simulation.restore(start);
}

void Meter::rehearse(std::int64_t count) {
  const std::vector<std::byte> start = simulation_->save();
  try {
    advance(count);
  } catch (const MotionError&) {
    // They lie ahead; the caller may not want to go so far.
  }
  simulation_->restore(start);
}

double Meter::time_of(std::int64_t count) {
  const auto start = Clock::now();
  simulation_->advance(count);
  return std::max(0.0, seconds_since(start) - clock_cost_);
}

std::int64_t Meter::steps_in(double seconds) const {
  const double each = std::max(seconds_per_step(), 1e-10);
  return static_cast<std::int64_t>(std::clamp(seconds / each, 1.0, 1e15));
}

}  // namespace polhode::program
