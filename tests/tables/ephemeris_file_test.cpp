#include "tables/ephemeris_file.hpp"

#include <gtest/gtest.h>

#include <string>

#include "scenario/error.hpp"
#include "tests/output/temporary_folder.hpp"

namespace polhode::program {

using namespace core;
namespace {

using polhode::testing::TemporaryFolder;

std::string rows(int count, bool velocities, const char* separator = ",") {
  std::string text;
  for (int i = 0; i < count; ++i) {
    text += std::to_string(i) + ".5";
    for (int j = 0; j < (velocities ? 6 : 3); ++j) text += separator + std::to_string(10 * i + j) + "e-1";
    text += '\n';
  }
  return text;
}

TEST(EphemerisFile, Reads) {
  const TemporaryFolder folder;
  const auto read = [&](const std::string& text) { return read_ephemeris(folder.write("a.csv", text)); };
  for (const std::string& text :
       {rows(9, false), "t,x,y,z\n" + rows(9, false),
        "# made by hand\n\ntime, x [km], y, z\n" + rows(9, false), rows(9, false, " ,\t"),
        rows(9, false, "  "), rows(9, false) + "# the end"}) {
    const Ephemeris<double> e = read(text);
    EXPECT_EQ(e.size(), 9u);
    EXPECT_EQ(e.order(), 8);
    EXPECT_EQ(e.times()[2], 2.5);
    EXPECT_EQ(e.positions()[2], Vector<double>(2.0, 2.1, 2.2));
    EXPECT_TRUE(e.velocities().empty());
  }
  const Ephemeris<double> e = read(rows(5, true));
  EXPECT_EQ(e.order(), 8);
  EXPECT_EQ(e.velocities()[4], Vector<double>(4.3, 4.4, 4.5));
  // With the ends of lines of other systems, and without the last one.
  const Ephemeris<double> other = read("1,2,3,4\r\n+2,3,4,5\r\n3,4,5,6 # last\r\n4,5,6,7");
  EXPECT_EQ(other.size(), 4u);
  EXPECT_EQ(other.order(), 4);
  EXPECT_EQ(read_ephemeris(folder.write("b.csv", rows(9, false)), 2).order(), 2);
}

TEST(EphemerisFile, NamesTheLine) {
  const TemporaryFolder folder;
  const std::string file = folder / "a.csv";
  const auto complaint = [&](const std::string& text, int points = 0) -> std::string {
    folder.write("a.csv", text);
    try {
      read_ephemeris(file, points);
    } catch (const ScenarioError& e) {
      std::string what = e.what();
      EXPECT_TRUE(what.starts_with(file + ": ")) << what;
      EXPECT_EQ(what.find('\n'), std::string::npos);
      return what.substr(file.size() + 2);
    }
    return "none";
  };
  const std::string good = "t,x,y,z\n0,1,2,3\n1,1,2,3\n";
  EXPECT_EQ(complaint(good), "none");
  EXPECT_EQ(complaint(good + "2,1,2\n"),
            "line 4: has 3 numbers: a row is time, x, y, z, or time, x, y, z, vx, vy, vz");
  EXPECT_EQ(complaint(good + "2,1,2,3,4,5,6\n"), "line 4: has 7 numbers, and the rows before it have 4");
  EXPECT_EQ(complaint(good + "2,1,nan,3\n"), "line 4: nan is not a finite number");
  EXPECT_EQ(complaint(good + "2,1,1e999,3\n"), "line 4: 1e999 is not a finite number");
  EXPECT_EQ(complaint(good + "2,1,,3\n"), "line 4: \"\" is not a number");
  EXPECT_EQ(complaint(good + "\n# x\n2,1,1.2.3,3\n"), "line 6: \"1.2.3\" is not a number");
  EXPECT_EQ(complaint(good + "1,1,2,3\n"), "line 4: the times must increase, and 1 follows 1");
  EXPECT_EQ(complaint(good + "0.5,1,2,3\n"), "line 4: the times must increase, and 0.5 follows 1");
  EXPECT_EQ(complaint(good + "t,x,y,z\n"), "line 4: \"t\" is not a number");
  EXPECT_EQ(complaint(""), "has no rows: an ephemeris needs two rows or more");
  EXPECT_EQ(complaint("0,1,2,3"), "has one row: an ephemeris needs two rows or more");
  EXPECT_EQ(complaint(good, 8), "an ephemeris of 2 rows is too short: it is interpolated by 8 points");
  EXPECT_THROW(read_ephemeris(folder / "none.csv"), ScenarioError);
  EXPECT_THROW(read_ephemeris(folder / "."), ScenarioError);
}

}  // namespace
}  // namespace polhode::program
