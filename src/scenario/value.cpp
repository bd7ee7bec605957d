#include "scenario/value.hpp"

#include <algorithm>
#include <type_traits>

#include "text/text.hpp"

namespace polhode::program {

const Value* find(const Table& table, std::string_view key) {
  const auto entry = std::find_if(table.begin(), table.end(), [&](const Entry& e) { return e.key == key; });
  return entry == table.end() ? nullptr : &entry->value;
}

Value* find(Table& table, std::string_view key) {
  return const_cast<Value*>(find(static_cast<const Table&>(table), key));
}

void assign(Table& table, std::string_view key, Value value) {
  if (Value* const old = find(table, key)) {
    *old = std::move(value);
  } else {
    table.push_back({std::string(key), std::move(value)});
  }
}

std::string description(const Value& value) {
  return std::visit(
      [](const auto& x) -> std::string {
        using X = std::decay_t<decltype(x)>;
        if constexpr (std::is_same_v<X, bool>) {
          return x ? "true" : "false";
        } else if constexpr (std::is_same_v<X, std::int64_t>) {
          return text_of(x);
        } else if constexpr (std::is_same_v<X, double>) {
          return shortest(x);
        } else if constexpr (std::is_same_v<X, std::string>) {
          return "the string " + (x.size() > 60 ? in_quotes(x.substr(0, 60)) + "..." : in_quotes(x));
        } else if constexpr (std::is_same_v<X, Array>) {
          return x.empty() ? "an empty array" : filled("an array of {}", x.size());
        } else if constexpr (std::is_same_v<X, Table>) {
          return "a table";
        } else {
          return "a date or time";
        }
      },
      value.content);
}

std::string toml_text(const Value& value) {
  return std::visit(
      [](const auto& x) -> std::string {
        using X = std::decay_t<decltype(x)>;
        if constexpr (std::is_same_v<X, double>) {
          return shortest(x);
        } else if constexpr (std::is_same_v<X, std::string>) {
          return in_quotes(x);
        } else if constexpr (std::is_same_v<X, Array>) {
          std::vector<std::string> parts;
          parts.reserve(x.size());
          for (const Value& v : x) parts.push_back(toml_text(v));
          return "[" + joined(parts, ", ") + "]";
        } else if constexpr (std::is_same_v<X, Table>) {
          std::vector<std::string> parts;
          parts.reserve(x.size());
          for (const Entry& e : x) parts.push_back(e.key + " = " + toml_text(e.value));
          return "{" + joined(parts, ", ") + "}";
        } else if constexpr (std::is_same_v<X, Date>) {
          return "0000-01-01";
        } else {
          return text_of(x);
        }
      },
      value.content);
}

}  // namespace polhode::program
