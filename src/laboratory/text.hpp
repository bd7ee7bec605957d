// Numbers and names as text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace polhode::laboratory {

/// The fewest digits that read back to the same double, always recognisable as a real number: 10000.0.
std::string shortest(double x);

/// In quotes, with the escapes that JSON and TOML have in common.
std::string quoted(std::string_view text);

/// Control characters made visible, so that whatever a message quotes, the message stays on one line.
std::string one_line(std::string_view text);

/// "; did you mean "x"?" for the nearest known name, or the list of names where none is near.
std::string suggestion(std::string_view name, const std::vector<std::string>& known);

/// "a, b, c", or "none" for nothing.
std::string joined(const std::vector<std::string>& names);

}  // namespace polhode::laboratory
