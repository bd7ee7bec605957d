#include "systems/body/free_body.hpp"

#include <cmath>

#include "polhode/free_motion/rotor.hpp"
#include "run/stepped.hpp"
#include "systems/body/rigid_body.hpp"
#include "systems/system.hpp"

namespace polhode::program {

namespace {

struct FreeBodyView {
  template <class Rotor>
  void look(const Rotor& rotor, Snapshot& snapshot) const {
    const BodyView view = view_of(rotor.rotating_body());
    append_state(view, snapshot.state);
    append_rotation(view, snapshot.derived);
    snapshot.invariants = {view.free.energy, view.free.momentum_norm};
    append(snapshot.invariants, view.free.spatial_momentum.c);
  }
};

FreeMethod read_method(Scenario& scenario) {
  Section& section = scenario.method();
  const std::vector<MethodEntry> methods = free_methods();
  const MethodEntry& method = find_entry(methods, section, "name", scenario.method_name(), "a free body");
  allow_options_of(section, {&method}, methods);
  scenario.read_steps();
  return read_free_method(section, method);
}

std::unique_ptr<Simulation> build_free_body(const System& system, Scenario& scenario) {
  system.allow_keys(scenario.system(), {"kind"});
  const GivenBody given = read_body(scenario);
  scenario.state().allow(body_state_keys());
  const FreeMethod method = read_method(scenario);
  const State<double> initial = read_state(scenario, given);
  // No angular velocity is less than that about the axis of the greatest moment.
  if (method.choice.name == "exact" &&
      std::abs(scenario.step()) * norm(initial.momentum) / given.body.moments()[2] >= 0x1p100)
    scenario.warn("a step of more than 2^100 radians has no digit of its phase: the state stays where it is");
  return examined(scenario, blaming(scenario.state(), "", [&] {
                    return make_free_body(given.body, initial, scenario.step(), method,
                                          read_start_time(scenario));
                  }));
}

}  // namespace

std::unique_ptr<Simulation> make_free_body(const Body<double>& body, const State<double>& initial,
                                           double step, const FreeMethod& method, double time) {
  Description description{
      .system = "free-body",
      .method = method.choice.name,
      .details = {},
      .compensated = method.compensated,
      .step = step,
      .state = body_state(),
      .derived = body_rotation(),
      .invariants = {{"energy", 1, 1, "kinetic energy, user's units"},
                     {"momentum_norm", 1, 1, "size of the angular momentum, user's units"},
                     {"spatial_momentum", 3, 1, "angular momentum in space, user's units"}}};
  return with_summation(method.compensated, [&]<Summation summation>() {
    return simulate(std::move(description),
                    Rotor<NamedMethod<double>, summation>(body, initial, method.choice, DoubleDouble(time)),
                    FreeBodyView{});
  });
}

namespace entries {
System free_body() {
  return {"free-body", "a rigid body that no torque acts on", {inertia_key()}, free_methods, build_free_body};
}
}  // namespace entries

}  // namespace polhode::program
