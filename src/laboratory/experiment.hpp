// An experiment of a paper: work that falls into independent units, and what the results say about the paper's claims.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "laboratory/figure.hpp"

namespace polhode::laboratory {

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

/// The results of all units: record i is that of unit i.
class Records {
 public:
  Records(std::size_t units, std::size_t size) : size_(size), numbers_(units * size), known_(units) {}

  std::size_t units() const { return known_.size(); }
  std::size_t size() const { return size_; }
  bool known(std::size_t unit) const { return known_[unit]; }
  std::size_t known_units() const;
  std::span<const double> operator[](std::size_t unit) const { return {&numbers_[unit * size_], size_}; }
  void set(std::size_t unit, std::span<const double> record);

 private:
  std::size_t size_;
  std::vector<double> numbers_;
  std::vector<bool> known_;
};

/// An experiment at a given scale.
struct Experiment {
  std::string name;       ///< as on the command line
  std::string reference;  ///< key of docs/references.md and the figure's number
  std::string title;
  std::string setting;  ///< a paragraph for the report: what is shown, and where it departs from the paper
  std::vector<std::pair<std::string, std::string>> parameters;  ///< all that the records depend on, in words
  /// Whether the units measure time: they then run one after the other, with nothing beside them.
  bool timing = false;
  std::size_t units = 0;
  std::size_t record_size = 0;
  /// Computes one unit. Depends on nothing but its index (and the clock, where time is measured), so that the units can be
  /// computed in any order, on any thread or machine. Long units call stop_if_interrupted() now and then.
  std::function<void(std::size_t unit, std::span<double> record)> compute;
  std::function<Findings(const Records&)> evaluate;
};

/// Thrown out of a unit when the user wants to stop.
struct Interrupted {};
void stop_if_interrupted();

/// What stands in the registry.
struct ExperimentEntry {
  std::string name;
  std::string summary;
  Experiment (*make)(Scale);
};
const std::vector<ExperimentEntry>& experiment_registry();

}  // namespace polhode::laboratory
