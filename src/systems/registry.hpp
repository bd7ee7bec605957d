// The systems that a scenario can name.
//
// To add one: write its builder, which reads the sections of a Scenario and returns a Simulation, and add a line to
// the table in systems.cpp.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "run/simulation.hpp"
#include "scenario/scenario.hpp"

namespace polhode::program {

/// An option of a method: an integer in a range, one of some names, or something else, which an example shows.
struct MethodOption {
  std::string name;
  std::int64_t smallest = 0;
  std::int64_t largest = 0;
  std::string meaning;
  std::vector<std::string> choices{};  ///< the names, the default first; empty for an integer
  std::string example{};               ///< a value that is neither, as in a scenario
};

struct MethodEntry {
  std::string name;
  std::string summary;
  int order = 0;              ///< 0: exact
  bool compensation = false;  ///< whether compensated summation applies
  std::vector<MethodOption> options;
  bool of_scheme = false;    ///< whether the order is that of a scheme which is an option
  std::string order_rule{};  ///< how the order follows from another option: "2 stages"
};

struct System {
  std::string_view name;
  std::string_view summary;
  std::vector<MethodEntry> (*methods)();
  std::unique_ptr<Simulation> (*build)(Scenario& scenario);
};

const std::vector<System>& systems();

/// The simulation that a scenario describes. Throws ScenarioError.
std::unique_ptr<Simulation> build(Scenario& scenario);

}  // namespace polhode::program
