#include "scenario/document.hpp"

#include <algorithm>
#include <vector>

#include "scenario/error.hpp"

namespace polhode::program {

namespace {

std::vector<std::string> split_key(std::string_view key) {
  std::vector<std::string> parts(1);
  for (const char c : key) {
    if (c == '.') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

bool is_bare_key(std::string_view part) {
  constexpr std::string_view allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
  return !part.empty() && part.find_first_not_of(allowed) == std::string_view::npos;
}

}  // namespace

void override_value(Document& document, const std::string& key, Value value) {
  const std::vector<std::string> parts = split_key(key);
  constexpr std::size_t most_parts = 100;
  if (parts.size() > most_parts)
    throw ScenarioError("--set", key, "the key has more than " + std::to_string(most_parts) + " parts");
  for (const std::string& part : parts)
    if (!is_bare_key(part)) throw ScenarioError("--set", key, bad_override_key);
  Table* table = &document.root;
  std::string path;
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
    path += (i == 0 ? "" : ".") + parts[i];
    if (find(*table, parts[i]) == nullptr) {
      assign(*table, parts[i], {Table{}});
      document.overrides.insert(path);
    }
    table = std::get_if<Table>(&find(*table, parts[i])->content);
    if (table == nullptr) throw ScenarioError("--set", key, path + " is not a table");
  }
  assign(*table, parts.back(), std::move(value));
  document.overrides.insert(key);
}

std::string Document::source_of(std::string_view key) const {
  // A table may have been set as a whole, or one entry below the key.
  for (const std::string& set : overrides) {
    const std::size_t common = std::min(set.size(), key.size());
    if (set.compare(0, common, key.substr(0, common)) != 0) continue;
    if (set.size() == key.size() || (set.size() < key.size() && (key[common] == '.' || key[common] == '[')))
      return "--set";
  }
  return name;
}

}  // namespace polhode::program
