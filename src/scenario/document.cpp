#include "scenario/document.hpp"

#include <algorithm>
#include <optional>
#include <variant>

#include "scenario/error.hpp"
#include "scenario/key_path.hpp"
#include "text/text.hpp"

namespace polhode::program {

namespace {

/// Takes what is set for what the file says instead: a duration for the steps, a step for the steps where the file has a duration, the
/// momentum for the angular velocity.
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
    if (key == step) static_cast<void>(displaced(steps) || displaced(duration));
  }
}

}  // namespace

void override_value(Document& document, const std::string& key, Value value) {
  const auto refuse = [&](const std::string& reason) { throw ScenarioError("--set", key, reason); };
  if (KeyPath::has_too_many_parts(key)) refuse(filled("the key has more than {} parts", KeyPath::most_parts));
  const std::optional<KeyPath> path = KeyPath::parsed(key);
  if (!path) refuse(bad_override_key);
  Value* place = nullptr;
  std::string text;  // of the parts that lead to the place
  for (std::size_t i = 0; i < path->parts().size(); ++i) {
    if (const auto* const index = std::get_if<std::size_t>(&path->parts()[i])) {
      auto* const array = std::get_if<Array>(&place->content);
      if (array == nullptr) refuse(text + " is not an array");
      if (array->empty()) refuse(text + " has no entries");
      if (*index >= array->size()) refuse(filled("the last entry of {} is [{}]", text, array->size() - 1));
      place = &(*array)[*index];
      text += filled("[{}]", *index);
    } else {
      auto* const table = place == nullptr ? &document.root : std::get_if<Table>(&place->content);
      if (table == nullptr) refuse(text + " is not a table");
      const auto& name = std::get<std::string>(path->parts()[i]);
      text += (text.empty() ? "" : ".") + name;
      if (find(*table, name) == nullptr) {
        const bool is_array = i + 1 < path->parts().size() && path->parts()[i + 1].index() == 1;
        if (is_array) refuse(text + " is not there");
        assign(*table, name, {Table{}});
        document.overrides.insert(text);
      }
      place = find(*table, name);
    }
  }
  *place = std::move(value);
  document.overrides.insert(text);
  displace_alternatives(document, text);
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
