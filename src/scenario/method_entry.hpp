// The methods that a scenario can name, and their options.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "scenario/section.hpp"

namespace polhode::program {

/// An option of a method. Its type is that of its default: an integer in a range, a name of some choices, a positive number,
/// true or false, or an array of numbers.
struct MethodOption {
  std::string name;
  std::string meaning;
  Value otherwise{};
  std::int64_t smallest = 0;           ///< of an integer
  std::int64_t largest = 0;            ///< of an integer
  std::vector<std::string> choices{};  ///< of a name

  static MethodOption integer(std::string name, std::int64_t smallest, std::int64_t largest,
                              std::int64_t otherwise, std::string meaning);
  /// The first of the choices is the default.
  static MethodOption choice(std::string name, std::vector<std::string> choices, std::string meaning);
};

struct MethodEntry {
  std::string name;
  std::string summary;
  int order = 0;              ///< 0: exact, or by the rule
  bool compensation = false;  ///< whether compensated summation applies
  std::vector<MethodOption> options{};
  std::string order_rule{};  ///< how the order follows from an option: "2 stages", "the scheme's"

  const MethodOption* find(std::string_view option) const;
};

/// The method of that name. If there is none, the key is blamed; `what_for` says of what: "a free body".
const MethodEntry& find_entry(const std::vector<MethodEntry>& entries, const Section& section,
                              std::string_view key, const std::string& name, const std::string& what_for);

/// Refuses the keys of [method] that are neither common to all scenarios nor options of the entries that were chosen, the
/// last of which is named in the complaint about an option of another method.
void allow_options_of(const Section& section, const std::vector<const MethodEntry*>& chosen,
                      const std::vector<MethodEntry>& all);

/// The options of one method in one section: a value is asked for by the name of its option, and what is not given is the
/// option's default. Both are noted.
class OptionReader {
 public:
  OptionReader(Section& section, const MethodEntry& method) : section_(section), method_(method) {}

  bool offers(std::string_view key) const { return method_.find(key) != nullptr; }
  std::string name(std::string_view key);
  std::int64_t integer(std::string_view key) {
    return integer(key, std::get<std::int64_t>(option(key).otherwise.content));
  }
  /// With a default that depends on other options.
  std::int64_t integer(std::string_view key, std::int64_t otherwise);
  double positive(std::string_view key);
  bool flag(std::string_view key);

 private:
  const MethodOption& option(std::string_view key) const;

  Section& section_;
  const MethodEntry& method_;
};

}  // namespace polhode::program
