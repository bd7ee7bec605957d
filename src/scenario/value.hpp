// The values of a scenario, apart from the library that parses them: toml++ is compiled in one file only.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core.hpp"

namespace polhode::program {

struct Value;
struct Entry;
using Array = std::vector<Value>;
using Table = std::vector<Entry>;

/// A date or a time: TOML has them, scenarios have no use for them.
struct Date {};

struct Value {
  std::variant<bool, std::int64_t, double, std::string, Array, Table, Date> content;
};

struct Entry {
  std::string key;
  Value value;
};

/// The value of the key, or null.
const Value* find(const Table& table, std::string_view key);
Value* find(Table& table, std::string_view key);

/// Sets the key, whether it is there or not.
void assign(Table& table, std::string_view key, Value value);

/// What the value is, for messages: `the string "abc"`.
std::string description(const Value& value);

/// As it is written in TOML.
std::string toml_text(const Value& value);

}  // namespace polhode::program
