#include "hdf5/hdf5_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>

#include "scenario/error.hpp"

namespace polhode::program {

void silence_hdf5() {
  H5dont_atexit();
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Hdf5File::Hdf5File(std::unique_ptr<PartialFile> file) : partial_(std::move(file)) {
  silence_hdf5();
  if (partial_->is_special()) throw ScenarioError(partial_->name(), "--output", "is not a regular file");
  errno = 0;
  const Hdf5Handle access = checked({H5Pcreate(H5P_FILE_ACCESS), H5Pclose});
#if H5_VERSION_GE(1, 10, 7)
  check(H5Pset_file_locking(access.id(), false, true) >= 0);  // the file is locked already
#endif
  file_ = checked({H5Fcreate(partial_->path().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.id()), H5Fclose});
}

void Hdf5File::fail() const {
  if (Hdf5Handle::failed_closings != failed_before_) errno = Hdf5Handle::reason;
  throw RunError(fmt::format("{}: cannot be written: {}", partial_->name(),
                             errno != 0 ? std::strerror(errno) : "the HDF5 library reports a failure"));
}

Hdf5Handle Hdf5File::checked(Hdf5Handle handle) const {
  check(handle.id() >= 0);
  return handle;
}

Hdf5Handle Hdf5File::group(const std::string& path) const {
  errno = 0;
  const Hdf5Handle properties = checked({H5Pcreate(H5P_GROUP_CREATE), H5Pclose});
  check(H5Pset_obj_track_times(properties.id(), false) >= 0);
  return checked({H5Gcreate2(file_.id(), path.c_str(), H5P_DEFAULT, properties.id(), H5P_DEFAULT), H5Gclose});
}

Hdf5Handle Hdf5File::text_type() const {
  Hdf5Handle type = checked({H5Tcopy(H5T_C_S1), H5Tclose});
  // Of variable length: readers such as h5py then see text, not bytes.
  check(H5Tset_size(type.id(), H5T_VARIABLE) >= 0 && H5Tset_cset(type.id(), H5T_CSET_UTF8) >= 0);
  return type;
}

void Hdf5File::text_attribute(hid_t object, const char* name, const std::string& text) const {
  errno = 0;
  const Hdf5Handle type = text_type();
  const char* const start = text.c_str();
  attribute(object, name, type.id(), type.id(), &start);
}

void Hdf5File::integer_attribute(hid_t object, const char* name, std::int64_t value) const {
  errno = 0;
  attribute(object, name, H5T_NATIVE_INT64, H5T_STD_I64LE, &value);
}

void Hdf5File::number_attribute(hid_t object, const char* name, double value) const {
  errno = 0;
  attribute(object, name, H5T_NATIVE_DOUBLE, H5T_IEEE_F64LE, &value);
}

void Hdf5File::attribute(hid_t object, const char* name, hid_t memory_type, hid_t file_type,
                         const void* value) const {
  const Hdf5Handle space = checked({H5Screate(H5S_SCALAR), H5Sclose});
  const Hdf5Handle made =
      checked({H5Acreate2(object, name, file_type, space.id(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose});
  check(H5Awrite(made.id(), memory_type, value) >= 0);
}

Hdf5Handle Hdf5File::make_dataset(const std::string& path, hid_t type, std::span<const hsize_t> extents,
                                  hsize_t block, const std::string& meaning) const {
  errno = 0;
  std::vector<hsize_t> most(extents.begin(), extents.end()), chunk = most;
  const Hdf5Handle properties = checked({H5Pcreate(H5P_DATASET_CREATE), H5Pclose});
  check(H5Pset_obj_track_times(properties.id(), false) >= 0);
  const int rank = static_cast<int>(extents.size());
  if (block > 0) {
    most[0] = H5S_UNLIMITED;
    chunk[0] = block;
    check(H5Pset_chunk(properties.id(), rank, chunk.data()) >= 0);
  }
  const Hdf5Handle space = checked({H5Screate_simple(rank, extents.data(), most.data()), H5Sclose});
  Hdf5Handle result = checked(
      {H5Dcreate2(file_.id(), path.c_str(), type, space.id(), H5P_DEFAULT, properties.id(), H5P_DEFAULT),
       H5Dclose});
  if (!meaning.empty()) text_attribute(result.id(), "meaning", meaning);
  return result;
}

Hdf5Handle Hdf5File::dataset(const std::string& path, std::span<const hsize_t> extents,
                             const std::string& meaning, hsize_t block) const {
  return make_dataset(path, H5T_IEEE_F64LE, extents, block, meaning);
}

void Hdf5File::write_part(const Hdf5Handle& dataset, std::span<const hsize_t> extents, hsize_t first,
                          hsize_t count, const double* numbers) const {
  errno = 0;
  std::vector<hsize_t> now(extents.begin(), extents.end()), start(extents.size(), 0), part = now;
  start[0] = first;
  part[0] = count;
  if (first + count > now[0]) {
    now[0] = first + count;
    check(H5Dset_extent(dataset.id(), now.data()) >= 0);
  }
  const Hdf5Handle file_space = checked({H5Dget_space(dataset.id()), H5Sclose});
  check(H5Sselect_hyperslab(file_space.id(), H5S_SELECT_SET, start.data(), nullptr, part.data(), nullptr) >=
        0);
  const Hdf5Handle memory_space =
      checked({H5Screate_simple(static_cast<int>(part.size()), part.data(), nullptr), H5Sclose});
  check(H5Dwrite(dataset.id(), H5T_NATIVE_DOUBLE, memory_space.id(), file_space.id(), H5P_DEFAULT, numbers) >=
        0);
}

void Hdf5File::integers(const std::string& path, const std::vector<std::int64_t>& numbers,
                        const std::string& meaning) const {
  const hsize_t extent = numbers.size();
  const Hdf5Handle made = make_dataset(path, H5T_STD_I64LE, {&extent, 1}, 0, meaning);
  check(H5Dwrite(made.id(), H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data()) >= 0);
}

void Hdf5File::texts(const std::string& path, const std::vector<std::string>& texts,
                     const std::string& meaning) const {
  const hsize_t extent = texts.size();
  const Hdf5Handle type = text_type(), made = make_dataset(path, type.id(), {&extent, 1}, 0, meaning);
  std::vector<const char*> starts;
  for (const std::string& text : texts) starts.push_back(text.c_str());
  check(H5Dwrite(made.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, starts.data()) >= 0);
}

void Hdf5File::finish(const std::function<void(const PartialFile&)>& last) {
  check(H5Fflush(file_.id(), H5F_SCOPE_GLOBAL) >= 0);
  check(file_.close());
  if (last) last(*partial_);
  partial_->keep();
}

}  // namespace polhode::program
