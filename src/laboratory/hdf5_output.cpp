// Output as HDF5: one dataset for each quantity, extended as the run goes on, and attributes that say what was run.
#include <fmt/format.h>
#include <hdf5.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "laboratory/error.hpp"
#include "laboratory/output.hpp"
#include "polhode/version.hpp"

namespace polhode::laboratory {

namespace {

constexpr hsize_t rows_per_block = 1024;

/// Owns an identifier of the library.
class Handle {
 public:
  Handle() = default;
  Handle(hid_t id, herr_t (*closer)(hid_t)) : id_(id), close_(closer) {}
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  ~Handle() { close(); }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;

  hid_t id() const { return id_; }
  bool close() { return id_ < 0 || close_(std::exchange(id_, -1)) >= 0; }

 private:
  hid_t id_ = -1;
  herr_t (*close_)(hid_t) = nullptr;
};

struct Series {
  Quantity quantity;
  Handle dataset;
  std::vector<double> block;
};

class Hdf5Output final : public Output {
 public:
  Hdf5Output(std::unique_ptr<PartialFile> file, const Provenance& p) : partial_(std::move(file)) {
    // The library's own report would be many lines; and after a failed write its clean-up at exit complains again.
    H5dont_atexit();
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    if (partial_->is_special()) throw ScenarioError(partial_->name(), "--output", "is not a regular file");
    errno = 0;
    file_ = checked({H5Fcreate(partial_->path().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose});
    text_attribute(file_.id(), "polhode_version", std::string(polhode::version));
    text_attribute(file_.id(), "scenario", p.scenario);
    text_attribute(file_.id(), "system", p.description.system);
    text_attribute(file_.id(), "method", p.description.method);
    number_attribute("step", H5T_NATIVE_DOUBLE, H5T_IEEE_F64LE, &p.description.step);
    integer_attribute("steps", p.steps);
    integer_attribute("every", p.every);
    integer_attribute("compensated", p.description.compensated ? 1 : 0);
    for (const Quantity& q : recorded_quantities(p.description)) series_.push_back(create(q));
  }

  void record(std::span<const double> row) override {
    std::size_t first = 0;
    for (Series& s : series_) {
      const auto part = row.subspan(first, s.quantity.size);
      s.block.insert(s.block.end(), part.begin(), part.end());
      first += s.quantity.size;
    }
    if (++rows_in_block_ == rows_per_block) write_block();
  }

  void finish(Ending ending, std::int64_t steps) override {
    write_block();
    text_attribute(file_.id(), "ending", ending_text(ending));
    integer_attribute("steps_taken", steps);
    errno = 0;
    for (Series& s : series_) check(s.dataset.close());
    check(H5Fflush(file_.id(), H5F_SCOPE_GLOBAL) >= 0);
    check(file_.close());
    partial_->keep();
  }

 private:
  [[noreturn]] void fail() const {
    throw RunError(fmt::format("{}: cannot be written: {}", partial_->name(),
                               errno != 0 ? std::strerror(errno) : "the HDF5 library reports a failure"));
  }
  void check(bool fine) const {
    if (!fine) fail();
  }
  Handle checked(Handle handle) const {
    check(handle.id() >= 0);
    return handle;
  }

  void text_attribute(hid_t object, const char* name, const std::string& text) {
    errno = 0;
    const Handle type = checked({H5Tcopy(H5T_C_S1), H5Tclose});
    // Of variable length: readers such as h5py then see text, not bytes.
    check(H5Tset_size(type.id(), H5T_VARIABLE) >= 0 && H5Tset_cset(type.id(), H5T_CSET_UTF8) >= 0);
    const char* const start = text.c_str();
    attribute(object, name, type.id(), type.id(), &start);
  }
  void integer_attribute(const char* name, std::int64_t value) {
    number_attribute(name, H5T_NATIVE_INT64, H5T_STD_I64LE, &value);
  }
  void number_attribute(const char* name, hid_t memory_type, hid_t file_type, const void* value) {
    errno = 0;
    attribute(file_.id(), name, memory_type, file_type, value);
  }
  void attribute(hid_t object, const char* name, hid_t memory_type, hid_t file_type, const void* value) {
    const Handle space = checked({H5Screate(H5S_SCALAR), H5Sclose});
    const Handle made =
        checked({H5Acreate2(object, name, file_type, space.id(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose});
    check(H5Awrite(made.id(), memory_type, value) >= 0);
  }

  Series create(const Quantity& q) {
    const int rank = q.size == 1 ? 1 : 2;
    const std::array<hsize_t, 2> none{0, q.size}, unlimited{H5S_UNLIMITED, q.size},
        chunk{rows_per_block, q.size};
    const Handle space = checked({H5Screate_simple(rank, none.data(), unlimited.data()), H5Sclose});
    const Handle properties = checked({H5Pcreate(H5P_DATASET_CREATE), H5Pclose});
    check(H5Pset_chunk(properties.id(), rank, chunk.data()) >= 0);
    Series series{q,
                  checked({H5Dcreate2(file_.id(), q.name.c_str(), H5T_IEEE_F64LE, space.id(), H5P_DEFAULT,
                                      properties.id(), H5P_DEFAULT),
                           H5Dclose}),
                  {}};
    text_attribute(series.dataset.id(), "meaning", q.meaning);
    return series;
  }

  void write_block() {
    if (rows_in_block_ == 0) return;
    errno = 0;
    for (Series& s : series_) {
      const int rank = s.quantity.size == 1 ? 1 : 2;
      const std::array<hsize_t, 2> extent{rows_ + rows_in_block_, s.quantity.size}, start{rows_, 0},
          count{rows_in_block_, s.quantity.size};
      check(H5Dset_extent(s.dataset.id(), extent.data()) >= 0);
      const Handle file_space = checked({H5Dget_space(s.dataset.id()), H5Sclose});
      check(H5Sselect_hyperslab(file_space.id(), H5S_SELECT_SET, start.data(), nullptr, count.data(),
                                nullptr) >= 0);
      const Handle memory_space = checked({H5Screate_simple(rank, count.data(), nullptr), H5Sclose});
      check(H5Dwrite(s.dataset.id(), H5T_NATIVE_DOUBLE, memory_space.id(), file_space.id(), H5P_DEFAULT,
                     s.block.data()) >= 0);
      s.block.clear();
    }
    rows_ += rows_in_block_;
    rows_in_block_ = 0;
  }

  std::unique_ptr<PartialFile> partial_;
  Handle file_;
  std::vector<Series> series_;
  hsize_t rows_ = 0;
  hsize_t rows_in_block_ = 0;
};

}  // namespace

std::unique_ptr<Output> open_hdf5(std::unique_ptr<PartialFile> file, const Provenance& provenance) {
  return std::make_unique<Hdf5Output>(std::move(file), provenance);
}

}  // namespace polhode::laboratory
