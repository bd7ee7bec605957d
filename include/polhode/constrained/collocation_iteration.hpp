// The common part of Gauss and Lobatto methods: the end of an iteration, and coefficients with their errors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "polhode/constrained/collocation.hpp"
#include "polhode/constrained/column.hpp"
#include "polhode/error.hpp"

namespace POLHODE_CORE::detail {

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

}  // namespace POLHODE_CORE::detail
