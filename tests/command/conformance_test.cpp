// polhode conformance: the files that it writes, and what it says of those that it reads.
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "tests/command/process.hpp"
#include "tests/text/json_reader.hpp"

namespace polhode::testing {
namespace {

TEST(Conformance, WritesTheKit) {
  const TemporaryFolder folder;
  const std::string out = folder / "a/kit";
  const Outcome o = polhode({"conformance", "--out", out});
  ASSERT_EQ(o.status, 0) << o.error;
  for (const char* name :
       {"README.txt", "bodies.csv", "states-17.csv", "states-32.csv", "kit-17.json", "kit-32.json"})
    EXPECT_NE(o.output.find(out + "/" + name + "\n"), std::string::npos) << name;
  EXPECT_NE(contents(out + "/states-32.csv").find("\nbox,10,2.2516456341395737085631950486088e-01,"),
            std::string::npos);
  EXPECT_NE(contents(out + "/states-17.csv").find("\nbox,10,0.22516456341395738,"), std::string::npos);

  const JsonValue kit = JsonReader::read(contents(out + "/kit-17.json"));
  ASSERT_EQ(kit["bodies"].list().size(), 41U);
  const JsonValue& box = kit["bodies"][0];
  EXPECT_EQ(box["name"].string(), "box");
  EXPECT_EQ(box["angular_velocity"][0].number(), 0.1);
  EXPECT_EQ(box["inertia"][1][1].number(), 10 * (0.9 * 0.9 + 0.1 * 0.1) / 12);
  EXPECT_EQ(box["states"][3]["time"].number(), 10.0);
  EXPECT_EQ(box["states"][3]["attitude"][0].number(), 0.22516456341395738);
  const JsonValue many = JsonReader::read(contents(out + "/kit-32.json"));
  // The inputs exactly: those of a program with more digits are the same doubles.
  EXPECT_EQ(many["bodies"][0]["angular_velocity"][0].string(),
            "0.1000000000000000055511151231257827021181583404541015625");
  EXPECT_EQ(many["bodies"][0]["states"][3]["attitude"][0].string(), "2.2516456341395737085631950486088e-01");
}

/// The exact states are the states of an exact program.
TEST(Conformance, ScoresItself) {
  const TemporaryFolder folder;
  const std::string out = folder / "kit";
  ASSERT_EQ(polhode({"conformance", "--out", out}).status, 0);
  std::istringstream lines(contents(out + "/states-17.csv"));
  std::string text, line;
  std::getline(lines, line);
  text = line + ",frequency\n";
  while (std::getline(lines, line)) text += line + ",60\n";
  const std::string file = folder.write("states.csv", text);
  const Outcome o = polhode({"conformance", "--score", file, "--json"});
  ASSERT_EQ(o.status, 0) << o.error;
  const JsonValue score = JsonReader::read(o.output);
  EXPECT_EQ(score["order"].number(), 0.0);
  EXPECT_EQ(score["velocity"].string(), "exact");
  EXPECT_LT(score["frequencies"][0]["attitude_error"]["worst"].number(), 1e-15);
  const Outcome spoken = polhode({"conformance", "--score", file});
  EXPECT_NE(spoken.output.find("\n- exact: the attitude is right to rounding"), std::string::npos)
      << spoken.output;
}

TEST(Conformance, RefusesWrongInput) {
  const TemporaryFolder folder;
  const std::string file = folder.write("a.csv", "body,time\n");
  for (const auto& [arguments, reason] : std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{"--score", "/nowhere.csv"}, "/nowhere.csv: cannot be read: No such file or directory"},
           {{"--score", "/tmp"}, "/tmp: is a directory"},
           {{"--score", file}, file + ": line 1: there is no column step or frequency"},
           {{"--out", file}, file + ": --out: is not a directory and cannot become one"},
           {{"--json"}, "--json requires --score"},
           {{"--score", file, "--out", "x"}, "--out excludes --score"}}) {
    std::vector<std::string> all{"conformance"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    const Outcome o = polhode(all);
    EXPECT_EQ(o.status, 2);
    EXPECT_EQ(o.error_lines(), 1);
    EXPECT_NE(o.error.find(reason), std::string::npos) << o.error;
  }
}

}  // namespace
}  // namespace polhode::testing
