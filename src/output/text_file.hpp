// A text file that is written piece by piece, and has its name only when it is whole.
#pragma once

#include <cstddef>
#include <cstdio>
#include <memory>
#include <string>

#include "output/partial_file.hpp"

namespace polhode::program {

class TextFile {
 public:
  explicit TextFile(std::unique_ptr<PartialFile> file);
  ~TextFile();
  TextFile(const TextFile&) = delete;
  TextFile& operator=(const TextFile&) = delete;

  /// Throws RunError, for example when the disk is full.
  void write(const std::string& text);
  /// Writes over what is at a place already. Not for devices and pipes.
  void replace(std::size_t place, const std::string& text);
  /// Closes the file and gives it its name.
  void finish();

 private:
  [[noreturn]] void fail() const;

  std::unique_ptr<PartialFile> file_;
  std::FILE* stream_;
};

}  // namespace polhode::program
