// Where many molecules are and how they move, and what can be said about it.
#pragma once

#include <cstdint>

#include "polhode/molecules/pack_rotation.hpp"
#include "polhode/molecules/site_forces.hpp"

namespace POLHODE_CORE {

/// A molecule as its user sees it: centre of mass and momentum in space; angular momentum about the centre in the
/// axes of the molecule, and its attitude.
template <class T>
struct MoleculeState {
  Vector<T> position;
  Vector<T> momentum;
  State<T> turning;
  friend constexpr bool operator==(const MoleculeState&, const MoleculeState&) = default;
};

/// The energies of molecules, in extended precision.
struct MoleculeEnergies {
  DoubleDouble translational, rotational, potential;
  DoubleDouble kinetic() const { return translational + rotational; }
  DoubleDouble total() const { return kinetic() + potential; }
};

/// Molecules of the kinds of a force field, in the order of the kinds.
class Configuration {
 public:
  using W = DoubleDouble;

  /// The states of the molecules, kind by kind; momentum_units are the exponents of the inner units. Checks nothing:
  /// RigidMolecules does.
  Configuration(std::shared_ptr<const ForceField> field, const Arrangement& arrangement,
                std::vector<int> momentum_units, std::span<const MoleculeState<double>> states)
      : field_(std::move(field)),
        arrangement_(arrangement),
        units_(std::move(momentum_units)),
        packs_(arrangement.slots() / Pack::width) {
    // The lanes that no molecule has turn about an axis: they are computed with, and must be numbers.
    const State<Pack> spin{{{Pack(1.0), Pack(0.0), Pack(0.0)}}, {}};
    for (MoleculePack& pack : packs_) pack.turning = PackSums(spin);
    for (std::size_t kind = 0; kind < arrangement_.kinds(); ++kind)
      for (std::size_t i = 0; i < arrangement_.count(kind); ++i)
        assign(kind, i, states[arrangement_.before(kind) + i]);
  }

  const ForceField& field() const { return *field_; }
  const Arrangement& arrangement() const { return arrangement_; }
  int momentum_unit(std::size_t kind) const { return units_[kind]; }
  std::vector<MoleculePack>& packs() { return packs_; }
  const std::vector<MoleculePack>& packs() const { return packs_; }

  /// The i-th molecule of a kind; the attitude has norm one.
  MoleculeState<W> wide_state(std::size_t kind, std::size_t i) const {
    const auto [pack, lane] = place_of(kind, i);
    MoleculeState<W> result;
    for (std::size_t k = 0; k < 3; ++k) {
      result.position[k] = W::sum(pack->position[k].value[lane], pack->position[k].error[lane]);
      result.momentum[k] = W::sum(pack->momentum[k].value[lane], pack->momentum[k].error[lane]);
    }
    result.turning = field_->kinds()[kind].body().to_user(inner(kind, i));
    for (auto& x : result.turning.momentum.c) x = ldexp(x, units_[kind]);
    result.turning.attitude = normalized(result.turning.attitude);
    return result;
  }
  MoleculeState<double> state(std::size_t kind, std::size_t i) const {
    const MoleculeState<W> s = wide_state(kind, i);
    return {convert<double>(s.position), convert<double>(s.momentum), convert<double>(s.turning)};
  }
  /// All of them.
  std::vector<MoleculeState<double>> states() const {
    std::vector<MoleculeState<double>> result;
    for_each([&](std::size_t kind, std::size_t i) { result.push_back(state(kind, i)); });
    return result;
  }

  void assign(std::size_t kind, std::size_t i, const MoleculeState<double>& s) {
    const auto [pack, lane] = place_of(kind, i);
    const Body<double>& body = field_->kinds()[kind].body();
    State<W> turning = body.to_principal(s.turning);
    for (auto& x : turning.momentum.c) x = ldexp(x, -units_[kind]);
    Motion<double, Summation::compensated> one;
    one.assign(turning.momentum, turning.attitude);
    one.keep_in_range();
    pack->turning.visit_with(one, [at = lane](Pack& x, double y) { x.set(at, y); });
    for (std::size_t k = 0; k < 3; ++k) {
      pack->position[k].value.set(lane, s.position[k]);
      pack->position[k].error.set(lane, 0.0);
      pack->momentum[k].value.set(lane, s.momentum[k]);
      pack->momentum[k].error.set(lane, 0.0);
    }
  }

  /// Kinetic and potential energy, all of it in extended precision.
  MoleculeEnergies energies() const {
    MoleculeEnergies e = kinetic_energies();
    e.potential = potential<W>();
    return e;
  }
  /// The same without the potential energy.
  MoleculeEnergies kinetic_energies() const {
    MoleculeEnergies e;
    for_each([&](std::size_t kind, std::size_t i) {
      const Molecule& molecule = field_->kinds()[kind];
      const MoleculeState<W> s = wide_state(kind, i);
      e.translational += dot(s.momentum, s.momentum) / W(2.0 * molecule.mass());
      if (molecule.degrees_of_freedom() > 3)
        e.rotational += ldexp(molecule.body().inertia().energy(inner(kind, i).momentum),
                              2 * units_[kind] - molecule.body().inertia_exponent());
    });
    return e;
  }

  /// The potential energy, with the terms in U.
  template <class U>
  U potential() const {
    std::vector<Vector<U>> centres;
    std::vector<Vector<double>> rounded;
    std::vector<std::vector<Vector<U>>> offsets;
    std::vector<std::size_t> kinds;
    for_each([&](std::size_t kind, std::size_t i) {
      const MoleculeState<W> s = wide_state(kind, i);
      const Quaternion<U> q = convert<U>(inner(kind, i).attitude);
      centres.push_back(convert<U>(s.position));
      rounded.push_back(convert<double>(s.position));
      kinds.push_back(kind);
      offsets.emplace_back();
      for (const auto& offset : field_->kinds()[kind].offsets())
        offsets.back().push_back(rotate(q, convert<U>(offset)));
    });
    U energy(0);
    for_each_near_pair(*field_, field_->cutoff(), rounded, [&](std::size_t i, std::size_t j) {
      energy += field_->pair_energy(kinds[i], kinds[j], centres[i] - centres[j], offsets[i].data(),
                                    offsets[j].data());
    });
    return energy;
  }

  /// The total momentum.
  Vector<W> momentum() const {
    Vector<W> sum{};
    for_each([&](std::size_t kind, std::size_t i) { sum = sum + wide_state(kind, i).momentum; });
    return sum;
  }

  /// The total angular momentum about the origin, conserved in free space.
  Vector<W> angular_momentum() const {
    Vector<W> sum{};
    for_each([&](std::size_t kind, std::size_t i) {
      const MoleculeState<W> s = wide_state(kind, i);
      sum = sum + (cross(s.position, s.momentum) + rotate(s.turning.attitude, s.turning.momentum));
    });
    return sum;
  }

  /// The places of the sites of a molecule in space.
  std::vector<Vector<double>> sites(std::size_t kind, std::size_t i) const {
    const Vector<double> centre = convert<double>(wide_state(kind, i).position);
    const Quaternion<double> q = convert<double>(inner(kind, i).attitude);
    std::vector<Vector<double>> result;
    for (const auto& offset : field_->kinds()[kind].offsets()) result.push_back(centre + rotate(q, offset));
    return result;
  }

  /// visit(kind, index) for each molecule, in their order.
  template <class Visitor>
  void for_each(Visitor&& visit) const {
    for (std::size_t kind = 0; kind < arrangement_.kinds(); ++kind)
      for (std::size_t i = 0; i < arrangement_.count(kind); ++i) visit(kind, i);
  }

 private:
  struct Place {
    MoleculePack* pack;
    std::size_t lane;
  };
  struct ConstPlace {
    const MoleculePack* pack;
    std::size_t lane;
  };
  Place place_of(std::size_t kind, std::size_t i) {
    const std::size_t slot = arrangement_.first(kind) + i;
    return {&packs_[slot / Pack::width], slot % Pack::width};
  }
  ConstPlace place_of(std::size_t kind, std::size_t i) const {
    const std::size_t slot = arrangement_.first(kind) + i;
    return {&packs_[slot / Pack::width], slot % Pack::width};
  }

  /// In the principal frame and the inner unit.
  State<W> inner(std::size_t kind, std::size_t i) const {
    const auto [pack, lane] = place_of(kind, i);
    Motion<double, Summation::compensated> one;
    one.visit_with(pack->turning, [at = lane](double& x, const Pack& y) { x = y[at]; });
    return one.wide_state();
  }

  std::shared_ptr<const ForceField> field_;
  Arrangement arrangement_;
  std::vector<int> units_;
  std::vector<MoleculePack> packs_;
};

}  // namespace POLHODE_CORE

namespace polhode::molecules {
using core::Configuration;
using core::MoleculeEnergies;
using core::MoleculeState;
}  // namespace polhode::molecules
