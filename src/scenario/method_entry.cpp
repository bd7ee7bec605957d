#include "scenario/method_entry.hpp"

#include <algorithm>
#include <stdexcept>

#include "scenario/scenario.hpp"
#include "text/text.hpp"

namespace polhode::program {

namespace {

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

MethodOption MethodOption::integer(std::string name, std::int64_t smallest, std::int64_t largest,
                                   std::int64_t otherwise, std::string meaning) {
  return {std::move(name), std::move(meaning), {otherwise}, smallest, largest, {}};
}

MethodOption MethodOption::choice(std::string name, std::vector<std::string> choices, std::string meaning) {
  Value first{choices.front()};
  return {std::move(name), std::move(meaning), std::move(first), 0, 0, std::move(choices)};
}

const MethodOption* MethodEntry::find(std::string_view option) const {
  const auto found =
      std::find_if(options.begin(), options.end(), [&](const MethodOption& o) { return o.name == option; });
  return found == options.end() ? nullptr : &*found;
}

const MethodEntry& find_entry(const std::vector<MethodEntry>& entries, const Section& section,
                              std::string_view key, const std::string& name, const std::string& what_for) {
  std::vector<std::string> names;
  for (const MethodEntry& entry : entries) {
    if (entry.name == name) return entry;
    names.push_back(entry.name);
  }
  section.fail(key,
               filled("there is no method {} for {}{}", in_quotes(name), what_for, suggestion(name, names)));
}

void allow_options_of(const Section& section, const std::vector<const MethodEntry*>& chosen,
                      const std::vector<MethodEntry>& all) {
  std::vector<std::string> allowed = Scenario::common_method_keys(), others;
  allowed.emplace_back("compensated");
  for (const MethodEntry* entry : chosen)
    for (const MethodOption& option : entry->options) allowed.push_back(option.name);
  for (const MethodEntry& entry : all)
    for (const MethodOption& option : entry.options) others.push_back(option.name);
  for (const std::string& key : section.keys())
    if (!contains(allowed, key) && contains(others, key))
      section.fail(key, filled("the method {} has no such option", chosen.back()->name));
  section.allow(allowed);
}

const MethodOption& OptionReader::option(std::string_view key) const {
  if (const MethodOption* const found = method_.find(key)) return *found;
  throw std::logic_error(filled("the method {} has no option {}", method_.name, key));
}

std::string OptionReader::name(std::string_view key) {
  const MethodOption& o = option(key);
  if (!section_.has(key)) {
    section_.note(key, o.otherwise);
    return std::get<std::string>(o.otherwise.content);
  }
  const std::string value = section_.string(key);
  if (!contains(o.choices, value))
    section_.fail(key, filled("there is no {} {}{}", key, in_quotes(value), suggestion(value, o.choices)));
  return value;
}

std::int64_t OptionReader::integer(std::string_view key, std::int64_t otherwise) {
  const MethodOption& o = option(key);
  if (!section_.has(key)) {
    section_.note(key, {otherwise});
    return otherwise;
  }
  const std::int64_t value = section_.integer(key);
  if (value < o.smallest || value > o.largest)
    section_.fail(key, filled("must be {} to {}, not {}", o.smallest, o.largest, value));
  return value;
}

double OptionReader::positive(std::string_view key) {
  if (!section_.has(key)) {
    section_.note(key, option(key).otherwise);
    return std::get<double>(option(key).otherwise.content);
  }
  return section_.positive(key);
}

bool OptionReader::flag(std::string_view key) {
  if (section_.has(key)) return section_.boolean(key);
  section_.note(key, option(key).otherwise);
  return std::get<bool>(option(key).otherwise.content);
}

}  // namespace polhode::program
