// The Fortran drivers of examples/frb, run as a user runs them: against the published outputs of the FRB package
// (tests/data/toms903) and against the command. The build says where they are; without a Fortran compiler there are none.
#ifdef POLHODE_FRB_DRIVERS

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "polhode/body/body.hpp"
#include "reference/compare.hpp"
#include "tests/output/temporary_folder.hpp"

namespace polhode::testing {

using namespace core;
namespace {

const std::string published = std::string(POLHODE_TEST_DATA) + "/toms903/";

/// Of a file of words; Fortran's exponents may be D.
std::vector<double> numbers(const std::string& file) {
  std::istringstream words(contents(file));
  std::vector<double> result;
  for (std::string word; words >> word;) {
    std::replace(word.begin(), word.end(), 'D', 'e');
    result.push_back(std::stod(word));
  }
  EXPECT_FALSE(result.empty()) << file;
  return result;
}

/// The driver of this number in a folder with the input; its output, and what it printed.
struct Outcome {
  int status;
  std::vector<double> output;
  std::string printed;
};
Outcome run_driver(const std::string& number, const std::string& input) {
  const TemporaryFolder folder;
  folder.write("init_example" + number + ".dat", input);
  const std::string line =
      "cd '" + folder / "" + "' && '" POLHODE_FRB_DRIVERS "/driver_example" + number + "' > printed 2>&1";
  const int status = std::system(line.c_str());  // NOLINT: a test
  Outcome run{status, {}, contents(folder / "printed")};
  const std::string output = folder / ("out_example" + number + ".dat");
  if (std::filesystem::exists(output)) run.output = numbers(output);
  return run;
}

/// The largest differences of the momenta, of the attitudes (`size` numbers, of quaternions up to the sign) and of the times.
struct Differences {
  double momentum = 0, attitude = 0, time = 0;

  Differences(const std::vector<double>& a, const std::vector<double>& b, std::size_t size) {
    EXPECT_EQ(a.size(), b.size());
    const std::size_t row = 3 + size + 1;
    for (std::size_t i = 0; i < a.size(); i += row) {  // the last time may be missing
      const auto largest = [&](std::size_t from, std::size_t to, double sign) {
        double worst = 0;
        for (std::size_t j = i + from; j < i + to; ++j)
          worst = std::max(worst, std::abs(a.at(j) - sign * b.at(j)));
        return worst;
      };
      momentum = std::max(momentum, largest(0, 3, 1));
      attitude = std::max(
          attitude, size == 4 ? std::min(largest(3, 7, 1), largest(3, 7, -1)) : largest(3, 3 + size, 1));
      if (i + row <= a.size()) time = std::max(time, largest(row - 1, row, 1));
    }
  }
};

Differences from_published(const std::string& number, std::size_t size) {
  const Outcome run = run_driver(number, contents(published + "init_example" + number + ".dat"));
  EXPECT_EQ(run.status, 0) << run.printed;
  return {run.output, numbers(published + "out_example" + number + ".dat"), size};
}

// Measured: momentum 3.6e-16, attitude 8.9e-16.
TEST(FrbDrivers, Example0) {
  const Differences d = from_published("0", 9);
  EXPECT_LT(d.momentum, 2e-15);
  EXPECT_LT(d.attitude, 4e-15);
  EXPECT_EQ(d.time, 0);
}

// Measured: momentum 3.6e-16, attitude 8.7e-16.
TEST(FrbDrivers, Example2) {
  const Differences d = from_published("2", 4);
  EXPECT_LT(d.momentum, 2e-15);
  EXPECT_LT(d.attitude, 4e-15);
  EXPECT_EQ(d.time, 0);
}

// Ten steps with five Gauss nodes. Measured: momentum 1.1e-15, attitude 2.2e-15.
TEST(FrbDrivers, Example3) {
  const Differences d = from_published("3", 9);
  EXPECT_LT(d.momentum, 5e-15);
  EXPECT_LT(d.attitude, 1e-14);
  EXPECT_EQ(d.time, 0);
}

// Measured: momentum 2.6e-15, attitude 8.3e-10. The latter is the error of the published file, whose frame makes a worse
// integrand for the five nodes; tests/free_motion/toms903_test.cpp compares both with the exact motion.
TEST(FrbDrivers, Example4) {
  const Differences d = from_published("4", 4);
  EXPECT_LT(d.momentum, 1e-14);
  EXPECT_LT(d.attitude, 1e-9);
  EXPECT_EQ(d.time, 0);
}

// The subroutines have no status, frb_message says what was wrong: the first step is not taken, and not written.
TEST(FrbDrivers, BadInputIsASentence) {
  const Outcome body = run_driver("0", "0.1 1 -1 2  1 0 0  1 0 0 0 1 0 0 0 1\n");
  EXPECT_NE(body.status, 0);
  EXPECT_NE(body.printed.find("driver_example0: a moment of inertia is not positive\n"), std::string::npos)
      << body.printed;
  EXPECT_TRUE(body.output.empty());
  for (const char* number : {"3", "4"}) {
    const std::string attitude = number[0] == '3' ? "1 0 0 0 1 0 0 0 1 " : "1 0 0 0 ";
    const Outcome nodes = run_driver(number, "1 2  1 0 0  " + attitude + "1 2 3  11\n");
    EXPECT_NE(nodes.status, 0);
    EXPECT_NE(nodes.printed.find(": the number of Gauss nodes must be 0 (exact) to 10\n"), std::string::npos)
        << nodes.printed;
    EXPECT_EQ(nodes.output.size(), number[0] == '3' ? 13U : 8U);
  }
}

#ifdef POLHODE_COMMAND
/// The rows of a run of the scenario, as the driver writes them.
std::vector<double> rows_of_the_command() {
  const TemporaryFolder folder;
  const std::string line = "'" POLHODE_COMMAND "' run '" POLHODE_SOURCE_DIR
                           "/examples/zanna-perturbed-top.toml' --every 1 --output '" +
                           folder / "rows.csv" + "' > '" + folder / "printed" + "' 2>&1";
  EXPECT_EQ(std::system(line.c_str()), 0) << contents(folder / "printed");  // NOLINT: a test
  std::istringstream lines(contents(folder / "rows.csv"));
  std::vector<double> result;
  for (std::string row; std::getline(lines, row);) {
    if (row.starts_with('#') || row.starts_with("t,momentum_1,")) continue;
    std::replace(row.begin(), row.end(), ',', ' ');
    std::istringstream words(row);
    std::array<double, 8> x{};  // time, momentum, attitude, and more that is not needed
    for (double& value : x) words >> value;
    result.insert(result.end(), {x[1], x[2], x[3]});
    const Matrix<double> q = to_matrix(Quaternion<double>(x[4], x[5], x[6], x[7]));
    for (std::size_t j = 0; j < 3; ++j)
      for (std::size_t i = 0; i < 3; ++i) result.push_back(q[i][j]);
    result.push_back(x[0]);
  }
  return result;
}

// The perturbed top of the paper. The command compensates its sums, the driver does not: their difference is the
// round-off of the driver's 15 calls a step, and grows with the time, as a phase does. Measured after 100 steps: momentum
// 2.8e-14; after 10000: momentum 1.7e-11, attitude 6.3e-11.
TEST(FrbDrivers, Example1IsTheScenario) {
  const Outcome run = run_driver("1", contents(POLHODE_SOURCE_DIR "/examples/frb/init_example1.dat"));
  ASSERT_EQ(run.status, 0) << run.printed;
  std::vector<double> driver = run.output, command = rows_of_the_command();
  ASSERT_EQ(driver.size(), std::size_t{13 * 10001});
  const Differences all(driver, command, 9);
  EXPECT_LT(all.momentum, 6e-11);
  EXPECT_LT(all.attitude, 2e-10);
  EXPECT_EQ(all.time, 0);
  driver.resize(std::size_t{13 * 101});
  command.resize(std::size_t{13 * 101});
  const Differences first(driver, command, 9);
  EXPECT_LT(first.momentum, 1e-13);
  EXPECT_LT(first.attitude, 4e-13);
}
#endif

}  // namespace
}  // namespace polhode::testing

#endif
