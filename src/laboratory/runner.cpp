#include "laboratory/runner.hpp"

#include <algorithm>
#include <cmath>

#include "laboratory/interrupt.hpp"
#include "laboratory/meter.hpp"
#include "laboratory/progress.hpp"
#include "polhode/body/error.hpp"

namespace polhode::laboratory {

namespace {

/// Follows the invariants away from their initial values.
class ErrorTracker {
 public:
  ErrorTracker(const Description& description, const Snapshot& initial) : initial_(initial.invariants) {
    for (const Quantity& q : description.invariants) errors_.push_back({q, std::vector<double>(q.size), 0.0});
  }

  void update(const Snapshot& now) {
    std::size_t i = 0;
    for (InvariantError& error : errors_) {
      double size = 0.0;
      for (double& x : error.last) {
        x = static_cast<double>(now.invariants[i] - initial_[i]);
        size = std::hypot(size, x);
        ++i;
      }
      if (!(size <= error.max)) error.max = size;  // a NaN stays: no number is better than a wrong one
    }
    constraint_max_ = std::max(constraint_max_, now.constraint);
  }

  const std::vector<InvariantError>& errors() const { return errors_; }
  double constraint_max() const { return constraint_max_; }

 private:
  std::vector<DoubleDouble> initial_;
  std::vector<InvariantError> errors_;
  double constraint_max_ = 0.0;
};

/// When to look: at every row, at a thousand places at least, and at the end.
class Schedule {
 public:
  Schedule(std::int64_t steps, std::int64_t every)
      : steps_(steps), row_(every > 0 ? every : default_interval(steps)), look_(default_interval(steps)) {
    if (row_ <= look_) look_ = row_;
  }
  std::int64_t next(std::int64_t done) const {
    return std::min({steps_, following(done, row_), following(done, look_)});
  }
  bool is_row(std::int64_t done) const { return done == steps_ || done % row_ == 0; }

 private:
  /// The next multiple of the interval; intervals near the largest integer must not overflow.
  std::int64_t following(std::int64_t done, std::int64_t interval) const {
    const std::int64_t missing = interval - done % interval;
    return missing > steps_ - done ? steps_ : done + missing;
  }

  std::int64_t steps_, row_, look_;
};

bool is_finite(const Snapshot& s) {
  return std::all_of(s.state.begin(), s.state.end(), [](double x) { return std::isfinite(x); });
}

class Run {
 public:
  Run(Simulation& simulation, const RunOptions& options)
      : simulation_(simulation),
        options_(options),
        schedule_(options.steps, options.every),
        meter_(simulation, options.steps),
        tracker_(simulation.description(), simulation.look()),
        progress_(options.title) {}

  RunResult carry_out() {
    RunResult result;
    simulation_.look(result.last);
    tracker_.update(result.last);
    record(result.last);
    while (done_ < options_.steps && result.ending == Ending::completed) {
      const std::int64_t target = schedule_.next(done_);
      const Checkpoint before = simulation_.save();
      try {
        while (done_ < target && !InterruptGuard::interrupted()) move_towards(target);
        if (done_ < target) result.ending = Ending::interrupted;
        simulation_.look(result.last);
      } catch (const MotionError&) {
        result.ending = Ending::stopped;
        go_as_far_as_possible(before, target, result);
      }
      if (is_finite(result.last)) {
        tracker_.update(result.last);
        if (schedule_.is_row(done_) || result.ending != Ending::completed) record(result.last);
      } else {
        result.ending = Ending::diverged;
      }
    }
    result.steps = done_;
    result.time = simulation_.time();
    result.errors = tracker_.errors();
    result.constraint_max = tracker_.constraint_max();
    result.seconds_per_step = meter_.seconds_per_step();
    result.evaluations = simulation_.evaluations();
    return result;
  }

 private:
  /// A piece of the way: short enough that a signal is noticed and the progress is seen.
  void move_towards(std::int64_t target) {
    constexpr double longest = 0.05, shortest_to_time = 20e-6, rehearsal = 500e-6;
    std::int64_t piece = std::min(target - done_, meter_.steps_in(longest));
    if (done_ >= metered_ && piece < meter_.steps_in(shortest_to_time)) {
      const std::int64_t count = std::min(options_.steps - done_, meter_.steps_in(rehearsal));
      meter_.rehearse(count);
      metered_ = done_ + count;
    }
    if (done_ < metered_) {
      piece = std::min(piece, metered_ - done_);
      simulation_.advance(piece);
    } else {
      meter_.advance(piece);
    }
    done_ += piece;
    progress_.update(static_cast<double>(done_) / static_cast<double>(options_.steps));
  }

  /// From the last look to the step before the one that cannot be taken, so that nothing of the motion is lost and
  /// the complaint is about the first failure.
  void go_as_far_as_possible(Checkpoint good, std::int64_t target, RunResult& result) {
    std::int64_t piece = target - good.steps;
    while (piece > 0) {
      simulation_.restore(good);
      try {
        simulation_.advance(std::min(piece, target - good.steps));
        simulation_.look(result.last);
        good = simulation_.save();
        if (good.steps == target) break;
      } catch (const MotionError& e) {
        result.failure = e.what();
        piece /= 2;
      }
    }
    simulation_.restore(good);
    simulation_.look(result.last);
    done_ = good.steps;
  }

  void record(const Snapshot& snapshot) {
    // An interrupt may come right after a row.
    if (options_.recorder == nullptr || done_ == recorded_) return;
    recorded_ = done_;
    row_.assign(1, simulation_.time());
    row_.insert(row_.end(), snapshot.state.begin(), snapshot.state.end());
    for (const InvariantError& e : tracker_.errors()) row_.insert(row_.end(), e.last.begin(), e.last.end());
    row_.insert(row_.end(), snapshot.derived.begin(), snapshot.derived.end());
    options_.recorder->record(row_);
  }

  Simulation& simulation_;
  const RunOptions& options_;
  Schedule schedule_;
  Meter meter_;
  ErrorTracker tracker_;
  Progress progress_;
  std::vector<double> row_;
  std::int64_t done_ = 0;
  std::int64_t recorded_ = -1;
  std::int64_t metered_ = 0;  // the steps up to here were timed in a rehearsal
};

}  // namespace

std::int64_t default_interval(std::int64_t steps) { return std::max<std::int64_t>(1, steps / 1000); }

std::vector<Quantity> recorded_quantities(const Description& description) {
  std::vector<Quantity> result{{"t", 1, 1, "time, user's units"}};
  result.insert(result.end(), description.state.begin(), description.state.end());
  for (const Quantity& q : description.invariants)
    result.push_back({q.name + "_error", q.size, q.first_index, q.meaning + ", minus its initial value"});
  // Last, so that programs which read columns by their number find the old ones where they were.
  result.insert(result.end(), description.derived.begin(), description.derived.end());
  return result;
}

RunResult run(Simulation& simulation, const RunOptions& options) {
  return Run(simulation, options).carry_out();
}

}  // namespace polhode::laboratory
