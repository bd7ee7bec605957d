// Where and how a measurement was made.
#pragma once

#include <string>

namespace polhode::program {

/// The processor, as the system names it.
std::string machine_name();

/// The compiler and its flags.
std::string build_flags();

}  // namespace polhode::program
