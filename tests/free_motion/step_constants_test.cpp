// The map behind the steps up to half a radian: what makes it exact, and what makes it keep its invariants.

#include "polhode/free_motion/step_constants.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "polhode/free_motion/closed_form.hpp"
#include "polhode/free_motion/increment_flow.hpp"
#include "reference/compare.hpp"

namespace polhode {

using namespace core;
namespace {

using W = DoubleDouble;

/// The solution of dm_i = l_i (2 m_j m_k + m_k dm_j + m_j dm_k) by Cramer's rule.
Vector<W> momentum_after(const Vector<W>& m, const Vector<W>& l) {
  Vector<W> result;
  const W q = l[0] * l[1] * l[2] * m[0] * m[1] * m[2];
  const W p[3] = {l[1] * l[2] * m[0] * m[0], l[2] * l[0] * m[1] * m[1], l[0] * l[1] * m[2] * m[2]};
  const W det = W(1) - p[0] - p[1] - p[2] - W(2) * q;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
    result[i] = m[i] + W(2) * (l[i] * m[j] * m[k] + m[i] * (q + p[j] + p[k])) / det;
  }
  return result;
}

/// Whatever its constants are, the map keeps two quantities, so that errors of the constants make nothing drift.
TEST(StepConstants, TheMapKeepsItsQuantitiesForAnyConstants) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> uniform(-0.3, 0.3);
  for (int i = 0; i < 100; ++i) {
    const Vector<W> l{{W(uniform(random)), W(uniform(random)), W(uniform(random))}};
    Vector<W> m{{W(3 * uniform(random)), W(3 * uniform(random)), W(3 * uniform(random))}};
    const auto quantity = [&](std::size_t a) {
      const std::size_t b = (a + 1) % 3, c = (a + 2) % 3;
      return (W(1) - l[b] * l[c] * square(m[a])) / (W(1) - l[c] * l[a] * square(m[b]));
    };
    const W first = quantity(0), second = quantity(1);
    for (int n = 0; n < 100; ++n) m = momentum_after(m, l);
    EXPECT_LT(std::abs(static_cast<double>(quantity(0) - first)), 1e-28);
    EXPECT_LT(std::abs(static_cast<double>(quantity(1) - second)), 1e-28);
  }
}

/// The closed form of the six constants, against the closed form of the motion, which has other formulas.
TEST(StepConstants, AreExact) {
  const auto check = [](const Vector<double>& moments, const Vector<double>& momentum, double angle) {
    Vector<double> sorted = moments;
    std::sort(sorted.c.begin(), sorted.c.end());
    const Inertia<double> inertia(sorted);
    const Vector<W> m = convert<W>(momentum);
    const W h = W(angle * sorted[0]) / norm(m);
    const ThreeLanes<W> b(-inertia.a1, inertia.a2, -inertia.a3), inverse(inertia.inverse.c);
    const auto c = step_corrections<terms_of_extended_precision>(b, inverse, components(m), h);
    Vector<W> l;
    for (std::size_t i = 0; i < 3; ++i) l[i] = b[i] * h / W(2) * (W(1) + c.swing[i]);
    const Vector<W> end = momentum_after(m, l);
    Vector<W> w;
    for (std::size_t i = 0; i < 3; ++i)
      w[i] = h / W(4) * (inverse[i] * (W(1) + c.stretch) + c.shift) * (m[i] + end[i]);
    const Quaternion<W> r(W(1), (W(2) / (W(1) + sqrt(W(1) - W(4) * dot(w, w)))) * w);
    const auto d = ClosedForm<W>(inertia, m).advance(h);
    EXPECT_LT(reference::momentum_error(end, d.momentum), 1e-29 * static_cast<double>(norm(m)));
    EXPECT_LT(reference::signed_attitude_error(normalized(r), d.rotation), 1e-29);
  };
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> uniform(0, 1);
  std::normal_distribution<double> normal;
  for (int i = 0; i < 300; ++i)
    check({{0.05 + uniform(random), 0.05 + uniform(random), 0.05 + uniform(random)}},
          {{normal(random), normal(random), normal(random)}}, 2 * uniform(random) - 1);
  for (const double angle : {1e-6, 0.3, -1.0}) {
    check({{1, 1, 1}}, {{0.3, -0.4, 0.5}}, angle);
    check({{0.5, 0.5, 1}}, {{0.3, -0.4, 0.5}}, angle);
    check({{0.5, 1, 1}}, {{0.3, -0.4, 0.5}}, angle);
    check({{0.6, 0.8, 1}}, {{0, 1, 0}}, angle);
    check({{0.6, 0.8, 1}}, {{1, 0, 0}}, angle);
    check({{0.6, 0.8, 1}}, {{0, 0, -1}}, angle);
  }
}

/// In double: what is left out and rounded is beyond the last place of the constants.
TEST(StepConstants, AreExactBeyondTheLastPlace) {
  std::mt19937_64 random(13);
  std::uniform_real_distribution<double> uniform(0, 1);
  std::normal_distribution<double> normal;
  double worst_short = 0, worst_middle = 0;
  for (int i = 0; i < 4000; ++i) {
    Vector<double> moments{{0.05 + uniform(random), 0.05 + uniform(random), 0.05 + uniform(random)}};
    std::sort(moments.c.begin(), moments.c.end());
    const Inertia<double> inertia(moments);
    Vector<double> m{{normal(random), normal(random), normal(random)}};
    if (i % 4 == 0) {  // the separatrix, where the series converge most slowly
      const double x = m[0];
      m[0] = std::sqrt(static_cast<double>(inertia.a1)) * x;
      m[2] = std::sqrt(static_cast<double>(inertia.a3)) * x;
    }
    if (i % 4 == 1) m = {{m[0], 1e-3 * m[1], 1e-3 * m[2]}};  // the axis about which a step turns farthest
    m = (1 / norm(m)) * m;
    const auto error = [&](double angle) {
      const double h = angle * moments[0];
      Motion<double, Summation::compensated> motion(State<double>{m, {}});
      const double angle2 = IncrementFlow<double>(inertia).square_angle(dot(m, m), h);
      const IncrementFlow<double> flow(inertia);
      if (angle2 <= IncrementFlow<double>::square_angle_limit()) {
        flow.step(motion, dot(m, m), h);
      } else {
        flow.middle_step(motion, h);
      }
      const auto d = ClosedForm<W>(inertia, convert<W>(m)).advance(W(h));
      return std::max(reference::momentum_error(motion.wide_momentum(), d.momentum),
                      reference::signed_attitude_error(normalized(motion.wide_attitude()), d.rotation));
    };
    worst_short = std::max(worst_short, error(0.0624 * (0.5 + 0.5 * uniform(random))));
    worst_middle = std::max(worst_middle, error(0.0626 + 0.437 * uniform(random)));
  }
  EXPECT_LT(worst_short, 8e-18);
  EXPECT_LT(worst_middle, 4e-17);
}

/// The series of a short step, in extended precision, so that nothing is seen but what they leave out. A coefficient of the highest
/// degree that is wrong by one percent makes an error of several times the bounds.
TEST(StepConstants, TheSeriesForShortStepsLeaveOutOnlyHigherTerms) {
  std::mt19937_64 random(17);
  std::uniform_real_distribution<double> uniform(0, 1);
  std::normal_distribution<double> normal;
  double swing = 0, swing_of_equal = 0, stretch = 0, shift = 0;
  for (int i = 0; i < 6000; ++i) {
    // Flat, long, symmetric bodies, a sphere; then one with b = e1, and one with a = b next to the middle axis.
    Vector<double> moments{
        {std::pow(10.0, -4 * uniform(random)), 1 - std::pow(10.0, -4 * uniform(random)), 1}};
    const int kind = i % 6;
    if (kind == 1) moments[0] = moments[1];
    if (kind == 2) moments[1] = 1;
    if (kind == 3) moments = {{1e-8, 0.5, 1}};
    if (kind == 4) moments = {{1e-6, 2e-6, 1}};
    if (kind == 5) moments = {{1, 1, 1}};
    std::sort(moments.c.begin(), moments.c.end());
    const Inertia<W> inertia(convert<W>(moments));
    ThreeLanes<W> m(W(normal(random)), W(normal(random)), W(normal(random)));
    const int axis = i / 6 % 7;
    if (axis < 3) m.set(static_cast<std::size_t>(axis), W(1e9));
    if (axis > 3) m.set(static_cast<std::size_t>(axis - 4), W(0));
    const W size2 = sum(m * m);
    const ThreeLanes<W> b(-inertia.a1, inertia.a2, -inertia.a3), inverse(inertia.inverse.c);
    const W h = W(0.04) / (sqrt(size2) * inverse[0]);
    const auto found = IncrementFlow<W>(inertia).short_corrections(m, size2, h);
    const auto exact = step_corrections<terms_of_extended_precision>(b, inverse, m, h);
    const auto error = [](const W& x, const W& y) { return std::abs(static_cast<double>(x - y)); };
    double& own_swing = kind == 4 ? swing_of_equal : swing;
    for (std::size_t k = 0; k < 3; ++k)
      own_swing = std::max(own_swing, error(exact.swing[k], found.swing[k]));
    stretch = std::max(stretch, error(exact.stretch, found.stretch));
    shift = std::max(shift, error(exact.shift, found.shift) / static_cast<double>(inverse[0]));
  }
  EXPECT_LT(swing, 2e-19);
  EXPECT_LT(swing_of_equal, 3e-20);
  EXPECT_LT(stretch, 3e-19);
  EXPECT_LT(shift, 3e-20);
}

/// So does the tangent of half the angle, about the axis where a step turns farthest. The highest coefficient, wrong by one percent, makes
/// an error of 3.4e-21.
TEST(StepConstants, TheTangentForShortStepsLeavesOutOnlyHigherTerms) {
  const Inertia<W> inertia(Vector<W>{{W(0.3), W(0.7), W(1)}});
  const Vector<W> m{{W(1), W(0), W(0)}};
  const W h(0.03 * 0.3);
  Motion<W, Summation::plain> motion(State<W>{m, {}});
  IncrementFlow<W>(inertia).step(motion, dot(m, m), h);
  const auto exact = ClosedForm<W>(inertia, m).advance(h);
  EXPECT_LT(reference::signed_attitude_error(normalized(motion.wide_attitude()), exact.rotation), 6e-22);
}

/// The polynomials and the quadrature of a step of middle length, against the series in extended precision.
TEST(StepConstants, TheFitForMiddleStepsIsExactBeyondTheLastPlace) {
  std::mt19937_64 random(17);
  std::uniform_real_distribution<double> uniform(0, 1);
  std::normal_distribution<double> normal;
  double swing = 0, stretch = 0, shift = 0;
  for (int i = 0; i < 20000; ++i) {
    // Flat, long, nearly symmetric and symmetric bodies, and two that need the fit to its limits: b = e1, and a = b.
    Vector<double> moments{
        {std::pow(10.0, -4 * uniform(random)), 1 - std::pow(10.0, -4 * uniform(random)), 1}};
    if (i % 5 == 1) moments[0] = moments[1];
    if (i % 5 == 2) moments[1] = 1;
    if (i % 5 == 3) moments = {{1e-8, 0.5, 1}};
    if (i % 5 == 4) moments = {{1e-6, 2e-6, 1}};
    std::sort(moments.c.begin(), moments.c.end());
    const Inertia<double> inertia(moments);
    ThreeLanes<double> m(normal(random), normal(random), normal(random));
    if (i % 3 == 0) m.set(static_cast<std::size_t>(i / 3 % 3), 0.0);
    if (i % 7 == 0) m.set(static_cast<std::size_t>(i / 7 % 3), 1e9);
    const double size2 = sum(m * m);
    const double angle = i % 2 == 0 ? middle_angle : middle_angle * uniform(random);
    ThreeLanes<double> b, inverse;
    ThreeLanes<W> wide_b, wide_inverse, wide_m;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      b.set(axis, static_cast<double>(axis == 0 ? -inertia.a1 : axis == 1 ? inertia.a2 : -inertia.a3));
      inverse.set(axis, static_cast<double>(inertia.inverse[axis]));
      wide_b.set(axis, W(b[axis]));
      wide_inverse.set(axis, W(inverse[axis]));
      wide_m.set(axis, W(m[axis]));
    }
    const double h = angle / (std::sqrt(size2) * inverse[0]);
    StepBody<double> body;
    body.b.value = b;
    body.inverse.value = inverse;
    const auto found = middle_corrections(b, inverse, body.invariants(m, {}), h);
    const auto exact = step_corrections<terms_of_extended_precision>(wide_b, wide_inverse, wide_m, W(h));
    const auto error = [](const W& x, double y) { return std::abs(static_cast<double>(x - W(y))); };
    for (std::size_t axis = 0; axis < 3; ++axis)
      swing = std::max(swing, error(exact.swing[axis], found.swing[axis]));
    stretch = std::max(stretch, error(exact.stretch, found.stretch));
    shift = std::max(shift, error(exact.shift, found.shift) / inverse[0]);
  }
  EXPECT_LT(swing, 4e-17);
  EXPECT_LT(stretch, 8e-17);
  EXPECT_LT(shift, 8e-17);
}

}  // namespace
}  // namespace polhode
