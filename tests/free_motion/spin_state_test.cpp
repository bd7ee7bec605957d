// Spin states: the closed forms against the motion itself, the way back over both modes and next to the separatrix, the derivatives.
//
// Measured when written (g++ 12, x86-64-v3): 20000 round trips, worst 1.0e-15; mean rate against the motion 2e-15.

#include "polhode/free_motion/spin_state.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "polhode/free_motion/trajectory.hpp"

namespace polhode {

using namespace core;
namespace {

constexpr double two_pi = 2 * std::numbers::pi;

double relative(double x, double y) { return std::abs(x / y - 1); }

/// The mean rate of the axis of least moment about the momentum, by the trapezoidal rule over a period of the motion, where
/// that converges with the exponential of the number of points.
double mean_rate(const Body<double>& body, const Vector<double>& momentum, int points) {
  const Trajectory<double> motion(body, {momentum, {}});
  const Vector<double>& i = body.moments();
  double sum = 0;
  for (int k = 0; k < points; ++k) {
    const Vector<double> m =
        convert<double>(body.to_principal(motion.at(motion.period() * k / points).momentum));
    sum += norm(m) * (m[1] * m[1] / i[1] + m[2] * m[2] / i[2]) / (m[1] * m[1] + m[2] * m[2]);
  }
  return sum / points;
}

/// The angle by which the axis of least moment goes round the momentum in space in a period, turns included.
double angle_in_period(const Body<double>& body, const State<double>& state, int points) {
  const Trajectory<double> motion(body, state);
  const Vector<double> l = rotate(state.attitude, state.momentum), z = (1 / norm(l)) * l;
  const Vector<double> x0 =
      cross(z, std::abs(z[0]) < 0.5 ? Vector<double>{1, 0, 0} : Vector<double>{0, 1, 0});
  const Vector<double> x = (1 / norm(x0)) * x0, y = cross(z, x);
  const Vector<double> axis = convert<double>(body.axes()[0]);
  double last = 0, sum = 0;
  for (int k = 0; k <= points; ++k) {
    const Vector<double> a = rotate(motion.at(motion.period() * k / points).attitude, axis);
    const double angle = std::atan2(dot(a, y), dot(a, x));
    if (k > 0) sum += std::remainder(angle - last, two_pi);
    last = angle;
  }
  return sum;
}

TEST(SpinState, PrecessionIsTheMeanOfTheMotion) {
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> u(0.1, 1);
  std::normal_distribution<double> normal;
  int modes[2] = {0, 0};
  for (int k = 0; k < 40; ++k) {
    const Body<double> body(Vector<double>(u(random), u(random), u(random)));
    const Vector<double> m(normal(random), normal(random), normal(random));
    const auto p = periods(body, m);
    ++modes[p.mode == Mode::short_axis ? 0 : 1];
    EXPECT_LT(relative(p.rotation, Trajectory<double>(body, {m, {}}).period()), 4e-16);
    EXPECT_LT(relative(mean_rate(body, m, 400) * p.precession, two_pi), 1e-14);
    const Quaternion<double> q(normal(random), normal(random), normal(random), normal(random));
    EXPECT_LT(relative(angle_in_period(body, {m, normalized(q)}, 1000), two_pi * p.rotation / p.precession),
              1e-13);
  }
  EXPECT_GT(modes[0], 10);
  EXPECT_GT(modes[1], 10);
}

TEST(SpinState, RoundTripOverBothModesAndNextToTheSeparatrix) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> u(0, 1);
  double worst = 0;
  int counts[2] = {0, 0};
  for (int k = 0; k < 20000; ++k) {
    Vector<double> i(0.05 + u(random), 0.05 + u(random), 0.05 + u(random));
    if (k % 5 == 0) i[1] = i[0] * (1 + std::pow(10, -16 * u(random)));
    const Body<double> body(i);
    const Mode mode = k % 2 == 0 ? Mode::short_axis : Mode::long_axis;
    const Vector<double>& s = body.inertia().moments;
    const double least = detail::least_quotient(detail::SpinBody<double>({s[0], s[1], s[2]}), mode);
    if (!std::isfinite(least)) continue;
    // From a steady rotation to 1e-200 of the separatrix, whose quotient is infinite.
    const double quotient =
        least * (1 + (k % 3 == 0 ? std::pow(10, -15 * u(random)) : std::pow(10, -2 + 4 * u(random))));
    const double precession = std::pow(10, -30 + 60 * u(random));
    Vector<double> m;
    try {
      m = momentum_with_periods(body, precession, precession * quotient, mode);
    } catch (const InputError&) {
      EXPECT_GT(quotient, 30 * least);  // nearer than the least double
      continue;
    }
    const auto p = periods(body, m);
    ASSERT_EQ(p.mode, mode) << k;
    ++counts[k % 2];
    worst =
        std::max({worst, relative(p.precession, precession), relative(p.rotation, precession * quotient)});
  }
  EXPECT_LT(worst, 2e-15);
  EXPECT_GT(counts[0], 8000);
  EXPECT_GT(counts[1], 8000);
}

TEST(SpinState, SymmetricBodies) {
  // Oblate: I1 = I2. An axis in the equator goes round with the rate of the body about its symmetry axis, on an average.
  const Body<double> oblate(Vector<double>(1, 1, 1.5));
  const auto disc = periods(oblate, {0.3, 0.4, 1.2});
  EXPECT_EQ(disc.mode, Mode::short_axis);
  EXPECT_LT(relative(disc.rotation, two_pi / ((1 - 1 / 1.5) * 1.2)), 4e-16);
  EXPECT_LT(relative(disc.precession, two_pi / (1.3 - (1 - 1 / 1.5) * 1.2)), 4e-16);
  // Prolate: I2 = I3. The symmetry axis goes round with |m|/I3.
  const Body<double> prolate(Vector<double>(0.5, 2, 2));
  const auto cigar = periods(prolate, {0.3, 0.4, 1.2});
  EXPECT_EQ(cigar.mode, Mode::long_axis);
  EXPECT_LT(relative(cigar.rotation, two_pi / (1.5 * 0.3)), 4e-16);
  EXPECT_LT(relative(cigar.precession, two_pi / (1.3 / 2)), 4e-16);
  EXPECT_THROW(momentum_with_periods(oblate, 1, 10, Mode::long_axis), InputError);
  EXPECT_THROW(momentum_with_periods(prolate, 1, 10, Mode::short_axis), InputError);
  EXPECT_EQ(periods(prolate, momentum_with_periods(prolate, 1, 10)).mode, Mode::long_axis);
}

TEST(SpinState, SteadyRotationsAndTheSeparatrix) {
  const Body<double> body(Vector<double>(1, 2, 3));
  const auto s = periods(body, {0, 0, 6});
  EXPECT_EQ(s.mode, Mode::short_axis);
  EXPECT_DOUBLE_EQ(s.precession, two_pi / 2);
  EXPECT_EQ(s.energy_ratio, 1);
  const auto l = periods(body, {6, 0, 0});
  EXPECT_EQ(l.mode, Mode::long_axis);
  EXPECT_DOUBLE_EQ(l.energy_ratio, 3);
  const auto middle = periods(body, {0, 6, 0});
  EXPECT_EQ(middle.mode, Mode::undecided);
  EXPECT_EQ(middle.rotation, std::numeric_limits<double>::infinity());
  EXPECT_DOUBLE_EQ(middle.precession, two_pi / 3);
  EXPECT_DOUBLE_EQ(middle.energy_ratio, 1.5);
  const auto sphere = periods(Body<double>(Vector<double>(2, 2, 2)), {3, 0, 4});
  EXPECT_EQ(sphere.mode, Mode::undecided);
  EXPECT_DOUBLE_EQ(sphere.precession, two_pi / 2.5);
  EXPECT_EQ(periods(body, {0, 0, 0}).precession, std::numeric_limits<double>::infinity());
  // Next to it the precession is nearly that of the middle axis, on both sides.
  for (const Vector<double>& m : {Vector<double>{0, 1, 1e-150}, Vector<double>{1e-150, 1, 0}})
    EXPECT_LT(relative(periods(body, m).precession, two_pi * 2), 0.01);
}

TEST(SpinState, DerivativesAreThoseOfTheFunctions) {
  for (const Vector<double>& m : {Vector<double>{0.3, 0.4, 1.2}, Vector<double>{1.1, 0.4, 0.2}}) {
    const Vector<double> moments(0.7, 1.1, 1.6);
    const auto by = period_derivatives(Body<double>(moments), m);
    for (std::size_t j = 0; j < 6; ++j) {
      const double h = 1e-5;
      const auto at = [&](double shift) {
        Vector<double> i = moments, n = m;
        (j < 3 ? i[j] : n[j - 3]) += shift;
        return periods(Body<double>(i), n);
      };
      const auto difference = [&](auto member) {
        return (8 * (at(h).*member - at(-h).*member) - (at(2 * h).*member - at(-2 * h).*member)) / (12 * h);
      };
      using P = Periods<double>;
      EXPECT_NEAR(by[0][j], difference(&P::precession), 2e-9);
      EXPECT_NEAR(by[1][j], difference(&P::rotation), 2e-8);
      EXPECT_NEAR(by[2][j], difference(&P::energy_ratio), 1e-9);
    }
  }
}

/// The squares of such momenta are not numbers of double; next to the middle axis the mean of an integral had no end.
TEST(SpinState, DerivativesScaleWithTheUnits) {
  const Body<double> body(Vector<double>(0.7, 1.1, 1.6));
  const Vector<double> m{0.3, 0.4, 1.2};
  const auto by = period_derivatives(body, m);
  for (const int k : {-500, 450}) {
    const auto found =
        period_derivatives(body, {std::ldexp(m[0], k), std::ldexp(m[1], k), std::ldexp(m[2], k)});
    for (std::size_t row = 0; row < 3; ++row)
      for (std::size_t j = 0; j < 6; ++j)
        EXPECT_EQ(found[row][j], std::ldexp(by[row][j], (row < 2 ? -k : 0) - (j < 3 ? 0 : k))) << k;
  }
  EXPECT_EQ(periods(body, {1e18, 1e160, 0}).mode, Mode::long_axis);
  period_derivatives(body, {1e18, 1e160, 0});
  period_derivatives(body, {1e-162, 1, 0});
  EXPECT_THROW(period_derivatives(body, {0, 0, HUGE_VAL}), InputError);
}

TEST(SpinState, WhatIsWrongIsNamed) {
  const Body<double> body(Vector<double>(0.61, 0.965, 1));
  const auto sentence = [&](double precession, double rotation, Mode mode) -> std::string {
    try {
      momentum_with_periods(body, precession, rotation, mode);
    } catch (const InputError& e) {
      return e.what();
    }
    return "none";
  };
  EXPECT_EQ(sentence(0, 1, Mode::short_axis), "a period is not a positive number");
  EXPECT_EQ(sentence(1, 0.5, Mode::undecided), "no motion of this body has these periods, in either mode");
  EXPECT_EQ(sentence(1, 2, Mode::short_axis),
            "no motion of this body has these periods in the short-axis mode");
  EXPECT_EQ(sentence(27.374, 262.2, Mode::undecided),
            "the periods belong to two motions, one of each mode: name the mode, short-axis or long-axis");
  EXPECT_EQ(sentence(1, 1e6, Mode::long_axis), "the periods belong to a motion too near to the separatrix");
  EXPECT_EQ(sentence(1, 2, Mode::undecided), "none");  // long-axis, the only one
  EXPECT_THROW(periods(body, {0, 0, std::numeric_limits<double>::quiet_NaN()}), InputError);
}

}  // namespace
}  // namespace polhode
