#include <fmt/format.h>

#include <algorithm>

#include "command/commands.hpp"
#include "laboratory/catalogue.hpp"
#include "laboratory/error.hpp"
#include "laboratory/text.hpp"

namespace polhode::command {

using namespace laboratory;

int reproduce(const ReproduceArguments& arguments) {
  if (!arguments.threads.empty()) positive_integer("--threads", arguments.threads);
  std::vector<std::string> known;
  for (const NamedEntry& e : experiments()) known.push_back(e.name);
  const std::string list = known.empty() ? "none in this version" : joined(known);
  for (const std::string& name : arguments.names)
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw ScenarioError("reproduce", "",
                          fmt::format("there is no experiment of the name {}; known: {}", name, list));
  if (known.empty()) throw ScenarioError("reproduce", "", "there is no experiment; known: " + list);
  return fine;
}

}  // namespace polhode::command
