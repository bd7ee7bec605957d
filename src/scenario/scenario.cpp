#include "scenario/scenario.hpp"

#include <algorithm>
#include <cmath>

#include "scenario/error.hpp"
#include "text/text.hpp"

namespace polhode::program {

namespace {

const std::vector<std::string> table_names{"system", "body",   "torque", "state",
                                           "method", "output", "event",  "ensemble"};

/// Refuses what is not one of the tables, before anything else is complained about.
Document examined(Document document) {
  if (document.root.empty())
    throw ScenarioError(document.name, "",
                        "is empty: a scenario has the tables [system], [state] and [method]");
  for (const Entry& e : document.root)
    if (std::find(table_names.begin(), table_names.end(), e.key) == table_names.end())
      throw ScenarioError(
          document.source_of(e.key), e.key,
          filled("there is no such {}{}", std::holds_alternative<Table>(e.value.content) ? "table" : "key",
                 suggestion(e.key, table_names)));
  return document;
}

}  // namespace

Scenario::Scenario(Document document)
    : document_(examined(std::move(document))),
      system_(document_, "system"),
      state_(document_, "state"),
      method_(document_, "method"),
      output_(document_, "output"),
      bodies_(Section::tables_of(document_, "body")),
      torques_(Section::tables_of(document_, "torque")),
      events_(Section::tables_of(document_, "event")),
      kind_(system_.string("kind")),
      method_name_(method_.string("name")) {
  if (find(document_.root, "ensemble") != nullptr)
    warn("[ensemble] is not looked at: this is one run; polhode ensemble makes many of it");
}

const std::vector<std::string>& Scenario::common_method_keys() {
  static const std::vector<std::string> keys{"name", "step", "steps", "duration"};
  return keys;
}

void Scenario::read_steps() {
  const bool step = method_.has("step"), steps = method_.has("steps"), duration = method_.has("duration");
  if (step && steps && duration)
    method_.fail("duration", "steps and duration are both given: leave one of them out, or step");
  if (!step && steps && duration) return read_divided_duration();
  step_ = method_.number("step");
  if (step_ == 0.0) method_.fail("step", "must not be zero");
  if (steps) {
    read_number_of_steps();
  } else if (duration) {
    const double whole_time = read_duration();
    if (step_ < 0.0) method_.fail("duration", "needs a positive step; give steps to go backwards in time");
    const double ratio = whole_time / step_;
    if (!(ratio < 0x1p62)) method_.fail("duration", "there are too many steps in it");
    const double whole = std::nearbyint(ratio);
    if (!(whole >= 1.0) || !(std::abs(ratio - whole) <= 1e-9 * whole))
      method_.fail("duration", filled("must be a whole number of steps, but duration/step is {}", ratio));
    steps_ = static_cast<std::int64_t>(whole);
    method_.note("steps", {steps_});
  } else {
    method_.fail("steps", "is missing: give steps or duration");
  }
  if (!std::isfinite(static_cast<double>(steps_) * step_))
    method_.fail("step", "steps times step is too large a time");
}

void Scenario::read_number_of_steps() {
  steps_ = method_.integer("steps");
  if (steps_ <= 0) method_.fail("steps", filled("must be positive, not {}", steps_));
}

double Scenario::read_duration() {
  Section copy = method_;  // not noted: step and steps stand for it, and the text must be a scenario again
  const double duration = copy.number("duration");
  if (!(duration > 0.0))
    method_.fail("duration", "must be positive, not " + description(method_.value("duration")));
  return duration;
}

void Scenario::read_divided_duration() {
  const double duration = read_duration();
  method_.note("step", {duration});  // its place; its value follows
  read_number_of_steps();
  step_ = duration / static_cast<double>(steps_);
  if (step_ == 0.0) method_.fail("duration", "there are too many steps in it");
  method_.note("step", {step_});
}

std::string Scenario::text() const {
  std::string text = system_.text();
  for (const Section& body : bodies_) text += "\n" + body.text("[[body]]");
  for (const Section& torque : torques_) text += "\n" + torque.text("[[torque]]");
  text += "\n" + state_.text() + "\n" + method_.text();
  if (!output_.noted().empty()) text += "\n" + output_.text();
  for (const Section& event : events_) text += "\n" + event.text("[[event]]");
  return text;
}

}  // namespace polhode::program
