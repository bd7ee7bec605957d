// The coefficients of multistep methods, against what is published and what [CH13] implies.
#include <gtest/gtest.h>

#include "polhode/constrained/multistep_methods.hpp"

namespace polhode {

using namespace core;
namespace {

std::vector<std::int64_t> betas(const MultistepTable& table) {
  std::vector<std::int64_t> result;
  for (int j = 1; j < table.steps(); ++j) result.push_back(table.beta(j));
  return result;
}

TEST(MultistepTable, Sy8IsThatOfQuinlanAndTremaine) {
  constexpr const MultistepTable& sy8 = multistep_table("sy8");
  static_assert(sy8.order() == 8 && sy8.alpha_scale() == 1 && sy8.beta_scale() == 12096);
  EXPECT_EQ(betas(sy8), (std::vector<std::int64_t>{17671, -23622, 61449, -50516, 61449, -23622, 17671}));
}

TEST(MultistepTable, ThePublishedOnes) {
  const auto first_half = [](std::string_view name) {
    std::vector<std::int64_t> half = betas(multistep_table(name));
    half.resize(half.size() / 2 + 1);
    return half;
  };
  using Half = std::vector<std::int64_t>;
  EXPECT_EQ(first_half("sy8a"), (Half{22081, -29418, 75183, -75212}));
  EXPECT_EQ(multistep_table("sy8a").beta_scale(), 15120);
  EXPECT_EQ(first_half("sy8b"), (Half{192481, 6582, 816783, -156812}));
  EXPECT_EQ(multistep_table("sy8b").beta_scale(), 120960);
  EXPECT_EQ(first_half("sy10"), (Half{399187, -485156, 2391436, -2816732, 4651330}));
  EXPECT_EQ(multistep_table("sy10").beta_scale(), 241920);
  EXPECT_EQ(first_half("sy12"),
            (Half{90987349, -229596838, 812627169, -1628539944, 2714971338, -3041896548}));
  EXPECT_EQ(multistep_table("sy12").beta_scale(), 53222400);
  EXPECT_EQ(first_half("sy14"), (Half{433489274083, -1364031998256, 5583113380398, -14154444148720,
                                      28630585332045, -42056933842656, 48471792742212}));
  EXPECT_EQ(multistep_table("sy14").beta_scale(), 237758976000);
}

TEST(MultistepTable, FromTheRootsOfThePaper) {
  const double roots[] = {-0.8, -0.4, 0.7};
  const MultistepTable table = MultistepTable::from_roots(std::span<const double>(roots));
  EXPECT_EQ(table, console_hairer_table);
  const std::int64_t hat_alpha[] = {-125, 250, -240, 141, -141, 240, -250, 125};
  for (int j = 0; j < 8; ++j) EXPECT_EQ(table.hat_alpha(j), hat_alpha[j]);
  EXPECT_EQ(table.alpha_scale(), 125);
  EXPECT_EQ(betas(table),
            (std::vector<std::int64_t>{877487, -1808406, 3151521, -3413044, 3151521, -1808406, 877487}));
  EXPECT_EQ(table.beta_scale(), 630000);
}

TEST(MultistepTable, MomentumCoefficients) {
  constexpr MomentumTable table(4);
  const std::int64_t expected[] = {-3, 29, -139, 533, 533, -139, 29, -3};
  for (int j = -4; j < 4; ++j) EXPECT_EQ(table[j], expected[j + 4]);
  EXPECT_EQ(table.scale(), 840);
  // For every l: exact for the differences of q = t^m, m up to 2 l, whose derivative at 0 is that of m = 1.
  for (int l = 1; l <= 8; ++l) {
    const MomentumTable any(l);
    for (int m = 1; m <= 2 * l; ++m) {
      ExactInteger sum = 0;
      const auto power = [m](int t) {
        ExactInteger result = 1;
        for (int i = 0; i < m; ++i) result *= t;
        return result;
      };
      for (int j = -l; j < l; ++j) sum += (power(j + 1) - power(j)) * any[j];
      EXPECT_EQ(sum, ExactInteger(m == 1 ? any.scale() : 0)) << "l " << l << ", m " << m;
    }
  }
}

/// rho/(z - 1)^2 times z^2 + c z + 1 instead of one of its factors would need the factors; instead the whole is stretched:
/// the coefficient next to the middle is moved until zeros leave the circle.
TEST(MultistepTable, RefusesZerosOffTheUnitCircle) {
  for (const MultistepMethod& method : multistep_methods) {
    const int k = method.table.steps();
    if (k == 2) continue;
    // rho' = rho + c z^(k/2-2) (z-1)^4: still symmetric with the double zero 1, but for large c the other zeros move to 1
    // in a direction off the circle, for both signs of c in turn.
    int refused = 0;
    for (const std::int64_t c : {-1000, 1000}) {
      std::vector<std::int64_t> alpha;
      for (int j = 0; j <= k; ++j) alpha.push_back(method.table.alpha(j));
      const std::int64_t fourth[] = {1, -4, 6, -4, 1};
      for (int j = 0; j < 5; ++j) alpha[static_cast<std::size_t>(k / 2 - 2 + j)] += c * fourth[j];
      try {
        MultistepTable::from_alpha(alpha);
      } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("unit circle"), std::string::npos) << error.what();
        ++refused;
      }
    }
    EXPECT_GE(refused, 1) << method.name;
  }
}

void expect_refused(const std::vector<double>& roots, const std::string& reason) {
  try {
    MultistepTable::from_roots(std::span<const double>(roots));
    ADD_FAILURE() << "accepted, against: " << reason;
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find(reason), std::string::npos) << error.what();
  }
}

TEST(MultistepTable, RefusesRootsThatCannotBe) {
  for (std::size_t moved = 0; moved < 3; ++moved)
    for (const double to : {1.0, 1.01, -1.01, -1.0}) {
      std::vector<double> roots{-0.8, -0.4, 0.7};
      roots[moved] = to;
      expect_refused(roots, "root [" + std::to_string(moved) + "] is not between -1 and 1");
    }
  expect_refused({-0.8, 0.7, -0.8}, "root [2] appears twice");
  expect_refused({0.123456789, 0.23456789, 0.3456789}, "fewer decimals");
  expect_refused({std::numeric_limits<double>::quiet_NaN()}, "not a number");
  expect_refused({-0.9, -0.7, -0.5, -0.3, 0.1, 0.3, 0.5, 0.7}, "at most 7");
}

TEST(MultistepTable, RefusesAlphaThatIsNotSymmetricOrConsistent) {
  const auto refused = [](std::vector<std::int64_t> alpha, const std::string& reason) {
    try {
      MultistepTable::from_alpha(alpha);
      ADD_FAILURE() << reason;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(reason), std::string::npos) << error.what();
    }
  };
  refused({1, -2, 2, -2, 2}, "not symmetric");
  refused({1, -1, -1, 1}, "odd degree");
  refused({1, -3, 1}, "double zero");
  refused({1, -4, 6, -4, 1}, "multiple ones");
  refused({1, 1}, "2 to 16 steps");
}

TEST(MultistepTable, SaysWhichAreStableWithConstraints) {
  for (const MultistepMethod& method : multistep_methods)
    EXPECT_EQ(method.table.stable_with_constraints(), method.table.steps() <= 6) << method.name;
  EXPECT_TRUE(console_hairer_table.stable_with_constraints());
}

TEST(MultistepTable, UnknownName) { EXPECT_THROW(multistep_table("sy3"), InputError); }

TEST(Fraction, DecimalIsWhatWasWritten) {
  EXPECT_EQ(Fraction::decimal(-0.8), Fraction(-4, 5));
  EXPECT_EQ(Fraction::decimal(0.1), Fraction(1, 10));
  EXPECT_EQ(Fraction::decimal(12.0), Fraction(12));
  EXPECT_EQ(Fraction::decimal(1e-7), Fraction(1, 10000000));
  EXPECT_THROW(Fraction(1, 0), InputError);
}

}  // namespace
}  // namespace polhode
