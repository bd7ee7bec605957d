// Satellites: what mechanics knows of them in closed form.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "polhode/arithmetic/quaternion.hpp"
#include "tests/systems/driven_scenario.hpp"

namespace polhode::program {

using namespace core;
namespace {

std::string text(double x) {
  std::array<char, 40> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "%.17g", x);
  return buffer.data();
}

TEST(Satellite, NoticesDegrees) {
  Trial degrees("satellite-eccentric", {"method.steps=1", "system.orbit.inclination=98"});
  ASSERT_FALSE(degrees.scenario().warnings().empty());
  EXPECT_NE(degrees.scenario().warnings().back().find("inclination is 98: angles are in radians"),
            std::string::npos)
      << degrees.scenario().warnings().back();
  Trial radians("satellite-eccentric", {"method.steps=1", "system.orbit.inclination=1.71"});
  for (const std::string& warning : radians.scenario().warnings())
    EXPECT_EQ(warning.find("radians"), std::string::npos) << warning;
}

TEST(Satellite, JacobiIntegralOnACircularOrbit) {
  // 300 orbits. Measured 1.7e-14, which is the scheme's, and the same over 10^4 orbits.
  Trial trial("satellite-circular", {"method.steps=9425"});
  EXPECT_LT(largest_error(trial.run(), "jacobi_integral"), 4e-14);
  // Tumbling, on an inclined orbit of a faster pace.
  Trial tumbling("satellite-circular",
                 {"method.steps=9425", "method.step=0.05", "state.angular_velocity=[0.7,-0.5,0.4]",
                  "system.orbit={mean_motion=1.5,inclination=1.0,ascending_node=2.0,mean_anomaly=0.3}"});
  EXPECT_LT(largest_error(tumbling.run(), "jacobi_integral"), 4e-12);  // measured 1.5e-12
}

/// The frequency of the swings of an angle, from its upward passages through zero.
double frequency_of(const Trial& trial, const std::string& angle) {
  const std::vector<double> x = trial.series(angle), t = trial.series("t");
  std::vector<double> passages;
  for (std::size_t i = 1; i < x.size(); ++i)
    if (x[i - 1] < 0.0 && x[i] >= 0.0)
      passages.push_back(t[i - 1] - x[i - 1] * (t[i] - t[i - 1]) / (x[i] - x[i - 1]));
  return 2.0 * std::numbers::pi * static_cast<double>(passages.size() - 1) /
         (passages.back() - passages.front());
}

constexpr double yaw_moment = 1.0, roll_moment = 2.0, pitch_moment = 2.5;

/// Small angles of 1e-5: what is not linear in them changes the frequency by about their square.
constexpr double small = 1e-5;

TEST(Satellite, PitchSwingsAsTheLinearTheorySays) {
  const double expected = std::sqrt(3.0 * (roll_moment - yaw_moment) / pitch_moment);
  Trial trial("satellite-circular", {"state.angular_velocity=[0,0," + text(1.0 + small) + "]",
                                     "method.step=0.05", "method.steps=20000"});
  trial.run(1);
  // Measured 4e-9, and up to 7e-9 for roll and yaw: what the passages through zero are found to.
  EXPECT_NEAR(frequency_of(trial, "pitch"), expected, 2e-8 * expected);
  // The plane motion stays one.
  for (const double roll : trial.series("roll")) ASSERT_EQ(roll, 0.0);
}

TEST(Satellite, RollAndYawSwingAsTheLinearTheorySays) {
  // With the angles about the radius (y) and the forward direction (r), the orbit's rate being one:
  //   A y'' - d r' + (C - B) y = 0,  B r'' + d y' + 4 (C - A) r = 0,  d = A + B - C.
  const double a = yaw_moment, b = roll_moment, c = pitch_moment, d = a + b - c;
  const double p = (4.0 * a * (c - a) + b * (c - b) + d * d) / (a * b);
  const double q = 4.0 * (c - b) * (c - a) / (a * b);
  for (const double sign : {-1.0, 1.0}) {
    const double square = p / 2.0 + sign * std::sqrt(p * p / 4.0 - q), expected = std::sqrt(square);
    // The mode y = small cos, r = amplitude sin: it starts with a turn about the radius.
    const double amplitude = small * ((c - b) - a * square) / (d * expected);
    Trial trial(
        "satellite-circular",
        {"state.attitude=[" + text(std::cos(small / 2.0)) + "," + text(std::sin(small / 2.0)) + ",0,0]",
         "state.angular_velocity=[0," + text(amplitude * expected + small) + ",1]", "method.step=0.05",
         "method.steps=20000"});
    trial.run(1);
    EXPECT_NEAR(frequency_of(trial, "yaw"), expected, 2e-8 * expected);
    EXPECT_NEAR(frequency_of(trial, "roll"), expected, 2e-8 * expected);
    const std::vector<double> yaw = trial.series("yaw"), roll = trial.series("roll");
    EXPECT_NEAR(*std::max_element(yaw.begin(), yaw.end()), small, 1e-3 * small);
    EXPECT_NEAR(*std::max_element(roll.begin(), roll.end()), std::abs(amplitude), 1e-3 * small);
  }
}

TEST(Satellite, AnglesAreThoseOfTheOrbitalFrame) {
  Trial trial("satellite-eccentric", {"method.duration=86400"});
  trial.run(60);
  // The orbit again, by Kepler's equation in bisection and a product of rotations.
  const double e = 0.683, n = std::sqrt(3.986004418e14 / std::pow(24.4e6, 3));
  const auto turn = [](std::size_t axis, double angle) {
    Quaternion<double> r{std::cos(angle / 2.0), 0.0, 0.0, 0.0};
    r[axis] = std::sin(angle / 2.0);
    return r;
  };
  const auto &t = trial.series("t"), &roll = trial.series("roll"), &pitch = trial.series("pitch"),
             &yaw = trial.series("yaw");
  for (std::size_t i = 0; i < t.size(); ++i) {
    const double mean = n * t[i];
    double low = mean - 1.0, high = mean + 1.0;
    for (int j = 0; j < 60; ++j) {
      const double middle = (low + high) / 2.0;
      (middle - e * std::sin(middle) < mean ? low : high) = middle;
    }
    const double anomaly = std::atan2(std::sqrt(1.0 - e * e) * std::sin(low), std::cos(low) - e);
    const Quaternion<double> expected = turn(3, 1.0) * turn(1, 0.4974) * turn(3, 3.12 + anomaly) *
                                        turn(3, pitch[i]) * turn(2, roll[i]) * turn(1, yaw[i]);
    double same = 0.0;
    for (std::size_t k = 0; k < 4; ++k) same += expected[k] * trial.series("attitude", k)[i];
    EXPECT_NEAR(std::abs(same), 1.0, 1e-14) << t[i];
    // The cosine of an angle says little of a small one.
    double apart = 0.0;
    for (std::size_t k = 0; k < 4; ++k)
      apart = std::hypot(apart, expected[k] - std::copysign(1.0, same) * trial.series("attitude", k)[i]);
    ASSERT_LT(apart, 1e-13) << t[i];
  }
}

TEST(Satellite, EccentricOrbitShowsTheOrderOfTheScheme) {
  const auto end = [](const std::string& scheme, double step) {
    Trial trial("satellite-eccentric",
                {"method.duration=43200", "method.scheme=" + scheme, "method.step=" + text(step)});
    trial.run();
    return trial.simulation().look().state;
  };
  const std::vector<double> truth = end("rkn6-14", 7.5);
  const auto error = [&](const std::string& scheme, double step) {
    const std::vector<double> state = end(scheme, step);
    double sum = 0.0;
    for (std::size_t i = 0; i < 3; ++i) sum = std::hypot(sum, state[i] - truth[i]);
    return sum;
  };
  const struct {
    const char* scheme;
    double step;
    int order;
  } cases[] = {{"strang", 15.0, 2},         {"suzuki-4", 60.0, 4}, {"aba-8-6-4", 120.0, 4},
               {"blanes-moan-6", 120.0, 6}, {"rkn6-14", 120.0, 6}, {"kahan-li-8", 120.0, 8}};
  for (const auto& c : cases) {
    const double order = std::log2(error(c.scheme, c.step) / error(c.scheme, c.step / 2.0));
    EXPECT_NEAR(order, c.order, 0.15) << c.scheme;
  }
}

}  // namespace
}  // namespace polhode::program
