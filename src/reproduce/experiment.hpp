// An experiment of a paper: work that falls into independent units, and what the results say about the paper's claims.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "reproduce/figure.hpp"
#include "work/work.hpp"

namespace polhode::program {

/// The papers' own sizes, or fewer trajectories and shorter times.
enum class Scale { full, quick };

/// A claim of a paper's text, and what became of it.
struct Claim {
  std::string claim;
  std::string paper;     ///< what the paper says
  std::string measured;  ///< what was found
  std::string bound;     ///< what had to be found
  bool pass = false;
};

/// "1.25e-17": three digits are what a claim needs.
std::string brief(double x);

/// Holds if measured <= bound. What is not a number holds nothing.
Claim at_most(std::string claim, std::string paper, double measured, double bound,
              const std::string& unit = "");
Claim at_least(std::string claim, std::string paper, double measured, double bound,
               const std::string& unit = "");
Claim between(std::string claim, std::string paper, double measured, double low, double high,
              const std::string& unit = "");

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
  std::string reference;  ///< key of docs/references.md and the figure's number
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
