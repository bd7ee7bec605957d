// The time of a motion in steps.
#pragma once

#include <cstdint>

#include "polhode/arithmetic/double_double.hpp"
#include "polhode/error.hpp"

namespace POLHODE_CORE {

/// Throws InputError for a number of steps that is negative.
inline void examine_count(std::int64_t count) {
  if (count < 0) throw InputError("the number of steps is negative");
}

/// Counts steps. The time is a product, not a sum: it does not drift. Steps of another length begin another product.
template <Scalar T>
class StepClock {
 public:
  using W = Wide<T>;

  StepClock() = default;
  explicit StepClock(const W& start) : origin_(start) {}

  W time() const { return origin_ + W(step_) * W(static_cast<double>(count_)); }
  /// The length of the steps; zero if none was set.
  const T& step() const { return step_; }
  std::int64_t steps_taken() const { return before_ + count_; }

  /// The steps that follow have this length. Throws InputError if it is not a finite number.
  void set_step(const T& step) {
    if (step == step_ && is_set_ != 0) return;
    examine_step(step);
    origin_ = time();
    before_ += count_;
    count_ = 0;
    step_ = step;
    is_set_ = 1;
  }

  /// So many steps were taken.
  void count(std::int64_t steps) { count_ += steps; }

  static void examine_step(const T& step) {
    if (!isfinite(step)) throw InputError("the step is not a finite number");
  }

  /// Throws InputError if the count is negative, or steps were asked for before their length was set.
  void examine(std::int64_t count) const {
    examine_count(count);
    if (count > 0 && is_set_ == 0)
      throw InputError("the step is not set: call advance(step, count) or set_step(step) first");
  }

 private:
  W origin_{};
  T step_{};
  std::int64_t before_ = 0, count_ = 0;
  std::int64_t is_set_ = 0;  // not a bool: saved as bytes, a clock has no padding
};

}  // namespace POLHODE_CORE
