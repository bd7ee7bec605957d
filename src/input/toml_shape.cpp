#include "input/toml_shape.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace polhode::program {

namespace {

/// The text after the string that it begins with.
std::string_view after_string(std::string_view text) {
  const char quote = text[0];
  const bool long_one = text.size() >= 3 && text[1] == quote && text[2] == quote;
  std::size_t i = long_one ? 3 : 1;
  for (; i < text.size(); ++i) {
    if (quote == '"' && text[i] == '\\') {
      ++i;
    } else if (text[i] == quote && !long_one) {
      return text.substr(i + 1);
    } else if (text[i] == '\n' && !long_one) {
      return text.substr(i);
    } else if (text[i] == quote && text.substr(i).starts_with(std::string(3, quote))) {
      for (i += 3; i < text.size() && text[i] == quote;) ++i;  // up to two belong to the string
      return text.substr(i);
    }
  }
  return {};
}

}  // namespace

TomlShape toml_shape(std::string_view text) {
  TomlShape shape{0, text.size()};
  const std::size_t size = text.size();
  std::size_t around = 0, dots = 0;
  struct Bracket {
    std::size_t dots;  // before it
    char end;
  };
  std::vector<Bracket> outer;  // those that are open
  while (!text.empty()) {
    const char c = text[0];
    if (c == '"' || c == '\'') {
      text = after_string(text);
      continue;
    }
    if (c == '#') {
      text.remove_prefix(std::min(text.find('\n'), text.size()));
      continue;
    }
    const bool closes = c == ']' || c == '}';
    if (static_cast<unsigned char>(c) >= 0x80 || (closes && (outer.empty() || outer.back().end != c)))
      shape.stray = std::min(shape.stray, size - text.size());
    text.remove_prefix(1);
    if (c == '.') {
      ++dots;
    } else if (c == '[' || c == '{') {
      outer.push_back({dots, c == '[' ? ']' : '}'});
      around += dots + 1;
      dots = 0;
    } else if (closes && !outer.empty()) {
      dots = outer.back().dots;
      around -= dots + 1;
      outer.pop_back();
    } else if (c == '\n' || c == ',') {
      dots = 0;
    }
    shape.depth = std::max(shape.depth, around + dots + 1);
  }
  return shape;
}

}  // namespace polhode::program
