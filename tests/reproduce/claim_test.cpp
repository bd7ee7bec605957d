// The two results of a claim.

#include "reproduce/claim.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "reproduce/report.hpp"
#include "reproduce/verdict.hpp"

namespace polhode::program {
namespace {

Claim measured(double x) { return at_most("an error", "1e-3", x, 2 * x); }

TEST(Claim, HoldsAsPrintedWithinTheNumbersOfThePaper) {
  EXPECT_EQ(measured(1e-3).printed(5e-4, 2e-3).as_printed, AsPrinted::holds);
  EXPECT_EQ(measured(4e-3).printed(5e-4, 2e-3).printed_text(), "within a factor of 2");
  EXPECT_EQ(measured(1e-4).printed(5e-4, 2e-3).printed_text(), "within a factor of 5");
  EXPECT_EQ(measured(3e-2).printed(5e-4, 2e-3).as_printed, AsPrinted::does_not_hold);
  EXPECT_EQ(measured(4e-3).printed(5e-4, 2e-3, 1.5).as_printed, AsPrinted::does_not_hold);
}

TEST(Claim, HoldsAsPrintedOnOneSide) {
  EXPECT_EQ(measured(-5).printed_at_most(1).as_printed, AsPrinted::holds);
  EXPECT_EQ(measured(3).printed_at_most(1).as_printed, AsPrinted::within_a_factor);
  EXPECT_EQ(measured(3).printed_at_least(10).printed_text(), "within a factor of 3.3");
  EXPECT_EQ(measured(-3).printed_at_least(10).as_printed, AsPrinted::does_not_hold);
}

TEST(Claim, OfWhatIsNotANumberHoldsNothing) {
  const Claim c = measured(std::numeric_limits<double>::quiet_NaN());
  EXPECT_FALSE(c.pass);
  EXPECT_EQ(c.printed(0, 1).as_printed, AsPrinted::does_not_hold);
  EXPECT_EQ(c.printed_at_most(1).as_printed, AsPrinted::does_not_hold);
}

TEST(Claim, IsCountedByItsTwoResults) {
  ClaimCount count;
  count.add({measured(1).printed_as(true), measured(1).printed_as(false), measured(3).printed_at_most(1),
             measured(1).not_comparable(), measured(1), at_least("a gain", "", 1, 2)});
  EXPECT_EQ(count.claims, 6U);
  EXPECT_EQ(count.passed, 5U);
  EXPECT_EQ(count.printed_text(),
            "of 4 published claims 1 hold as printed, 1 within a factor, 1 do not, 1 cannot be compared");
}

/// The astronomers' figures are not counted among the papers' claims.
TEST(Claim, IsCountedInItsGroup) {
  std::vector<Reproduction> all(3);
  all[2].experiment.group = "Known bodies";
  all[0].findings.claims = {measured(1).printed_as(true)};
  all[1].findings.claims = {measured(1).printed_as(false), measured(1)};
  all[2].findings.claims = {measured(1).printed_as(true), measured(1).printed_as(true)};
  const std::vector<std::string> expected{
      "The papers: of 2 published claims 1 hold as printed, 0 within a factor, 1 do not, 0 cannot be "
      "compared",
      "Known bodies: of 2 published claims 2 hold as printed, 0 within a factor, 0 do not, 0 cannot be "
      "compared"};
  EXPECT_EQ(printed_by_group(all), expected);
}

TEST(Claim, HasBothResultsInTheVerdict) {
  Experiment e;
  e.name = "x";
  const std::string json = verdict_json(e, {measured(3).printed_at_most(1), measured(3)});
  EXPECT_NE(json.find("\"source\": \"paper\", \"as_printed\": \"within a factor\", \"pass\": true"),
            std::string::npos)
      << json;
  EXPECT_NE(json.find("\"source\": \"ours\", \"as_printed\": null, \"pass\": true"), std::string::npos)
      << json;
}

}  // namespace
}  // namespace polhode::program
