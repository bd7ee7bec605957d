// polhode run with good input.
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>

#include "polhode/free_motion/rotor.hpp"
#include "tests/command/process.hpp"
#include "tests/text/json_reader.hpp"

namespace polhode::testing {

using namespace core;
namespace {

template <class Numbers>
void expect_same(const JsonValue& json, const Numbers& expected, const std::string& what) {
  ASSERT_EQ(json.list().size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(json[i].number(), expected[i]) << what;
}

TEST(Run, EndsInTheStateOfTheLibraryToTheBit) {
  const TemporaryFolder folder;
  const std::string file = folder.write("a.toml", good_scenario());
  for_each_free_motion_method<double>([&]<class Method>(std::type_identity<Method>) {
    const std::string name(Method::info.name);
    const Outcome o = polhode({"run", file, "--json", "--set", "method.name=" + name});
    ASSERT_EQ(o.status, 0) << o.error;
    EXPECT_EQ(o.error, "");
    Rotor<Method> rotor(Body<double>(Vector<double>(0.345, 0.653, 1.0)),
                        State<double>{{{0.5, 0.2, 0.8}}, {}});
    const auto before = rotor.invariants();
    rotor.advance(0.01, 2000);
    const JsonValue json = JsonReader::read(o.output);
    EXPECT_EQ(json["method"].string(), name);
    EXPECT_EQ(json["time"].number(), 20.0);
    expect_same(json["final"]["momentum"], rotor.state().momentum.c, name);
    expect_same(json["final"]["attitude"], rotor.state().attitude.c, name);
    expect_same(json["final"]["angular_velocity"], rotor.angular_velocity().c, name);
    EXPECT_EQ(json["errors"]["energy"]["final"].number(),
              static_cast<double>(rotor.invariants().energy - before.energy))
        << name;
    EXPECT_GT(json["cost"]["ns_per_step"].number(), 1.0);
    EXPECT_EQ(json["cost"]["force_evaluations"].number(), 0.0);
    EXPECT_EQ(json["errors"]["constraint"]["max"].number(), 0.0);
    EXPECT_EQ(json["warnings"].list().size(), 1U);
  });
}

TEST(Run, CompensationCanBeSwitchedOff) {
  const TemporaryFolder folder;
  const std::string file = folder.write("a.toml", good_scenario());
  const Outcome o = polhode({"run", file, "--json", "--set", "method.compensated=false"});
  Rotor<RungeKutta4<double>, Summation::plain> rotor(Body<double>(Vector<double>{{0.345, 0.653, 1.0}}),
                                                     State<double>{{{0.5, 0.2, 0.8}}, {}});
  rotor.advance(0.01, 2000);
  expect_same(JsonReader::read(o.output)["final"]["momentum"], rotor.state().momentum.c, "rk4, plain");
}

TEST(Run, PrintsASummaryForAPerson) {
  const TemporaryFolder folder;
  const Outcome o = polhode({"run", folder.write("a.toml", good_scenario())});
  EXPECT_EQ(o.status, 0);
  EXPECT_TRUE(o.output.starts_with("free-body, rk4 (compensated): 2000 steps of 0.01, to time 20\n"))
      << o.output;
  for (const char* word : {"momentum", "attitude", "angular_velocity", "energy", "ns a step", "warning:"})
    EXPECT_NE(o.output.find(word), std::string::npos) << word;
}

/// The numbers of the three formats are the same, to the letter.
TEST(Run, WritesAttitudesForSpacecraft) {
  const TemporaryFolder folder;
  const std::string file = folder.write("a.toml", good_scenario());
  for (const char* name : {"a.csv", "a.aem", "a.msopck"}) {
    const Outcome o = polhode({"run", file, "--every", "500", "--output", folder / name});
    ASSERT_EQ(o.status, 0) << o.error;
  }
  const std::string message = contents(folder / "a.aem"), table = contents(folder / "a.msopck");
  std::istringstream rows(contents(folder / "a.csv"));
  int count = 0;
  for (std::string row; std::getline(rows, row);) {
    if (row.starts_with("#") || row.starts_with("t,")) continue;
    std::vector<std::string> cells;
    std::istringstream line(row);
    for (std::string cell; std::getline(line, cell, ',');) cells.push_back(cell);
    std::string attitude;
    for (std::size_t i = 4; i < 8; ++i) attitude += " " + cells[i];
    EXPECT_NE(message.find(attitude + "\n"), std::string::npos) << attitude;
    const std::size_t place = table.find("\n" + cells[0] + " " + cells[4] + " ");
    EXPECT_TRUE(place != std::string::npos || count == 0) << row;
    ++count;
  }
  EXPECT_EQ(count, 5);
  EXPECT_NE(message.find("\n2000-01-01T12:00:05 "), std::string::npos) << message;
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 5);

  const Outcome o =
      polhode({"run", POLHODE_SOURCE_DIR "/examples/pendulum.toml", "--output", folder / "b.aem"});
  EXPECT_EQ(o.status, 2);
  EXPECT_NE(o.error.find("this format is for the attitude of a rigid body"), std::string::npos) << o.error;
  EXPECT_FALSE(std::filesystem::exists(folder / "b.aem"));
}

TEST(Run, BackwardsReturnsToTheStart) {
  const TemporaryFolder folder;
  const std::string file = folder.write("a.toml", good_scenario());
  const JsonValue forth =
      JsonReader::read(polhode({"run", file, "--json", "--set", "method.name=mr"}).output);
  std::vector<std::string> back{
      "run", file, "--json", "--set", "method.name=mr", "--set", "method.step=-0.01"};
  for (const char* key : {"momentum", "attitude"}) {
    std::ostringstream value;
    value.precision(17);
    value << "state." << key << "=[";
    for (const JsonValue& x : forth["final"][key].list()) value << x.number() << ",";
    back.insert(back.end(), {"--set", value.str() + "]"});
  }
  const Outcome o = polhode(back);
  ASSERT_EQ(o.status, 0) << o.error;
  const JsonValue there = JsonReader::read(o.output);
  EXPECT_EQ(there["time"].number(), -20.0);
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_NEAR(there["final"]["momentum"][i].number(), (std::array{0.5, 0.2, 0.8})[i], 1e-12);
}

TEST(Run, WritesTheRowsThatWereAskedFor) {
  const TemporaryFolder folder;
  const std::string file = folder.write("a.toml", good_scenario());
  const Outcome o = polhode({"run", file, "--json", "--output", folder / "a.csv", "--every", "300"});
  ASSERT_EQ(o.status, 0) << o.error;
  std::istringstream lines(contents(folder / "a.csv"));
  std::vector<std::string> rows;
  for (std::string line; std::getline(lines, line);)
    if (!line.starts_with("#")) rows.push_back(line);
  ASSERT_EQ(rows.size(), 1U + 8U);  // names; steps 0, 300, ..., 1800, 2000
  // What was there first stays first: scripts may read columns by number.
  EXPECT_EQ(rows[0],
            "t,momentum_1,momentum_2,momentum_3,attitude_0,attitude_1,attitude_2,attitude_3,energy_error,"
            "momentum_norm_error,spatial_momentum_error_1,spatial_momentum_error_2,spatial_momentum_error_3,"
            "angular_velocity_1,angular_velocity_2,angular_velocity_3,angular_velocity_in_space_1,"
            "angular_velocity_in_space_2,angular_velocity_in_space_3");
  EXPECT_TRUE(rows[1].starts_with("0,0.5,0.2,0.8,1,0,0,0,0,")) << rows[1];
  EXPECT_TRUE(rows[8].starts_with("20,")) << rows[8];
  const double last = std::strtod(rows[8].c_str() + 3, nullptr);
  EXPECT_EQ(last, JsonReader::read(o.output)["final"]["momentum"][0].number());

  EXPECT_EQ(polhode({"run", file, "--output", folder / "a.h5"}).status, 0);
  EXPECT_TRUE(contents(folder / "a.h5").starts_with("\x89HDF"));
}

TEST(Run, WhatTheFileSaysWasRunCanBeRunAgain) {
  const TemporaryFolder folder;
  const std::string file = folder.write("a.toml", good_scenario());
  ASSERT_EQ(polhode({"run", file, "--output", folder / "a.csv", "--set", "method.steps=70"}).status, 0);
  std::istringstream lines(contents(folder / "a.csv"));
  std::string scenario;
  for (std::string line; std::getline(lines, line) && !line.starts_with("# a row");)
    if (line.starts_with("#   ")) scenario += line.substr(4) + "\n";
  ASSERT_EQ(polhode({"run", folder.write("b.toml", scenario), "--output", folder / "b.csv"}).status, 0);
  EXPECT_EQ(contents(folder / "a.csv"), contents(folder / "b.csv"));
}

TEST(Run, ExamplesRun) {
  for (const auto& entry : std::filesystem::directory_iterator(POLHODE_SOURCE_DIR "/examples")) {
    if (entry.path().extension() != ".toml") continue;
    std::vector<std::string> arguments{"run", entry.path().string(), "--json"};
#ifdef POLHODE_SANITIZED
    // Of 64 molecules 100000 steps are a matter of minutes there.
    if (entry.path().stem().string().starts_with("water-box") ||
        entry.path().stem().string().starts_with("water-cluster"))
      arguments.insert(arguments.end(), {"--set", "method.steps=500", "--set", "state.equilibration=100"});
#endif
    const Outcome o = polhode(arguments);
    EXPECT_EQ(o.status, 0) << o.error;
    const JsonValue json = JsonReader::read(o.output);
    if (json["system"].string() != "free-body") continue;
    double size = 0.0;
    for (const JsonValue& x : json["final"]["momentum"].list()) size = std::hypot(size, x.number());
    EXPECT_LT(json["errors"]["momentum_norm"]["max"].number(), 2e-14 * size) << entry.path();
  }
}

TEST(Run, NumbersThatAreNoneAreNull) {
  const TemporaryFolder folder;
  const std::string file = folder.write("a.toml", good_scenario());
  const Outcome o = polhode({"run", file, "--json", "--set", "state.momentum=[1e200,0,0]", "--set",
                             "method.steps=3", "--set", "method.step=1e-202"});
  ASSERT_EQ(o.status, 0) << o.error;
  const JsonValue json = JsonReader::read(o.output);
  EXPECT_TRUE(json["errors"]["energy"]["max"].is_null());
  EXPECT_EQ(json["warnings"].list().size(), 2U);
}

}  // namespace
}  // namespace polhode::testing
