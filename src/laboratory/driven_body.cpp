// Reading what all scenarios of bodies under torque have in common.
#include "laboratory/driven_body.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "laboratory/text.hpp"
#include "polhode/splitting/schemes.hpp"

namespace polhode::laboratory {

namespace {

// Of order four whatever the torque, and of orders 8 and 6 in the first two powers of a small one: the smallest error for
// the work over the tops of the papers and over satellites.
constexpr const char* default_scheme = "aba-8-6-4";
constexpr const char* default_free_motion = "exact";

std::vector<std::string> names_with_first(const std::string& first, std::vector<std::string> names) {
  std::stable_partition(names.begin(), names.end(), [&](const std::string& name) { return name == first; });
  return names;
}

std::vector<std::string> scheme_names() {
  std::vector<std::string> names;
  for (const Scheme& scheme : schemes) names.emplace_back(scheme.name);
  return names_with_first(default_scheme, names);
}

std::vector<std::string> free_motion_names() {
  std::vector<std::string> names;
  for (const MethodEntry& method : free_motion_methods()) names.push_back(method.name);
  return names_with_first(default_free_motion, names);
}

std::string read_name(Section& section, const char* key, const char* otherwise) {
  if (section.has(key)) return section.string(key);
  section.note(key, {std::string(otherwise)});
  return otherwise;
}

Scheme read_scheme(Section& section) {
  const std::string name = read_name(section, "scheme", default_scheme);
  const Scheme* const found = find_scheme(name);
  if (found == nullptr)
    section.fail("scheme",
                 fmt::format("there is no scheme {}{}", quoted(name), suggestion(name, scheme_names())));
  return *found;
}

DrivenChoice read_method(Scenario& scenario) {
  Section& section = scenario.method();
  const std::vector<MethodEntry> methods = driven_methods(), free = free_motion_methods();
  std::vector<MethodEntry> all = methods;
  all.insert(all.end(), free.begin(), free.end());
  const MethodEntry& method =
      find_entry(methods, section, "name", scenario.method_name(), "a body under torque");

  if (method.name == "splitting") {
    const std::string name = read_name(section, "free", default_free_motion);
    const MethodEntry& part = find_entry(free, section, "free", name, "the free motion");
    allow_options_of(section, {&method, &part}, all);
    const Scheme scheme = read_scheme(section);
    scenario.read_steps();
    return {method.name, scheme, read_free_motion(section, part)};
  }
  allow_options_of(section, {&method}, all);
  scenario.read_steps();
  FreeMotionChoice part = read_summation(section, method);
  if (method.name == "rk4") return {method.name, std::nullopt, part};
  if (method.name == "sej") part.method = "exact";
  return {method.name, scheme("strang"), part};
}

}  // namespace

std::vector<MethodEntry> driven_methods() {
  return {
      {"splitting",
       "free motion and kicks in turn, by a scheme of `polhode list schemes`",
       0,
       true,
       {{"scheme", 0, 0, "the order and the lengths of the two", scheme_names()},
        {"free", 0, 0, "the method for the free motion, with that method's own options",
         free_motion_names()}},
       true},
      {"sej", "strang with exact, the method of Celledoni and Safstrom", 2, true, {}},
      {"mr", "strang with mr, McLachlan and Reich's five rotations between the kicks", 2, false, {}},
      {"rk4", "classical Runge-Kutta method of order 4", 4, true, {}},
  };
}

std::unique_ptr<Simulation> build_driven_body(Scenario& scenario, const GivenBody& given,
                                              std::shared_ptr<const TorqueSystem> system) {
  scenario.state().allow({"momentum", "angular_velocity", "attitude"});
  const DrivenChoice choice = read_method(scenario);
  const State<double> initial = read_state(scenario, given);
  auto simulation = blaming(scenario.state(), "", [&] {
    return make_driven_body(given.body, initial, std::move(system), scenario.step(), choice);
  });
  examine_invariants(scenario, *simulation);
  return simulation;
}

}  // namespace polhode::laboratory
