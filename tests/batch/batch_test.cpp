// The batch gives the bits of the scalar kernel.

#include "polhode/batch/batch.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "polhode/free_motion/trajectory.hpp"
#include "reference/compare.hpp"
#include "tests/batch/crowd.hpp"

namespace polhode::testing {

using namespace core;
namespace {

/// The steps of one call.
struct Steps {
  double h;
  std::int64_t count;
};

/// Those that the tests take one after the other: single ones and many, in both directions, short and long, and none.
constexpr std::array<Steps, 9> programme{
    {{0.01, 1}, {0.01, 70}, {-0.02, 3}, {0.003, 1}, {0.0, 5}, {0.04, 1}, {0.5, 2}, {-0.01, 0}, {0.01, 64}}};

void expect_rotors(const Batch& batch, const std::vector<Body<double>>& bodies,
                   const std::vector<State<double>>& states) {
  for (std::size_t i = 0; i < batch.size(); ++i) {
    Rotor<Exact<double>> rotor(bodies[bodies.size() == 1 ? 0 : i], states[i]);
    for (const Steps& s : programme) rotor.advance(s.h, s.count);
    ASSERT_EQ(batch.state(i), rotor.state()) << i;
    ASSERT_EQ(batch.wide_state(i), rotor.wide_state()) << i;
    ASSERT_EQ(batch.invariants(i).energy, rotor.invariants().energy) << i;
  }
}

TEST(Batch, HasTheBitsOfTheScalarKernel) {
  const Crowd crowd(5003);
  Batch batch(crowd.bodies, crowd.states);
  ASSERT_EQ(batch.size(), crowd.bodies.size());
  for (const Steps& s : programme) batch.advance(s.h, s.count);
  expect_rotors(batch, crowd.bodies, crowd.states);
}

TEST(Batch, OfOneKindHasTheSameBits) {
  const Crowd crowd(2001);
  const Body<double> body(Vector<double>{{0.345, 0.653, 1}});
  Batch batch(body, crowd.states);
  for (const Steps& s : programme) batch.advance(s.h, s.count);
  expect_rotors(batch, {body}, crowd.states);
}

// Every number of lanes in the last pack, and every number of bodies in a pack that go their own way.
TEST(Batch, TakesAnyNumberOfBodies) {
  const Crowd crowd(64, 7);
  for (std::size_t count = 0; count < 14; ++count) {
    for (std::size_t first = 0; first + count <= 64; first += 5) {
      const std::vector<Body<double>> bodies(&crowd.bodies[first], &crowd.bodies[first] + count);
      const std::vector<State<double>> states(&crowd.states[first], &crowd.states[first] + count);
      Batch batch(bodies, states);
      ASSERT_EQ(batch.size(), count);
      batch.set_threads(2);
      for (const Steps& s : programme) batch.advance(s.h, s.count);
      expect_rotors(batch, bodies, states);
    }
  }
}

TEST(Batch, HasTheSameBitsForAnyNumberOfThreads) {
  const Crowd crowd(999);
  Batch one(crowd.bodies, crowd.states);
  one.advance(0.01, 100);
  for (const unsigned threads : {2U, 3U, 7U, 2000U, 0U}) {
    Batch many(crowd.bodies, crowd.states);
    many.set_threads(threads);
    many.advance(0.01, 100);
    for (std::size_t i = 0; i < one.size(); ++i) ASSERT_EQ(one.wide_state(i), many.wide_state(i)) << threads;
  }
}

// Components whose squares underflow, beside each of the axes: long steps of packs are numbers there, and those of the scalar kernel.
TEST(Batch, TakesLongStepsNextToTheAxes) {
  const Body<double> body(Vector<double>{{0.345, 0.653, 1}});
  std::vector<State<double>> states;
  for (double beside = 1e-100; beside > 1e-310; beside *= 1e-3)
    for (std::size_t axis = 0; axis < 3; ++axis) {
      State<double> s;
      s.momentum[axis] = 1;
      s.momentum[(axis + 1) % 3] = beside;
      s.momentum[(axis + 2) % 3] = beside / 3;
      states.push_back(s);
    }
  Batch batch(body, states);
  for (const double h : {0.3, 2.0, 20.0}) batch.advance(h, 3);
  for (std::size_t i = 0; i < states.size(); ++i) {
    Rotor<Exact<double>> rotor(body, states[i]);
    for (const double h : {0.3, 2.0, 20.0}) rotor.advance(h, 3);
    ASSERT_EQ(batch.wide_state(i), rotor.wide_state()) << i;
    ASSERT_NEAR(norm(batch.state(i).momentum), 1, 2e-16) << i;
    ASSERT_NEAR(static_cast<double>(norm_squared(batch.state(i).attitude)), 1, 1e-15) << i;
  }
}

// Angles from 2^60 radians to beyond the numbers of double, side by side with ordinary ones.
TEST(Batch, TakesAnyAngle) {
  const Crowd crowd(101);
  std::vector<State<double>> states = crowd.states;
  for (std::size_t i = 0; i < states.size(); ++i) {
    if (i % 3 == 0) continue;
    const int exponent = momentum_exponent(states[i].momentum);
    for (double& x : states[i].momentum.c) x = std::ldexp(x, 20 * static_cast<int>(i % 50) - exponent);
  }
  for (const double h : {1e18, -1e40, 1e300}) {
    Batch batch(crowd.bodies, states);
    PlainBatch<double> plain(crowd.bodies, states);
    batch.advance(h, 1);
    plain.advance(h, 1);
    for (std::size_t i = 0; i < states.size(); ++i) {
      Rotor<Exact<double>> rotor(crowd.bodies[i], states[i]);
      rotor.advance(h, 1);
      ASSERT_EQ(batch.wide_state(i), rotor.wide_state()) << i;
      Rotor<Exact<double>, Summation::plain> plain_rotor(crowd.bodies[i], states[i]);
      plain_rotor.advance(h, 1);
      ASSERT_EQ(plain.state(i), plain_rotor.state()) << i;
      ASSERT_NEAR(norm_squared(batch.state(i).attitude), 1, 1e-15) << i;
      ASSERT_NEAR(norm_squared(plain.state(i).attitude), 1, 1e-15) << i;
    }
  }
}

TEST(Batch, OfFloatTakesAnyAngle) {
  const Body<float> body(Vector<float>{{1, 2, 3}});
  std::vector<State<float>> states(11);
  for (std::size_t i = 0; i < states.size(); ++i)
    states[i].momentum = std::ldexp(1.0F, 12 * static_cast<int>(i) - 10) * Vector<float>{{1, -0.5F, 0.25F}};
  for (const float h : {1e10F, -3e38F}) {
    PlainBatch<float> batch(body, states);
    batch.advance(h, 1);
    for (std::size_t i = 0; i < states.size(); ++i) {
      Rotor<Exact<float>> rotor(body, states[i]);
      rotor.advance(h, 1);
      ASSERT_EQ(batch.state(i), rotor.state()) << i;
      ASSERT_NEAR(norm_squared(batch.state(i).attitude), 1, 1e-6) << i;
    }
  }
}

TEST(Batch, FollowsTheMotion) {
  const Crowd crowd(160);
  Batch batch(crowd.bodies, crowd.states);
  batch.advance(0.01, 100);
  for (std::size_t i = 0; i < batch.size(); ++i) {
    const auto expected =
        Trajectory<double>(crowd.bodies[i], crowd.states[i]).wide_at(DoubleDouble(0.01) * 100.0);
    const double size = 1 + norm(crowd.states[i].momentum) / crowd.bodies[i].moments()[0];
    EXPECT_LT(reference::state_error(batch.state(i), expected),
              1e-15 * size * (1 + norm(crowd.states[i].momentum)));
  }
}

TEST(Batch, CopiesGoTheirOwnWay) {
  const Crowd crowd(30);
  Batch batch(crowd.bodies, crowd.states);
  batch.advance(0.01, 3);
  Batch copy = batch;
  copy.advance(0.01, 3);
  batch = Batch(crowd.bodies, crowd.states);
  batch.advance(0.01, 6);
  for (std::size_t i = 0; i < batch.size(); ++i) EXPECT_EQ(copy.wide_state(i), batch.wide_state(i));
}

TEST(Batch, RefusesWrongStates) {
  const Crowd crowd(20);
  EXPECT_THROW(Batch(std::span(crowd.bodies).first(3), std::span(crowd.states).first(4)), InputError);
  EXPECT_THROW(Batch(std::span(crowd.bodies).first(4), std::span(crowd.states).first(3)), InputError);
  std::vector<State<double>> states(5, crowd.states[0]);
  states[3].momentum[1] = std::nan("");
  EXPECT_THROW(Batch(crowd.bodies[0], states), InputError);
}

/// Norms of attitudes far from one are brought back in the batch as in the scalar kernel.
TEST(Batch, Settles) {
  const Body<double> body(Vector<double>{{0.345, 0.653, 1}});
  const State<double> start{{{0.5, 0.2, 0.84}}, {1, 0, 0, 0}};
  Batch batch(body, std::vector<State<double>>(5, start));
  Rotor<Exact<double>> rotor(body, start);
  batch.advance(0.02, 1000000);
  rotor.advance(0.02, 1000000);
  EXPECT_EQ(batch.state(4), rotor.state());
}

TEST(Pack, ProductsAreExactInEachLane) {
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  for (int i = 0; i < 1000; ++i) {
    Pack a, b;
    for (std::size_t lane = 0; lane < Pack::width; ++lane) {
      a.set(lane, normal(random));
      b.set(lane, normal(random));
    }
    const auto [value, error] = two_product(a, b);
    for (std::size_t lane = 0; lane < Pack::width; ++lane) {
      const auto scalar = two_product(a[lane], b[lane]);
      EXPECT_EQ(value[lane], scalar.value);
      EXPECT_EQ(error[lane], scalar.error);
    }
  }
}

TEST(Pack, SaysWhichLanesAreWithin) {
  const double nan = std::nan("");
  for (unsigned pattern = 0; pattern <= Pack::all_lanes; ++pattern) {
    for (const double outside : {-1.0, 0.0, 3.0, nan}) {
      Pack x(1.0);
      for (std::size_t lane = 0; lane < Pack::width; ++lane)
        if ((pattern >> lane & 1U) == 0) x.set(lane, outside);
      EXPECT_EQ(lanes_within(Pack(0.0), x, x, Pack(2.0)), pattern);
      EXPECT_EQ(all_within(Pack(0.0), x, x, Pack(2.0)), pattern == Pack::all_lanes);
    }
  }
}

}  // namespace
}  // namespace polhode::testing
