// What is thrown when input is wrong, or a motion cannot go on.
#pragma once

#include <stdexcept>

namespace polhode {

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

}  // namespace polhode
