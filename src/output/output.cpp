#include "output/output.hpp"

#include <algorithm>

#include "output/attitude_output.hpp"
#include "output/xyz_output.hpp"
#include "scenario/error.hpp"

namespace polhode::program {

std::string ending_text(Ending ending) {
  switch (ending) {
    case Ending::completed:
      return "completed";
    case Ending::interrupted:
      return "interrupted";
    case Ending::stopped:
      return "stopped";
    case Ending::event:
      return "ended by an event";
    default:
      return "diverged";
  }
}

namespace {

const OutputFormat* find_format(const std::string& file, const std::vector<OutputFormat>& formats) {
  const auto found = std::find_if(formats.begin(), formats.end(),
                                  [&](const OutputFormat& format) { return file.ends_with(format.ending); });
  return found == formats.end() ? nullptr : &*found;
}

}  // namespace

std::vector<OutputFormat> text_formats() {
  return {{".csv", open_csv}, {".xyz", open_xyz}, {".aem", open_attitude_message}, {".msopck", open_msopck}};
}

void examine_output_name(const std::string& file, const std::vector<OutputFormat>& formats) {
  if (find_format(file, formats) == nullptr)
    throw ScenarioError(
        file, "--output",
        "the name must end in .csv or .h5, or in .xyz for molecules, or in .aem or .msopck for bodies");
}

std::unique_ptr<Output> open_output(const std::string& file, const Provenance& provenance,
                                    const std::vector<OutputFormat>& formats) {
  examine_output_name(file, formats);
  return find_format(file, formats)->open(std::make_unique<PartialFile>(file), provenance);
}

}  // namespace polhode::program
