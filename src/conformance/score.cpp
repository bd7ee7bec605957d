#include "conformance/score.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "conformance/kit.hpp"
#include "conformance/verdict.hpp"
#include "text/json.hpp"
#include "text/text.hpp"

namespace polhode::program {

namespace {

Measured measured(const GivenState& s) {
  Measured m{&s, 0, 0, 0, 0, kit_sensitivity(*s.body, s.time)};
  if (!s.finite()) {
    m.attitude = m.energy = m.momentum = m.omega = std::numeric_limits<double>::infinity();
    return m;
  }
  const KitPoint exact = kit_point(*s.body, s.time);
  const Matrix<double> tensor = s.body->tensor();
  const Vector<double> before = tensor * s.body->omega, after = tensor * s.omega;
  m.attitude = angle_between(exact.attitude, s.attitude);
  const double energy = dot(before, s.body->omega), size = norm(before), speed = norm(s.body->omega);
  // At rest there is nothing to relate to.
  m.energy = (dot(after, s.omega) - energy) / (energy > 0 ? energy : 1);
  m.momentum = norm(rotate(s.attitude, after) - rotate(s.body->attitude, before)) / (size > 0 ? size : 1);
  m.omega = norm(s.omega - exact.omega) / (speed > 0 ? speed : 1);
  return m;
}

ErrorScore error_score(const std::vector<const Measured*>& rows, double Measured::*error) {
  ErrorScore result;
  std::vector<double> values;
  int above = 0;
  for (const Measured* m : rows) {
    const double e = m->*error;
    if (m->state->body->kind != "rest") {
      values.push_back(std::abs(e));
      above += e > 0 ? 1 : e < 0 ? -1 : 0;
    }
    if (result.body.empty() || std::abs(e) > std::abs(result.worst)) {
      result.worst = e;
      result.body = std::string(m->state->body->name);
    }
  }
  if (values.empty()) return result;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  result.median = above < 0 ? -*middle : *middle;
  return result;
}

/// The median of the orders that errors of the same body and time show between neighbouring frequencies, where they are small enough to
/// have one and large enough not to be rounding.
double observed_order(const std::vector<Measured>& rows, double Measured::*error, double rounding) {
  std::map<std::pair<const KitBody*, int>, std::map<double, double>> errors;
  bool all_rounding = true;
  for (const Measured& m : rows) {
    // A spin about an axis, or nearly so, shows the order of the attitude's formula alone.
    const std::string_view kind = m.state->body->kind;
    if (kind == "rest" || kind == "axis" || kind == "near-axis" || kind == "sphere") continue;
    errors[{m.state->body, m.state->time}][m.state->frequency] = m.*error;
    if (!(m.*error < 100 * rounding * m.sensitivity)) all_rounding = false;
  }
  if (all_rounding) return 0;
  std::vector<double> orders;
  for (const auto& [key, series] : errors) {
    const double floor = 300 * rounding * kit_sensitivity(*key.first, key.second);
    for (auto coarse = series.begin(), fine = coarse; coarse != series.end(); ++coarse) {
      fine = std::next(coarse);
      if (fine == series.end()) break;
      if (!(coarse->second < 0.1) || !(fine->second > floor)) continue;
      orders.push_back(std::log(coarse->second / fine->second) / std::log(fine->first / coarse->first));
    }
  }
  if (orders.size() < 3) return std::numeric_limits<double>::quiet_NaN();
  const auto middle = orders.begin() + static_cast<std::ptrdiff_t>(orders.size() / 2);
  std::nth_element(orders.begin(), middle, orders.end());
  return *middle;
}

std::string scientific(double x) { return std::isfinite(x) ? rounded("%.1e", x) : "not finite"; }

Json json_of(const ErrorScore& e) {
  return Json::object({{"median", e.median}, {"worst", e.worst}, {"body", e.body}});
}

std::vector<Json> json_list(const std::vector<std::string>& texts) { return {texts.begin(), texts.end()}; }

}  // namespace

ConformanceScore score(const GivenStates& states) {
  ConformanceScore result;
  result.single_precision = states.single_precision;
  std::vector<Measured> rows;
  for (const GivenState& s : states.rows) rows.push_back(measured(s));
  std::map<double, std::vector<const Measured*>> by_frequency;
  for (const Measured& m : rows) by_frequency[m.state->frequency].push_back(&m);
  for (auto& [frequency, list] : by_frequency) {
    int last = 0;
    for (const Measured* m : list) last = std::max(last, m->state->time);
    std::erase_if(list, [&](const Measured* m) { return m->state->time != last; });
    result.frequencies.push_back({frequency, last, list.size(), error_score(list, &Measured::attitude),
                                  error_score(list, &Measured::energy),
                                  error_score(list, &Measured::momentum),
                                  error_score(list, &Measured::omega)});
  }
  double worst = -1;
  for (const Measured* m : by_frequency.begin()->second)
    if (m->attitude / m->sensitivity > worst) {
      worst = m->attitude / m->sensitivity;
      result.worst_body = std::string(m->state->body->name);
    }
  for (const KitBody& b : kit_bodies())
    if (std::none_of(rows.begin(), rows.end(), [&](const Measured& m) { return m.state->body == &b; }))
      result.missing.emplace_back(b.name);
  // A step adds one rounding error or a few; ten thousand steps are a hundred of them, at random.
  const double rounding = states.single_precision ? 1e-6 : 2e-15;
  result.order = observed_order(rows, &Measured::attitude, rounding);
  result.omega_order = observed_order(rows, &Measured::omega, rounding);
  result.recognition = recognize(states);
  result.verdicts = verdicts(result, by_frequency.begin()->second);
  return result;
}

std::string score_text(const ConformanceScore& s) {
  std::string text =
      "frequency  bodies  attitude (rad): median, worst                 energy: median, worst"
      "                         momentum: median, worst\n";
  const auto cell = [](const ErrorScore& e) {
    return left(scientific(e.median), 9) + left(scientific(e.worst) + " " + e.body, 31);
  };
  for (const FrequencyScore& f : s.frequencies)
    text += right(rounded("%.6g", f.frequency), 9) + right(std::to_string(f.bodies), 8) + "  " +
            cell(f.attitude) + "     " + cell(f.energy) + "  " + scientific(f.momentum.median) + "  " +
            scientific(f.momentum.worst) + " " + f.momentum.body + "\n";
  if (!s.missing.empty()) text += "not given: " + joined(s.missing) + "\n";
  text += "\n";
  for (const std::string& v : s.verdicts) text += "- " + v + "\n";
  return text;
}

std::string score_json(const ConformanceScore& s) {
  std::vector<Json> frequencies;
  for (const FrequencyScore& f : s.frequencies)
    frequencies.push_back(Json::object({{"frequency", f.frequency},
                                        {"time", f.time},
                                        {"bodies", static_cast<std::int64_t>(f.bodies)},
                                        {"attitude_error", json_of(f.attitude)},
                                        {"energy_error", json_of(f.energy)},
                                        {"momentum_error", json_of(f.momentum)},
                                        {"omega_error", json_of(f.omega)}}));
  const Recognition& r = s.recognition;
  return Json::object({{"frequencies", Json::array(frequencies)},
                       {"order", s.order},
                       {"omega_order", s.omega_order},
                       {"single_precision", s.single_precision},
                       {"worst_body", s.worst_body},
                       {"missing", Json::array(json_list(s.missing))},
                       {"velocity", r.velocity},
                       {"attitude", r.attitude},
                       {"verdicts", Json::array(json_list(s.verdicts))}})
             .text() +
         "\n";
}

}  // namespace polhode::program
