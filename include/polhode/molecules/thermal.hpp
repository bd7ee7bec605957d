// Beginnings: molecules on a lattice, and momenta of a temperature.
#pragma once

#include <cmath>
#include <random>

#include "polhode/molecules/rigid_molecules.hpp"

namespace POLHODE_CORE {

/// Normal deviates that are the same on every machine: the standard fixes the generator, but not its distributions.
class NormalDeviates {
 public:
  explicit NormalDeviates(std::uint64_t seed) : random_(seed) {}

  /// Marsaglia's polar method.
  double operator()() {
    for (;;) {
      const double x = uniform(), y = uniform(), s = x * x + y * y;
      if (s > 0.0 && s < 1.0) return x * std::sqrt(-2.0 * std::log(s) / s);
    }
  }

 private:
  double uniform() { return static_cast<double>(random_() >> 11) * 0x1p-52 - 1.0; }  // in [-1, 1)
  std::mt19937_64 random_;
};

/// Molecules at the places of a simple cubic lattice, kinds in turn, each with an attitude of its own by chance, and momenta by
/// chance at k T = `energy`. The edges are those of the lattice's box.
inline std::vector<MoleculeState<double>> thermal_lattice(const ForceField& field,
                                                          const std::vector<std::size_t>& counts,
                                                          const Vector<double>& edges, double energy,
                                                          std::uint64_t seed) {
  std::size_t total = 0, side = 1;
  for (const std::size_t count : counts) total += count;
  while (side * side * side < total) ++side;
  std::vector<std::size_t> spots(total);  // spread over the lattice where it has more than are needed
  for (std::size_t i = 0; i < total; ++i)
    spots[i] = i * (side * side * side) / std::max<std::size_t>(total, 1);
  std::mt19937_64 shuffle(seed ^ 0x9e3779b97f4a7c15U);
  for (std::size_t i = total; i > 1; --i) std::swap(spots[i - 1], spots[shuffle() % i]);

  NormalDeviates normal(seed);
  std::vector<MoleculeState<double>> states;
  for (std::size_t kind = 0; kind < counts.size(); ++kind) {
    const Molecule& molecule = field.kinds()[kind];
    for (std::size_t i = 0; i < counts[kind]; ++i) {
      const std::size_t spot = spots[states.size()];
      const std::array<std::size_t, 3> cell{spot / (side * side), spot / side % side, spot % side};
      MoleculeState<double> s;
      State<double> principal;
      for (std::size_t k = 0; k < 3; ++k) {
        s.position[k] = edges[k] * ((static_cast<double>(cell[k]) + 0.5) / static_cast<double>(side) - 0.5);
        s.momentum[k] = std::sqrt(molecule.mass() * energy) * normal();
        principal.momentum[k] = std::sqrt(molecule.body().moments()[k] * energy) * normal();
      }
      for (auto& x : principal.attitude.c) x = normal();
      principal.attitude = normalized(principal.attitude);
      s.turning = convert<double>(molecule.body().to_user(convert<DoubleDouble>(principal)));
      Vector<double>& m = s.turning.momentum;
      const Vector<double> line = convert<double>(molecule.line());
      for (int twice = 0; twice < 2; ++twice)
        if (molecule.degrees_of_freedom() == 5) m = m - dot(line, m) * line;
      if (molecule.degrees_of_freedom() == 3) m = {};
      states.push_back(s);
    }
  }
  return states;
}

/// Takes the motion of the whole away: the total momentum and, in free space, the total angular momentum. Both are zero up to
/// rounding then. Throws InputError if the molecules lie so that no rotation of the whole is defined.
inline void remove_common_motion(const ForceField& field, const std::vector<std::size_t>& counts,
                                 std::vector<MoleculeState<double>>& states) {
  std::vector<const Molecule*> molecules;
  for (std::size_t kind = 0; kind < counts.size(); ++kind)
    molecules.insert(molecules.end(), counts[kind], &field.kinds()[kind]);
  double mass = 0.0;
  Vector<double> momentum{}, centre{};
  for (std::size_t i = 0; i < states.size(); ++i) {
    mass += molecules[i]->mass();
    momentum = momentum + states[i].momentum;
    centre = centre + molecules[i]->mass() * states[i].position;
  }
  centre = (1.0 / mass) * centre;
  for (std::size_t i = 0; i < states.size(); ++i)
    states[i].momentum = states[i].momentum - (molecules[i]->mass() / mass) * momentum;
  if (field.box() || states.size() < 2) return;

  const auto body_tensor = [&](std::size_t i) {  // in space
    const Body<double>& body = molecules[i]->body();
    Matrix<double> axes = convert<double>(body.axes());
    const Matrix<double> turn = to_matrix(states[i].turning.attitude) * transpose(axes);
    Matrix<double> moments{};
    for (std::size_t k = 0; k < 3; ++k) moments[k][k] = body.moments()[k];
    Matrix<double> tensor = turn * moments * transpose(turn);
    if (molecules[i]->degrees_of_freedom() == 3) tensor = {};
    if (molecules[i]->degrees_of_freedom() == 5) {
      const Vector<double> line = rotate(states[i].turning.attitude, convert<double>(molecules[i]->line()));
      for (std::size_t k = 0; k < 3; ++k) tensor[k] = tensor[k] - (body.moments()[0] * line[k]) * line;
    }
    return tensor;
  };
  Matrix<double> tensor{};
  Vector<double> angular{};
  for (std::size_t i = 0; i < states.size(); ++i) {
    const MoleculeState<double>& s = states[i];
    const Vector<double> r = s.position - centre;
    angular = angular + (cross(r, s.momentum) + rotate(s.turning.attitude, s.turning.momentum));
    const Matrix<double> own = body_tensor(i);
    for (std::size_t k = 0; k < 3; ++k) {
      tensor[k] = tensor[k] + (own[k] - (molecules[i]->mass() * r[k]) * r);
      tensor[k][k] += molecules[i]->mass() * dot(r, r);
    }
  }
  const Body<double> whole(tensor);
  const Vector<double> principal = convert<double>(whole.to_principal(angular));
  Vector<double> w;
  for (std::size_t k = 0; k < 3; ++k) w[k] = principal[k] / whole.moments()[k];
  w = convert<double>(whole.to_user(convert<DoubleDouble>(w)));
  for (std::size_t i = 0; i < states.size(); ++i) {
    MoleculeState<double>& s = states[i];
    const Vector<double> share = rotate(conjugate(s.turning.attitude), body_tensor(i) * w);
    s.momentum = s.momentum - molecules[i]->mass() * cross(w, s.position - centre);
    s.turning.momentum = s.turning.momentum - share;
  }
}

/// The degrees of freedom that the kinetic energy is spread over: the motion of the whole is none of them. (Of two atoms in free
/// space, the whole has one less than a body, and they have one left.)
inline int degrees_of_freedom(const ForceField& field, const std::vector<std::size_t>& counts) {
  int result = 0;
  std::size_t total = 0;
  for (std::size_t kind = 0; kind < counts.size(); ++kind) {
    result += static_cast<int>(counts[kind]) * field.kinds()[kind].degrees_of_freedom();
    total += counts[kind];
  }
  return total < 2 ? result : std::max(1, result - (field.box() ? 3 : 6));
}

namespace detail {

/// The factor that brings a kinetic energy to that of so many degrees of freedom at k T = `energy`.
inline double thermal_factor(int freedom, double energy, double kinetic) {
  return kinetic > 0.0 ? std::sqrt(0.5 * freedom * energy / kinetic) : 1.0;
}

}  // namespace detail

/// Takes `count` steps and enforces k T = `energy` after every tenth: translation and rotation get their shares, and what is left when
/// the motion of the whole is taken away is brought to the temperature. Crude, but a liquid forgets its lattice that way.
/// The time is counted on.
template <class Method>
void equilibrate(RigidMolecules<Method>& molecules, const std::vector<std::size_t>& counts, double energy,
                 double h, std::int64_t count) {
  constexpr std::int64_t interval = 10;
  const ForceField field = molecules.field();
  int translations = 0, rotations = 0;
  for (std::size_t kind = 0; kind < counts.size(); ++kind) {
    translations += 3 * static_cast<int>(counts[kind]);
    rotations += static_cast<int>(counts[kind]) * (field.kinds()[kind].degrees_of_freedom() - 3);
  }
  const auto scale = [&](std::vector<MoleculeState<double>>& states, double moving, double turning) {
    for (auto& s : states) {
      s.momentum = moving * s.momentum;
      s.turning.momentum = turning * s.turning.momentum;
    }
  };
  for (std::int64_t done = 0; done < count; done += interval) {
    molecules.advance(h, std::min(interval, count - done));
    Configuration now = molecules.state();
    std::vector<MoleculeState<double>> states = now.states();
    const MoleculeEnergies e = now.kinetic_energies();
    scale(states, detail::thermal_factor(translations, energy, static_cast<double>(e.translational)),
          detail::thermal_factor(rotations, energy, static_cast<double>(e.rotational)));
    remove_common_motion(field, counts, states);
    molecules.assign(states);
    now = molecules.state();
    const double factor = detail::thermal_factor(degrees_of_freedom(field, counts), energy,
                                                 static_cast<double>(now.kinetic_energies().kinetic()));
    scale(states, factor, factor);
    molecules.assign(states);
  }
}

}  // namespace POLHODE_CORE

namespace polhode::molecules {
using core::equilibrate;
using core::remove_common_motion;
using core::thermal_lattice;
}  // namespace polhode::molecules
