// Rigid molecules, by every splitting scheme with every method for the free rotation.
#pragma once

#include <memory>
#include <vector>

#include "polhode/molecules/configuration.hpp"
#include "run/simulation.hpp"
#include "systems/body/driven_body.hpp"

namespace polhode::program {

/// How molecules begin: as given, or by chance.
struct MoleculesBeginning {
  std::vector<MoleculeState<double>> states;
  double temperature = 0.0;        ///< of the equilibration
  std::int64_t equilibration = 0;  ///< steps before the run in which the temperature is enforced
};

struct MoleculesChoice {
  SplittingChoice splitting;
  double step = 0.0;
  double boltzmann = 0.0;
  double angstroms = 0.0;    ///< in the unit of length, for viewers
  bool whole_state = false;  ///< whether rows have the states of all molecules, or energies only
  unsigned threads = 1;      ///< that share the forces; 0: as many as there are cores
};

/// The methods that molecules are moved by.
std::vector<MethodEntry> molecule_methods();

/// Throws InputError or MotionError if the molecules cannot begin so.
std::unique_ptr<Simulation> make_rigid_molecules(const ForceField& field,
                                                 const std::vector<std::size_t>& counts,
                                                 const MoleculesBeginning& beginning,
                                                 const MoleculesChoice& choice);

}  // namespace polhode::program
