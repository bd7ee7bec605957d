// A body from its moments: order, axes, and states that go in and come out.
#include "polhode/body/body.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "arithmetic/exact.hpp"
#include "polhode/free_motion/exact.hpp"
#include "polhode/free_motion/rotor.hpp"
#include "polhode/free_motion/trajectory.hpp"

namespace polhode {

using namespace core;
namespace {

using reference::Operands;
using W = DoubleDouble;

Vector<double> random_vector(Operands& random) {
  return {{random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0)}};
}

State<double> random_state(Operands& random) {
  return {random_vector(random), Quaternion<double>(random.uniform(-1.0, 1.0), random_vector(random))};
}

double distance(const Vector<W>& a, const Vector<W>& b) { return static_cast<double>(norm(a - b)); }
double distance(const Quaternion<W>& a, const Quaternion<W>& b) {
  return static_cast<double>(sqrt(norm_squared(a - b)));
}

template <class T>
void expect_in_all_orders() {
  std::array<T, 3> order{T(0.345), T(0.653), T(1.0)};
  const std::array<T, 3> ascending = order;
  Operands random(1);
  do {
    const Vector<T> moments{{order[0], order[1], order[2]}};
    const Body<T> body(moments);
    EXPECT_EQ(body.moments().c, ascending);
    EXPECT_EQ(determinant(body.axes()), W(1));
    // The rows are unit vectors of the user's frame, up to sign, and the moment about each is the user's.
    for (std::size_t i = 0; i < 3; ++i) {
      W moment(0);
      for (std::size_t j = 0; j < 3; ++j) moment += square(body.axes()[i][j]) * W(moments[j]);
      EXPECT_EQ(moment, W(body.moments()[i]));
    }
    for (int n = 0; n < 50; ++n) {
      const State<double> user = random_state(random);
      const State<W> wide = convert<W>(user);
      const State<W> principal = body.to_principal(user);
      const State<W> back = body.to_user(principal);
      EXPECT_EQ(back.momentum, wide.momentum);
      EXPECT_EQ(body.to_user(body.to_principal(user.momentum)), wide.momentum);
      EXPECT_EQ(body.to_principal(user.momentum), principal.momentum);
      EXPECT_LT(distance(back.attitude, wide.attitude), 1e-31);  // measured 3.7e-32
      // The momentum in space is the same, seen from either frame: measured 6.7e-32.
      EXPECT_LT(
          distance(rotate(principal.attitude, principal.momentum), rotate(wide.attitude, wide.momentum)),
          1e-31);
    }
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST(Body, FromMomentsInAllOrders) { expect_in_all_orders<double>(); }
TEST(Body, FromWideMomentsInAllOrders) { expect_in_all_orders<DoubleDouble>(); }

TEST(Body, MomentsInAscendingOrderKeepTheFrame) {
  const Body<double> body(Vector<double>{{1.0, 2.0, 2.5}});
  EXPECT_EQ(body.axes(), Matrix<W>::identity());
  Operands random(2);
  const State<double> user = random_state(random);
  EXPECT_EQ(body.to_principal(user), convert<W>(user));
  EXPECT_EQ(body.to_user(convert<W>(user)), convert<W>(user));
}

TEST(Body, EqualMomentsKeepTheirOrder) {
  EXPECT_EQ(Body<double>(Vector<double>{{3.0, 3.0, 3.0}}).axes(), Matrix<W>::identity());
  EXPECT_EQ(Body<double>(Vector<double>{{1.0, 1.0, 2.0}}).axes(), Matrix<W>::identity());
  const Body<double> body(Vector<double>{{2.0, 1.0, 1.0}});
  EXPECT_EQ(body.moments(), (Vector<double>{{1.0, 1.0, 2.0}}));
  EXPECT_EQ(body.axes(), (Matrix<W>{{Vector<W>{{0, 1, 0}}, Vector<W>{{0, 0, 1}}, Vector<W>{{1, 0, 0}}}}));
}

TEST(Body, InnerUnitIsAPowerOfTwo) {
  for (const double unit : {1.0, 1e-46, 3e40, 0x1p-900, 1e300}) {
    const Vector<double> moments{{0.345 * unit, 0.653 * unit, unit}};
    const Body<double> body(moments);
    EXPECT_EQ(body.moments(), moments);
    EXPECT_GE(body.inertia().moments[2], 1.0);
    EXPECT_LT(body.inertia().moments[2], 2.0);
    for (std::size_t i = 0; i < 3; ++i)
      EXPECT_EQ(std::ldexp(body.inertia().moments[i], body.inertia_exponent()), moments[i]);
  }
}

TEST(Body, MomentumExponent) {
  EXPECT_EQ(momentum_exponent(Vector<double>{{0.0, -9.0, 1.0}}), 3);
  EXPECT_EQ(momentum_exponent(Vector<double>{{1e-46, 0.0, 0.0}}), std::ilogb(1e-46));
  EXPECT_EQ(momentum_exponent(Vector<double>{}), 0);
  EXPECT_EQ(momentum_exponent(Vector<W>{{W(1.0, -0x1p-60), W(0), W(0)}}), 0);
}

/// The norm of an attitude has no meaning, however small or large it is.
TEST(Body, AttitudesOfEveryNorm) {
  const Body<double> body(Vector<double>{{1.0, 0.345, 0.653}});  // its frame is turned
  const State<double> start{{{0.5, 0.2, 0.8}}, {1, 0, 0, 0}};
  Rotor<Exact<double>> rotor(body, start);
  rotor.advance(0.1, 10);
  const State<double> expected = rotor.state(), at = Trajectory<double>(body, start).at(1.0);
  for (const double size : {5e-324, 1e-310, 1e-300, 1e-160, 1e160, 1.7e308}) {
    const State<double> same{start.momentum, {size, 0, 0, 0}};
    Rotor<Exact<double>> other(body, same);
    other.advance(0.1, 10);
    const State<double> along = Trajectory<double>(body, same).at(1.0);
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_NEAR(other.state().attitude[i], expected.attitude[i], 4e-16) << size;
      EXPECT_NEAR(along.attitude[i], at.attitude[i], 4e-16) << size;
    }
  }
}

/// The same motion in other units, to the bit, as far as there are numbers for it.
TEST(Body, MomentaOfEverySize) {
  const Body<double> body(Matrix<double>(Vector<double>{{2, 0.1, 0.2}}, Vector<double>{{0.1, 3, 0.3}},
                                         Vector<double>{{0.2, 0.3, 4}}));
  const State<double> start{{{0.75, -0.5, 0.625}},
                            {1, 0, 0, 0}};  // short numbers: none is lost among the subnormal ones
  Rotor<Exact<double>> rotor(body, start);
  rotor.advance(0.5, 3);
  for (const int exponent : {1023, 1000, 600, -600, -1000, -1021}) {
    State<double> scaled = start;
    for (double& x : scaled.momentum.c) x = std::ldexp(x, exponent);
    // A step that would be beyond the numbers is taken with the time that there is.
    Rotor<Exact<double>> other(body, scaled);
    if (std::abs(exponent) <= 1000) {
      other.advance(std::ldexp(0.5, -exponent), 3);
      EXPECT_EQ(other.state().attitude, rotor.state().attitude) << exponent;
    } else {
      EXPECT_EQ(other.state().attitude, start.attitude) << exponent;
      EXPECT_EQ(other.state().momentum, scaled.momentum) << exponent;
    }
    EXPECT_FALSE(std::isnan(Trajectory<double>(body, scaled).period())) << exponent;
  }
}

TEST(Body, WarnsOfABrokenTriangleInequality) {
  const auto warns = [](double a, double b, double c) {
    const Body<double> body(Vector<double>{{a, b, c}});
    EXPECT_EQ(body.warning().empty(), body.obeys_triangle_inequality());
    return !body.warning().empty();
  };
  EXPECT_TRUE(warns(0.345, 0.653, 1.0));  // the literature's water molecule
  EXPECT_TRUE(warns(1.0, 0.653, 0.345));
  EXPECT_FALSE(warns(1.0, 1.0, 2.0));  // a flat body obeys it
  EXPECT_FALSE(warns(2.0, 1.0, 1.0));
  // A few roundings are forgiven, no more.
  EXPECT_FALSE(warns(0.1, 0.7, 0.8));
  EXPECT_FALSE(warns(1.0, 1.0, std::nextafter(2.0, 3.0)));
  EXPECT_TRUE(warns(1.0, 1.0, 2.0 * (1 + 8 * 0x1p-52)));
  EXPECT_FALSE(warns(0x1p-60, 1.0, 1.0));
  EXPECT_FALSE(warns(1.0, 1.0, 1.0));
  EXPECT_NE(Body<double>(Vector<double>{{1.0, 1.0, 3.0}}).warning().find("triangle inequality"),
            std::string::npos);
}

}  // namespace
}  // namespace polhode
