// Reading a scenario of rigid molecules.
#include "systems/molecules/molecules.hpp"

#include <algorithm>

#include "polhode/molecules/thermal.hpp"
#include "polhode/molecules/water.hpp"
#include "polhode/splitting/schemes.hpp"
#include "systems/body/driven_body.hpp"
#include "systems/body/rigid_body.hpp"
#include "text/text.hpp"

namespace polhode::program {

namespace {

/// A number of the section, or the default, which is noted.
double number_or(Section& section, std::string_view key, double otherwise) {
  if (section.has(key)) return section.number(key);
  section.note(key, {otherwise});
  return otherwise;
}

double positive(Section& section, std::string_view key, double otherwise) {
  const double x = number_or(section, key, otherwise);
  if (!(x > 0.0)) section.fail(key, filled("must be positive, not {}", x));
  return x;
}

std::int64_t integer_or(Section& section, std::string_view key, std::int64_t smallest,
                        std::int64_t otherwise) {
  const std::int64_t x = section.has(key) ? section.integer(key) : otherwise;
  section.note(key, {x});
  if (x < smallest) section.fail(key, filled("must be at least {}, not {}", smallest, x));
  return x;
}

/// Calls read(section) for each table of an array of tables; complaints name it as key[1], key[2].
template <class Read>
void for_each_table(Section& section, const Scenario& scenario, const std::string& path, std::string_view key,
                    Read read) {
  const Value& value = section.value(key);
  const auto* const array = std::get_if<Array>(&value.content);
  if (array == nullptr || array->empty())
    section.fail(key, "must be an array of tables, not " + description(value));
  section.note(key, value);
  for (std::size_t i = 0; i < array->size(); ++i) {
    const std::string name = filled("{}[{}]", path, i + 1);
    const Document document{scenario.file(), {{name, (*array)[i]}}, {}};
    Section table(document, name);
    read(table, name);
  }
}

Site read_site(Section& table) {
  table.allow({"element", "name", "position", "mass", "charge", "epsilon", "sigma"});
  Site site;
  if (table.has("element")) site.element = table.string("element");
  site.name = table.has("name") ? table.string("name") : site.element;
  if (site.element.find_first_of(" \t\r\n\"") != std::string::npos)
    table.fail("element", "must be a plain word: it goes into trajectory files");
  site.position = read_vector(table, "position");
  for (const auto& [key, number] : {std::pair{"mass", &site.mass}, std::pair{"charge", &site.charge},
                                    std::pair{"epsilon", &site.epsilon}, std::pair{"sigma", &site.sigma}})
    if (table.has(key)) *number = table.number(key);
  return site;
}

struct Kinds {
  std::vector<Molecule> molecules;
  std::vector<std::size_t> counts;
  std::size_t total = 0;
};

Kinds read_kinds(Scenario& scenario) {
  constexpr std::int64_t most = 1'000'000;
  Kinds kinds;
  for_each_table(
      scenario.system(), scenario, "system.molecules", "molecules",
      [&](Section& table, const std::string& name) {
        table.allow({"molecule", "name", "count", "sites"});
        const std::int64_t count = table.integer("count");
        if (count < 1 || count > most) table.fail("count", filled("must be 1 to {}, not {}", most, count));
        if (table.has("molecule") == table.has("sites"))
          table.fail("molecule", "give either the name of a known molecule or sites");
        if (table.has("molecule")) {
          const std::string known = table.string("molecule");
          const std::vector<std::string> names = water_names();
          if (std::find(names.begin(), names.end(), known) == names.end())
            table.fail("molecule",
                       filled("there is no molecule {}{}", quoted(known), suggestion(known, names)));
          kinds.molecules.push_back(water(known));
        } else {
          std::vector<Site> sites;
          for_each_table(table, scenario, name + ".sites", "sites",
                         [&](Section& site, const std::string&) { sites.push_back(read_site(site)); });
          const std::string called =
              table.has("name") ? table.string("name") : std::to_string(kinds.counts.size() + 1);
          kinds.molecules.push_back(
              blaming(table, "sites", [&] { return Molecule(called, std::move(sites)); }));
        }
        kinds.counts.push_back(static_cast<std::size_t>(count));
        kinds.total += static_cast<std::size_t>(count);
      });
  return kinds;
}

ForceField read_field(Scenario& scenario, const Kinds& kinds) {
  Section& system = scenario.system();
  ForceFieldOptions options;
  options.coulomb = number_or(system, "coulomb", coulomb_in_kilojoule_per_mole);
  if (system.has("box")) {
    if (std::holds_alternative<Array>(system.value("box").content)) {
      options.box = read_vector(system, "box");
    } else {
      const double edge = system.number("box");
      options.box = Vector<double>{{edge, edge, edge}};
    }
  }
  if (system.has("cutoff")) options.cutoff = system.number("cutoff");
  if (system.has("switch_from")) options.switch_from = system.number("switch_from");
  if (system.has("pairs")) {
    for_each_table(system, scenario, "system.pairs", "pairs", [&](Section& table, const std::string&) {
      table.allow({"first", "second", "epsilon", "sigma"});
      options.pairs.push_back(
          {table.string("first"), table.string("second"), table.number("epsilon"), table.number("sigma")});
    });
  }
  const char* const blamed = system.has("cutoff") ? "cutoff" : (system.has("box") ? "box" : "");
  return blaming(system, blamed, [&] { return ForceField(kinds.molecules, options); });
}

/// An array of as many arrays as there are molecules.
std::vector<std::vector<double>> read_rows(Section& state, std::string_view key, std::size_t count,
                                           std::size_t width) {
  const Value& value = state.value(key);
  const auto* const rows = std::get_if<Array>(&value.content);
  if (rows == nullptr || rows->size() != count)
    state.fail(key, filled("must be an array of {} arrays, one for each molecule, not {}", count,
                           description(value)));
  std::vector<std::vector<double>> result;
  for (std::size_t i = 0; i < count; ++i) {
    // A section of its own for each row: the checks of numbers are the same.
    const std::string name = filled("entry {}", i + 1);
    const Document document{"", {{"row", {Table{{name, (*rows)[i]}}}}}, {}};
    Section row(document, "row");
    try {
      result.push_back(row.numbers(name, width));
    } catch (const ScenarioError& e) {
      state.fail(key, filled("{} {}", name, e.reason()));
    }
  }
  state.note(key, value);
  return result;
}

std::vector<MoleculeState<double>> read_states(Section& state, std::size_t count) {
  std::vector<MoleculeState<double>> states(count);
  const auto read = [&](std::string_view key, std::size_t width, auto assign) {
    if (!state.has(key)) return;
    const auto rows = read_rows(state, key, count, width);
    for (std::size_t i = 0; i < count; ++i) assign(states[i], rows[i]);
  };
  const auto three = [](const std::vector<double>& v) { return Vector<double>{{v[0], v[1], v[2]}}; };
  read("positions", 3, [&](auto& s, const auto& v) { s.position = three(v); });
  read("momenta", 3, [&](auto& s, const auto& v) { s.momentum = three(v); });
  read("angular_momenta", 3, [&](auto& s, const auto& v) { s.turning.momentum = three(v); });
  read("attitudes", 4, [&](auto& s, const auto& v) { s.turning.attitude = {v[0], v[1], v[2], v[3]}; });
  return states;
}

MoleculesBeginning read_beginning(Scenario& scenario, const ForceField& field, const Kinds& kinds,
                                  double boltzmann) {
  Section& state = scenario.state();
  const std::vector<std::string> given{"positions", "momenta", "angular_momenta", "attitudes"};
  const std::vector<std::string> by_chance{"temperature", "seed", "equilibration", "spacing"};
  std::vector<std::string> all = given;
  all.insert(all.end(), by_chance.begin(), by_chance.end());
  state.allow(all);
  const bool chance = state.has("temperature");
  for (const std::string& key : chance ? given : by_chance)
    if (state.has(key))
      state.fail(key, chance ? "does not go with temperature, which stands for a beginning by chance"
                             : "is for a beginning by chance, which needs a temperature");
  if (!chance) {
    if (!state.has("positions")) state.fail("positions", "is missing: give positions or a temperature");
    return {read_states(state, kinds.total), 0.0, 0};
  }
  MoleculesBeginning beginning;
  beginning.temperature = state.number("temperature");
  if (!(beginning.temperature > 0.0)) state.fail("temperature", "must be positive");
  const std::int64_t seed = integer_or(state, "seed", 0, 1);
  beginning.equilibration = integer_or(state, "equilibration", 0, 0);
  Vector<double> edges;
  if (field.box()) {
    if (state.has("spacing")) state.fail("spacing", "is for molecules in free space; here the box is filled");
    edges = *field.box();
  } else {
    const double spacing = state.number("spacing");
    if (!(spacing > 0.0)) state.fail("spacing", "must be positive");
    const double side = std::ceil(std::cbrt(static_cast<double>(kinds.total)) - 1e-9) * spacing;
    edges = {{side, side, side}};
  }
  beginning.states = thermal_lattice(field, kinds.counts, edges, boltzmann * beginning.temperature,
                                     static_cast<std::uint64_t>(seed));
  blaming(state, "", [&] { remove_common_motion(field, kinds.counts, beginning.states); });
  return beginning;
}

MoleculesChoice read_method(Scenario& scenario) {
  Section& section = scenario.method();
  const std::vector<MethodEntry> methods = molecule_methods(), free = free_motion_methods();
  std::vector<MethodEntry> all = methods;
  all.insert(all.end(), free.begin(), free.end());
  const MethodEntry& method = find_entry(methods, section, "name", scenario.method_name(), "rigid molecules");
  const auto name_of = [&](std::size_t option) {
    const MethodOption& o = method.options.at(option);
    if (!section.has(o.name)) section.note(o.name, {o.choices.front()});
    return section.has(o.name) ? section.string(o.name) : o.choices.front();
  };
  std::string scheme_name = "strang", free_name = method.name == "mr" ? "mr" : "exact";
  std::vector<const MethodEntry*> chosen{&method};
  if (method.name == "splitting") {
    free_name = name_of(1);
    chosen.push_back(&find_entry(free, section, "free", free_name, "the free motion"));
  }
  allow_options_of(section, chosen, all);
  if (method.name == "splitting") scheme_name = name_of(0);
  const Scheme* const scheme = find_scheme(scheme_name);
  if (scheme == nullptr)
    section.fail("scheme", filled("there is no scheme {}{}", quoted(scheme_name),
                                  suggestion(scheme_name, method.options.at(0).choices)));
  scenario.read_steps();
  const MethodEntry& turning = find_entry(free, section, "free", free_name, "the free motion");
  MoleculesChoice choice;
  choice.method = method.name;
  choice.scheme = *scheme;
  choice.free =
      method.name == "splitting" ? read_free_motion(section, turning) : read_summation(section, method);
  choice.free.method = free_name;
  if (section.has("compensated") && !choice.free.compensated && turning.compensation)
    section.fail("compensated", "the sums of rigid molecules are always compensated");
  choice.step = scenario.step();
  return choice;
}

}  // namespace

std::vector<MethodEntry> molecule_methods() {
  std::vector<MethodEntry> methods = driven_methods();
  std::erase_if(methods, [](const MethodEntry& m) { return m.name == "rk4"; });
  for (MethodEntry& method : methods) {
    for (MethodOption& option : method.options) {
      if (option.name != "scheme") continue;
      // The forces of a liquid change so fast that nothing is gained by a higher order at the accuracy that is asked for.
      std::stable_partition(option.choices.begin(), option.choices.end(),
                            [](const std::string& name) { return name == "strang"; });
    }
  }
  return methods;
}

std::unique_ptr<Simulation> build_rigid_molecules(Scenario& scenario) {
  Section& system = scenario.system();
  system.allow({"kind", "molecules", "box", "cutoff", "switch_from", "pairs", "coulomb", "boltzmann",
                "length_in_angstrom", "record"});
  const Kinds kinds = read_kinds(scenario);
  const ForceField field = read_field(scenario, kinds);
  const double boltzmann = positive(system, "boltzmann", boltzmann_in_kilojoule_per_mole);
  const double angstroms = positive(system, "length_in_angstrom", 10.0);
  const std::string record = system.has("record") ? system.string("record") : "energies";
  system.note("record", {record});
  if (record != "energies" && record != "states")
    system.fail("record", filled("must be \"energies\" or \"states\", not {}", quoted(record)));
  MoleculesChoice choice = read_method(scenario);
  choice.boltzmann = boltzmann;
  choice.angstroms = angstroms;
  choice.whole_state = record == "states";
  const MoleculesBeginning beginning = read_beginning(scenario, field, kinds, boltzmann);
  return blaming(scenario.state(), "",
                 [&] { return make_rigid_molecules(field, kinds.counts, beginning, choice); });
}

}  // namespace polhode::program
