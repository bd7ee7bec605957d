// A text file that is written piece by piece, and has its name only when it is whole.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "output/partial_file.hpp"

namespace polhode::program {

class TextFile {
 public:
  explicit TextFile(std::unique_ptr<PartialFile> file) : file_(std::move(file)) {}

  /// Throws RunError, for example when the disk is full.
  void write(const std::string& text);
  /// Writes over what is at a place already. Not for devices and pipes.
  void replace(std::size_t place, const std::string& text);
  /// Completes the file and gives it its name.
  void finish();

 private:
  std::unique_ptr<PartialFile> file_;
  std::string waiting_;  ///< what is written together with more that will come
};

}  // namespace polhode::program
