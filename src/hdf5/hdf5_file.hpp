// An HDF5 file that is written: handles that close themselves, attributes, datasets, and a sentence when something fails.
#pragma once

#include <hdf5.h>

#include <cerrno>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "output/partial_file.hpp"

namespace polhode::program {

/// Owns an identifier of the library.
class Hdf5Handle {
 public:
  Hdf5Handle() = default;
  Hdf5Handle(hid_t id, herr_t (*closer)(hid_t)) : id_(id), close_(closer) {}
  Hdf5Handle(Hdf5Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Hdf5Handle& operator=(Hdf5Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  ~Hdf5Handle() {
    if (close()) return;
    ++failed_closings;
    reason = errno;
  }
  Hdf5Handle(const Hdf5Handle&) = delete;
  Hdf5Handle& operator=(const Hdf5Handle&) = delete;

  hid_t id() const { return id_; }
  bool close() { return id_ < 0 || close_(std::exchange(id_, -1)) >= 0; }

  /// Of handles that went without close(), in this thread. What a dataset holds back is written when it is closed, and lost if
  /// that fails.
  static inline thread_local std::size_t failed_closings = 0;
  static inline thread_local int reason = 0;  ///< errno of the last of them

 private:
  hid_t id_ = -1;
  herr_t (*close_)(hid_t) = nullptr;
};

/// The library's own report of an error would be many lines, and after a failed write its clean-up at exit complains again.
void silence_hdf5();

/// Every failure is a RunError that names the file. No object has a date: the same contents are the same bytes.
class Hdf5File {
 public:
  /// Throws ScenarioError if it is not a regular file.
  explicit Hdf5File(std::unique_ptr<PartialFile> file);

  hid_t id() const { return file_.id(); }
  Hdf5Handle group(const std::string& path) const;
  void text_attribute(hid_t object, const char* name, const std::string& text) const;
  void integer_attribute(hid_t object, const char* name, std::int64_t value) const;
  void number_attribute(hid_t object, const char* name, double value) const;

  /// Doubles in an array of these extents, of which the first may grow by blocks if `block` is not zero.
  Hdf5Handle dataset(const std::string& path, std::span<const hsize_t> extents, const std::string& meaning,
                     hsize_t block = 0) const;
  /// Writes all that has the first index from `first` on, `count` of them; the extents grow as needed if they may.
  void write_part(const Hdf5Handle& dataset, std::span<const hsize_t> extents, hsize_t first, hsize_t count,
                  const double* numbers) const;
  void integers(const std::string& path, const std::vector<std::int64_t>& numbers,
                const std::string& meaning) const;
  void texts(const std::string& path, const std::vector<std::string>& texts,
             const std::string& meaning) const;

  /// Closes the file and gives it its name; `last` may add to its end before that. No dataset is open any more.
  void finish(const std::function<void(const PartialFile&)>& last = {});

  void check(bool fine) const {
    if (!fine || Hdf5Handle::failed_closings != failed_before_) fail();
  }

 private:
  [[noreturn]] void fail() const;
  Hdf5Handle checked(Hdf5Handle handle) const;
  Hdf5Handle text_type() const;
  Hdf5Handle make_dataset(const std::string& path, hid_t type, std::span<const hsize_t> extents,
                          hsize_t block, const std::string& meaning) const;
  void attribute(hid_t object, const char* name, hid_t memory_type, hid_t file_type, const void* value) const;

  std::unique_ptr<PartialFile> partial_;
  std::size_t failed_before_ = Hdf5Handle::failed_closings;
  Hdf5Handle file_;
};

}  // namespace polhode::program
