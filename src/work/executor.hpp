// The units of a work, computed on all cores of one machine or of many.
#pragma once

#include <functional>

#include "work/ranks.hpp"
#include "work/record_file.hpp"

namespace polhode::program {

/// Computes the units that the checkpoint does not have, on so many threads (0: as many as there are cores) of each rank, and
/// appends each as soon as it is done. The records depend neither on the number of threads nor on that of ranks.
///
/// Throws RunError when the user interrupts or a record cannot be written; what was finished is in the checkpoint.
void compute_missing(const Work& work, RecordFile& checkpoint, unsigned threads,
                     const std::string& progress_title, Ranks& ranks);

/// The part of a rank other than the first: computes its share of what the first says is missing of the work that `find`
/// returns for the checksum of its name. Returns false when the first has no work left.
bool help_with(const std::function<const Work&(std::uint64_t)>& find, unsigned threads, Ranks& ranks);

/// Tells the helpers that there is nothing left.
void dismiss_helpers(Ranks& ranks);

}  // namespace polhode::program
