// The contents of a scenario, before they are examined: a table of values, and where each of them comes from.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "scenario/value.hpp"

namespace polhode::program {

struct Document {
  std::string name;                 ///< of the file, for messages
  Table root;                       ///< what it says, overrides included
  std::set<std::string> overrides;  ///< the dotted keys that came from --set

  /// Where the value of a dotted key comes from: the file's name or "--set".
  std::string source_of(std::string_view key) const;
};

inline constexpr const char* bad_override_key =
    "the key must be dotted names, such as method.step or torque[0].momentum";

/// Puts a value under a dotted key, as --set does; [i] is an entry of an array, counted from 0. What the file says instead of that
/// key, steps for duration or momentum for angular_velocity, is taken out. Throws ScenarioError for a key that is invalid.
void override_value(Document& document, const std::string& key, Value value);

}  // namespace polhode::program
