// The methods for the free motion, of a free body or inside of a splitting.
#pragma once

#include <string>
#include <vector>

#include "polhode/free_motion/named_method.hpp"
#include "scenario/method_entry.hpp"

// Compiled once, in named_method.cpp: every method is in it, and there the compiler sees nothing else.
extern template class polhode::core::NamedMethod<double>;

namespace polhode::program {

/// A method of the core by its name, and whether its sums are compensated.
struct FreeMethod {
  MethodChoice choice;
  bool compensated = false;
};

/// The methods, in the order of the list in polhode/free_motion/methods.hpp.
std::vector<MethodEntry> free_methods();

/// Reads `compensated` and the options of the method.
FreeMethod read_free_method(Section& section, const MethodEntry& method);

/// Reads `compensated` for a method of that entry, without options.
FreeMethod read_summation(Section& section, const MethodEntry& method);

/// Calls make.operator()<summation>() with the summation that was chosen.
template <class Make>
auto with_summation(bool compensated, const Make& make) {
  return compensated ? make.template operator()<Summation::compensated>()
                     : make.template operator()<Summation::plain>();
}

}  // namespace polhode::program
