#include "systems/body/driven_body.hpp"

#include <algorithm>
#include <limits>

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

class DrivenBodyView {
 public:
  DrivenBodyView(ActingView acting, bool shows_torque)
      : acting_(std::move(acting)), shows_torque_(shows_torque) {}

  template <class Rotor>
  void look(const Rotor& rotor, Snapshot& snapshot) const {
    const auto body = rotor.synchronized();
    DrivenView view{view_of(body), rotor.time(), rotor.kinetic_energy_of(body), rotor.potential_of(body)};
    if (!acting_.knows_energy()) view.potential_energy = std::numeric_limits<double>::quiet_NaN();
    view.angular_velocity = rotor.angular_velocity_of(body);
    view.angular_velocity_in_space = rotate(convert<double>(view.state.attitude), view.angular_velocity);
    append_state(view, snapshot.state);
    append_rotation(view, snapshot.derived);
    snapshot.derived.push_back(static_cast<double>(view.kinetic_energy));
    snapshot.derived.push_back(static_cast<double>(view.potential_energy));
    if (shows_torque_) append(snapshot.derived, rotor.torque_on(body).c);
    acting_.derive(view, snapshot.derived);
    acting_.measure(view, snapshot.invariants);
  }

 private:
  ActingView acting_;
  bool shows_torque_;
};

Description description_of(const DrivenBody& driven, const ActingView& acting, double step,
                           const SplittingChoice& choice) {
  Description description{.system = driven.system,
                          .method = choice.method,
                          .details = choice.details(),
                          .scheme = choice.own,
                          .compensated = choice.free.compensated,
                          .step = step,
                          .state = body_state(),
                          .derived = body_rotation(),
                          .invariants = acting.invariants()};
  description.derived.push_back({"kinetic_energy", 1, 1, "user's units"});
  description.derived.push_back({"potential_energy", 1, 1, "user's units"});
  if (driven.shows_torque)
    description.derived.push_back(
        {"torque", 3, 1, "from outside, damping and control included, in the body frame, user's units"});
  for (Quantity& q : acting.derived()) description.derived.push_back(std::move(q));
  return description;
}

/// The state, whose momentum is the total one: of an angular velocity that is given, with the wheels and the inertia at the
/// beginning.
State<double> read_driven_state(Scenario& scenario, const GivenBody& given, const TorqueParts& parts,
                                double time) {
  State<double> initial = read_state(scenario, given);
  if (!scenario.state().has("angular_velocity")) return initial;
  const Actions<double> actions = list_of_parts(parts).attached(given.body);
  if (!actions.carries()) return initial;
  const Vector<DoubleDouble> omega = given.body.to_principal(scenario.state().vector("angular_velocity"));
  const DoubleDouble start(time);
  initial.momentum =
      convert<double>(given.body.to_user(actions.inertia(start) * omega + actions.rotor_momentum(start)));
  return initial;
}

/// The rest of a scenario whose body and parts are read: state and method.
DrivenMotion read_with_parts(Scenario& scenario, const GivenBody& given, TorqueParts parts,
                             const std::vector<MethodEntry>& methods, bool is_list) {
  scenario.state().allow(body_state_keys());
  DrivenBody driven{scenario.kind(), given.body, {}, std::move(parts), read_start_time(scenario), is_list};
  const auto read = [&] { return read_driven_state(scenario, given, driven.parts, driven.time); };
  const auto by_what_acts = [&]() -> const Scheme& {
    return default_scheme(list_of_parts(driven.parts).attached(given.body), driven.initial, scenario.step(),
                          DoubleDouble(driven.time));
  };
  if (is_list) driven.initial = read();  // on which the scheme may depend
  const SplittingChoice choice = read_splitting(scenario, methods, "a body under torque",
                                                is_list ? by_what_acts : std::function<const Scheme&()>());
  if (!is_list) driven.initial = read();
  // What the method cannot do is not the fault of the state.
  if (is_list && choice.scheme)
    blaming(scenario.method(), "", [&] {
      Splitting<NamedMethod<double>>(*choice.scheme, choice.free.choice)
          .examine(given.body.inertia(), list_of_parts(driven.parts).attached(given.body),
                   driven.initial.momentum, scenario.step());
    });
  return {driven, choice};
}

std::unique_ptr<Simulation> build_with_parts(Scenario& scenario, const GivenBody& given, TorqueParts parts,
                                             const std::vector<MethodEntry>& methods, bool is_list) {
  const auto [driven, choice] = read_with_parts(scenario, given, std::move(parts), methods, is_list);
  try {
    return examined(scenario, blaming(scenario.state(), "", [&, &body = driven, &method = choice] {
                      return make_driven_body(body, scenario.step(), method);
                    }));
  } catch (const MotionError& e) {
    scenario.system().fail("", e.what());  // the state is finite: it is the torque that is not
  }
}

}  // namespace

std::unique_ptr<Simulation> make_driven_body(const DrivenBody& driven, double step,
                                             const SplittingChoice& choice) {
  const ActingView acting(driven.parts);
  std::unique_ptr<Simulation> simulation =
      with_summation(choice.free.compensated, [&]<Summation summation>() {
        const auto simulated = [&]<class Integrator>(const Integrator& integrator) {
          return simulate(description_of(driven, acting, step, choice),
                          DrivenRotor<Integrator, TorqueList<double>, summation>(
                              driven.body, driven.initial, list_of_parts(driven.parts), integrator,
                              DoubleDouble(driven.time)),
                          DrivenBodyView(acting, driven.shows_torque));
        };
        return choice.scheme ? simulated(Splitting<NamedMethod<double>>(*choice.scheme, choice.free.choice))
                             : simulated(RungeKutta<double>());
      });
  auto groupable = driven_groupable(driven, step, choice);
  if (!groupable) return simulation;
  return std::make_unique<GroupableSimulation>(std::move(simulation), std::move(groupable));
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
                               const std::string& what_for, const std::function<const Scheme&()>& otherwise) {
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
    } else if (section.has("scheme") || !otherwise) {
      choice.scheme = scheme(OptionReader(section, method).name("scheme"));
    } else {
      section.note("scheme", {std::string()});  // its place; its name follows
    }
    scenario.read_steps();
    if (!choice.scheme) {
      choice.scheme = otherwise();
      section.note("scheme", {std::string((*choice.scheme)->name)});
    }
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

std::vector<MethodEntry> methods_for_many(const std::string& default_scheme) {
  std::vector<MethodEntry> methods = methods_with(default_scheme);
  std::erase_if(methods, [](const MethodEntry& m) { return m.name == "rk4"; });
  return methods;
}

SplittingChoice read_splitting_of_many(Scenario& scenario, const std::vector<MethodEntry>& methods,
                                       const std::string& what_for) {
  Section& section = scenario.method();
  SplittingChoice choice = read_splitting(scenario, methods, what_for);
  const std::vector<MethodEntry> free = free_methods();
  const bool has_increments = find_entry(free, section, "free", choice.free.choice.name, "").compensation;
  if (section.has("compensated") && !choice.free.compensated && has_increments)
    section.fail("compensated", filled("the sums of {} are always compensated", what_for));
  return choice;
}

std::vector<SystemKey> keys_with_torque(const std::string& kind) {
  const TorqueKind& torque = torque_kind(kind);
  std::vector<SystemKey> keys{inertia_key()};
  if (torque.table.empty()) {
    keys.insert(keys.end(), torque.keys.begin(), torque.keys.end());
  } else {
    std::vector<std::string> names;
    for (const SystemKey& key : torque.keys) names.push_back(key.name);
    keys.push_back({torque.table, "a table: " + joined(names)});
  }
  return keys;
}

std::unique_ptr<Simulation> build_with_torque(const System& entry, Scenario& scenario,
                                              const TorqueKind& kind) {
  entry.allow_keys(scenario.system(), {"kind"});
  const GivenBody given = read_body(scenario);
  return build_with_parts(scenario, given, {kind.read(kind, scenario.system(), scenario, given)},
                          entry.methods(), false);
}

namespace {

/// The body and what acts on it, of kind = "driven-body".
std::pair<GivenBody, TorqueParts> read_body_and_parts(Scenario& scenario, const OtherParts& others) {
  scenario.system().allow({"kind", "inertia"});
  const GivenBody given = read_body(scenario);
  TorqueParts parts;
  for (Section& section : scenario.torques()) {
    const std::string name = section.string("kind");
    if (others) {
      if (auto part = others(name, section, given)) {
        parts.push_back(std::move(part));
        continue;
      }
    }
    std::vector<std::string> names;
    for (const TorqueKind& kind : torque_kinds()) {
      names.push_back(kind.name);
      if (kind.name != name) continue;
      kind.table.empty() ? kind.allow_keys(section, {"kind"}) : section.allow({"kind", kind.table});
      parts.push_back(blaming(section, "", [&] { return kind.read(kind, section, scenario, given); }));
    }
    if (std::ranges::find(names, name) == names.end())
      section.fail("kind", "there is no torque " + in_quotes(name) + suggestion(name, names));
  }
  return {given, std::move(parts)};
}

}  // namespace

std::unique_ptr<Simulation> build_driven_body(Scenario& scenario, const OtherParts& others) {
  auto [given, parts] = read_body_and_parts(scenario, others);
  return build_with_parts(scenario, given, std::move(parts), driven_methods(), true);
}

DrivenMotion read_driven_motion(Scenario& scenario, const OtherParts& others) {
  auto [given, parts] = read_body_and_parts(scenario, others);
  return read_with_parts(scenario, given, std::move(parts), driven_methods(), true);
}

TorqueList<double> list_of(const TorqueParts& parts) {
  TorqueList<double> list;
  for (const auto& part : parts) list.add(SharedPart{part});
  return list;
}

namespace entries {
System driven_body() {
  return {.name = "driven-body",
          .summary = "a rigid body with tables [[torque]]: torques, damping, wheels, of any number",
          .keys = {inertia_key()},
          .methods = driven_methods,
          .build = [](const System&, Scenario& scenario) { return build_driven_body(scenario, {}); },
          .takes_torques = true};
}
}  // namespace entries

}  // namespace polhode::program
