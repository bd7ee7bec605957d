// The experiments on known bodies: their claims hold, and fail where a number is another.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/reproduce/altered_records.hpp"

namespace polhode::testing {

using namespace core;
namespace {

using namespace program;

/// The records with one number changed.
Records altered(const Records& records, std::size_t unit, std::size_t place, double value) {
  Records result = records;
  std::vector<double> record(records[unit].begin(), records[unit].end());
  record[place] = value;
  result.set(unit, record);
  return result;
}

TEST(KnownBodies, Toutatis) {
  const Experiment e = quick_experiment("toutatis-1992");
  const Records records = records_of(e);
  EXPECT_EQ(missed(e.evaluate(records).claims), std::vector<std::string>{});
  EXPECT_TRUE(misses(e.evaluate(altered(records, 0, 0, 7.45)).claims, "precession period"));
  EXPECT_TRUE(misses(e.evaluate(altered(records, 0, 1, 5.37)).claims, "rotation period"));
  EXPECT_TRUE(misses(e.evaluate(altered(records, 0, 5, -54.0)).claims, "direction of the momentum"));
  const auto claims = e.evaluate(altered(records, 0, 6, 8.1)).claims;  // of 2 December
  EXPECT_TRUE(misses(claims, "17 attitudes: largest difference to the list"));
  EXPECT_EQ(missed(claims).size(), 2U);  // and the root of the mean square
}

TEST(KnownBodies, Envisat) {
  const Experiment e = quick_experiment("envisat");
  const Records records = records_of(e);
  EXPECT_EQ(missed(e.evaluate(records).claims), std::vector<std::string>{});
  const auto claims = e.evaluate(altered(records, 2, 0, records[2][0] * 1.001)).claims;
  EXPECT_TRUE(misses(claims, "half the step"));
  EXPECT_TRUE(misses(claims, "rkn6-14"));
  EXPECT_TRUE(misses(e.evaluate(altered(records, 3, 0, 3.5)).claims, "precession at 167.7 s"));
}

TEST(KnownBodies, Apophis) {
  const Experiment e = quick_experiment("apophis-2029");
  const Records records = records_of(e);
  EXPECT_EQ(missed(e.evaluate(records).claims), std::vector<std::string>{});
  // A tide of half the strength would move the poles by half as much; six numbers a member, the third is the angle.
  Records weaker = records;
  for (std::size_t unit = 0; unit < 20; ++unit) {
    std::vector<double> record(records[unit].begin(), records[unit].end());
    for (std::size_t i = 0; i < record.size(); i += 6) {
      record[i] = 1 + (record[i] - 1) / 2;
      record[i + 2] /= 2;
    }
    weaker.set(unit, record);
  }
  const auto claims = e.evaluate(weaker).claims;
  for (const char* name :
       {"after: least quotient", "after: largest quotient", "after: part of the members whose pole",
        "after: how far the pole has moved, median"})
    EXPECT_TRUE(misses(claims, name)) << name;
  EXPECT_TRUE(misses(e.evaluate(altered(records, e.units - 1, 9, 1e-13)).claims, "flyby and back"));
}

TEST(KnownBodies, Periods) {
  const Experiment e = quick_experiment("periods-67p-1i");
  EXPECT_EQ(missed(e.evaluate(records_of(e)).claims), std::vector<std::string>{});
}

/// One state only: the exponent over twenty orbits by four ways.
TEST(KnownBodies, HyperionByFourWays) {
  const Experiment e = quick_experiment("hyperion");
  std::vector<double> record(e.record_size);
  e.compute(28, record);  // after 7 states with 4 sets of moments
  EXPECT_GT(record[0], 0.01);
  EXPECT_LT(record[0], 0.1);
  for (std::size_t way = 1; way < 4; ++way) EXPECT_LT(std::abs(record[way] / record[0] - 1), 1e-5) << way;
}

/// Made-up records: a way to the mean exponent that is off by more than chance is found out.
TEST(KnownBodies, HyperionsMeanExponentIsTheSameByAllWays) {
  const Experiment e = quick_experiment("hyperion");
  constexpr std::size_t first = 32;  // after the runs and their checks
  Records records(e.units, e.record_size);
  for (std::size_t unit = 0; unit < e.units; ++unit) {
    std::vector<double> record(e.record_size, 0.03);
    if (unit >= first && unit < first + 4)
      for (std::size_t i = 0; i < record.size(); ++i) record[i] = i % 2 == 0 ? 0.136 : 0.156;
    records.set(unit, record);
  }
  EXPECT_FALSE(misses(e.evaluate(records).claims, "one turn an orbit"));
  EXPECT_FALSE(misses(e.evaluate(records).claims, "the same"));
  for (const auto& [way, claim] : {std::pair{1, "the same with half the step"},
                                   {2, "the same with kahan-li-8"},
                                   {3, "the same by the tangent map"}}) {
    Records other = records;
    std::vector<double> record(records[first + static_cast<std::size_t>(way)].begin(),
                               records[first + static_cast<std::size_t>(way)].end());
    for (double& x : record) x += 0.02;
    other.set(first + static_cast<std::size_t>(way), record);
    EXPECT_TRUE(misses(e.evaluate(other).claims, claim)) << claim;
  }
}

TEST(KnownBodies, AreAGroupOfTheReport) {
  std::string group;
  int changes = 0;
  for (const ExperimentEntry& entry : experiment_registry()) {
    const std::string now = entry.make(Scale::quick).group;
    if (now != group) ++changes;
    group = now;
  }
  EXPECT_EQ(changes, 2);
  EXPECT_EQ(group, "Known bodies");
}

}  // namespace
}  // namespace polhode::testing
