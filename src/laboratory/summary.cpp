#include "laboratory/summary.hpp"

#include <fmt/format.h>

#include <cmath>
#include <span>

#include "laboratory/json.hpp"
#include "laboratory/text.hpp"

namespace polhode::laboratory {

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

double seconds(const RunResult& r) { return r.seconds_per_step * static_cast<double>(r.steps); }

}  // namespace

std::string summary_json(const Description& d, const RunResult& r, const std::vector<std::string>& warnings) {
  std::vector<Json::Member> last, errors;
  const auto add = [&](const Quantity& q, std::span<const double> numbers) {
    last.emplace_back(q.name, q.size == 1 ? Json(numbers[0]) : Json(numbers));
  };
  for_each(d.state, r.last.state, add);
  for_each(d.derived, r.last.derived, add);
  for (const InvariantError& e : r.errors)
    errors.emplace_back(
        e.quantity.name,
        Json::object(
            {{"final", e.last.size() == 1 ? Json(e.last[0]) : Json(std::span(e.last))}, {"max", e.max}}));
  errors.emplace_back("constraint", Json::object({{"max", r.constraint_max}}));
  return Json::object({{"system", d.system},
                       {"method", d.method},
                       {"step", d.step},
                       {"steps", r.steps},
                       {"time", r.time},
                       {"final", Json::object(last)},
                       {"errors", Json::object(errors)},
                       {"cost", Json::object({{"seconds", seconds(r)},
                                              {"ns_per_step", 1e9 * r.seconds_per_step},
                                              {"force_evaluations", r.evaluations.force},
                                              {"constraint_evaluations", r.evaluations.constraint}})},
                       {"warnings", Json::array({warnings.begin(), warnings.end()})}})
             .text() +
         "\n";
}

std::string summary_text(const Description& d, const RunResult& r, const std::vector<std::string>& warnings) {
  std::vector<std::string> remarks;
  if (!d.details.empty()) remarks.push_back(d.details);
  if (d.compensated) remarks.emplace_back("compensated");
  std::string text =
      fmt::format("{}, {}{}: {} steps of {}, to time {}\n", d.system, d.method,
                  remarks.empty() ? "" : fmt::format(" ({})", joined(remarks)), r.steps, d.step, r.time);
  const auto add = [&](const Quantity& q, std::span<const double> numbers) {
    text += fmt::format("{:<18}", q.name);
    for (const double x : numbers) text += fmt::format("{:>25}", x);
    text += '\n';
  };
  for_each(d.state, r.last.state, add);
  for_each(d.derived, r.last.derived, add);
  text += fmt::format("{:<18}{:>25}{:>25}\n", "errors", "final", "largest");
  for (const InvariantError& e : r.errors)
    text += fmt::format("{:<18}{:>25}{:>25}\n", e.quantity.name,
                        e.last.size() == 1 ? e.last[0] : size_of(e.last), e.max);
  if (r.constraint_max > 0.0) text += fmt::format("{:<18}{:>25}{:>25}\n", "constraint", "", r.constraint_max);
  text += fmt::format("{:<18}{:.3g} s, {:.1f} ns a step\n", "cost", seconds(r), 1e9 * r.seconds_per_step);
  for (const std::string& w : warnings) text += "warning: " + w + '\n';
  return text;
}

}  // namespace polhode::laboratory
