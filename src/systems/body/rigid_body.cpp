#include "systems/body/rigid_body.hpp"

#include "text/text.hpp"

#include <algorithm>
#include <cmath>

namespace polhode::program {

namespace {

/// A warning that says which body it is about, where there are several.
void warn_of(const Section& section, Scenario& scenario, const std::string& sentence) {
  scenario.warn(section.name().starts_with("body") ? filled("{}: {}", section.name(), sentence) : sentence);
}

Vector<double> read_momentum(Section& state, const Matrix<double>& tensor) {
  if (state.has("momentum") && state.has("angular_velocity"))
    state.fail("angular_velocity", "momentum and angular_velocity are both given: leave one of them out");
  if (state.has("momentum")) return state.vector("momentum");
  if (!state.has("angular_velocity")) state.fail("momentum", "is missing: give momentum or angular_velocity");
  const Vector<double> w = state.vector("angular_velocity");
  Vector<double> momentum;
  for (std::size_t i = 0; i < 3; ++i) {
    DoubleDouble sum = 0.0;
    for (std::size_t j = 0; j < 3; ++j) sum += DoubleDouble::product(tensor[i][j], w[j]);
    momentum[i] = static_cast<double>(sum);
    if (!std::isfinite(momentum[i]))
      state.fail("angular_velocity", "the momentum that belongs to it is too large");
  }
  return momentum;
}

Quaternion<double> read_attitude(Section& state, Scenario& scenario) {
  if (!state.has("attitude")) {
    state.note("attitude", {Array{{1.0}, {0.0}, {0.0}, {0.0}}});
    return {};
  }
  if (state.is_nested("attitude"))
    return blaming(state, "attitude", [&] { return attitude_from_matrix(state.matrix("attitude")); });
  const auto* const array = std::get_if<Array>(&state.value("attitude").content);
  if (array == nullptr || array->size() != 4)
    state.fail("attitude", "must be 4 numbers (a quaternion, scalar first) or a 3x3 matrix, not " +
                               description(state.value("attitude")));
  const std::vector<double> c = state.numbers("attitude", 4);
  double largest = 0.0;
  for (const double x : c) largest = std::max(largest, std::abs(x));
  if (largest == 0.0) state.fail("attitude", "is the zero quaternion, which is no attitude");
  // A factor of two is exact; without it the square of a very long or very short quaternion is no number.
  const int exponent = std::abs(std::ilogb(largest)) > 100 ? std::ilogb(largest) : 0;
  Quaternion<double> q;
  for (std::size_t i = 0; i < 4; ++i) q[i] = std::ldexp(c[i], -exponent);
  const double norm = std::ldexp(std::sqrt(norm_squared(q)), exponent);
  if (!(std::abs(norm - 1.0) < 1e-6))
    warn_of(state, scenario,
            filled("the attitude has norm {}, not 1: taken as the rotation of the same direction",
                   rounded("%.6g", norm)));
  return q;
}

}  // namespace

GivenBody read_body(Scenario& scenario) { return read_body(scenario.system(), scenario); }

GivenBody read_body(Section& section, Scenario& scenario) {
  GivenBody given = blaming(section, "inertia", [&]() -> GivenBody {
    if (section.is_nested("inertia")) {
      const Matrix<double> tensor = section.matrix("inertia");
      return {Body<double>(tensor), tensor};
    }
    const auto* const array = std::get_if<Array>(&section.value("inertia").content);
    if (array == nullptr || array->size() != 3)
      section.fail("inertia", "must be 3 principal moments or a 3x3 tensor, not " +
                                  description(section.value("inertia")));
    const Vector<double> moments = section.vector("inertia");
    Matrix<double> tensor{};
    for (std::size_t i = 0; i < 3; ++i) tensor[i][i] = moments[i];
    return {Body<double>(moments), tensor};
  });
  if (const std::string warning = given.body.warning(); !warning.empty()) warn_of(section, scenario, warning);
  return given;
}

State<double> read_state(Scenario& scenario, const GivenBody& given) {
  return read_state(scenario.state(), scenario, given);
}

State<double> read_state(Section& section, Scenario& scenario, const GivenBody& given) {
  State<double> initial;
  initial.momentum = read_momentum(section, given.tensor);
  initial.attitude = read_attitude(section, scenario);
  return initial;
}

double read_start_time(Scenario& scenario) {
  return scenario.state().has("time") ? scenario.state().number("time") : 0.0;
}

std::vector<Quantity> body_state() {
  return {
      {"momentum", 3, 1, "angular momentum in the body frame, user's units"},
      {"attitude", 4, 0, "quaternion from body to space, scalar first, of norm one"},
  };
}

void append_state(const BodyView& view, std::vector<double>& numbers) {
  append(numbers, convert<double>(view.state.momentum).c);
  append(numbers, convert<double>(view.state.attitude).c);
}

std::vector<Quantity> body_rotation() {
  return {
      {"angular_velocity", 3, 1, "in the body frame, user's units"},
      {"angular_velocity_in_space", 3, 1, "angular velocity in space, user's units", false},
  };
}

void append_rotation(const BodyView& view, std::vector<double>& numbers) {
  append(numbers, view.angular_velocity.c);
  append(numbers, view.angular_velocity_in_space.c);
}

}  // namespace polhode::program
