// Molecules in motion as a simulation: what there is to see of them, and their equilibration.
#include "polhode/molecules/thermal.hpp"
#include "run/stepped.hpp"
#include "systems/molecules/molecules.hpp"

namespace polhode::program {

namespace {

class MoleculesView {
 public:
  MoleculesView(const ForceField& field, const std::vector<std::size_t>& counts,
                const MoleculesChoice& choice)
      : choice_(choice), freedom_(degrees_of_freedom(field, counts)) {}

  template <class Molecules>
  void look(const Molecules& molecules, Snapshot& snapshot) const {
    const Configuration now = molecules.state();
    const MoleculeEnergies e = now.energies();
    const double kinetic = static_cast<double>(e.kinetic());
    snapshot.state = {static_cast<double>(e.potential), static_cast<double>(e.translational),
                      static_cast<double>(e.rotational), 2.0 * kinetic / (freedom_ * choice_.boltzmann)};
    if (choice_.whole_state) append_states(now, snapshot.state);
    snapshot.invariants = {e.total()};
    append(now.momentum(), snapshot.invariants);
    if (!now.field().box()) append(now.angular_momentum(), snapshot.invariants);
  }

  template <class Molecules>
  void atoms(const Molecules& molecules, AtomFrame& frame) const {
    const Configuration now = molecules.state();
    frame.elements.clear();
    frame.positions.clear();
    frame.box = now.field().box();
    if (frame.box) frame.box = choice_.angstroms * *frame.box;
    now.for_each([&](std::size_t kind, std::size_t i) {
      Vector<double> shift{};  // of the molecule as a whole into the box
      const Vector<double> centre = now.state(kind, i).position;
      if (now.field().box())
        for (std::size_t k = 0; k < 3; ++k)
          shift[k] = -std::floor(centre[k] / (*now.field().box())[k]) * (*now.field().box())[k];
      const std::vector<Vector<double>> places = now.sites(kind, i);
      const std::vector<Site>& sites = now.field().kinds()[kind].sites();
      for (std::size_t s = 0; s < sites.size(); ++s) {
        if (sites[s].element.empty()) continue;
        frame.elements.push_back(sites[s].element);
        frame.positions.push_back(choice_.angstroms * (places[s] + shift));
      }
    });
  }

 private:
  static void append(const Vector<DoubleDouble>& v, std::vector<DoubleDouble>& numbers) {
    numbers.insert(numbers.end(), v.c.begin(), v.c.end());
  }

  static void append_states(const Configuration& now, std::vector<double>& numbers) {
    const std::vector<MoleculeState<double>> states = now.states();
    const auto add = [&](const auto& v) { numbers.insert(numbers.end(), v.c.begin(), v.c.end()); };
    for (const auto& s : states) add(s.position);
    for (const auto& s : states) add(s.momentum);
    for (const auto& s : states) add(s.turning.momentum);
    for (const auto& s : states) add(s.turning.attitude);
  }

  MoleculesChoice choice_;
  int freedom_;
};

Description description_of(const ForceField& field, const std::vector<std::size_t>& counts,
                           const MoleculesChoice& choice) {
  std::size_t total = 0;
  for (const std::size_t count : counts) total += count;
  Description description;
  description.system = "rigid-molecules";
  description.method = choice.splitting.method;
  description.details = choice.splitting.details();
  description.scheme = choice.splitting.own;
  description.compensated = true;
  description.step = choice.step;
  description.state = {
      {"potential_energy", 1, 1, "user's units"},
      {"translational_energy", 1, 1, "kinetic, user's units"},
      {"rotational_energy", 1, 1, "kinetic, user's units"},
      {"temperature", 1, 1, "of the kinetic energy, over all degrees of freedom but those of the whole"},
  };
  if (choice.whole_state) {
    const std::vector<Quantity> whole{
        {"position", 3 * total, 1,
         "of the centre of mass, one molecule after the other, not put into the box"},
        {"momentum", 3 * total, 1, "of the centre of mass, one molecule after the other"},
        {"angular_momentum_of_molecule", 3 * total, 1, "about its centre, in the frame of the molecule"},
        {"attitude", 4 * total, 1, "quaternions from molecule to space, scalar first, of norm one"},
    };
    description.state.insert(description.state.end(), whole.begin(), whole.end());
  }
  description.invariants = {{"energy", 1, 1, "kinetic and potential, user's units"},
                            {"momentum", 3, 1, "of all molecules together"}};
  if (!field.box())
    description.invariants.push_back(
        {"angular_momentum", 3, 1, "of all molecules together, about the origin"});
  return description;
}

template <class Method>
std::unique_ptr<Simulation> simulated(const ForceField& field, const std::vector<std::size_t>& counts,
                                      const MoleculesBeginning& beginning, const MoleculesChoice& choice,
                                      const typename Method::Options& options) {
  using Molecules = RigidMolecules<Method>;
  const auto made = [=](const std::vector<MoleculeState<double>>& states) {
    Molecules molecules(field, counts, states, *choice.splitting.scheme, options);
    molecules.set_threads(choice.threads);
    return molecules;
  };
  const Preparation<Molecules> preparation{beginning.equilibration,
                                           [=](Molecules& molecules, std::int64_t count) {
                                             equilibrate(molecules, counts,
                                                         choice.boltzmann * beginning.temperature,
                                                         std::abs(choice.step), count);
                                           },
                                           [=](Molecules& molecules) {
                                             // Made anew: the units are those of the momenta that there are now, and the time begins.
                                             molecules = made(molecules.state().states());
                                             molecules.set_step(choice.step);
                                           }};
  return simulate(description_of(field, counts, choice), made(beginning.states),
                  MoleculesView(field, counts, choice), preparation);
}

}  // namespace

std::unique_ptr<Simulation> make_rigid_molecules(const ForceField& field,
                                                 const std::vector<std::size_t>& counts,
                                                 const MoleculesBeginning& beginning,
                                                 const MoleculesChoice& choice) {
  const MethodChoice& free = choice.splitting.free.choice;
  // The exact rotation goes through packs, which a method by name does not.
  if (free.name == "exact") return simulated<Exact<double>>(field, counts, beginning, choice, {});
  return simulated<NamedMethod<double>>(field, counts, beginning, choice, free);
}

}  // namespace polhode::program
