// The exceptions of the library.
#pragma once

#include <charconv>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "polhode/core.hpp"

// Not in POLHODE_CORE: what one source throws is caught by those that are compiled for other instructions, too.
namespace polhode::core {

/// The fewest digits that read back to the same number, for messages.
inline std::string digits_of(double x) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, x).ptr};
}

/// The input is wrong; what() is one sentence that names what is wrong with it.
class InputError : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// A step cannot be taken, because of what a user's function returned or where the motion has come; what() is one sentence
/// that says so, and when. The object that was to step is as it was before the call.
class MotionError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The step from the grid point step() of a system in coordinates cannot be taken.
class StepError : public MotionError {
 public:
  StepError(std::int64_t step, const std::string& reason)
      : MotionError("step " + std::to_string(step + 1) + ": " + reason), step_(step) {}

  /// How many steps were taken before.
  std::int64_t step() const { return step_; }

 private:
  std::int64_t step_;
};

}  // namespace polhode::core

namespace polhode {
using core::InputError;
using core::MotionError;
using core::StepError;
}  // namespace polhode
