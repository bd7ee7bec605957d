// The shape of a text in TOML, found without building anything: what the parser would not survive.
#pragma once

#include <cstddef>
#include <string_view>

namespace polhode::program {

struct TomlShape {
  /// How many parts the longest key of the text has, with the keys that it stands below in inline tables and the brackets around
  /// it. A table header and the keys that follow it count by themselves. Of a text that is not TOML, any number.
  std::size_t depth = 0;
  /// The place of the first byte that cannot stand where it does: one beyond ASCII outside of strings and comments, a bracket that closes
  /// another one; the size if there is none.
  std::size_t stray = 0;
};

TomlShape toml_shape(std::string_view text);

}  // namespace polhode::program
