// What is thrown when a step of a system in coordinates cannot be taken.
#pragma once

#include <cstdint>
#include <string>

#include "polhode/body/error.hpp"

namespace polhode {

/// The step from the grid point step() cannot be taken; what() is one sentence that says why. The integrator that
/// throws it stays at that grid point, whole.
class StepError : public MotionError {
 public:
  StepError(std::int64_t step, const std::string& reason)
      : MotionError("step " + std::to_string(step + 1) + ": " + reason), step_(step) {}

  /// How many steps were taken before.
  std::int64_t step() const { return step_; }

 private:
  std::int64_t step_;
};

}  // namespace polhode
