// S, c and d of docs/exact-flow.md, and Gauss's quadrature.

#include "polhode/elliptic/abel.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "polhode/arithmetic/gauss_legendre.hpp"
#include "polhode/elliptic/jacobi.hpp"
#include "polhode/elliptic/legendre.hpp"
#include "reference/quadruple.hpp"

namespace POLHODE_CORE::elliptic {

namespace {

using reference::Quad;

/// S = sn(lambda t)/lambda and its companions by Jacobi's functions, another way of computing them.
AbelFunctions<Quad> by_jacobi(const AbelModuli<Quad>& m, const Quad& t) {
  const bool first = !(m.difference < Quad(0));
  const Quad larger = first ? m.a : m.b, smaller = first ? m.b : m.a;
  const Quad lambda = sqrt(larger);
  const auto f = jacobi(Quad(lambda * t), Modulus<Quad>{smaller / larger, abs(m.difference) / larger});
  return {f.sn / lambda, first ? f.cn : f.dn, first ? f.dn : f.cn};
}

/// Errors in units of 2^-53 of the function's scale (1/lambda, 1, 1): the argument, however many periods it spans, is taken
/// as exact. Measured: 1.0.
TEST(Abel, AgreesWithJacobi) {
  std::mt19937_64 random(17);
  std::uniform_real_distribution<double> uniform(0, 1);
  double worst = 0;
  for (int i = 0; i < 100000; ++i) {
    const double smaller = uniform(random);
    const double difference = std::pow(10.0, (i % 2 ? -30 : -3) * uniform(random));
    const Quad larger = Quad(smaller) + Quad(difference);
    const double t = (i % 3 == 0 ? 400.0 : 3.0) * (uniform(random) - 0.5);
    const bool exchanged = i % 5 == 0;
    const double rounded = static_cast<double>(larger);
    const auto f = exchanged ? abel(AbelModuli<double>{smaller, rounded, -difference}, t)
                             : abel(AbelModuli<double>{rounded, smaller, difference}, t);
    const auto g = exchanged ? by_jacobi({Quad(smaller), larger, Quad(-difference)}, Quad(t))
                             : by_jacobi({larger, Quad(smaller), Quad(difference)}, Quad(t));
    worst = std::max({worst, std::abs(static_cast<double>(Quad(f.s - g.s))) * std::sqrt(rounded) / 0x1p-53,
                      std::abs(static_cast<double>(Quad(f.c - g.c))) / 0x1p-53,
                      std::abs(static_cast<double>(Quad(f.d - g.d))) / 0x1p-53});
  }
  EXPECT_LT(worst, 1.5);
  EXPECT_GT(worst, 0.5);
}

TEST(Abel, SatisfiesItsRelationsInEveryLimit) {
  struct Limit {
    double a, b;
  };
  for (const auto& [a, b] :
       {Limit{0, 0}, Limit{1, 0}, Limit{0, 1}, Limit{1, 1}, Limit{1e-30, 0}, Limit{4, 3.9375}}) {
    for (const double t : {-7.0, -0.3, 0.0, 1e-9, 0.5, 3.0, 20.0}) {
      const auto f = abel(AbelModuli<double>{a, b, a - b}, t);
      EXPECT_NEAR(f.c * f.c + a * f.s * f.s, 1, 1e-14) << a << ' ' << b << ' ' << t;
      EXPECT_NEAR(f.d * f.d + b * f.s * f.s, 1, 1e-14) << a << ' ' << b << ' ' << t;
      if (a == 0 && b == 0) {
        EXPECT_EQ(f.s, t);
      }
      if (a == 1 && b == 0) {
        EXPECT_NEAR(f.s, std::sin(t), 3e-16);
        EXPECT_NEAR(f.c, std::cos(t), 3e-16);
      }
      if (a == 1 && b == 1) {
        EXPECT_NEAR(f.s, std::tanh(t), 3e-16);
        EXPECT_NEAR(f.c * std::cosh(t), 1, 1e-15);  // relative: c is e^-20 at the end
        EXPECT_EQ(f.c, f.d);
      }
    }
  }
}

TEST(Abel, HalfPeriod) {
  const AbelModuli<double> m{2, 1.5, 0.5};
  const double p = detail::abel_half_period(m);
  EXPECT_NEAR(p, 2 * complete_first(Modulus<double>{0.75, 0.25}) / std::sqrt(2.0), 1e-15);
  const auto f = abel(m, p + 0.3), g = abel(m, 0.3);
  EXPECT_NEAR(f.s, -g.s, 1e-15);
  EXPECT_NEAR(f.c, -g.c, 1e-15);
  EXPECT_NEAR(f.d, g.d, 1e-15);
  EXPECT_TRUE(std::isinf(detail::abel_half_period(AbelModuli<double>{1, 1, 0})));
}

/// n nodes integrate polynomials of degree 2n - 1, and no more.
TEST(Gauss, HasItsDegree) {
  for (int n = 1; n <= 10; ++n) {
    const auto rule = gauss_legendre<double>(n);
    ASSERT_EQ(rule.nodes.size(), static_cast<std::size_t>(n));
    const auto moment = [&](int degree) {
      double sum = 0;
      for (const auto& node : rule.nodes) sum += node.weight * std::pow(node.position, degree);
      return sum * (degree + 1) - 1;
    };
    for (int degree = 0; degree < 2 * n; ++degree)
      EXPECT_NEAR(moment(degree), 0, 3e-15) << n << ' ' << degree;
    EXPECT_GT(std::abs(moment(2 * n)), 1e-11) << n;
  }
  EXPECT_TRUE(gauss_legendre<double>(0).nodes.empty());
}

}  // namespace
}  // namespace POLHODE_CORE::elliptic
