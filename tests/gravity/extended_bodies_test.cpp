// Extended bodies in motion: what stays, how fast the error falls, the limits that are known, and what is refused.
#include "polhode/gravity/extended_bodies.hpp"

#include <gtest/gtest.h>

#include "polhode/splitting/driven_rotor.hpp"
#include "polhode/torque/gravity_gradient.hpp"
#include "reference/compare.hpp"
#include "reference/quadruple.hpp"
#include "tests/gravity/bodies.hpp"

namespace polhode {

using namespace core;
namespace {

using reference::Quad;
using test::binary;
using test::distance;
using test::Gathering;
using test::GravityEquations;
using test::three;
using Bodies = std::vector<ExtendedBody<double>>;
using States = std::vector<PlacedState<double>>;

double size(const Vector<DoubleDouble>& v) { return static_cast<double>(norm(v)); }

/// Three bodies at time ten, in which the two nearest turn about each other once and their attitudes many times.
const std::vector<PlacedState<Quad>>& three_at_ten() {
  static const auto states = GravityEquations<Quad, 3>(three<Quad>()).at(Quad(0.25), 40);
  return states;
}

double error_at_ten(const Scheme& by, int steps) {
  auto bodies = three().moving(by);
  bodies.advance(10.0 / steps, steps);
  return distance(bodies.state().states(), three_at_ten());
}

/// The places of this test have sizes up to 5: half of their last place is 4.4e-16.
TEST(ExtendedBodies, AreWhereQuadruplePrecisionPutsThem) {
  EXPECT_LE(error_at_ten(scheme("kahan-li-8"), 640), 5e-16);
  EXPECT_LE(error_at_ten(scheme("rkn6-14"), 640), 5e-16);
}

/// Without the back-reaction they would not be there: the quadrupoles change the orbit by far more than the bound above.
TEST(ExtendedBodies, SpinsActBackOnOrbits) {
  Gathering<> spheres = three();
  for (auto& body : spheres.bodies) {
    if (!body.body) continue;
    const Vector<double>& i = body.body->moments();
    const double mean = (i[0] + i[1] + i[2]) / 3;
    body.body = Body({mean, mean, mean});
  }
  auto with = three().moving(), without = spheres.moving();
  with.advance(0.0625, 160);
  without.advance(0.0625, 160);
  EXPECT_GE(size(with.state().wide_state(1).position - without.state().wide_state(1).position), 0.1);
}

TEST(ExtendedBodies, EverySchemeHasItsOrder) {
  for (const Scheme& s : schemes) {
    const int steps = s.order == 2 ? 320 : s.order == 4 ? 160 : s.order == 6 ? 80 : 40;
    const double coarse = error_at_ten(s, steps), fine = error_at_ten(s, 2 * steps);
    EXPECT_NEAR(std::log2(coarse / fine), s.order, 0.05 * s.order) << s.name << " " << coarse << " " << fine;
    EXPECT_EQ(three().moving(s).order(), s.order);
  }
}

/// Total momentum 0.06, angular momentum 0.5. The kicks of a pair are opposite numbers in twice the precision. What is left of
/// the angular momentum comes from the spins alone: rounded torques, and the increments of the rotation.
TEST(ExtendedBodies, MomentumAndAngularMomentumStay) {
  for (const char* name : {"strang", "rkn6-14", "kahan-li-8"}) {
    auto bodies = three().moving(scheme(name));
    const auto start = bodies.state();
    bodies.advance(0.0625, 400);
    const auto end = bodies.state();
    EXPECT_LE(size(end.momentum() - start.momentum()), 3e-31) << name;
    EXPECT_LE(size(end.angular_momentum() - start.angular_momentum()), 5e-18) << name;
    const Vector<DoubleDouble> drift =
        end.centre_of_mass() - start.centre_of_mass() - (DoubleDouble(25.0) / 1.171875) * start.momentum();
    EXPECT_LE(size(drift), 5e-30) << name;
    EXPECT_GT(distance(end.states(), start.states()), 0.1);
  }
}

TEST(ExtendedBodies, PointMassesKeepTheirAngularMomentumInExtendedPrecision) {
  Gathering<> points = three();
  for (std::size_t i = 0; i < 3; ++i) {
    points.bodies[i].body.reset();
    points.states[i].turning = {};
  }
  auto bodies = points.moving();
  const auto start = bodies.state();
  bodies.advance(0.0625, 3200);
  EXPECT_LE(size(bodies.state().angular_momentum() - start.angular_momentum()), 5e-30);
}

/// 700 orbits, with the error of the scheme (rkn6-14, 30 steps an orbit) and below it (120 steps). In 10^5 orbits it is no larger.
TEST(ExtendedBodies, EnergyDoesNotDrift) {
  for (const double h : {0.5, 0.125}) {
    auto bodies = binary().moving();
    const DoubleDouble start = bodies.energy();
    const auto worst_of_a_tenth = [&] {
      double worst = 0;
      for (int i = 0; i < 100; ++i) {
        bodies.advance(h, static_cast<std::int64_t>(10 / h));
        worst = std::max(worst, std::abs(static_cast<double>(bodies.energy() - start)));
      }
      return worst;
    };
    const double first = worst_of_a_tenth();
    double later = 0;
    for (int i = 0; i < 9; ++i) later = std::max(later, worst_of_a_tenth());
    EXPECT_LE(later, (h == 0.5 ? 1.5 : 8.0) * first)
        << h;  // round-off walks at random: by sqrt(10), times chance
    EXPECT_LE(later, h == 0.5 ? 1e-11 : 2e-15) << h;
  }
}

/// From rest, the first one: numbers without rounding. One orbit and a half.
TEST(ExtendedBodies, TwoPointMassesAreOnKeplersOrbit) {
  Gathering<> g;
  g.bodies = {{.mass = 1.0}, {.mass = 0.25}};
  g.states = {{}, {{{1.0, 0.0, 0.0}}, {{0.0, 0.3125, 0.0}}, {}}};
  auto bodies = g.moving(scheme("kahan-li-8"));
  const KeplerOrbit<double> orbit({.gravitational_parameter = 1.25, .eccentricity = 0.25, .periapsis = 1.0});
  for (int i = 0; i < 13; ++i) {
    bodies.advance(0.015625, 64);
    const auto now = bodies.state();
    const auto point = orbit.at<double>(bodies.time());
    const Vector<double> d = convert<double>(now.wide_state(1).position - now.wide_state(0).position);
    EXPECT_LE(norm(d - point.distance * point.radial), 2e-15) << i;
  }
}

/// A satellite of radius 2^-27 about a mass that it does not move: its orbit is that of a point to 1e-16. Three orbits; the
/// attitude is not regular, and errors of 1e-16 grow.
TEST(ExtendedBodies, ATinySatelliteTurnsAsInTheFieldOfACentre) {
  const double light = 0x1p-80, thin = 0x1p-134;
  const Body<double> shape({1.0 * thin, 1.5 * thin, 2.0 * thin});
  const State<double> turning{{{0.125 * thin, -0.25 * thin, 2.25 * thin}}, {0.75, 0.125, -0.25, 0.25}};
  Gathering<> g;
  g.bodies = {{.mass = 1.0, .body = Body({0.5, 0.5, 0.5})}, {.mass = light, .body = shape}};
  g.states = {{}, {{{1.25, 0.0, 0.0}}, {{0.0, light, 0.0}}, turning}};
  auto bodies = g.moving();
  const KeplerOrbit<double> orbit({.eccentricity = 0.25, .periapsis = 1.25});
  auto satellite = driven(shape, turning, GravityGradient(orbit), scheme("rkn6-14"));
  for (int i = 0; i < 20; ++i) {
    bodies.advance(0.015625, 128);
    satellite.advance(0.015625, 128);
    const State<double> a = bodies.state().state(1).turning, b = satellite.state();
    EXPECT_LE(reference::attitude_error(a.attitude, b.attitude), 1e-14) << i;
    EXPECT_LE(norm(a.momentum - b.momentum), 1e-14 * norm(b.momentum)) << i;
  }
}

/// A body as six points on its axes: what is left out of the potential falls with the fourth power of its size, or with the
/// product of two quadrupoles, which is as small.
TEST(ExtendedBodies, PotentialIsThatOfBodiesOfPointsToSecondDegree) {
  using Q = Quad;
  const auto energy = [](const Q& scale, bool of_points) {
    const std::array<Vector<Q>, 2> arms{test::vector<Q>(0.5, 0.25, 0.125), test::vector<Q>(0.25, 0.5, 0.375)};
    const std::array<Q, 2> masses{Q(1), Q(0.5)};  // of six points
    Gathering<Q> g;
    g.constant = Q(1.5);
    std::array<std::vector<Vector<Q>>, 2> points;
    for (std::size_t i = 0; i < 2; ++i) {
      const Vector<Q> place = test::vector<Q>(i == 0 ? 0.0 : 2.0, i == 0 ? 0.5 : -1.0, 0.25);
      const Quaternion<Q> q = normalized(Quaternion<Q>(Q(1), Q(i == 0 ? 0.25 : -0.5), Q(0.125), Q(0.75)));
      Vector<Q> squares;
      for (std::size_t k = 0; k < 3; ++k) {
        Vector<Q> arm{};
        arm[k] = scale * arms[i][k];
        squares[k] = masses[i] / Q(3) * arm[k] * arm[k];
        for (const Q& sign : {Q(1), Q(-1)}) points[i].push_back(place + sign * rotate(q, arm));
      }
      g.bodies.push_back({.mass = masses[i],
                          .body = Body<Q>(Vector<Q>(squares[1] + squares[2], squares[2] + squares[0],
                                                    squares[0] + squares[1]))});
      g.states.push_back({place, {}, {{}, q}});
    }
    if (!of_points)
      return Constellation<Q>(std::make_shared<const std::vector<ExtendedBody<Q>>>(g.bodies), g.constant,
                              {0, 0}, g.states)
          .energies()
          .potential;
    Q sum(0);
    for (const auto& a : points[0])
      for (const auto& b : points[1])
        sum -= g.constant * (masses[0] / Q(6)) * (masses[1] / Q(6)) / norm(a - b);
    return sum;
  };
  const auto missing = [&](double scale) {
    return std::abs(static_cast<double>(energy(Q(scale), true) - energy(Q(scale), false)));
  };
  EXPECT_NEAR(std::log2(missing(0x1p-6) / missing(0x1p-7)), 4, 0.01);
  const double quadrupoles =
      std::abs(static_cast<double>(energy(Q(0x1p-6), false) - energy(Q(0x1p-20), false)));
  EXPECT_LE(missing(0x1p-6), 1e-3 * quadrupoles);
}

TEST(ExtendedBodies, HowStepsAreDividedAndSavingMakeNoDifference) {
  for (const char* name : {"strang", "rkn4-6", "rkn6-14"}) {
    auto at_once = three().moving(scheme(name)), one_by_one = at_once, restored = at_once;
    at_once.advance(0.0625, 130);
    for (int i = 0; i < 130; ++i) {
      one_by_one.advance(0.0625, 1);
      if (i == 70) restored.restore(one_by_one.save());
      if (i % 10 == 0) (void)one_by_one.state();
    }
    restored.advance(0.0625, 59);
    EXPECT_EQ(one_by_one.state().states(), at_once.state().states()) << name;
    EXPECT_EQ(restored.state().states(), at_once.state().states()) << name;
    EXPECT_EQ(restored.save(), at_once.save());
    EXPECT_EQ(at_once.evaluations(), restored.evaluations());
    EXPECT_THROW(binary().moving(scheme(name)).restore(at_once.save()), InputError);
  }
}

TEST(ExtendedBodies, AreReversible) {
  auto bodies = three().moving();
  const auto start = bodies.state();
  bodies.advance(0.0625, 300);
  EXPECT_GT(distance(bodies.state().states(), start.states()), 0.1);
  bodies.advance(-0.0625, 300);
  EXPECT_LE(distance(bodies.state().states(), start.states()), 5e-16);
  EXPECT_EQ(static_cast<double>(bodies.time()), 0.0);
}

/// Units of mass, length and time that are powers of two change no digit.
TEST(ExtendedBodies, HaveTheSameDigitsInAnyUnits) {
  const int mass = 70, length = 30, time = 20;
  Gathering<> large = three();
  const auto scaled = [](Vector<double> v, int exponent) {
    for (double& x : v.c) x = std::ldexp(x, exponent);
    return v;
  };
  for (std::size_t i = 0; i < 3; ++i) {
    auto& body = large.bodies[i];
    body.mass = std::ldexp(body.mass, mass);
    if (body.body) body.body = Body(scaled(body.body->moments(), mass + 2 * length));
    auto& s = large.states[i];
    s.position = scaled(s.position, length);
    s.momentum = scaled(s.momentum, mass + length - time);
    s.turning.momentum = scaled(s.turning.momentum, mass + 2 * length - time);
  }
  large.constant = std::ldexp(large.constant, 3 * length - mass - 2 * time);
  auto a = three().moving(), b = large.moving();
  a.advance(0.0625, 100);
  b.advance(std::ldexp(0.0625, time), 100);
  States expected = a.state().states();
  for (auto& s : expected) {
    s.position = scaled(s.position, length);
    s.momentum = scaled(s.momentum, mass + length - time);
    s.turning.momentum = scaled(s.turning.momentum, mass + 2 * length - time);
  }
  EXPECT_EQ(b.state().states(), expected);
}

TEST(ExtendedBodies, OtherRotationsHaveTheirOrder) {
  auto exact = three().moving(scheme("kahan-li-8"));
  exact.advance(0.0625, 80);
  for (const auto& [method, order] : {std::pair{"dmv2", 2}, std::pair{"dmv6", 6}}) {
    const auto error = [&, name = method, expected = order](double h) {
      auto bodies = three().moving<NamedMethod<double>>(scheme("kahan-li-8"), MethodChoice{name});
      EXPECT_EQ(bodies.order(), expected);
      bodies.advance(h, std::llround(5 / h));
      return distance(bodies.state().states(), exact.state().states());
    };
    EXPECT_NEAR(std::log2(error(0.125) / error(0.0625)), order, 0.1 * order) << method;
  }
}

/// An axis of symmetry has the torque zero about it, bit for bit.
TEST(ExtendedBodies, ASymmetricBodyKeepsItsSpin) {
  Gathering<> g = binary();
  g.bodies[0].body = Body({0.25, 0.25, 0.375});
  auto bodies = g.moving();
  bodies.advance(0.0625, 1000);
  EXPECT_EQ(bodies.state().state(0).turning.momentum[2], g.states[0].turning.momentum[2]);
}

TEST(ExtendedBodies, TheFrameOfABodyIsTheUsers) {
  const Quaternion<double> turn = normalized(Quaternion<double>(0.5, 0.7, -0.1, 0.2));
  const Matrix<double> r = to_matrix(turn);
  Gathering<> g = three();
  Matrix<double> diagonal{};
  for (std::size_t k = 0; k < 3; ++k) diagonal[k][k] = g.bodies[0].body->moments()[k];
  g.bodies[0].body = Body(r * diagonal * transpose(r));
  g.states[0].turning.momentum = r * g.states[0].turning.momentum;
  g.states[0].turning.attitude = g.states[0].turning.attitude * conjugate(turn);
  auto a = three().moving(), b = g.moving();
  a.advance(0.0625, 160);
  b.advance(0.0625, 160);
  const auto plain = a.state(), turned = b.state();
  EXPECT_LE(size(plain.wide_state(1).position - turned.wide_state(1).position), 2e-15);
  EXPECT_LE(size(plain.angular_momentum() - turned.angular_momentum()), 1e-16);
  EXPECT_LE(norm(r * plain.angular_velocity(0) - turned.angular_velocity(0)), 2e-15);
  EXPECT_LE(norm(0.125 * plain.velocity(1) - plain.state(1).momentum), 1e-16);
}

TEST(ExtendedBodies, WhereBodiesMeetTheMotionEndsAndNothingHasMoved) {
  Gathering<> g;
  g.bodies = {{.mass = 1.0, .body = Body({0.25, 0.25, 0.25}), .name = "rock"},
              {.mass = 0.5, .radius = 0.125}};
  g.states = {{{{-1, 0, 0}}, {{1, 0, 0}}, {}}, {{{1, 0, 0}}, {{-0.5, 0, 0}}, {}}};
  g.constant = 0.0;
  auto bodies = g.moving(scheme("strang"));
  bodies.advance(0.0625, 4);
  const auto before = bodies.state().states();
  const auto saved = bodies.save();
  try {
    bodies.advance(0.25, 8);
    FAIL() << "went through each other";
  } catch (const MotionError& e) {
    EXPECT_STREQ(e.what(),
                 "body[0] (rock) and body[1] meet at time 0.75: their centres are 0.5 apart, and "
                 "their radii add up to 0.737372");
  }
  EXPECT_EQ(bodies.state().states(), before);
  EXPECT_EQ(bodies.save(), saved);
  EXPECT_EQ(static_cast<double>(bodies.time()), 0.25);
  bodies.advance(0.0625, 1);
  // Radii of zero are those of points.
  g.bodies[0].radius = 0.0;
  g.bodies[1].radius.reset();
  auto points = g.moving(scheme("strang"));
  EXPECT_NO_THROW(points.advance(0.375, 2));
  try {
    points.advance(0.25, 2);
    FAIL() << "went through each other";
  } catch (const MotionError& e) {
    EXPECT_STREQ(e.what(),
                 "body[0] (rock) and body[1] meet at time 1: their centres are 0 apart, and "
                 "their radii add up to 0");
  }
}

TEST(ExtendedBodies, BadInputIsRefusedWithASentence) {
  const auto reason = [](auto change) -> std::string {
    Gathering<> g = three();
    change(g);
    try {
      (void)g.moving();
    } catch (const InputError& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_EQ(reason([](Gathering<>& g) { g.bodies[0].mass = 0; }),
            "body[0] (primary): the mass is not a positive number");
  EXPECT_EQ(reason([](Gathering<>& g) { g.bodies[1].mass = HUGE_VAL; }),
            "body[1]: the mass is not a positive number");
  EXPECT_EQ(reason([](Gathering<>& g) { g.bodies[2].radius = -1; }),
            "body[2] (speck): the radius is not a finite number from zero on");
  EXPECT_EQ(reason([](Gathering<>& g) { g.constant = -1; }),
            "the gravitational constant is not a finite number from zero on");
  EXPECT_EQ(reason([](Gathering<>& g) { g.states.pop_back(); }), "there are not as many states as bodies");
  EXPECT_EQ(reason([](Gathering<>& g) {
              g.states.clear();
              g.bodies.clear();
            }),
            "there are no bodies");
  EXPECT_EQ(reason([](Gathering<>& g) { g.states[1].position[2] = std::nan(""); }),
            "body[1]: a component of the position or the momentum is not a finite number");
  EXPECT_EQ(reason([](Gathering<>& g) {
              g.states[1].turning.attitude = {0, 0, 0, 0};
            }),
            "body[1]: the attitude is the zero quaternion");
  EXPECT_EQ(reason([](Gathering<>& g) { g.states[2].turning.momentum[0] = 1; }),
            "body[2] (speck): a point mass has no momentum to turn");
  EXPECT_EQ(
      reason([](Gathering<>& g) { g.states[2].position = g.states[0].position; }),
      "body[0] (primary) and body[2] (speck) meet: their centres are 0 apart, and their radii add up to "
      "0.684653");
  EXPECT_EQ(reason([](Gathering<>& g) { g.constant = 1e308; }),
            "the force between body[0] (primary) and body[1] is not a finite number");
}

TEST(ExtendedBodies, ExtendedPrecisionIsAScalarToo) {
  auto bodies = three<DoubleDouble>().moving(scheme("kahan-li-8"));
  bodies.advance(DoubleDouble(0.0625), 160);
  std::vector<PlacedState<Quad>> states;
  for (const auto& s : bodies.state().states()) {
    PlacedState<Quad> wide;
    for (std::size_t k = 0; k < 3; ++k) {
      wide.position[k] = reference::to_quad(s.position[k]);
      wide.momentum[k] = reference::to_quad(s.momentum[k]);
      wide.turning.momentum[k] = reference::to_quad(s.turning.momentum[k]);
    }
    for (std::size_t k = 0; k < 4; ++k) wide.turning.attitude[k] = reference::to_quad(s.turning.attitude[k]);
    states.push_back(wide);
  }
  const double error = distance(states, three_at_ten());
  EXPECT_GT(error, 1e-17);  // of the scheme
  EXPECT_LT(error, 2e-15);
}

}  // namespace
}  // namespace polhode
