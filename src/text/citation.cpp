#include "text/citation.hpp"

#include "polhode/version.hpp"
#include "text/text.hpp"

namespace polhode::program {

std::string citation() {
  constexpr const char* title =
      "polhode: the motion of rigid bodies at the limit of floating-point arithmetic";
  constexpr const char* year = "2026";
  std::string text = filled("The polhode authors, {}, version {} ({}).\n\n", title, polhode::version, year);
  text += "@software{polhode,\n  author  = {{The polhode authors}},\n";
  for (const auto& [key, value] : {std::pair<const char*, std::string_view>{"title  ", title},
                                   {"version", polhode::version},
                                   {"year   ", year},
                                   {"license", "BSD-3-Clause"}})
    text += filled("  {} = ", key) + "{" + std::string(value) + "},\n";
  return text +
         "}\n\nThe methods are the work of others: name their papers, too; docs/references.md lists them.\n";
}

}  // namespace polhode::program
