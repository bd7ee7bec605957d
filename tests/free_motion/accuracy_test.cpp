// One step against the Taylor integrator of the equations of motion: over all bodies, and in every degenerate case.
//
// Measured when written (g++ 12, x86-64-v3), worst and mean log10 of the largest error of a component of momentum and
// attitude, |m| = 1, h = 1, 10^4 random bodies:
//   exact 4.5e-16, -16.12 (most of these steps are beyond half a radian);  frb-quaternion 9.3e-15, -15.69;  frb-matrix 2.2e-14, -15.78.

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <sstream>
#include <vector>

#include "polhode/polhode.hpp"
#include "reference/compare.hpp"
#include "reference/degenerate.hpp"
#include "reference/quadruple.hpp"
#include "reference/taylor.hpp"

namespace polhode {

using namespace core;
namespace {

using reference::Case;
using reference::degenerate_cases;
using reference::description;
using reference::Quad;
using reference::signed_attitude_error;
using reference::state_error;
using reference::taylor;

/// DoubleDouble is precise enough for a reference, and five times faster than quadruple precision; the first test
/// below checks the one against the other.
State<DoubleDouble> solution(const Case& c, double h) {
  using D = DoubleDouble;
  return taylor<32>(convert<D>(c.moments), State<D>{convert<D>(c.momentum), {}}, D(h));
}

template <class Method>
State<double> one_step(const Case& c, double h) {
  Rotor<Method, Summation::plain> rotor(Body<double>(c.moments), State<double>{c.momentum, {}});
  rotor.advance(h, 1);
  return rotor.state();
}

double total_angle(const Case& c, double h) {
  return std::abs(h) * norm(c.momentum) / std::min({c.moments[0], c.moments[1], c.moments[2]});
}

/// What one step of `exact` may be off by. Up to half a radian the result is right to the last rounding. Beyond, the phase is computed in
/// double, from quantities that grow with the angle of the step: docs/exact-flow.md.
double exact_bound(const Case& c, double h) {
  const double angle = total_angle(c, h);
  return (angle > middle_angle ? 4e-16 * (1 + 0.3 * angle) : 5e-16) * std::max(1.0, norm(c.momentum));
}

/// A body from the triangle of [CZ08 section 4.1] and a unit momentum of the first octant.
class Triangle {
 public:
  Case next() {
    double x, y;
    do {
      x = uniform_(random_);
      y = uniform_(random_);
    } while (!(1 - y <= x && x < y));
    Vector<double> m{{uniform_(random_), uniform_(random_), uniform_(random_)}};
    const double size = norm(m);
    for (double& c : m.c) c /= size;
    return {{{x, y, 1}}, m};
  }

 private:
  std::mt19937_64 random_{20080908};
  std::uniform_real_distribution<double> uniform_{0, 1};
};

TEST(Reference, AgreesWithQuadruplePrecision) {
  Triangle triangle;
  for (int i = 0; i < 40; ++i) {
    const Case c = triangle.next();
    const auto quad = taylor(convert<Quad>(c.moments), State<Quad>{convert<Quad>(c.momentum), {}}, Quad(1));
    const auto d = solution(c, 1);
    for (std::size_t j = 0; j < 3; ++j)
      EXPECT_LT(std::abs(static_cast<double>(Quad(quad.momentum[j] - Quad(d.momentum[j].high())) -
                                             Quad(d.momentum[j].low()))),
                1e-23);
    for (std::size_t j = 0; j < 4; ++j)
      EXPECT_LT(std::abs(static_cast<double>(Quad(quad.attitude[j] - Quad(d.attitude[j].high())) -
                                             Quad(d.attitude[j].low()))),
                1e-23);
  }
}

/// The closed form in quadruple precision, with the sign of the quaternion: the formulas are exact, not just good.
TEST(ClosedForm, IsExactInQuadruplePrecision) {
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform(0.2, 1);
  for (int i = 0; i < 60; ++i) {
    const Body<double> body(Vector<double>{{uniform(random), uniform(random), uniform(random)}});
    const Vector<Quad> moments = convert<Quad>(body.moments());
    const Vector<Quad> m{{Quad(normal(random)), Quad(normal(random)), Quad(normal(random))}};
    const Quad h(4 * normal(random));
    const auto d = ClosedForm<Quad>(Inertia<Quad>(moments), m).advance(h);
    const auto s = taylor(moments, State<Quad>{m, {}}, h);
    EXPECT_LT(reference::momentum_error(d.momentum, s.momentum), 1e-29);
    EXPECT_LT(signed_attitude_error(d.rotation, s.attitude), 1e-29);
  }
}

TEST(Accuracy, OverTheTriangle) {
  Triangle triangle;
  constexpr int cases = 10000;
  struct Result {
    double worst = 0, sum = 0;
    void add(double error) {
      worst = std::max(worst, error);
      sum += std::log10(std::max(error, 1e-17));
    }
  } exact, quaternion, matrix;
  for (int i = 0; i < cases; ++i) {
    const Case c = triangle.next();
    const auto s = solution(c, 1);
    const double error = state_error(one_step<Exact<double>>(c, 1), s);
    ASSERT_LT(error, exact_bound(c, 1)) << description(c, 1);
    exact.add(error);
    quaternion.add(state_error(one_step<FrbQuaternion<double>>(c, 1), s));
    matrix.add(state_error(one_step<FrbMatrix<double>>(c, 1), s));
  }
  EXPECT_LT(exact.worst, 5e-16);
  EXPECT_LT(exact.sum / cases, -16.1);
  EXPECT_LT(quaternion.worst, 5e-14);
  EXPECT_LT(quaternion.sum / cases, -15.6);
  EXPECT_LT(matrix.worst, 5e-14);
  EXPECT_LT(matrix.sum / cases, -15.65);
}

TEST(Accuracy, ExactInEveryDegenerateCase) {
  double worst = 0;
  for (const Case& c : degenerate_cases()) {
    for (const double h : {1e-12, 0.01, -0.3, 2.0}) {
      const double error = state_error(one_step<Exact<double>>(c, h), solution(c, h));
      worst = std::max(worst, error);
      ASSERT_LT(error, exact_bound(c, h)) << description(c, h);
    }
  }
  EXPECT_GT(worst, 1e-17);
}

/// The papers' algorithms: round-off that grows with the angle, and no case that fails. (Next to the intermediate axis
/// the frame of the quaternion version amplifies it: 1.1e-14 for the rod.)
TEST(Accuracy, FrbInEveryDegenerateCase) {
  for (const Case& c : degenerate_cases()) {
    for (const double h : {0.01, -0.3, 2.0}) {
      const auto s = solution(c, h);
      const double scale = (1 + total_angle(c, h)) * std::max(1.0, norm(c.momentum));
      ASSERT_LT(state_error(one_step<FrbQuaternion<double>>(c, h), s), 2e-14 * scale) << description(c, h);
      ASSERT_LT(state_error(one_step<FrbMatrix<double>>(c, h), s), 3e-15 * scale) << description(c, h);
    }
  }
}

/// Components so small that their squares and fourth powers vanish.
TEST(Accuracy, ExactNextToTheAxes) {  // the papers' methods pass through a phase of up to 700 there
  for (double beside = 1e-20; beside > 1e-310; beside *= 1e-7) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      Case c{{{0.6, 0.8, 1}}, {}};
      c.momentum[axis] = 1;
      c.momentum[(axis + 1) % 3] = beside;
      c.momentum[(axis + 2) % 3] = beside / 3;
      for (const double h : {0.01, 2.0}) {
        const auto s = solution(c, h);
        ASSERT_LT(state_error(one_step<Exact<double>>(c, h), s), exact_bound(c, h)) << description(c, h);
        ASSERT_LT(state_error(one_step<FrbQuaternion<double>>(c, h), s), 2e-13) << description(c, h);
        ASSERT_LT(state_error(one_step<FrbMatrix<double>>(c, h), s), 2e-13) << description(c, h);
      }
    }
  }
}

/// All frames, exact and with every number of nodes: the error of the rule falls with the nodes, to round-off.
TEST(Accuracy, FrbInEveryFrameWithEveryRule) {
  Triangle triangle;
  for (int i = 0; i < 50; ++i) {
    Case c = triangle.next();
    c.moments[0] = std::max(c.moments[0], 0.3);
    const auto s = solution(c, 0.5);
    for (const Frame frame : {Frame::smallest_rotation, Frame::derivative, Frame::azimuthal}) {
      const auto error = [&](int nodes, bool matrix) {
        const FrbOptions options{.quadrature = nodes, .frame = frame};
        const Body<double> body(c.moments);
        const State<double> start{c.momentum, {}};
        if (matrix) {
          Rotor<FrbMatrix<double>, Summation::plain> rotor(body, start, options);
          rotor.advance(0.5, 1);
          return state_error(rotor.state(), s);
        }
        Rotor<FrbQuaternion<double>, Summation::plain> rotor(body, start, options);
        rotor.advance(0.5, 1);
        return state_error(rotor.state(), s);
      };
      for (const bool matrix : {false, true}) {
        EXPECT_LT(error(0, matrix), 1e-14) << description(c, 0.5);
        double previous = 0.1;
        for (int nodes = 1; nodes <= 10; ++nodes) {
          const double e = error(nodes, matrix);
          EXPECT_LT(e, std::max(previous, 1e-13)) << nodes << ' ' << description(c, 0.5);
          previous = e;
        }
        EXPECT_LT(previous, 1e-9) << description(c, 0.5);
      }
    }
  }
  EXPECT_THROW(FrbMatrix<double>(Inertia<double>(Vector<double>{{1, 2, 3}}), {.quadrature = 11, .frame = {}}),
               InputError);
  EXPECT_THROW(FrbMatrix<double>(Inertia<double>(Vector<double>{{1, 2, 3}}), {.quadrature = -1, .frame = {}}),
               InputError);
}

/// Slow oscillations, where errors would double with each doubling of the step.
TEST(Accuracy, ExactOverManySlowRevolutions) {
  for (const Vector<double>& moments : {Vector<double>{{0.6, 1, 1}}, Vector<double>{{0.6, 1, 1 + 1e-15}}}) {
    const Case c{moments, {{0, 0.6, 0.8}}};
    for (const double h : {1e3, 1e6, 1e9, 1e12}) {
      const auto expected = Trajectory<double>(Body<double>(moments), {c.momentum, {}}).at(h);
      ASSERT_LT(state_error(one_step<Exact<double>>(c, h), expected), 5e-16) << description(c, h);
    }
  }
}

/// Beyond the steps for which its iteration contracts the discrete Moser-Veselov algorithm has no result, and says so.
TEST(MoserVeselovStep, IsNotANumberWhereItDoesNotConverge) {
  Rotor<MoserVeselov<double, 10>> rotor(Body<double>(Vector<double>{{0.345, 0.653, 1}}),
                                        {{{0.5, 0.2, 0.84}}, {}});
  rotor.advance(3.0, 100);
  EXPECT_TRUE(std::isnan(rotor.state().momentum[0]));
}

TEST(Accuracy, ExactForNeedlesAndDiscs) {
  for (const Vector<double>& moments : {Vector<double>{{1e-4, 1, 1}}, Vector<double>{{1e-4, 1, 1.0001}},
                                        Vector<double>{{1e-4, 2e-4, 1}}, Vector<double>{{1, 1.5, 1e4}}}) {
    for (const Vector<double>& m : {Vector<double>{{0.6, 0, 0.8}}, Vector<double>{{0.1, 0.7, -0.7}},
                                    Vector<double>{{-1e-8, 1, 1e-8}}, Vector<double>{{1e-4, 0.5, 0.5}}}) {
      for (const double h : {1e-5, 0.002, -0.02}) {
        const Case c{moments, m};
        ASSERT_LT(state_error(one_step<Exact<double>>(c, h), solution(c, h)), exact_bound(c, h))
            << description(c, h);
      }
    }
  }
}

/// One step over a thousand periods of the momentum.
TEST(Accuracy, ExactOverAThousandPeriods) {
  const Case c{{{0.6, 0.8, 1}}, {{0.5, 0.2, -0.84}}};
  const double h = 1000.3 * Trajectory<double>(Body<double>(c.moments), {c.momentum, {}}).period();
  EXPECT_LT(state_error(one_step<Exact<double>>(c, h), solution(c, h)), 5e-16);
}

/// Next to the unstable axis the motion itself amplifies whatever is done to it; the result is still right, because
/// the input is taken as exact. Up to 10^6 periods the trajectory agrees with itself in quadruple precision.
TEST(Accuracy, TrajectoryAfterAMillionPeriods) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  for (int i = 0; i < 200; ++i) {
    const Body<double> body(Vector<double>{{0.6, 0.8, 1}});
    const Vector<double> m{{normal(random), normal(random), normal(random)}};
    const Trajectory<double> trajectory(body, {m, {}});
    const double t = 1e6 * trajectory.period() * std::uniform_real_distribution<double>(0, 1)(random);
    const auto quad =
        ClosedForm<Quad>(Inertia<Quad>(convert<Quad>(body.moments())), convert<Quad>(m)).advance(Quad(t));
    EXPECT_LT(state_error(trajectory.at(t), State<Quad>{quad.momentum, quad.rotation}), 1e-15);
  }
}

/// Next to the middle axis down to the smallest numbers: the momentum stays there for hundreds of time constants, and when it
/// leaves is decided by squares that double does not have.
TEST(Accuracy, NextToTheMiddleAxisDownToTheSmallestNumbers) {
  std::mt19937_64 random(21);
  std::uniform_real_distribution<double> uniform(0, 1);
  const auto component = [&] {
    return std::pow(10, -75 - 248 * uniform(random)) * (uniform(random) < 0.5 ? -1 : 1);
  };
  for (const Vector<double>& moments :
       {Vector<double>{{0.345, 0.653, 1}}, Vector<double>{{1, 2, 1e8}}, Vector<double>{{0.6, 0.8, 1}},
        Vector<double>{{0.9, 0.9001, 1}}, Vector<double>{{1, 1, 2}}, Vector<double>{{1, 2, 2}}}) {
    const Body<double> body(moments);
    const Inertia<Quad> inertia(convert<Quad>(body.moments()));
    for (int i = 0; i < 150; ++i) {
      const Vector<double> m{{component(), uniform(random) < 0.5 ? -1.0 : 1.0, component()}};
      const double h = std::pow(10, 0.7 + 4.5 * uniform(random));
      const auto quad = ClosedForm<Quad>(inertia, convert<Quad>(m)).advance(Quad(h));
      const State<Quad> expected{quad.momentum, quad.rotation};
      ASSERT_LT(state_error(one_step<Exact<double>>({moments, m}, h), expected), 3e-16)
          << description({moments, m}, h);
      ASSERT_LT(state_error(Trajectory<double>(body, {m, {}}).at(h), expected), 3e-16)
          << description({moments, m}, h);
    }
  }
}

/// The same after steps so long that nothing but the invariants can be compared.
TEST(Accuracy, NextToTheMiddleAxisOverAnyTime) {
  for (const double small : {1e-140, 1e-154, 1e-160, 1e-170, 1e-250, 5e-324})
    for (double h = 5; h < 1e16; h *= 7.3) {
      Rotor rotor(Body<double>(Vector<double>{{1, 2, 1e8}}), {.momentum = {{small, 1, -small}}});
      rotor.advance(h, 1);
      ASSERT_LT(std::abs(static_cast<double>(rotor.errors().energy)), 1e-31) << small << ' ' << h;
      ASSERT_NEAR(norm(rotor.state().momentum), 1, 2e-16) << small << ' ' << h;
    }
}

/// The norm of the attitude does not matter, however large or small it is.
TEST(Accuracy, TrajectoryTakesAttitudesOfAnyNorm) {
  const Body<double> body(Vector<double>{{0.345, 0.653, 1}});
  const Vector<double> m{{0.5, 0.2, 0.84}};
  const Quaternion<double> q{0.5, -0.5, 0.5, 0.5};
  const State<double> expected = Trajectory<double>(body, {m, q}).at(3.0);
  for (const double scale : {0x1p900, 0x1p-900}) {
    EXPECT_EQ(Trajectory<double>(body, {m, scale * q}).at(3.0), expected);
    Rotor<Exact<double>> rotor(body, {m, scale * q});
    rotor.advance(3.0, 1);
    EXPECT_LT(state_error(rotor.state(), expected), 3e-16);
  }
}

/// Many short steps, one long one and the trajectory are the same motion.
TEST(Accuracy, StepsOfAllLengthsAgree) {
  const Body<double> body(Vector<double>{{0.345, 0.653, 1}});
  const State<double> start{{{0.5, 0.2, 0.84}}, {}};
  const State<double> expected = Trajectory<double>(body, start).at(64.0);
  for (const double h : {64.0, 8.0, 1.0, 0.25, 1.0 / 16, 1.0 / 64, 1.0 / 256}) {
    Rotor<Exact<double>> rotor(body, start);
    rotor.advance(h, static_cast<std::int64_t>(64.0 / h));
    EXPECT_LT(state_error(rotor.state(), expected), 3e-14) << h;
  }
}

}  // namespace
}  // namespace polhode
