#include "text/text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <numeric>

namespace polhode::program {

namespace {

/// Insertions, deletions, substitutions and exchanges of neighbours (the commonest slip: dvm10).
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before = last;
    last = row;
  }
  return last[b.size()];
}

std::string hexadecimal(char c) {
  constexpr std::string_view digits = "0123456789abcdef";
  const auto code = static_cast<unsigned char>(c);
  return {digits[code / 16], digits[code % 16]};
}

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

/// The bytes of the UTF-8 character that the text begins with; 0 if it begins with none that can be shown.
std::size_t character_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xf0 ? 4 : (first >= 0xe0 ? 3 : 2);
  if (first < 0xc2 || first > 0xf4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xc0) != 0x80) return 0;
  // Longer than needed, surrogates, beyond the last character, and the control characters from U+0080 to U+009F.
  if ((first == 0xe0 && byte(1) < 0xa0) || (first == 0xed && byte(1) > 0x9f) ||
      (first == 0xf0 && byte(1) < 0x90) || (first == 0xf4 && byte(1) > 0x8f) ||
      (first == 0xc2 && byte(1) < 0xa0))
    return 0;
  return length;
}

}  // namespace

std::string number(double x) {
  if (!std::isfinite(x)) return std::isnan(x) ? (std::signbit(x) ? "-nan" : "nan") : x < 0 ? "-inf" : "inf";
  std::array<char, 40> buffer{};
  const auto end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), x, std::chars_format::scientific);
  const std::string_view text(buffer.data(), static_cast<std::size_t>(end.ptr - buffer.data()));
  const std::size_t mark = text.find('e');
  int exponent = 0;
  const std::size_t first = mark + (text[mark + 1] == '+' ? 2 : 1);
  std::from_chars(text.data() + first, text.data() + text.size(), exponent);
  if (exponent < -4 || exponent >= 16) return std::string(text);
  // The same digits with the point where people put it.
  const std::string sign = text[0] == '-' ? "-" : "";
  std::string digits;
  for (const char c : text.substr(sign.size(), mark - sign.size()))
    if (c != '.') digits += c;
  if (exponent < 0) return sign + "0." + std::string(static_cast<std::size_t>(-exponent - 1), '0') + digits;
  const auto whole = static_cast<std::size_t>(exponent) + 1;
  if (digits.size() <= whole) return sign + digits + std::string(whole - digits.size(), '0');
  return sign + digits.substr(0, whole) + "." + digits.substr(whole);
}

std::string rounded(const char* printf_format, double x) {
  std::array<char, 64> buffer{};
  const int size = std::snprintf(buffer.data(), buffer.size(), printf_format, x);
  return {buffer.data(), std::min(buffer.size() - 1, static_cast<std::size_t>(std::max(size, 0)))};
}

std::string left(std::string_view text, std::size_t width) {
  return std::string(text) + std::string(width > text.size() ? width - text.size() : 0, ' ');
}
std::string right(std::string_view text, std::size_t width) {
  return std::string(width > text.size() ? width - text.size() : 0, ' ') + std::string(text);
}

std::string filled_with(std::string_view pattern, std::span<const std::string> arguments) {
  std::string result;
  for (const std::string& argument : arguments) {
    const std::size_t place = pattern.find("{}");
    result += pattern.substr(0, place);
    if (place == std::string_view::npos) return result;
    result += argument;
    pattern.remove_prefix(place + 2);
  }
  return result += pattern;
}

std::string shortest(double x) {
  std::string text = number(x);
  if (std::isfinite(x) && text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string in_quotes(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (c == '\n') {
      result += "\\n";
    } else if (is_control(c)) {
      result += "\\u00" + hexadecimal(c);
    } else {
      result += c;
    }
  }
  return result + '"';
}

std::string one_line(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    if (text[0] == '\n') {
      result += "\\n";
    } else if (length == 0 || is_control(text[0]) || text.starts_with("\u2028") ||
               text.starts_with("\u2029")) {
      for (const char c : text.substr(0, std::max<std::size_t>(length, 1))) result += "\\x" + hexadecimal(c);
    } else {
      result += text.substr(0, length);
    }
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return result;
}

std::string shortened(std::string_view text, std::size_t most) {
  constexpr std::string_view gap = " ... ";
  if (text.size() <= most || most < gap.size() + 2) return std::string(text);
  const auto within_character = [&](std::size_t i) {
    return (static_cast<unsigned char>(text[i]) & 0xc0) == 0x80;
  };
  std::size_t head = (most - gap.size()) * 2 / 3, tail = text.size() - (most - gap.size() - head);
  while (head > 0 && within_character(head)) --head;
  while (tail < text.size() && within_character(tail)) ++tail;
  return std::string(text.substr(0, head)) + std::string(gap) + std::string(text.substr(tail));
}

std::string joined(const std::vector<std::string>& parts, std::string_view separator) {
  std::string result;
  for (const std::string& part : parts) {
    if (&part != parts.data()) result += separator;
    result += part;
  }
  return result;
}

std::string joined(const std::vector<std::string>& names) {
  return names.empty() ? "none" : joined(names, ", ");
}

std::string suggestion(std::string_view name, const std::vector<std::string>& known) {
  const std::string_view start = name.substr(0, 64);  // the distance costs the product of the lengths
  const auto nearest = std::min_element(known.begin(), known.end(), [&](const auto& a, const auto& b) {
    return edit_distance(start, a) < edit_distance(start, b);
  });
  if (nearest != known.end() && 2 * edit_distance(start, *nearest) <= std::max(start.size(), nearest->size()))
    return filled("; did you mean \"{}\"?", *nearest);
  return "; known: " + joined(known);
}

}  // namespace polhode::program
