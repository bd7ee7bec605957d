#include "scenario/document.hpp"

#include <algorithm>
#include <charconv>
#include <vector>

#include "scenario/error.hpp"
#include "text/text.hpp"

namespace polhode::program {

namespace {

bool is_bare_key(std::string_view part) {
  constexpr std::string_view allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
  return !part.empty() && part.find_first_not_of(allowed) == std::string_view::npos;
}

/// A key of --set: a name, and the entries of arrays behind it.
struct KeyPart {
  std::string name;
  std::vector<std::size_t> entries;
};

std::vector<KeyPart> parts_of(const std::string& key) {
  const auto refuse = [&] { throw ScenarioError("--set", key, bad_override_key); };
  constexpr std::size_t most_parts = 100;
  if (static_cast<std::size_t>(
          std::count_if(key.begin(), key.end(), [](char c) { return c == '.' || c == '['; })) >= most_parts)
    throw ScenarioError("--set", key, "the key has more than " + std::to_string(most_parts) + " parts");
  std::vector<KeyPart> parts;
  for (std::string_view rest = key;;) {
    const std::size_t dot = rest.find('.');
    std::string_view text = rest.substr(0, dot);
    KeyPart part{std::string(text.substr(0, text.find('['))), {}};
    if (!is_bare_key(part.name)) refuse();
    text.remove_prefix(part.name.size());
    while (!text.empty()) {
      const std::size_t end = text.find(']');
      std::size_t index = 0;
      if (text.front() != '[' || end == std::string_view::npos) refuse();
      const auto [after, error] = std::from_chars(text.data() + 1, text.data() + end, index);
      if (error != std::errc() || after != text.data() + end) refuse();
      part.entries.push_back(index);
      text.remove_prefix(end + 1);
    }
    parts.push_back(std::move(part));
    if (dot == std::string_view::npos) return parts;
    rest.remove_prefix(dot + 1);
  }
}

/// Takes what is set for what the file says instead: a duration for the steps, the momentum for the angular velocity.
void displace_alternatives(Document& document, const std::string& key) {
  const auto table_of = [&](std::string_view k) {
    Value* const found = find(document.root, k.substr(0, k.find('.')));
    return found == nullptr ? nullptr : std::get_if<Table>(&found->content);
  };
  const auto name_of = [](std::string_view k) { return k.substr(k.find('.') + 1); };
  const auto has = [&](std::string_view k) {
    Table* const table = table_of(k);
    return table != nullptr && find(*table, name_of(k)) != nullptr;
  };
  const auto displaced = [&](std::string_view k) {
    if (!has(k) || document.source_of(k) != document.name) return false;
    std::erase_if(*table_of(k), [&](const Entry& e) { return e.key == name_of(k); });
    return true;
  };
  constexpr std::string_view step = "method.step", steps = "method.steps", duration = "method.duration",
                             momentum = "state.momentum", rate = "state.angular_velocity";
  if (key == momentum) displaced(rate);
  if (key == rate) displaced(momentum);
  // Any two of them are a scenario.
  if (has(step) && has(steps) && has(duration)) {
    if (key == duration) static_cast<void>(displaced(steps) || displaced(step));
    if (key == steps) static_cast<void>(displaced(duration) || displaced(step));
  }
}

}  // namespace

void override_value(Document& document, const std::string& key, Value value) {
  const std::vector<KeyPart> parts = parts_of(key);
  Table* table = &document.root;
  std::string path;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const KeyPart& part = parts[i];
    const bool is_last = i + 1 == parts.size();
    path += (i == 0 ? "" : ".") + part.name;
    Value* place = find(*table, part.name);
    if (place == nullptr) {
      if (!part.entries.empty()) throw ScenarioError("--set", key, path + " is not there");
      assign(*table, part.name, {Table{}});
      place = find(*table, part.name);
      if (!is_last) document.overrides.insert(path);
    }
    for (const std::size_t index : part.entries) {
      Array* const array = std::get_if<Array>(&place->content);
      if (array == nullptr) throw ScenarioError("--set", key, path + " is not an array");
      if (index >= array->size())
        throw ScenarioError("--set", key,
                            filled("{} has {} entries, which are counted from 0", path, array->size()));
      place = &(*array)[index];
      path += filled("[{}]", index);
    }
    if (is_last) {
      *place = std::move(value);
      break;
    }
    table = std::get_if<Table>(&place->content);
    if (table == nullptr) throw ScenarioError("--set", key, path + " is not a table");
  }
  document.overrides.insert(key);
  displace_alternatives(document, key);
}

std::string Document::source_of(std::string_view key) const {
  // A table or an array may have been set as a whole, or an entry of the array that the key is.
  for (const std::string& set : overrides) {
    const std::size_t common = std::min(set.size(), key.size());
    if (set.compare(0, common, key.substr(0, common)) != 0) continue;
    if (set.size() == key.size() || (set.size() < key.size() && (key[common] == '.' || key[common] == '[')) ||
        (set.size() > key.size() && set[common] == '['))
      return "--set";
  }
  return name;
}

}  // namespace polhode::program
