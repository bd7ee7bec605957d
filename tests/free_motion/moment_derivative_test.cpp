// The derivatives of the free motion by the moments of inertia, against differences in quadruple precision.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "polhode/free_motion/rotor.hpp"
#include "polhode/free_motion/tangent.hpp"
#include "reference/degenerate.hpp"
#include "reference/quadruple.hpp"

namespace polhode {

using namespace core;
namespace {

using reference::Case;
using reference::description;
using reference::Quad;

/// In units of the largest entry; `apart`: the distance of the neighbours. The moments are those of an Inertia, which does not sort them: a symmetric body has
/// neighbours on both sides.
double moment_error(const Case& c, double h, double apart) {
  const auto found = derivatives::by_moments(Body<double>(c.moments), {c.momentum, {1, 0, 0, 0}}, h);
  double worst = 0, largest = 0;
  for (std::size_t j = 0; j < 3; ++j) {
    const Quad e = Quad(apart) * Quad(c.moments[j]);
    const auto end = [&](const Quad& shift) {
      Vector<Quad> moments = convert<Quad>(c.moments);
      moments[j] += shift;
      return AnyClosedForm<Quad, 115>(Inertia<Quad>(moments), convert<Quad>(c.momentum)).advance(Quad(h));
    };
    const auto after = end(e), before = end(-e);
    const Quaternion<Quad> turn = conjugate(before.rotation) * after.rotation;
    const Quad twice = (turn[0] < Quad(0) ? Quad(-2) : Quad(2)) / norm_squared(before.rotation);
    for (std::size_t i = 0; i < 3; ++i) {
      const auto dm = static_cast<double>((after.momentum[i] - before.momentum[i]) / (Quad(2) * e));
      const auto xi = static_cast<double>(twice * turn[i + 1] / (Quad(2) * e));
      worst = std::max({worst, std::abs(found[j].momentum[i] - dm), std::abs(found[j].rotation[i] - xi)});
      largest = std::max({largest, std::abs(dm), std::abs(xi)});
    }
  }
  return largest > 0 ? worst / largest : worst;
}

TEST(MomentDerivative, IsTheDifferenceOfNeighbours) {
  std::mt19937 generator(1);
  std::uniform_real_distribution<double> size(0.1, 2.0), any(-1.0, 1.0);
  for (int i = 0; i < 300; ++i) {
    Case c{{size(generator), size(generator), size(generator)},
           {any(generator), any(generator), any(generator)}};
    std::sort(c.moments.c.begin(), c.moments.c.end());
    const double h = (i % 2 == 0 ? 1 : -1) * std::pow(10.0, 4 * any(generator));
    // Of the shortest motions, quadruple precision leaves 1e-34/1e-12/1e-4 of the differences.
    EXPECT_LT(moment_error(c, h, 0x1p-40), 4e-16) << description(c, h);
  }
}

/// Spheres, symmetric bodies, rotations about axes, and the separatrix. On it and closer than 1e-4 to it, the neighbours of a long
/// motion go other ways, and differences are none.
TEST(MomentDerivative, IsRightAtDegenerateStates) {
  for (const Case& c : reference::degenerate_cases()) {
    const Vector<double>& i = c.moments;
    const double a1 = 1 / i[1] - 1 / i[2], a3 = 1 / i[0] - 1 / i[1];
    const double gap = std::abs(a1 * c.momentum[2] * c.momentum[2] - a3 * c.momentum[0] * c.momentum[0]);
    const double size = a1 * c.momentum[2] * c.momentum[2] + a3 * c.momentum[0] * c.momentum[0];
    // Of 1e-12 and less, the moments' differences themselves change by a part that is not small.
    if (i[2] - i[0] < 1e-3 || (a1 > 0 && a1 < 1e-3) || (a3 > 0 && a3 < 1e-3)) continue;
    for (const double h : {1e-2, 1.0, 100.0}) {
      if (h > 1.0 && gap < 1e-5 * size) continue;
      EXPECT_LT(moment_error(c, h, 0x1p-52), 1e-12) << description(c, h);
    }
  }
}

/// Of a sphere nothing is known to be small: m stays, and xi is -h m/I^2 for all three moments together.
TEST(MomentDerivative, OfASphere) {
  const Vector<double> m{0.25, -0.5, 1.0};
  const auto found = derivatives::by_moments(Body(Vector<double>{2.0, 2.0, 2.0}), {m, {1, 0, 0, 0}}, 3.0);
  const Vector<double> momentum = found[0].momentum + found[1].momentum + found[2].momentum;
  const Vector<double> rotation = found[0].rotation + found[1].rotation + found[2].rotation;
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(momentum[i], 0.0, 1e-15);
    EXPECT_NEAR(rotation[i], -3.0 * m[i] / 4.0, 1e-15);
  }
}

/// A body of twice the size at twice the momentum moves in the same way: an identity of all derivatives.
TEST(MomentDerivative, OfACommonFactor) {
  const Body body(Vector<double>{0.345, 0.653, 1.0});
  const State<double> state{{0.5, 0.2, 0.84}, {1, 0, 0, 0}};
  for (const double h : {0.01, 1.0, 50.0, 1e4}) {
    const auto found = derivatives::by_moments(body, state, h);
    const auto by_state = tangent_map(body, state, h).apply({state.momentum, {}});
    Vector<double> momentum = by_state.momentum - step(body, state, h).momentum, rotation = by_state.rotation;
    double size = norm(by_state.momentum) + norm(by_state.rotation);
    for (std::size_t j = 0; j < 3; ++j) {
      momentum = momentum + body.moments()[j] * found[j].momentum;
      rotation = rotation + body.moments()[j] * found[j].rotation;
      size += norm(found[j].momentum) + norm(found[j].rotation);
    }
    EXPECT_LT(norm(momentum) + norm(rotation), 4e-16 * size) << h;
  }
}

}  // namespace
}  // namespace polhode
