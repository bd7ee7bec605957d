// Molecules moved by every method of the list, turned from types into values.
#include <cstring>
#include <type_traits>

#include "polhode/free_motion/methods.hpp"
#include "polhode/molecules/thermal.hpp"
#include "run/atoms.hpp"
#include "systems/molecules/molecules.hpp"
#include "text/text.hpp"

namespace polhode::program {

namespace {

/// All that does not depend on the method.
class MoleculesSimulation : public Simulation, public AtomSource {
 public:
  const Description& description() const final { return description_; }

  void look(Snapshot& snapshot) const final {
    const Configuration now = settled();
    const MoleculeEnergies e = now.energies();
    const double kinetic = static_cast<double>(e.kinetic());
    snapshot.state = {static_cast<double>(e.potential), static_cast<double>(e.translational),
                      static_cast<double>(e.rotational), 2.0 * kinetic / (freedom_ * choice_.boltzmann)};
    if (choice_.whole_state) append_states(now, snapshot.state);
    snapshot.derived.clear();
    snapshot.invariants = {e.total()};
    append(now.momentum(), snapshot.invariants);
    if (!now.field().box()) append(now.angular_momentum(), snapshot.invariants);
  }

  void atoms(AtomFrame& frame) const final {
    const Configuration now = settled();
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

 protected:
  MoleculesSimulation(const ForceField& field, const std::vector<std::size_t>& counts,
                      const MoleculesChoice& choice)
      : choice_(choice), freedom_(degrees_of_freedom(field, counts)) {
    std::size_t total = 0;
    for (const std::size_t count : counts) total += count;
    description_.system = "rigid-molecules";
    description_.method = choice.method;
    if (choice.method == "splitting")
      description_.details = std::string(choice.scheme.name) + " with " + choice.free.method;
    description_.compensated = true;
    description_.step = choice.step;
    description_.state = {
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
      description_.state.insert(description_.state.end(), whole.begin(), whole.end());
    }
    description_.invariants = {{"energy", 1, 1, "kinetic and potential, user's units"},
                               {"momentum", 3, 1, "of all molecules together"}};
    if (!field.box())
      description_.invariants.push_back(
          {"angular_momentum", 3, 1, "of all molecules together, about the origin"});
  }

  virtual Configuration settled() const = 0;
  const MoleculesChoice& choice() const { return choice_; }

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
  Description description_;
};

template <FreeMotionMethod Method>
class MoleculesBy final : public MoleculesSimulation {
 public:
  MoleculesBy(const ForceField& field, const std::vector<std::size_t>& counts,
              const MoleculesBeginning& beginning, const MoleculesChoice& choice)
      : MoleculesSimulation(field, counts, choice),
        molecules_(field, counts, equilibrated(field, counts, beginning, choice), choice.scheme,
                   options_of<typename Method::Options>(choice.free)) {}

  Evaluations evaluations() const override { return {molecules_.evaluations(), 0}; }

 private:
  using Molecules = RigidMolecules<Method>;
  struct Rest {
    Standing<double> standing;
    double step;
    std::int64_t evaluations;
  };
  static_assert(std::is_trivially_copyable_v<Rest>);

  static std::vector<MoleculeState<double>> equilibrated(const ForceField& field,
                                                         const std::vector<std::size_t>& counts,
                                                         const MoleculesBeginning& beginning,
                                                         const MoleculesChoice& choice) {
    if (beginning.equilibration == 0) return beginning.states;
    Molecules molecules(field, counts, beginning.states, choice.scheme,
                        options_of<typename Method::Options>(choice.free));
    equilibrate(molecules, counts, choice.boltzmann * beginning.temperature, std::abs(choice.step),
                beginning.equilibration);
    return molecules.settled().states();
  }

  Configuration settled() const override { return molecules_.settled(); }
  void move(std::int64_t count) override { molecules_.steps(choice().step, count); }

  std::vector<std::byte> motion_bytes() const override {
    typename Molecules::Saved saved = molecules_.save();
    const Rest rest{saved.standing, saved.step, saved.evaluations};
    std::vector<double> numbers;
    for (MoleculePack& pack : saved.packs)
      pack.visit([&](const Pack& x) {
        for (std::size_t lane = 0; lane < Pack::width; ++lane) numbers.push_back(x[lane]);
      });
    const std::size_t size = numbers.size() * sizeof(double);
    std::vector<std::byte> bytes(size + sizeof(Rest));
    std::memcpy(bytes.data(), numbers.data(), size);
    std::memcpy(bytes.data() + size, &rest, sizeof(Rest));
    return bytes;
  }
  void take_motion_bytes(const std::vector<std::byte>& bytes) override {
    if (bytes.size() != motion_bytes().size()) throw InputError("the checkpoint is of another simulation");
    const std::size_t size = bytes.size() - sizeof(Rest);
    std::vector<double> numbers(size / sizeof(double));
    Rest rest;
    std::memcpy(numbers.data(), bytes.data(), size);
    std::memcpy(&rest, bytes.data() + size, sizeof(Rest));
    typename Molecules::Saved saved = molecules_.save();
    std::size_t i = 0;
    for (MoleculePack& pack : saved.packs)
      pack.visit([&](Pack& x) {
        for (std::size_t lane = 0; lane < Pack::width; ++lane) x.set(lane, numbers[i++]);
      });
    saved.standing = rest.standing;
    saved.step = rest.step;
    saved.evaluations = rest.evaluations;
    molecules_.restore(saved);
  }

  Molecules molecules_;
};

}  // namespace

std::unique_ptr<Simulation> make_rigid_molecules(const ForceField& field,
                                                 const std::vector<std::size_t>& counts,
                                                 const MoleculesBeginning& beginning,
                                                 const MoleculesChoice& choice) {
  std::unique_ptr<Simulation> result;
  for_each_free_motion_method<double>([&]<class Method>(std::type_identity<Method>) {
    if (choice.free.method == Method::info.name)
      result = std::make_unique<MoleculesBy<Method>>(field, counts, beginning, choice);
  });
  if (!result) throw InputError("there is no method " + quoted(choice.free.method));
  return result;
}

}  // namespace polhode::program
