// The batch gives the bits of the scalar kernel.

#include "polhode/batch/batch.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "polhode/free_motion/trajectory.hpp"
#include "reference/compare.hpp"

namespace polhode {
namespace {

/// Bodies of all shapes, degenerate ones among them, with steps from short to long.
struct Crowd {
  std::vector<Body<double>> bodies;
  std::vector<State<double>> states;

  explicit Crowd(int count) {
    std::mt19937_64 random(31);
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> uniform(0, 1);
    for (int i = 0; i < count; ++i) {
      Vector<double> moments{{0.2 + uniform(random), 0.2 + uniform(random), 0.2 + uniform(random)}};
      Vector<double> m{{normal(random), normal(random), normal(random)}};
      switch (i % 16) {
        case 1:
          moments = {{1, 1, 1}};
          break;
        case 2:
          moments[1] = moments[0];
          break;
        case 3:
          moments[2] = moments[1];
          break;
        case 4:
          m = {{0, 0, 1}};
          break;
        case 5:
          m = {{0, -1, 0}};
          break;
        case 6:
          m = {{1e-9, 1, 1e-12}};
          break;
        case 7:
          moments[2] = moments[1] * (1 + 1e-13);
          break;
        case 8:
          m = {{0, 0, 0}};
          break;
        case 9:
          moments = 1e-46 * moments, m = 1e-46 * m;
          break;
        case 10:
          m = 30.0 * m;
          break;  // several short steps
        case 11:
          m = 1000.0 * m;
          break;  // long steps
        default:
          break;
      }
      bodies.emplace_back(moments);
      states.push_back({m, {normal(random), normal(random), normal(random), normal(random)}});
    }
  }
};

TEST(Batch, HasTheBitsOfTheScalarKernel) {
  const Crowd crowd(20003);
  Batch batch(crowd.bodies, crowd.states);
  ASSERT_EQ(batch.size(), crowd.bodies.size());
  batch.steps(0.01, 70);
  batch.steps(-0.02, 3);
  for (std::size_t i = 0; i < batch.size(); ++i) {
    FreeRotor<Exact<double>> rotor(crowd.bodies[i], crowd.states[i]);
    rotor.steps(0.01, 70);
    rotor.steps(-0.02, 3);
    ASSERT_EQ(batch.state(i), rotor.state()) << i;
  }
}

TEST(Batch, OfOneKindHasTheSameBits) {
  Crowd crowd(1001);
  const Body<double> body(Vector<double>{{0.345, 0.653, 1}});
  Batch batch(body, crowd.states);
  batch.steps(0.01, 200);
  for (std::size_t i = 0; i < batch.size(); ++i) {
    FreeRotor<Exact<double>> rotor(body, crowd.states[i]);
    rotor.steps(0.01, 200);
    ASSERT_EQ(batch.state(i), rotor.state()) << i;
  }
}

TEST(Batch, HasTheSameBitsForAnyNumberOfThreads) {
  const Crowd crowd(999);
  Batch one(crowd.bodies, crowd.states);
  one.steps(0.01, 100);
  for (const unsigned threads : {2U, 3U, 7U, 2000U, 0U}) {
    Batch many(crowd.bodies, crowd.states);
    many.steps(0.01, 100, threads);
    for (std::size_t i = 0; i < one.size(); ++i) ASSERT_EQ(one.state(i), many.state(i)) << threads;
  }
}

TEST(Batch, FollowsTheMotion) {
  const Crowd crowd(160);
  Batch batch(crowd.bodies, crowd.states);
  batch.steps(0.01, 100);
  for (std::size_t i = 0; i < batch.size(); ++i) {
    const auto expected =
        Trajectory<double>(crowd.bodies[i], crowd.states[i]).wide_at(DoubleDouble(0.01) * 100.0);
    const double size = 1 + norm(crowd.states[i].momentum) / crowd.bodies[i].moments()[0];
    EXPECT_LT(reference::state_error(batch.state(i), expected),
              1e-15 * size * (1 + norm(crowd.states[i].momentum)));
  }
}

TEST(Batch, TakesFewBodiesAndRefusesWrongOnes) {
  const Crowd crowd(20);
  for (std::size_t count = 0; count < 6; ++count) {
    Batch batch(std::span(crowd.bodies).first(count), std::span(crowd.states).first(count));
    batch.steps(0.01, 5, 2);
    EXPECT_EQ(batch.size(), count);
  }
  EXPECT_THROW(Batch(std::span(crowd.bodies).first(3), std::span(crowd.states).first(4)), InputError);
  std::vector<State<double>> states(5, crowd.states[0]);
  states[3].momentum[1] = std::nan("");
  EXPECT_THROW(Batch(crowd.bodies[0], states), InputError);
}

/// Norms of attitudes far from one are brought back in the batch as in the scalar kernel.
TEST(Batch, Settles) {
  const Body<double> body(Vector<double>{{0.345, 0.653, 1}});
  const State<double> start{{{0.5, 0.2, 0.84}}, {1, 0, 0, 0}};
  Batch batch(body, std::vector<State<double>>(5, start));
  FreeRotor<Exact<double>> rotor(body, start);
  batch.steps(0.02, 1000000);
  rotor.steps(0.02, 1000000);
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

}  // namespace
}  // namespace polhode
