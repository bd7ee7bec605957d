#include <algorithm>

#include "command/commands.hpp"
#include "laboratory/catalogue.hpp"
#include "laboratory/error.hpp"
#include "laboratory/text.hpp"

namespace polhode::command {

using namespace laboratory;

int list(const ListArguments& arguments) {
  const std::vector<std::string>& parts = catalogue_parts();
  if (!arguments.part.empty() && std::find(parts.begin(), parts.end(), arguments.part) == parts.end())
    throw ScenarioError("list", "",
                        "there is no list of " + quoted(arguments.part) + suggestion(arguments.part, parts));
  print((arguments.json ? catalogue_json : catalogue_text)(arguments.part));
  return fine;
}

}  // namespace polhode::command
