// Reading a scenario of a free body.
#include "systems/body/free_body.hpp"

#include "systems/body/rigid_body.hpp"

namespace polhode::program {

namespace {

FreeMotionChoice read_method(Scenario& scenario) {
  Section& section = scenario.method();
  const std::vector<MethodEntry> methods = free_motion_methods();
  const MethodEntry& method = find_entry(methods, section, "name", scenario.method_name(), "a free body");
  allow_options_of(section, {&method}, methods);
  scenario.read_steps();
  return read_free_motion(section, method);
}

}  // namespace

std::unique_ptr<Simulation> build_free_body(Scenario& scenario) {
  scenario.system().allow({"kind", "inertia"});
  const GivenBody given = read_body(scenario);
  scenario.state().allow({"momentum", "angular_velocity", "attitude"});
  const FreeMotionChoice choice = read_method(scenario);
  const State<double> initial = read_state(scenario, given);
  auto simulation = blaming(scenario.state(), "",
                            [&] { return make_free_body(given.body, initial, scenario.step(), choice); });
  examine_invariants(scenario, *simulation);
  return simulation;
}

}  // namespace polhode::program
