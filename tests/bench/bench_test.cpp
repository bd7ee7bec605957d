// The comparison of the methods with a reduced job, and the other libraries that this build has.
#include "bench/bench.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <stdexcept>

#include "bench/lengths.hpp"
#include "bench/other_library.hpp"
#include "tests/text/json_reader.hpp"

namespace polhode::program {

using namespace core;
namespace {

BenchJob reduced_job() {
  BenchJob job;
  job.steps = 2000;
  job.timed_steps = 50;
  job.rounds = 1;
  return job;
}

TEST(Bench, WritesTheFieldsOfTheInterface) {
  const std::vector<BenchRow> rows = bench(reduced_job());
  const auto json = testing::JsonReader::read(bench_json(rows));
  EXPECT_EQ(json.keys(), (std::vector<std::string>{"flags", "machine", "rows"}));
  EXPECT_FALSE(json["machine"].string().empty());
  EXPECT_FALSE(json["flags"].string().empty());
  std::set<std::string> names;
  for (const testing::JsonValue& row : json["rows"].list()) {
    EXPECT_EQ(row.keys(),
              (std::vector<std::string>{"attitude_error", "energy_error", "name", "note", "ns_per_step"}));
    const std::string& name = row["name"].string();
    EXPECT_TRUE(names.insert(name).second) << name << " twice";
    // A null would be what is not finite.
    ASSERT_FALSE(row["ns_per_step"].is_null() || row["energy_error"].is_null() ||
                 row["attitude_error"].is_null())
        << name;
    EXPECT_GT(row["ns_per_step"].number(), 0.0) << name;
    EXPECT_GE(row["energy_error"].number(), 0.0) << name;
    EXPECT_GE(row["attitude_error"].number(), 0.0) << name;
    EXPECT_LE(row["attitude_error"].number(), 0.01) << name;
    EXPECT_EQ(row["note"].string().find('\n'), std::string::npos) << name;
  }
  for (const char* name : {"exact", "dmv10", "frb-quaternion", "frb-matrix", "frb-quaternion-gauss5",
                           "jacobi-reduced", "mr", "rk4"})
    EXPECT_EQ(names.count(name), 1U) << name;
  for (const std::string& name : stepping_libraries()) EXPECT_EQ(names.count(name), 1U) << name;
  EXPECT_EQ(names.count("sundials-cvode"), has_cvode() ? 1U : 0U);
}

TEST(Bench, TableHasOneLineForEachRow) {
  const std::vector<BenchRow> rows{{"dmv10", 100.0, 1e-15, 1e-11, "compensated"},
                                   {"other", 250.0, 1e-13, 1e-9, ""}};
  const std::string text = bench_text(rows);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'),
            6);  // machine, flags, an empty line, the heading, rows
  EXPECT_NE(text.find("other                      250.0      2.50      1.00e-13        1.00e-09\n"),
            std::string::npos)
      << text;
}

TEST(OtherLibraries, HaveTheirOrder) {
  // To t = 20, halving the step: order 8 divides the error by about 256, and both are far above round-off.
  const BenchProblem problem = water_molecule();
  for (const std::string& name : stepping_libraries()) {
    const auto error_at = [&](double step, std::int64_t steps) {
      const auto simulation = make_other_library(name, problem, step);
      simulation->advance(steps);
      const std::vector<double> state = simulation->look().state;
      Quaternion<DoubleDouble> attitude;
      for (std::size_t i = 0; i < 4; ++i) attitude[i] = state[3 + i];
      return problem.attitude_error(attitude, DoubleDouble(20.0));
    };
    const double coarse = error_at(0.25, 80), fine = error_at(0.125, 160);
    EXPECT_GT(fine, 1e-12) << name;
    EXPECT_NEAR(std::log2(coarse / fine), 8.0, 1.0) << name;
  }
}

TEST(OtherLibraries, DividingTheStepsMakesNoDifference) {
  const BenchProblem problem = water_molecule();
  for (const std::string& name : stepping_libraries()) {
    const auto whole = make_other_library(name, problem, 0.01),
               parts = make_other_library(name, problem, 0.01);
    whole->advance(100);
    parts->advance(30);
    const std::vector<std::byte> middle = parts->save();
    parts->advance(11);
    parts->restore(middle);
    parts->advance(70);
    EXPECT_EQ(whole->look().state, parts->look().state) << name;
    EXPECT_EQ(parts->steps(), 100) << name;
  }
}

TEST(OtherLibraries, CvodeKeepsItsTolerance) {
  const BenchProblem problem = water_molecule();
  if (!has_cvode()) {
    EXPECT_THROW(run_cvode(problem, 1e-8, 1.0, 1), std::runtime_error);
    return;
  }
  const auto error_of = [&](const CvodeResult& r) {
    return problem.attitude_error(convert<DoubleDouble>(r.final.attitude), DoubleDouble(10.0));
  };
  const CvodeResult loose = run_cvode(problem, 1e-6, 10.0, 1), tight = run_cvode(problem, 1e-12, 10.0, 1);
  EXPECT_LT(error_of(loose), 1e-3);
  EXPECT_LT(error_of(tight), 1e-9);
  EXPECT_LT(error_of(tight), error_of(loose));
  EXPECT_GT(tight.steps, loose.steps);
  EXPECT_GE(tight.rates, tight.steps);
  // Looking does not disturb.
  EXPECT_EQ(run_cvode(problem, 1e-12, 10.0, 7).final, tight.final);
}

TEST(OtherLibraries, UnknownNameIsRefused) {
  EXPECT_THROW(make_other_library("nobody", water_molecule(), 0.01), std::invalid_argument);
}

/// Four rows for each length, of dmv10 those where it converges; one step of `exact` is off by 4e-16 (1 + 0.3 angle) at most in each
/// component of the quaternion, and so by less than four times that in the angle.
TEST(Bench, StepsOfEveryLengthHaveTheirErrors) {
  const std::vector<LengthRow> rows = bench_lengths({.initial_values = 20, .timed_steps = 16, .rounds = 1});
  const auto json = testing::JsonReader::read(lengths_json(rows));
  EXPECT_EQ(json.keys(), std::vector<std::string>{"rows"});
  std::map<std::string, int> count;
  for (const testing::JsonValue& row : json["rows"].list()) {
    EXPECT_EQ(row.keys(),
              (std::vector<std::string>{"attitude_error", "energy_error", "h", "name", "ns_per_step"}));
    const std::string& name = row["name"].string();
    ++count[name];
    EXPECT_GT(row["ns_per_step"].number(), 0.0) << name;
    if (!name.starts_with("exact")) continue;
    const double h = row["h"].number();
    EXPECT_LE(row["attitude_error"].number(), 16e-16 * (1 + 0.3 * h / 0.345)) << name << " " << h;
    EXPECT_LE(row["energy_error"].number(), 1e-18) << name << " " << h;
  }
  EXPECT_EQ(count["exact"], 10);
  EXPECT_EQ(count["exact-batch"], 10);
  EXPECT_EQ(count["frb-quaternion"], 10);
  EXPECT_GE(count["dmv10"], 3);
  EXPECT_LT(count["dmv10"], 10);
}

}  // namespace
}  // namespace polhode::program
