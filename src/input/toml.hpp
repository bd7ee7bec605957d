// Scenario files: TOML, with the values of --set put in.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scenario/document.hpp"

namespace polhode::program {

/// Throws ScenarioError if the file cannot be read, is not TOML, or an override is not "key=value".
Document read_document(const std::string& file, const std::vector<std::string>& overrides);

/// The same for a text that is already there.
Document parse_document(std::string_view text, const std::string& name,
                        const std::vector<std::string>& overrides);

}  // namespace polhode::program
