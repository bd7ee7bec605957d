// What every method for the free rigid body must do. A method is in the suite by being in FreeMotionMethods.

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "polhode/polhode.hpp"
#include "reference/compare.hpp"
#include "reference/methods.hpp"

namespace polhode {

using namespace core;
namespace {

using reference::AsTypes;
using reference::attitude_error;
using reference::MethodName;
using reference::momentum_error;
using reference::Rebind;
using reference::state_error;

const Vector<double> water{{0.345, 0.653, 1.0}};
const State<double> start{{{0.5, 0.2, 0.84}}, {0.5, -0.1, 0.7, 0.3}};

/// Of a method of this order: the first, the second, the fourth, or what round-off leaves of a higher one.
double by_order(const MethodInfo& info, double first, double second, double fourth, double higher) {
  return info.order == 1 ? first : info.order == 2 ? second : info.order == 4 ? fourth : higher;
}

/// Ten steps of at most 0.02 radians. The formulas of Algorithms 3.1 and 4.1 cancel next to degenerate cases.
double bound_after_ten_steps(const MethodInfo& info) {
  if (info.name.starts_with("jacobi")) return 1e-12;
  return info.order == 0 ? 1e-14 : by_order(info, 4e-4, 1e-5, 1e-8, 1e-13);
}

template <class Method>
class FreeMotion : public ::testing::Test {
 protected:
  static constexpr MethodInfo info = Method::info;
  static constexpr bool exact = info.order == 0;
};

TYPED_TEST_SUITE(FreeMotion, AsTypes<FreeMotionMethods<double>>::type, MethodName);

/// In DoubleDouble, where truncation shows down to 1e-30: the whole core runs over that scalar too.
TYPED_TEST(FreeMotion, HasItsOrder) {
  using D = DoubleDouble;
  using Method = typename Rebind<TypeParam, D>::type;
  const Inertia<D> inertia(convert<D>(water));
  const Vector<D> m = convert<D>(start.momentum);
  const auto solution = ClosedForm<D>(inertia, m).advance(D(2));
  const auto error = [&](int steps) {
    Motion<D, Summation::plain> motion;
    motion.assign(m, Quaternion<D>());
    const Method method(inertia, {});
    for (int i = 0; i < steps; ++i) method.step(motion, D(2) / D(steps));
    return state_error(State<D>{motion.momentum(), normalized(motion.attitude())},
                       State<D>{solution.momentum, solution.rotation});
  };
  const double coarse = error(40), fine = error(80);
  if (this->exact) {
    // Algorithms 3.1 and 4.1 and the elliptic functions lose a few digits of the 31, nothing more.
    EXPECT_LT(coarse, 2e-28);
    EXPECT_LT(fine, 2e-28);
  } else {
    EXPECT_NEAR(std::log2(coarse / fine), this->info.order, 0.05);
    EXPECT_GT(fine, 1e-24);  // truncation, not round-off, was seen
  }
}

TYPED_TEST(FreeMotion, ConvergesToTheMotionInDouble) {
  const Body<double> body(water);
  const State<double> expected = Trajectory<double>(body, start).at(3.0);
  Rotor<TypeParam> rotor(body, start);
  rotor.advance(1.0 / 1024, 3072);
  EXPECT_LT(state_error(rotor.state(), expected), by_order(this->info, 1e-3, 2e-6, 1e-11, 2e-13));
}

/// A step forth and a step back; rk4 and the engines' formulas of order one miss by their truncation error.
TYPED_TEST(FreeMotion, IsReversible) {
  const Body<double> body(water);
  const State<double> normal{start.momentum, normalized(start.attitude)};
  Rotor<TypeParam, Summation::plain> rotor(body, start);
  rotor.advance(0.05, 20);
  rotor.advance(-0.05, 20);
  const double error = state_error(rotor.state(), normal);
  if (this->info.reversible) {
    EXPECT_LT(error, 5e-15);
  } else {
    EXPECT_GT(error, 1e-12);
    EXPECT_LT(error, by_order(this->info, 0.03, 1e-5, 1e-5, 1e-5));
  }
}

TYPED_TEST(FreeMotion, KeepsItsInvariants) {
  const Body<double> body(water);
  Rotor<TypeParam> rotor(body, start);
  const auto before = rotor.invariants();
  rotor.advance(0.02, 5000);
  const auto after = rotor.invariants();
  const auto difference = [](const DoubleDouble& a, const DoubleDouble& b) {
    return std::abs(static_cast<double>(a - b));
  };
  const double energy = difference(after.energy, before.energy);
  const double size = difference(after.momentum_norm, before.momentum_norm);
  const double space = momentum_error(after.spatial_momentum, before.spatial_momentum);
  const double round_off = 3e-13;  // jacobi-standard, the worst, drifts by 5e-14 here
  const double truncation =
      by_order(this->info, 1, 1e-4, 1e-4, 1e-4);  // explicit-euler gains energy for good
  if (this->info.keeps_energy) {
    EXPECT_LT(energy, round_off);
  } else {
    EXPECT_GT(energy, round_off);
    EXPECT_LT(energy, truncation);
  }
  if (this->info.keeps_spatial_momentum) {
    EXPECT_LT(size, round_off);
    EXPECT_LT(space, round_off);
  } else {
    EXPECT_GT(space, round_off);
    EXPECT_LT(space, truncation);
  }
}

/// The axes may be named in any order: the motion is the same one.
TYPED_TEST(FreeMotion, TakesTheMomentsInAnyOrder) {
  Rotor<TypeParam> reference(Body<double>(water), start);
  reference.advance(0.03, 100);
  const State<double> expected = reference.state();
  const int orders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
  for (const auto& order : orders) {
    // A proper rotation that renames the axes: row i is the new axis i in old coordinates.
    Matrix<double> rename;
    for (std::size_t i = 0; i < 3; ++i) rename[i][static_cast<std::size_t>(order[i])] = 1;
    if (determinant(rename) < 0) rename[0] = -rename[0];
    Vector<double> moments;
    for (std::size_t i = 0; i < 3; ++i) moments[i] = water[static_cast<std::size_t>(order[i])];
    const Quaternion<double> turn = from_matrix(rename);
    Rotor<TypeParam> rotor(Body<double>(moments),
                           State<double>{rename * start.momentum, start.attitude * conjugate(turn)});
    rotor.advance(0.03, 100);
    const State<double> end = rotor.state();
    EXPECT_LT(momentum_error(end.momentum, rename * expected.momentum), 1e-14);
    EXPECT_LT(attitude_error(end.attitude * turn, expected.attitude), 2e-14);
  }
}

/// A tensor in a skew frame is the same body.
TYPED_TEST(FreeMotion, TakesATensor) {
  const Quaternion<double> turn = normalized(Quaternion<double>(0.3, 0.8, -0.1, 0.5));
  const Matrix<double> r = to_matrix(turn);  // principal axes -> user's frame
  Matrix<double> diagonal;
  for (std::size_t i = 0; i < 3; ++i) diagonal[i][i] = water[i];
  const Body<double> body(r * diagonal * transpose(r));
  Rotor<TypeParam> reference(Body<double>(water), start);
  Rotor<TypeParam> rotor(body, State<double>{r * start.momentum, start.attitude * conjugate(turn)});
  reference.advance(0.03, 100);
  rotor.advance(0.03, 100);
  EXPECT_LT(momentum_error(rotor.state().momentum, r * reference.state().momentum), 3e-14);
  EXPECT_LT(attitude_error(rotor.state().attitude * turn, reference.state().attitude), 3e-14);
}

/// Units of powers of two change nothing, not even the last bit; a molecule in SI units is as good as any.
TYPED_TEST(FreeMotion, TakesAnyUnits) {
  Rotor<TypeParam> reference(Body<double>(water), start);
  reference.advance(0.04, 50);
  const State<double> expected = reference.state();
  for (const int inertia : {-900, -150, 0, 200}) {
    for (const int momentum : {-500, -120, 0, 100}) {
      Vector<double> moments = water;
      State<double> s = start;
      for (double& x : moments.c) x = std::ldexp(x, inertia);
      for (double& x : s.momentum.c) x = std::ldexp(x, momentum);
      Rotor<TypeParam> rotor{Body<double>(moments), s};
      rotor.advance(std::ldexp(0.04, inertia - momentum), 50);
      State<double> end = rotor.state();
      for (double& x : end.momentum.c) x = std::ldexp(x, -momentum);
      EXPECT_EQ(end, expected) << "units 2^" << inertia << " and 2^" << momentum;
    }
  }
}

/// Stopped, saved and continued, a run is the same run.
TYPED_TEST(FreeMotion, ContinuesBitForBit) {
  const Body<double> body(water);
  Rotor<TypeParam> whole(body, start), first(body, start), second(body, start);
  whole.advance(0.01, 700);
  first.advance(0.01, 300);
  second.restore(first.save());
  second.advance(0.01, 400);
  EXPECT_EQ(whole.state(), second.state());
}

TYPED_TEST(FreeMotion, RestsWithoutMomentumAndWithoutTime) {
  const Body<double> body(water);
  const State<double> still{{{0, 0, 0}}, {1, 0, 0, 0}};
  Rotor<TypeParam> rotor(body, still);
  rotor.advance(0.1, 3);
  EXPECT_EQ(rotor.state(), still);
  Rotor<TypeParam> frozen(body, {start.momentum, {1, 0, 0, 0}});
  frozen.advance(0.0, 1);
  EXPECT_EQ(frozen.state(), (State<double>{start.momentum, {1, 0, 0, 0}}));
}

TYPED_TEST(FreeMotion, TakesTinySteps) {
  const Body<double> body(water);
  for (const double h : {1e-12, -1e-12, 1e-100, 1e-300}) {
    Rotor<TypeParam> rotor(body, {start.momentum, {1, 0, 0, 0}});
    rotor.advance(h, 1);
    EXPECT_LT(state_error(rotor.state(), Trajectory<double>(body, {start.momentum, {1, 0, 0, 0}}).at(h)),
              5e-16)
        << h;
  }
}

/// Spheres, tops, spin about every axis: nothing is NaN, and a body whose momentum rests turns about it steadily.
TYPED_TEST(FreeMotion, TakesDegenerateBodies) {
  const std::vector<Vector<double>> bodies{{{1, 1, 1}},         {{0.6, 0.6, 1}},
                                           {{0.6, 1, 1}},       {{1, 1 + 1e-12, 2}},
                                           {{1, 2, 2 + 1e-12}}, {{1, 1 + 1e-13, 1 + 2e-13}},
                                           {{0.6, 0.8, 1}}};
  const std::vector<Vector<double>> momenta{
      {{1, 0, 0}},        {{0, 1, 0}},        {{0, 0, 1}},         {{-1, 0, 0}},     {{0, -1, 0}},
      {{0, 0, -1}},       {{0.6, 0, 0.8}},    {{0.6, 0.8, 0}},     {{0, 0.6, -0.8}}, {{0.5, 0.5, 0.7}},
      {{1, 1e-8, 1e-12}}, {{1e-12, 1, 1e-8}}, {{1e-8, -1e-12, -1}}};
  for (const auto& moments : bodies) {
    for (const auto& m : momenta) {
      const Body<double> body(moments);
      const State<double> s{m, {1, 0, 0, 0}};
      Rotor<TypeParam> rotor(body, s);
      rotor.advance(0.01, 10);
      const State<double> expected = Trajectory<double>(body, s).at(0.1);
      EXPECT_LT(state_error(rotor.state(), expected), bound_after_ten_steps(this->info))
          << moments[0] << ' ' << moments[1] << ' ' << moments[2] << ", m " << m[0] << ' ' << m[1] << ' '
          << m[2];
    }
  }
}

/// Nearly symmetric bodies next to each axis, where the formulas of the papers cancel most.
TYPED_TEST(FreeMotion, TakesNearlySymmetricBodies) {
  std::mt19937_64 random(13);
  std::uniform_real_distribution<double> uniform(0, 1);
  for (int i = 0; i < 2000; ++i) {
    const auto small = [&] { return std::pow(10.0, -16 * uniform(random)); };
    const double first = 0.1 + uniform(random);
    const Body<double> body(Vector<double>{{first, first * (1 + small()), first * (1 + small() + small())}});
    Vector<double> m{{small(), small(), small()}};
    m[static_cast<std::size_t>(i % 3)] = 1;
    const State<double> s{m, {1, 0, 0, 0}};
    Rotor<TypeParam> rotor(body, s);
    const double h = 0.02 * body.moments()[0] / norm(m);
    rotor.advance(h, 10);
    const double error = state_error(rotor.state(), Trajectory<double>(body, s).at(10 * h));
    // What Algorithms 3.1 and 4.1 have left of their digits where they are still used: 1e-9.
    const double bound = this->info.name.starts_with("jacobi") ? 1e-9 : bound_after_ten_steps(this->info);
    ASSERT_LT(error, 10 * bound) << i;
  }
}

/// Random bodies of all shapes, momenta of all directions.
TYPED_TEST(FreeMotion, TakesRandomBodies) {
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> uniform(0, 1);
  std::normal_distribution<double> normal;
  for (int i = 0; i < 300; ++i) {
    const Body<double> body(
        Vector<double>{{0.2 + uniform(random), 0.2 + uniform(random), 0.2 + uniform(random)}});
    const State<double> s{{{normal(random), normal(random), normal(random)}},
                          {normal(random), normal(random), normal(random), normal(random)}};
    Rotor<TypeParam> rotor(body, s);
    const double h = 0.02 * body.moments()[0] / norm(s.momentum);
    rotor.advance(h, 10);
    EXPECT_LT(state_error(rotor.state(), Trajectory<double>(body, s).at(10 * h)),
              bound_after_ten_steps(this->info) * (1 + norm(s.momentum)));
  }
}

}  // namespace
}  // namespace polhode
