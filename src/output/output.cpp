#include "output/output.hpp"

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
    default:
      return "diverged";
  }
}

void examine_output_name(const std::string& file) {
  if (!file.ends_with(".csv") && !file.ends_with(".h5") && !file.ends_with(".xyz"))
    throw ScenarioError(file, "--output", "the name must end in .csv or .h5, or in .xyz for molecules");
}

std::unique_ptr<Output> open_output(const std::string& file, const Provenance& provenance) {
  examine_output_name(file);
  auto partial = std::make_unique<PartialFile>(file);
  if (file.ends_with(".xyz")) return open_xyz(std::move(partial), provenance);
  return file.ends_with(".csv") ? open_csv(std::move(partial), provenance)
                                : open_hdf5(std::move(partial), provenance);
}

}  // namespace polhode::program
