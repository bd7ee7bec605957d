// Molecules of every shape for the tests: waters with three and four sites, a linear one, an atom.
#pragma once

#include "polhode/molecules/thermal.hpp"
#include "polhode/molecules/water.hpp"

namespace polhode::test {

using namespace core;

/// Carbon dioxide as three charged centres on a line that is no axis of its frame.
inline Molecule carbon_dioxide() {
  const Vector<double> arm{{0.0696, -0.0464, 0.0812}};
  return {"co2",
          {{"C", "C", {}, 12.011, 0.6512, 0.234, 0.28},
           {"O", "O", arm, 15.9994, -0.3256, 0.669, 0.305},
           {"O", "O", -arm, 15.9994, -0.3256, 0.669, 0.305}}};
}

inline Molecule argon() { return {"argon", {{"Ar", "Ar", {{0.3, 0.1, 0.2}}, 39.948, 0.0, 0.996, 0.3405}}}; }

inline ForceFieldOptions options(std::optional<double> edge) {
  ForceFieldOptions result;
  result.coulomb = coulomb_in_kilojoule_per_mole;
  if (edge) result.box = Vector<double>{{*edge, 1.1 * *edge, 1.2 * *edge}};
  return result;
}

/// Five kinds, seven molecules.
struct Mixture {
  ForceField field;
  std::vector<std::size_t> counts{2, 1, 2, 1, 1};
  std::vector<MoleculeState<double>> states;

  explicit Mixture(std::optional<double> edge)
      : field({water("spce"), water("tip3p"), carbon_dioxide(), argon(), water("tip4p")}, options(edge)),
        states(thermal_lattice(field, counts, {{0.9, 0.8, 0.85}}, 2.5, 5)) {}
};

/// Waters in free space at 200 K, without motion of the whole.
struct Cluster {
  ForceField field{{water("spce")}, options({})};
  std::vector<std::size_t> counts;
  std::vector<MoleculeState<double>> states;

  explicit Cluster(std::size_t count) : counts{count} {
    const double edge = 0.31 * std::cbrt(static_cast<double>(count));
    states = thermal_lattice(field, counts, {{edge, edge, edge}}, 200 * boltzmann_in_kilojoule_per_mole, 3);
    remove_common_motion(field, counts, states);
  }
};

/// The largest difference of a component of two sets of states; attitudes up to their sign.
inline double distance(const std::vector<MoleculeState<double>>& a,
                       const std::vector<MoleculeState<double>>& b) {
  double worst = 0.0;
  const auto widen = [&worst](double d) { worst = d <= worst ? worst : d; };  // a NaN stays
  for (std::size_t i = 0; i < a.size(); ++i) {
    const auto &p = a[i].turning.attitude, &q = b[i].turning.attitude;
    const double sign = p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3] < 0 ? -1.0 : 1.0;
    for (std::size_t k = 0; k < 3; ++k) {
      widen(std::abs(a[i].position[k] - b[i].position[k]));
      widen(std::abs(a[i].momentum[k] - b[i].momentum[k]));
      widen(std::abs(a[i].turning.momentum[k] - b[i].turning.momentum[k]));
    }
    for (std::size_t k = 0; k < 4; ++k) widen(std::abs(p[k] - sign * q[k]));
  }
  return worst;
}

}  // namespace polhode::test
