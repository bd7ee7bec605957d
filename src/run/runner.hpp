// Running a simulation: steps, looks, errors, time.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "run/simulation.hpp"
#include "run/watch.hpp"

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
  std::int64_t every =
      0;  ///< steps between samples, which are the rows of the recorder; 0: default_interval(steps)
  Recorder* recorder = nullptr;
  std::string title;  ///< of the progress line
  /// Where it is positive, it counts instead of `every`: the samples after the first, at most one a step. Sample k is that
  /// of sample_step(steps, samples, k), the same part of the way for runs of any number of steps.
  std::int64_t samples = 0;
  /// Whether the steps are timed and the progress is shown; not where this run is one of many at the same time.
  bool alone = true;
  /// Whether each step is a call of its own: it may call a user's function, which is to be called no more than needed, and
  /// the step before one that fails is to be found without taking steps again.
  bool one_by_one = false;
  /// Times of one's own and events, or null; the simulation is free then. Each step is a call of its own.
  const Watch* watch = nullptr;
  /// Told now and then which part of the steps is done. What it throws stops the run after the last step.
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
  stopped,      ///< a step could not be taken; all is well up to the one before
  event         ///< a terminal event; the simulation is there
};

struct RunResult {
  Ending ending = Ending::completed;
  std::int64_t steps = 0;  ///< that were taken
  double time = 0.0;
  std::string failure;           ///< why it stopped, if it did
  std::exception_ptr exception;  ///< the same as it was thrown
  Snapshot last;                 ///< of the last step
  std::vector<SeenEvent> events{};
  std::vector<InvariantError> errors;
  double constraint_max = 0.0;
  std::int64_t samples = 0;         ///< that were looked at
  double seconds_per_step = 0.0;    ///< without the looks; 0 if not timed
  double seconds_of_samples = 0.0;  ///< of the looks
  EvaluationCounts evaluations;
};

/// The steps between two samples of a run without a wish: at least a thousand samples, or one after each step.
std::int64_t default_interval(std::int64_t steps);

/// The step of sample k of `samples`, which is at most `steps`.
std::int64_t sample_step(std::int64_t steps, std::int64_t samples, std::int64_t k);

/// Runs from the simulation's present state. Memory does not grow with the number of steps. What a step or a look throws
/// ends the run; it is in the result.
RunResult run(Simulation& simulation, const RunOptions& options);

}  // namespace polhode::program
