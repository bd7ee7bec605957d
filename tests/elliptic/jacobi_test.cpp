// Jacobi's functions in double against the same source in quadruple precision, which independent_test.cpp checks.
//
// The argument is taken as exact, also after 100 periods: its own rounding is no excuse. sn, dn and am are measured
// in ulps of themselves, cn in ulps of dn, its scale where it vanishes. Only next to even multiples of K, where
// sn is what the reduction leaves of the argument, a 2^-40th of the argument's last place is allowed for.
//
// Largest error over 100000 points each (g++ 12, glibc 2.36):
//                              sn     cn     dn     am
//   first quarter period      3.5    3.3    3.7    3.2
//   within 100 periods        4.2    3.2    3.4    1.9
//   odd multiples of K        2.2    1.9    2.2    0.7
//   even multiples of K       3.8    1.7    2.0    0.5
#include "polhode/elliptic/jacobi.hpp"

#include <algorithm>

#include "elliptic/measure.hpp"

namespace POLHODE_CORE::elliptic {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

struct Measure {
  Worst sn{"sn"}, cn{"cn"}, dn{"dn"}, amplitude{"am"};

  void record(double u, const Modulus<double>& m, const Modulus<Quad>& exact, bool allow = false) {
    const auto computed = jacobi(u, m);
    const auto [s, c, d] = jacobi(Quad(u), exact);
    const double slack = allow ? ulp(u) * 0x1p-40 : 0.0;
    sn.record(computed.sn, s, s, slack * std::abs(to_double(Quad(c * d))), u, m.squared, m.complement);
    cn.record(computed.cn, c, d, 0.0, u, m.squared, m.complement);
    dn.record(computed.dn, d, d, 0.0, u, m.squared, m.complement);
    const Quad angle = am(Quad(u), exact);
    amplitude.record(am(u, m), angle, angle, 0.0, u, m.squared, m.complement);
  }
  void expect_below(double sn_bound, double cn_bound, double dn_bound, double am_bound) const {
    sn.expect_below(sn_bound);
    cn.expect_below(cn_bound);
    dn.expect_below(dn_bound);
    amplitude.expect_below(am_bound);
  }
};

TEST(Jacobi, FirstQuarterPeriod) {
  Random random(21);
  Measure measure;
  for (int i = 0; i < points; ++i) {
    const auto m = random.modulus();
    const auto exact = m.to<Quad>();
    const double k = complete_first(m);
    const double u =
        random.integer(4) == 0 ? random.log_uniform(-20.0, 0.0) * k : random.uniform(-1.0, 1.0) * k;
    measure.record(u, m, exact);
  }
  measure.expect_below(5.2, 4.9, 5.5, 4.7);
}

TEST(Jacobi, ManyPeriods) {
  Random random(22);
  Measure measure;
  for (int i = 0; i < points; ++i) {
    const auto m = random.modulus();
    measure.record(random.uniform(-400.0, 400.0) * complete_first(m), m, m.to<Quad>());
  }
  measure.expect_below(6.3, 4.7, 5.1, 2.9);
}

/// Every odd (even) multiple of K up to 100 periods, on it, next to it and near it.
void record_multiples(int first, bool allow, Measure& measure) {
  Random random(23);
  const int moduli = std::max(4, points / 1800);
  for (int i = 0; i < moduli; ++i) {
    const auto m = random.modulus();
    const auto exact = m.to<Quad>();
    const Quad k = complete_first(exact);
    for (int multiple = first; multiple <= 400; multiple += 2) {
      const double u = to_double(Quad(Quad(multiple) * k));
      for (const double near : {u, std::nextafter(u, 0.0), std::nextafter(u, infinity), u + 1e-8, u - 1e-8,
                                u + 1e-4, u - 1e-4, -u, u + random.log_uniform(-16.0, 0.0)})
        measure.record(near, m, exact, allow);
    }
  }
}

TEST(Jacobi, OddMultiplesOfK) {
  Measure measure;
  record_multiples(1, false, measure);
  measure.expect_below(3.4, 2.9, 3.2, 1.1);
}

TEST(Jacobi, EvenMultiplesOfK) {
  Measure measure;
  record_multiples(2, true, measure);
  measure.expect_below(5.6, 2.6, 3.0, 0.8);
}

TEST(Jacobi, CircularLimit) {
  const Modulus<double> m{0.0, 1.0};
  for (const double u : {1e-300, 0.1, 1.0, 1.5707963267948966, 2.0, 100.0, 1e6}) {
    const auto [sn, cn, dn] = jacobi(u, m);
    EXPECT_NEAR(sn, std::sin(u), 2.5e-16 * std::abs(std::sin(u)));
    EXPECT_NEAR(cn, std::cos(u), 2.5e-16);
    EXPECT_EQ(dn, 1.0);
    EXPECT_DOUBLE_EQ(am(u, m), u);
  }
}

TEST(Jacobi, HyperbolicLimit) {
  const Modulus<double> m{1.0, 0.0};
  for (const double u : {1e-300, 1e-8, 0.1, 1.0, 20.0, 100.0, 400.0, 700.0}) {
    const auto [sn, cn, dn] = jacobi(u, m);
    EXPECT_DOUBLE_EQ(sn, std::tanh(u));
    EXPECT_DOUBLE_EQ(cn, 1.0 / std::cosh(u));
    EXPECT_EQ(dn, cn);
    EXPECT_DOUBLE_EQ(am(u, m), std::atan(std::sinh(u)));
  }
  for (const double u : {1000.0, 1e300, infinity}) {
    const auto [sn, cn, dn] = jacobi(-u, m);
    EXPECT_EQ(sn, -1.0);
    EXPECT_EQ(cn, 0.0);
    EXPECT_EQ(dn, 0.0);
    EXPECT_DOUBLE_EQ(am(-u, m), -1.5707963267948966);
  }
}

TEST(Jacobi, SymmetryIsExact) {
  Random random(24);
  for (int i = 0; i < 10000; ++i) {
    const auto m = random.modulus();
    const double u = random.log_uniform(-10.0, 4.0);
    const auto right = jacobi(u, m);
    const auto left = jacobi(-u, m);
    ASSERT_EQ(left.sn, -right.sn);
    ASSERT_EQ(left.cn, right.cn);
    ASSERT_EQ(left.dn, right.dn);
    ASSERT_EQ(am(-u, m), -am(u, m));
  }
  const auto zero = jacobi(-0.0, Modulus<double>::from_squared(0.5));
  EXPECT_TRUE(std::signbit(zero.sn));
  EXPECT_EQ(zero.cn, 1.0);
  EXPECT_EQ(zero.dn, 1.0);
}

TEST(Jacobi, AmplitudeInvertsFirstKind) {
  Random random(25);
  for (int i = 0; i < 10000; ++i) {
    const auto m = random.modulus();
    const double u = random.uniform(-400.0, 400.0) * complete_first(m);
    const double angle = am(u, m);
    // The rounding of the angle, magnified by dF/dphi = 1/dn, and a few ulps of u.
    const double tolerance = ulp(angle) / jacobi(u, m).dn + 8.0 * ulp(u);
    ASSERT_NEAR(incomplete_first(angle, m), u, tolerance) << m.complement;
  }
}

TEST(Jacobi, AmplitudeIncreases) {
  Random random(26);
  for (int i = 0; i < 100; ++i) {
    const auto m = random.modulus();
    const double step = 0.05 * complete_first(m);
    double last = am(-200.0 * step, m);
    for (int j = -199; j <= 200; ++j) {
      const double next = am(j * step, m);
      ASSERT_GE(next, last);
      last = next;
    }
  }
}

TEST(Jacobi, NotANumberComesBack) {
  for (const auto& m :
       {Modulus<double>::from_squared(0.3), Modulus<double>::from_squared(0.7), Modulus<double>{1.0, 0.0}}) {
    EXPECT_TRUE(std::isnan(jacobi(nan, m).sn));
    EXPECT_TRUE(std::isnan(jacobi(nan, m).dn));
    EXPECT_TRUE(std::isnan(am(nan, m)));
    EXPECT_TRUE(std::isnan(jacobi(DoubleDouble(nan), m.to<DoubleDouble>()).cn.high()));
  }
  EXPECT_TRUE(std::isnan(jacobi(infinity, Modulus<double>::from_squared(0.3)).cn));
  EXPECT_TRUE(std::isnan(jacobi(1.0, Modulus<double>{nan, nan}).sn));
}

TEST(Jacobi, HugeArgumentsStayOnTheCircle) {
  for (const double u : {1e16, 1e100, 1e308}) {
    for (const double k2 : {0.0, 0.3, 0.9}) {
      const auto [sn, cn, dn] = jacobi(u, Modulus<double>::from_squared(k2));
      EXPECT_NEAR(sn * sn + cn * cn, 1.0, 1e-15);
      EXPECT_NEAR(dn * dn + k2 * sn * sn, 1.0, 1e-15);
    }
  }
}

TEST(Jacobi, DoubleDouble) {
  Random random(27);
  double worst = 0.0;
  for (int i = 0; i < 2000; ++i) {
    const auto m = random.modulus();
    const auto exact = m.to<Quad>();
    const double u =
        (i % 2 == 0 ? random.uniform(-1.0, 1.0) : random.uniform(-400.0, 400.0)) * complete_first(m);
    const auto f = jacobi(DoubleDouble(u), m.to<DoubleDouble>());
    const auto [s, c, d] = jacobi(Quad(u), exact);
    // Of its own argument's rounding DoubleDouble has no wider type to take care.
    const double wander = std::max(1.0, std::abs(u)) * 1e-30;
    const auto compare = [&](const DoubleDouble& computed, const Quad& reference, const Quad& slope,
                             const Quad& scale) {
      const Quad allowed = Quad(wander) * abs(slope) + Quad(1e-30) * abs(scale);
      worst = std::max(worst, to_double(Quad(abs(Quad(to_quad(computed) - reference)) / allowed)));
    };
    compare(f.sn, s, Quad(c * d), s);
    compare(f.cn, c, Quad(s * d), d);
    compare(f.dn, d, Quad(exact.squared * s * c), d);
    compare(am(DoubleDouble(u), m.to<DoubleDouble>()), am(Quad(u), exact), d, am(Quad(u), exact));
  }
  EXPECT_LT(worst, 1.0);
  EXPECT_GT(worst, 1e-4);
}

}  // namespace
}  // namespace POLHODE_CORE::elliptic
