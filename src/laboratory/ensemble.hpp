// The units of an experiment, computed on all cores.
#pragma once

#include "laboratory/checkpoint.hpp"

namespace polhode::laboratory {

/// Computes the units that the checkpoint does not have, on so many threads (0: as many as there are cores), and appends each as
/// soon as it is done. The records do not depend on the number of threads.
///
/// Throws RunError when the user interrupts or a record cannot be written; what was finished is in the checkpoint.
void compute_missing(const Experiment& experiment, CheckpointFile& checkpoint, unsigned threads,
                     const std::string& progress_title);

}  // namespace polhode::laboratory
