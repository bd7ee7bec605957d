// What the command lists: systems, methods, schemes, experiments.
#pragma once

#include <string>
#include <vector>

namespace polhode::laboratory {

/// A name with one line about it. Experiments enter their registry like this.
struct NamedEntry {
  std::string name;
  std::string summary;
};

/// Experiments of the papers.
const std::vector<NamedEntry>& experiments();

/// The parts that `list` knows: systems, methods, schemes, experiments.
const std::vector<std::string>& catalogue_parts();

/// One part, or all of them if the name is empty.
std::string catalogue_text(const std::string& part);
std::string catalogue_json(const std::string& part);

}  // namespace polhode::laboratory
