// Numbers with an exponent of their own.

#include "polhode/arithmetic/ranged.hpp"

#include <gtest/gtest.h>

namespace POLHODE_CORE {
namespace {

using R = Ranged<DoubleDouble>;

TEST(Ranged, KeepsTheDigitsOfSquaresThatDoubleDoesNotHave) {
  const R tiny(3e-320), x(DoubleDouble(0x1p-700) + DoubleDouble(0x1p-780));
  EXPECT_EQ(static_cast<double>(sqrt(tiny * tiny)), 3e-320);
  EXPECT_EQ(static_cast<double>(x * x), 0.0);
  EXPECT_EQ(static_cast<DoubleDouble>(ldexp(x * x, 1400)), DoubleDouble(1) + DoubleDouble(0x1p-79));
  const R difference = x * x - R(0x1p-700) * R(0x1p-700);
  EXPECT_EQ(static_cast<double>(ldexp(difference, 1479)), 1.0);
  EXPECT_EQ(binary_exponent(R(0x1p-700) * R(0x1p-700)), -1400);
}

TEST(Ranged, HasTheResultsOfItsDigitsWhereTheseAreNumbers) {
  const DoubleDouble a = DoubleDouble(1) / DoubleDouble(3), b = DoubleDouble(-2) / DoubleDouble(7);
  for (const double scale : {1.0, 0x1p40, 0x1p-60}) {
    const DoubleDouble c = b * scale;
    EXPECT_EQ(static_cast<DoubleDouble>(R(a) + R(c)), a + c);
    EXPECT_EQ(static_cast<DoubleDouble>(R(a) - R(c)), a - c);
    EXPECT_EQ(static_cast<DoubleDouble>(R(a) * R(c)), a * c);
    EXPECT_EQ(static_cast<DoubleDouble>(R(a) / R(c)), a / c);
    EXPECT_EQ(R(a) < R(c), a < c);
  }
  EXPECT_EQ(static_cast<DoubleDouble>(sqrt(R(a))), sqrt(a));
  EXPECT_EQ(static_cast<DoubleDouble>(floor(R(a * 100))), floor(a * 100));
}

TEST(Ranged, OrdersZeroAndNumbersOfAnySize) {
  const R zero(0.0), least = R(5e-324) * R(5e-324);
  EXPECT_TRUE(zero < least && -least < zero && !(zero < zero) && zero == -zero);
  EXPECT_TRUE(least < R(1) && !(R(1) < least) && least <= least);
  EXPECT_EQ(static_cast<double>(R(1) + least), 1.0);
  EXPECT_FALSE(isfinite(R(std::numeric_limits<double>::quiet_NaN()) * least));
}

}  // namespace
}  // namespace POLHODE_CORE
