#include "tables/lines.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <memory>

#include "scenario/error.hpp"

namespace polhode::program {

std::string read_text(const std::string& file) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> stream(std::fopen(file.c_str(), "rb"), std::fclose);
  std::string text;
  if (stream) {
    std::string block(1 << 16, '\0');
    for (std::size_t size = block.size(); size == block.size();) {
      size = std::fread(block.data(), 1, block.size(), stream.get());
      text.append(block, 0, size);
    }
  }
  if (!stream || std::ferror(stream.get()) != 0)
    throw ScenarioError(file, "", std::string("cannot be read: ") + std::strerror(errno));
  return text;
}

bool next_line(std::string_view& text, std::string_view& line) {
  if (text.empty()) return false;
  const std::size_t end = std::min(text.find('\n'), text.size());
  line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return true;
}

std::vector<std::string_view> words_of(std::string_view line, std::string_view separators) {
  const std::string all = " \t" + std::string(separators);
  std::vector<std::string_view> words;
  for (std::size_t first = line.find_first_not_of(all); first != std::string_view::npos;) {
    const std::size_t end = std::min(line.find_first_of(all, first), line.size());
    words.push_back(line.substr(first, end - first));
    first = line.find_first_not_of(all, end);
  }
  return words;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::optional<double> number_of(std::string_view word) {
  if (word.size() > 1 && word.front() == '+' && word[1] != '-') word.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (end != word.data() + word.size() || word.empty()) return {};
  if (error == std::errc::result_out_of_range) {
    // Too small is zero, or next to it; too large is infinite.
    return std::strtod(std::string(word).c_str(), nullptr);
  }
  return error == std::errc() ? std::optional(value) : std::nullopt;
}

}  // namespace polhode::program
