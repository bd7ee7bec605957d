// The atoms that a simulation can show, for viewers of molecules.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core.hpp"
#include "polhode/arithmetic/vector.hpp"

namespace polhode::program {

/// Atoms at a moment, in angstroms.
struct AtomFrame {
  std::vector<std::string> elements;
  std::vector<Vector<double>> positions;
  std::optional<Vector<double>> box;  ///< the edges, if space is periodic
};

}  // namespace polhode::program
