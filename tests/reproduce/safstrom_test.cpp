// The experiments of [CS06]: their claims hold, and fail where a method is exchanged for another.
#include <gtest/gtest.h>

#include "reproduce/experiments/counted.hpp"
#include "tests/reproduce/altered_records.hpp"

namespace polhode::testing {

using namespace core;
namespace {

using namespace program;

using Names = std::vector<std::string>;

/// Copies of records in which one unit has the numbers of another.
Records with_unit(const Records& records, std::size_t unit, std::size_t from) {
  Records altered = records;
  altered.set(unit, records[from]);
  return altered;
}

constexpr std::size_t doublings = 13;

/// Errors against cost, with a time that depends on the number of steps alone.
Records without_clock(const Experiment& e) {
  Records records = records_of(e);
  for (std::size_t unit = 0; unit < e.units; ++unit) {
    std::vector<double> record(records[unit].begin(), records[unit].end());
    record[0] = std::ldexp(1e-6, static_cast<int>(unit % doublings));
    records.set(unit, record);
  }
  return records;
}

Records with_method(const Records& records, std::size_t method, std::size_t from) {
  Records altered = records;
  for (std::size_t k = 0; k < doublings; ++k)
    altered.set(method * doublings + k, records[from * doublings + k]);
  return altered;
}

TEST(SafstromFig1, NeedsTheEllipticFunctions) {
  const Experiment e = quick_experiment("safstrom-fig1");
  const Records records = without_clock(e);
  EXPECT_EQ(missed(e.evaluate(records).claims), Names{});
  enum : std::size_t { mr, rk4, jacobi, exact };
  const auto claims = e.evaluate(with_method(records, jacobi, rk4)).claims;
  EXPECT_TRUE(misses(claims, "elliptic functions: largest error with up to 128"));
  EXPECT_TRUE(misses(claims, "elliptic functions: largest error with all"));
  EXPECT_TRUE(misses(claims, "elliptic functions: error of RK4"));
  EXPECT_TRUE(misses(e.evaluate(with_method(records, mr, rk4)).claims, "MR: observed order"));
  const auto recomputed = e.evaluate(with_method(records, exact, jacobi)).claims;
  EXPECT_TRUE(misses(recomputed, "exact (ours): largest error of steps up to half a radian"));
  EXPECT_TRUE(misses(recomputed, "exact (ours): largest error over all steps"));
}

TEST(SafstromFig2, NeedsConstantsThatAreKept) {
  const Experiment e = quick_experiment("safstrom-fig2");
  const Records records = records_of(e);
  EXPECT_EQ(missed(e.evaluate(records).claims), Names{});
  enum : std::size_t { rk4, mr, kept, exact, recomputed };
  EXPECT_EQ(missed(e.evaluate(with_unit(records, kept, recomputed)).claims),
            Names{"elliptic functions: largest energy error"});
  EXPECT_TRUE(misses(e.evaluate(with_unit(records, mr, rk4)).claims, "MR: largest error of the second half"));
  EXPECT_TRUE(misses(e.evaluate(with_unit(records, rk4, mr)).claims, "RK4: error at the end"));
}

TEST(SafstromFig3, TellsThePapersMethodFromBetterOnes) {
  const Experiment e = quick_experiment("safstrom-fig3");
  const Records records = without_clock(e);
  EXPECT_EQ(missed(e.evaluate(records).claims), Names{});
  enum : std::size_t { mr, sej, magnus4, strang_exact };
  EXPECT_TRUE(
      misses(e.evaluate(with_method(records, sej, strang_exact)).claims, "SEJ: error relative to MR's"));
  EXPECT_TRUE(misses(e.evaluate(with_method(records, sej, mr)).claims,
                     "SEJ: error relative to MR's with the same number of operations"));
}

/// 5 rotations of 27 sums and products and a product with the step, a sine and a cosine each; and elliptic functions twice. The counts
/// are those of our formulas: they change with these.
TEST(Operations, OfAStep) {
  using namespace program::experiments;
  const OperationCount mr = operations_of_mr_step(), sej = operations_of_sej_step();
  EXPECT_EQ(mr.arithmetic, 136);
  EXPECT_EQ(mr.functions, 10);
  EXPECT_EQ(sej.arithmetic, 318);
  EXPECT_EQ(sej.functions, 77);
  EXPECT_EQ(mr.weighted(20), 336);
  const OperationCount four = operations_of([] {
    const Counted x = 3, y = sqrt(x * x + x / Counted(2));
    EXPECT_EQ(static_cast<double>(-y), -std::sqrt(10.5));
    EXPECT_LT(x, y);
  });
  EXPECT_EQ(four.arithmetic, 3);
  EXPECT_EQ(four.functions, 1);
}

TEST(SafstromFig4, TellsTheMethodsApart) {
  const Experiment e = quick_experiment("safstrom-fig4");
  const Records records = records_of(e);
  EXPECT_EQ(missed(e.evaluate(records).claims), Names{});
  enum : std::size_t { rk4, mr, sej, aba, magnus4, strang_exact };
  EXPECT_EQ(missed(e.evaluate(with_unit(records, sej, strang_exact)).claims), Names{"SEJ: energy error"});
  EXPECT_TRUE(misses(e.evaluate(with_unit(records, mr, sej)).claims, "MR: energy error"));
  EXPECT_TRUE(misses(e.evaluate(with_unit(records, mr, rk4)).claims, "MR: largest error of the second half"));
  EXPECT_TRUE(
      misses(e.evaluate(with_unit(records, sej, rk4)).claims, "SEJ: largest error of the second half"));
}

TEST(SafstromFig5, TellsTheMethodsApart) {
  const Experiment e = quick_experiment("safstrom-fig5");
  const Records records = without_clock(e);
  EXPECT_EQ(missed(e.evaluate(records).claims), Names{});
  enum : std::size_t { mr, sej, magnus4, strang_exact, rk4 };
  EXPECT_TRUE(misses(e.evaluate(with_method(records, sej, rk4)).claims, "SEJ: observed order"));
  EXPECT_TRUE(
      misses(e.evaluate(with_method(records, sej, strang_exact)).claims, "SEJ: error relative to MR's"));
  EXPECT_TRUE(misses(e.evaluate(with_method(records, mr, rk4)).claims, "MR: observed order"));
  EXPECT_TRUE(misses(e.evaluate(with_method(records, sej, mr)).claims,
                     "SEJ: error relative to MR's with the same number of operations"));
}

TEST(SafstromFig6And7, TellTheMethodsApart) {
  const Experiment by_sej = quick_experiment("safstrom-fig6"), by_mr = quick_experiment("safstrom-fig7");
  const Records records = records_of(by_sej);
  EXPECT_EQ(missed(by_sej.evaluate(records).claims), Names{});
  EXPECT_EQ(missed(by_mr.evaluate(records).claims), Names{});
  enum : std::size_t { sej, mr, aba, strang_exact, method_count };
  Records exchanged = records;
  for (std::size_t s = 0; s < 3; ++s) {
    exchanged.set(sej * 3 + s, records[mr * 3 + s]);
    exchanged.set(mr * 3 + s, records[sej * 3 + s]);
  }
  const auto of_sej = by_sej.evaluate(exchanged).claims, of_mr = by_mr.evaluate(exchanged).claims;
  EXPECT_TRUE(misses(of_sej, "SEJ, h = 0.1: distance"));
  EXPECT_TRUE(misses(of_sej, "h = 0.01: energy error of SEJ"));
  EXPECT_TRUE(misses(of_sej, "SEJ: energy error with h = 0.05"));
  EXPECT_TRUE(misses(of_mr, "MR, h = 0.1: distance"));
  EXPECT_TRUE(misses(of_mr, "MR, h = 0.1: lowest u3"));
  EXPECT_TRUE(misses(of_mr, "MR: energy error with h = 0.1"));
  // The last unit has the distances after steps forward and back, those of RK4 behind the others.
  const std::size_t last = by_sej.units - 1;
  std::vector<double> returns(records[last].begin(), records[last].end());
  std::swap(returns[sej], returns[method_count]);
  Records altered = records;
  altered.set(last, returns);
  EXPECT_EQ(missed(by_sej.evaluate(altered).claims),
            (Names{"SEJ: distance from the beginning after 1000 steps forward and 1000 back",
                   "RK4: the same, a method that is not symmetric"}));
}

TEST(SafstromFig8, NeedsThePapersMethodForItsCrossover) {
  const Experiment e = quick_experiment("safstrom-fig8");
  const Records records = records_of(e);
  EXPECT_EQ(missed(e.evaluate(records).claims), Names{});
  enum : std::size_t { mr, sej, aba, strang_exact };
  Records altered = records;
  for (std::size_t unit = 0; unit < e.units; ++unit) {
    std::vector<double> record(records[unit].begin(), records[unit].end());
    record[sej] = record[strang_exact];
    altered.set(unit, record);
  }
  const auto claims = e.evaluate(altered).claims;
  EXPECT_TRUE(misses(claims, "SEJ relative to MR at α = 1,"));
  EXPECT_TRUE(misses(claims, "SEJ relative to MR is less than one"));
}

}  // namespace
}  // namespace polhode::testing
