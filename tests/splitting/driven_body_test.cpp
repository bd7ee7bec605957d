// Bodies on which anything acts, alone and together: orders, and the motion against quadruple precision.

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "polhode/free_motion/rotor.hpp"
#include "reference/compare.hpp"
#include "reference/driven_system.hpp"
#include "reference/quadruple.hpp"

namespace polhode {

using namespace core;
namespace {

using reference::DrivenSystem;
using reference::Quad;
using reference::state_error;

/// Every action alone, all pairs, all triples, and all together.
std::vector<unsigned> few_actions() {
  std::vector<unsigned> result{reference::all_actions};
  for (unsigned actions = 1; actions < reference::all_actions; ++actions)
    if (std::popcount(actions) <= 3) result.push_back(actions);
  return result;
}

/// The order that a system and a scheme should have, from what docs/driven-bodies.md says of them.
int expected_order(unsigned actions, const Scheme& scheme) {
  if ((actions & (reference::kick | reference::damping | reference::control)) == 0) return 0;
  const bool nystrom = (actions & (reference::damping | reference::control | reference::dissipation)) == 0;
  return scheme.name.starts_with("rkn6") && !nystrom ? 4 : scheme.order;
}

class Orders : public ::testing::TestWithParam<Scheme> {};

template <class T>
void expect_orders(const Scheme& scheme) {
  for (const unsigned actions : few_actions()) {
    const DrivenSystem<T> system{actions};
    const int order = system.rotor_by(Splitting<Exact<T>>(scheme), Wide<T>(3)).order();
    EXPECT_EQ(order, expected_order(actions, scheme)) << scheme.name << " for " << actions;
    if (order == 0) continue;
    const auto end = [&](int steps) {
      auto rotor = system.rotor_by(Splitting<Exact<T>>(scheme), Wide<T>(3));
      rotor.advance(T(1) / T(steps), steps);
      return rotor.state();
    };
    const int first = scheme.order < 6 ? 8 : 4;
    const State<T> coarse = end(first), middle = end(2 * first), fine = end(4 * first);
    EXPECT_NEAR(std::log2(state_error(coarse, middle) / state_error(middle, fine)), order, 0.3)
        << scheme.name << " for " << actions;
  }
}

/// In DoubleDouble where truncation would be near round-off otherwise.
TEST_P(Orders, AreThoseThatAreStated) {
  const Scheme& scheme = GetParam();
  if (scheme.order < 6) {
    expect_orders<double>(scheme);
  } else {
    expect_orders<DoubleDouble>(scheme);
  }
}

INSTANTIATE_TEST_SUITE_P(All, Orders, ::testing::ValuesIn(schemes), [](const auto& of) {
  std::string name(of.param.name);
  std::ranges::replace(name, '-', '_');
  return name;
});

/// Together and each alone, over five units of time, in which the body turns by some radians. The reference is right to 1e-30.
TEST(DrivenBody, FollowsTheReference) {
  for (const unsigned actions : {1u, 2u, 4u, 8u, 16u, 32u, 7u, 9u, 26u, 63u}) {
    const State<Quad> expected = DrivenSystem<Quad>{actions}.at_end(Quad(3), Quad(1) / Quad(16), 80);
    auto rotor = DrivenSystem<double>{actions}.rotor_by(Splitting<Exact<double>>(scheme("kahan-li-8")),
                                                        DoubleDouble(3));
    rotor.advance(0.05, 100);
    EXPECT_LT(state_error(rotor.state(), expected), 2e-15) << actions;
    EXPECT_EQ(static_cast<double>(rotor.time()), 8.0);
  }
}

TEST(DrivenBody, FollowsTheReferenceByTheClassicalMethod) {
  const unsigned actions = reference::all_actions;
  const State<Quad> expected = DrivenSystem<Quad>{actions}.at_end(Quad(3), Quad(1) / Quad(16), 16);
  const auto error = [&](int steps) {
    auto rotor = DrivenSystem<double>{actions}.rotor_by(RungeKutta<double>(), DoubleDouble(3));
    EXPECT_EQ(rotor.order(), 4);
    rotor.advance(1.0 / steps, steps);
    return state_error(rotor.state(), expected);
  };
  EXPECT_NEAR(std::log2(error(32) / error(64)), 4, 0.2);
}

const Vector<double> moments{{1.0, 1.4, 2.0}};
const State<double> start{{{0.5, -0.7, 0.9}}, {0.5, -0.1, 0.7, 0.3}};

template <class Rotor>
Vector<DoubleDouble> spatial_momentum(const Rotor& rotor) {
  const State<DoubleDouble> s = rotor.wide_state();
  return rotate(s.attitude, s.momentum);
}

/// The momentum in space to the round-off of extended precision, the energy to that of a random walk, over 10^6 steps.
TEST(Gyrostat, KeepsMomentumAndEnergy) {
  auto rotor = driven(Body(moments), start, torques::Wheels({0.3, -0.2, 0.4}));
  const Vector<DoubleDouble> before = spatial_momentum(rotor);
  const DoubleDouble energy = rotor.energy();
  rotor.advance(0.05, 1000000);
  EXPECT_LT(static_cast<double>(norm(spatial_momentum(rotor) - before)), 1e-28);
  EXPECT_LT(std::abs(static_cast<double>(rotor.energy() - energy)), 1e-15);
}

/// With wheels and a torque, the energy is that of a splitting: without drift, and small with a small step.
TEST(Gyrostat, KeepsItsEnergyInAField) {
  const torques::TorqueList torque(UniformField({0.1, -0.2, 0.6}), torques::Wheels({0.3, -0.2, 0.4}));
  auto rotor = driven(Body(moments), start, torque, scheme("rkn6-14"));
  const DoubleDouble energy = rotor.energy();
  rotor.advance(0.05, 10000);
  EXPECT_LT(std::abs(static_cast<double>(rotor.energy() - energy)), 2e-13);
}

TEST(Gyrostat, WithoutRotorHasTheBitsOfTheBody) {
  const Body<double> body(moments);
  Rotor<Exact<double>> free(body, start);
  auto still = driven(body, start, torques::Wheels({0.0, 0.0, 0.0}));
  auto changing =
      driven(body, start, torques::Wheels([](double) { return Vector<double>{}; }), scheme("strang"));
  free.advance(0.03, 1000);
  still.advance(0.03, 1000);
  changing.advance(0.03, 1000);
  EXPECT_EQ(still.wide_state(), free.wide_state());
  EXPECT_EQ(changing.wide_state(), free.wide_state());
  const UniformField field({0.1, -0.2, 0.6});
  for (const Scheme& scheme : schemes) {
    auto alone = driven(body, start, field, scheme);
    auto listed = driven(body, start, torques::TorqueList(field), scheme);
    auto with_wheels =
        driven(body, start,
               torques::TorqueList(field, torques::Wheels([](double) { return Vector<double>{}; })), scheme);
    alone.advance(0.03, 100);
    listed.advance(0.03, 100);
    with_wheels.advance(0.03, 100);
    EXPECT_EQ(listed.wide_state(), alone.wide_state()) << scheme.name;
    EXPECT_EQ(with_wheels.wide_state(), alone.wide_state()) << scheme.name;
    EXPECT_EQ(listed.evaluations(), alone.evaluations());
    EXPECT_EQ(listed.energy(), alone.energy());
  }
}

/// A wheel along the axis of a symmetric body: both spin, and omega is that of the body, the momentum the total one.
TEST(Gyrostat, ShowsTheAngularVelocityOfTheBody) {
  auto rotor = driven(Body({1.0, 1.0, 2.0}), {.momentum = {0.0, 0.0, 3.0}}, torques::Wheels({0.0, 0.0, 1.0}));
  EXPECT_EQ(rotor.angular_velocity(), (Vector<double>{0.0, 0.0, 1.0}));
  EXPECT_EQ(static_cast<double>(rotor.energy()), 1.0);
  rotor.advance(0.25, 8);
  EXPECT_NEAR(rotor.state().attitude[3], std::sin(1.0), 1e-16);
  EXPECT_NEAR(rotor.state().attitude[0], std::cos(1.0), 1e-16);
  EXPECT_EQ(rotor.state().momentum, (Vector<double>{0.0, 0.0, 3.0}));
}

/// A motor that speeds a wheel up turns the body the other way: the total momentum is zero throughout.
TEST(Gyrostat, IsTurnedByItsMotor) {
  auto rotor = driven(Body({1.0, 1.0, 2.0}), {.momentum = {0.0, 0.0, 0.0}}, torques::Wheels([](double t) {
                        return Vector<double>{0.0, 0.0, -2.0 * t};
                      }));
  rotor.advance(0.125, 8);  // omega = t: by half a radian
  EXPECT_NEAR(2 * std::atan2(rotor.state().attitude[3], rotor.state().attitude[0]), 0.5, 2e-16);
  EXPECT_EQ(rotor.state().momentum, Vector<double>{});
  EXPECT_NEAR(rotor.angular_velocity()[2], 1.0, 1e-16);
}

TEST(Damped, SphereDecaysAsTheExponential) {
  for (const Scheme& scheme : schemes) {
    auto rotor =
        driven(Body({2.0, 2.0, 2.0}), {.momentum = {0.5, -0.7, 0.9}}, torques::Damping(0.25), scheme);
    rotor.advance(0.1, 80);
    const double decay = std::exp(-0.25 / 2.0 * 8.0);
    for (std::size_t i = 0; i < 3; ++i)
      EXPECT_NEAR(rotor.state().momentum[i] / (start.momentum[i] * decay), 1.0, 1e-15) << scheme.name;
  }
}

/// With one coefficient the energy falls, never grows, and the momentum turns to the axis of the largest moment.
TEST(Damped, BodyEndsAboutTheLargestAxis) {
  for (const char* name : {"strang", "aba-6-2", "aba-8-2"}) {
    auto rotor = driven(Body(moments), start, torques::Damping(0.25), scheme(name));
    DoubleDouble energy = rotor.energy();
    for (int i = 0; i < 2000; ++i) {
      rotor.advance(0.05, 1);
      EXPECT_LT(rotor.energy(), energy) << name;
      energy = rotor.energy();
    }
    const Vector<double> m = rotor.state().momentum;
    EXPECT_LT(norm(m), 2e-5) << name;
    EXPECT_GT(std::abs(m[2]) / norm(m), 0.98) << name;
  }
}

/// Relative to a medium that turns, the body ends turning with it.
TEST(Damped, BodyEndsTurningWithTheMedium) {
  const Vector<double> rate{0.1, 0.2, -0.3};
  auto rotor = driven(Body({2.0, 2.0, 2.0}), start, torques::Damping(1.0, rate), scheme("aba-8-2"));
  rotor.advance(0.05, 2000);
  const Vector<double> omega = rotate(rotor.state().attitude, rotor.angular_velocity());
  EXPECT_LT(norm(omega - rate), 1e-15);
}

/// Dissipation inside: Q m stays, the energy falls to |m|^2/(2 I3), and the body ends about its largest axis.
TEST(Damped, DissipationInsideKeepsTheMomentum) {
  auto rotor = driven(Body(moments), start, torques::Dissipation(0.3));
  const Vector<DoubleDouble> before = spatial_momentum(rotor);
  DoubleDouble energy = rotor.energy();
  for (int i = 0; i < 400; ++i) {
    rotor.advance(0.05, 1);
    EXPECT_LT(rotor.energy(), energy);
    energy = rotor.energy();
  }
  rotor.advance(0.05, 10000);
  EXPECT_LT(static_cast<double>(norm(spatial_momentum(rotor) - before)), 1e-29);
  const Vector<double> m = rotor.state().momentum;
  EXPECT_NEAR(std::abs(m[2]) / norm(m), 1.0, 1e-15);
  EXPECT_NEAR(static_cast<double>(rotor.energy()) * 2.0 * moments[2] / dot(m, m), 1.0, 1e-15);
}

/// Nothing acts but what moves inside: the momentum in space stays, and the bodies of the list agree with one by hand.
TEST(MovingMasses, AreInertiaAndRotor) {
  const auto position = [](double t) { return Vector<double>{0.3 * std::cos(t), 0.2, 0.4 * std::sin(t)}; };
  const auto velocity = [](double t) { return Vector<double>{-0.3 * std::sin(t), 0.0, 0.4 * std::cos(t)}; };
  const double body_mass = 3.0, mass = 1.0, reduced = body_mass * mass / (body_mass + mass);
  const auto tensor = [&](double t) {
    const Vector<double> r = position(t);
    Matrix<double> i;
    for (std::size_t k = 0; k < 3; ++k) {
      i[k] = (-reduced * r[k]) * r;
      i[k][k] += moments[k] + reduced * dot(r, r);
    }
    return i;
  };
  const Body<double> body(moments);
  auto masses = driven(body, start, torques::MovingMasses<double>(body_mass, {{mass, position, velocity}}));
  auto by_hand = driven(body, start,
                        torques::TorqueList(torques::ChangingInertia(tensor), torques::Wheels([&](double t) {
                                              return reduced * cross(position(t), velocity(t));
                                            })));
  // Two masses in one place are one.
  auto two = driven(
      body, start,
      torques::MovingMasses<double>(body_mass, {{0.25, position, velocity}, {0.75, position, velocity}}));
  const Vector<DoubleDouble> before = spatial_momentum(masses);
  masses.advance(0.1, 200);
  by_hand.advance(0.1, 200);
  two.advance(0.1, 200);
  EXPECT_LT(state_error(masses.state(), by_hand.state()), 2e-15);
  EXPECT_LT(state_error(two.state(), by_hand.state()), 2e-15);
  EXPECT_LT(static_cast<double>(norm(spatial_momentum(masses) - before)), 1e-29);
}

}  // namespace
}  // namespace polhode
