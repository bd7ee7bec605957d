// The order of the axes in the splitting of McLachlan and Reich.
#include "polhode/free_motion/mclachlan_reich.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "polhode/free_motion/rotor.hpp"

namespace polhode::testing {

using namespace core;
namespace {

McLachlanReichOptions order_of_axes(int axes) {
  McLachlanReichOptions options;
  options.axes = axes;
  return options;
}

/// The largest energy error of [CS06 figure 2], 1000 steps of 0.4 of a body whose energy is 6.
double largest_energy_error(int axes) {
  Rotor<McLachlanReich<double>> rotor(Body<double>(Vector<double>{1, 2, 3}),
                                      State<double>{{1, -4, 3}, Quaternion<double>()}, order_of_axes(axes));
  const DoubleDouble start = rotor.energy();
  double largest = 0;
  for (int i = 0; i < 1000; ++i) {
    rotor.advance(0.4, 1);
    largest = std::max(largest, std::abs(static_cast<double>(rotor.energy() - start)));
  }
  return largest;
}

TEST(McLachlanReich, ErrorDependsOnTheOrderOfTheAxes) {
  constexpr std::array expected{9.03e-3, 4.17e-2, 1.93e-1, 4.41e-2, 1.36, 5.37e-1};
  for (int axes = 0; axes < 6; ++axes) {
    const double relative = largest_energy_error(axes) / expected[static_cast<std::size_t>(axes)];
    EXPECT_NEAR(relative, 1, 5e-3) << axes;
  }
}

/// A body that turns about one axis is turned by one of the rotations alone: every order is exact.
TEST(McLachlanReich, TurnsAboutEachAxisInEveryOrder) {
  const Inertia<double> inertia(Vector<double>{1, 2, 3});
  for (int axes = 0; axes < 6; ++axes)
    for (std::size_t i = 0; i < 3; ++i) {
      Vector<double> m{};
      m[i] = 1;
      Motion<double, Summation::plain> motion(State<double>{m, Quaternion<double>()});
      McLachlanReich<double>(inertia, order_of_axes(axes)).step(motion, 0.5);
      const double half_angle = 0.25 / static_cast<double>(i + 1);
      EXPECT_EQ(motion.momentum(), m);
      EXPECT_NEAR(motion.attitude()[0], std::cos(half_angle), 2e-16);
      EXPECT_NEAR(motion.attitude()[i + 1], std::sin(half_angle), 2e-16);
    }
}

TEST(McLachlanReich, RefusesOtherOrders) {
  const Inertia<double> inertia(Vector<double>{1, 2, 3});
  for (const int axes : {-1, 6})
    EXPECT_THROW(McLachlanReich<double>(inertia, order_of_axes(axes)), InputError) << axes;
}

}  // namespace
}  // namespace polhode::testing
