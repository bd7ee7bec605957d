// A file that appears under its name only when it is whole.
#pragma once

#include <string>

namespace polhode::program {

/// The writer writes to path(), FILE.partial; keep() gives it the name FILE. Without keep() it is removed, and an
/// older FILE is left as it was. A symbolic link is followed; a device or a pipe is written to as it stands.
class PartialFile {
 public:
  /// Throws ScenarioError (a wrong input, that is) if the name cannot be that of a new file.
  explicit PartialFile(const std::string& file);
  ~PartialFile();
  PartialFile(const PartialFile&) = delete;
  PartialFile& operator=(const PartialFile&) = delete;

  const std::string& name() const { return name_; }  ///< as the user wrote it
  const std::string& path() const { return path_; }
  bool is_special() const { return special_; }

  /// Throws RunError.
  void keep();

 private:
  std::string name_, target_, path_;
  bool special_ = false;
  bool kept_ = false;
};

/// Writes the text to FILE, by way of FILE.partial.
void write_file(PartialFile& file, const std::string& text);

}  // namespace polhode::program
