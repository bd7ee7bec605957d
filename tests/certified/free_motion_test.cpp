// One step against the motion itself, in ball arithmetic: what is compared are bounds that are proved, not another computation.
// build/benchmarks/stress does it for more.

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "polhode/polhode.hpp"
#include "reference/ball.hpp"
#include "reference/degenerate.hpp"

namespace polhode {

using namespace core;
namespace {

using reference::Case;
using reference::description;
using reference::proved_errors;

const Quaternion<double> attitude{0.5, -0.5, 0.5, 0.5};

/// Up to half a radian the error is that of the last rounding; beyond, that of a phase in double: docs/exact-flow.md.
double bound(const Case& c, double h) {
  const double angle = std::abs(h) * norm(c.momentum) / c.moments[0];
  return angle <= middle_angle ? 1.2e-16 : 4e-16 * (1 + 0.3 * std::min(angle, 4096.0));
}

void expect_proved(const Case& c, double h) {
  const State<double> start{c.momentum, attitude};
  const auto of_step = proved_errors(c.moments, start, h, step(Body<double>(c.moments), start, h));
  ASSERT_LT(of_step.momentum, bound(c, h)) << description(c, h);
  ASSERT_LT(of_step.attitude, bound(c, h)) << description(c, h);
}

TEST(Certified, StepsInEveryDegenerateCase) {
  int count = 0;
  for (const Case& c : reference::degenerate_cases())
    for (const double h : {0.01, 0.3, -1.0, 7.0, -1000.0, 1e6})
      if (count++ % 3 == 0) expect_proved(c, h);
}

TEST(Certified, StepsOfRandomBodies) {
  std::mt19937_64 random(2008);
  std::normal_distribution<double> normal;
  const auto power = [&](double low, double high) {
    return std::pow(10.0, std::uniform_real_distribution<double>(low, high)(random));
  };
  for (int i = 0; i < 3000; ++i) {
    Case c{{{power(-4, 0), power(-4, 0), 1}}, {{normal(random), normal(random), normal(random)}}};
    std::sort(c.moments.c.begin(), c.moments.c.end());
    if (i % 4 == 0) c.momentum[static_cast<std::size_t>(i / 4 % 3)] *= power(-170, -2);
    expect_proved(c, power(-6, 3.5) * c.moments[0] / norm(c.momentum));
  }
}

/// A trajectory in extended precision: some ten doublings, each of which doubles a rounding error of 2^-105, and what that precision has of
/// the phase. Next to the separatrix the motion amplifies both.
TEST(Certified, TrajectoriesInExtendedPrecision) {
  std::mt19937_64 random(2009);
  std::normal_distribution<double> normal;
  const Inertia<double> inertia(Vector<double>{{0.6, 0.8, 1}});
  const double a1 = static_cast<double>(inertia.a1), a3 = static_cast<double>(inertia.a3);
  for (int i = 0; i < 500; ++i) {
    const Case c{inertia.moments, {{normal(random), normal(random), normal(random)}}};
    const State<double> start{c.momentum, attitude};
    const double x = a3 * square(c.momentum[0]), z = a1 * square(c.momentum[2]), size = norm(c.momentum);
    for (const double t : {0.1, -3.0, 100.0, 1e6}) {
      const auto end = Trajectory<double>(Body<double>(c.moments), start).wide_at(t);
      const auto e = proved_errors(c.moments, start, t, end, 1e-34);
      const double bound = (4e-29 + 2e-31 * std::abs(t) * size) * (1 + (x + z) / std::abs(x - z));
      ASSERT_LT(e.momentum, bound) << description(c, t);
      ASSERT_LT(e.attitude, bound) << description(c, t);
    }
  }
}

/// Angles to 10^18: off by what DoubleDouble has of them.
TEST(Certified, LargeAngles) {
  const Case c{{{0.6, 0.8, 1}}, {{0.5, 0.2, -0.84}}};
  const State<double> start{c.momentum, attitude};
  for (double h = 1e4; h < 1e18; h *= 3.7) {
    const auto e = proved_errors(c.moments, start, h, step(Body<double>(c.moments), start, h));
    ASSERT_LT(std::max(e.momentum, e.attitude), 1.2e-16 + 0x1p-104 * h / c.moments[0]) << h;
  }
}

/// The proof itself: a last place more is noticed, and so is another motion.
TEST(Certified, WrongDigitsAreNoticed) {
  const Case c{{{0.6, 0.8, 1}}, {{0.5, 0.2, -0.84}}};
  const State<double> start{c.momentum, attitude};
  State<double> end = step(Body<double>(c.moments), start, 0.25);
  end.attitude[1] = std::nextafter(end.attitude[1], 2.0);
  EXPECT_GT(proved_errors(c.moments, start, 0.25, end).attitude, 5e-17);
  EXPECT_GT(proved_errors(c.moments, start, 0.25 + 0x1p-50, end).momentum, 5e-17);
}

}  // namespace
}  // namespace polhode
