#include "motion.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "input/toml.hpp"
#include "systems/registry.hpp"
#include "text/json.hpp"

namespace polhode::laboratory {

using namespace program;

namespace {

Json quantities_json(const std::vector<Quantity>& quantities) {
  std::vector<Json> result;
  for (const Quantity& q : quantities)
    result.push_back(Json::object({{"name", q.name},
                                   {"size", static_cast<std::int64_t>(q.size)},
                                   {"first", q.first_index},
                                   {"meaning", q.meaning}}));
  return Json::array(result);
}

Json body_json(const GivenBody& given) {
  std::vector<Json> axes;
  for (const auto& row : given.body.axes().rows)
    axes.emplace_back(std::span<const double>(convert<double>(row).c));
  return Json::object(
      {{"moments", std::span<const double>(given.body.moments().c)}, {"axes", Json::array(axes)}});
}

std::size_t sum_of_sizes(const std::vector<Quantity>& quantities) {
  std::size_t sum = 0;
  for (const Quantity& q : quantities) sum += q.size;
  return sum;
}

}  // namespace

Motion::Motion(std::string_view toml) {
  const Document document = parse_document(toml, "scenario", {});
  scenario_.emplace(document);
  simulation_ = build(*scenario_);
  simulation_->look(snapshot_);
  initial_ = snapshot_.invariants;
  saved_.emplace(0, simulation_->save());
  Scenario again(document);
  if (!again.system().has("inertia")) return;
  body_ = read_body(again);
  if (scenario_->kind() == "free-body") trajectory_.emplace(body_->body, read_state(again, *body_));
}

std::string Motion::description() const {
  const Description& d = simulation_->description();
  std::vector<double> initial;
  for (const DoubleDouble& x : initial_) initial.push_back(static_cast<double>(x));
  const std::vector<std::string>& warnings = scenario_->warnings();
  std::vector<Json::Member> members{{"system", d.system},
                                    {"method", d.method},
                                    {"details", d.details},
                                    {"compensated", d.compensated},
                                    {"step", d.step},
                                    {"steps", scenario_->steps()},
                                    {"state", quantities_json(d.state)},
                                    {"derived", quantities_json(d.derived)},
                                    {"invariants", quantities_json(d.invariants)},
                                    {"initial", std::span<const double>(initial)},
                                    {"closed_form", trajectory_.has_value()},
                                    {"warnings", Json::array({warnings.begin(), warnings.end()})},
                                    {"scenario", scenario_->text()}};
  if (body_) members.emplace_back("body", body_json(*body_));
  if (trajectory_) members.emplace_back("period", trajectory_->period());
  return Json::object(members).text();
}

std::size_t Motion::row_size() const {
  const Description& d = simulation_->description();
  return 2 + sum_of_sizes(d.state) + sum_of_sizes(d.derived) + initial_.size() + (trajectory_ ? 1 : 0);
}

void Motion::look(std::span<double> row) {
  simulation_->look(snapshot_);
  auto to = row.begin();
  *to++ = simulation_->time();
  to = std::copy(snapshot_.state.begin(), snapshot_.state.end(), to);
  to = std::copy(snapshot_.derived.begin(), snapshot_.derived.end(), to);
  for (std::size_t i = 0; i < initial_.size(); ++i)
    *to++ = static_cast<double>(snapshot_.invariants[i] - initial_[i]);
  *to++ = snapshot_.constraint;
  if (trajectory_) *to++ = angle_to_closed_form(std::span(snapshot_.state).subspan(3, 4));
}

/// The angle of the rotation between the two, in radians. The time is the product of step and number, unrounded: after a million
/// turns the rounding of a time is an angle that can be seen.
double Motion::angle_to_closed_form(std::span<const double> attitude) const {
  const DoubleDouble time =
      DoubleDouble::product(simulation_->description().step, static_cast<double>(simulation_->steps()));
  Quaternion<DoubleDouble> q;
  for (std::size_t i = 0; i < 4; ++i) q[i] = attitude[i];
  const Quaternion<DoubleDouble> difference = conjugate(trajectory_->wide_at(time).attitude) * q;
  const auto part = [&](std::size_t i) { return static_cast<double>(difference[i]); };
  return 2.0 * std::atan2(std::hypot(part(1), part(2), part(3)), std::abs(part(0)));
}

void Motion::advance(std::int64_t count) {
  constexpr std::size_t most = 256;
  while (count > 0) {
    const std::int64_t due = std::max<std::int64_t>(1, saved_.rbegin()->first + spacing_ - steps());
    const std::int64_t piece = std::min(count, due);
    simulation_->advance(piece);
    count -= piece;
    if (steps() < saved_.rbegin()->first + spacing_) continue;
    saved_.emplace(steps(), simulation_->save());
    if (saved_.size() < most) continue;
    spacing_ *= 2;
    for (auto it = saved_.begin(); it != saved_.end();)
      it = it->first % spacing_ == 0 ? std::next(it) : saved_.erase(it);
  }
}

void Motion::go_back(std::int64_t step) {
  simulation_->restore(std::prev(saved_.upper_bound(std::max<std::int64_t>(step, 0)))->second);
}

void Motion::exact(double time, std::span<double> numbers) const {
  if (!trajectory_) throw InputError("this system has no closed form");
  const State<DoubleDouble> state = trajectory_->wide_at(DoubleDouble(time));
  // The angular velocity in the user's frame: through the principal axes, where it is a division.
  Vector<DoubleDouble> w = body_->body.to_principal(state.momentum);
  for (std::size_t i = 0; i < 3; ++i) w[i] = w[i] / DoubleDouble(body_->body.moments()[i]);
  w = body_->body.to_user(w);
  const Vector<DoubleDouble> in_space = rotate(state.attitude, w);
  auto to = numbers.begin();
  const auto append = [&](const auto& values) {
    for (const DoubleDouble& x : values) *to++ = static_cast<double>(x);
  };
  append(state.momentum.c);
  append(state.attitude.c);
  append(w.c);
  append(in_space.c);
}

}  // namespace polhode::laboratory
