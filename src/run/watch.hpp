// A run watched: rows at times of one's own, and events.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "run/simulation.hpp"

namespace polhode::program {

/// A number that is watched for a change of its sign: rising (direction 1), falling (-1) or both (0). A terminal one ends the
/// run.
struct WatchedEvent {
  std::string name;  ///< for messages and tables
  std::function<double(double time, const Snapshot& snapshot)> function;
  int direction = 0;
  bool terminal = false;
};

struct Watch {
  std::vector<double> times{};  ///< of the rows, in the order of the run; none: rows at the samples
  std::vector<WatchedEvent> events{};

  bool is_empty() const { return times.empty() && events.empty(); }
};

/// An event where it happened.
struct SeenEvent {
  std::size_t event = 0;  ///< its place among the events
  double time = 0.0;
  Snapshot snapshot{};
};

/// Looks through the steps of a simulation for events, one step after the other. Changes of sign are seen at the ends of
/// steps: two within one are not.
class EventSearch {
 public:
  /// Throws MotionError if a function is not finite at the beginning, and what a function throws.
  EventSearch(const Simulation& simulation, const std::vector<WatchedEvent>& events);

  /// The events of the step from the simulation's state, in their order, up to the first terminal one; `end` is what there is
  /// to see at its end, `length` the step. Nothing moves.
  std::vector<SeenEvent> in_step(const Simulation& begin, double length, const Snapshot& end);

  bool is_terminal(const SeenEvent& seen) const { return (*events_)[seen.event].terminal; }

 private:
  double value_of(std::size_t event, double time, const Snapshot& snapshot) const;

  const std::vector<WatchedEvent>* events_;
  std::vector<double> values_;  ///< at the end of the last step
};

}  // namespace polhode::program
