#include "scenario/key_path.hpp"

#include <algorithm>
#include <charconv>

namespace polhode::program {

namespace {

bool is_name(std::string_view text) {
  constexpr std::string_view allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
  return !text.empty() && text.find_first_not_of(allowed) == std::string_view::npos;
}

/// The part of a value, or null. Names that are missing are made on request.
Value* part_of(Value& value, std::size_t index, bool) {
  auto* const array = std::get_if<Array>(&value.content);
  return array != nullptr && index < array->size() ? &(*array)[index] : nullptr;
}

Value* part_of(Value& value, const std::string& name, bool make) {
  auto* const table = std::get_if<Table>(&value.content);
  if (table == nullptr) return nullptr;
  if (make && find(*table, name) == nullptr) assign(*table, name, {Table{}});
  return find(*table, name);
}

}  // namespace

bool KeyPath::has_too_many_parts(std::string_view text) {
  return std::count_if(text.begin(), text.end(), [](char c) { return c == '.' || c == '['; }) >= most_parts;
}

std::optional<KeyPath> KeyPath::parsed(std::string_view text) {
  if (has_too_many_parts(text)) return std::nullopt;
  KeyPath path;
  path.text_ = text;
  for (bool first = true; !text.empty(); first = false) {
    if (text.front() == '[') {
      const std::size_t end = text.find(']');
      std::size_t index = 0;
      if (first || end == std::string_view::npos) return std::nullopt;
      const auto [stop, error] = std::from_chars(text.data() + 1, text.data() + end, index);
      if (error != std::errc() || stop != text.data() + end) return std::nullopt;
      path.parts_.emplace_back(index);
      text.remove_prefix(end + 1);
    } else {
      if (!first) {
        if (text.front() != '.') return std::nullopt;
        text.remove_prefix(1);
      }
      const std::string_view name = text.substr(0, text.find_first_of(".["));
      if (!is_name(name)) return std::nullopt;
      path.parts_.emplace_back(std::string(name));
      text.remove_prefix(name.size());
    }
  }
  if (path.parts_.empty()) return std::nullopt;
  return path;
}

Value* KeyPath::walk(Table& root, bool make) const {
  Value* place = nullptr;
  for (const auto& part : parts_) {
    if (place == nullptr) {  // the first part, a name
      const std::string& name = std::get<std::string>(part);
      if (make && program::find(root, name) == nullptr) assign(root, name, {Table{}});
      place = program::find(root, name);
    } else {
      place = std::visit([&](const auto& p) { return part_of(*place, p, make); }, part);
    }
    if (place == nullptr) return nullptr;
  }
  return place;
}

const Value* KeyPath::find(const Table& root) const { return walk(const_cast<Table&>(root), false); }

bool KeyPath::set(Table& root, Value value) const {
  Value* const place = walk(root, true);
  if (place == nullptr) return false;
  *place = std::move(value);
  return true;
}

bool KeyPath::overlaps(const KeyPath& other) const {
  const std::size_t common = std::min(parts_.size(), other.parts_.size());
  return std::equal(parts_.begin(), parts_.begin() + static_cast<std::ptrdiff_t>(common),
                    other.parts_.begin());
}

}  // namespace polhode::program
