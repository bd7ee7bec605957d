// Legendre's integrals in double against the same source in quadruple precision, which independent_test.cpp checks.
//
// Largest error in ulps of the result over 100000 points (g++ 12, glibc 2.36):
//   K 0.50   E 0.50   Pi(n) 0.50
//   |phi| <= pi/2:         F 4.1   F of a triple 4.1   Pi(n) 5.0   Pi(n) of a triple 5.2
//   |phi| over 100 turns:  F 3.0                       Pi(n) 2.3
#include "polhode/elliptic/legendre.hpp"

#include "elliptic/measure.hpp"

namespace POLHODE_CORE::elliptic {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

TEST(Legendre, CompleteIntegrals) {
  Random random(11);
  Worst first("K"), second("E"), third("Pi(n)");
  for (int i = 0; i < points; ++i) {
    const auto m = random.modulus();
    const auto exact = m.to<Quad>();
    const double n = random.characteristic();
    const Quad k = complete_first(exact);
    const Quad e = complete_second(exact);
    const Quad p = complete_third(Quad(n), exact);
    first.record(complete_first(m), k, k, 0.0, m.squared, m.complement);
    second.record(complete_second(m), e, e, 0.0, m.squared, m.complement);
    third.record(complete_third(n, m), p, p, 0.0, n, m.squared, m.complement);
  }
  first.expect_below(0.51);
  second.expect_below(0.51);
  third.expect_below(0.51);
}

/// Amplitudes within a quarter turn, many of them near its ends or near zero.
double principal_amplitude(Random& random) {
  switch (random.integer(4)) {
    case 0:
      return 1.5707963267948966 - random.log_uniform(-17.0, 0.0);
    case 1:
      return -random.log_uniform(-20.0, 0.0);
    default:
      return random.uniform(-1.5707963267948966, 1.5707963267948966);
  }
}

TEST(Legendre, PrincipalBranch) {
  Random random(12);
  Worst first("F"), first_triple("F of a triple"), third("Pi(n)"), third_triple("Pi(n) of a triple");
  for (int i = 0; i < points; ++i) {
    const auto m = random.modulus();
    const auto exact = m.to<Quad>();
    const double phi = principal_amplitude(random);
    const double n = random.characteristic();
    const Quad f = incomplete_first(Quad(phi), exact);
    first.record(incomplete_first(phi, m), f, f, 0.0, phi, m.squared, m.complement);
    const Quad p = incomplete_third(Quad(phi), Quad(n), exact);
    third.record(incomplete_third(phi, n, m), p, p, 0.0, phi, n, m.squared, m.complement);
    // The triple of this amplitude, rounded: its rounding is part of the error.
    const Quad s = sin(Quad(phi));
    const Quad c = cos(Quad(phi));
    const double dn = to_double(Quad(sqrt(Quad(c * c + exact.complement * s * s))));
    const double sn = to_double(s);
    const double cn = to_double(c);
    first_triple.record(incomplete_first(sn, cn, dn), f, f, 0.0, phi, m.squared, m.complement);
    third_triple.record(incomplete_third(n, sn, cn, dn), p, p, 0.0, phi, n, m.squared, m.complement);
  }
  first.expect_below(6.2);
  first_triple.expect_below(6.2);
  third.expect_below(7.5);
  third_triple.expect_below(7.8);
}

TEST(Legendre, ManyTurns) {
  Random random(13);
  Worst first("F over 100 turns"), third("Pi(n) over 100 turns");
  for (int i = 0; i < points; ++i) {
    const auto m = random.modulus();
    const auto exact = m.to<Quad>();
    double phi = random.uniform(-630.0, 630.0);
    if (random.integer(4) == 0) {  // next to an odd multiple of pi/2
      phi = (random.integer(400) - 200 + 0.5) * 3.141592653589793;
      phi += (random.integer(3) - 1) * random.log_uniform(-16.0, -3.0);
    }
    const double n = random.characteristic();
    const Quad f = incomplete_first(Quad(phi), exact);
    const Quad p = incomplete_third(Quad(phi), Quad(n), exact);
    first.record(incomplete_first(phi, m), f, f, 0.0, phi, m.squared, m.complement);
    third.record(incomplete_third(phi, n, m), p, p, 0.0, phi, n, m.squared, m.complement);
  }
  first.expect_below(4.5);
  third.expect_below(3.5);
}

TEST(Legendre, Limits) {
  const Modulus<double> circle{0.0, 1.0};
  const Modulus<double> separatrix{1.0, 0.0};
  const double half_pi = 1.5707963267948966;
  EXPECT_DOUBLE_EQ(complete_first(circle), half_pi);
  EXPECT_DOUBLE_EQ(complete_second(circle), half_pi);
  EXPECT_DOUBLE_EQ(complete_third(-3.0, circle), half_pi / 2.0);
  EXPECT_EQ(complete_first(separatrix), infinity);
  EXPECT_EQ(complete_second(separatrix), 1.0);
  EXPECT_EQ(complete_third(-3.0, separatrix), infinity);
  for (const double phi : {-50.0, -1.0, 0.0, 1e-300, 0.7, 1.5707963267948966, 3.0, 1e6})
    EXPECT_DOUBLE_EQ(incomplete_first(phi, circle), phi);
  for (const double phi : {-1.5, -1.0, 0.0, 0.3, 1.0, 1.5}) {
    EXPECT_NEAR(incomplete_first(phi, separatrix), std::asinh(std::tan(phi)), 4e-15);
    // Pi(-1) of k = 1 is (asinh(tan phi) + atan(sin phi)) / 2.
    EXPECT_NEAR(incomplete_third(phi, -1.0, separatrix),
                (std::asinh(std::tan(phi)) + std::atan(std::sin(phi))) / 2, 4e-15);
  }
  EXPECT_EQ(incomplete_first(2.0, separatrix), infinity);
  EXPECT_EQ(incomplete_third(-2.0, 0.5, separatrix), -infinity);
}

TEST(Legendre, SymmetryAndOrder) {
  Random random(14);
  for (int i = 0; i < 1000; ++i) {
    const auto m = random.modulus();
    const double phi = random.uniform(0.0, 100.0);
    const double n = random.characteristic();
    EXPECT_EQ(incomplete_first(-phi, m), -incomplete_first(phi, m));
    EXPECT_EQ(incomplete_third(-phi, n, m), -incomplete_third(phi, n, m));
    const double quarter = incomplete_first(1.5707963267948966, m);
    EXPECT_LE(quarter, complete_first(m) * (1.0 + 1e-15));
  }
}

TEST(Legendre, NotANumberComesBack) {
  const auto m = Modulus<double>::from_squared(0.3);
  EXPECT_TRUE(std::isnan(incomplete_first(nan, m)));
  EXPECT_TRUE(std::isnan(incomplete_third(nan, 0.5, m)));
  EXPECT_TRUE(std::isnan(incomplete_third(0.5, nan, m)));
  EXPECT_TRUE(std::isnan(incomplete_first(nan, 0.5, 0.5)));
  const Modulus<double> none{nan, nan};
  EXPECT_TRUE(std::isnan(complete_first(none)));
  EXPECT_TRUE(std::isnan(complete_second(none)));
  EXPECT_TRUE(std::isnan(complete_third(0.5, none)));
  EXPECT_TRUE(std::isnan(incomplete_first(0.5, none)));
  EXPECT_TRUE(std::isnan(incomplete_first(9.0, none)));
}

TEST(Legendre, DoubleDouble) {
  Random random(15);
  double worst = 0.0;
  for (int i = 0; i < 2000; ++i) {
    const auto m = random.modulus();
    const auto exact = m.to<Quad>();
    const auto wide = m.to<DoubleDouble>();
    const double n = random.characteristic();
    const double phi = i % 2 == 0 ? principal_amplitude(random) : random.uniform(-600.0, 600.0);
    const auto compare = [&](const DoubleDouble& computed, const Quad& reference) {
      worst = std::max(worst, to_double(Quad(abs(Quad(to_quad(computed) / reference - Quad(1))))));
    };
    compare(complete_first(wide), complete_first(exact));
    compare(complete_second(wide), complete_second(exact));
    compare(complete_third(DoubleDouble(n), wide), complete_third(Quad(n), exact));
    compare(incomplete_first(DoubleDouble(phi), wide), incomplete_first(Quad(phi), exact));
    compare(incomplete_third(DoubleDouble(phi), DoubleDouble(n), wide),
            incomplete_third(Quad(phi), Quad(n), exact));
  }
  EXPECT_LT(worst, 1e-30);
  EXPECT_GT(worst, 1e-34);
}

}  // namespace
}  // namespace POLHODE_CORE::elliptic
