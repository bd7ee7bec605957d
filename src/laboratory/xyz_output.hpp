// A trajectory that viewers of molecules read: extended XYZ, one frame after the other.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "laboratory/output.hpp"
#include "polhode/arithmetic/vector.hpp"

namespace polhode::laboratory {

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

/// Throws ScenarioError if the simulation of the provenance has no atoms.
std::unique_ptr<Output> open_xyz(std::unique_ptr<PartialFile> file, const Provenance& provenance);

}  // namespace polhode::laboratory
