#include "systems/body/free_motion_choice.hpp"

#include <algorithm>

#include "text/text.hpp"

namespace polhode::program {

namespace {

int read_option(Section& section, const MethodOption& option) {
  const std::int64_t value = section.integer(option.name);
  if (value < option.smallest || value > option.largest)
    section.fail(option.name, filled("must be {} to {}, not {}", option.smallest, option.largest, value));
  return static_cast<int>(value);
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

const MethodEntry& find_entry(const std::vector<MethodEntry>& entries, const Section& section,
                              std::string_view key, const std::string& name, const std::string& what_for) {
  std::vector<std::string> names;
  for (const MethodEntry& entry : entries) {
    if (entry.name == name) return entry;
    names.push_back(entry.name);
  }
  section.fail(key,
               filled("there is no method {} for {}{}", quoted(name), what_for, suggestion(name, names)));
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

FreeMotionChoice read_summation(Section& section, const MethodEntry& method) {
  FreeMotionChoice choice{method.name, method.compensation, {}, {}};
  if (section.has("compensated")) {
    choice.compensated = section.boolean("compensated");
    if (choice.compensated && !method.compensation)
      section.fail("compensated", filled("the method {} has no increments to compensate", method.name));
  } else {
    section.note("compensated", {choice.compensated});
  }
  return choice;
}

FreeMotionChoice read_free_motion(Section& section, const MethodEntry& method) {
  FreeMotionChoice choice = read_summation(section, method);
  for (const MethodOption& option : method.options) {
    std::optional<int>& chosen = option.name == "quadrature" ? choice.quadrature : choice.frame;
    if (section.has(option.name)) {
      chosen = read_option(section, option);
    } else {
      section.note(option.name, {std::int64_t{0}});
    }
  }
  return choice;
}

}  // namespace polhode::program
