// A scenario file as text, parsed, with the values of --set put in.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "laboratory/value.hpp"

namespace polhode::laboratory {

struct Document {
  std::string name;                 ///< of the file, for messages
  Table root;                       ///< what it says, overrides included
  std::set<std::string> overrides;  ///< the dotted keys that came from --set

  /// Where the value of a dotted key comes from: the file's name or "--set".
  std::string source_of(std::string_view key) const;
};

/// Throws ScenarioError if the file cannot be read, is not TOML, or an override is not "key=value".
Document read_document(const std::string& file, const std::vector<std::string>& overrides);

/// The same for a text that is already there.
Document parse_document(std::string_view text, const std::string& name,
                        const std::vector<std::string>& overrides);

}  // namespace polhode::laboratory
