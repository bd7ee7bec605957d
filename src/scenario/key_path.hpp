// A place in a scenario: "state.momentum", "system.inertia[0]", "system.molecules[1].count".
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "scenario/value.hpp"

namespace polhode::program {

/// Names with dots between them; an index in brackets, from 0, is an entry of an array.
class KeyPath {
 public:
  static constexpr int most_parts = 100;
  static bool has_too_many_parts(std::string_view text);

  /// Nothing if the text is not such a path, or has too many parts.
  static std::optional<KeyPath> parsed(std::string_view text);

  const std::string& text() const { return text_; }
  /// Names, and indices of entries; the first is a name.
  const std::vector<std::variant<std::string, std::size_t>>& parts() const { return parts_; }
  /// The value there, or null.
  const Value* find(const Table& root) const;
  /// Sets the value there. Names that are missing are made, as --set makes them; whether they mean anything is the scenario's to
  /// say. Returns false if an entry is to be set of something that is not an array, or is too short.
  bool set(Table& root, Value value) const;
  /// Whether one of the places is the other or a part of it.
  bool overlaps(const KeyPath& other) const;

 private:
  Value* walk(Table& root, bool make) const;

  std::string text_;
  std::vector<std::variant<std::string, std::size_t>> parts_;
};

}  // namespace polhode::program
