// A trajectory that viewers of molecules read: extended XYZ, one frame after the other.
#pragma once

#include <memory>

#include "output/output.hpp"

namespace polhode::program {

/// Throws ScenarioError if the simulation of the provenance has no atoms.
std::unique_ptr<Output> open_xyz(std::unique_ptr<PartialFile> file, const Provenance& provenance);

}  // namespace polhode::program
