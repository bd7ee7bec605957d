// The constants of free rotation, against quadruple precision.
#include "polhode/body/inertia.hpp"

#include <gtest/gtest.h>

#include "arithmetic/exact.hpp"
#include "reference/quadruple.hpp"

namespace polhode {

using namespace core;
namespace {

using reference::Operands;
using reference::Quad;
using reference::to_quad;

// Formed in the order that loses nothing: differences of doubles of nearly the same size are exact in 113 bits.
struct Constants {
  Quad a1, a2, a3;
  explicit Constants(const Vector<double>& i) {
    const Quad i1(i[0]), i2(i[1]), i3(i[2]);
    a1 = (i3 - i2) / (i2 * i3);
    a3 = (i2 - i1) / (i1 * i2);
    a2 = (i3 - i1) / (i1 * i3);  // not as the sum: another way to the same number
  }
};

double relative(const DoubleDouble& x, const Quad& exact) {
  if (exact == Quad(0)) return x == DoubleDouble(0) ? 0.0 : 1.0;
  return static_cast<double>(abs(Quad(to_quad(x) - exact)) / abs(exact));
}

double worst(const Vector<double>& moments) {
  const Inertia<double> inertia(moments);
  const Constants exact(moments);
  return std::max(
      {relative(inertia.a1, exact.a1), relative(inertia.a2, exact.a2), relative(inertia.a3, exact.a3)});
}

TEST(Inertia, DifferencesOfNearlySymmetricBodies) {
  Operands random(1);
  double largest = 0.0;
  for (int n = 0; n < 2000; ++n) {
    const double i2 = random.uniform(0.5, 1.5);
    const double below = std::ldexp(random.uniform(0.5, 1.0), -random.integer(1, 51));
    const double above = std::ldexp(random.uniform(0.5, 1.0), -random.integer(1, 51));
    largest = std::max(largest, worst({{i2 * (1.0 - below), i2, i2 * (1.0 + above)}}));
  }
  EXPECT_LT(largest, 5.7e-32);  // measured 4.4e-32
  EXPECT_LT(worst({{1.0, std::nextafter(1.0, 2.0), std::nextafter(1.0 + 0x1p-52, 2.0)}}), 1e-31);
}

TEST(Inertia, SymmetricBodies) {
  using V = Vector<double>;
  const Inertia<double> prolate(V{{1.0, 3.0, 3.0}}), oblate(V{{2.0, 2.0, 3.0}}), sphere(V{{3.0, 3.0, 3.0}});
  EXPECT_EQ(prolate.a1, DoubleDouble(0));
  EXPECT_EQ(prolate.a2, prolate.a3);
  EXPECT_EQ(oblate.a3, DoubleDouble(0));
  EXPECT_EQ(oblate.a2, oblate.a1);
  EXPECT_EQ(sphere.a2, DoubleDouble(0));
  EXPECT_LT(relative(prolate.a3, Quad(2) / Quad(3)), 1e-31);
  EXPECT_LT(relative(oblate.a1, Quad(1) / Quad(6)), 1e-31);
}

TEST(Inertia, VeryThinBodies) {
  EXPECT_LT(worst({{0x1p-400, 1.0, 1.5}}), 1e-31);
  EXPECT_LT(worst({{0x1p-499, 0x1.8p-480, 1.5}}), 1e-31);
}

// The DoubleDouble body keeps differences below the resolution of double.
TEST(Inertia, OfDoubleDouble) {
  const DoubleDouble i2(1.0, 0x1p-80), i3(1.0, 0x1.8p-79);
  const Inertia<DoubleDouble> inertia(Vector<DoubleDouble>{{DoubleDouble(1.0), i2, i3}});
  EXPECT_LT(relative(inertia.a3, Quad(0x1p-80) / to_quad(i2)), 2e-31);
  EXPECT_LT(relative(inertia.a1, Quad(0x1p-79) / (to_quad(i2) * to_quad(i3))), 2e-31);
}

TEST(Inertia, Inverses) {
  const Inertia<double> inertia(Vector<double>{{0.345, 0.653, 1.0}});
  for (std::size_t j = 0; j < 3; ++j)
    EXPECT_LT(relative(inertia.inverse[j], Quad(1) / Quad(inertia.moments[j])), 1e-31);
}

TEST(Inertia, EnergyAndAngularVelocity) {
  const Inertia<double> inertia(Vector<double>{{0.5, 1.0, 2.0}});
  const Vector<double> m{{1.0, 2.0, 4.0}};
  EXPECT_EQ(inertia.energy(m), 7.0);
  EXPECT_EQ(inertia.angular_velocity(m), (Vector<double>{{2.0, 2.0, 2.0}}));
  const Vector<DoubleDouble> wide = convert<DoubleDouble>(m);
  EXPECT_EQ(inertia.energy(wide), DoubleDouble(7));
  EXPECT_EQ(inertia.angular_velocity(wide), (Vector<DoubleDouble>{{2.0, 2.0, 2.0}}));
}

// m' = m x omega, component by component, with the signs of the header.
TEST(Inertia, ConstantsAreThoseOfEulersEquations) {
  const Inertia<double> inertia(Vector<double>{{0.345, 0.653, 1.0}});
  const Vector<DoubleDouble> m{{0.3, -0.7, 0.5}};
  const auto rate = cross(m, inertia.angular_velocity(m));
  EXPECT_LT(abs(rate[0] + inertia.a1 * m[1] * m[2]), DoubleDouble(1e-31));
  EXPECT_LT(abs(rate[1] - inertia.a2 * m[0] * m[2]), DoubleDouble(1e-31));
  EXPECT_LT(abs(rate[2] + inertia.a3 * m[0] * m[1]), DoubleDouble(1e-31));
}

}  // namespace
}  // namespace polhode
