// Reading a scenario of rigid molecules.
#include "systems/molecules/molecules.hpp"

#include <algorithm>

#include "polhode/molecules/thermal.hpp"
#include "polhode/molecules/water.hpp"
#include "text/text.hpp"

namespace polhode::program {

namespace {

/// Calls read(section) for each table of an array of tables, which is noted as it is.
template <class Read>
void for_each_table(Section& section, std::string_view key, Read read) {
  section.note(key, section.value(key));
  for (Section& table : section.tables(key)) read(table);
}

Site read_site(Section& table) {
  table.allow({"element", "name", "position", "mass", "charge", "epsilon", "sigma"});
  Site site;
  if (table.has("element")) site.element = table.string("element");
  site.name = table.has("name") ? table.string("name") : site.element;
  if (site.element.find_first_of(" \t\r\n\"") != std::string::npos)
    table.fail("element", "must be a plain word: it goes into trajectory files");
  site.position = table.vector("position");
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
  for_each_table(scenario.system(), "molecules", [&](Section& table) {
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
                   filled("there is no molecule {}{}", in_quotes(known), suggestion(known, names)));
      kinds.molecules.push_back(water(known));
    } else {
      std::vector<Site> sites;
      for_each_table(table, "sites", [&](Section& site) { sites.push_back(read_site(site)); });
      const std::string called =
          table.has("name") ? table.string("name") : std::to_string(kinds.counts.size());
      kinds.molecules.push_back(blaming(table, "sites", [&] { return Molecule(called, std::move(sites)); }));
    }
    kinds.counts.push_back(static_cast<std::size_t>(count));
    kinds.total += static_cast<std::size_t>(count);
  });
  return kinds;
}

ForceField read_field(Scenario& scenario, const Kinds& kinds) {
  Section& system = scenario.system();
  ForceFieldOptions options;
  options.coulomb = system.number_or("coulomb", coulomb_in_kilojoule_per_mole);
  if (system.has("box")) {
    if (std::holds_alternative<Array>(system.value("box").content)) {
      options.box = system.vector("box");
    } else {
      const double edge = system.number("box");
      options.box = Vector<double>{{edge, edge, edge}};
    }
  }
  if (system.has("cutoff")) options.cutoff = system.number("cutoff");
  if (system.has("switch_from")) options.switch_from = system.number("switch_from");
  if (system.has("pairs")) {
    for_each_table(system, "pairs", [&](Section& table) {
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
  return state.rows(key, width);
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
  const std::int64_t seed = state.integer_or("seed", 0, 1);
  beginning.equilibration = state.integer_or("equilibration", 0, 0);
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

}  // namespace

// The forces of a liquid change so fast that nothing is gained by a higher order at the accuracy that is asked for.
std::vector<MethodEntry> molecule_methods() { return methods_for_many("strang"); }

namespace {

constexpr std::int64_t most_threads = 1024;

std::unique_ptr<Simulation> build_rigid_molecules(const System& entry, Scenario& scenario) {
  Section& system = scenario.system();
  entry.allow_keys(system, {"kind"});
  const Kinds kinds = read_kinds(scenario);
  const ForceField field = read_field(scenario, kinds);
  MoleculesChoice choice;
  choice.boltzmann = system.positive_or("boltzmann", boltzmann_in_kilojoule_per_mole);
  choice.angstroms = system.positive_or("length_in_angstrom", 10.0);
  const std::string record = system.string_or("record", "energies");
  if (record != "energies" && record != "states")
    system.fail("record", filled("must be \"energies\" or \"states\", not {}", in_quotes(record)));
  choice.whole_state = record == "states";
  const std::int64_t threads = system.integer_or("threads", 0, 1);
  if (threads > most_threads)
    system.fail("threads", filled("must be 0 to {}, not {}", most_threads, threads));
  choice.threads = static_cast<unsigned>(threads);
  choice.splitting = read_splitting_of_many(scenario, molecule_methods(), "rigid molecules");
  choice.step = scenario.step();
  const MoleculesBeginning beginning = read_beginning(scenario, field, kinds, choice.boltzmann);
  try {
    return blaming(scenario.state(), "",
                   [&] { return make_rigid_molecules(field, kinds.counts, beginning, choice); });
  } catch (const MotionError& e) {  // a motion that cannot begin
    scenario.state().fail("", e.what());
  }
}

}  // namespace

namespace entries {
System rigid_molecules() {
  return {
      "rigid-molecules",
      "rigid molecules that act on each other, in a periodic box or free",
      {{"molecules", "an array of tables: molecule, a known one, or name and sites; and count", true},
       {"box", "the edge of the periodic box, or its three edges; free space without it"},
       {"cutoff", "the distance beyond which there is no force"},
       {"switch_from", "the distance from which the force is brought to zero smoothly"},
       {"pairs", "an array of tables: first, second, epsilon, sigma of sites that do not mix by the rule"},
       {"coulomb", "the constant of Coulomb's law; default in kJ nm/(mol e^2)"},
       {"boltzmann", "Boltzmann's constant; default in kJ/(mol K)"},
       {"length_in_angstrom", "the unit of length, for trajectories in XYZ; default 10"},
       {"record", "\"energies\" (the default) or \"states\" of all molecules"},
       {"threads",
        "that share the forces, without changing a bit; 0: as many as there are cores; default 1"}},
      molecule_methods,
      build_rigid_molecules};
}
}  // namespace entries

}  // namespace polhode::program
