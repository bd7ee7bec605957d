#include "tables/moment.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <random>

namespace polhode::program {
namespace {

TEST(Moment, ReadsDates) {
  const auto seconds = [](const char* text) { return moment_of(text).value().seconds; };
  EXPECT_EQ(seconds("2000-01-01T12:00:00"), 0);
  EXPECT_EQ(seconds("2000-01-01T12:00:00Z"), 0);
  EXPECT_EQ(seconds("2000-001T12:00:01"), 1);
  EXPECT_EQ(seconds("1999-12-31T12:00:00"), -86400);
  EXPECT_EQ(seconds("2000-03-01T12:00:00"), 60 * 86400);  // 2000 was a leap year
  EXPECT_EQ(seconds("2000-061T12:00:00"), 60 * 86400);
  EXPECT_EQ(seconds("2000-366T12:00:00") - seconds("2000-365T12:00:00"), 86400);
  EXPECT_EQ(seconds("2026-11-18T10:20:30"), 848269230);  // date -u -d 2026-11-18T10:20:30 +%s, less 946728000
  EXPECT_EQ(moment_of("2000-01-01T12:00:00.2500").value().fraction, "25");
  EXPECT_EQ(moment_of("2000-01-01T12:00:00.").value().fraction, "");
  for (const char* text : {"",
                           "2000",
                           "2000-01-01",
                           "2000-01-01 12:00:00",
                           "2000-13-01T12:00:00",
                           "2000-02-30T12:00:00",
                           "2000-00-01T12:00:00",
                           "2001-02-29T00:00:00",
                           "2000-367T12:00:00",
                           "2001-366T12:00:00",
                           "2001-000T12:00:00",
                           "2000-01-01T24:00:00",
                           "2000-01-01T12:60:00",
                           "2000-01-01T12:00:60",
                           "2000-01-01T12:00",
                           "2000-01-01T12:00:00.5x",
                           "2000-01-01T12:00:00 ",
                           "20a0-01-01T12:00:00",
                           "200-01-01T12:00:00",
                           "2000-1-01T12:00:00",
                           "-2000-01-01T12:00:00"})
    EXPECT_FALSE(moment_of(text)) << text;
}

TEST(Moment, WritesDates) {
  EXPECT_EQ(moment_text(moment_after({}, 0.1)), "2000-01-01T12:00:00.1");
  EXPECT_EQ(moment_text(moment_after({}, -0.1)), "2000-01-01T11:59:59.9");
  EXPECT_EQ(moment_text(moment_after({}, -0.25)), "2000-01-01T11:59:59.75");
  EXPECT_EQ(moment_text(moment_after({}, -43200)), "2000-01-01T00:00:00");
  EXPECT_EQ(moment_text(moment_after({}, -43201)), "1999-12-31T23:59:59");
  EXPECT_EQ(moment_text(moment_after({}, 0.1 + 0.2)), "2000-01-01T12:00:00.30000000000000004");
  EXPECT_EQ(moment_text(moment_after({}, 5184000.5)), "2000-03-01T12:00:00.5");
  EXPECT_EQ(moment_text(moment_of("9999-12-31T23:59:59.5").value()), "9999-12-31T23:59:59.5");
  EXPECT_EQ(moment_text(moment_of("0001-01-01T00:00:00").value()), "0001-01-01T00:00:00");
  for (const double time : {1e12, -1e11, 1e30, -1e300})
    EXPECT_FALSE(moment_text(moment_after({}, time))) << time;
}

/// Every time in the years that have dates comes back to the bit.
TEST(Moment, TimesComeBack) {
  std::mt19937_64 random(3);
  const Moment epoch = moment_of("2026-11-18T10:20:30").value();
  for (int i = 0; i < 20000; ++i) {
    const double time = std::bit_cast<double>(random());
    if (!(std::abs(time) < 6e10)) continue;
    const auto text = moment_text(moment_after(epoch, time));
    ASSERT_TRUE(text) << time;
    ASSERT_EQ(time_between(epoch, moment_of(*text).value()), time) << *text;
  }
  for (int i = -3000; i < 3000; ++i) {
    const double time = 0.1 * i;
    ASSERT_EQ(time_between(epoch, moment_of(*moment_text(moment_after(epoch, time))).value()), time);
  }
}

}  // namespace
}  // namespace polhode::program
