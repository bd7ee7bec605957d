// The choice of a method for the free motion, of a free body or inside of a splitting.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenario/scenario.hpp"
#include "systems/registry.hpp"

namespace polhode::program {

/// A method by its name, and how it is to run. Options that are not given are the method's own choice.
struct FreeMotionChoice {
  std::string method;
  bool compensated = false;
  std::optional<int> quadrature;
  std::optional<int> frame;
};

/// What is known of the methods, in the order of the list in polhode/free_motion/methods.hpp.
std::vector<MethodEntry> free_motion_methods();

/// The method of that name. If there is none, the key is blamed; `what_for` says of what: "a free body".
const MethodEntry& find_entry(const std::vector<MethodEntry>& entries, const Section& section,
                              std::string_view key, const std::string& name, const std::string& what_for);

/// Refuses the keys of [method] that are neither common to all scenarios nor options of the entries that were chosen, the
/// last of which is named in the complaint about an option of another method.
void allow_options_of(const Section& section, const std::vector<const MethodEntry*>& chosen,
                      const std::vector<MethodEntry>& all);

/// Reads `compensated` and the options of the method.
FreeMotionChoice read_free_motion(Section& section, const MethodEntry& method);

/// The same for a method that has no options in the scenario: of a name that stands for it.
FreeMotionChoice read_summation(Section& section, const MethodEntry& method);

/// The choice as the options of a method's type.
template <class Options>
Options options_of([[maybe_unused]] const FreeMotionChoice& choice) {
  Options options{};
  if constexpr (requires { options.quadrature; })
    options.quadrature = choice.quadrature.value_or(options.quadrature);
  if constexpr (requires { options.frame; }) {
    // 0..3 in scenarios, an enumeration in the core.
    if (choice.frame) options.frame = static_cast<decltype(options.frame)>(*choice.frame);
  }
  return options;
}

}  // namespace polhode::program
