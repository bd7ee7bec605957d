#include "recording.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace polhode::python {

using program::Ending;
using program::Quantity;

Columns::Columns(std::vector<Quantity> quantities, std::int64_t rows) : quantities_(std::move(quantities)) {
  for (const Quantity& q : quantities_) {
    Shape shape{static_cast<py::ssize_t>(rows)};
    if (q.size > 1) shape.push_back(static_cast<py::ssize_t>(q.size));
    arrays_.emplace_back(shape);
    next_.push_back(arrays_.back().mutable_data());
  }
}

void Columns::record(std::span<const double> row) {
  const double* from = row.data();
  for (std::size_t i = 0; i < quantities_.size(); ++i) {
    next_[i] = std::copy_n(from, quantities_[i].size, next_[i]);
    from += quantities_[i].size;
  }
  ++rows_;
}

py::dict Columns::arrays() const {
  py::dict result;
  for (std::size_t i = 0; i < quantities_.size(); ++i) {
    const bool full = arrays_[i].shape(0) == rows_;
    result[py::str(quantities_[i].name)] =
        full ? py::object(arrays_[i]) : py::object(arrays_[i][py::slice(0, rows_, 1)]).attr("copy")();
  }
  return result;
}

void Pulse::took(std::int64_t steps) { left_ -= steps; }

void Pulse::reset() {
  constexpr double wanted = 0.01;
  const Clock::time_point now = Clock::now();
  const double spent = std::max(1e-9, std::chrono::duration<double>(now - last_).count());
  const double ratio = std::clamp(wanted / spent, 0.125, 4.0);
  planned_ = std::max<std::int64_t>(1, static_cast<std::int64_t>(ratio * static_cast<double>(planned_)));
  left_ = planned_;
  last_ = now;
}

RecordedRun::RecordedRun(program::Simulation& simulation, Columns& columns, const RunPlan& plan)
    : simulation_(simulation), columns_(columns), plan_(plan) {}

void RecordedRun::carry_out() {
  std::optional<py::gil_scoped_release> released;
  if (!plan_.calls_python) released.emplace();
  simulation_.look(now_);
  initial_ = now_.invariants;
  record();
  try {
    while (done_ < plan_.steps) {
      const std::int64_t missing = plan_.every - done_ % plan_.every;
      advance_to(missing > plan_.steps - done_ ? plan_.steps : done_ + missing);
      if (!look()) {
        ending_ = Ending::diverged;
        return;
      }
      record();
    }
  } catch (...) {
    ending_ = Ending::stopped;
    // The end of the last step may need the function that failed.
    if (!record_last() && before_.steps < done_ && restore_last()) record_last();
    throw;
  }
}

/// Whether the present state could be looked at; a function that fails here must not hide why the run stopped.
bool RecordedRun::record_last() {
  try {
    if (look()) record();
    return true;
  } catch (const std::exception&) {
    return false;
  }
}

/// Back by one step, which may call the function that failed too.
bool RecordedRun::restore_last() {
  try {
    simulation_.restore(before_);
    done_ = before_.steps;
    return true;
  } catch (const std::exception&) {
    return false;
  }
}

void RecordedRun::advance_to(std::int64_t target) {
  while (done_ < target) {
    const std::int64_t piece = plan_.calls_python ? 1 : std::min(target - done_, pulse_.steps());
    program::Checkpoint start;
    if (plan_.calls_python) start = simulation_.save();
    try {
      simulation_.advance(piece);
    } catch (const MotionError&) {
      if (piece > 1) retrace();
      throw;
    }
    done_ += piece;
    if (plan_.calls_python) before_ = std::move(start);
    pulse_.took(piece);
    if (pulse_.due()) {
      check_signals();
      pulse_.reset();
    }
  }
}

/// A piece that failed has not moved: go on to the step before the failing one.
void RecordedRun::retrace() {
  for (;;) {
    simulation_.advance(1);
    ++done_;
  }
}

void RecordedRun::check_signals() {
  const auto check = [] {
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
  };
  if (plan_.calls_python) return check();
  const py::gil_scoped_acquire acquired;
  check();
}

bool RecordedRun::look() {
  simulation_.look(now_);
  constraint_max_ = std::max(constraint_max_, now_.constraint);
  return std::all_of(now_.state.begin(), now_.state.end(), [](double x) { return std::isfinite(x); });
}

void RecordedRun::record() {
  if (recorded_ == done_) return;
  recorded_ = done_;
  row_.assign(1, simulation_.time());
  row_.insert(row_.end(), now_.state.begin(), now_.state.end());
  for (std::size_t i = 0; i < initial_.size(); ++i)
    row_.push_back(static_cast<double>(now_.invariants[i] - initial_[i]));
  row_.insert(row_.end(), now_.derived.begin(), now_.derived.end());
  columns_.record(row_);
  if (plan_.also != nullptr) plan_.also->record(row_);
}

}  // namespace polhode::python
