// Extended bodies through scenarios, runs and files.
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>

#include "input/toml.hpp"
#include "output/output.hpp"
#include "polhode/gravity/extended_bodies.hpp"
#include "scenario/error.hpp"
#include "systems/watching.hpp"
#include "tests/output/temporary_folder.hpp"
#include "tests/systems/driven_scenario.hpp"

namespace polhode::program {

using namespace core;
namespace {

using testing::contents;
using testing::TemporaryFolder;

/// The energy is 0.99, most of it the spin of the larger one, the angular momentum 1.1. 400 hours are 22 orbits.
TEST(ExtendedBodiesScenario, BinaryAsteroidConservesWhatItShould) {
  Trial trial("binary-asteroid", {"method.steps=1600"});
  const RunResult result = trial.run(16);
  EXPECT_EQ(result.ending, Ending::completed);
  EXPECT_LE(largest_error(result, "energy"), 1e-12);
  EXPECT_LE(largest_error(result, "momentum"), 1e-30);
  EXPECT_LE(largest_error(result, "angular_momentum"), 1e-17);
  EXPECT_EQ(result.evaluations.force, 14 * 1600);
  // The spins act on the orbit.
  const std::vector<double> axis = trial.series("semi_major_axis"), distance = trial.series("least_distance");
  const auto [least, largest] = std::minmax_element(axis.begin(), axis.end());
  EXPECT_GT(*largest - *least, 0.005);
  EXPECT_GT(*least, 2.4);
  EXPECT_LT(*largest, 2.8);
  for (const double d : distance) EXPECT_TRUE(d > 2.3 && d < 2.9) << d;
}

/// The same numbers as the core has.
TEST(ExtendedBodiesScenario, RowsAreTheStatesOfTheCore) {
  Trial trial("binary-asteroid", {"method.steps=10"});
  (void)trial.run(10);
  std::vector<ExtendedBody<double>> bodies{{.mass = 2.3, .body = Body({0.35995, 0.378304, 0.407054})},
                                           {.mass = 0.0929, .body = Body({0.0015013, 0.0020587, 0.0023559})}};
  std::vector<PlacedState<double>> states(2);
  states[0].position = {{-0.0979, 0.0, 0.0}};
  states[0].momentum = {{0.0, 2.3 * -0.03569, 0.0}};
  states[0].turning = {{{0.02 * 0.35995, 0.0, 2.244 * 0.407054}}, {0.99619089, 0.0871992, 0.0, 0.0}};
  states[1].position = {{2.4241, 0.0, 0.0}};
  states[1].momentum = {{0.0, 0.0929 * 0.88372, 0.0}};
  states[1].turning.momentum = {{0.01 * 0.0015013, 0.0, 0.36 * 0.0023559}};
  ExtendedBodies<> expected(bodies, states, 0.86498928);
  expected.advance(0.25, 10);
  const Constellation<double> end = expected.state();
  const std::vector<double>& row = trial.rows().rows.back();
  const auto expect = [&](const std::string& name, const auto& numbers) {
    for (std::size_t k = 0; k < numbers.size(); ++k)
      EXPECT_EQ(row[trial.column(name, k)], numbers[k]) << name << k;
  };
  for (const auto& [name, i] : {std::pair<std::string, std::size_t>{"primary", 0}, {"secondary", 1}}) {
    expect(name + "_position", end.state(i).position.c);
    expect(name + "_velocity", end.velocity(i).c);
    expect(name + "_momentum", end.state(i).turning.momentum.c);
    expect(name + "_attitude", end.state(i).turning.attitude.c);
    expect(name + "_angular_velocity", end.angular_velocity(i).c);
  }
  EXPECT_EQ(row[trial.column("potential_energy")], static_cast<double>(end.energies().potential));
}

const char* const triple = R"(
[system]
kind = "extended-bodies"
gravitational_constant = 1.0
[[body]]
mass = 1.0
inertia = [[0.2, 0.01, 0.0], [0.01, 0.25, 0.02], [0.0, 0.02, 0.3]]
radius = 0.5
position = [0, 0, 0]
velocity = [0, 0, 0]
momentum = [0.01, 0.0, 0.2]
[[body]]
name = "moon"
mass = 0.01
position = [3, 0, 0]
linear_momentum = [0, 0.005, 0]
[[body]]
mass = 0.001
position = [0, 7, 1]
velocity = [-0.4, 0, 0]
[state]
time = 2.5
[method]
name = "splitting"
free = "dmv6"
scheme = "kahan-li-6"
step = 0.05
steps = 40
)";

TEST(ExtendedBodiesScenario, WhatIsRunReadsBackAsTheSame) {
  Scenario first(parse_document(triple, "text", {}));
  const auto one = build(first);
  const std::string text = first.text();
  EXPECT_NE(text.find("[[body]]\nname = \"body1\""), std::string::npos) << text;
  Scenario again(parse_document(text, "text", {}));
  const auto two = build(again);
  EXPECT_EQ(again.text(), text);
  one->advance(40);
  for (int i = 0; i < 40; ++i) two->advance(1);
  EXPECT_EQ(one->look().state, two->look().state);
  EXPECT_EQ(one->look().state.size(), 13U + 6U + 6U);
  EXPECT_EQ(one->look().derived.size(), 3U + 1U + 3U);
  EXPECT_EQ(one->time(), 4.5);
}

TEST(ExtendedBodiesScenario, CheckpointsContinueBitForBit) {
  Trial trial("binary-asteroid", {});
  Simulation& s = trial.simulation();
  s.advance(17);
  const std::vector<std::byte> saved = s.save();
  s.advance(30);
  const std::vector<double> expected = s.look().state;
  s.restore(saved);
  (void)s.look();
  for (int i = 0; i < 30; ++i) s.advance(1);
  EXPECT_EQ(s.look().state, expected);
}

TEST(ExtendedBodiesScenario, RowsGoToFilesUnderTheNamesOfTheBodies) {
  const TemporaryFolder folder;
  Scenario scenario(parse_document(triple, "text", {"method.steps=4"}));
  const auto simulation = build(scenario);
  const Provenance provenance{scenario.text(), simulation->description(), 4, 1, simulation.get()};
  const auto output = open_output(folder / "a.csv", provenance, text_formats());
  run(*simulation, {4, 1, output.get(), ""});
  output->finish(Ending::completed, 4);
  const std::string text = contents(folder / "a.csv");
  EXPECT_NE(text.find("body1_position_1,body1_position_2,body1_position_3,body1_velocity_1"),
            std::string::npos);
  EXPECT_NE(text.find(",body1_attitude_3,moon_position_1,moon_position_2,moon_position_3,moon_velocity_1"),
            std::string::npos);
  EXPECT_NE(text.find(",body1_angular_velocity_3,least_distance,translational_energy,"), std::string::npos);
  // There is no one attitude for these.
  EXPECT_THROW(open_output(folder / "a.aem", provenance, text_formats()), ScenarioError);
}

TEST(ExtendedBodiesScenario, ADistanceIsAnEvent) {
  Scenario scenario(parse_document(
      std::string(triple) + "[[event]]\nquantity = 'least_distance'\nvalue = 2.99\n", "text", {}));
  const auto simulation = build(scenario);
  const Watch watch = read_watch(scenario, *simulation);
  RunOptions options{scenario.steps(), 0, nullptr, ""};
  options.watch = &watch;
  const RunResult result = run(*simulation, options);
  ASSERT_EQ(result.events.size(), 1U);
  EXPECT_GT(result.events[0].time, 2.5);
  EXPECT_LT(result.events[0].time, 4.5);
}

std::string refusal(const std::string& text) {
  try {
    Scenario scenario(parse_document(text, "text", {}));
    (void)build(scenario);
  } catch (const ScenarioError& e) {
    return e.what();
  }
  return "";
}

std::string with(const std::string& old, const std::string& replacement) {
  std::string text = triple;
  const std::size_t at = text.find(old);
  if (at == std::string::npos) throw std::out_of_range(old);
  return text.replace(at, old.size(), replacement);
}

TEST(ExtendedBodiesScenario, BadInputIsRefusedWithASentence) {
  EXPECT_EQ(refusal(triple), "");
  const auto expect = [](const std::string& old, const std::string& replacement,
                         const std::string& sentence) {
    EXPECT_EQ(refusal(with(old, replacement)), sentence);
  };
  expect("mass = 0.01\n", "mass = 0.0\n", "text: body[1].mass: must be positive, not 0.0");
  expect("mass = 0.01\n", "mas = 0.01\n", "text: body[1].mas: there is no such key; did you mean \"mass\"?");
  expect("name = \"moon\"", "name = \"a moon\"",
         "text: body[1].name: must be letters, digits and underscores, a letter the first, not \"a moon\"");
  expect("name = \"moon\"", "name = \"body1\"", "text: body[1].name: is that of body[0], too");
  expect("linear_momentum = [0, 0.005, 0]", "",
         "text: body[1].velocity: is missing: give velocity or linear_momentum");
  expect("linear_momentum = [0, 0.005, 0]", "linear_momentum = [0, 0.005, 0]\nvelocity = [0, 0.5, 0]",
         "text: body[1].linear_momentum: velocity and linear_momentum are both given: leave one of them out");
  expect("linear_momentum = [0, 0.005, 0]", "velocity = [0, 0.5, 0]\nmomentum = [0, 0, 1]",
         "text: body[1].momentum: needs inertia: without it the body is a point mass");
  expect("momentum = [0.01, 0.0, 0.2]", "",
         "text: body[0].momentum: is missing: give momentum or angular_velocity");
  expect("radius = 0.5", "radius = -0.5", "text: body[0].radius: must not be negative");
  expect("gravitational_constant = 1.0", "", "text: system.gravitational_constant: is missing");
  expect("gravitational_constant = 1.0", "gravitational_constant = -1.0",
         "text: system.gravitational_constant: must not be negative");
  expect("position = [3, 0, 0]", "position = [0.3, 0, 0]",
         "text: system: body[0] (body1) and body[1] (moon) meet: their centres are 0.3 apart, and their "
         "radii add "
         "up to 0.5");
  expect("name = \"splitting\"", "name = \"splitting\"\ncompensated = false",
         "text: method.compensated: the sums of extended bodies are always compensated");
  EXPECT_EQ(refusal("[system]\nkind = 'extended-bodies'\ngravitational_constant = 1.0\n[method]\nname = "
                    "'splitting'\nstep = 1.0\nsteps = 1\n"),
            "text: system: there are no bodies: each is a table [[body]]");
  EXPECT_EQ(
      refusal("[system]\nkind = 'free-body'\ninertia = [1, 2, 3]\n[[body]]\nmass = 1.0\n[state]\nmomentum "
              "= [1, 0, 0]\n[method]\nname = 'exact'\nstep = 1.0\nsteps = 1\n"),
      "text: body[0]: a system of kind \"free-body\" has no tables [[body]]: take extended-bodies");
}

TEST(ExtendedBodiesScenario, ARunEndsWhereBodiesMeet) {
  Scenario scenario(parse_document(
      with("linear_momentum = [0, 0.005, 0]", "linear_momentum = [-0.02, 0.0, 0]"), "text", {}));
  const auto simulation = build(scenario);
  Rows rows;
  const RunResult result = run(*simulation, {scenario.steps(), 1, &rows, ""});
  EXPECT_EQ(result.ending, Ending::stopped);
  EXPECT_NE(result.failure.find("body[0] (body1) and body[1] (moon) meet at time"), std::string::npos)
      << result.failure;
  EXPECT_GT(rows.rows.size(), 10U);
  EXPECT_LT(rows.rows.size(), 40U);
}

TEST(ExtendedBodiesScenario, AWarningNamesItsBody) {
  Scenario scenario(parse_document(
      with("inertia = [[0.2, 0.01, 0.0], [0.01, 0.25, 0.02], [0.0, 0.02, 0.3]]", "inertia = [0.1, 0.1, 0.3]"),
      "text", {}));
  (void)build(scenario);
  ASSERT_EQ(scenario.warnings().size(), 1U);
  EXPECT_TRUE(scenario.warnings()[0].starts_with("body[0]: the moments of inertia break"))
      << scenario.warnings()[0];
}

}  // namespace
}  // namespace polhode::program
