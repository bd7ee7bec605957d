#include "run/runner.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>

#include "polhode/error.hpp"
#include "run/interrupt.hpp"
#include "run/meter.hpp"
#include "run/progress.hpp"

namespace polhode::program {

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
  explicit Schedule(const RunOptions& o)
      : steps_(o.steps),
        samples_(std::min(o.samples, o.steps)),
        row_(o.every > 0 ? o.every : default_interval(o.steps)),
        look_(default_interval(o.steps)) {
    if (samples_ > 0) row_ = (steps_ - 1) / samples_ + 1;  // the longest distance of two rows
    if (row_ <= look_) look_ = samples_ > 0 ? steps_ : row_;
  }
  std::int64_t next(std::int64_t done) const {
    return std::min({steps_, next_row(done), following(done, look_)});
  }
  bool is_row(std::int64_t done) const {
    return done == steps_ || (samples_ > 0 ? place(sample_before(done)) == done : done % row_ == 0);
  }

 private:
  std::int64_t next_row(std::int64_t done) const {
    return samples_ > 0 ? place(sample_before(done) + 1) : following(done, row_);
  }
  /// The next multiple of the interval; intervals near the largest integer must not overflow.
  std::int64_t following(std::int64_t done, std::int64_t interval) const {
    const std::int64_t missing = interval - done % interval;
    return missing > steps_ - done ? steps_ : done + missing;
  }
  std::int64_t place(std::int64_t k) const { return sample_step(steps_, samples_, k); }
  /// The largest k whose place is not beyond these steps.
  std::int64_t sample_before(std::int64_t done) const {
    auto k = static_cast<std::int64_t>(static_cast<double>(done) / static_cast<double>(steps_) *
                                       static_cast<double>(samples_));
    while (place(k) > done) --k;
    while (k < samples_ && place(k + 1) <= done) ++k;
    return k;
  }

  std::int64_t steps_, samples_, row_, look_;
};

bool is_finite(const Snapshot& s) {
  return std::all_of(s.state.begin(), s.state.end(), [](double x) { return std::isfinite(x); });
}

class Run {
 public:
  Run(Simulation& simulation, const RunOptions& options)
      : simulation_(simulation),
        options_(options),
        schedule_(options),
        tracker_(simulation.description(), simulation.look()) {
    if (!options.alone) return;
    meter_.emplace(simulation, options.steps);
    progress_.emplace(options.title);
  }

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
    result.seconds_per_step = meter_ ? meter_->seconds_per_step() : 0.0;
    result.evaluations = simulation_.evaluations();
    return result;
  }

 private:
  /// A piece of the way: short enough that a signal is noticed and the progress is seen.
  void move_towards(std::int64_t target) {
    if (!meter_) return move_untimed(target);
    constexpr double longest = 0.05, shortest_to_time = 20e-6, rehearsal = 500e-6;
    std::int64_t piece = std::min(target - done_, meter_->steps_in(longest));
    if (done_ >= metered_ && piece < meter_->steps_in(shortest_to_time)) {
      const std::int64_t count = std::min(options_.steps - done_, meter_->steps_in(rehearsal));
      meter_->rehearse(count);
      metered_ = done_ + count;
    }
    if (done_ < metered_) {
      piece = std::min(piece, metered_ - done_);
      simulation_.advance(piece);
    } else {
      meter_->advance(piece);
    }
    done_ += piece;
    progress_->update(static_cast<double>(done_) / static_cast<double>(options_.steps));
  }

  void move_untimed(std::int64_t target) {
    constexpr auto longest = std::chrono::milliseconds(50);
    const std::int64_t piece = std::min(target - done_, pace_);
    const auto start = std::chrono::steady_clock::now();
    simulation_.advance(piece);
    const auto spent = std::chrono::steady_clock::now() - start;
    if (piece == pace_ && 2 * spent < longest && pace_ < largest_pace) pace_ *= 2;
    if (spent > longest && pace_ > 1) pace_ /= 2;
    done_ += piece;
    if (options_.advanced)
      options_.advanced(static_cast<double>(done_) / static_cast<double>(options_.steps));
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
  ErrorTracker tracker_;
  std::optional<Meter> meter_;
  std::optional<Progress> progress_;
  std::vector<double> row_;
  std::int64_t done_ = 0;
  std::int64_t recorded_ = -1;
  std::int64_t metered_ = 0;  // the steps up to here were timed in a rehearsal
  static constexpr std::int64_t largest_pace = std::int64_t{1} << 40;
  std::int64_t pace_ = 16;  // the steps of a piece, where there is no meter
};

}  // namespace

std::int64_t default_interval(std::int64_t steps) { return std::max<std::int64_t>(1, steps / 1000); }

std::int64_t sample_step(std::int64_t steps, std::int64_t samples, std::int64_t k) {
  return k * (steps / samples) +
         k * (steps % samples) / samples;  // floor(k steps / samples): k steps may be too large
}

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

}  // namespace polhode::program
