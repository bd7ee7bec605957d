// Reading what all scenarios of systems in coordinates have in common.
#include "systems/coordinates/coordinates.hpp"

#include <algorithm>

#include "polhode/constrained/multistep_methods.hpp"
#include "text/text.hpp"

namespace polhode::program {

namespace {

bool has_option(const std::vector<MethodEntry>& methods, const std::string& key) {
  return std::any_of(methods.begin(), methods.end(),
                     [&](const MethodEntry& method) { return method.find(key) != nullptr; });
}

/// Refuses keys that are not of this method, and says whose they are.
void allow_options(const Section& section, const MethodEntry& method, const CoordinateTraits& traits) {
  const std::vector<MethodEntry> here = traits.constrained ? constrained_methods() : unconstrained_methods();
  std::vector<std::string> allowed = Scenario::common_method_keys();
  for (const MethodOption& option : method.options) allowed.push_back(option.name);
  for (const std::string& key : section.keys()) {
    if (std::find(allowed.begin(), allowed.end(), key) != allowed.end()) continue;
    if (key == "compensated")
      section.fail(key,
                   R"(systems in coordinates have precision = "double", "compensated" or "double-double")");
    if (has_option(here, key)) section.fail(key, filled("the method {} has no such option", method.name));
    if (has_option(constrained_methods(), key)) section.fail(key, "the system has no constraints");
    if (has_option(unconstrained_methods(), key))
      section.fail(key, "no method for systems with constraints has such an option");
  }
  section.allow(allowed);
}

/// Refuses a key that is of no use beside what another one says.
void refuse(const Section& section, const char* key, const std::string& reason) {
  if (section.has(key)) section.fail(key, "is of no use " + reason);
}

constexpr const char* unstable_with_constraints =
    "with constraints the multipliers of this method grow without bound, because sigma has zeros off the "
    "unit circle";

/// A table by its name, or by its roots. Without roots the method is that of Console and Hairer.
MultistepTable read_table(Section& section, const MethodEntry& method, const CoordinateTraits& traits) {
  if (method.name != "multistep") return multistep_table(method.name);
  if (!section.has("roots")) {
    section.note("roots", {Array{{-0.8}, {-0.4}, {0.7}}});
    return console_hairer_table;
  }
  const auto* const array = std::get_if<Array>(&section.value("roots").content);
  if (array == nullptr)
    section.fail("roots", "must be an array of numbers, not " + description(section.value("roots")));
  const std::vector<double> roots = section.numbers("roots", array->size());
  const MultistepTable table = blaming(section, "roots", [&] { return MultistepTable::from_roots(roots); });
  if (traits.constrained && !table.stable_with_constraints())
    section.fail("roots", filled("{}: [-0.8, -0.4, 0.7] would do", unstable_with_constraints));
  return table;
}

/// A method that the other systems have, and why this one has not.
void refuse_unstable(const Section& section, const std::string& name) {
  for (const MultistepMethod& m : multistep_methods)
    if (m.name == name && !m.table.stable_with_constraints())
      section.fail("name", filled("{}: take sy2, sy4, sy6 or multistep", unstable_with_constraints));
}

void add_detail(CoordinateChoice& choice, const std::string& detail) {
  choice.details += (choice.details.empty() ? "" : ", ") + detail;
}

/// What carries errors is called compensated by the summary.
void set_precision(CoordinateChoice& choice, const std::string& name) {
  choice.precision = name == "double"          ? Precision::plain
                     : name == "double-double" ? Precision::extended
                                               : Precision::compensated;
  if (choice.precision != Precision::compensated) add_detail(choice, name);
}

/// Which sums are compensated, where the form leaves the choice.
void read_compensation(OptionReader& options, CoordinateChoice& choice) {
  const std::string name = options.name("compensation");
  choice.multistep.compensation = name == "position"   ? Compensation::position
                                  : name == "momentum" ? Compensation::momentum
                                                       : Compensation::both;
  if (name != "both") add_detail(choice, filled("compensation of the {} only", name));
}

void read_summed_form(Section& section, OptionReader& options, CoordinateChoice& choice) {
  add_detail(choice, "summed form");
  refuse(section, "force_sum", "in the summed form");
  choice.form = MultistepForm::summed;
  const std::string precision = options.name("precision");
  if (precision == "double-double")
    section.fail("precision", R"(the summed form has precision = "compensated" or "double")");
  set_precision(choice, precision);
  if (choice.precision == Precision::compensated) return read_compensation(options, choice);
  refuse(section, "compensation", filled("with precision = {}", in_quotes(precision)));
  choice.multistep.compensation = Compensation::none;
}

void read_form(Section& section, OptionReader& options, CoordinateChoice& choice) {
  const std::string form = options.name("form");
  if (form == "summed") return read_summed_form(section, options, choice);
  if (form == "naive") {
    if (section.has("precision") && section.string("precision") != "double")
      section.fail("precision", R"(the naive form carries no errors: it has precision = "double")");
    for (const char* key : {"force_sum", "compensation"}) refuse(section, key, "in the naive form");
    section.note("precision", {std::string("double")});
    choice.form = MultistepForm::direct;
    choice.precision = Precision::plain;
    add_detail(choice, "naive form");
    return;
  }
  const std::string precision = options.name("precision");
  set_precision(choice, precision);
  if (precision == "compensated") {
    const bool error_free = options.name("force_sum") == "error-free";
    choice.form = error_free ? MultistepForm::error_free : MultistepForm::compensated;
    if (error_free) {
      refuse(section, "compensation", R"(with force_sum = "error-free")");
      add_detail(choice, "error-free force sum");
    } else {
      read_compensation(options, choice);
    }
    return;
  }
  for (const char* key : {"force_sum", "compensation"})
    refuse(section, key, filled("with precision = {}", in_quotes(precision)));
  choice.form = precision == "double" ? MultistepForm::staggered : MultistepForm::error_free;
}

void read_momentum(OptionReader& options, CoordinateChoice& choice) {
  const std::string name = options.name("momentum_formula");
  if (name == "wide") return;
  choice.multistep.momentum = name == "staggered" ? MomentumFormula::staggered : MomentumFormula::differences;
  add_detail(choice, name + " momentum");
}

void read_start(OptionReader& options, CoordinateChoice& choice) {
  if (options.name("start") == "extrapolation") return;
  choice.multistep.start = StartMethod::gauss;
  add_detail(choice, "started by gauss");
}

void read_evaluation(Section& section, OptionReader& options, CoordinateChoice& choice) {
  const std::string name = options.name("constraint");
  if (name == "standard" && choice.precision == Precision::extended)
    section.fail("constraint", "in double-double, constraints are evaluated in double-double");
  choice.multipliers.evaluation = name == "standard" ? ConstraintEvaluation::standard
                                  : name == "wide"   ? ConstraintEvaluation::wide
                                                     : ConstraintEvaluation::accurate;
  add_detail(choice, name + " constraint");
}

void read_stopping(Section& section, OptionReader& options, CoordinateChoice& choice) {
  MultiplierOptions& multipliers = choice.multipliers;
  multipliers.max_iterations = static_cast<int>(options.integer("max_iterations"));
  if (options.name("stopping") == "convergence") {
    for (const char* key : {"tolerance", "apply_last"})
      refuse(section, key, R"(without stopping = "tolerance")");
    return;
  }
  multipliers.tolerance = options.positive("tolerance");
  const bool apply_last = options.flag("apply_last");
  multipliers.stopping = apply_last ? Stopping::tolerance : Stopping::tolerance_unapplied;
  add_detail(choice, filled("to {}{}", multipliers.tolerance, apply_last ? "" : " not applied"));
}

void read_multipliers(Section& section, OptionReader& options, const CoordinateTraits& traits,
                      CoordinateChoice& choice) {
  read_evaluation(section, options, choice);
  // Noisy multipliers of the standard evaluation are not to be continued by more than a line: noise would grow.
  const bool noisy = choice.multipliers.evaluation == ConstraintEvaluation::standard;
  choice.multipliers.extrapolation = static_cast<int>(options.integer("extrapolation", noisy ? 1 : 3));
  const bool about_iteration = section.has("stopping") || section.has("tolerance") ||
                               section.has("apply_last") || section.has("max_iterations");
  bool closed_form = false;
  if (options.offers("multipliers")) {
    closed_form = traits.spheres && !about_iteration;
    if (section.has("multipliers")) {
      closed_form = options.name("multipliers") == "closed-form";
      if (closed_form && !traits.spheres)
        section.fail("multipliers", "the multipliers of this system have no closed form");
    } else {
      section.note("multipliers", {std::string(closed_form ? "closed-form" : "newton")});
    }
    add_detail(choice, closed_form ? "closed form" : "newton");
  }
  choice.multipliers.closed_form = closed_form;
  if (closed_form) {
    for (const char* key : {"stopping", "tolerance", "apply_last", "max_iterations"})
      refuse(section, key, R"(with multipliers = "closed-form")");
  } else {
    read_stopping(section, options, choice);
  }
}

MethodFamily family_of(const std::string& method) {
  if (method == "gauss") return MethodFamily::gauss;
  return method == "rattle" || method == "lobatto" ? MethodFamily::lobatto : MethodFamily::multistep;
}

}  // namespace

CoordinateChoice read_coordinate_method(Scenario& scenario, const CoordinateTraits& traits) {
  Section& section = scenario.method();
  const std::vector<MethodEntry> methods =
      traits.constrained ? constrained_methods() : unconstrained_methods();
  if (traits.constrained) refuse_unstable(section, scenario.method_name());
  const MethodEntry& method =
      find_entry(methods, section, "name", scenario.method_name(),
                 traits.constrained ? "a system with constraints" : "a system in coordinates");
  allow_options(section, method, traits);
  scenario.read_steps();

  CoordinateChoice choice;
  choice.method = method.name;
  OptionReader options(section, method);
  choice.family = family_of(method.name);
  if (choice.family == MethodFamily::multistep) {
    choice.table = read_table(section, method, traits);
    read_form(section, options, choice);
    read_momentum(options, choice);
    read_start(options, choice);
  } else {
    choice.stages = method.name == "rattle" ? 2 : static_cast<int>(options.integer("stages"));
    if (method.name != "rattle") add_detail(choice, filled("{} stages", choice.stages));
    set_precision(choice, options.name("precision"));
  }
  if (traits.constrained) {
    read_multipliers(section, options, traits, choice);
  } else {
    choice.multipliers.extrapolation = 3;
    if (choice.family != MethodFamily::multistep)
      choice.multipliers.max_iterations = static_cast<int>(options.integer("max_iterations"));
  }
  return choice;
}

std::optional<GivenPoint> read_given_point(Section& state, std::size_t dimension) {
  if (!state.has("position") && !state.has("momentum")) return std::nullopt;
  GivenPoint point;
  point.position = state.numbers("position", dimension);
  point.momentum = state.numbers("momentum", dimension);
  return point;
}

std::optional<std::vector<double>> read_angles(Section& state, std::size_t count) {
  if (!state.has("angles")) return std::nullopt;
  for (const char* key : {"position", "momentum"})
    if (state.has(key)) state.fail(key, "is given beside angles: leave one of them out");
  return state.numbers("angles", count);
}

std::unique_ptr<Simulation> build_motion(
    Scenario& scenario, const CoordinateTraits& traits,
    const std::function<std::unique_ptr<Simulation>(const CoordinateChoice&)>& make) {
  const CoordinateChoice choice = read_coordinate_method(scenario, traits);
  return examined(scenario, blaming(scenario.state(), "", [&] { return make(choice); }));
}

}  // namespace polhode::program
