// Reading a scenario of a free body.
#include "laboratory/free_body.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "laboratory/error.hpp"
#include "laboratory/text.hpp"

namespace polhode::laboratory {

namespace {

Vector<double> three(const std::vector<double>& v) { return {{v[0], v[1], v[2]}}; }

/// Runs `make` and lays the blame for an InputError on the key.
template <class F>
auto blaming(const Section& section, const char* key, F make) -> decltype(make()) {
  try {
    return make();
  } catch (const ScenarioError&) {
    throw;
  } catch (const InputError& e) {
    section.fail(key, e.what());
  }
}

struct InertiaGiven {
  Body<double> body;
  Matrix<double> tensor;  ///< in the user's frame
};

InertiaGiven read_inertia(Section& system) {
  system.allow({"kind", "inertia"});
  return blaming(system, "inertia", [&]() -> InertiaGiven {
    if (system.is_nested("inertia")) {
      const Matrix<double> tensor = system.matrix("inertia");
      return {Body<double>(tensor), tensor};
    }
    const auto* const array = std::get_if<Array>(&system.value("inertia").content);
    if (array == nullptr || array->size() != 3)
      system.fail("inertia",
                  "must be 3 principal moments or a 3x3 tensor, not " + description(system.value("inertia")));
    const Vector<double> moments = three(system.numbers("inertia", 3));
    Matrix<double> tensor{};
    for (std::size_t i = 0; i < 3; ++i) tensor[i][i] = moments[i];
    return {Body<double>(moments), tensor};
  });
}

Vector<double> read_momentum(Section& state, const Matrix<double>& tensor) {
  if (state.has("momentum") && state.has("angular_velocity"))
    state.fail("angular_velocity", "momentum and angular_velocity are both given: leave one of them out");
  if (state.has("momentum")) return three(state.numbers("momentum", 3));
  if (!state.has("angular_velocity")) state.fail("momentum", "is missing: give momentum or angular_velocity");
  const Vector<double> w = three(state.numbers("angular_velocity", 3));
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
    scenario.warn(fmt::format(
        "the attitude has norm {:.6g}, not 1: taken as the rotation of the same direction", norm));
  return q;
}

int read_option(Section& section, const MethodOption& option) {
  const std::int64_t value = section.integer(option.name);
  if (value < option.smallest || value > option.largest)
    section.fail(option.name,
                 fmt::format("must be {} to {}, not {}", option.smallest, option.largest, value));
  return static_cast<int>(value);
}

FreeMotionChoice read_method(Scenario& scenario) {
  Section& section = scenario.method();
  const std::vector<MethodEntry> methods = free_motion_methods();
  std::vector<std::string> names, allowed = Scenario::common_method_keys(), others;
  const MethodEntry* method = nullptr;
  for (const MethodEntry& m : methods) {
    names.push_back(m.name);
    for (const MethodOption& option : m.options) others.push_back(option.name);
    if (m.name == scenario.method_name()) method = &m;
  }
  if (method == nullptr)
    section.fail("name",
                 fmt::format("there is no method {} for a free body{}", quoted(scenario.method_name()),
                             suggestion(scenario.method_name(), names)));
  allowed.emplace_back("compensated");
  for (const MethodOption& option : method->options) allowed.push_back(option.name);
  for (const std::string& key : section.keys())
    if (std::count(allowed.begin(), allowed.end(), key) == 0 &&
        std::count(others.begin(), others.end(), key) != 0)
      section.fail(key, fmt::format("the method {} has no such option", method->name));
  section.allow(allowed);
  scenario.read_steps();

  FreeMotionChoice choice{method->name, method->compensation, {}, {}};
  if (section.has("compensated")) {
    choice.compensated = section.boolean("compensated");
    if (choice.compensated && !method->compensation)
      section.fail("compensated", fmt::format("the method {} has no increments to compensate", method->name));
  } else {
    section.note("compensated", {choice.compensated});
  }
  for (const MethodOption& option : method->options) {
    std::optional<int>& chosen = option.name == "quadrature" ? choice.quadrature : choice.frame;
    if (section.has(option.name)) {
      chosen = read_option(section, option);
    } else {
      section.note(option.name, {std::int64_t{0}});
    }
  }
  return choice;
}

}  // namespace

std::unique_ptr<Simulation> build_free_body(Scenario& scenario) {
  const InertiaGiven given = read_inertia(scenario.system());
  scenario.state().allow({"momentum", "angular_velocity", "attitude"});
  const FreeMotionChoice choice = read_method(scenario);
  State<double> initial;
  initial.momentum = read_momentum(scenario.state(), given.tensor);
  initial.attitude = read_attitude(scenario.state(), scenario);
  if (const std::string warning = given.body.warning(); !warning.empty()) scenario.warn(warning);
  auto simulation = blaming(scenario.state(), "",
                            [&] { return make_free_body(given.body, initial, scenario.step(), choice); });
  const std::vector<DoubleDouble> invariants = simulation->look().invariants;
  if (!std::all_of(invariants.begin(), invariants.end(), [](const auto& x) { return isfinite(x); }))
    scenario.warn(
        "the energy or the momentum is too large for a double in these units: its error is not known");
  return simulation;
}

}  // namespace polhode::laboratory
