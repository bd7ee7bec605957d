// Rigid molecules through scenarios, runs and files.
#include "systems/molecules/molecules.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>

#include "input/toml.hpp"
#include "output/output.hpp"
#include "scenario/error.hpp"
#include "tests/output/temporary_folder.hpp"
#include "tests/systems/driven_scenario.hpp"

namespace polhode::program {

using namespace core;
namespace {

using testing::contents;
using testing::TemporaryFolder;

const std::vector<std::string> few{"system.molecules=[{molecule='tip4p', count=8}]",
                                   "state.equilibration=200", "method.steps=500"};

std::vector<std::string> few_and(const std::vector<std::string>& more) {
  std::vector<std::string> all = few;
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

TEST(RigidMoleculesScenario, ClusterConservesWhatItShould) {
  Trial trial("water-cluster", few);
  const RunResult result = trial.run();
  EXPECT_EQ(result.ending, Ending::completed);
  // k T is 1.7; the total of all momenta is of size 100.
  EXPECT_LE(largest_error(result, "energy"), 0.3);
  EXPECT_LE(largest_error(result, "momentum"), 1e-28);
  EXPECT_LE(largest_error(result, "angular_momentum"), 3e-14);
  EXPECT_EQ(result.evaluations.force, 500);
  const double temperature = trial.series("temperature").front();
  EXPECT_NEAR(temperature, 200, 1e-9);
}

TEST(RigidMoleculesScenario, BoxHasNoAngularMomentumToConserve) {
  Trial trial("water-box", few_and({"system.box=[0.7, 0.75, 0.8]"}));
  const RunResult result = trial.run();
  EXPECT_LE(largest_error(result, "momentum"), 1e-28);
  EXPECT_THROW(largest_error(result, "angular_momentum"), std::out_of_range);
}

TEST(RigidMoleculesScenario, HigherSchemesKeepTheEnergyBetter) {
  const auto error = [](const std::string& scheme) {
    return largest_error(Trial("water-cluster", few_and({"method.scheme='" + scheme + "'"})).run(), "energy");
  };
  const double strang = error("strang"), fourth = error("rkn4-6");
  EXPECT_LE(fourth, 1e-3 * strang);
}

TEST(RigidMoleculesScenario, WhatIsRunReadsBackAsTheSame) {
  Trial first("water-cluster", few_and({"system.record='states'", "method.free='dmv8'"}));
  const std::string text = first.scenario().text();
  Scenario again(parse_document(text, "text", {}));
  const auto simulation = prepared(build(again));
  EXPECT_EQ(again.text(), text);
  simulation->advance(50);
  first.simulation().advance(50);
  EXPECT_EQ(simulation->look().state, first.simulation().look().state);
}

TEST(RigidMoleculesScenario, CheckpointsContinueBitForBit) {
  Trial trial("water-box", few_and({"system.record='states'", "method.scheme='rkn6-14'", "system.box=0.75"}));
  Simulation& s = trial.simulation();
  s.advance(17);
  const std::vector<std::byte> saved = s.save();
  s.advance(30);
  const std::vector<double> expected = s.look().state;
  EXPECT_EQ(expected.size(), 4 + 13 * 8U);
  s.restore(saved);
  (void)s.look();
  for (int i = 0; i < 30; ++i) s.advance(1);
  EXPECT_EQ(s.look().state, expected);
}

TEST(RigidMoleculesScenario, ThreadsChangeNoBit) {
  const auto state = [](const std::string& threads) {
    Trial trial("water-box", {"system.molecules=[{molecule='spce', count=250}]", "system.box=1.96",
                              "system.cutoff=0.7", "system.record='states'", "state.equilibration=20",
                              "method.steps=20", "system.threads=" + threads});
    trial.simulation().advance(20);
    return trial.simulation().look().state;
  };
  const std::vector<double> expected = state("1");
  EXPECT_EQ(expected.size(), 4 + 13 * 250U);
  for (const char* threads : {"2", "3", "0"}) EXPECT_EQ(state(threads), expected) << threads;
}

const char* const mixture = R"(
[system]
kind = "rigid-molecules"
coulomb = 1.0
boltzmann = 1.0
length_in_angstrom = 2.0
[[system.molecules]]
name = "rotor"
count = 2
sites = [{element = "N", position = [0, 0, 0], mass = 1.0, epsilon = 1.0, sigma = 1.0},
         {name = "M", position = [0.2, 0, 0], charge = 1.0},
         {element = "H", position = [0.4, 0, 0], mass = 1.0, charge = -1.0}]
[[system.molecules]]
count = 1
sites = [{element = "Ar", position = [7, 7, 7], mass = 2.0, epsilon = 1.0, sigma = 1.0}]
[state]
positions = [[0, 0, 0], [0, 2, 0], [0, 0, 3]]
attitudes = [[1, 0, 0, 0], [0, 1, 0, 0], [1, 0, 0, 0]]
momenta = [[0.1, 0, 0], [-0.1, 0, 0], [0, 0, 0]]
angular_momenta = [[0, 0.01, 0], [0, 0, 0], [0, 0, 0]]
[method]
name = "sej"
step = 0.01
steps = 20
)";

TEST(RigidMoleculesScenario, TrajectoriesAreExtendedXyz) {
  const TemporaryFolder folder;
  Scenario scenario(parse_document(mixture, "mixture.toml", {}));
  const auto simulation = build(scenario);
  const std::string file = folder / "a.xyz";
  const auto output = open_output(
      file, {scenario.text(), simulation->description(), 20, 10, simulation.get()}, text_formats());
  const RunResult result = run(*simulation, {20, 10, output.get(), ""});
  EXPECT_FALSE(std::filesystem::exists(file));
  output->finish(result.ending, result.steps);
  std::istringstream lines(contents(file));
  std::string line;
  for (const std::string time : {"0", "0.1", "0.2"}) {
    ASSERT_TRUE(std::getline(lines, line));
    EXPECT_EQ(line, "5");  // without the sites that are no atoms
    ASSERT_TRUE(std::getline(lines, line));
    EXPECT_TRUE(line.starts_with("pbc=\"F F F\" Properties=species:S:1:pos:R:3 Time=" + time + " ")) << line;
    for (const std::string element : {"N", "H", "N", "H", "Ar"}) {
      ASSERT_TRUE(std::getline(lines, line));
      EXPECT_TRUE(line.starts_with(element + " ")) << line;
      if (time == "0" && element == "Ar") {
        EXPECT_EQ(line, "Ar 0.00000000 0.00000000 6.00000000");
      }
    }
  }
  EXPECT_FALSE(std::getline(lines, line));
}

TEST(RigidMoleculesScenario, MoleculesOfATrajectoryAreInTheBoxAsAWhole) {
  const TemporaryFolder folder;
  Scenario scenario(parse_document(mixture, "mixture.toml", {"system.box=2.5", "method.steps=1"}));
  const auto simulation = build(scenario);
  const auto output = open_output(
      folder / "a.xyz", {scenario.text(), simulation->description(), 1, 1, simulation.get()}, text_formats());
  run(*simulation, {1, 1, output.get(), ""});
  output->finish(Ending::completed, 1);
  const std::string text = contents(folder / "a.xyz");
  EXPECT_TRUE(text.starts_with("5\nLattice=\"5 0 0 0 5 0 0 0 5\" pbc=\"T T T\" ")) << text.substr(0, 80);
  EXPECT_NE(text.find("\nN -0.40000000 0.00000000 0.00000000\nH 0.40000000 "), std::string::npos) << text;
  EXPECT_NE(text.find("\nAr 0.00000000 0.00000000 1.00000000\n"), std::string::npos) << text;
}

TEST(RigidMoleculesScenario, OtherSystemsHaveNoTrajectory) {
  const TemporaryFolder folder;
  Provenance provenance;
  provenance.description.system = "free-body";
  EXPECT_THROW(open_output(folder / "a.xyz", provenance, text_formats()), ScenarioError);
  EXPECT_FALSE(std::filesystem::exists(folder / "a.xyz.partial"));
}

TEST(RigidMoleculesScenario, WrongInputIsNamed) {
  const auto reason = [](const std::vector<std::string>& overrides) -> std::string {
    try {
      Scenario scenario(parse_document(mixture, "m.toml", overrides));
      build(scenario);
    } catch (const ScenarioError& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_EQ(reason({"state.positions=[[0,0,0],[1,1,1],[0,0,0]]"}),
            "m.toml: state: molecules [0] and [2] are on one spot");
  EXPECT_EQ(reason({"state.positions=[[0,0,0],[1,1,1]]"}),
            "--set: state.positions: must be an array of 3 arrays, one for each molecule, not an array of 2");
  EXPECT_EQ(reason({"state.momenta=[[0,0,0],[1,1],[0,0,0]]"}),
            "--set: state.momenta: entry [1] must be an array of 3 numbers, not an array of 2");
  EXPECT_EQ(reason({"state.momenta=[[0,0,0],[1,1,inf],[0,0,0]]"}),
            "--set: state.momenta: entry [1][2] must be a finite number, not inf");
  EXPECT_EQ(reason({"state.temperature=1.0"}),
            "m.toml: state.positions: does not go with temperature, which stands for a beginning by chance");
  EXPECT_EQ(reason({"state.seed=1"}),
            "--set: state.seed: is for a beginning by chance, which needs a temperature");
  EXPECT_EQ(reason({"system.molecules=[{molecule='spec', count=3}]"}),
            "--set: system.molecules[0].molecule: there is no molecule \"spec\"; did you mean \"spce\"?");
  EXPECT_EQ(reason({"system.molecules=[{molecule='spce'}]"}),
            "m.toml: system.molecules[0].count: is missing");
  EXPECT_EQ(reason({"system.molecules=[{count=3}]"}),
            "m.toml: system.molecules[0].molecule: give either the name of a known molecule or sites");
  EXPECT_EQ(reason({"system.molecules=[{count=3, sites=[{position=[0,0,0], charge=1}]}]"}),
            "--set: system.molecules[0].sites: the molecule 0 has no mass");
  EXPECT_EQ(reason({"system.molecules=[{count=3, sites=[{position=[0,0], mass=1}]}]"}),
            "--set: system.molecules[0].sites[0].position: must be an array of 3 numbers, not an array of 2");
  EXPECT_EQ(reason({"system.molecules=5"}), "--set: system.molecules: must be an array of tables, not 5");
  EXPECT_EQ(reason({"system.threads=-1"}), "--set: system.threads: must be at least 0, not -1");
  EXPECT_EQ(reason({"system.threads=5000"}), "--set: system.threads: must be 0 to 1024, not 5000");
  EXPECT_EQ(reason({"system.box=-1"}), "--set: system.box: an edge of the box is not a positive number");
  EXPECT_EQ(reason({"system.box=2.5", "system.cutoff=2"}),
            "--set: system.cutoff: the cutoff is longer than half an edge of the box");
  EXPECT_EQ(reason({"method.scheme='strang'"}), "--set: method.scheme: the method sej has no such option");
  EXPECT_EQ(reason({"method.name='splitting'", "method.scheme='strong'"}),
            "--set: method.scheme: there is no scheme \"strong\"; did you mean \"strang\"?");
  EXPECT_EQ(reason({"method.compensated=false"}),
            "--set: method.compensated: the sums of rigid molecules are always compensated");
}

TEST(RigidMoleculesScenario, ACollisionStopsTheRunAndKeepsWhatWas) {
  Scenario scenario(parse_document(R"(
[system]
kind = "rigid-molecules"
molecules = [{count = 2, sites = [{position = [0, 0, 0], mass = 1, charge = 1e-100}]}]
[state]
positions = [[-1, 0, 0], [1, 0, 0]]
momenta = [[1, 0, 0], [-1, 0, 0]]
[method]
name = "splitting"
step = 0.125
steps = 100
)",
                                   "collision.toml", {}));
  const auto simulation = build(scenario);
  Rows rows;
  const RunResult result = run(*simulation, {100, 1, &rows, ""});
  EXPECT_EQ(result.ending, Ending::stopped);
  EXPECT_EQ(result.failure, "molecules [0] and [1] are on one spot at time 1");
  EXPECT_EQ(result.steps, 7);
  EXPECT_EQ(rows.rows.size(), 8U);
}

}  // namespace
}  // namespace polhode::program
