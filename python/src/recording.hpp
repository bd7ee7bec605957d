// A run of a simulation into NumPy arrays.
#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "arrays.hpp"
#include "output/output.hpp"
#include "run/runner.hpp"

namespace polhode::python {

/// The rows of a run as one array for each quantity, allocated at once: recording needs no GIL.
class Columns final : public program::Recorder {
 public:
  Columns(std::vector<program::Quantity> quantities, std::int64_t rows);

  void record(std::span<const double> row) override;

  /// {name: array}, as long as there are rows.
  py::dict arrays() const;
  const std::vector<program::Quantity>& quantities() const { return quantities_; }

 private:
  std::vector<program::Quantity> quantities_;
  std::vector<Doubles> arrays_;
  std::vector<double*> next_;
  std::int64_t rows_ = 0;
};

/// Whether it is time to let Python see its signals: about every ten milliseconds, by the steps that they hold.
class Pulse {
 public:
  /// The steps until the next look at the clock.
  std::int64_t steps() const { return left_; }
  void took(std::int64_t steps);
  bool due() const { return left_ <= 0; }
  void reset();

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point last_ = Clock::now();
  std::int64_t planned_ = 64, left_ = 64;
};

struct RunPlan {
  std::int64_t steps = 0;
  std::int64_t every = 0;
  program::Recorder* also = nullptr;  ///< receives the same rows
  bool calls_python = false;          ///< then the GIL is held, and every step is a call of its own
};

/// The counterpart of program::run() inside of Python: no rehearsal for the time of a step, since a user's torque may
/// well count its calls, and signals are Python's. The bits are the same: it does not matter how steps are divided.
class RecordedRun {
 public:
  RecordedRun(program::Simulation& simulation, Columns& columns, const RunPlan& plan);

  /// Throws what a step threw, or what Python's signals raise. What was reached before is recorded then, to the last step.
  void carry_out();

  program::Ending ending() const { return ending_; }
  std::int64_t done() const { return done_; }
  double constraint_max() const { return constraint_max_; }

 private:
  void advance_to(std::int64_t target);
  void retrace();
  void check_signals();
  bool look();
  bool record_last();
  bool restore_last();
  void record();

  program::Simulation& simulation_;
  Columns& columns_;
  RunPlan plan_;
  program::Snapshot now_;
  program::Checkpoint before_;  // the last step, if it calls Python
  std::vector<DoubleDouble> initial_;
  std::vector<double> row_;
  Pulse pulse_;
  program::Ending ending_ = program::Ending::completed;
  std::int64_t done_ = 0, recorded_ = -1;
  double constraint_max_ = 0.0;
};

}  // namespace polhode::python
