#include "systems/body/driven_body.hpp"

#include <algorithm>

#include "polhode/splitting/driven_rotor.hpp"
#include "run/stepped.hpp"
#include "systems/body/own_scheme.hpp"
#include "text/text.hpp"

namespace polhode::program {

namespace {

std::vector<std::string> names_with_first(const std::string& first, std::vector<std::string> names) {
  std::stable_partition(names.begin(), names.end(), [&](const std::string& name) { return name == first; });
  return names;
}

std::vector<std::string> scheme_names(const std::string& first) {
  std::vector<std::string> names;
  for (const Scheme& scheme : schemes) names.emplace_back(scheme.name);
  return names_with_first(first, names);
}

std::vector<std::string> free_method_names() {
  std::vector<std::string> names;
  for (const MethodEntry& method : free_methods()) names.push_back(method.name);
  return names_with_first("exact", names);
}

std::vector<MethodEntry> methods_with(const std::string& default_scheme) {
  MethodEntry splitting{"splitting", "free motion and kicks in turn, by a scheme of `polhode list schemes`",
                        0, true};
  splitting.options = {
      MethodOption::choice("scheme", scheme_names(default_scheme),
                           "the order and the lengths of the two; or one's own, { a = [...], b = [...] }"),
      MethodOption::choice("free", free_method_names(),
                           "the method for the free motion, with that method's own options")};
  splitting.order_rule = "scheme's";
  return {splitting,
          {"sej", "strang with magnus2, the method of Celledoni and Safstrom", 2, true},
          {"mr", "strang with mr, McLachlan and Reich's five rotations between the kicks", 2, false},
          {"rk4", "classical Runge-Kutta method of order 4", 4, true}};
}

/// A torque of the program as one of the core.
class SharedTorque {
 public:
  explicit SharedTorque(std::shared_ptr<const TorqueSystem> system) : system_(std::move(system)) {}

  SharedTorque attached(const Body<double>&) const { return *this; }
  Vector<double> torque(const Quaternion<double>& q, const DoubleDouble& time) const {
    return system_->torque(q, time);
  }
  DoubleDouble potential(const Quaternion<DoubleDouble>& q, const DoubleDouble& time) const {
    return system_->potential(q, time);
  }

 private:
  std::shared_ptr<const TorqueSystem> system_;
};

class DrivenBodyView {
 public:
  explicit DrivenBodyView(std::shared_ptr<const TorqueSystem> system) : system_(std::move(system)) {}

  template <class Rotor>
  void look(const Rotor& rotor, Snapshot& snapshot) const {
    const auto body = rotor.synchronized();
    const DrivenView view{view_of(body), rotor.time(),
                          system_->potential(body.motion().wide_attitude(), rotor.time())};
    append_state(view, snapshot.state);
    append_rotation(view, snapshot.derived);
    snapshot.derived.push_back(static_cast<double>(view.kinetic_energy()));
    snapshot.derived.push_back(static_cast<double>(view.potential_energy));
    system_->derive(view, snapshot.derived);
    system_->measure(view, snapshot.invariants);
  }

 private:
  std::shared_ptr<const TorqueSystem> system_;
};

Description description_of(const TorqueSystem& system, double step, const SplittingChoice& choice) {
  Description description{.system = system.name(),
                          .method = choice.method,
                          .details = choice.details(),
                          .scheme = choice.own,
                          .compensated = choice.free.compensated,
                          .step = step,
                          .state = body_state(),
                          .derived = body_rotation(),
                          .invariants = system.invariants()};
  description.derived.push_back({"kinetic_energy", 1, 1, "user's units"});
  description.derived.push_back({"potential_energy", 1, 1, "user's units"});
  for (Quantity& q : system.derived()) description.derived.push_back(std::move(q));
  return description;
}

}  // namespace

std::unique_ptr<Simulation> make_driven_body(const Body<double>& body, const State<double>& initial,
                                             const std::shared_ptr<const TorqueSystem>& system, double step,
                                             const SplittingChoice& choice) {
  return with_summation(choice.free.compensated, [&]<Summation summation>() {
    const auto simulated = [&]<class Integrator>(const Integrator& integrator) {
      return simulate(
          description_of(*system, step, choice),
          DrivenRotor<Integrator, SharedTorque, summation>(body, initial, SharedTorque(system), integrator),
          DrivenBodyView(system));
    };
    return choice.scheme ? simulated(Splitting<NamedMethod<double>>(*choice.scheme, choice.free.choice))
                         : simulated(RungeKutta<double>());
  });
}

// With as many kicks, the energy error over the tops of [CS06] is up to 270 times smaller than that of rkn6-14.
std::vector<MethodEntry> nearly_free_methods() { return methods_with("aba-8-6-4"); }

// Where the torque is as large as the gyroscopic terms, as it is for a satellite that keeps its side to the centre, the errors
// of rkn6-14 are 30 to 3000 times smaller than those of aba-8-6-4 with as many kicks.
std::vector<MethodEntry> driven_methods() { return methods_with("rkn6-14"); }

std::string SplittingChoice::details() const {
  return method == "splitting" ? std::string((*scheme)->name) + " with " + free.choice.name : "";
}

SplittingChoice read_splitting(Scenario& scenario, const std::vector<MethodEntry>& methods,
                               const std::string& what_for) {
  Section& section = scenario.method();
  const std::vector<MethodEntry> free = free_methods();
  std::vector<MethodEntry> all = methods;
  all.insert(all.end(), free.begin(), free.end());
  const MethodEntry& method = find_entry(methods, section, "name", scenario.method_name(), what_for);
  if (method.name == "splitting") {
    const std::string name = section.string_or("free", "exact");
    const MethodEntry& part = find_entry(free, section, "free", name, "the free motion");
    allow_options_of(section, {&method, &part}, all);
    SplittingChoice choice{method.name, std::nullopt, {}, std::nullopt};
    if (has_own_scheme(section)) {
      choice.scheme = read_own_scheme(section);
      choice.own = figures_of(*choice.scheme);
      for (const std::string& doubt : doubts_about(*choice.scheme)) scenario.warn(doubt);
    } else {
      choice.scheme = scheme(OptionReader(section, method).name("scheme"));
    }
    scenario.read_steps();
    choice.free = read_free_method(section, part);
    return choice;
  }
  allow_options_of(section, {&method}, all);
  scenario.read_steps();
  FreeMethod part = read_summation(section, method);
  if (method.name == "rk4") return {method.name, std::nullopt, part, std::nullopt};
  if (method.name == "sej") part.choice.name = "magnus2";
  return {method.name, scheme("strang"), part, std::nullopt};
}

std::unique_ptr<Simulation> build_driven_body(Scenario& scenario, const GivenBody& given,
                                              std::shared_ptr<const TorqueSystem> system,
                                              const std::vector<MethodEntry>& methods) {
  scenario.state().allow(body_state_keys());
  const SplittingChoice choice = read_splitting(scenario, methods, "a body under torque");
  const State<double> initial = read_state(scenario, given);
  try {
    return examined(scenario, blaming(scenario.state(), "", [&] {
                      return make_driven_body(given.body, initial, system, scenario.step(), choice);
                    }));
  } catch (const MotionError& e) {
    scenario.system().fail("", e.what());  // the state is finite: it is the torque that is not
  }
}

}  // namespace polhode::program
