// The records of a work on disk, so that what was computed once is not computed again.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "output/descriptor.hpp"
#include "work/work.hpp"

namespace polhode::program {

/// What a record depends on: the program, and these properties of the work. Text, one property a line.
///
/// The program counts by the contents of its file, not by its version: a rebuilt program may round differently, and a
/// result shall not be a mixture of two.
std::string record_identity(const std::vector<std::pair<std::string, std::string>>& properties);

/// FNV-1a.
std::uint64_t checksum(std::span<const char> bytes, std::uint64_t start = 0xcbf29ce484222325U);

/// Of the first so many bytes of a file; nothing if they cannot be read.
std::optional<std::uint64_t> checksum_of(int descriptor, std::uint64_t size);

/// The line of the found text that differs from the wanted one, for a message: `"scale quick" instead of "scale full"`.
std::string difference(const std::string& wanted, const std::string& found);

/// A file of records: the identity, an empty line, and then records in the order in which they were finished, each
/// with its index before it and a checksum behind it. They are appended one after the other, so that whatever ends the
/// program, all but the last are whole; the rest of a record that is not is cut off when the file is opened again.
///
/// The records stay in the file, which may be larger than the memory; only where they stand is kept here.
class RecordFile {
 public:
  /// Opens or begins the file, and takes what it holds. `again` removes it, and begins anew. Throws ScenarioError (a wrong
  /// input, that is) if it cannot be written, if another process works on it, if it belongs to another run, or if it is not a
  /// file of records with one name: a link is not followed, and what is not ours is left as it is, with `again` as well.
  RecordFile(std::string file, const std::string& identity, std::size_t units, std::size_t record_size,
             bool again);

  const std::string& name() const { return file_; }
  bool known(std::size_t unit) const { return places_[unit] != 0; }
  std::size_t known_units() const;
  /// A sentence about what was wrong with the file and is mended; empty if nothing was.
  const std::string& note() const { return note_; }

  /// Throws RunError, for example when the disk is full; the file then ends where it ended before.
  void append(std::size_t unit, std::span<const double> record);
  /// What was appended is on the disk then. append() does it every few seconds. Throws RunError.
  void bring_to_disk();

  /// One record, which is known. Throws RunError if it is not any more what was written.
  void read(std::size_t unit, std::span<double> record) const;
  /// All that is known, in memory.
  Records records() const;

  /// Removes the file: what it was kept for is done.
  void discard();

 private:
  bool open(bool again);
  void begin(const std::string& header);
  void take(const std::string& header, const std::string& beginning);
  [[noreturn]] void refuse(const std::string& reason) const;
  [[noreturn]] void fail(const std::string& what) const;

  std::string file_;
  std::size_t record_size_;
  std::vector<std::uint64_t> places_;  ///< of the records, in bytes from the start; 0 for none
  std::string note_;
  Descriptor descriptor_;
  std::chrono::steady_clock::time_point on_disk_ = std::chrono::steady_clock::now();
};

/// The records of a work that is finished, if the file has all of them; nothing is opened for writing. Throws RunError where it
/// cannot be read.
bool read_finished(const std::string& file, const std::string& identity, Records& records);

}  // namespace polhode::program
