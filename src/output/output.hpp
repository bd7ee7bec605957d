// The samples of a run in a file.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "output/partial_file.hpp"
#include "run/runner.hpp"

namespace polhode::program {

/// What a file says about the run that it comes from.
struct Provenance {
  std::string scenario;  ///< as it is run, with all keys, in TOML
  Description description;
  std::int64_t steps = 0;
  std::int64_t every = 0;
  const Simulation* simulation = nullptr;  ///< outlives the output; what a row does not say is asked for here
};

/// A recorder that writes to a file. What was recorded before a failure of the disk is lost with a RunError; the
/// file of an earlier run under the same name is not.
class Output : public Recorder {
 public:
  /// A table of what happened, before the file is completed. Formats that have no place for it leave it out.
  virtual void add_events([[maybe_unused]] const std::vector<WatchedEvent>& watched,
                          [[maybe_unused]] const std::vector<SeenEvent>& seen) {}
  /// Completes the file: how the run ended, and after how many steps. It has its name only now.
  virtual void finish(Ending ending, std::int64_t steps) = 0;
};

/// A format of output files, known by the ending of their names. A program may have more than these: .h5 needs HDF5.
struct OutputFormat {
  std::string ending;
  std::unique_ptr<Output> (*open)(std::unique_ptr<PartialFile> file, const Provenance& provenance);
};

/// .csv, .xyz for molecules, .aem and .msopck for rigid bodies.
std::vector<OutputFormat> text_formats();

/// Throws ScenarioError unless the name has the ending of one of the formats. Touches no file.
void examine_output_name(const std::string& file, const std::vector<OutputFormat>& formats);

/// Throws ScenarioError if the name has another ending or cannot be opened, or the format is not for the system.
std::unique_ptr<Output> open_output(const std::string& file, const Provenance& provenance,
                                    const std::vector<OutputFormat>& formats);

std::unique_ptr<Output> open_csv(std::unique_ptr<PartialFile> file, const Provenance& provenance);

/// "completed", "interrupted", "diverged" or "stopped".
std::string ending_text(Ending ending);

}  // namespace polhode::program
