#include "input/toml.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <toml++/toml.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>

#include "input/toml_shape.hpp"
#include "scenario/error.hpp"
#include "text/text.hpp"

namespace polhode::program {

namespace {

// Far more than any scenario needs; it keeps /dev/zero from filling the memory.
constexpr std::size_t largest_file = std::size_t{1} << 24;

// The parser, and all who walk through a document, go one call deeper for each part of a key.
constexpr std::size_t largest_depth = 100;

Value converted(const toml::node& node) {
  if (const auto* x = node.as_boolean()) return {x->get()};
  if (const auto* x = node.as_integer()) return {x->get()};
  if (const auto* x = node.as_floating_point()) return {x->get()};
  if (const auto* x = node.as_string()) return {x->get()};
  if (const auto* x = node.as_array()) {
    Array result;
    for (const toml::node& element : *x) result.push_back(converted(element));
    return {std::move(result)};
  }
  if (const auto* x = node.as_table()) {
    Table result;
    for (const auto& [key, element] : *x) result.push_back({std::string(key.str()), converted(element)});
    return {std::move(result)};
  }
  return {Date{}};
}

/// The text as a TOML value; nothing if it is not one.
std::optional<Value> parsed_value(std::string_view text) {
  const TomlShape shape = toml_shape(text);
  if (text.find_first_of("\r\n") != std::string_view::npos || shape.depth > largest_depth ||
      shape.stray < text.size())
    return std::nullopt;
  try {
    const toml::table table = toml::parse("value = " + std::string(text));
    if (table.size() == 1) return converted(*table.get("value"));
  } catch (const toml::parse_error&) {
    // Not TOML: the caller takes it as a string.
  }
  return std::nullopt;
}

void apply_override(Document& document, const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos)
    throw ScenarioError("--set", text, "there is no value: write key=value, for example method.step=0.01");
  const std::string key = text.substr(0, equals);
  const std::string value = text.substr(equals + 1);
  if (key.empty()) throw ScenarioError("--set", text, bad_override_key);
  override_value(document, key, parsed_value(value).value_or(Value{value}));
}

std::string file_text(const std::string& file) {
  const auto fail = [&](const std::string& reason) { throw ScenarioError(file, "", reason); };
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) fail(fmt::format("cannot be read: {}", std::strerror(errno)));
  struct Closer {
    int descriptor;
    ~Closer() { ::close(descriptor); }
  } const closer{descriptor};
  struct stat status {};
  if (::fstat(descriptor, &status) == 0 && S_ISDIR(status.st_mode))
    fail("is a directory, not a scenario file");
  std::string text, block(1 << 16, '\0');
  for (;;) {
    const ssize_t count = ::read(descriptor, block.data(), block.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail(fmt::format("cannot be read: {}", std::strerror(errno)));
    if (count == 0) return text;
    text.append(block, 0, static_cast<std::size_t>(count));
    if (text.size() > largest_file) fail("is larger than 16 MiB: this is not a scenario");
  }
}

}  // namespace

Document parse_document(std::string_view text, const std::string& name,
                        const std::vector<std::string>& overrides) {
  Document document{name, {}, {}};
  const TomlShape shape = toml_shape(text);
  if (shape.depth > largest_depth)
    throw ScenarioError(name, "", fmt::format("its tables are nested more than {} deep", largest_depth));
  const bool marked = text.starts_with("\xef\xbb\xbf");  // as some editors begin a file of UTF-8
  if (const std::size_t stray = marked ? toml_shape(text.substr(3)).stray + 3 : shape.stray;
      stray < text.size()) {
    const std::string_view before = text.substr(0, stray);
    throw ScenarioError(fmt::format("{}:{}:{}", name, 1 + std::count(before.begin(), before.end(), '\n'),
                                    stray - before.find_last_of('\n')),
                        "", "this is not TOML: a character that cannot stand there");
  }
  try {
    document.root = std::get<Table>(converted(toml::parse(text)).content);
  } catch (const toml::parse_error& e) {
    const auto& where = e.source().begin;
    throw ScenarioError(fmt::format("{}:{}:{}", name, where.line, where.column), "",
                        fmt::format("this is not TOML: {}", e.description()));
  }
  for (const std::string& text_of_override : overrides) apply_override(document, text_of_override);
  return document;
}

Document read_document(const std::string& file, const std::vector<std::string>& overrides) {
  return parse_document(file_text(file), file, overrides);
}

}  // namespace polhode::program
