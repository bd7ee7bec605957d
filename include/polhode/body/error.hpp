// What is thrown when input is wrong.
#pragma once

#include <stdexcept>

namespace polhode {

/// The input is wrong; what() is one sentence that names what is wrong with it.
class InputError : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

}  // namespace polhode
