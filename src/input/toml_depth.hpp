// The depth of a text in TOML, found without building anything.
#pragma once

#include <cstddef>
#include <string_view>

namespace polhode::program {

/// How many parts the longest key of the text has, with the keys that it stands below in inline tables and the brackets around
/// it. A table header and the keys that follow it count by themselves. Of a text that is not TOML, any number.
std::size_t toml_depth(std::string_view text);

}  // namespace polhode::program
