// Running a simulation: steps, looks, errors, time.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "run/simulation.hpp"

namespace polhode::program {

/// Receives the samples of a run that are to be kept.
class Recorder {
 public:
  Recorder() = default;
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;
  virtual ~Recorder() = default;

  /// One row: the time, the state, the errors of the invariants, what follows from the state, in the order of
  /// recorded_quantities().
  virtual void record(std::span<const double> row) = 0;
};

/// What a row consists of.
std::vector<Quantity> recorded_quantities(const Description& description);

struct RunOptions {
  std::int64_t steps = 0;
  std::int64_t every = 0;  ///< steps between rows; 0: a thousand rows a run
  Recorder* recorder = nullptr;
  std::string title;  ///< of the progress line
  /// Where it is positive, it counts instead of `every`: the rows after the first, at most one a step. Row k is that of
  /// sample_step(steps, samples, k), the same part of the way for runs of any number of steps.
  std::int64_t samples = 0;
  /// Whether the steps are timed and the progress is shown; not where this run is one of many at the same time.
  bool alone = true;
  /// Told now and then which part of the steps is done.
  std::function<void(double)> advanced{};
};

/// The error of one invariant: its value minus its initial value.
struct InvariantError {
  Quantity quantity;
  std::vector<double> last;  ///< at the end
  double max = 0.0;          ///< the largest size at any sample
};

enum class Ending {
  completed,
  interrupted,  ///< by a signal; all is well up to the last step
  diverged,     ///< the state is not finite any more
  stopped       ///< a step could not be taken; all is well up to the one before
};

struct RunResult {
  Ending ending = Ending::completed;
  std::int64_t steps = 0;  ///< that were taken
  double time = 0.0;
  std::string failure;  ///< why it stopped, if it did
  Snapshot last;        ///< of the last step
  std::vector<InvariantError> errors;
  double constraint_max = 0.0;
  double seconds_per_step = 0.0;  ///< without the looks; 0 if not timed
  Evaluations evaluations;
};

/// The steps between two looks of a run without a wish: at least a thousand looks, or one after each step.
std::int64_t default_interval(std::int64_t steps);

/// The step of row k of `samples`, which is at most `steps`.
std::int64_t sample_step(std::int64_t steps, std::int64_t samples, std::int64_t k);

/// Runs from the simulation's present state. Memory does not grow with the number of steps.
RunResult run(Simulation& simulation, const RunOptions& options);

}  // namespace polhode::program
