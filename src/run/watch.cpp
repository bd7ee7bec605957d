#include "run/watch.hpp"

#include <algorithm>
#include <cmath>

#include "polhode/error.hpp"
#include "polhode/stepping/looking.hpp"
#include "text/text.hpp"

namespace polhode::program {

EventSearch::EventSearch(const Simulation& simulation, const std::vector<WatchedEvent>& events)
    : events_(&events) {
  const Snapshot now = simulation.look();
  for (std::size_t i = 0; i < events.size(); ++i) values_.push_back(value_of(i, simulation.time(), now));
}

std::vector<SeenEvent> EventSearch::in_step(const Simulation& begin, double length, const Snapshot& end) {
  std::vector<double> next;
  std::vector<std::pair<double, std::size_t>> found;  // how far in the step, and which event
  Snapshot between;
  for (std::size_t i = 0; i < events_->size(); ++i) {
    const double old = values_[i], now = value_of(i, begin.time() + length, end);
    next.push_back(now);
    if (old == 0.0 || (now != 0.0 && (old < 0.0) == (now < 0.0))) continue;
    if ((*events_)[i].direction * (old < 0.0 ? 1 : -1) < 0) continue;
    found.emplace_back(core::detail::root_within(length, old, now,
                                                 [&](double ahead) {
                                                   if (ahead == length) return now;
                                                   begin.look_ahead(ahead, between);
                                                   return value_of(i, begin.time() + ahead, between);
                                                 }),
                       i);
  }
  values_ = std::move(next);
  std::ranges::stable_sort(
      found, [](const auto& a, const auto& b) { return std::abs(a.first) < std::abs(b.first); });
  std::vector<SeenEvent> result;
  for (const auto& [ahead, event] : found) {
    SeenEvent seen{event, begin.time() + ahead, {}};
    begin.look_ahead(ahead, seen.snapshot);
    result.push_back(std::move(seen));
    if ((*events_)[event].terminal) break;
  }
  return result;
}

double EventSearch::value_of(std::size_t event, double time, const Snapshot& snapshot) const {
  const double value = (*events_)[event].function(time, snapshot);
  if (!std::isfinite(value))
    throw MotionError(
        filled("the function of event {} at time {} is not a finite number", (*events_)[event].name, time));
  return value;
}

}  // namespace polhode::program
