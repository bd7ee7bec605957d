// What Gauss and Lobatto methods share: the end of an iteration, coefficients with their errors, and saving.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "polhode/constrained/collocation.hpp"
#include "polhode/constrained/column.hpp"
#include "polhode/constrained/error.hpp"

namespace polhode::detail {

inline double checked_step(double step) {
  if (step == 0.0 || !std::isfinite(step))
    throw InputError("the step is not a finite number other than zero");
  return step;
}

/// A matrix in T with what T cannot hold of it.
template <class T>
struct SplitMatrix {
  SplitMatrix(const StageMatrix<DoubleDouble>& matrix, const DoubleDouble& factor)
      : value(matrix.stages()), error(matrix.stages()) {
    for (std::size_t i = 0; i < matrix.stages(); ++i)
      for (std::size_t j = 0; j < matrix.stages(); ++j) {
        const DoubleDouble exact = factor * matrix(i, j);
        value(i, j) = static_cast<T>(exact);
        error(i, j) = static_cast<T>(exact - DoubleDouble(value(i, j)));
      }
  }
  StageMatrix<T> value, error;
};

/// Iteration until convergence [HMR08 section 3.2]: until the change is zero or no longer decreases. While a change
/// is larger than round-off a single one that does not decrease may be chance, so a few are waited for.
template <class T>
class Convergence {
 public:
  /// `round_off` is that of what is iterated: changes of a few of them mean nothing.
  Convergence(int most, const T& round_off) : most_(most), noise_(T(16) * round_off) {}

  bool goes_on(const T& change, std::int64_t step, const char* what) {
    count_one(change, step, what);
    if (count_ > 1 && !(change < best_))
      ++stalls_;
    else
      best_ = change;
    if (change == T(0) || (stalls_ >= 1 && change <= noise_)) return false;
    return stalls_ < 3 || best_ > T(4096) * noise_;
  }

  /// Throws StepError where there is no hope.
  void count_one(const T& change, std::int64_t step, const char* what) {
    if (!isfinite(static_cast<double>(change)))
      throw StepError(
          step, std::string("the iteration for ") + what +
                    " leaves the finite numbers: the step is too large, or the motion meets a singularity");
    if (++count_ > most_)
      throw StepError(step, std::string("the iteration for ") + what + " does not converge within " +
                                std::to_string(most_) + " times: the step is too large");
  }

  int count() const { return count_; }

 private:
  int most_;
  int count_ = 0;
  int stalls_ = 0;
  T noise_;
  T best_{};
};

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
  const std::vector<std::byte>& bytes() const { return bytes_; }

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
    std::memcpy(values.data(), bytes_.data(), values.size_bytes());
    bytes_ = bytes_.subspan(values.size_bytes());
  }

 private:
  std::span<const std::byte> bytes_;
};

}  // namespace polhode::detail
