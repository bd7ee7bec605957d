#include "systems/body/free_methods.hpp"

#include "batch/instruction_set.hpp"
#include "text/text.hpp"

namespace polhode::program {

std::vector<MethodEntry> free_methods() {
  std::vector<MethodEntry> entries;
  for (const MethodDescription& method : method_descriptions()) {
    const MethodInfo& info = method.info;
    entries.push_back({std::string(info.name), std::string(info.summary), info.order, info.increments});
    for (const OptionInfo& o : method.options)
      entries.back().options.push_back(MethodOption::integer(std::string(o.name), o.smallest, o.largest,
                                                             o.otherwise, std::string(o.meaning)));
  }
  return entries;
}

FreeMethod read_summation(Section& section, const MethodEntry& method) {
  FreeMethod result{{method.name, {}, method_functions()}, method.compensation};
  if (section.has("compensated")) {
    result.compensated = section.boolean("compensated");
    if (result.compensated && !method.compensation)
      section.fail("compensated", filled("the method {} has no increments to compensate", method.name));
  } else {
    section.note("compensated", {result.compensated});
  }
  return result;
}

FreeMethod read_free_method(Section& section, const MethodEntry& method) {
  FreeMethod result = read_summation(section, method);
  OptionReader options(section, method);
  for (const MethodOption& o : method.options)
    result.choice.options.emplace_back(o.name, static_cast<int>(options.integer(o.name)));
  // Options that exclude each other are to be blamed on the method, whatever body it is for.
  blaming(section, "", [&] {
    return NamedMethod<double>(Inertia<double>(Vector<double>{{1, 2, 3}}), result.choice);
  });
  return result;
}

}  // namespace polhode::program
