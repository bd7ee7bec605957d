// The experiment zanna-matrix: its claims fail where the ways to carry the attitude are exchanged.
#include <gtest/gtest.h>

#include "tests/reproduce/altered_records.hpp"

namespace polhode::testing {

using namespace core;
namespace {

using namespace program;

TEST(ZannaMatrix, TellsTheWaysApart) {
  const Experiment e = quick_experiment("zanna-matrix");
  const Records records = records_of(e);
  EXPECT_EQ(missed(e.evaluate(records).claims), std::vector<std::string>{});
  // For each of the 8 trajectories of a unit six blocks of samples: two quantities of the three ways. The first two ways change places.
  Records exchanged = records;
  const auto block = static_cast<std::ptrdiff_t>(e.record_size / 8 / 6);
  for (std::size_t unit = 0; unit < e.units; ++unit) {
    std::vector<double> record(records[unit].begin(), records[unit].end());
    for (std::ptrdiff_t t = 0; t < 8; ++t) {
      const auto first = record.begin() + t * 6 * block;
      std::swap_ranges(first, first + 2 * block, first + 2 * block);
    }
    exchanged.set(unit, record);
  }
  const auto claims = e.evaluate(exchanged).claims;
  EXPECT_TRUE(misses(claims, "products in double: the loss of orthogonality grows"));
  EXPECT_TRUE(misses(claims, "products rounded once: loss of orthogonality at the end"));
  EXPECT_TRUE(misses(claims, "error of Q m with products in double"));
}

}  // namespace
}  // namespace polhode::testing
