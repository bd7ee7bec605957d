// Motions looked at: times of one's own, dense output, events.
#include "polhode/stepping/looking.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "polhode/free_motion/rotor.hpp"
#include "polhode/splitting/driven_rotor.hpp"
#include "polhode/torque/uniform_field.hpp"
#include "reference/compare.hpp"

namespace polhode {

using namespace core;
namespace {

using reference::state_error;

const State<double> start{{{0.5, -0.7, 0.9}}, {0.5, -0.1, 0.7, 0.3}};

auto top(const char* name) {
  return driven(Body({1.0, 1.4, 2.0}), start, UniformField({0.1, -0.2, 0.6}), scheme(name),
                DoubleDouble(2.0));
}
using Top = decltype(top("strang"));

/// The error of a step is one order higher than that of a run.
TEST(Looking, BetweenStepsHasTheOrderOfTheScheme) {
  for (const auto& [name, order] : {std::pair{"strang", 2}, {"blanes-moan-4", 4}}) {
    auto fine = top("kahan-li-8");
    fine.advance(0.01, 40);
    const auto error = [&, name = name](double h) {
      auto rotor = top(name);
      rotor.advance(h, static_cast<int>(std::lround(0.4 / h)) - 1);
      rotor.advance(h / 2, 1);
      return state_error(looking::at_time(rotor, DoubleDouble(2.0) + DoubleDouble(0.4)).state(),
                         fine.state());
    };
    EXPECT_NEAR(std::log2(error(0.1) / error(0.05)), order, 0.3) << name;
  }
}

TEST(Looking, HasTimesOfOnesOwnAndAStart) {
  Top rotor = top("blanes-moan-6");
  looking::Seen<Top> seen;
  looking::follow(rotor, 0.1, 3.05, {.times = {2.0, 2.25, 2.3, 3.05}}, seen);
  ASSERT_EQ(seen.at_times.size(), 4u);
  EXPECT_EQ(state_error(seen.at_times[0].state(), top("strang").state()), 0.0);
  auto fine = top("kahan-li-8");
  fine.advance(0.025, 10);
  EXPECT_LT(state_error(seen.at_times[1].state(), fine.state()), 2e-10);
  EXPECT_NEAR(static_cast<double>(seen.at_times[1].time()), 2.25, 1e-16);
  EXPECT_NEAR(static_cast<double>(rotor.time()), 3.05, 1e-15);
  EXPECT_EQ(seen.at_times[3].state(), rotor.state());
}

/// A sphere that turns about an axis: the events are known. Rising zeros of sin(t) are 0, 2 pi, ...
TEST(Looking, FindsEventsToTheLastDigit) {
  using Sphere = Rotor<Exact<double>>;
  const auto sine = [](const Sphere& s) { return rotate(s.state().attitude, {1.0, 0.0, 0.0})[1]; };
  for (const int direction : {-1, 0, 1}) {
    Sphere sphere(Body({1.0, 1.0, 1.0}), {.momentum = {0.0, 0.0, 1.0}});
    looking::Seen<Sphere> seen;
    looking::follow(sphere, 0.3, 20.0, {.events = {{sine, direction}}}, seen);
    std::vector<double> expected;
    for (int k = 1; k <= 6; ++k)
      if (direction == 0 || (k % 2 == 0) == (direction > 0)) expected.push_back(k * std::numbers::pi);
    ASSERT_EQ(seen.events.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i)
      EXPECT_NEAR(static_cast<double>(seen.events[i].second.time()), expected[i], 1e-14);
    EXPECT_FALSE(seen.ended);
  }
}

TEST(Looking, EndsAtATerminalEvent) {
  Top rotor = top("rkn6-14");
  const auto clock = [](const Top& r) { return static_cast<double>(r.time()) - 2.345; };
  const auto later = [](const Top& r) { return static_cast<double>(r.time()) - 2.36; };
  looking::Seen<Top> seen;
  looking::follow(rotor, 0.1, 5.0, {.times = {2.1, 2.35}, .events = {{later}, {clock, 1, true}}}, seen);
  EXPECT_TRUE(seen.ended);
  ASSERT_EQ(seen.events.size(), 1u);
  EXPECT_EQ(seen.events[0].first, 1u);
  EXPECT_NEAR(static_cast<double>(rotor.time()), 2.345, 1e-15);
  EXPECT_EQ(seen.at_times.size(), 1u);
}

/// Crossings at random times, two looks apart at least.
TEST(Looking, MissesNoCrossing) {
  using Sphere = Rotor<Exact<double>>;
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> gap(0.051, 0.5);
  std::size_t expected = 0, found = 0;
  double worst = 0;
  for (int run = 0; run < 20; ++run) {
    std::vector<double> roots{0.03};
    while (roots.size() < 500) roots.push_back(roots.back() + gap(random));
    const auto wave = [&](const Sphere& s) {
      const double t = static_cast<double>(s.time());
      const auto after = std::ranges::upper_bound(roots, t);
      const double sign = (after - roots.begin()) % 2 == 0 ? 1 : -1;
      double near = 1;
      if (after != roots.end()) near = std::min(near, *after - t);
      if (after != roots.begin()) near = std::min(near, t - *std::prev(after));
      return sign * near;
    };
    Sphere sphere(Body({1.0, 1.0, 1.0}), {.momentum = {0.0, 0.0, 1.0}});
    looking::Seen<Sphere> seen;
    looking::follow(sphere, 0.2, roots.back() + 0.1, {.events = {{wave}}, .substeps = 4}, seen);
    expected += roots.size();
    found += seen.events.size();
    for (std::size_t i = 0; i < std::min(roots.size(), seen.events.size()); ++i)
      worst = std::max(worst, std::abs(static_cast<double>(seen.events[i].second.time()) - roots[i]));
  }
  EXPECT_EQ(expected, 10000u);
  EXPECT_EQ(found, expected);
  EXPECT_LT(worst, 6e-14);  // an ulp of the time is 3e-14 at the end
}

TEST(Looking, RefusesWhatIsWrongAndKeepsWhatWasSeen) {
  Top rotor = top("strang");
  looking::Seen<Top> seen;
  EXPECT_THROW(looking::follow(rotor, -0.1, 3.0, {}, seen), InputError);
  EXPECT_THROW(looking::follow(rotor, 0.1, 3.0, {.times = {2.5, 2.4}}, seen), InputError);
  EXPECT_THROW(looking::follow(rotor, 0.1, 3.0, {.times = {3.5}}, seen), InputError);
  EXPECT_THROW(looking::follow(rotor, 0.1, 3.0, {.substeps = 0}, seen), InputError);
  const auto bad = [](const Top& r) { return static_cast<double>(r.time()) < 2.55 ? 1.0 : std::nan(""); };
  EXPECT_THROW(looking::follow(rotor, 0.1, 3.0, {.times = {2.2}, .events = {{bad}}}, seen), MotionError);
  EXPECT_EQ(seen.at_times.size(), 1u);
  EXPECT_NEAR(static_cast<double>(rotor.time()), 2.5, 1e-15);
}

}  // namespace
}  // namespace polhode
