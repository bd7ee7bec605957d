// DoubleDouble: error bounds of its operations, and what its interface promises; at the end, what a scalar is. Errors are in units of 2^-106 = u^2.
// "Seen" is the worst of 3 million random operands and of a search from the worst ones; the bounds asserted are the
// proved ones where what was seen comes near them.
#include "polhode/arithmetic/double_double.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <complex>
#include <string>
#include <utility>

#include "arithmetic/exact.hpp"

namespace polhode {

using namespace core;
namespace {

using reference::bits;
using reference::Exact;
using reference::infinity;
using reference::nan;
using reference::Operands;
using reference::units;

constexpr int samples = 2000;

/// The worst error of a set of samples, and what it has to lie between: a bound that is never approached tests little.
class Worst {
 public:
  void add(const Exact& error, const Exact& exact) {
    if (exact.is_zero()) {
      EXPECT_TRUE(error.is_zero());
    } else {
      worst_ = std::max(worst_, units(error, exact));
    }
  }
  void expect_within(double low, double high) const {
    EXPECT_GE(worst_, low);
    EXPECT_LE(worst_, high);
  }

 private:
  double worst_ = 0.0;
};

bool is_normalized(const DoubleDouble& a) { return a.high() == a.high() + a.low(); }

/// Operands for sums: every fourth pair cancels to a few bits, or to the low parts.
std::pair<DoubleDouble, DoubleDouble> summands(Operands& random, int i) {
  const DoubleDouble a = random.pair(-3, 3), b = random.pair(-3, 3);
  if (i % 4 != 0) return {a, b};
  const double ratio = i % 8 == 0 ? 1.0 : 0.5;
  return {a, DoubleDouble::sum(-a.high() * ratio, std::ldexp(b.low(), -random.integer(0, 20)))};
}

TEST(DoubleDouble, SumIsWithin3) {  // seen 2.5
  Operands random(1);
  Worst plus, minus;
  for (int i = 0; i < samples; ++i) {
    const auto [a, b] = summands(random, i);
    const Exact x(a), y(b);
    plus.add(Exact(a + b) - (x + y), x + y);
    minus.add(Exact(a - b) - (x - y), x - y);
    ASSERT_TRUE(is_normalized(a + b));
    ASSERT_EQ(a - b, -(b - a));
    ASSERT_EQ(a + b, b + a);
  }
  plus.expect_within(1.0, 3.0);
  minus.expect_within(1.0, 3.0);
}

TEST(DoubleDouble, SumWithADoubleIsWithin2) {  // seen 2
  Operands random(2);
  Worst worst;
  for (int i = 0; i < samples; ++i) {
    const DoubleDouble a = random.pair(-3, 3);
    const double b = i % 4 == 0 ? -a.high() : random.number(-3, 3);
    const Exact x(a), y(b);
    worst.add(Exact(a + b) - (x + y), x + y);
    worst.add(Exact(a - b) - (x - y), x - y);
    ASSERT_EQ(a + b, b + a);
    ASSERT_EQ(b - a, -(a - b));
    ASSERT_TRUE(is_normalized(a + b));
  }
  worst.expect_within(1.0, 2.0);
}

TEST(DoubleDouble, ProductIsWithin5) {  // seen 4.64
  Operands random(3);
  Worst worst;
  for (int i = 0; i < samples; ++i) {
    const DoubleDouble a = random.pair(-200, 200), b = random.pair(-200, 200);
    const Exact product = Exact(a) * Exact(b);
    worst.add(Exact(a * b) - product, product);
    ASSERT_EQ(a * b, b * a);
    ASSERT_EQ((-a) * b, -(a * b));
    ASSERT_TRUE(is_normalized(a * b));
  }
  worst.expect_within(2.0, 5.0);
}

TEST(DoubleDouble, ProductWithADoubleIsWithin3) {  // seen 2.86
  Operands random(4);
  Worst worst;
  for (int i = 0; i < samples; ++i) {
    const DoubleDouble a = random.pair(-200, 200);
    const double b = random.number(-200, 200);
    const Exact product = Exact(a) * Exact(b);
    worst.add(Exact(a * b) - product, product);
    ASSERT_EQ(a * b, b * a);
    ASSERT_TRUE(is_normalized(a * b));
  }
  worst.expect_within(1.5, 3.0);
}

TEST(DoubleDouble, QuotientIsWithin12) {  // seen 7.24, and 9.27 by the search
  Operands random(5);
  Worst worst, of_double;
  for (int i = 0; i < samples; ++i) {
    const DoubleDouble a = random.pair(-200, 200), b = random.pair(-200, 200);
    worst.add(Exact(a / b) * Exact(b) - Exact(a), a);
    of_double.add(Exact(a.high() / b) * Exact(b) - Exact(a.high()), a.high());
    ASSERT_TRUE(is_normalized(a / b));
  }
  worst.expect_within(3.0, 9.4);
  of_double.expect_within(3.0, 7.4);  // seen 5.69
}

// The worst quotient that the search has found.
TEST(DoubleDouble, QuotientAtItsWorst) {
  const DoubleDouble a(0x1.102c8109f6249p+0, -0x1.fa82795713e36p-54),
      b(0x1.00000008a51bcp+0, 0x1.e7aa04158eef8p-54);
  EXPECT_NEAR(units(Exact(a / b) * Exact(b) - Exact(a), a), 9.26865, 1e-5);
}

TEST(DoubleDouble, QuotientByADoubleIsWithin3) {  // seen 2.80
  Operands random(6);
  Worst worst;
  for (int i = 0; i < samples; ++i) {
    const DoubleDouble a = random.pair(-200, 200);
    const double b = random.number(-200, 200);
    worst.add(Exact(a / b) * Exact(b) - Exact(a), a);
    ASSERT_TRUE(is_normalized(a / b));
  }
  worst.expect_within(1.5, 3.0);
}

TEST(DoubleDouble, SquareRootIsWithin25Eighths) {  // seen 3.125
  Operands random(7);
  Worst worst;
  for (int i = 0; i < samples; ++i) {
    const DoubleDouble a = abs(random.pair(-300, 300));
    const Exact root(sqrt(a));
    worst.add(root * root - Exact(a), Exact(2.0) * Exact(a));
    ASSERT_TRUE(is_normalized(sqrt(a)));
  }
  worst.expect_within(2.0, 3.125);
}

TEST(DoubleDouble, ExactCasesAreExact) {
  EXPECT_EQ(sqrt(DoubleDouble(9)), DoubleDouble(3));
  EXPECT_EQ(sqrt(DoubleDouble(0x1p-400)), DoubleDouble(0x1p-200));
  EXPECT_EQ(DoubleDouble(1) / DoubleDouble(4), DoubleDouble(0.25));
  EXPECT_EQ(DoubleDouble(21) / DoubleDouble(7), DoubleDouble(3));
  const DoubleDouble third = DoubleDouble(1) / 3;
  EXPECT_EQ(third.high(), 1.0 / 3.0);
  EXPECT_EQ(third.low(), 0x1.5555555555555p-56);
  EXPECT_EQ(DoubleDouble::sum(1.0, 0x1p-80), DoubleDouble(1.0, 0x1p-80));
  EXPECT_EQ(DoubleDouble::sum(0x1p-80, 1.0), DoubleDouble(1.0, 0x1p-80));
  EXPECT_EQ(DoubleDouble::product(1.0 + 0x1p-40, 1.0 + 0x1p-40), DoubleDouble(1.0 + 0x1p-39, 0x1p-80));
}

TEST(DoubleDouble, AssignmentsAreTheOperators) {
  Operands random(8);
  for (int i = 0; i < 100; ++i) {
    const DoubleDouble a = random.pair(-3, 3), b = random.pair(-3, 3);
    DoubleDouble x = a;
    EXPECT_EQ(x += b, a + b);
    EXPECT_EQ(x, a + b);
    x = a;
    EXPECT_EQ(x -= b, a - b);
    x = a;
    EXPECT_EQ(x *= b, a * b);
    x = a;
    EXPECT_EQ(x /= b, a / b);
  }
}

TEST(DoubleDouble, ConvertsFromAndToStandardTypes) {
  static_assert(std::is_convertible_v<double, DoubleDouble> && std::is_convertible_v<int, DoubleDouble>);
  static_assert(!std::is_convertible_v<DoubleDouble, double>);
  static_assert(std::is_trivially_copyable_v<DoubleDouble> && sizeof(DoubleDouble) == 2 * sizeof(double));
  EXPECT_EQ(DoubleDouble(), DoubleDouble(0.0, 0.0));
  EXPECT_EQ(DoubleDouble(7), DoubleDouble(7.0, 0.0));
  EXPECT_EQ(static_cast<double>(DoubleDouble(1.5, 0x1p-60)), 1.5);
  EXPECT_EQ(2 * DoubleDouble(1.5, 0x1p-60), DoubleDouble(3.0, 0x1p-59));
  EXPECT_EQ(DoubleDouble(1.5, 0x1p-60) / 2, DoubleDouble(0.75, 0x1p-61));
  EXPECT_EQ(1 - DoubleDouble(1.0, 0x1p-60), DoubleDouble(-0x1p-60));
}

TEST(DoubleDouble, ComparesBothParts) {
  const DoubleDouble one(1.0), above(1.0, 0x1p-70), below(1.0, -0x1p-70), two(2.0);
  const std::array<DoubleDouble, 4> ascending{below, one, above, two};
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 4; ++j) {
      EXPECT_EQ(ascending[i] < ascending[j], i < j);
      EXPECT_EQ(ascending[i] <= ascending[j], i <= j);
      EXPECT_EQ(ascending[i] > ascending[j], i > j);
      EXPECT_EQ(ascending[i] >= ascending[j], i >= j);
      EXPECT_EQ(ascending[i] == ascending[j], i == j);
    }
  }
  EXPECT_TRUE(above > 1.0 && above != 1.0 && one == 1.0 && 1 < above);
}

TEST(DoubleDouble, NanIsUnordered) {
  const DoubleDouble x(nan), one(1.0);
  EXPECT_FALSE(x < one || x > one || x <= one || x >= one || x == one || x == x);
  EXPECT_TRUE(x != x && (x <=> one) == std::partial_ordering::unordered);
}

TEST(DoubleDouble, NanPropagates) {
  const DoubleDouble x(nan), one(1.0);
  for (const DoubleDouble& y : {x + one, one - x, x * one, one / x, x / one, x + 1.0, 1.0 * x, x / 1.0,
                                sqrt(x), abs(x), floor(x), ldexp(x, 3), -x})
    EXPECT_TRUE(std::isnan(y.high()));
}

// Not what double does: the error of an infinite result is a NaN, and the renormalisation carries it into the high part.
TEST(DoubleDouble, InfinitiesEndAsNan) {
  const DoubleDouble x(infinity), one(1.0), huge(0x1p1023);
  for (const DoubleDouble& y :
       {x + one, x - one, x * one, x / one, one / x, huge + huge, huge * huge, one / DoubleDouble(0.0),
        one / 0.0, DoubleDouble(0.0) / DoubleDouble(0.0), huge * 4.0})
    EXPECT_TRUE(std::isnan(y.high())) << y.high();
  EXPECT_EQ(sqrt(x).high(), infinity);  // these look at the high part first
  EXPECT_EQ(abs(DoubleDouble(-infinity)).high(), infinity);
  EXPECT_TRUE(one < x && DoubleDouble(-infinity) < one);
}

TEST(DoubleDouble, FinitenessIsThatOfTheHighPart) {
  EXPECT_TRUE(isfinite(DoubleDouble(1.0, 0x1p-60)));
  EXPECT_TRUE(isfinite(DoubleDouble(0.0)));
  EXPECT_FALSE(isfinite(DoubleDouble(infinity)));
  EXPECT_FALSE(isfinite(DoubleDouble(-infinity)));
  EXPECT_FALSE(isfinite(DoubleDouble(nan)));
  EXPECT_FALSE(isfinite(DoubleDouble(0x1p1023) * 2.0));
}

TEST(DoubleDouble, SquareRootOfZeroAndBelow) {
  EXPECT_EQ(sqrt(DoubleDouble(0.0)), DoubleDouble(0.0));
  EXPECT_EQ(bits(sqrt(DoubleDouble(-0.0)).high()), bits(-0.0));
  EXPECT_TRUE(std::isnan(sqrt(DoubleDouble(-1.0)).high()));
  EXPECT_TRUE(std::isnan(sqrt(DoubleDouble(-0x1p-1000)).high()));
}

TEST(DoubleDouble, SignsOfZero) {
  EXPECT_EQ(DoubleDouble(-0.0), DoubleDouble(0.0));
  EXPECT_FALSE(DoubleDouble(-0.0) < DoubleDouble(0.0));
  EXPECT_EQ(bits((-DoubleDouble(0.0)).high()), bits(-0.0));
  EXPECT_EQ(bits((DoubleDouble(1.0) - DoubleDouble(1.0)).high()), bits(0.0));
  EXPECT_EQ(bits((DoubleDouble(-0.0) + DoubleDouble(-0.0)).high()), bits(0.0));  // in double: -0
  EXPECT_EQ(DoubleDouble(0.0) / DoubleDouble(-3.0), DoubleDouble(0.0));
}

TEST(DoubleDouble, AbsoluteValue) {
  const DoubleDouble a(1.0, -0x1p-60);
  EXPECT_EQ(abs(a), a);
  EXPECT_EQ(abs(-a), a);
  EXPECT_EQ(abs(DoubleDouble(-0x1p-1070)), DoubleDouble(0x1p-1070));
  EXPECT_EQ(abs(DoubleDouble(-0.0)), DoubleDouble(0.0));
}

TEST(DoubleDouble, Floor) {
  EXPECT_EQ(floor(DoubleDouble(2.5, 0x1p-60)), DoubleDouble(2.0));
  EXPECT_EQ(floor(DoubleDouble(-2.5, 0x1p-60)), DoubleDouble(-3.0));
  EXPECT_EQ(floor(DoubleDouble(3.0, 0x1p-60)), DoubleDouble(3.0));
  EXPECT_EQ(floor(DoubleDouble(3.0, -0x1p-60)), DoubleDouble(2.0));
  EXPECT_EQ(floor(DoubleDouble(-3.0, -0x1p-60)), DoubleDouble(-4.0));
  EXPECT_EQ(floor(DoubleDouble(7.0)), DoubleDouble(7.0));
  EXPECT_EQ(floor(DoubleDouble(0x1p60, 0.75)), DoubleDouble(0x1p60));
  EXPECT_EQ(floor(DoubleDouble(0x1p60, -0.25)), DoubleDouble(0x1p60, -1.0));
  EXPECT_EQ(floor(DoubleDouble(0x1p60, 5.5)), DoubleDouble(0x1p60, 5.0));
}

TEST(DoubleDouble, ScalingByPowersOfTwo) {
  const DoubleDouble a(1.5, 0x1.8p-57);
  EXPECT_EQ(ldexp(a, 10), DoubleDouble(1536.0, 0x1.8p-47));
  EXPECT_EQ(ldexp(ldexp(a, -600), 600), a);
}

TEST(DoubleDouble, Limits) {
  using Limits = std::numeric_limits<DoubleDouble>;
  static_assert(Limits::is_specialized && Limits::is_signed && !Limits::is_integer && !Limits::is_iec559);
  static_assert(Limits::digits == 104 && Limits::digits10 == 31 && Limits::max_digits10 == 33);
  static_assert(Limits::epsilon() == DoubleDouble(0x1p-104));
  EXPECT_EQ(DoubleDouble(1.0) + Limits::epsilon(), DoubleDouble(1.0, 0x1p-104));
  EXPECT_EQ(DoubleDouble(Limits::max()), DoubleDouble(std::numeric_limits<double>::max()));
  EXPECT_TRUE(std::isnan(DoubleDouble(Limits::quiet_NaN()).high()));
}

TEST(DoubleDouble, IsUsableAtCompileTime) {
  static_assert(DoubleDouble(1.0) + DoubleDouble(0x1p-80) == DoubleDouble(1.0, 0x1p-80));
  static_assert(abs(DoubleDouble(-2.0)) == DoubleDouble(2));
  static_assert((DoubleDouble(1.0, 0x1p-80) - 1.0) == DoubleDouble(0x1p-80));
}

static_assert(Scalar<double>);
static_assert(Scalar<DoubleDouble>);
// Formally scalars, though nothing in polhode is made for them: only error-free products refuse float.
static_assert(Scalar<float> && Scalar<long double>);
// An integer has all the operations, and none of them is that of a field.
static_assert(!Scalar<int> && !Scalar<unsigned> && !Scalar<bool> && !Scalar<long long>);
static_assert(!Scalar<std::string> && !Scalar<std::complex<double>> && !Scalar<double*> && !Scalar<void>);
// reference::Quad is examined where it is defined (reference/quadruple.hpp).

template <class T>
concept HasProduct = requires(const T& a) {
  two_product(a, a);
};
static_assert(HasProduct<DoubleDouble> && std::is_same_v<decltype(two_product(1.0, 1.0)), ErrorFree<double>>);
// The fallback that calls the product of a wide type exact would be wrong for float, which is computed in double.
static_assert(std::is_same_v<decltype(two_product(1.0f, 1.0f)), ErrorFree<double>>);

static_assert(std::is_same_v<Wide<double>, DoubleDouble>);
static_assert(std::is_same_v<Wide<DoubleDouble>, DoubleDouble>);
static_assert(std::is_same_v<Wide<long double>, long double>);
static_assert(ScalarTraits<double>::epsilon() == std::numeric_limits<double>::epsilon());
static_assert(ScalarTraits<DoubleDouble>::epsilon() == std::numeric_limits<DoubleDouble>::epsilon());
static_assert(ScalarTraits<float>::epsilon() == std::numeric_limits<float>::epsilon());

TEST(Scalar, PiIsTheNearestDoubleDouble) {
  // pi 2^192: 3, then its fraction, as in every table of hexadecimal digits.
  const Exact expected =
      Exact::of_limbs({0x3, 0x243f6a8885a308d3, 0x13198a2e03707344, 0xa4093822299f31d0}, -3);
  EXPECT_EQ(pi<double>(), 0x1.921fb54442d18p1);
  const DoubleDouble p = pi<DoubleDouble>();
  EXPECT_EQ(p.high(), 0x1.921fb54442d18p1);
  EXPECT_EQ(p.low(), 0x1.1a62633145c07p-53);
  EXPECT_LT(reference::units(Exact(p) - expected, expected), 0.1);
  const Exact sum = (Exact(3.141592653589793116) + Exact(1.2246467991473532072e-16)) +
                    (Exact(-2.9947698097183396659e-33) + Exact(1.1124542208633652815e-49));
  EXPECT_LT(std::abs((sum - expected).approximate()), 0x1p-190);  // of the 192 bits above
}

TEST(Scalar, SignCountsZeroAsPositive) {
  EXPECT_EQ(sign_of(2.5), 1.0);
  EXPECT_EQ(sign_of(-2.5), -1.0);
  EXPECT_EQ(sign_of(0.0), 1.0);
  EXPECT_EQ(sign_of(-0.0), 1.0);
  EXPECT_EQ(sign_of(DoubleDouble(0.0, 0.0)), DoubleDouble(1));
  EXPECT_EQ(sign_of(DoubleDouble(-1.0, 0x1p-60)), DoubleDouble(-1));
}

TEST(Scalar, SineAndCosineOfStandardTypes) {
  const auto [s, c] = sincos(0.7);
  EXPECT_EQ(s, std::sin(0.7));
  EXPECT_EQ(c, std::cos(0.7));
  EXPECT_EQ(square(-1.5), 2.25);
}

}  // namespace
}  // namespace polhode
