// What the tests of Gauss, Lobatto and RATTLE share.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "polhode/constrained/starter.hpp"
#include "polhode/error.hpp"
#include "reference/growth.hpp"

namespace companions {

using namespace polhode;
using namespace polhode::core;

/// The largest difference of a coordinate or a momentum.
template <std::size_t n>
double distance(const PhasePoint<DoubleDouble, n>& a, const PhasePoint<DoubleDouble, n>& b) {
  double result = 0.0;
  for (std::size_t i = 0; i < a.position.size(); ++i) {
    result = std::max(result, std::abs(static_cast<double>(a.position[i] - b.position[i])));
    result = std::max(result, std::abs(static_cast<double>(a.momentum[i] - b.momentum[i])));
  }
  return result;
}

/// The same point with the velocity reversed.
template <std::size_t n>
PhasePoint<DoubleDouble, n> reversed(PhasePoint<DoubleDouble, n> x) {
  for (DoubleDouble& p : x.momentum) p = -p;
  return x;
}

/// The motion after the given time by extrapolation, in parts that it follows to the last digits: an integrator that has
/// nothing in common with those under test.
template <class S>
PhasePointOf<S, DoubleDouble> exact_motion(const S& system, double time, int parts) {
  Manifold<S, DoubleDouble> manifold(system);
  Starter<S, DoubleDouble> starter(manifold);
  auto point = starter.begin(consistent(manifold, system.standard_state()));
  for (int i = 0; i < parts; ++i) point = starter.step(point, DoubleDouble(time) / DoubleDouble(parts));
  PhasePointOf<S, DoubleDouble> result(manifold.dimension());
  result.position = point.position;
  result.momentum = point.velocity;
  manifold.mass().multiply(result.momentum);
  return result;
}

/// The sum of dp wedge dq for two tangents.
template <std::size_t n>
DoubleDouble symplectic_form(const PhasePoint<DoubleDouble, n>& a, const PhasePoint<DoubleDouble, n>& b) {
  DoubleDouble sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += a.momentum[i] * b.position[i] - a.position[i] * b.momentum[i];
  return sum;
}

template <std::size_t n>
PhasePoint<DoubleDouble, n> difference(const PhasePoint<DoubleDouble, n>& a,
                                       const PhasePoint<DoubleDouble, n>& b, double scale) {
  PhasePoint<DoubleDouble, n> result;
  for (std::size_t i = 0; i < n; ++i) {
    result.position[i] = (a.position[i] - b.position[i]) / scale;
    result.momentum[i] = (a.momentum[i] - b.momentum[i]) / scale;
  }
  return result;
}

/// What the action throws, or nothing.
template <class Error, class Action>
std::string sentence(Action&& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

using reference::growth;

/// Two like motions: the second continues from what the first has saved and ends with the same bits.
template <class Method>
void expect_to_continue(Method first, Method second) {
  first.advance(7);
  const auto saved = first.save();
  first.advance(20);
  second.advance(3);
  second.restore(saved);
  EXPECT_EQ(second.steps_taken(), 7);
  second.advance(20);
  EXPECT_EQ(first.wide_state(), second.wide_state());
  EXPECT_EQ(first.evaluations(), second.evaluations());
  EXPECT_EQ(first.save(), second.save());
}

}  // namespace companions
