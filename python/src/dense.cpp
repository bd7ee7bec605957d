#include "dense.hpp"

#include <algorithm>
#include <cmath>

#include "columns.hpp"
#include "signals.hpp"
#include "text/text.hpp"

namespace polhode::python {

DenseMotion::DenseMotion(std::shared_ptr<program::Simulation> simulation, program::Recorder* also)
    : simulation_(std::move(simulation)), also_(also) {
  if (!simulation_->is_free())
    throw InputError("dense: the steps of " + simulation_->description().method + " have one length");
  marks_.push_back({simulation_->time(), simulation_->save()});
}

void DenseMotion::record(std::span<const double> row) {
  if (simulation_->time() != marks_.back().time) marks_.push_back({simulation_->time(), simulation_->save()});
  also_->record(row);
}

void DenseMotion::finish() {
  also_ = nullptr;
  end_ = simulation_->time();
}

py::dict DenseMotion::at(const py::object& times) {
  const Doubles given = doubles(times, "times");
  if (given.ndim() > 1)
    throw InputError("times must be a number or have the shape (n,), not " + text(shape_of(given)));
  const program::Description& description = simulation_->description();
  std::vector<program::Quantity> quantities{{"t", 1, 1, "time, user's units"}};
  for (const auto* list : {&description.state, &description.derived})
    quantities.insert(quantities.end(), list->begin(), list->end());
  Columns columns(quantities, given.size(), nullptr);
  program::Snapshot seen;
  std::vector<double> row;
  SignalWatch watch;
  for (py::ssize_t i = 0; i < given.size(); ++i) {
    const double time = given.data()[i];
    look_at(time, seen);
    watch.look();
    row.assign(1, time);
    row.insert(row.end(), seen.state.begin(), seen.state.end());
    row.insert(row.end(), seen.derived.begin(), seen.derived.end());
    columns.record(row);
  }
  return columns.arrays();
}

void DenseMotion::look_at(double time, program::Snapshot& seen) {
  const double begin = marks_.front().time;
  if (!(time >= std::min(begin, end_) && time <= std::max(begin, end_)))
    throw InputError(
        program::filled("the time {} is outside of the run, which goes from {} to {}", time, begin, end_));
  const double step = simulation_->description().step;
  const bool forward = step > 0.0;
  // The last mark that is not beyond the time; there is one.
  const auto after = std::partition_point(marks_.begin(), marks_.end(), [&](const Mark& mark) {
    return forward ? mark.time <= time : mark.time >= time;
  });
  const Mark& mark = *std::prev(after);
  simulation_->restore(mark.bytes);
  const auto whole = static_cast<std::int64_t>(std::floor((time - mark.time) / step));
  if (whole > 0) simulation_->advance(whole);
  simulation_->look_ahead(time - simulation_->time(), seen);
}

}  // namespace polhode::python
