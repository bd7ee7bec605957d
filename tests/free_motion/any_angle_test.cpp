// Steps of any finite angle. Up to 2^100 radians the phase is that of quadruple precision to what extended precision has of the angle;
// beyond there is none, and the state is still one of the motion.

#include <gtest/gtest.h>

#include <cfloat>
#include <cmath>
#include <vector>

#include "polhode/polhode.hpp"
#include "reference/compare.hpp"
#include "reference/degenerate.hpp"
#include "reference/quadruple.hpp"

namespace polhode {

using namespace core;
namespace {

using reference::Case;
using reference::description;
using reference::Quad;

std::vector<Case> cases() {
  const std::vector<Vector<double>> bodies{{{1, 2, 3}},
                                           {{1, 1, 1}},
                                           {{0.6, 0.6, 1}},
                                           {{0.6, 1, 1}},
                                           {{1, 1.5, 3}},
                                           {{1e-30, 0.5, 1}},
                                           {{1e-30, 1e-30, 1}},
                                           {{1e-30, 1, 1}},
                                           {{1, 1, 1e30}},
                                           {{5e-324, 1e-323, 2e-323}},
                                           {{0x1p1021, 0x1p1022, 0x1p1023}}};
  const std::vector<Vector<double>> momenta{{{1, -2, 3}},
                                            {{1, 0, 0}},
                                            {{0, 1, 0}},
                                            {{0, 0, -1}},
                                            {{1, 0.5, 1}},
                                            {{1e-160, 1, 1e-160}},
                                            {{1e-300, 1, 1e-300}},
                                            {{1, 1e-9, 1e-9}},
                                            {{1e-300, 1e-200, 1}},
                                            {{1e300, 1e300, -1e300}},
                                            {{1e-300, 1e-310, 1e-301}}};
  std::vector<Case> result;
  for (const auto& b : bodies)
    for (const auto& m : momenta) result.push_back({b, m});
  return result;
}

template <class T>
bool is_unit(const Quaternion<T>& q) {
  return std::abs(static_cast<double>(norm_squared(q)) - 1) <
         4 * static_cast<double>(ScalarTraits<T>::epsilon());
}

/// The invariants of a state in the body's own units, where nothing overflows: energy, |m| and the direction of Q m.
struct Conserved {
  DoubleDouble energy, size;
  Vector<DoubleDouble> direction;
};
template <class RotatingBody>
Conserved conserved(const RotatingBody& now) {
  const State<DoubleDouble> s = now.motion().wide_state();
  const DoubleDouble size = norm(s.momentum);
  return {now.body().inertia().energy(s.momentum), size,
          (DoubleDouble(1) / size) * rotate(normalized(s.attitude), s.momentum)};
}

TEST(AnyAngle, TheStateIsOneOfTheMotion) {
  for (const Case& c : cases()) {
    const Body<double> body(c.moments);
    const State<double> start{c.momentum, {0.5, 0.5, -0.5, 0.5}};
    const double unit =
        std::abs(ldexp(1.0, std::ilogb(c.moments[2])) / norm((1 / 0x1p600) * c.momentum)) / 0x1p600;
    for (const double factor :
         {1e10, 1e18, 0x1p61, 0x1p62, -0x1p63, 0x1p64, 1e25, 1e30, -1e31, 1e100, DBL_MAX}) {
      const double h = std::clamp(factor * unit, -DBL_MAX, DBL_MAX);
      Rotor rotor(body, start);
      const Conserved before = conserved(rotor.rotating_body());
      rotor.advance(h, 1);
      const Conserved after = conserved(rotor.rotating_body());
      ASSERT_TRUE(is_unit(rotor.state().attitude)) << description(c, h);
      // Next to the middle axis of bodies of ratio 1e30 the energy is the smallest term of a sum.
      ASSERT_LT(std::abs(static_cast<double>((after.energy - before.energy) / before.energy)), 1e-24)
          << description(c, h);
      ASSERT_LT(std::abs(static_cast<double>((after.size - before.size) / before.size)), 1e-29)
          << description(c, h);
      ASSERT_LT(reference::momentum_error(after.direction, before.direction), 1e-29) << description(c, h);

      ASSERT_TRUE(is_unit(Trajectory<double>(body, start).at(h).attitude)) << description(c, h);
      FixedStepRotor fixed(body, start, h);
      fixed.advance(2);
      ASSERT_TRUE(is_unit(fixed.state().attitude)) << description(c, h);
      Rotor<Exact<double>, Summation::plain> plain(body, start);
      plain.advance(h, 1);
      ASSERT_TRUE(is_unit(plain.state().attitude)) << description(c, h);
    }
  }
}

TEST(AnyAngle, OfFloatToo) {
  for (const float h : {1e10F, -1e19F, 1e30F, FLT_MAX})
    for (const Vector<float>& m : {Vector<float>{{1, 2, -3}}, Vector<float>{{1e30F, 2e30F, 1e20F}},
                                   Vector<float>{{1e-30F, 1, 1e-30F}}}) {
      Rotor<Exact<float>> rotor(Body<float>(Vector<float>{{1, 2, 3}}), {m, {}});
      rotor.advance(h, 1);
      const State<float> end = rotor.state();
      ASSERT_TRUE(is_unit(end.attitude)) << h;
      const Vector<double> before = convert<double>(m), after = convert<double>(end.momentum);
      ASSERT_NEAR(norm(after) / norm(before), 1, 2e-7) << h;
    }
}

/// The phase is right to what 31 digits have of the angle.
TEST(AnyAngle, ThePhaseIsThatOfQuadruplePrecision) {
  const Vector<double> moments{{0.6, 0.8, 1}};
  const Body<double> body(moments);
  const Inertia<Quad> inertia(convert<Quad>(body.inertia().moments));
  for (const Vector<double>& m : {Vector<double>{{0.5, 0.2, -0.84}}, Vector<double>{{0.8, -0.3, 0.1}},
                                  Vector<double>{{0, 0, 1}}, Vector<double>{{1e-5, 1, 1e-5}}})
    for (double h = 0x1.1p50; h < 0x1p90; h *= 11.7) {
      const double inner = std::ldexp(h, -body.inertia_exponent());
      const auto quad = ClosedForm<Quad>(inertia, convert<Quad>(m)).advance(Quad(inner));
      const State<Quad> expected{quad.momentum, quad.rotation};
      Rotor rotor(body, {m, {}});
      rotor.advance(h, 1);
      const double bound = 3e-16 + 0x1p-104 * h;  // 2^-105.5 was the worst
      ASSERT_LT(reference::state_error(rotor.state(), expected), bound) << h;
      ASSERT_LT(reference::state_error(Trajectory<double>(body, {m, {}}).at(h), expected), bound) << h;
    }
}

TEST(AnyAngle, AnInfiniteTimeHasNoState) {
  const Trajectory<double> trajectory(Body<double>(Vector<double>{{1, 2, 3}}), {{{1, 2, 3}}, {}});
  for (const double t : {HUGE_VAL, -HUGE_VAL, std::nan("")})
    EXPECT_TRUE(std::isnan(trajectory.at(t).attitude[0])) << t;
}

}  // namespace
}  // namespace polhode
