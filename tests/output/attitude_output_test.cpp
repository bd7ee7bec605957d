// Attitudes of a run as an attitude message and as a table for msopck.
#include "output/attitude_output.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <random>
#include <sstream>

#include "polhode/arithmetic/vector.hpp"
#include "scenario/error.hpp"
#include "tables/attitude_message.hpp"
#include "tests/output/temporary_folder.hpp"
#include "text/text.hpp"

namespace polhode::program {

using namespace core;
namespace {

using polhode::testing::contents;
using polhode::testing::TemporaryFolder;

Provenance of_a_body() {
  Provenance p;
  p.scenario = "[system]\nkind = \"free-body\"\n";
  p.description.system = "free-body";
  p.description.step = 0.1;
  p.description.state = {{"momentum", 3, 1, "momentum"}, {"attitude", 4, 0, "attitude"}};
  p.description.derived = {{"angular_velocity", 3, 1, "in the body"}};
  p.description.invariants = {{"energy", 1, 1, "energy"}};
  return p;
}

/// Time, momentum, attitude, error, angular velocity.
std::vector<std::vector<double>> rows_of_a_body() {
  std::mt19937_64 random(2);
  std::normal_distribution<double> normal;
  std::vector<std::vector<double>> rows;
  for (int i = 0; i < 300; ++i) {
    std::vector<double> row(12);
    for (double& x : row) x = normal(random);
    row[0] = -3 + 0.1 * i;
    const Quaternion<double> q = normalized(Quaternion<double>(row[4], row[5], row[6], row[7]));
    for (std::size_t j = 0; j < 4; ++j) row[4 + j] = q[j];
    rows.push_back(row);
  }
  return rows;
}

TEST(AttitudeOutput, MessageComesBackToTheBit) {
  const TemporaryFolder folder;
  const auto rows = rows_of_a_body();
  const auto output = open_output(folder / "a.aem", of_a_body(), text_formats());
  for (const auto& row : rows) output->record(row);
  EXPECT_FALSE(std::filesystem::exists(folder / "a.aem"));
  output->finish(Ending::completed, 299);
  const AttitudeMessage message = read_attitude_message(folder / "a.aem");
  ASSERT_EQ(message.times.size(), rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    ASSERT_EQ(message.times[i], rows[i][0]);
    for (std::size_t j = 0; j < 4; ++j) ASSERT_EQ(message.attitudes[i][j], rows[i][4 + j]);
  }
  const std::string text = contents(folder / "a.aem");
  EXPECT_NE(text.find("COMMENT kind = \"free-body\"\n"), std::string::npos);
  EXPECT_NE(text.find("\nSTART_TIME = 2000-01-01T11:59:57\nSTOP_TIME = 2000-01-01T12:00:26.9"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("\nATTITUDE_TYPE = QUATERNION\nQUATERNION_TYPE = FIRST\nMETA_STOP\n"),
            std::string::npos);
  EXPECT_TRUE(text.ends_with("DATA_STOP\n"));
}

/// As SPICE makes a matrix of a quaternion, it is the one from space to body.
TEST(AttitudeOutput, TableForMsopck) {
  const TemporaryFolder folder;
  const auto rows = rows_of_a_body();
  const auto output = open_output(folder / "a.msopck", of_a_body(), text_formats());
  for (const auto& row : rows) output->record(row);
  output->finish(Ending::completed, 299);
  std::istringstream lines(contents(folder / "a.msopck"));
  for (const auto& row : rows) {
    std::string line;
    ASSERT_TRUE(std::getline(lines, line));
    ASSERT_LE(line.size(), 265u);
    std::istringstream words(line);
    std::vector<double> numbers;
    for (std::string word; words >> word;) numbers.push_back(std::strtod(word.c_str(), nullptr));
    ASSERT_EQ(numbers.size(), 8u);
    EXPECT_EQ(numbers[0], row[0]);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(numbers[5 + i], row[9 + i]);
    const double c = numbers[1], x = numbers[2], y = numbers[3], z = numbers[4];
    const Matrix<double> to_body{{1 - 2 * (y * y + z * z), 2 * (x * y - c * z), 2 * (x * z + c * y)},
                                 {2 * (x * y + c * z), 1 - 2 * (x * x + z * z), 2 * (y * z - c * x)},
                                 {2 * (x * z - c * y), 2 * (y * z + c * x), 1 - 2 * (x * x + y * y)}};
    const Vector<double> seen(0.3, -0.4, 0.5);
    const Vector<double> back = to_body * rotate(Quaternion<double>(row[4], row[5], row[6], row[7]), seen);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(back[i], seen[i], 1e-15);
  }
  std::string line;
  EXPECT_FALSE(std::getline(lines, line));
}

TEST(AttitudeOutput, RefusesWhatHasNoAttitude) {
  const TemporaryFolder folder;
  Provenance many = of_a_body(), backward = of_a_body();
  many.description.system = "molecules";
  many.description.state[1].size = 12;
  backward.description.step = -0.1;
  const auto complaint = [&](const std::string& name, const Provenance& provenance) -> std::string {
    try {
      open_output(folder / name, provenance, text_formats());
    } catch (const ScenarioError& e) {
      return e.reason();
    }
    return "none";
  };
  for (const char* name : {"a.aem", "a.msopck"})
    EXPECT_EQ(complaint(name, many),
              "this format is for the attitude of a rigid body, and the system molecules has none: use .csv "
              "or .h5");
  EXPECT_EQ(complaint("a.aem", backward),
            "the times of an attitude message must increase: the step is negative");
  std::filesystem::create_symlink("/dev/null", folder / "b.aem");
  EXPECT_EQ(
      complaint("b.aem", of_a_body()),
      "an attitude message begins with the time of its end: it cannot be written to a device or a pipe");
  EXPECT_TRUE(std::filesystem::is_empty(folder / ".") || !std::filesystem::exists(folder / "a.aem"));
  // A time without a date.
  const auto output = open_output(folder / "c.aem", of_a_body(), text_formats());
  std::vector<double> row = rows_of_a_body().front();
  row[0] = 1e15;
  EXPECT_THROW(output->record(row), RunError);
}

}  // namespace
}  // namespace polhode::program
