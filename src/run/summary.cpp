#include "run/summary.hpp"

#include <cmath>
#include <limits>
#include <span>

#include "text/json.hpp"
#include "text/text.hpp"

namespace polhode::program {

namespace {

/// Calls visit(quantity, its numbers) for each quantity of the layout that a summary has.
template <class F>
void for_each(const std::vector<Quantity>& layout, std::span<const double> numbers, F visit) {
  for (const Quantity& q : layout) {
    if (q.summary) visit(q, numbers.first(q.size));
    numbers = numbers.subspan(q.size);
  }
}

double size_of(const std::vector<double>& v) {
  double size = 0.0;
  for (const double x : v) size = std::hypot(size, x);
  return size;
}

Json scheme_json(const SchemeFigures& s) {
  const double unknown = std::numeric_limits<double>::quiet_NaN();
  return Json::object({{"order", s.order},
                       {"nystrom", s.nystrom},
                       {"stages", s.stages},
                       {"effective_error", s.effective_error.value_or(unknown)},
                       {"effective_error_nystrom", s.effective_error_nystrom.value_or(unknown)}});
}

std::string scheme_text(const SchemeFigures& s) {
  std::string text =
      filled("order {}{}, {} kicks", s.order, s.effective_error_nystrom ? "" : " or higher", s.stages);
  if (s.effective_error) text += filled(", effective error {}", rounded("%.4g", *s.effective_error));
  if (s.effective_error_nystrom)
    text += filled(" ({} with quadratic kinetic energy)", rounded("%.4g", *s.effective_error_nystrom));
  return text;
}

/// The numbers of a snapshot, by name.
std::vector<Json::Member> numbers_json(const Description& d, const Snapshot& snapshot) {
  std::vector<Json::Member> members;
  const auto add = [&](const Quantity& q, std::span<const double> numbers) {
    members.emplace_back(q.name, q.is_number() ? Json(numbers[0]) : Json(numbers));
  };
  for_each(d.state, snapshot.state, add);
  for_each(d.derived, snapshot.derived, add);
  return members;
}

Json events_json(const Description& d, const RunResult& r, const Watch& watch) {
  std::vector<Json> events;
  for (const SeenEvent& seen : r.events) {
    std::vector<Json::Member> members{{"event", static_cast<std::int64_t>(seen.event + 1)},
                                      {"name", watch.events[seen.event].name},
                                      {"time", seen.time}};
    for (Json::Member& member : numbers_json(d, seen.snapshot)) members.push_back(std::move(member));
    events.push_back(Json::object(members));
  }
  return Json::array(events);
}

/// A line for each of the first events, and how many there are.
std::string events_text(const RunResult& r, const Watch& watch) {
  constexpr std::size_t shown = 20;
  std::string text;
  for (std::size_t i = 0; i < r.events.size() && i < shown; ++i)
    text += left(i == 0 ? "events" : "", 18) + right(number(r.events[i].time), 25) + "  " +
            watch.events[r.events[i].event].name + '\n';
  if (watch.events.empty()) return text;
  if (r.events.empty()) return left("events", 18) + "none\n";
  if (r.events.size() > shown) text += left("", 18) + filled("and {} more\n", r.events.size() - shown);
  if (r.ending == Ending::event) text += left("", 18) + "the last of them ended the run\n";
  return text;
}

double seconds(const RunResult& r) { return r.seconds_per_step * static_cast<double>(r.steps); }

}  // namespace

std::string summary_json(const Description& d, const RunResult& r, const std::vector<std::string>& warnings,
                         const Watch& watch) {
  std::vector<Json::Member> last, errors;
  last = numbers_json(d, r.last);
  for (const InvariantError& e : r.errors)
    errors.emplace_back(
        e.quantity.name,
        Json::object(
            {{"final", e.last.size() == 1 ? Json(e.last[0]) : Json(std::span(e.last))}, {"max", e.max}}));
  errors.emplace_back("constraint", Json::object({{"max", r.constraint_max}}));
  std::vector<Json::Member> members{
      {"system", d.system},
      {"method", d.method},
      {"step", d.step},
      {"steps", r.steps},
      {"time", r.time},
      {"final", Json::object(last)},
      {"errors", Json::object(errors)},
      {"cost", Json::object({{"seconds", seconds(r)},
                             {"ns_per_step", 1e9 * r.seconds_per_step},
                             {"force_evaluations", r.evaluations.force},
                             {"constraint_evaluations", r.evaluations.constraint},
                             {"samples", r.samples},
                             {"sampling_seconds", r.seconds_of_samples}})},
      {"warnings", Json::array({warnings.begin(), warnings.end()})}};
  if (!watch.events.empty()) members.emplace_back("events", events_json(d, r, watch));
  if (d.scheme) members.insert(members.begin() + 2, {"scheme", scheme_json(*d.scheme)});
  return Json::object(members).text() + "\n";
}

std::string summary_text(const Description& d, const RunResult& r, const std::vector<std::string>& warnings,
                         const Watch& watch) {
  std::vector<std::string> remarks;
  if (!d.details.empty()) remarks.push_back(d.details);
  if (d.compensated) remarks.emplace_back("compensated");
  std::string text =
      filled("{}, {}{}: {} steps of {}, to time {}\n", d.system, d.method,
             remarks.empty() ? std::string() : filled(" ({})", joined(remarks)), r.steps, d.step, r.time);
  if (d.scheme) text += left("scheme", 18) + scheme_text(*d.scheme) + '\n';
  const auto add = [&](const Quantity& q, std::span<const double> numbers) {
    text += left(q.name, 18);
    for (const double x : numbers) text += right(number(x), 25);
    text += '\n';
  };
  for_each(d.state, r.last.state, add);
  for_each(d.derived, r.last.derived, add);
  const auto add_row = [&](std::string_view name, std::string_view last, std::string_view largest) {
    text += left(name, 18) + right(last, 25) + right(largest, 25) + '\n';
  };
  if (!r.errors.empty() || r.constraint_max > 0.0) add_row("errors", "final", "largest");
  for (const InvariantError& e : r.errors)
    add_row(e.quantity.name, number(e.last.size() == 1 ? e.last[0] : size_of(e.last)), number(e.max));
  if (r.constraint_max > 0.0) add_row("constraint", "", number(r.constraint_max));
  text += events_text(r, watch);
  text += left("cost", 18) + rounded("%.3g", seconds(r)) + " s, " +
          rounded("%.1f", 1e9 * r.seconds_per_step) + " ns a step\n";
  for (const std::string& w : warnings) text += "warning: " + w + '\n';
  return text;
}

}  // namespace polhode::program
