// Carlson's integrals in double against the same source in quadruple precision, which independent_test.cpp checks.
//
// Largest error in ulps of the result (g++ 12; the same bits with and without FMA):
//                             rf     rc     rd     rj    points
//   within six decades       4.6    4.9    5.7    6.7    100000
//   from 1e-290 to 1e290     4.9    4.7    4.7    4.7     50000
// Where the arguments are far apart rj and rd are computed in the wide type, or else they would be the worst.
#include "polhode/elliptic/carlson.hpp"

#include "elliptic/measure.hpp"

namespace POLHODE_CORE::elliptic {

namespace {

/// Where the result itself overflows or underflows in double there is nothing to ask.
template <class... Arguments>
void record(Worst& worst, double computed, const Quad& exact, Arguments... arguments) {
  if (isfinite(exact) && (exact < Quad(1e-290) || exact > Quad(1e290))) return;
  worst.record(computed, exact, exact, 0.0, arguments...);
}

/// Arguments from 10^-decades to 10^decades, one x in eight zero.
void measure(double decades, int count, Worst& first, Worst& circular, Worst& second) {
  Random random(1);
  for (int i = 0; i < count; ++i) {
    const double x = random.integer(8) == 0 ? 0.0 : random.log_uniform(-decades, decades);
    const double y = random.log_uniform(-decades, decades);
    const double z = random.log_uniform(-decades, decades);
    const Quad qx(x), qy(y), qz(z);
    record(first, rf(x, y, z), rf(qx, qy, qz), x, y, z);
    record(circular, rc(x, y), rc(qx, qy), x, y);
    record(circular, rc(z, -y), rc(qz, Quad(-qy)), z, -y);
    record(second, rd(x, y, z), rd(qx, qy, qz), x, y, z);
  }
}

/// p next to another argument at times.
void measure_third(double decades, int count, Worst& third) {
  Random random(2);
  for (int i = 0; i < count; ++i) {
    const double x = random.integer(8) == 0 ? 0.0 : random.log_uniform(-decades, decades);
    const double y = random.log_uniform(-decades, decades);
    const double z = random.log_uniform(-decades, decades);
    double p = random.log_uniform(-decades, decades);
    if (random.integer(8) == 0) p = y * (1.0 + random.log_uniform(-16.0, -6.0));
    record(third, rj(x, y, z, p), rj(Quad(x), Quad(y), Quad(z), Quad(p)), x, y, z, p);
  }
}

TEST(Carlson, ArgumentsOfAnySize) {
  Worst first("rf"), circular("rc"), second("rd");
  measure(290.0, points / 2, first, circular, second);
  first.expect_below(7.3);
  circular.expect_below(6.9);
  second.expect_below(6.9);
}

TEST(Carlson, ArgumentsWithinSixDecades) {
  Worst first("rf"), circular("rc"), second("rd");
  measure(3.0, points, first, circular, second);
  first.expect_below(6.9);
  circular.expect_below(7.2);
  second.expect_below(8.0);
}

/// Here the rounding error of the mean is most of the error, unless it is undone: 3.4 instead of 2.5.
TEST(Carlson, NearlyEqualArguments) {
  Worst first("rf");
  Random random(4);
  for (int i = 0; i < points; ++i) {
    const double x = 1 + random.log_uniform(-6.0, -3.0), y = 1 + random.log_uniform(-6.0, -3.0),
                 z = 1 + random.log_uniform(-6.0, -3.0);
    record(first, rf(x, y, z), rf(Quad(x), Quad(y), Quad(z)), x, y, z);
  }
  first.expect_below(2.9);
}

TEST(Carlson, ThirdKindOfAnySize) {
  Worst third("rj");
  measure_third(290.0, points / 2, third);
  third.expect_below(7.0);
}

TEST(Carlson, ThirdKindWithinSixDecades) {
  Worst third("rj");
  measure_third(3.0, points, third);
  third.expect_below(8.0);
}

TEST(Carlson, EqualArgumentsGiveThePower) {
  for (const double x : {1e-200, 0.25, 1.0, 3.0, 1e200}) {
    EXPECT_DOUBLE_EQ(rf(x, x, x), 1.0 / std::sqrt(x));
    EXPECT_DOUBLE_EQ(rc(x, x), 1.0 / std::sqrt(x));
    EXPECT_DOUBLE_EQ(rd(x, x, x), 1.0 / (x * std::sqrt(x)));
    EXPECT_DOUBLE_EQ(rj(x, x, x, x), 1.0 / (x * std::sqrt(x)));
  }
}

TEST(Carlson, DivergentIntegralsAreInfinite) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(rf(0.0, 0.0, 1.0), infinity);
  EXPECT_EQ(rc(1.0, 0.0), infinity);
  EXPECT_EQ(rd(0.0, 0.0, 1.0), infinity);
}

TEST(Carlson, NotANumberComesBack) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (int i = 0; i < 4; ++i) {
    double a[4] = {1.0, 2.0, 3.0, 4.0};
    a[i] = nan;
    EXPECT_TRUE(std::isnan(rj(a[0], a[1], a[2], a[3])));
    if (i < 3) {
      EXPECT_TRUE(std::isnan(rf(a[0], a[1], a[2])));
      EXPECT_TRUE(std::isnan(rd(a[0], a[1], a[2])));
    }
    if (i < 2) {
      EXPECT_TRUE(std::isnan(rc(a[0], a[1])));
    }
  }
}

TEST(Carlson, DoubleDouble) {
  Random random(3);
  for (int i = 0; i < 2000; ++i) {
    const double x = random.integer(8) == 0 ? 0.0 : random.log_uniform(-20.0, 20.0);
    const double y = random.log_uniform(-20.0, 20.0);
    const double z = random.log_uniform(-20.0, 20.0);
    const double p = random.log_uniform(-20.0, 20.0);
    using D = DoubleDouble;
    const auto close = [](const D& computed, const Quad& exact) {
      return to_double(Quad(abs(Quad(to_quad(computed) / exact - Quad(1))))) < 1e-30;
    };
    EXPECT_TRUE(close(rf(D(x), D(y), D(z)), rf(Quad(x), Quad(y), Quad(z)))) << x << " " << y << " " << z;
    EXPECT_TRUE(close(rc(D(x), D(y)), rc(Quad(x), Quad(y)))) << x << " " << y;
    EXPECT_TRUE(close(rd(D(x), D(y), D(z)), rd(Quad(x), Quad(y), Quad(z)))) << x << " " << y << " " << z;
    EXPECT_TRUE(close(rj(D(x), D(y), D(z), D(p)), rj(Quad(x), Quad(y), Quad(z), Quad(p))))
        << x << " " << y << " " << z << " " << p;
  }
}

}  // namespace
}  // namespace POLHODE_CORE::elliptic
