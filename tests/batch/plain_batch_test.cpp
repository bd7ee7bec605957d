// The batch without compensation, of double and of float: the bits of the scalar kernel, and what it is good for.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "polhode/batch/batch.hpp"
#include "polhode/free_motion/rotor.hpp"
#include "polhode/free_motion/trajectory.hpp"
#include "tests/batch/crowd.hpp"

namespace polhode::testing {

using namespace core;
namespace {

template <class T>
using PlainRotor = Rotor<Exact<T>, Summation::plain>;

/// The steps of one call.
struct Steps {
  double h;
  std::int64_t count;
};
constexpr std::array<Steps, 10> programme{{{0.01, 1},
                                           {0.01, 70},
                                           {-0.02, 3},
                                           {0.003, 1},
                                           {0.0, 5},
                                           {0.04, 1},
                                           {0.15, 3},
                                           {0.5, 2},
                                           {-0.01, 0},
                                           {0.01, 64}}};

template <class T, class Moving>
void follow_programme(Moving& moving) {
  for (const Steps& s : programme) moving.advance(static_cast<T>(s.h), s.count);
}

template <class T>
void expect_rotors(const PlainBatch<T>& batch, const std::vector<Body<T>>& bodies,
                   const std::vector<State<T>>& states) {
  for (std::size_t i = 0; i < batch.size(); ++i) {
    PlainRotor<T> rotor(bodies[bodies.size() == 1 ? 0 : i], states[i]);
    follow_programme<T>(rotor);
    ASSERT_EQ(batch.wide_state(i), rotor.wide_state()) << i;
    ASSERT_EQ(batch.state(i), rotor.state()) << i;
    ASSERT_EQ(batch.invariants(i).energy, rotor.invariants().energy) << i;
  }
}

template <class T>
class PlainBatchTest : public ::testing::Test {};
using Numbers = ::testing::Types<double, float>;
TYPED_TEST_SUITE(PlainBatchTest, Numbers);

TYPED_TEST(PlainBatchTest, HasTheBitsOfTheScalarKernel) {
  using T = TypeParam;
  const CrowdOf<T> crowd(3001);
  PlainBatch<T> batch(crowd.bodies, crowd.states);
  follow_programme<T>(batch);
  expect_rotors<T>(batch, crowd.bodies, crowd.states);
  const Body<T> body(convert<T>(Vector<double>{{0.345, 0.653, 1}}));
  PlainBatch<T> alike(body, crowd.states);
  alike.set_threads(2);
  follow_programme<T>(alike);
  expect_rotors<T>(alike, {body}, crowd.states);
}

TYPED_TEST(PlainBatchTest, TakesAnyNumberOfBodies) {
  using T = TypeParam;
  const CrowdOf<T> crowd(64, 7);
  for (std::size_t count = 0; count < 18; ++count) {
    const std::vector<Body<T>> bodies(&crowd.bodies[count], &crowd.bodies[2 * count]);
    const std::vector<State<T>> states(&crowd.states[count], &crowd.states[2 * count]);
    PlainBatch<T> batch(bodies, states);
    follow_programme<T>(batch);
    expect_rotors<T>(batch, bodies, states);
  }
}

// Without compensation a motion has the rounding errors of its sums, which are as good as random: after n steps the energy is off by less
// than half of sqrt(n) units of the last place, and Q m too, in no direction. A spin next to the least or the greatest axis stays there.
TYPED_TEST(PlainBatchTest, LetsNothingDrift) {
  using T = TypeParam;
  constexpr std::size_t count = 64;
  constexpr std::int64_t steps = 100'000;
  const double unit =
      static_cast<double>(std::numeric_limits<T>::epsilon()) * std::sqrt(static_cast<double>(steps));
  for (const Vector<double>& moments :
       {Vector<double>{{0.345, 0.653, 1}}, Vector<double>{{0.6, 0.8, 1}}, Vector<double>{{0.3, 0.5, 0.97}}}) {
    for (const std::size_t axis : {std::size_t{0}, std::size_t{2}}) {
      std::mt19937_64 random(11);
      std::normal_distribution<double> normal;
      std::vector<State<T>> states;
      for (std::size_t i = 0; i < count; ++i) {
        Vector<double> m{{0.02 * normal(random), 0.02 * normal(random), 0.02 * normal(random)}};
        m[axis] = 1;
        states.push_back(convert<T>(State<double>{m, {1, 0, 0, 0}}));
      }
      PlainBatch<T> batch(Body<T>(convert<T>(moments)), states);
      const PlainBatch<T> before = batch;
      batch.advance(static_cast<T>(0.017), steps);
      double sum = 0, squares = 0, spatial = 0, tilt = 0;
      for (std::size_t i = 0; i < count; ++i) {
        const auto first = before.invariants(i), last = batch.invariants(i);
        const double error = static_cast<double>(last.energy / first.energy) - 1;
        sum += error;
        squares += error * error;
        spatial += square(static_cast<double>(norm(last.spatial_momentum - first.spatial_momentum)));
        tilt = std::max(tilt, 1 - static_cast<double>(batch.state(i).momentum[axis]));
      }
      EXPECT_LT(std::sqrt(squares / count), 0.5 * unit) << axis;
      EXPECT_LT(std::abs(sum / count), 0.4 * std::sqrt(squares / count)) << axis;
      EXPECT_LT(std::sqrt(spatial / count), 0.3 * unit) << axis;
      EXPECT_LT(tilt, 0.005) << axis;
    }
  }
}

// A spin about an axis is the same number after every step.
TYPED_TEST(PlainBatchTest, KeepsASpinAboutAnAxis) {
  using T = TypeParam;
  const Body<T> body(convert<T>(Vector<double>{{0.345, 0.653, 1}}));
  for (std::size_t axis = 0; axis < 3; ++axis) {
    State<T> s;
    s.momentum[axis] = T(1);
    PlainRotor<T> rotor(body, s);
    rotor.advance(static_cast<T>(0.01), 10'000);
    EXPECT_EQ(rotor.state().momentum, s.momentum) << axis;
  }
}

// Bodies of a few kinds in any order, one of them turned: they share their constants, and nobody takes another's.
TYPED_TEST(PlainBatchTest, SharesConstantsAmongBodiesOfAKind) {
  using T = TypeParam;
  const CrowdOf<T> crowd(1000, 3);
  const Matrix<T> turned{{convert<T>(Vector<double>{{0.7, 0.1, 0.0}}),
                          convert<T>(Vector<double>{{0.1, 0.6, 0.2}}),
                          convert<T>(Vector<double>{{0.0, 0.2, 0.9}})}};
  const std::array<Body<T>, 3> kinds{Body<T>(convert<T>(Vector<double>{{0.345, 0.653, 1}})),
                                     Body<T>(convert<T>(Vector<double>{{1, 0.345, 0.653}})), Body<T>(turned)};
  std::vector<Body<T>> bodies;
  std::mt19937_64 random(9);
  for (std::size_t i = 0; i < crowd.states.size(); ++i) bodies.push_back(kinds[random() % 3]);
  PlainBatch<T> batch(bodies, crowd.states);
  follow_programme<T>(batch);
  expect_rotors<T>(batch, bodies, crowd.states);
  PlainBatch<T> again(bodies, crowd.states);
  again.restore(batch.save());
  for (std::size_t i = 0; i < bodies.size(); ++i) ASSERT_EQ(again.state(i), batch.state(i));
}

// One step of 500 bodies for each angle, in units of the last place, a half of which is the rounding of the result. That of a long step of
// double grows with its angle as that of the compensated one; the one of float is rounded from it.
TYPED_TEST(PlainBatchTest, MakesStepsToTheLastPlace) {
  using T = TypeParam;
  const double eps = std::numeric_limits<T>::epsilon();
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform(0.2, 1.0);
  for (const double angle : {1e-3, 0.01, 0.06, 0.07, 0.2, 0.45, 0.48, 2.0, 50.0}) {
    double worst = 0;
    for (int i = 0; i < 500; ++i) {
      const Vector<T> moments =
          convert<T>(Vector<double>{{uniform(random), uniform(random), uniform(random)}});
      const Vector<double> m{{normal(random), normal(random), normal(random)}};
      const Quaternion<double> q{normal(random), normal(random), normal(random), normal(random)};
      const State<T> start = convert<T>(State<double>{(1 / norm(m)) * m, normalized(q)});
      PlainRotor<T> rotor(Body<T>(moments), start);
      const T h = static_cast<T>(angle) * rotor.body().moments()[0];
      rotor.advance(h, 1);
      const Trajectory<double> truth(Body<double>(convert<double>(moments)), convert<double>(start));
      const State<DoubleDouble> expected = truth.wide_at(DoubleDouble(static_cast<double>(h)));
      const State<double> found = convert<double>(rotor.state());
      for (std::size_t k = 0; k < 3; ++k)
        worst = std::max(worst, std::abs(static_cast<double>(found.momentum[k] - expected.momentum[k])));
      for (std::size_t k = 0; k < 4; ++k)
        worst = std::max(worst, std::abs(static_cast<double>(found.attitude[k] - expected.attitude[k])));
    }
    const bool grows = std::same_as<T, double> && angle > middle_angle;
    EXPECT_LT(worst, (grows ? 1.8 + 0.1 * angle : 0.7) * eps) << angle;
  }
}

// The rounding to float and back, which GCC 12 leaves out of neighbours that it vectorises.
TEST(Float, IsRoundedWhenItIsConverted) {
  const Vector<double> v{{0.1, 0.2, 0.3}};
  const Vector<double> back = convert<double>(convert<float>(v));
  for (std::size_t i = 0; i < 3; ++i) {
    volatile float x = static_cast<float>(v[i]);
    EXPECT_EQ(back[i], static_cast<double>(x));
  }
}

}  // namespace
}  // namespace polhode::testing
