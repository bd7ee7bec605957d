// An experiment of a paper: work that falls into independent units, and what the results say about the paper's claims.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "reproduce/claim.hpp"
#include "reproduce/figure.hpp"
#include "work/work.hpp"

namespace polhode::program {

/// The papers' own sizes, or fewer trajectories and shorter times.
enum class Scale { full, quick };

/// Rows of text below a figure, where a figure would not do.
struct TextTable {
  std::string title;
  std::vector<std::string> head;
  std::vector<std::vector<std::string>> rows;
};

/// What an experiment came to.
struct Findings {
  Figure figure;
  std::vector<Claim> claims;
  std::vector<TextTable> tables{};
};

/// An experiment at a given scale.
struct Experiment : Work {
  std::string reference;             ///< key of docs/references.md and the figure's number
  std::string group = "The papers";  ///< of the report; experiments of a group stand together in the registry
  std::string title;
  std::string setting;  ///< a paragraph for the report: what is shown, and where it departs from the paper
  std::vector<std::pair<std::string, std::string>> parameters;  ///< all that the records depend on, in words
  std::function<Findings(const Records&)> evaluate;
};

/// What the records of an experiment depend on, for the file that holds them.
std::string record_identity(const Experiment& experiment, Scale scale);

/// What stands in the registry.
struct ExperimentEntry {
  std::string name;
  std::string summary;
  Experiment (*make)(Scale);
};
const std::vector<ExperimentEntry>& experiment_registry();

}  // namespace polhode::program
