// Numbers and names as text.
#pragma once

#include <array>
#include <concepts>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core.hpp"

namespace polhode::program {

/// The fewest digits that read back to the same double: 0.1, 1e-05, 10000.
std::string number(double x);
/// Not as many digits as a double has, as printf writes them: rounded("%.3g", x).
std::string rounded(const char* printf_format, double x);

/// The fewest digits that read back to the same double, always recognisable as a real number: 10000.0.
std::string shortest(double x);

/// In quotes, with the escapes that JSON and TOML have in common.
std::string in_quotes(std::string_view text);

/// Control characters and bytes that are not UTF-8 made visible, so that whatever a message quotes, the message stays on
/// one line that can be read.
std::string one_line(std::string_view text);

/// At most so many bytes: the middle of a longer text is left out.
std::string shortened(std::string_view text, std::size_t most);

/// "; did you mean "x"?" for the nearest known name, or the list of names where none is near.
std::string suggestion(std::string_view name, const std::vector<std::string>& known);

/// Filled up with blanks to the given width.
std::string left(std::string_view text, std::size_t width);
std::string right(std::string_view text, std::size_t width);

inline std::string text_of(std::string_view x) { return std::string(x); }
inline std::string text_of(double x) { return number(x); }
template <std::integral T>
std::string text_of(T x) {
  if constexpr (std::same_as<T, bool>) return x ? "true" : "false";
  return std::to_string(x);
}

/// The pattern with its {} replaced by the arguments, one after the other: filled("must be {} to {}", 1, 8).
std::string filled_with(std::string_view pattern, std::span<const std::string> arguments);
template <class... Arguments>
std::string filled(std::string_view pattern, const Arguments&... arguments) {
  return filled_with(pattern, std::array<std::string, sizeof...(Arguments)>{text_of(arguments)...});
}

/// The texts with a separator between each two.
std::string joined(const std::vector<std::string>& parts, std::string_view separator);
/// "a, b, c", or "none" for nothing.
std::string joined(const std::vector<std::string>& names);

}  // namespace polhode::program
