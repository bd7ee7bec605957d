#include "run/runner.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iterator>
#include <limits>
#include <new>
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
      // A NaN stays: no number is better than a wrong one.
      if (std::isnan(size) || size > error.max) error.max = size;
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

/// When to look: at every sample, and at the end.
class Schedule {
 public:
  explicit Schedule(const RunOptions& o)
      : steps_(o.steps),
        samples_(std::min(o.samples, o.steps)),
        interval_(o.every > 0 ? o.every : default_interval(o.steps)) {}

  std::int64_t next(std::int64_t done) const {
    if (samples_ > 0) return std::min(steps_, place(sample_before(done) + 1));
    // Intervals near the largest integer must not overflow.
    const std::int64_t missing = interval_ - done % interval_;
    return missing > steps_ - done ? steps_ : done + missing;
  }

 private:
  std::int64_t place(std::int64_t k) const { return sample_step(steps_, samples_, k); }
  /// The largest k whose place is not beyond these steps.
  std::int64_t sample_before(std::int64_t done) const {
    auto k = static_cast<std::int64_t>(static_cast<double>(done) / static_cast<double>(steps_) *
                                       static_cast<double>(samples_));
    while (place(k) > done) --k;
    while (k < samples_ && place(k + 1) <= done) ++k;
    return k;
  }

  std::int64_t steps_, samples_, interval_;
};

bool is_finite(const Snapshot& s) {
  return std::all_of(s.state.begin(), s.state.end(), [](double x) { return std::isfinite(x); });
}

class Run {
 public:
  Run(Simulation& simulation, const RunOptions& options)
      : simulation_(simulation), options_(options), schedule_(options) {
    if (options.alone) progress_.emplace(options.title);
  }

  RunResult carry_out() {
    try {
      if (!prepare()) result_.ending = Ending::interrupted;
    } catch (const MotionError& e) {
      stop(e.what());
    }
    if (result_.ending != Ending::completed) {
      try {
        look();
      } catch (const MotionError&) {
        // Where the preparation failed there may be nothing to see; the reason is known.
      }
      return finished();
    }
    if (options_.alone) meter_.emplace(simulation_, options_.steps);
    look();
    tracker_.emplace(simulation_.description(), result_.last);
    sample();
    if (!begin_to_watch()) return finished();
    while (done_ < options_.steps && result_.ending == Ending::completed) {
      const std::int64_t target = schedule_.next(done_);
      try {
        if (!one_by_one()) before_ = simulation_.save();
        while (done_ < target && !InterruptGuard::interrupted() && result_.ending == Ending::completed)
          move_towards(target);
        if (done_ < target && result_.ending == Ending::completed) result_.ending = Ending::interrupted;
        look();
        if (done_ == options_.steps && options_.advanced) options_.advanced(1.0);
      } catch (const MotionError& e) {
        stop(e.what());
        one_by_one() ? go_back() : go_as_far_as_possible(target);
      } catch (const std::bad_alloc&) {
        if (!options_.alone) throw;  // it says nothing of this motion: all of the work fails
        stop("there is not enough memory");
        go_back();
      } catch (const std::exception& e) {
        stop(e.what());
        go_back();
      }
      if (is_finite(result_.last)) {
        sample();
      } else {
        result_.ending = Ending::diverged;
      }
    }
    return finished();
  }

 private:
  /// What comes before the beginning; false if it was interrupted.
  bool prepare() {
    const std::int64_t all = simulation_.preparation();
    if (all == 0) return true;
    constexpr std::int64_t piece = 10;
    std::optional<Progress> progress;
    if (options_.alone) progress.emplace(options_.title + ": preparation");
    while (simulation_.preparation() > 0) {
      if (InterruptGuard::interrupted()) return false;
      simulation_.prepare(std::min(piece, simulation_.preparation()));
      if (progress)
        progress->update(1.0 - static_cast<double>(simulation_.preparation()) / static_cast<double>(all));
      if (options_.advanced) options_.advanced(0.0);
    }
    return true;
  }

  bool one_by_one() const { return options_.one_by_one || options_.watch != nullptr; }
  bool has_times() const { return options_.watch != nullptr && !options_.watch->times.empty(); }

  /// The rows at the beginning and the values of the events there; false if one of these cannot be had.
  bool begin_to_watch() {
    if (options_.watch == nullptr) return true;
    try {
      search_.emplace(simulation_, options_.watch->events);
      keep_times_up_to(0.0, simulation_.time());
      return true;
    } catch (const std::exception& e) {
      stop(e.what());
      return false;
    }
  }

  /// The rows of the times from here to `end`, which is so far away. The last ones may lie beyond the end of the run by as much as
  /// read_watch forgives.
  void keep_times_up_to(double length, double end, bool is_last = false) {
    const std::vector<double>& times = options_.watch->times;
    const double step = simulation_.description().step, sign = step < 0.0 ? -1.0 : 1.0;
    // A rounding error of the time is no step of its own.
    const double least = 4e-16 * std::max(std::abs(end), std::abs(step));
    const double beyond = is_last ? std::numeric_limits<double>::infinity() : least;
    for (; next_time_ < times.size() && sign * (times[next_time_] - end) <= beyond; ++next_time_) {
      const double ahead = times[next_time_] - simulation_.time();
      simulation_.look_ahead(std::abs(ahead - length) <= least ? length : ahead, between_);
      keep(times[next_time_], between_);
    }
  }

  /// One step with its events and the times in it.
  void move_watched() {
    const double length = simulation_.description().step;
    std::vector<std::byte> start = simulation_.save();
    meter_ ? meter_->advance(1) : simulation_.advance(1);
    look();
    const std::vector<std::byte> end = simulation_.save();
    const double end_time = simulation_.time();
    simulation_.restore(start);
    std::vector<SeenEvent> seen = search_->in_step(simulation_, length, result_.last);
    const bool ends = !seen.empty() && search_->is_terminal(seen.back());
    const double reached = ends ? seen.back().time : end_time;
    keep_times_up_to(reached - simulation_.time(), reached, !ends && done_ + 1 == options_.steps);
    if (ends) {
      simulation_.advance_by(reached - simulation_.time());
      result_.ending = Ending::event;
    } else {
      simulation_.restore(end);
    }
    std::ranges::move(seen, std::back_inserter(result_.events));
    before_ = std::move(start);
    ++done_;
    if (progress_) progress_->update(static_cast<double>(done_) / static_cast<double>(options_.steps));
    if (options_.advanced)
      options_.advanced(static_cast<double>(done_) / static_cast<double>(options_.steps));
  }

  /// A piece of the way: short enough that a signal is noticed and the progress is seen.
  void move_towards(std::int64_t target) {
    if (options_.watch != nullptr) return move_watched();
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
    constexpr auto longest = std::chrono::milliseconds(10);
    const std::int64_t piece = options_.one_by_one ? 1 : std::min(target - done_, pace_);
    if (options_.one_by_one) {
      std::vector<std::byte> start = simulation_.save();
      simulation_.advance(piece);
      before_ = std::move(start);
    } else {
      simulation_.advance(piece);
    }
    done_ += piece;
    since_pulse_ += piece;
    if (since_pulse_ < pace_) return;
    since_pulse_ = 0;
    const auto now = std::chrono::steady_clock::now();
    const auto spent = now - pulse_;
    pulse_ = now;
    if (2 * spent < longest && pace_ < largest_pace) pace_ *= 2;
    if (spent > longest && pace_ > 1) pace_ /= 2;
    if (options_.advanced)
      options_.advanced(static_cast<double>(done_) / static_cast<double>(options_.steps));
  }

  void stop(const std::string& reason) {
    result_.ending = Ending::stopped;
    result_.failure = reason;
    result_.exception = std::current_exception();
  }

  /// To the last step that can be looked at: a function that fails now must not hide why the run stopped.
  void go_back() {
    try {
      done_ = simulation_.steps() - first_;
      look();
    } catch (const std::exception&) {
      try {
        simulation_.restore(before_);
        done_ = simulation_.steps() - first_;
        look();
      } catch (const std::exception&) {
        // What was seen last stays.
      }
    }
  }

  /// From the last look to the step before the one that cannot be taken, so that nothing of the motion is lost and
  /// the complaint is about the first failure.
  void go_as_far_as_possible(std::int64_t target) {
    std::vector<std::byte> good = before_;
    simulation_.restore(good);
    std::int64_t reached = simulation_.steps() - first_;
    for (std::int64_t piece = target - reached; piece > 0;) {
      simulation_.restore(good);
      try {
        simulation_.advance(std::min(piece, target - reached));
        simulation_.look(next_);
        good = simulation_.save();
        reached = simulation_.steps() - first_;
        if (reached == target) break;
      } catch (const MotionError& e) {
        result_.failure = e.what();
        result_.exception = std::current_exception();
        piece /= 2;
      }
    }
    simulation_.restore(good);
    done_ = reached;
    look();
  }

  void look() {
    const auto start = std::chrono::steady_clock::now();
    simulation_.look(next_);  // which may fail half-way
    std::swap(result_.last, next_);
    seen_ = done_;
    result_.seconds_of_samples +=
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }

  /// What was looked at, once for each step.
  void sample() {
    if (done_ == sampled_ || done_ != seen_) return;
    sampled_ = done_;
    if (!has_times()) keep(simulation_.time(), result_.last);
  }

  void keep(double time, const Snapshot& seen) {
    ++result_.samples;
    tracker_->update(seen);
    if (options_.recorder == nullptr) return;
    row_.assign(1, time);
    row_.insert(row_.end(), seen.state.begin(), seen.state.end());
    for (const InvariantError& e : tracker_->errors()) row_.insert(row_.end(), e.last.begin(), e.last.end());
    row_.insert(row_.end(), seen.derived.begin(), seen.derived.end());
    options_.recorder->record(row_);
  }

  RunResult finished() {
    result_.steps = done_;
    result_.time = simulation_.time();
    if (tracker_) {
      result_.errors = tracker_->errors();
      result_.constraint_max = tracker_->constraint_max();
    }
    result_.seconds_per_step = meter_ ? meter_->seconds_per_step() : 0.0;
    result_.evaluations = simulation_.evaluations();
    return std::move(result_);
  }

  Simulation& simulation_;
  const RunOptions& options_;
  Schedule schedule_;
  RunResult result_;
  Snapshot next_, between_;
  std::optional<EventSearch> search_;
  std::size_t next_time_ = 0;  // of the watch
  std::optional<ErrorTracker> tracker_;
  std::optional<Meter> meter_;
  std::optional<Progress> progress_;
  std::vector<double> row_;
  std::vector<std::byte> before_;  // the last look, or the step before the last one by one
  std::int64_t first_ = simulation_.steps();
  std::int64_t done_ = 0;
  std::int64_t seen_ = -1, sampled_ = -1;  // the steps of the last look and of the last sample
  std::int64_t metered_ = 0;               // the steps up to here were timed in a rehearsal
  static constexpr std::int64_t largest_pace = std::int64_t{1} << 40;
  std::int64_t pace_ = 16, since_pulse_ = 0;  // the steps of a piece, where there is no meter
  std::chrono::steady_clock::time_point pulse_ = std::chrono::steady_clock::now();
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
