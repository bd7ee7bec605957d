// The atoms that a simulation can show, for viewers of molecules.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "polhode/arithmetic/vector.hpp"

namespace polhode::program {

/// Atoms at a moment, in angstroms.
struct AtomFrame {
  std::vector<std::string> elements;
  std::vector<Vector<double>> positions;
  std::optional<Vector<double>> box;  ///< the edges, if space is periodic
};

/// A simulation that has atoms to show.
class AtomSource {
 public:
  AtomSource() = default;
  AtomSource(const AtomSource&) = delete;
  AtomSource& operator=(const AtomSource&) = delete;
  virtual ~AtomSource() = default;

  /// At the present step, into a frame whose memory is used again.
  virtual void atoms(AtomFrame& frame) const = 0;
};

}  // namespace polhode::program
