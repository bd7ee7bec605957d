// Bodies under torque, against quadruple precision and against themselves in other frames and units.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "polhode/free_motion/mclachlan_reich.hpp"
#include "polhode/splitting/driven_rotor.hpp"
#include "polhode/torque/uniform_field.hpp"
#include "reference/compare.hpp"
#include "reference/quadruple.hpp"
#include "reference/taylor.hpp"

namespace polhode {

using namespace core;
namespace {

using reference::attitude_error;
using reference::momentum_error;
using reference::Quad;
using reference::state_error;

const Vector<double> moments{{1.0, 1.4, 2.0}};
const State<double> start{{{0.5, -0.7, 0.9}}, {0.5, -0.1, 0.7, 0.3}};
const Vector<double> up{{0.1, -0.2, 0.6}};
const Vector<double> arm{{0.2, 0.1, 1.0}};
const Scheme& fine_scheme = scheme("kahan-li-8");

TEST(DrivenRotor, FollowsTheTop) {
  const State<Quad> s{convert<Quad>(start.momentum), normalized(convert<Quad>(start.attitude))};
  const State<Quad> expected = reference::taylor_top(convert<Quad>(moments), s, convert<Quad>(up),
                                                     convert<Quad>(arm), Quad(1) / Quad(16), 320);
  auto rotor = driven(Body<double>(moments), start, UniformField<double>(up, arm), fine_scheme);
  rotor.advance(0.05, 400);
  EXPECT_LT(state_error(rotor.state(), expected), 4e-15);
  EXPECT_EQ(static_cast<double>(rotor.time()), 20.0);
}

/// The run of [CZ08 section 4.3], which [CZ08] takes with rkn6-14 and h = 0.5, and the motion that it stands for.
TEST(DrivenRotor, RepeatsThePerturbedTop) {
  const Vector<double> i{{1, 1.0126869887825154, 3.3062374224730378}};
  const State<double> s{{{-3.4790957088547336e-01, -1.9822914599675923e-01, -9.1633189192763642e-01}}, {}};
  const Vector<double> u{{9.5586303547238536e-05, 4.8777318247201465e-04, -8.6772148817192390e-04}};
  const UniformField<double> field(u, {{0, 0, 1}});
  auto published = driven(Body<double>(i), s, field, scheme("rkn6-14"));
  auto ours = driven(Body<double>(i), s, field, scheme("aba-10-6-4"));
  published.advance(0.5, 10000);
  ours.advance(0.25, 20000);
  // By taylor_top<40> in quadruple precision with h = 1/2, which takes ten seconds.
  const State<double> expected{
      {{0.065941992266592489, 0.3964036062345036, -0.9151821877826144}},
      {0.1397376803775453, -0.18705153968799615, 0.68504732542831381, -0.69006902850842899}};
  EXPECT_LT(state_error(published.state(), expected), 5e-11);
  EXPECT_LT(state_error(ours.state(), expected), 8e-13);
}

/// A user's torque as a lambda, and one that is known by its potential only, are the built-in one.
TEST(DrivenRotor, TakesAUsersTorque) {
  const Body<double> body(moments);
  auto built_in = driven(body, start, UniformField<double>(up, arm), fine_scheme);
  auto lambda = driven(
      body, start, [](const Quaternion<double>& q) { return cross(rotate(conjugate(q), up), arm); },
      fine_scheme);
  auto potential = driven(body, start, from_potential([](const auto& q) {
                            using U = std::decay_t<decltype(q[0])>;
                            return dot(rotate(conjugate(q), convert<U>(up)), convert<U>(arm));
                          }),
                          fine_scheme);
  built_in.advance(0.05, 200);
  lambda.advance(0.05, 200);
  potential.advance(0.05, 200);
  EXPECT_LT(state_error(lambda.state(), built_in.state()), 3e-15);
  EXPECT_LT(state_error(potential.state(), built_in.state()), 3e-15);
  EXPECT_LT(std::abs(static_cast<double>(potential.energy() - built_in.energy())), 1e-16);
  static_assert(!Conservative<decltype(lambda)::Attached, double>);  // there is no energy to ask for
}

/// Any frame: the moments in another order, or a tensor; built-in torque and lambda alike.
TEST(DrivenRotor, TakesAnyFrame) {
  const Quaternion<double> turn = normalized(Quaternion<double>(0.3, 0.8, -0.1, 0.5));
  const Matrix<double> r = to_matrix(turn);  // principal axes -> user's frame
  Matrix<double> diagonal;
  for (std::size_t i = 0; i < 3; ++i) diagonal[i][i] = moments[i];
  const Body<double> skew(r * diagonal * transpose(r));
  const State<double> s{r * start.momentum, normalized(start.attitude) * conjugate(turn)};
  const Vector<double> skew_arm = r * arm;
  auto reference = driven(Body<double>(moments), start, UniformField<double>(up, arm), fine_scheme);
  auto built_in = driven(skew, s, UniformField<double>(up, skew_arm), fine_scheme);
  auto lambda = driven(
      skew, s, [&](const Quaternion<double>& q) { return cross(rotate(conjugate(q), up), skew_arm); },
      fine_scheme);
  reference.advance(0.05, 100);
  built_in.advance(0.05, 100);
  lambda.advance(0.05, 100);
  const State<double> expected = reference.state();
  EXPECT_LT(momentum_error(built_in.state().momentum, r * expected.momentum), 5e-15);
  EXPECT_LT(attitude_error(built_in.state().attitude * turn, expected.attitude), 5e-15);
  EXPECT_LT(momentum_error(lambda.state().momentum, r * expected.momentum), 5e-15);
  EXPECT_LT(std::abs(static_cast<double>(built_in.energy() - reference.energy())), 1e-15);
}

/// Units of powers of two change nothing, not even the last bit.
TEST(DrivenRotor, TakesAnyUnits) {
  auto reference = driven(Body<double>(moments), start, UniformField<double>(up, arm), fine_scheme);
  reference.advance(0.125, 50);
  const State<double> expected = reference.state();
  for (const int inertia : {-300, -41, 0, 100}) {
    for (const int time : {-80, 0, 90}) {
      Vector<double> i = moments, u = up;
      State<double> s = start;
      for (double& x : i.c) x = std::ldexp(x, inertia);
      for (double& x : s.momentum.c) x = std::ldexp(x, inertia - time);
      for (double& x : u.c) x = std::ldexp(x, inertia - 2 * time);
      auto rotor = driven(Body<double>(i), s, UniformField<double>(u, arm), fine_scheme);
      rotor.advance(std::ldexp(0.125, time), 50);
      State<double> end = rotor.state();
      for (double& x : end.momentum.c) x = std::ldexp(x, time - inertia);
      EXPECT_EQ(end, expected) << "units 2^" << inertia << " and 2^" << time;
    }
  }
}

/// A body at rest begins to fall; in units of its own that are far from one as well.
TEST(DrivenRotor, StartsFromRest) {
  for (const double unit : {1.0, 0x1p-200, 0x1p200}) {
    const Body<double> body(Vector<double>{{unit, unit, unit}});
    const Vector<double> u{{0, 0, unit}};
    const Quaternion<double> level{std::sqrt(0.5), std::sqrt(0.5), 0, 0};
    auto rotor = driven(body, State<double>{{}, level}, UniformField<double>(u, {{0, 0, 1}}), fine_scheme);
    const DoubleDouble energy = rotor.energy();
    rotor.advance(0.02, 100);
    EXPECT_GT(norm(rotor.state().momentum), 0.5 * unit);
    EXPECT_LT(std::abs(static_cast<double>(rotor.energy() - energy)), 1e-14 * unit);
  }
  auto sphere = driven(
      Body<double>(Vector<double>{{1, 1, 1}}), State<double>{},
      [](const Quaternion<double>&, double t) {
        return Vector<double>{{0, 0, t}};
      },
      scheme("yoshida-4"));
  sphere.advance(0.1, 10);  // the torque is zero at first
  EXPECT_NEAR(sphere.state().momentum[2], 0.5, 1e-15);
}

/// The order holds for torques that depend on time, and the clock is that of the free motion.
TEST(DrivenRotor, KeepsTheOrderUnderATorqueOfTime) {
  using D = DoubleDouble;
  const AlternatingField<D> field(convert<D>(up), convert<D>(arm), D(1.7), D(0.4), convert<D>(arm));
  for (const Scheme& scheme : schemes) {
    const auto end = [&](int steps) {
      DrivenRotor<Splitting<Exact<D>>, AlternatingField<D>> rotor(
          Body<D>(convert<D>(moments)), convert<D>(start), field, Splitting<Exact<D>>(scheme), D(3));
      rotor.advance(D(1) / D(steps), steps);
      return rotor.state();
    };
    const State<D> coarse = end(16), middle = end(32), fine = end(64);
    EXPECT_NEAR(std::log2(state_error(coarse, middle) / state_error(middle, fine)), scheme.order, 0.15)
        << scheme.name;
  }
}

TEST(DrivenRotor, ChangesItsStep) {
  auto rotor = driven(Body<double>(moments), start, UniformField<double>(up, arm), fine_scheme);
  auto steady = rotor;
  steady.advance(0.05, 60);
  for (const double h : {0.05, 0.1, 0.025, 0.5, 0.325}) rotor.advance(h, 1);
  rotor.advance(0.04, 50);
  EXPECT_NEAR(static_cast<double>(rotor.time()), 3.0, 1e-15);
  EXPECT_LT(state_error(rotor.state(), steady.state()), 1e-7);
  rotor.advance(0.0, 1);
  EXPECT_NEAR(static_cast<double>(rotor.time()), 3.0, 1e-15);
}

TEST(DrivenRotor, RefusesATorqueThatIsNoNumber) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  auto rotor = driven(
      Body<double>(moments), start,
      [&](const Quaternion<double>&, double t) {
        return Vector<double>{{0, t < 1 ? 0.1 : nan, 0}};
      },
      scheme("strang"));
  rotor.advance(0.25, 3);
  const State<double> before = rotor.state();
  try {
    rotor.advance(0.25, 5);
    FAIL() << "a torque that is not a number was taken";
  } catch (const MotionError& e) {
    EXPECT_STREQ(e.what(), "the torque at time 1 is not a finite number");
  }
  EXPECT_EQ(rotor.state(), before);
  EXPECT_EQ(static_cast<double>(rotor.time()), 0.75);
  EXPECT_THROW(driven(Body<double>(moments), start,
                      [&](const Quaternion<double>&) {
                        return Vector<double>{{nan, 0, 0}};
                      }),
               MotionError);
  EXPECT_THROW(UniformField<double>({{nan, 0, 0}}, arm), InputError);
}

TEST(DrivenRotor, CountsItsKicks) {
  auto rotor = driven(Body<double>(moments), start, UniformField<double>(up, arm), scheme("aba-8-6-4"));
  rotor.advance(0.1, 10);
  EXPECT_EQ(rotor.evaluations().force, 70);
  DrivenRotor<RungeKutta<double>, UniformField<double>> classical(Body<double>(moments), start,
                                                                  UniformField<double>(up, arm));
  classical.advance(0.1, 10);
  EXPECT_EQ(classical.evaluations().force, 40);
}

TEST(DrivenRotor, HasTheClassicalRungeKuttaMethod) {
  const auto error = [&](int steps) {
    DrivenRotor<RungeKutta<double>, UniformField<double>> rotor(Body<double>(moments), start,
                                                                UniformField<double>(up, arm));
    rotor.advance(2.0 / steps, steps);
    auto fine = driven(Body<double>(moments), start, UniformField<double>(up, arm), fine_scheme);
    fine.advance(0.05, 40);
    return state_error(rotor.state(), fine.state());
  };
  EXPECT_NEAR(std::log2(error(64) / error(128)), 4, 0.1);
}

/// Compensation carries over from free motion to kicks. With the torque of a rotation that is not homogeneous in q the rms
/// would be 1e-16 here, with plain sums 4e-15.
TEST(DrivenRotor, RoundsLikeARandomWalk) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  const auto draw = [&](double size) {
    Vector<double> v{{normal(random), normal(random), normal(random)}};
    return (size / norm(v)) * v;
  };
  double squares = 0, plain_squares = 0;
  const int runs = 8;
  for (int k = 0; k < runs; ++k) {
    const State<double> s{draw(1), {normal(random), normal(random), normal(random), normal(random)}};
    const UniformField<double> field(draw(0.1), {{0, 0, 1}});
    const Body<double> body(Vector<double>{{0.6, 0.8, 1.0}});
    const Splitting<Exact<double>> splitting(scheme("rkn6-11"));
    DrivenRotor<Splitting<Exact<double>>, UniformField<double>> rotor(body, s, field, splitting);
    DrivenRotor<Splitting<Exact<double>>, UniformField<double>, Summation::plain> plain(body, s, field,
                                                                                        splitting);
    const DoubleDouble before = rotor.energy();
    rotor.advance(0.02, 10000);
    plain.advance(0.02, 10000);
    squares += square(static_cast<double>(rotor.energy() - before));
    plain_squares += square(static_cast<double>(plain.energy() - before));
  }
  EXPECT_LT(std::sqrt(squares / runs), 5e-17);
  EXPECT_GT(std::sqrt(plain_squares / runs), 20 * std::sqrt(squares / runs));
}

}  // namespace
}  // namespace polhode
