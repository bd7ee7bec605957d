// Lyapunov exponents of bodies under torque: against neighbouring trajectories in DoubleDouble, and where they are known.

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "polhode/splitting/lyapunov.hpp"
#include "polhode/torque/gravity_gradient.hpp"
#include "polhode/torque/uniform_field.hpp"

namespace polhode {

using namespace core;
namespace {

const Vector<double> moments{0.625, 0.8125, 0.96875};

template <class T>
auto satellite_torque() {
  return GravityGradient<T>(KeplerOrbit<T>(OrbitElements<T>{.eccentricity = T(0.125)}));
}

/// A satellite like Hyperion, which tumbles; the momentum has the unit one.
const State<double> tumbling{{0.0625, 0.125, 1.0}, {0.5, 0.5, -0.5, 0.5}};

/// The distance in (dm, xi) of neighbours that begin 2^-80 apart in the first component of the momentum. The unit of the
/// momentum is one, so that the first change that the exponents follow is this one.
TEST(Lyapunov, IsTheGrowthOfTheDistanceOfNeighbours) {
  const double h = 0.0625;
  const std::int64_t steps = 1600;
  const auto end = [&](const DoubleDouble& shift) {
    State<DoubleDouble> s = convert<DoubleDouble>(tumbling);
    s.momentum[0] += shift;
    auto rotor = driven(Body<DoubleDouble>(convert<DoubleDouble>(moments)), s,
                        satellite_torque<DoubleDouble>(), scheme("strang"));
    rotor.advance(DoubleDouble(h), steps);
    return rotor.state();
  };
  const State<DoubleDouble> one = end(DoubleDouble(0)), other = end(DoubleDouble(0x1p-80));
  const Quaternion<DoubleDouble> turn = conjugate(one.attitude) * other.attitude;
  const Vector<DoubleDouble> dm = other.momentum - one.momentum, xi = DoubleDouble(2) * turn.vector();
  const auto grown = static_cast<double>(sqrt(dot(dm, dm) + dot(xi, xi))) * 0x1p80;
  EXPECT_GT(grown, 1e4);
  const double time = h * static_cast<double>(steps);
  // The trajectory in double is off by its round-off times the growth.
  EXPECT_NEAR(
      lyapunov_exponent(Body(moments), tumbling, satellite_torque<double>(), scheme("strang"), h, steps),
      std::log(grown) / time, 1e-15 * grown / time);
}

/// Pairs of either sign, which add up to zero, and an exponent that has settled.
TEST(Lyapunov, OfAChaoticMotionComesInPairs) {
  const auto found = derivatives::lyapunov_exponents(Body(moments), tumbling, satellite_torque<double>(),
                                                     scheme("strang"), 0.0625, 64000);
  ASSERT_EQ(found.times.size(), 16u);
  EXPECT_EQ(found.times.back(), 4000.0);
  EXPECT_EQ(found.times.front(), 250.0);
  const auto& last = found.last();
  EXPECT_LT(std::abs(std::accumulate(last.begin(), last.end(), 0.0)), 1e-13);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(last[i], -last[5 - i], 0.01) << i;
  EXPECT_GT(last[0], 0.1);
  EXPECT_NEAR(last[0], found.values[7][0], 0.02);
}

/// A heavy symmetric top is integrable: distances grow like the time, and the exponents fall like log(t)/t.
TEST(Lyapunov, OfARegularMotionIsZero) {
  const auto found = derivatives::lyapunov_exponents(
      Body(Vector<double>{1.0, 1.0, 0.5}), {{0.25, 0.125, 1.5}, {1, 0.5, 0, 0}},
      UniformField({0.0, 0.0, 1.0}), scheme("strang"), 0.0625, 64000);
  for (std::size_t i = 0; i < found.times.size(); ++i)
    EXPECT_LT(found.values[i][0], 1.5 * std::log(found.times[i]) / found.times[i]) << found.times[i];
  EXPECT_LT(found.last()[0], 0.003);
  EXPECT_GT(found.last()[0], 0.0);
}

/// The sum of the exponents is the rate at which volumes in phase space change: minus the trace of C I^-1.
TEST(Lyapunov, SumsToTheDamping) {
  const torques::TorqueList torque(UniformField({0.0, 0.0, 1.0}, {1.0, 0.0, 0.25}),
                                   torques::Damping({0.125, 0.0625, 0.25}),
                                   torques::Wheels({0.0, 0.25, 0.0}));
  const auto found =
      derivatives::lyapunov_exponents(Body(moments), tumbling, torque, scheme("aba-8-2"), 0.0625, 800).last();
  EXPECT_NEAR(std::accumulate(found.begin(), found.end(), 0.0),
              -(0.125 / moments[0] + 0.0625 / moments[1] + 0.25 / moments[2]), 1e-13);
}

/// A rest at the top of a potential, where everything is known: an inverted pendulum about axis 1, whose exponent is the
/// square root of the field over the moment.
TEST(Lyapunov, OfAnInvertedPendulum) {
  const auto found =
      derivatives::lyapunov_exponents(Body(Vector<double>{1.0, 1.0, 0.5}), {{0, 0, 0}, {1, 0, 0, 0}},
                                      UniformField({0.0, 0.0, 1.0}), scheme("kahan-li-8"), 0.125, 4000);
  EXPECT_NEAR(found.last()[0], 1.0, 1e-3);
  EXPECT_NEAR(found.last()[1], 1.0, 1e-3);
  EXPECT_NEAR(found.last()[5], -1.0, 1e-3);
}

TEST(Lyapunov, NeedsTime) {
  const auto run = [](double step, std::int64_t steps, std::int64_t looks) {
    return derivatives::lyapunov_exponents(Body(moments), tumbling, satellite_torque<double>(),
                                           scheme("strang"), step, steps, DoubleDouble(0), looks);
  };
  EXPECT_THROW(run(0.0, 10, 4), InputError);
  EXPECT_THROW(run(0.1, 0, 4), InputError);
  EXPECT_THROW(run(0.1, 10, 0), InputError);
  EXPECT_EQ(run(0.1, 3, 16).times.size(), 3u);
}

}  // namespace
}  // namespace polhode
