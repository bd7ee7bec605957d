// The records of an experiment on disk, so that what was computed once is not computed again.
#pragma once

#include <string>

#include "laboratory/experiment.hpp"

namespace polhode::laboratory {

/// What a record depends on: the program, the experiment, its parameters. Text, one property a line.
///
/// The program counts by the contents of its file, not by its version: a rebuilt program may round differently, and a
/// result shall not be a mixture of two.
std::string checkpoint_identity(const Experiment& experiment, Scale scale);

/// FNV-1a.
std::uint64_t checksum(std::span<const char> bytes, std::uint64_t start = 0xcbf29ce484222325U);

/// FOLDER/records.bin: the identity, an empty line, and then records in the order in which they were finished, each
/// with its index before it and a checksum behind it. They are appended one after the other, so that whatever ends the
/// program, all but the last are whole; the rest of a record that is not is cut off when the file is opened again.
class CheckpointFile {
 public:
  /// Opens or begins the file, and takes what it holds. `again` discards it instead. Throws ScenarioError (a wrong
  /// input, that is) if the folder cannot be written, if another process works there, or if the file belongs to another run.
  CheckpointFile(const std::string& folder, const Experiment& experiment, Scale scale, bool again);
  ~CheckpointFile();
  CheckpointFile(const CheckpointFile&) = delete;
  CheckpointFile& operator=(const CheckpointFile&) = delete;

  const Records& records() const { return records_; }
  /// A sentence about what was wrong with the file and is mended; empty if nothing was.
  const std::string& note() const { return note_; }

  /// Throws RunError, for example when the disk is full; the file then ends where it ended before.
  void append(std::size_t unit, std::span<const double> record);

 private:
  void begin(const std::string& header);
  void take(const std::string& header, const std::string& contents);
  [[noreturn]] void refuse(const std::string& reason) const;
  [[noreturn]] void fail(const std::string& what) const;

  std::string file_;
  Records records_;
  std::string note_;
  int descriptor_ = -1;
};

/// The records of an experiment that is finished, if the folder has them; nothing is opened for writing.
bool read_finished(const std::string& folder, const Experiment& experiment, Scale scale, Records& records);

}  // namespace polhode::laboratory
