// The elementary functions of DoubleDouble, against Taylor's series in exact.hpp's arithmetic. Errors are in units of
// 2^-106, relative to 1 for sine and cosine (which lie on the unit circle) unless it is said otherwise.
#include "polhode/arithmetic/double_double_functions.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "arithmetic/exact.hpp"

namespace polhode {

using namespace core;
namespace {

using reference::bits;
using reference::Exact;
using reference::infinity;
using reference::nan;
using reference::Operands;

constexpr double unit = 0x1p-106;
constexpr int precision = -6;  // everything is cut below 2^(64 precision) = 2^-384

struct Circle {
  Exact sin, cos;
};

const Exact& exact_pi() {
  static const Exact pi =
      Exact::of_limbs({0x3, 0x243f6a8885a308d3, 0x13198a2e03707344, 0xa4093822299f31d0, 0x082efa98ec4e6c89,
                       0x452821e638d01377, 0xbe5466cf34e90c6c, 0xc0ac29b7c97c50dd, 0x3f84d5b5b5470917},
                      -8);
  return pi;
}

Circle circle(const Exact& angle) {
  Exact x = angle;
  std::int64_t quadrant = 0;
  for (double quarters = 1;
       quarters != 0;) {  // the nearest quarter turn is not found at once where the angle is large
    quarters = std::floor(x.approximate() * (2.0 / std::numbers::pi) + 0.5);
    x = (x - Exact(quarters * 0.5) * exact_pi()).cut(precision);
    quadrant += static_cast<std::int64_t>(std::fmod(quarters, 4.0));
  }
  const Exact minus_square = -(x * x).cut(precision);
  Exact sin, cos, even(1.0), odd = x;
  for (std::uint64_t n = 1; !even.is_zero() || !odd.is_zero(); n += 2) {
    cos = cos + even;
    sin = sin + odd;
    even = (even * minus_square).divided_by(n * (n + 1), precision);
    odd = (odd * minus_square).divided_by((n + 1) * (n + 2), precision);
  }
  switch (quadrant & 3) {
    case 0:
      return {sin, cos};
    case 1:
      return {cos, -sin};
    case 2:
      return {-sin, -cos};
    default:
      return {-cos, sin};
  }
}

double size(const Exact& x) { return std::abs(x.approximate()); }

/// The error of both, absolute.
double error(const SineCosine<DoubleDouble>& x, const Circle& exact) {
  return std::max(size(Exact(x.sin) - exact.sin), size(Exact(x.cos) - exact.cos));
}

/// The error of an angle as that of atan2(y, x): sin(angle - exact angle).
double error_of_angle(const DoubleDouble& angle, const Exact& y, const Exact& x) {
  const Circle c = circle(angle);
  const double radius = std::hypot(x.approximate(), y.approximate());
  EXPECT_GT((c.cos * x + c.sin * y).approximate(), 0.0);  // not the opposite direction
  return size(c.sin * x - c.cos * y) / radius;
}

TEST(Reference, SineAndCosine) {
  for (const double x : {0.3, -2.0, 1000.0}) {
    const Circle c = circle(x);
    EXPECT_DOUBLE_EQ(c.sin.approximate(), std::sin(x));
    EXPECT_DOUBLE_EQ(c.cos.approximate(), std::cos(x));
    EXPECT_LT(size(c.sin * c.sin + c.cos * c.cos - Exact(1.0)), 0x1p-370);
  }
}

// Worst of 60000 angles in each range: 1.6, 2.2, 2.3, 2.5.
TEST(DoubleDoubleFunctions, SineAndCosine) {
  Operands random(1);
  for (const double range : {0.05, 3.2, 100.0, 1e6}) {
    double worst = 0.0;
    for (int i = 0; i < 150; ++i) {
      const double high = random.uniform(-range, range);
      const DoubleDouble angle = DoubleDouble::sum(high, std::ldexp(high, -53) * random.uniform(-1.0, 1.0));
      const auto both = sincos(angle);
      worst = std::max(worst, error(both, circle(angle)) / unit);
      ASSERT_EQ(sin(angle), both.sin);
      ASSERT_EQ(cos(angle), both.cos);
    }
    EXPECT_GT(worst, 0.2) << range;
    EXPECT_LT(worst, 3.3) << range;
  }
}

// 2^46 and beyond, where the nearest quarter turn is not found at once. Worst of 10000: 2.5 up to 2^50, and 875
// (2^-96) up to 2^62. Up to 2^100, in units of the angle: 2^-158, what the three parts lack of pi.
TEST(DoubleDoubleFunctions, SineAndCosineOfLargeAngles) {
  Operands random(2);
  for (const int power : {45, 47, 48, 49}) {
    for (int i = 0; i < 150; ++i) {
      const DoubleDouble angle = random.pair(power, power);
      ASSERT_LT(error(sincos(angle), circle(angle)), 3.3 * unit) << angle.high() << " + " << angle.low();
    }
  }
  for (int i = 0; i < 150; ++i) {
    const DoubleDouble angle = random.pair(50, 61);
    ASSERT_LT(error(sincos(angle), circle(angle)), 1140 * unit) << angle.high() << " + " << angle.low();
  }
  for (int i = 0; i < 300; ++i) {
    const DoubleDouble angle = random.pair(62, 99);
    for (const auto& both : {sincos(angle), sincos_short(angle)})
      ASSERT_LT(error(both, circle(angle)), 0x1p-157 * std::abs(angle.high()) + 9e-21)
          << angle.high() << " + " << angle.low();
  }
}

TEST(DoubleDoubleFunctions, SineIsRelativelyAccurateForSmallAngles) {
  Operands random(3);
  double worst = 0.0;
  for (int i = 0; i < 150; ++i) {
    const DoubleDouble angle = random.pair(-100, -6);
    const Exact exact = circle(angle).sin;
    worst = std::max(worst, reference::units(Exact(sin(angle)) - exact, exact));
  }
  EXPECT_LT(worst, 2.0);  // of 60000: 1.48
  EXPECT_EQ(sin(DoubleDouble(0.0)), DoubleDouble(0.0));
  EXPECT_EQ(cos(DoubleDouble(0.0)), DoubleDouble(1.0));
  EXPECT_EQ(sin(DoubleDouble(1e-200, 1e-217)), DoubleDouble(1e-200, 1e-217));
}

TEST(DoubleDoubleFunctions, SineAndCosineAroundTheTable) {
  // The edges of the reductions by pi/2 and by pi/32, and their middles.
  double worst = 0.0;
  for (int j = -130; j <= 130; ++j) {
    const DoubleDouble angle = pi<DoubleDouble>() * DoubleDouble(j) / 64;
    for (const DoubleDouble& x : {angle, angle + DoubleDouble(1e-17), angle - DoubleDouble(1e-17)})
      worst = std::max(worst, error(sincos(x), circle(x)) / unit);
  }
  EXPECT_LT(worst, 1.6);  // measured 1.21
}

TEST(DoubleDoubleFunctions, ShortSineAndCosine) {
  Operands random(4);
  for (const double range : {0.05, 3.2, 1e6}) {
    double worst = 0.0;
    for (int i = 0; i < 150; ++i) {
      const double high = random.uniform(-range, range);
      const DoubleDouble angle = DoubleDouble::sum(high, std::ldexp(high, -53) * random.uniform(-1.0, 1.0));
      worst = std::max(worst, error(sincos_short(angle), circle(angle)));
    }
    EXPECT_LT(worst, 9e-21) << range;  // of 60000: 7.0e-21 = 2^-66.9
    EXPECT_GT(worst, 2e-21) << range;  // otherwise the short one would not be short
  }
}

TEST(DoubleDoubleFunctions, SineOfWhatIsNoAngle) {
  for (const double x : {0x1p100, -0x1p120, infinity, -infinity, nan}) {
    for (const auto& both : {sincos(DoubleDouble(x)), sincos_short(DoubleDouble(x))}) {
      EXPECT_TRUE(std::isnan(both.sin.high())) << x;
      EXPECT_TRUE(std::isnan(both.cos.high())) << x;
    }
  }
}

TEST(DoubleDoubleFunctions, ArcTangentInAllQuadrants) {
  Operands random(5);
  double worst = 0.0;
  for (int i = 0; i < 400; ++i) {
    const DoubleDouble y = random.pair(-20, 20), x = random.pair(-20, 20);
    worst = std::max(worst, error_of_angle(atan2(y, x), y, x) / size(atan2(y, x)) / unit);
  }
  EXPECT_GT(worst, 1.0);
  EXPECT_LT(worst, 4.9);  // of 100000: 3.74
}

TEST(DoubleDoubleFunctions, ArcTangentIsRelativelyAccurateForSmallAngles) {
  Operands random(6);
  double worst = 0.0;
  for (int i = 0; i < 150; ++i) {
    const DoubleDouble y = random.pair(-120, -20), x = abs(random.pair(-3, 3));
    const DoubleDouble angle = atan2(y, x);
    worst = std::max(worst, error_of_angle(angle, y, x) / std::abs(angle.high()) / unit);
  }
  EXPECT_LT(worst, 4.3);  // of 60000: 3.26
}

TEST(DoubleDoubleFunctions, ArcTangentOnTheAxes) {
  const DoubleDouble zero(0.0), minus_zero(-0.0), p = pi<DoubleDouble>();
  for (const DoubleDouble& r :
       {DoubleDouble(1.0), DoubleDouble(3.0, 0x1p-60), DoubleDouble(1e-100), DoubleDouble(1e100)}) {
    EXPECT_EQ(atan2(zero, r), zero);
    EXPECT_EQ(bits(atan2(minus_zero, r).high()), bits(-0.0));
    EXPECT_LT(size(Exact(atan2(zero, -r)) - exact_pi()), 3 * unit);
    EXPECT_LT(size(Exact(atan2(minus_zero, -r)) + exact_pi()), 3 * unit);
    EXPECT_LT(size(Exact(2.0) * Exact(atan2(r, zero)) - exact_pi()), 3 * unit);
    EXPECT_LT(size(Exact(2.0) * Exact(atan2(-r, zero)) + exact_pi()), 3 * unit);
    EXPECT_LT(size(Exact(4.0) * Exact(atan2(r, r)) - exact_pi()), 6 * unit);
  }
  EXPECT_EQ(atan2(zero, zero), zero);
  EXPECT_LT(abs(atan2(zero, DoubleDouble(-1.0)) - p), DoubleDouble(3 * unit));
  EXPECT_TRUE(std::isnan(atan2(DoubleDouble(nan), p).high()));
  EXPECT_TRUE(std::isnan(atan2(p, DoubleDouble(nan)).high()));
}

TEST(DoubleDoubleFunctions, ArcSine) {
  Operands random(7);
  double worst = 0.0;
  const auto examine = [&](const DoubleDouble& x) {
    const DoubleDouble angle = asin(x);
    const Circle c = circle(angle);
    // sin(angle) - x is cos(angle) times the error; near 1 the cosine is small, and the error is what counts.
    worst = std::max(worst, size(c.sin - Exact(x)) / size(c.cos) / size(angle) / unit);
  };
  for (int i = 0; i < 150; ++i) {
    examine(DoubleDouble::sum(random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0) * 0x1p-54));
    examine(random.pair(-60, -1));
    const DoubleDouble from_one = abs(random.pair(-100, -3));
    examine(1.0 - from_one);
    examine(from_one - 1.0);
  }
  EXPECT_GT(worst, 1.0);
  EXPECT_LT(worst, 8.5);  // of 240000: 6.52
}

TEST(DoubleDoubleFunctions, ArcSineAtTheEndsAndBeyond) {
  EXPECT_LT(size(Exact(2.0) * Exact(asin(DoubleDouble(1.0))) - exact_pi()), 3 * unit);
  EXPECT_LT(size(Exact(2.0) * Exact(asin(DoubleDouble(-1.0))) + exact_pi()), 3 * unit);
  EXPECT_EQ(asin(DoubleDouble(0.0)), DoubleDouble(0.0));
  EXPECT_TRUE(std::isnan(asin(DoubleDouble(1.0, 0x1p-90)).high()));
  EXPECT_TRUE(std::isnan(asin(DoubleDouble(-1.5)).high()));
  EXPECT_TRUE(std::isnan(asin(DoubleDouble(nan)).high()));
}

/// By Taylor's series of x/2^k, squared k times.
Exact exact_exp(const Exact& x) {
  constexpr int squares = 8;
  const Exact y = (x * Exact(0x1p-8)).cut(2 * precision);
  Exact sum, term(1.0);
  for (std::uint64_t n = 1; !term.is_zero(); ++n) {
    sum = sum + term;
    term = (term * y).divided_by(n, 2 * precision);
  }
  for (int i = 0; i < squares; ++i) sum = (sum * sum).cut(2 * precision);
  return sum;
}

// Relative to the value. Worst: 0.5, 0.8, 0.9, 1.0.
TEST(DoubleDoubleFunctions, Exponential) {
  Operands random(9);
  for (const double range : {1e-3, 1.0, 50.0, 300.0}) {
    double worst = 0.0;
    for (int i = 0; i < 150; ++i) {
      const double high = random.uniform(-range, range);
      const DoubleDouble x = DoubleDouble::sum(high, std::ldexp(high, -53) * random.uniform(-1.0, 1.0));
      const Exact exact = exact_exp(x);
      worst = std::max(worst, size(Exact(exp(x)) - exact) / size(exact) / unit);
    }
    EXPECT_LT(worst, 1.5) << range;
  }
  EXPECT_EQ(exp(DoubleDouble(0.0)), DoubleDouble(1.0));
  EXPECT_EQ(exp(DoubleDouble(-1000.0)), DoubleDouble(0.0));
  EXPECT_EQ(exp(DoubleDouble(1000.0)).high(), infinity);
  EXPECT_TRUE(std::isnan(exp(DoubleDouble(nan)).high()));
}

}  // namespace
}  // namespace polhode
