// Rigid molecules in motion: positions and attitudes together, by any splitting scheme.
#pragma once

#include "polhode/molecules/configuration.hpp"
#include "polhode/splitting/trial_steps.hpp"

namespace POLHODE_CORE {

/// Rigid molecules that act on each other. One flow moves every molecule as if it were alone, along a line and by the exact
/// rotation (or another method for the free body); the other one is the kick of the forces and torques.
///
/// Neighbouring stages of two steps are joined: state() synchronizes a copy, and how the steps are
/// divided among the calls makes no difference to the last bit.
template <FreeMotionMethod Method = Exact<double>>
class RigidMolecules : public TrialSteps<RigidMolecules<Method>, double, MoleculePack> {
 public:
  using W = DoubleDouble;
  using Options = typename Method::Options;

  /// counts[k] molecules of kind k of the field, with their states one after the other. Throws InputError if a state is invalid
  /// or two molecules are on one spot.
  RigidMolecules(const ForceField& field, const std::vector<std::size_t>& counts,
                 std::span<const MoleculeState<double>> states, const Scheme& scheme = core::scheme("strang"),
                 const Options& options = {})
      : RigidMolecules(std::make_shared<const ForceField>(field), counts, states, scheme, options) {}

  /// The number of threads that work; 0 means as many as the machine has. They are started here, wait for the steps, and
  /// change no bit. Copies have the same ones. Molecules that are too few for cells are moved by one.
  void set_threads(unsigned threads) {
    if (threads == 1 || !forces_.by_cells()) {
      workers_.reset();
    } else {
      workers_ = std::make_shared<Workers>(threads);
    }
  }

  const ForceField& field() const { return now_.field(); }

  /// The molecules at the end of the last step. Throws MotionError if it needs a force that is not finite.
  Configuration state() const {
    if (clock_.put_off == 0) return now_;
    RigidMolecules copy = *this;
    copy.synchronize_now();
    return copy.now_;
  }
  W energy() const { return state().energies().total(); }

  /// Puts the molecules elsewhere; the time goes on.
  void assign(std::span<const MoleculeState<double>> states) {
    examine(now_.field(), now_.arrangement(), states);
    clock_.put_off = 0;  // what was put off is of the old states
    for (std::size_t kind = 0; kind < now_.arrangement().kinds(); ++kind)
      for (std::size_t i = 0; i < now_.arrangement().count(kind); ++i)
        now_.assign(kind, i, states[now_.arrangement().before(kind) + i]);
  }

 private:
  using Steps = TrialSteps<RigidMolecules, double, MoleculePack>;
  friend Steps;
  using Steps::clock_, Steps::order_, Steps::trial_;

  static void put(detail::ByteWriter& writer, const Pack& x) {
    for (std::size_t lane = 0; lane < Pack::width; ++lane) writer.put(x[lane]);
  }
  static void get(detail::ByteReader& reader, Pack& x) {
    for (std::size_t lane = 0; lane < Pack::width; ++lane) {
      double number = 0.0;
      reader.get(number);
      x.set(lane, number);
    }
  }

  RigidMolecules(const std::shared_ptr<const ForceField>& field, const std::vector<std::size_t>& counts,
                 std::span<const MoleculeState<double>> states, const Scheme& scheme, const Options& options)
      : Steps(scheme), now_(first(field, counts, states)), forces_(field, now_.arrangement()) {
    trial_ = now_.packs();
    for (const Molecule& kind : field->kinds()) rotations_.emplace_back(kind.body().inertia(), options);
    if (!rotations_.empty()) order_ = rotations_.front().order();
    choose_units(field, states);
  }

  static Configuration first(const std::shared_ptr<const ForceField>& field,
                             const std::vector<std::size_t>& counts,
                             std::span<const MoleculeState<double>> states) {
    if (counts.size() != field->kinds().size())
      throw InputError("there are not as many numbers of molecules as kinds");
    const Arrangement arrangement(counts);
    examine(*field, arrangement, states);
    return {field, arrangement, std::vector<int>(counts.size()), states};
  }

  static void examine(const ForceField& field, const Arrangement& arrangement,
                      std::span<const MoleculeState<double>> states) {
    if (states.size() != arrangement.molecules())
      throw InputError("there are not as many states as molecules");
    for (std::size_t kind = 0; kind < arrangement.kinds(); ++kind) {
      for (std::size_t i = 0; i < arrangement.count(kind); ++i) {
        const std::size_t n = arrangement.before(kind) + i;
        examine_one(field.kinds()[kind], states[n], n);
      }
    }
    std::vector<Vector<double>> centres;
    for (const auto& s : states) centres.push_back(s.position);
    examine_spots(field, centres);
  }

  static void examine_spots(const ForceField& field, const std::vector<Vector<double>>& centres) {
    const auto examine_pair = [&](std::size_t i, std::size_t j) {
      if (field.nearest(centres[i] - centres[j]) == Vector<double>{})
        throw InputError(both(i, j) + " are on one spot");
    };
    if (field.box()) return for_each_near_pair(field, 0.0, centres, examine_pair);
    // In free space those on one spot are next to each other in an order of places; the first two of the first are told.
    std::vector<std::size_t> order(centres.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t i, std::size_t j) { return centres[i].c < centres[j].c; });
    std::size_t worst = 0, first = order.size();
    for (std::size_t n = 1; n < order.size(); ++n) {
      if (!(centres[order[n - 1]] == centres[order[n]]) || order[n - 1] >= first) continue;
      first = order[n - 1];
      worst = n;
    }
    if (worst > 0) examine_pair(order[worst - 1], order[worst]);
  }

  static std::string both(std::size_t i, std::size_t j) {
    return "molecules [" + std::to_string(i) + "] and [" + std::to_string(j) + "]";
  }

  static void examine_one(const Molecule& molecule, const MoleculeState<double>& state, std::size_t n) {
    const auto refuse = [n](const std::string& reason) {
      throw InputError("molecule [" + std::to_string(n) + "]: " + reason);
    };
    for (const auto& v : {state.position, state.momentum})
      for (const double x : v.c)
        if (!isfinite(x)) refuse("a component of the position or the momentum is not a finite number");
    try {
      core::examine(state.turning);
    } catch (const InputError& e) {
      refuse(e.what());
    }
    const Vector<double>& m = state.turning.momentum;
    const double along = static_cast<double>(dot(molecule.line(), convert<W>(m)));
    if (molecule.degrees_of_freedom() == 5 && abs(along) > 1e-12 * norm(m))
      refuse("the momentum has a component along the line of a linear molecule");
    if (molecule.degrees_of_freedom() == 3 && !(m == Vector<double>{}))
      refuse("an atom has no momentum to turn");
  }

  /// Units that suit the momentum that there is, and that the torques will give: molecules may start at rest.
  void choose_units(const std::shared_ptr<const ForceField>& field,
                    std::span<const MoleculeState<double>> states) {
    const Arrangement& arrangement = now_.arrangement();
    place();
    if (!forces_.evaluate(nullptr)) blame(nullptr);
    std::vector<int> units;
    for (std::size_t kind = 0; kind < arrangement.kinds(); ++kind) {
      const int inertia = field->kinds()[kind].body().inertia_exponent();
      int unit = -2000;
      for (std::size_t i = 0; i < arrangement.count(kind); ++i) {
        const Vector<double>& m = states[arrangement.before(kind) + i].turning.momentum;
        const std::size_t slot = arrangement.first(kind) + i, lane = slot % Pack::width;
        Vector<double> torque;
        for (std::size_t k = 0; k < 3; ++k) torque[k] = forces_.torque(k, slot - lane)[lane];
        if (!(m == Vector<double>{})) unit = std::max(unit, momentum_exponent(m));
        if (!(torque == Vector<double>{})) unit = std::max(unit, (momentum_exponent(torque) + inertia) / 2);
      }
      units.push_back(unit == -2000 ? inertia : unit);
      if (std::abs(units.back() - inertia) > 900)
        throw InputError(
            "the units of momentum, inertia and torque are too far from each other for a double");
    }
    now_ = Configuration(field, arrangement, units, states);
  }

  /// visit(pack, kind, slot, number of molecules in it), by all threads.
  template <class Visitor>
  void for_each_pack(const Visitor& visit) {
    constexpr std::size_t least = 64;  // packs that are worth a thread
    const Arrangement& arrangement = now_.arrangement();
    for (std::size_t kind = 0; kind < arrangement.kinds(); ++kind) {
      const std::size_t first = arrangement.first(kind), count = arrangement.count(kind);
      share_range(workers_.get(), arrangement.padded(kind) / Pack::width, least,
                  [&](std::size_t begin, std::size_t end) {
                    for (std::size_t i = begin * Pack::width; i < end * Pack::width; i += Pack::width)
                      visit(trial_[(first + i) / Pack::width], kind, first + i,
                            std::min(Pack::width, count - i));
                  });
    }
  }

  // What TrialSteps asks for.
  auto& sums() { return now_.packs(); }
  const auto& sums() const { return now_.packs(); }
  void write_sums(detail::ByteWriter& writer) const {
    for (MoleculePack pack : now_.packs()) pack.visit([&](const Pack& x) { put(writer, x); });
  }
  void read_sums(detail::ByteReader& reader) {
    for (MoleculePack& pack : now_.packs()) pack.visit([&](Pack& x) { get(reader, x); });
  }

  void move(double length) {
    for_each_pack([&](MoleculePack& pack, std::size_t kind, std::size_t, std::size_t present) {
      const Molecule& molecule = now_.field().kinds()[kind];
      const Pack rate(length / molecule.mass());
      for (std::size_t k = 0; k < 3; ++k) {
        const auto [value, error] = two_product(rate, pack.momentum[k].value);
        pack.position[k].add(ErrorFree<Pack>{value, error + rate * pack.momentum[k].error});
      }
      if (molecule.degrees_of_freedom() > 3)
        rotations_[kind]({&pack, 1},
                         ldexp(length, now_.momentum_unit(kind) - molecule.body().inertia_exponent()),
                         present);
    });
  }

  void place() {
    for_each_pack([&](MoleculePack& pack, std::size_t kind, std::size_t slot, std::size_t) {
      const Vector<Pack> centre{{pack.position[0].value, pack.position[1].value, pack.position[2].value}};
      forces_.place(kind, slot, centre, pack.turning.attitude());
    });
  }

  void kick(double length, const W& time) {
    place();
    if (!forces_.evaluate(workers_.get())) blame(&time);
    for_each_pack([&](MoleculePack& pack, std::size_t kind, std::size_t slot, std::size_t) {
      const Pack h(length);
      Vector<Pack> torque;
      for (std::size_t k = 0; k < 3; ++k) {
        const auto [value, error] = two_product(h, forces_.force(k, slot));
        pack.momentum[k].add(ErrorFree<Pack>{value, error + h * forces_.force_error(k, slot)});
        torque[k] = forces_.torque(k, slot);
      }
      if (now_.field().kinds()[kind].degrees_of_freedom() == 3) return;
      const Pack inner(ldexp(length, -now_.momentum_unit(kind)));
      const Vector<Pack> t = rotate(conjugate(pack.turning.attitude()), torque);
      pack.turning.add_momentum(std::array<ErrorFree<Pack>, 3>{
          two_product(inner, t[0]), two_product(inner, t[1]), two_product(inner, t[2])});
    });
  }

  /// Names the pair whose force is not finite.
  [[noreturn]] void blame(const W* time) const {
    const std::string when = time == nullptr ? "" : " at time " + digits_of(static_cast<double>(*time));
    Configuration where = now_;
    where.packs() = trial_;
    std::vector<Vector<double>> centres;
    std::vector<std::vector<Vector<double>>> offsets;
    std::vector<std::size_t> kinds;
    where.for_each([&](std::size_t kind, std::size_t i) {
      centres.push_back(where.state(kind, i).position);
      offsets.push_back(where.sites(kind, i));
      for (auto& site : offsets.back()) site = site - centres.back();
      kinds.push_back(kind);
    });
    for_each_near_pair(where.field(), where.field().cutoff(), centres, [&](std::size_t i, std::size_t j) {
      const double energy = where.field().pair_energy(kinds[i], kinds[j], centres[i] - centres[j],
                                                      offsets[i].data(), offsets[j].data());
      // Where the force overflows the energy is still the root of it.
      if (!(abs(energy) < 1e150)) throw MotionError(both(i, j) + " are on one spot" + when);
    });
    throw MotionError("a force between the molecules is not a finite number" + when);
  }

  void keep_in_range() {
    for_each_pack([&](MoleculePack& pack, std::size_t, std::size_t, std::size_t present) {
      for (std::size_t lane = 0; lane < present; ++lane) {
        Motion<double, Summation::compensated> one;
        one.visit_with(pack.turning, [lane](double& x, const Pack& y) { x = y[lane]; });
        one.keep_in_range();
        pack.turning.visit_with(one, [lane](Pack& x, double y) { x.set(lane, y); });
      }
    });
  }

  Configuration now_;
  SiteForces forces_;
  std::shared_ptr<Workers> workers_;  // none: one thread
  std::vector<PackRotation<Method>> rotations_;
};

}  // namespace POLHODE_CORE

namespace polhode::molecules {
using core::RigidMolecules;
}  // namespace polhode::molecules
