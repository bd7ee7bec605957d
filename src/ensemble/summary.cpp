#include "ensemble/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "output/output.hpp"
#include "text/json.hpp"
#include "text/text.hpp"

namespace polhode::program {

namespace {

constexpr std::size_t members_in_table = 32, failures_in_words = 3;

/// Calls visit(invariant's index, component, column of the row) for each component of each error.
template <class Visit>
void for_each_error(const EnsembleLayout& layout, Visit&& visit) {
  const auto& invariants = layout.description.invariants;
  std::size_t column = 0;
  for (const Quantity& q : layout.row) {
    for (std::size_t i = 0; i < invariants.size(); ++i)
      if (q.name == invariants[i].name + "_error")
        for (std::size_t j = 0; j < q.size; ++j) visit(i, j, column + j);
    column += q.size;
  }
}

/// A NaN stays: no number is better than a wrong one.
double larger(double a, double b) { return b <= a ? a : b; }

std::string with_members(std::size_t count) {
  return fmt::format("{} member{}", count, count == 1 ? "" : "s");
}

std::vector<std::string> warnings_of(const EnsemblePlan& plan, const EnsembleLayout& layout,
                                     const EnsembleSummary& s) {
  std::vector<std::string> result = layout.warnings;
  const std::size_t failed = plan.members() - s.completed;
  if (failed == 0) return result;
  result.push_back(
      fmt::format("{} of {} did not come to the end; the statistics have them as far as they came", failed,
                  with_members(plan.members())));
  for (const std::string& failure : s.failures) result.push_back(failure);
  if (failed > s.failures.size()) result.push_back(fmt::format("and {} more", failed - s.failures.size()));
  return result;
}

std::string method_of(const EnsemblePlan& plan, const EnsembleLayout& layout) {
  return plan.varies("method.name") ? "several methods" : layout.description.method;
}

/// Six digits tell the members of a small ensemble apart.
std::string brief_value(const Value& v) {
  if (const auto* const real = std::get_if<double>(&v.content)) return fmt::format("{:.6g}", *real);
  const auto* const array = std::get_if<Array>(&v.content);
  if (array == nullptr) return toml_text(v);
  std::vector<std::string> parts;
  for (const Value& entry : *array) parts.push_back(brief_value(entry));
  return fmt::format("[{}]", fmt::join(parts, ", "));
}

std::string brief_number(double x) { return std::isnan(x) ? "-" : fmt::format("{:.4g}", x); }

}  // namespace

double ErrorOverMembers::mean_to_rms() const {
  return end.rms > 0.0 ? std::abs(end.mean) / end.rms : not_a_number;
}

EnsembleSummarizer::EnsembleSummarizer(const EnsemblePlan& plan, const EnsembleLayout& layout)
    : plan_(&plan), layout_(&layout) {
  found_.max.resize(layout.description.invariants.size());
}

void EnsembleSummarizer::add(std::size_t member, const MemberRecord& record) {
  const auto ending = static_cast<Ending>(static_cast<int>(record.ending()));
  if (ending == Ending::completed) {
    ++found_.completed;
  } else if (found_.failures.size() < failures_in_words) {
    found_.failures.push_back(fmt::format(
        "member {} ({}) {} after step {}{}", member, plan_->values_text(member), ending_text(ending),
        static_cast<std::int64_t>(record.steps()), record.failure().empty() ? "" : ": " + record.failure()));
  }
  for (std::size_t i = 0; i < found_.max.size(); ++i)
    found_.max[i] = larger(found_.max[i], record.largest()[i]);
  found_.constraint_max = std::max(found_.constraint_max, record.constraint());
  if (times_.empty() && ending == Ending::completed)
    for (std::size_t k = 0; k < layout_->rows(); ++k) times_.push_back(record.row(k)[0]);
  if (plan_->members() <= members_in_table) {
    std::vector<double> sizes(found_.max.size());
    for_each_error(*layout_, [&](std::size_t i, std::size_t, std::size_t column) {
      sizes[i] = std::hypot(sizes[i], record.last()[column]);
    });
    found_.table.push_back(sizes);
  }
}

EnsembleSummary EnsembleSummarizer::summary(const EnsembleStatistics& statistics) const {
  EnsembleSummary result = found_;
  const bool timed = layout_->one_clock && !times_.empty();
  result.time = timed ? times_.back() : not_a_number;
  for_each_error(*layout_, [&](std::size_t i, std::size_t component, std::size_t column) {
    const Quantity& q = layout_->description.invariants[i];
    ErrorOverMembers error;
    error.name =
        q.size == 1 ? q.name : fmt::format("{}_{}", q.name, static_cast<int>(component) + q.first_index);
    error.end = statistics(layout_->rows() - 1, column);
    error.largest = larger(std::abs(error.end.min), std::abs(error.end.max));
    std::vector<double> rms;
    for (std::size_t k = 0; k < layout_->rows(); ++k) rms.push_back(statistics(k, column).rms);
    error.growth = timed && result.completed > 1 ? growth_of(times_, rms) : not_a_number;
    result.errors.push_back(std::move(error));
  });
  return result;
}

std::string ensemble_text(const EnsemblePlan& plan, const EnsembleLayout& layout, const EnsembleSummary& s) {
  const Description& d = layout.description;
  std::string text =
      fmt::format("{}, {}: {}", d.system, method_of(plan, layout), with_members(plan.members()));
  if (layout.steps > 0) text += fmt::format(" of {} steps", layout.steps);
  if (!std::isnan(s.time)) text += fmt::format(", to time {}", s.time);
  text += fmt::format(", {} samples each\n", layout.rows());
  for (const Variation& v : plan.variations())
    text += fmt::format("{:<20}{}: {}\n", "varied", v.key().text(), v.distribution());
  if (!s.errors.empty()) {
    text += fmt::format("{:<20}{:>12}{:>12}{:>12}{:>12}{:>12}{:>12}\n", "errors at the end", "mean",
                        "deviation", "rms", "|mean|/rms", "largest", "growth");
    for (const ErrorOverMembers& e : s.errors)
      text += fmt::format("{:<20}{:>12}{:>12}{:>12}{:>12}{:>12}{:>12}\n", e.name, brief_number(e.end.mean),
                          brief_number(e.end.deviation), brief_number(e.end.rms),
                          brief_number(e.mean_to_rms()), brief_number(e.largest),
                          std::isnan(e.growth) ? "-" : fmt::format("t^{:.2f}", e.growth));
  }
  if (s.constraint_max > 0.0)
    text += fmt::format("{:<20}{:>60}\n", "constraint", brief_number(s.constraint_max));
  if (!s.table.empty() && !s.errors.empty()) {
    text += fmt::format("{:<20}", "member");
    for (const Quantity& q : d.invariants) text += fmt::format("{:>20}", q.name);
    text += "  varied\n";
    for (std::size_t i = 0; i < s.table.size(); ++i) {
      text += fmt::format("{:<20}", i);
      for (const double x : s.table[i]) text += fmt::format("{:>20}", brief_number(x));
      std::vector<std::string> parts;
      for (const Variation& v : plan.variations())
        parts.push_back(fmt::format("{} = {}", v.key().text(), brief_value(plan.value(v, i))));
      text += fmt::format("  {}\n", joined(parts));
    }
  }
  for (const std::string& w : warnings_of(plan, layout, s)) text += "warning: " + w + '\n';
  return text;
}

std::string ensemble_json(const EnsemblePlan& plan, const EnsembleLayout& layout, const EnsembleSummary& s) {
  const Description& d = layout.description;
  std::vector<Json> varied;
  for (const Variation& v : plan.variations()) varied.emplace_back(v.key().text());
  std::vector<Json::Member> errors;
  for (const ErrorOverMembers& e : s.errors)
    errors.emplace_back(e.name, Json::object({{"mean", e.end.mean},
                                              {"deviation", e.end.deviation},
                                              {"rms", e.end.rms},
                                              {"mean_to_rms", e.mean_to_rms()},
                                              {"largest", e.largest},
                                              {"growth", e.growth}}));
  std::vector<Json::Member> max;
  for (std::size_t i = 0; i < s.max.size(); ++i) max.emplace_back(d.invariants[i].name, s.max[i]);
  max.emplace_back("constraint", s.constraint_max);
  const auto warnings = warnings_of(plan, layout, s);
  return Json::object({{"system", d.system},
                       {"method", method_of(plan, layout)},
                       {"members", static_cast<std::int64_t>(plan.members())},
                       {"completed", static_cast<std::int64_t>(s.completed)},
                       {"seed", plan.seed()},
                       {"samples", static_cast<std::int64_t>(layout.rows())},
                       {"time", s.time},
                       {"varied", Json::array(varied)},
                       {"errors", Json::object(errors)},
                       {"max", Json::object(max)},
                       {"warnings", Json::array({warnings.begin(), warnings.end()})}})
             .text() +
         "\n";
}

}  // namespace polhode::program
