// Tables of positions: the order of their interpolation, their ends, and the gravity gradient along them.
#include "polhode/torque/ephemeris.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "polhode/splitting/driven_rotor.hpp"
#include "polhode/torque/gravity_gradient.hpp"
#include "polhode/torque/torque_list.hpp"
#include "reference/compare.hpp"
#include "reference/extrapolation.hpp"
#include "reference/quadruple.hpp"

namespace polhode {

using namespace core;
namespace {

using reference::momentum_error;
using reference::Quad;

/// A curve with all derivatives, as a Kepler orbit is; nothing but the last digit is rounded.
Vector<double> place(double t) {
  const DoubleDouble x(t);
  return convert<double>(Vector<DoubleDouble>(cos(x), sin(1.3 * x) - 0.2, 0.5 * cos(0.7 * x + 0.4)));
}
Vector<double> velocity(double t) {
  const DoubleDouble x(t);
  return convert<double>(Vector<DoubleDouble>(-sin(x), 1.3 * cos(1.3 * x), -0.35 * sin(0.7 * x + 0.4)));
}

/// Even times, or uneven ones.
Ephemeris<double> table(int intervals, bool with_velocities, int points, bool uneven) {
  std::vector<double> times;
  std::vector<Vector<double>> positions, velocities;
  for (int i = 0; i <= intervals; ++i) {
    const double x = static_cast<double>(i) / intervals;
    times.push_back(10 * (uneven ? x + 0.02 * std::sin(20 * x) : x));
    positions.push_back(place(times.back()));
    velocities.push_back(velocity(times.back()));
  }
  return with_velocities ? Ephemeris<double>(times, positions, velocities, points)
                         : Ephemeris<double>(times, positions, points);
}

/// In the table, without a margin at its ends.
double worst_error(const Ephemeris<double>& ephemeris, double margin = 0) {
  double worst = 0;
  const double first = ephemeris.first_time() + margin, last = ephemeris.last_time() - margin;
  for (int i = 0; i <= 1777; ++i) {
    const double t = std::min(first + (last - first) * i / 1777, last);
    worst = std::max(worst, momentum_error(ephemeris.at<double>(t), place(t)));
  }
  return worst;
}

/// The error falls with the stated power of the spacing; next to the ends of the table, where the points are on one side, it
/// is larger but falls as fast.
TEST(Ephemeris, HasItsOrder) {
  for (const bool uneven : {false, true}) {
    for (const bool with_velocities : {false, true}) {
      for (const int points : {2, 4, 6, 8}) {
        if (with_velocities && points > 4) continue;
        const int order = with_velocities ? 2 * points : points;
        const auto coarse = table(80, with_velocities, points, uneven),
                   fine = table(160, with_velocities, points, uneven);
        EXPECT_EQ(coarse.order(), order);
        const double inside = std::log2(worst_error(coarse, 1.5) / worst_error(fine, 1.5));
        EXPECT_NEAR(inside, order, 0.2) << points << with_velocities << uneven;
        EXPECT_GT(std::log2(worst_error(coarse) / worst_error(fine)), order - 0.5) << points << uneven;
        EXPECT_LT(worst_error(fine), 20 * worst_error(fine, 1.5));
      }
    }
  }
}

/// No more than the rounding of the table, in double and in extended precision.
TEST(Ephemeris, IsAsGoodAsItsTable) {
  for (const bool with_velocities : {false, true}) {
    const Ephemeris<double> ephemeris = table(1000, with_velocities, with_velocities ? 4 : 8, true);
    // One-sided polynomials through eight points make ten times as much of the rounding of their points.
    EXPECT_LT(worst_error(ephemeris), 1.5e-15);
    EXPECT_LT(worst_error(ephemeris, 0.2), 6e-16);
    for (int i = 0; i < 200; ++i) {
      const double t = 0.0499 * i;
      EXPECT_LT(momentum_error(ephemeris.at<double>(t), convert<double>(ephemeris.at<DoubleDouble>(t))),
                1.5e-15);
    }
    // The points themselves, and next to them.
    for (std::size_t i = 0; i < ephemeris.size(); ++i) {
      const double t = ephemeris.times()[i];
      EXPECT_EQ(ephemeris.at<double>(t), ephemeris.positions()[i]);
      if (i == 0 || i + 1 == ephemeris.size()) continue;
      for (const double tiny : {1e-30, -1e-30, 1e-200})
        EXPECT_LT(momentum_error(ephemeris.at<double>(DoubleDouble(t) + tiny), ephemeris.positions()[i]),
                  5e-16);
    }
  }
}

/// With velocities, the velocity has no jumps; without, those of the order of the error.
TEST(Ephemeris, PiecesMeet) {
  const DoubleDouble h = 0x1p-30;  // short enough that h times the second derivative is below the bounds
  for (const bool with_velocities : {false, true}) {
    const Ephemeris<double> ephemeris = table(100, with_velocities, with_velocities ? 4 : 8, true);
    for (std::size_t i = 1; i + 1 < ephemeris.size(); ++i) {
      const DoubleDouble t = ephemeris.times()[i];
      const auto now = ephemeris.at<DoubleDouble>(t), before = ephemeris.at<DoubleDouble>(t - h),
                 after = ephemeris.at<DoubleDouble>(t + h);
      const Vector<DoubleDouble> jump = (1.0 / h) * ((after - now) - (now - before));
      EXPECT_LT(momentum_error(jump, Vector<DoubleDouble>{}), with_velocities ? 1e-8 : 1e-7);
      if (with_velocities) {
        EXPECT_LT(momentum_error((1.0 / (2.0 * h)) * (after - before),
                                 convert<DoubleDouble>(ephemeris.velocities()[i])),
                  1e-8);
      }
    }
  }
}

template <class F>
std::string complaint(F&& f) {
  try {
    f();
  } catch (const std::exception& e) {
    return e.what();
  }
  return "none";
}

TEST(Ephemeris, RefusesWrongTables) {
  const std::vector<Vector<double>> four(4, Vector<double>(1, 2, 3));
  std::vector<Vector<double>> broken = four;
  broken[2][1] = NAN;
  using E = Ephemeris<double>;
  EXPECT_EQ(complaint([&] {
              E({0, 1, 2, 3}, four);
            }),
            "an ephemeris of 4 rows is too short: it is interpolated by 8 points");
  EXPECT_EQ(complaint([&] { E({0, 1, 2, 3}, four, 4); }), "none");
  EXPECT_EQ(complaint([&] { E({0, 1, 2, 3}, four, four); }), "none");
  EXPECT_EQ(complaint([&] { E({0, 1, 2}, four, 2); }), "an ephemeris of 3 times has 4 positions");
  EXPECT_EQ(complaint([&] {
              E({0, 1, 2, 3}, four, {}, 2);
            }),
            "an ephemeris of 4 times has 4 positions and 0 velocities");
  EXPECT_EQ(complaint([&] {
              E({0, 1, 1, 3}, four, 4);
            }),
            "the times of an ephemeris must increase: in row 3, 1 follows 1");
  EXPECT_EQ(complaint([&] {
              E({0, 1, 2, HUGE_VAL}, four, 4);
            }),
            "row 4 of the ephemeris has a number that is not finite");
  EXPECT_EQ(complaint([&] {
              E({0, 1, 2, 3}, broken, 4);
            }),
            "row 3 of the ephemeris has a number that is not finite");
  EXPECT_EQ(complaint([&] {
              E({0, 1, 2, 3}, four, broken);
            }),
            "row 3 of the ephemeris has a number that is not finite");
  for (const int points : {0, 1, 3, 18, -2})
    EXPECT_EQ(
        complaint([&] {
          E({0, 1, 2, 3}, four, points);
        }),
        "the number of points of an ephemeris must be even, from 2 to 16, not " + std::to_string(points));
  EXPECT_EQ(complaint([&] {
              GravityGradient(E({0, 1, 2, 3}, four, 4), 0.0);
            }),
            "the gravitational parameter is not a positive number");
}

/// Times outside of the table end a motion with a sentence, and what moved before stays.
TEST(Ephemeris, EndsWhereItEnds) {
  const Ephemeris<double> ephemeris = table(100, false, 8, false);
  EXPECT_EQ(complaint([&] { ephemeris.at<double>(10.25); }),
            "the ephemeris has no position at time 10.25: it is from 0 to 10");
  EXPECT_EQ(complaint([&] { ephemeris.at<double>(-1e-7); }),
            "the ephemeris has no position at time -1e-07: it is from 0 to 10");
  EXPECT_THROW(ephemeris.at<double>(NAN), MotionError);
  // A hundred steps of 0.1, which is a little more than that, end at its end.
  const DoubleDouble end = DoubleDouble::product(0.1, 100.0);
  EXPECT_GT(end, DoubleDouble(10.0));
  EXPECT_LE(norm(ephemeris.at<double>(end) - ephemeris.at<double>(10.0)),
            1e-15 * norm(ephemeris.at<double>(10.0)));
  // Times that were added up miss the end by more.
  double sum = 0;
  for (int i = 0; i < 1000; ++i) sum += 0.7;
  EXPECT_GT(sum, 700 * (1 + 8e-15));
  const std::vector<Vector<double>> rows{place(0), place(1), place(2), place(3)};
  const Ephemeris<double> to_700({0, 200, 400, 700}, rows, 4);
  EXPECT_LE(norm(to_700.at<double>(sum) - to_700.at<double>(700.0)), 1e-12);
  // The last of the times of a run may miss its end by 1e-9 of a step.
  EXPECT_NO_THROW(ephemeris.at<double>(-0.9e-8));
  EXPECT_THROW(ephemeris.at<double>(-1.1e-8), MotionError);
  EXPECT_THROW(ephemeris.at<double>(10 + 1.1e-8), MotionError);
  // Far from time 0 it is the rounding errors of the time that count.
  const Ephemeris<double> late({1e6, 1e6 + 1, 1e6 + 2, 1e6 + 3}, rows, 4);
  EXPECT_NO_THROW(late.at<double>(1e6 + 3 + 0.9e-6));
  EXPECT_THROW(late.at<double>(1e6 + 3 + 1.1e-6), MotionError);
  auto rotor = driven(Body<double>({1, 2, 3}), State<double>{{0.1, 0.2, 0.3}},
                      GravityGradient(ephemeris, 1.0), scheme("strang"));
  rotor.advance(0.125, 80);
  const State<double> last = rotor.state();
  // The torque at the end of a step belongs to the next one, too: it is asked for when that is taken.
  EXPECT_THROW(rotor.advance(0.125, 2), MotionError);
  EXPECT_EQ(rotor.state().momentum, last.momentum);
  EXPECT_EQ(rotor.state().attitude, last.attitude);
}

/// A body between two centres, one along a table, one on a hyperbola: torque and potential are sums, and belong to each other.
TEST(Ephemeris, SeveralCentresAdd) {
  const Body<double> body({1, 1.5, 2});
  const GravityGradient one(table(1000, true, 4, true), 2.0);
  const GravityGradient two(
      KeplerOrbit<double>({.eccentricity = 2.0, .periapsis = 1.5, .periapsis_time = 4.0}));
  const auto both = TorqueList<double>(one, two).attached(body);
  const Quaternion<double> q = normalized(Quaternion<double>(0.4, -0.3, 0.8, 0.2));
  for (const double t : {0.5, 4.0, 9.9}) {
    const Vector<double> sum = one.attached(body).torque(q, t) + two.attached(body).torque(q, t);
    EXPECT_LT(momentum_error(both.torque(q, t), sum), 1e-16);
    // 3 mu/r^5 r x I r, as it is written in the books.
    const Vector<double> r = rotate(conjugate(q), place(t));
    const Vector<double> expected = (6.0 / std::pow(norm(r), 5)) * cross(r, times(body.moments(), r));
    EXPECT_LT(momentum_error(one.attached(body).torque(q, t), expected), 1e-14);
    for (std::size_t i = 0; i < 3; ++i) {
      const auto potential = [&](double angle) {
        Quaternion<DoubleDouble> turn(cos(DoubleDouble(angle) / 2.0), 0.0, 0.0, 0.0);
        turn[i + 1] = sin(DoubleDouble(angle) / 2.0);
        return both.potential(convert<DoubleDouble>(q) * turn, t);
      };
      const double slope = static_cast<double>((potential(1e-8) - potential(-1e-8)) / 2e-8);
      EXPECT_NEAR(-slope, sum[i], 1e-14 * norm(sum) + 1e-15);
    }
  }
}

/// A flyby, orbit and body integrated together: nothing of the solution of Kepler's equation is in the reference.
struct Flyby {
  double e, periapsis, mu, begin;
  std::array<Quad, 13> rate(const std::array<Quad, 13>& y) const {
    const Vector<Quad> r(y[0], y[1], y[2]), m(y[6], y[7], y[8]);
    const Quaternion<Quad> q(y[9], y[10], y[11], y[12]);
    const Quad distance = norm(r), cube = distance * distance * distance;
    const Vector<Quad> n = (Quad(1) / distance) * rotate(conjugate(q), r);
    const Vector<Quad> in(n[0], Quad(1.5) * n[1], Quad(2) * n[2]), w(m[0], m[1] / Quad(1.5), m[2] / Quad(2));
    const Vector<Quad> dm = cross(m, w) + (Quad(3) * Quad(mu) / cube) * cross(n, in);
    const Quaternion<Quad> dq = q * Quaternion<Quad>(Quad(0), w);
    const Quad g = -Quad(mu) / cube;
    return {y[3],           y[4],  y[5],  g * r[0],        g * r[1],        g * r[2],
            dm[0],          dm[1], dm[2], dq[0] / Quad(2), dq[1] / Quad(2), dq[2] / Quad(2),
            dq[3] / Quad(2)};
  }
  /// From the periapsis back to the beginning, and from there, with the body, to the end.
  State<Quad> at_end(const State<double>& start, double end) const {
    const Quad inclination(0.5), speed = sqrt(Quad(mu) * (Quad(1) + Quad(e)) / Quad(periapsis));
    std::array<Quad, 13> y{Quad(periapsis),         Quad(0), Quad(0), Quad(0), speed * cos(inclination),
                           speed * sin(inclination)};
    y[9] = Quad(1);
    const auto move = [&](int steps, double over) {
      y = reference::extrapolated(y, Quad(0), Quad(over) / Quad(steps), steps,
                                  [this](const std::array<Quad, 13>& at, const Quad&) { return rate(at); });
    };
    move(48, begin);
    for (std::size_t i = 0; i < 3; ++i) y[6 + i] = Quad(start.momentum[i]);
    for (std::size_t i = 0; i < 4; ++i) y[9 + i] = Quad(start.attitude[i]);
    move(96, end - begin);
    return {{y[6], y[7], y[8]}, normalized(Quaternion<Quad>(y[9], y[10], y[11], y[12]))};
  }
};

TEST(GravityGradient, FlybysAgainstQuadruplePrecision) {
  const State<double> start{{0.3, -0.2, 0.4}, {0.5, -0.5, 0.5, 0.5}};
  for (const double e : {0.999, 1.0, 1.0 + 0x1p-40, 2.5}) {
    const Flyby flyby{e, 1.25, 1.5, -3};
    const State<Quad> expected = flyby.at_end(start, 3.0);
    const KeplerOrbit<double> orbit(
        {.gravitational_parameter = 1.5, .eccentricity = e, .inclination = 0.5, .periapsis = 1.25});
    auto rotor =
        driven(Body<double>({1, 1.5, 2}), start, GravityGradient(orbit), scheme("rkn6-14"), DoubleDouble(-3));
    rotor.advance(0x1p-7, 768);
    EXPECT_LT(reference::state_error(rotor.state(), expected), 5e-16) << e;
  }
}

/// Along a table, with steps of half its spacing: a scheme of order 8 keeps it, in spite of the joints of the polynomials.
TEST(GravityGradient, FlybysAlongATable) {
  const State<double> start{{0.3, -0.2, 0.4}, {0.5, -0.5, 0.5, 0.5}};
  const State<Quad> expected = Flyby{1.5, 1.25, 1.5, -3}.at_end(start, 3.0);
  const KeplerOrbit<double> orbit(
      {.gravitational_parameter = 1.5, .eccentricity = 1.5, .inclination = 0.5, .periapsis = 1.25});
  const auto error = [&](int rows, bool with_velocities) {  // rows of a unit of time
    std::vector<double> times;
    std::vector<Vector<double>> positions, velocities;
    const auto at = [&](const DoubleDouble& time) {
      const auto point = orbit.at<DoubleDouble>(time);
      return (orbit.unit() * point.distance) * point.radial;
    };
    for (int i = -4 * rows; i <= 4 * rows; ++i) {
      const DoubleDouble h = 0x1p-26;
      times.push_back(static_cast<double>(i) / rows);
      positions.push_back(convert<double>(at(times.back())));
      velocities.push_back(convert<double>((0.5 / h) * (at(times.back() + h) - at(times.back() - h))));
    }
    const auto ephemeris = with_velocities ? Ephemeris<double>(times, positions, velocities)
                                           : Ephemeris<double>(times, positions);
    auto rotor = driven(Body<double>({1, 1.5, 2}), start, GravityGradient(ephemeris, 1.5),
                        scheme("kahan-li-8"), DoubleDouble(-3));
    rotor.advance(0.5 / rows, 12 * rows);
    return reference::state_error(rotor.state(), expected);
  };
  for (const bool with_velocities : {false, true}) {
    const double coarse = error(8, with_velocities), fine = error(16, with_velocities);
    EXPECT_GT(std::log2(coarse / fine), 7.5);
    EXPECT_LT(fine, with_velocities ? 2e-12 : 3e-10);
  }
}

}  // namespace
}  // namespace polhode
