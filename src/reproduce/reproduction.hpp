// Experiments run, drawn, judged and reported, in a folder.
#pragma once

#include <functional>

#include "reproduce/report.hpp"

namespace polhode::program {

struct ReproductionOptions {
  std::vector<std::string> names;  ///< empty: all
  Scale scale = Scale::full;
  std::string folder = "out";
  unsigned threads = 0;  ///< 0: as many as there are cores
  bool again = false;    ///< finished records are not taken
};

/// Runs the experiments and writes FOLDER/NAME/{figure.svg,figure.png,data.csv,verdict.json} and FOLDER/report.html. Calls
/// `finished` after each experiment, with the seconds it took, and `note` with a sentence now and then.
/// Experiments that the folder has from earlier runs of the same program are in the report too.
///
/// Under mpirun, the first rank does all this and the others help it to compute.
///
/// Returns the experiments of this run (a helper none). Throws ScenarioError (a wrong input) before anything is computed, RunError after.
std::vector<Reproduction> reproduce(const ReproductionOptions& options,
                                    const std::vector<ExperimentEntry>& registry,
                                    const std::function<void(const Reproduction&, double)>& finished,
                                    const std::function<void(const std::string&)>& note);

}  // namespace polhode::program
