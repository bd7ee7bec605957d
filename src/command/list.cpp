#include <algorithm>

#include "command/commands.hpp"
#include "reproduce/experiment.hpp"
#include "scenario/error.hpp"
#include "systems/catalogue.hpp"
#include "text/text.hpp"

namespace polhode::command {

using namespace program;

int list(const ListArguments& arguments) {
  const std::vector<std::string>& parts = Catalogue::parts();
  if (!arguments.part.empty() && std::find(parts.begin(), parts.end(), arguments.part) == parts.end())
    throw ScenarioError(
        "list", "", "there is no list of " + in_quotes(arguments.part) + suggestion(arguments.part, parts));
  std::vector<NamedEntry> experiments;
  for (const ExperimentEntry& e : experiment_registry()) experiments.push_back({e.name, e.summary});
  const Catalogue catalogue(experiments);
  print(arguments.json    ? catalogue.json(arguments.part)
        : arguments.names ? catalogue.names(arguments.part)
                          : catalogue.text(arguments.part));
  return fine;
}

}  // namespace polhode::command
