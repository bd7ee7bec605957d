// The time that steps take, and nothing else.
#pragma once

#include <chrono>
#include <cstdint>

#include "run/simulation.hpp"

namespace polhode::program {

/// Steps a simulation and adds up the time of the steps. Reading the clock costs as much as a step does; it is read
/// around many steps only, and its own cost is subtracted.
class Meter {
 public:
  /// Takes some steps and puts the simulation back: fills the caches, and gives a first estimate of a step's time.
  /// No more than `limit` steps, and none that cannot be taken.
  Meter(Simulation& simulation, std::int64_t limit);

  /// Timed steps.
  void advance(std::int64_t count) {
    const double spent = time_of(count);
    seconds_ += spent;
    steps_ += count;
  }

  /// The same, but the simulation is put back: the caller takes these steps again, one look after the other,
  /// and need not time them. Steps that cannot be taken are left to the caller.
  void rehearse(std::int64_t count);

  std::int64_t steps() const { return steps_; }
  double seconds_per_step() const { return steps_ == 0 ? estimate_ : seconds_ / static_cast<double>(steps_); }

  /// About how many steps the given time holds; at least one.
  std::int64_t steps_in(double seconds) const;

 private:
  double time_of(std::int64_t count);

  Simulation* simulation_;
  double clock_cost_;
  double estimate_ = 0.0;
  double seconds_ = 0.0;
  std::int64_t steps_ = 0;
};

}  // namespace polhode::program
