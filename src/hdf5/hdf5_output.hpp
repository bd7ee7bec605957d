// The samples of a run as HDF5.
#pragma once

#include "output/output.hpp"

namespace polhode::program {

std::unique_ptr<Output> open_hdf5(std::unique_ptr<PartialFile> file, const Provenance& provenance);

/// All formats: those of text, and .h5.
inline std::vector<OutputFormat> all_formats() {
  std::vector<OutputFormat> formats = text_formats();
  formats.push_back({".h5", open_hdf5});
  return formats;
}

}  // namespace polhode::program
