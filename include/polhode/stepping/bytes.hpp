// States as bytes, for saving and restoring.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "polhode/error.hpp"

namespace POLHODE_CORE::detail {

class ByteWriter {
 public:
  template <class T>
  requires std::is_trivially_copyable_v<T>
  void put(const T& value) { put(std::span<const T>(&value, 1)); }
  template <class T>
  void put(std::span<T> values) {
    const auto bytes = std::as_bytes(values);
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  }
  std::vector<std::byte> take() { return std::move(bytes_); }

 private:
  std::vector<std::byte> bytes_;
};

class ByteReader {
 public:
  /// Throws InputError unless there are as many bytes as expected.
  ByteReader(std::span<const std::byte> bytes, std::size_t expected) : bytes_(bytes) {
    if (bytes.size() != expected) throw InputError("the saved state is of another system or another method");
  }
  template <class T>
  requires std::is_trivially_copyable_v<T>
  void get(T& value) { get(std::span<T>(&value, 1)); }
  template <class T>
  void get(std::span<T> values) {
    std::memcpy(static_cast<void*>(values.data()), bytes_.data(), values.size_bytes());
    bytes_ = bytes_.subspan(values.size_bytes());
  }

 private:
  std::span<const std::byte> bytes_;
};

/// The bytes of some values, one after the other; get_all reads them back.
template <class... Values>
std::vector<std::byte> bytes_of(const Values&... values) {
  ByteWriter writer;
  (writer.put(values), ...);
  return writer.take();
}
template <class... Values>
void get_all(std::span<const std::byte> bytes, Values&... values) {
  ByteReader reader(bytes, (sizeof(values) + ...));
  (reader.get(values), ...);
}

/// advance() of a stepper that takes one step after the other: if one of them throws, all are taken back.
template <class Stepper, class Step>
void all_or_none(Stepper& stepper, std::int64_t count, const Step& step) {
  if (count == 1) return step();  // which leaves the motion whole when it fails
  const std::vector<std::byte> before = stepper.save();
  try {
    for (std::int64_t i = 0; i < count; ++i) step();
  } catch (...) {
    stepper.restore(before);
    throw;
  }
}

}  // namespace POLHODE_CORE::detail
