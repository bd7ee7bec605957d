// RATTLE: what its steps satisfy, what they cost, and that they do not drift.
#include "polhode/constrained/rattle.hpp"

#include <gtest/gtest.h>

#include "constrained/companions.hpp"
#include "polhode/constrained/systems/spherical_pendulum.hpp"
#include "polhode/constrained/systems/two_body_sphere.hpp"

using namespace polhode;
using namespace polhode::core;
using namespace companions;
using systems::SphericalPendulum;
using systems::TwoBodySphere;

namespace {

double size(const DoubleDouble& x) { return std::abs(static_cast<double>(x)); }

// Second differences of positions are h^2 (f - lambda q), and momenta the tangential part of central differences: the
// definition by SHAKE's recursion, from which nothing of the program is taken.
TEST(Rattle, FollowsTheRecursionOfShake) {
  const SphericalPendulum system;
  const double h = 0.0625;
  Rattle<SphericalPendulum, DoubleDouble> rattle(system, system.standard_state(), h);
  std::vector<PhasePoint<DoubleDouble, 3>> points{rattle.wide_state()};
  for (int i = 0; i < 50; ++i) {
    rattle.advance();
    points.push_back(rattle.wide_state());
  }
  double worst_position = 0.0, worst_momentum = 0.0;
  for (std::size_t n = 1; n + 1 < points.size(); ++n) {
    const auto &before = points[n - 1].position, &now = points[n].position, &after = points[n + 1].position;
    std::array<DoubleDouble, 3> rest, velocity;
    DoubleDouble rest_along = 0, velocity_along = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      rest[i] = (after[i] - 2 * now[i] + before[i]) / (h * h) - DoubleDouble(i == 2 ? -1 : 0);
      velocity[i] = (after[i] - before[i]) / (2 * h);
      rest_along += rest[i] * now[i];
      velocity_along += velocity[i] * now[i];
    }
    for (std::size_t i = 0; i < 3; ++i) {
      worst_position = std::max(worst_position, size(rest[i] - rest_along * now[i]));
      worst_momentum =
          std::max(worst_momentum, size(velocity[i] - velocity_along * now[i] - points[n].momentum[i]));
    }
  }
  EXPECT_LE(worst_position, 1e-29);  // the last places of q over h^2
  EXPECT_LE(worst_momentum, 3e-31);
}

TEST(Rattle, IsTheLobattoPairOfTwoStages) {
  const TwoBodySphere system;
  Rattle<TwoBodySphere> rattle(system, system.standard_state(), 0.01);
  Lobatto<TwoBodySphere> lobatto(system, system.standard_state(), 0.01, {.stages = 2});
  rattle.advance(100);
  lobatto.advance(100);
  EXPECT_EQ(rattle.order(), 2);
  EXPECT_EQ(rattle.save(), lobatto.save());
}

TEST(Rattle, AsksForOneForceAndFewConstraints) {
  const TwoBodySphere system;
  Rattle<TwoBodySphere> rattle(system, system.standard_state(), 0.001);
  rattle.advance(20000);
  EXPECT_EQ(rattle.evaluations().force, 20000);
  EXPECT_LE(static_cast<double>(rattle.evaluations().constraint), 4.1 * 20000);
}

// The error of order 2 stays where it is: the worst of the second half is that of the first.
TEST(Rattle, DoesNotDrift) {
  const TwoBodySphere system;
  Rattle<TwoBodySphere> rattle(system, system.standard_state(), 0.005);
  const DoubleDouble energy = rattle.energy();
  std::array<double, 2> worst{};
  double residual = 0.0;
  for (double& half : worst)
    for (int i = 0; i < 5000; ++i) {
      rattle.advance(10);
      half = std::max(half, size(rattle.energy() - energy));
      const auto rest = rattle.residual();
      residual = std::max({residual, size(rest.position), size(rest.velocity)});
    }
  EXPECT_NEAR(worst[1] / worst[0], 1.0, 0.002);
  EXPECT_LE(residual, 6e-16);
}

// The method keeps what rotations keep, whatever the step: what is left is round-off.
TEST(Rattle, KeepsTheAngularMomentumOfTwoBodies) {
  const TwoBodySphere system;
  const auto momentum = [](const PhasePoint<DoubleDouble, 6>& x) {
    std::array<DoubleDouble, 3> sum{};
    for (std::size_t a = 0; a < 6; a += 3)
      for (std::size_t j = 0; j < 3; ++j) {
        const std::size_t k = a + (j + 1) % 3, l = a + (j + 2) % 3;
        sum[j] += x.position[k] * x.momentum[l] - x.position[l] * x.momentum[k];
      }
    return sum;
  };
  const auto worst = [&]<class Method>(Method method, int count) {
    const auto start = momentum(method.wide_state());
    method.advance(count);
    const auto end = momentum(method.wide_state());
    return std::max({size(end[0] - start[0]), size(end[1] - start[1]), size(end[2] - start[2])});
  };
  EXPECT_LE(worst(Rattle<TwoBodySphere>(system, system.standard_state(), 0.005), 100000), 2e-15);
  EXPECT_LE(worst(Rattle<TwoBodySphere, DoubleDouble>(system, system.standard_state(), 0.005), 1000), 6e-31);
}

}  // namespace
