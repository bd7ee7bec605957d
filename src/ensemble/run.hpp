// An ensemble computed, kept and summed up.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace polhode::program {

struct EnsembleOptions {
  std::string scenario;                ///< a file
  std::vector<std::string> overrides;  ///< key=value
  std::string output;                  ///< FILE.h5
  std::int64_t every = 0;              ///< steps between samples; 0: as many samples as the scenario says
  unsigned threads = 0;                ///< 0: as many as there are cores
  bool again = false;                  ///< what is there of earlier runs is not taken
};

struct EnsembleOutcome {
  std::string text, json;  ///< the summary
  bool fresh = true;       ///< false: the file was there, and nothing was computed
  bool any_completed = true;
};

/// Runs the members that FILE.h5.records does not have yet, writes FILE.h5 and removes the records. A file of the same
/// ensemble is finished, and only looked at; any other file of that name is refused. `note` gets a sentence now and then.
///
/// Under mpirun, the first rank does all this and the others help it to compute; they return nothing.
/// Throws ScenarioError (a wrong input) and RunError; what was computed before is kept.
std::optional<EnsembleOutcome> run_ensemble(const EnsembleOptions& options,
                                            const std::function<void(const std::string&)>& note);

}  // namespace polhode::program
