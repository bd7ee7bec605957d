// A file that appears under its name only when it is whole.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "scenario/document.hpp"

namespace polhode::program {

/// The writer writes to path(), FILE.partial; keep() brings it to the disk and gives it the name FILE. Without keep() it is
/// removed, and an older FILE is left as it was. A symbolic link is followed, also one to a file that is not there yet; a
/// device or a pipe is written to as it stands.
///
/// FILE.partial is made anew and locked: what a run that was killed has left is removed, a second run to the same FILE is
/// refused, and nothing that others have put in its place is ever written to.
class PartialFile {
 public:
  /// Throws ScenarioError (a wrong input, that is) if the name cannot be that of a new file, or if another process
  /// writes to it.
  explicit PartialFile(const std::string& file);
  ~PartialFile();
  PartialFile(const PartialFile&) = delete;
  PartialFile& operator=(const PartialFile&) = delete;

  const std::string& name() const { return name_; }  ///< as the user wrote it
  const std::string& path() const { return path_; }
  bool is_special() const { return special_; }
  /// Open for writing, as long as this object lives.
  int descriptor() const { return descriptor_; }

  /// Appends. Throws RunError, for example when the disk is full.
  void write(std::string_view text);

  /// Writes over what is at a place already. Not for devices and pipes. Throws RunError.
  void replace(std::size_t place, std::string_view text);

  /// Throws RunError; FILE is then as it was, or whole.
  void keep();

 private:
  bool make_new();
  [[noreturn]] void fail(const std::string& what) const;
  [[noreturn]] void refuse(const std::string& reason) const;

  std::string name_, target_, path_;
  int descriptor_ = -1;
  bool special_ = false;
  bool kept_ = false;
};

/// Writes the text to FILE, by way of FILE.partial.
void write_file(PartialFile& file, std::string_view text);

/// What was written to the file by whatever means is on the disk when this returns. False with errno if not.
bool brought_to_disk(int descriptor);

/// The same for the names in the folder of a file.
bool folder_brought_to_disk(const std::string& file);

/// Throws ScenarioError if the output would be written over the input that it is made from: the scenario, or a file that one of
/// its texts is the name of, seen from the scenario's folder.
void refuse_own_input(const std::string& output, const Document& scenario);

}  // namespace polhode::program
