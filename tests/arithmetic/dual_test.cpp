// Dual numbers.

#include <gtest/gtest.h>

#include <cmath>

#include "polhode/arithmetic/double_double_functions.hpp"
#include "polhode/arithmetic/dual.hpp"

namespace polhode {

using namespace core;
namespace {

TEST(Dual, FollowsTheRules) {
  using D = Dual<double>;
  const D x(0.7, {1.0});
  EXPECT_DOUBLE_EQ(sqrt(x).gradient()[0], 0.5 / std::sqrt(0.7));
  EXPECT_DOUBLE_EQ(sin(x).gradient()[0], std::cos(0.7));
  EXPECT_DOUBLE_EQ(cos(x).gradient()[0], -std::sin(0.7));
  EXPECT_DOUBLE_EQ((D(1.0) / x).gradient()[0], -1.0 / 0.49);
  EXPECT_DOUBLE_EQ((x * x - 3.0 * x + 1.0).gradient()[0], 1.4 - 3.0);
  EXPECT_DOUBLE_EQ(atan2(x, D(2.0)).gradient()[0], 2.0 / (4.0 + 0.49));
  EXPECT_DOUBLE_EQ(abs(-x).gradient()[0], 1.0);
  EXPECT_TRUE(x < D(1.0) && x == D(0.7) && !(x > D(0.8)));
}

/// Second derivatives by duals of duals, in extended precision: d2/dxdy of sin(x y)/sqrt(x) + atan2(y, x).
TEST(Dual, GivesMixedDerivatives) {
  using D = Dual<DoubleDouble, 2>;
  using DD = Dual<D, 2>;
  const auto f = [](const auto& x, const auto& y) { return sin(x * y) / sqrt(x) + atan2(y, x); };
  const DoubleDouble x = 0.7, y = 1.3;
  const DD value = f(DD::variable(D::variable(x, 0), 0), DD::variable(D::variable(y, 1), 1));
  const DoubleDouble s = sin(x * y), c = cos(x * y), root = sqrt(x);
  const DoubleDouble expected =
      c / (2.0 * root) - x * y * s / root + (y * y - x * x) / ((x * x + y * y) * (x * x + y * y));
  EXPECT_LT(std::abs(static_cast<double>(value.gradient()[0].gradient()[1] - expected)), 1e-30);
  EXPECT_LT(std::abs(static_cast<double>(value.gradient()[1].gradient()[0] - expected)), 1e-30);
}

}  // namespace
}  // namespace polhode
