// The HDF5 file of an ensemble.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "ensemble/summary.hpp"
#include "output/partial_file.hpp"
#include "work/record_file.hpp"

namespace polhode::program {

/// What a finished file says about itself.
struct EnsembleFileSays {
  std::string identity, text, json;
  bool unchanged = false;  ///< its bytes are those that were written
};

/// Nothing if there is no such file. Throws ScenarioError if there is one, and it is not that of an ensemble.
std::optional<EnsembleFileSays> read_ensemble_file(const std::string& file);

/// Writes all members, one after the other, from the checkpoint, which knows all of them; what is in memory at a time
/// does not grow with their number, but for a few numbers each. Throws RunError; the checkpoint is as it was.
///
///   /members/KEY        what was varied             /final/QUANTITY         the last state of each member
///   /time               of the samples              /errors/INVARIANT       the largest size of its error
///   /trajectories/QUANTITY  (member, sample, component)
///   /statistics/{count,mean,deviation,rms,min,max}/QUANTITY  (sample, component)
EnsembleSummary write_ensemble_file(std::unique_ptr<PartialFile> partial, const EnsemblePlan& plan,
                                    const EnsembleLayout& layout, const RecordFile& checkpoint,
                                    const std::string& identity);

}  // namespace polhode::program
