// Systems in coordinates in the program: every method, what they show, and where they stop.
#include "systems/coordinates/coordinates.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "input/toml.hpp"
#include "scenario/error.hpp"
#include "tests/systems/driven_scenario.hpp"

namespace polhode::program {

using namespace core;
namespace {

using Overrides = std::vector<std::string>;

constexpr std::array unconstrained_examples{"pendulum", "kepler", "henon-heiles", "outer-solar-system"};
constexpr std::array constrained_examples{"spherical-pendulum", "two-body-sphere", "triple-pendulum",
                                          "pendulum-chain", "four-points"};

/// The system and the state of an example, with another method.
class Motion {
 public:
  Motion(const std::string& example, const Overrides& method)
      : scenario_(document(example, method)), simulation_(build(scenario_)) {}

  Simulation& operator*() { return *simulation_; }
  Simulation* operator->() { return simulation_.get(); }
  Scenario& scenario() { return scenario_; }
  RunResult run() { return program::run(*simulation_, {scenario_.steps(), 0, &rows_, ""}); }
  const Rows& rows() const { return rows_; }

 private:
  static Document document(const std::string& example, const Overrides& method) {
    Document d = read_document(std::string(POLHODE_SOURCE_DIR "/examples/") + example + ".toml", {});
    std::string text;
    for (const char* table : {"system", "state"}) {
      text += std::string("[") + table + "]\n";
      if (const Value* found = find(d.root, table))
        for (const Entry& e : std::get<Table>(found->content))
          text += e.key + " = " + toml_text(e.value) + "\n";
    }
    // Starting a long chain takes longer than these steps do, and a short one has all that it has.
    if (const std::size_t at = text.find("links = 50"); at != std::string::npos)
      text.replace(at, 10, "links = 3");
    text += "[method]\nsteps = 300\n";
    for (const std::string& line : method) text += line + "\n";
    return parse_document(text, example, {});
  }

  Scenario scenario_;
  std::unique_ptr<Simulation> simulation_;
  Rows rows_;
};

/// Days for planets, units of time for the others.
std::string step_of(const std::string& example) {
  return example == "outer-solar-system" ? "step = 20.0" : "step = 0.01";
}

/// Every class of integrators once, and every named table.
std::vector<Overrides> every_method(bool constrained) {
  std::vector<Overrides> result;
  for (const MethodEntry& m : constrained ? constrained_methods() : unconstrained_methods())
    if (m.name != "multistep") result.push_back({"name = \"" + m.name + "\""});
  result.push_back({"name = \"multistep\"", "roots = [-0.8, -0.4, 0.7]"});
  for (const char* precision : {"double", "double-double"})
    for (const char* name : {"multistep", "rattle", "lobatto"})
      result.push_back(
          {std::string("name = \"") + name + "\"", std::string("precision = \"") + precision + "\""});
  result.push_back({"name = \"multistep\"", "force_sum = \"rounded\""});
  for (const char* more :
       {"form = \"naive\"", "form = \"summed\"", "momentum_formula = \"differences\"", "start = \"gauss\""})
    result.push_back({"name = \"multistep\"", more});
  result.push_back({"name = \"multistep\"", "form = \"summed\"", "precision = \"double\""});
  result.push_back({"name = \"multistep\"", "force_sum = \"rounded\"", "compensation = \"position\""});
  if (constrained) {
    for (const char* more : {"multipliers = \"newton\"", "constraint = \"standard\"", "constraint = \"wide\"",
                             "stopping = \"tolerance\"", "extrapolation = 0"})
      result.push_back({"name = \"multistep\"", more});
  } else {
    result.push_back({"name = \"gauss\"", "precision = \"double\"", "stages = 1"});
    result.push_back({"name = \"gauss\"", "precision = \"double-double\"", "stages = 8"});
  }
  return result;
}

std::string joined(const Overrides& lines) {
  std::string result;
  for (const std::string& t : lines) result += t + " ";
  return result;
}

void expect_same_bits(const std::string& example, Overrides method) {
  method.push_back(step_of(example));
  Motion whole(example, method), divided(example, method), continued(example, method);
  whole->advance(60);
  for (const int count : {1, 29, 7, 3}) {
    divided->advance(count);
    divided->look();
  }
  continued->restore(divided->save());
  divided->advance(20);
  continued->advance(20);
  const Snapshot expected = whole->look();
  for (Motion* other : {&divided, &continued}) {
    const Snapshot there = (*other)->look();
    const std::string what = example + " " + joined(method);
    EXPECT_EQ((*other)->steps(), 60);
    EXPECT_EQ(there.state, expected.state) << what;
    EXPECT_EQ(there.derived, expected.derived) << what;
    EXPECT_EQ(there.invariants, expected.invariants) << what;
    EXPECT_EQ(there.constraint, expected.constraint) << what;
    EXPECT_EQ((*other)->evaluations().force, whole->evaluations().force) << what;
    EXPECT_EQ((*other)->evaluations().constraint, whole->evaluations().constraint) << what;
  }
}

TEST(Coordinates, DivisionLooksAndRestartsChangeNoBit) {
  for (const char* example : unconstrained_examples)
    for (const Overrides& method : every_method(false)) expect_same_bits(example, method);
  for (const char* example : constrained_examples)
    for (const Overrides& method : every_method(true)) expect_same_bits(example, method);
}

TEST(Coordinates, WhatWasNotedIsTheSameScenario) {
  for (const bool constrained : {false, true})
    for (Overrides method : every_method(constrained)) {
      method.emplace_back("step = 0.01");
      Motion first(constrained ? "two-body-sphere" : "kepler", method);
      const std::string text = first.scenario().text();
      Scenario again(parse_document(text, "again", {}));
      const std::unique_ptr<Simulation> second = build(again);
      EXPECT_EQ(again.text(), text);
      EXPECT_EQ(second->description().details, first->description().details) << text;
      first->advance(20);
      second->advance(20);
      EXPECT_EQ(first->look().state, second->look().state) << text;
      EXPECT_EQ(first->evaluations().constraint, second->evaluations().constraint) << text;
    }
}

std::vector<std::string> invariants_of(const std::string& example) {
  Motion motion(example, {"name = \"multistep\"", step_of(example)});
  std::vector<std::string> names;
  for (const Quantity& q : motion->description().invariants) names.push_back(q.name);
  return names;
}

TEST(Coordinates, WhatIsConservedIsKnown) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(invariants_of("pendulum"), Names{"energy"});
  EXPECT_EQ(invariants_of("kepler"), (Names{"energy", "angular_momentum", "eccentricity_vector"}));
  EXPECT_EQ(invariants_of("henon-heiles"), Names{"energy"});
  EXPECT_EQ(invariants_of("outer-solar-system"), (Names{"energy", "total_momentum", "angular_momentum"}));
  EXPECT_EQ(invariants_of("spherical-pendulum"), (Names{"energy", "vertical_momentum"}));
  EXPECT_EQ(invariants_of("two-body-sphere"), (Names{"energy", "angular_momentum"}));
  EXPECT_EQ(invariants_of("triple-pendulum"), Names{"energy"});
  EXPECT_EQ(invariants_of("pendulum-chain"), Names{"energy"});
  EXPECT_EQ(invariants_of("four-points"), (Names{"energy", "spatial_momentum"}));
}

/// The largest of the errors that are round-off and no error of the method: those of the quadratic invariants that symplectic
/// methods keep.
TEST(Coordinates, MethodsKeepWhatTheyShould) {
  // Gauss methods and RATTLE conserve angular momenta: measured 3e-16, 2e-16, 4e-16 and 9e-16 at the worst.
  const auto error = [](const char* example, const char* name, const char* invariant) {
    return largest_error(Motion(example, {std::string("name = \"") + name + "\"", step_of(example)}).run(),
                         invariant);
  };
  EXPECT_LT(error("kepler", "gauss", "angular_momentum"), 1e-15);
  EXPECT_LT(error("spherical-pendulum", "rattle", "vertical_momentum"), 1e-15);
  EXPECT_LT(error("two-body-sphere", "lobatto", "angular_momentum"), 1e-15);
  EXPECT_LT(error("four-points", "rattle", "spatial_momentum"), 2e-15);
}

TEST(Coordinates, EvaluationsAreCounted) {
  EXPECT_EQ(Motion("pendulum", {"name = \"multistep\"", "step = 0.01"}).run().evaluations.force, 300);
  const RunResult closed = Motion("two-body-sphere", {"name = \"multistep\"", "step = 0.01"}).run();
  EXPECT_EQ(closed.evaluations.force, 300);
  EXPECT_EQ(closed.evaluations.constraint, 300);
  const RunResult iterated =
      Motion("two-body-sphere", {"name = \"multistep\"", "step = 0.01", "multipliers = \"newton\""}).run();
  EXPECT_GT(iterated.evaluations.constraint, 600);
  EXPECT_LT(iterated.evaluations.constraint, 1650);
  EXPECT_GE(Motion("pendulum", {"name = \"gauss\"", "step = 0.01", "stages = 4"}).run().evaluations.force,
            300 * 4 * 2);
}

TEST(Coordinates, FourPointsMoveAsTheFreeBody) {
  Motion points("four-points", {"name = \"multistep\"", "step = 0.005"});
  const RunResult a = points.run();
  Scenario scenario(
      parse_document("[system]\nkind = \"free-body\"\ninertia = [0.345, 0.653, 0.9]\n"
                     "[state]\nmomentum = [0.5, 0.2, 0.8]\n"
                     "[method]\nname = \"exact\"\nstep = 0.005\nsteps = 300\n",
                     "free", {}));
  const std::unique_ptr<Simulation> free = build(scenario);
  free->advance(300);
  const Snapshot exact = free->look();
  const double sign = a.last.derived[3] * exact.state[3] < 0.0 ? -1.0 : 1.0;
  // Measured: 2e-16.
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(a.last.derived[i], exact.state[i], 2e-15);
  for (std::size_t i = 3; i < 7; ++i) EXPECT_NEAR(sign * a.last.derived[i], exact.state[i], 2e-15);
}

TEST(Coordinates, ChainsOfAnyLength) {
  for (const int links : {1, 2, 200}) {
    Scenario scenario(parse_document("[system]\nkind = \"pendulum-chain\"\nlinks = " + std::to_string(links) +
                                         "\n[method]\nname = \"multistep\"\nstep = 0.001\nsteps = 300\n",
                                     "chain", {}));
    const std::unique_ptr<Simulation> simulation = build(scenario);
    const RunResult result = run(*simulation, {300, 0, nullptr, ""});
    EXPECT_EQ(result.ending, Ending::completed);
    EXPECT_EQ(result.last.state.size(), static_cast<std::size_t>(4 * links));
    EXPECT_LT(result.constraint_max, 1e-15) << links;
    EXPECT_LT(largest_error(result, "energy"), 1e-13 * links) << links;
  }
}

TEST(Coordinates, EveryExampleRuns) {
  int count = 0;
  for (const auto& file : std::filesystem::directory_iterator(POLHODE_SOURCE_DIR "/examples")) {
    if (file.path().extension() != ".toml") continue;
    Trial trial(file.path().stem().string(), {"method.steps=200"});
    if (trial.simulation().description().state.front().name != "position") continue;
    ++count;
    const RunResult result = trial.run();
    EXPECT_EQ(result.ending, Ending::completed) << file.path();
    EXPECT_EQ(result.steps, 200) << file.path();
    // Figure 3 leaves out increments of 1e-15.
    EXPECT_LT(result.constraint_max, file.path().stem() == "console-fig3" ? 5e-15 : 1e-15) << file.path();
    EXPECT_LT(largest_error(result, "energy"), 1e-4) << file.path();
  }
  EXPECT_GE(count, 14);
}

TEST(Coordinates, AStepThatCannotBeTakenKeepsWhatWasRecorded) {
  // Two bodies that fall upon each other: the force grows until no multiplier is found.
  Scenario scenario(parse_document(
      "[system]\nkind = \"two-body-sphere\"\n"
      "[state]\nphi = [0.0, 0.5]\ntheta = [1.5, 1.5]\nphi_rate = [0.0, 0.0]\ntheta_rate = [0.0, 0.0]\n"
      "[method]\nname = \"multistep\"\nstep = 0.02\nsteps = 1000\nmultipliers = \"newton\"\n",
      "fall", {}));
  const std::unique_ptr<Simulation> simulation = build(scenario);
  Rows rows;
  const RunResult result = run(*simulation, {1000, 1, &rows, ""});
  EXPECT_EQ(result.ending, Ending::stopped);
  EXPECT_GT(result.steps, 0);
  EXPECT_EQ(rows.rows.size(), static_cast<std::size_t>(result.steps) + 1);
  EXPECT_NE(result.failure.find("step " + std::to_string(result.steps + 1) + ": "), std::string::npos)
      << result.failure;
  EXPECT_EQ(simulation->steps(), result.steps);
  EXPECT_THROW(simulation->advance(1), MotionError);
  EXPECT_EQ(simulation->look().state, result.last.state);
}

}  // namespace
}  // namespace polhode::program
