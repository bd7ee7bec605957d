// Scenarios of bodies under torque for the tests: built, run, and looked at by the names of quantities.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "input/toml.hpp"
#include "run/runner.hpp"
#include "systems/registry.hpp"

namespace polhode::program {

using namespace core;

/// Keeps the rows in memory.
struct Rows : Recorder {
  void record(std::span<const double> row) override { rows.emplace_back(row.begin(), row.end()); }
  std::vector<std::vector<double>> rows;
};

/// As the runner finds it after its preparation.
inline std::unique_ptr<Simulation> prepared(std::unique_ptr<Simulation> simulation) {
  while (simulation->preparation() > 0) simulation->prepare(simulation->preparation());
  return simulation;
}

/// A scenario of the examples, without its steps or duration where others are given.
class Trial {
 public:
  Trial(const std::string& example, const std::vector<std::string>& overrides)
      : scenario_(document(example, overrides)), simulation_(prepared(build(scenario_))) {}

  Simulation& simulation() { return *simulation_; }
  Scenario& scenario() { return scenario_; }
  const Rows& rows() const { return rows_; }

  /// To the end of the scenario; every = 1 keeps each step.
  RunResult run(std::int64_t every = 0) {
    return program::run(*simulation_, {scenario_.steps(), every, &rows_, ""});
  }

  /// The column of a component in the rows.
  std::size_t column(const std::string& name, std::size_t component = 0) const {
    std::size_t at = 0;
    for (const Quantity& q : recorded_quantities(simulation_->description())) {
      if (q.name == name) return at + component;
      at += q.size;
    }
    throw std::out_of_range(name);
  }
  std::vector<double> series(const std::string& name, std::size_t component = 0) const {
    std::vector<double> result;
    for (const auto& row : rows_.rows) result.push_back(row[column(name, component)]);
    return result;
  }

 private:
  static Document document(const std::string& example, const std::vector<std::string>& overrides) {
    Document d = read_document(std::string(POLHODE_SOURCE_DIR "/examples/") + example + ".toml", overrides);
    Table& method = std::get<Table>(find(d.root, "method")->content);
    if (d.overrides.contains("method.steps"))
      std::erase_if(method, [](const Entry& e) { return e.key == "duration"; });
    return d;
  }

  Scenario scenario_;
  std::unique_ptr<Simulation> simulation_;
  Rows rows_;
};

/// The largest error of an invariant.
inline double largest_error(const RunResult& result, const std::string& name) {
  for (const InvariantError& e : result.errors)
    if (e.quantity.name == name) return e.max;
  throw std::out_of_range(name);
}

}  // namespace polhode::program
