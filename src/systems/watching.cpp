#include "systems/watching.hpp"

#include <cmath>
#include <optional>

#include "text/text.hpp"

namespace polhode::program {

namespace {

/// A number of a snapshot.
struct Place {
  bool in_state = true;
  std::size_t at = 0;

  double operator()(const Snapshot& snapshot) const {
    return (in_state ? snapshot.state : snapshot.derived)[at];
  }
};

/// The names are those of the columns of a CSV file: pitch, angular_velocity_3.
std::optional<Place> place_of(const Description& description, const std::string& name,
                              std::vector<std::string>& names) {
  for (const bool in_state : {true, false}) {
    std::size_t at = 0;
    for (const Quantity& q : in_state ? description.state : description.derived) {
      for (std::size_t i = 0; i < q.size; ++i, ++at) {
        names.push_back(q.size == 1 ? q.name : filled("{}_{}", q.name, q.first_index + static_cast<int>(i)));
        if (names.back() == name) return Place{in_state, at};
      }
    }
  }
  return std::nullopt;
}

WatchedEvent read_event(Section& section, const Description& description) {
  section.allow({"quantity", "value", "direction", "terminal"});
  const std::string name = section.string("quantity");
  std::vector<std::string> names;
  const std::optional<Place> place = place_of(description, name, names);
  if (!place) section.fail("quantity", "there is no quantity " + in_quotes(name) + suggestion(name, names));
  const double value = section.number_or("value", 0.0);
  const std::int64_t direction = section.integer_or("direction", -1, 0);
  if (direction > 1) section.fail("direction", filled("must be -1, 0 or 1, not {}", direction));
  const bool terminal = section.has("terminal") && section.boolean("terminal");
  return {filled("{} = {}", name, value),
          [place = *place, value](double, const Snapshot& snapshot) { return place(snapshot) - value; },
          static_cast<int>(direction), terminal};
}

std::vector<double> read_times(Scenario& scenario, double start) {
  Section& output = scenario.output();
  output.allow({"times"});
  if (!output.has("times")) return {};
  const std::vector<double> times = output.numbers("times");
  const double step = scenario.step(), sign = step < 0.0 ? -1.0 : 1.0;
  const double end = start + static_cast<double>(scenario.steps()) * step;
  // Times that were added up miss the end by their rounding errors; the number of steps is counted with the same care.
  const double least = std::max(4e-16 * std::abs(end), 1e-9 * std::abs(step));
  double last = start;
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (sign * (times[i] - last) < 0.0)
      output.fail("times",
                  filled("entry [{}] is {}: times begin at {} and go on in the direction of the steps", i,
                         times[i], start));
    if (sign * (times[i] - end) > least)
      output.fail("times", filled("entry [{}] is {}: the run ends at {}", i, times[i], end));
    last = times[i];
  }
  return times;
}

}  // namespace

Watch read_watch(Scenario& scenario, const Simulation& simulation) {
  Watch watch{read_times(scenario, simulation.time()), {}};
  for (Section& event : scenario.events())
    watch.events.push_back(read_event(event, simulation.description()));
  if (!watch.is_empty() && !simulation.is_free())
    scenario.method().fail("name", filled("the steps of {} have one length: times between them, and events, "
                                          "need a method whose steps may have any",
                                          in_quotes(scenario.method_name())));
  return watch;
}

}  // namespace polhode::program
