// The quadruple-precision reference of the other tests against others: Boost.Math's integrals with 100 digits,
// the inversion of F (nothing in common with the theta functions of jacobi.hpp), and quadrature of the integrands.
// Boost 1.74's own Jacobi functions are not used: its dn is wrong near odd multiples of K.
#include <boost/math/quadrature/tanh_sinh.hpp>
#include <boost/math/special_functions/ellint_1.hpp>
#include <boost/math/special_functions/ellint_2.hpp>
#include <boost/math/special_functions/ellint_3.hpp>
#include <boost/math/special_functions/ellint_rc.hpp>
#include <boost/math/special_functions/ellint_rd.hpp>
#include <boost/math/special_functions/ellint_rf.hpp>
#include <boost/math/special_functions/ellint_rj.hpp>
#include <boost/multiprecision/cpp_bin_float.hpp>

#include "elliptic/measure.hpp"
#include "polhode/elliptic/jacobi.hpp"

namespace POLHODE_CORE::elliptic {

namespace {

using Big = boost::multiprecision::cpp_bin_float_100;

/// Exact: 113 bits as doubles.
Big to_big(const Quad& x) {
  const double a = static_cast<double>(x);
  const double b = static_cast<double>(Quad(x - Quad(a)));
  const double c = static_cast<double>(Quad(x - Quad(a) - Quad(b)));
  return Big(a) + Big(b) + Big(c);
}

/// The nearest Quad to about its last place.
Quad to_quad(const Big& x) {
  const double a = static_cast<double>(x);
  const double b = static_cast<double>(Big(x - a));
  const double c = static_cast<double>(Big(x - a - b));
  return Quad(a) + (Quad(b) + Quad(c));
}

/// The error in units of 2^-112, relative to a scale.
double error(const Quad& computed, const Big& exact, const Big& scale) {
  return static_cast<double>(Big(abs(Big(to_big(computed) - exact)) / abs(scale))) * 0x1p112;
}
double error(const Quad& computed, const Big& exact) { return error(computed, exact, exact); }

constexpr double few = 30.0;  // units of 2^-112, 6e-33 relative

TEST(Independent, Carlson) {
  Random random(31);
  for (int i = 0; i < 500 / slowness; ++i) {
    const double decades = i % 2 == 0 ? 3.0 : 60.0;
    const double x = random.integer(8) == 0 ? 0.0 : random.log_uniform(-decades, decades);
    const double y = random.log_uniform(-decades, decades);
    const double z = random.log_uniform(-decades, decades);
    const double p = random.log_uniform(-decades, decades);
    const Quad qx(x), qy(y), qz(z), qp(p);
    const Big bx(x), by(y), bz(z), bp(p);
    ASSERT_LT(error(rf(qx, qy, qz), boost::math::ellint_rf(bx, by, bz)), few) << x << " " << y << " " << z;
    ASSERT_LT(error(rc(qx, qy), boost::math::ellint_rc(bx, by)), few) << x << " " << y;
    ASSERT_LT(error(rc(qz, Quad(-qy)), boost::math::ellint_rc(bz, Big(-by))), few) << z << " " << y;
    ASSERT_LT(error(rd(qx, qy, qz), boost::math::ellint_rd(bx, by, bz)), few) << x << " " << y << " " << z;
    ASSERT_LT(error(rj(qx, qy, qz, qp), boost::math::ellint_rj(bx, by, bz, bp)), few)
        << x << " " << y << " " << z << " " << p;
  }
}

/// k to 100 digits: of k'^2 = 1e-30 seventy are left.
Big big_modulus(const Modulus<double>& m) {
  return m.squared < m.complement ? sqrt(Big(m.squared)) : sqrt(Big(1 - Big(m.complement)));
}

TEST(Independent, Legendre) {
  Random random(32);
  for (int i = 0; i < 400 / slowness; ++i) {
    const auto m = random.modulus();
    const auto exact = m.to<Quad>();
    const Big k = big_modulus(m);
    const double n = random.characteristic();
    const double phi = i % 2 == 0 ? random.uniform(-1.57, 1.57) : random.uniform(-30.0, 30.0);
    ASSERT_LT(error(complete_first(exact), boost::math::ellint_1(k)), few);
    ASSERT_LT(error(complete_second(exact), boost::math::ellint_2(k)), few);
    ASSERT_LT(error(complete_third(Quad(n), exact), boost::math::ellint_3(k, Big(n))), few)
        << n << " " << m.complement;
    ASSERT_LT(error(incomplete_first(Quad(phi), exact), boost::math::ellint_1(k, Big(phi))), few);
    ASSERT_LT(error(incomplete_third(Quad(phi), Quad(n), exact), boost::math::ellint_3(k, Big(n), Big(phi))),
              few)
        << phi << " " << n << " " << m.complement;
  }
}

/// Through an angle: u = F(phi) to 100 digits, rounded; sn, cn and dn of u are known from phi up to that rounding.
TEST(Independent, JacobiInvertsTheFirstKind) {
  Random random(33);
  for (int i = 0; i < 2000 / slowness; ++i) {
    const auto m = random.modulus();
    const auto exact = m.to<Quad>();
    double angle = i % 2 == 0 ? random.uniform(-1.57, 1.57) : random.uniform(-600.0, 600.0);
    if (i % 5 == 0)
      angle = (random.integer(100) - 50 + 0.5) * 3.141592653589793 + random.log_uniform(-15.0, -2.0);
    const Big phi(angle);
    const Big u = boost::math::ellint_1(big_modulus(m), phi);
    const auto [sn, cn, dn] = jacobi(to_quad(u), exact);
    const Big s = sin(phi);
    const Big c = cos(phi);
    const Big d = sqrt(Big(c * c + to_big(exact.complement) * s * s));
    const Big wander =
        abs(u) * Big(0x1p-112);  // of the argument: its own rounding and the reference's reduction
    const auto units = [&](const Quad& computed, const Big& value, const Big& slope, const Big& scale) {
      return error(computed, value, Big(abs(scale) + abs(slope) * wander * Big(0x1p112)));
    };
    ASSERT_LT(units(sn, s, Big(c * d), s), few) << angle << " " << m.complement;
    ASSERT_LT(units(cn, c, Big(s * d), d), few) << angle << " " << m.complement;
    ASSERT_LT(units(dn, d, Big(s * c), d), few) << angle << " " << m.complement;
    ASSERT_LT(units(am(to_quad(u), exact), phi, d, phi), few) << angle << " " << m.complement;
  }
}

TEST(Independent, Quadrature) {
  using Middle = boost::multiprecision::cpp_bin_float_50;
  boost::math::quadrature::tanh_sinh<Middle> integrator(12);
  for (const double k2 : {0.0, 0.3, 0.99}) {
    for (const double n : {-1000.0, -2.0, -0.1, 0.0, 0.5, 0.99}) {
      for (const double phi : {0.1, 1.0, 1.5}) {
        const auto integrand = [&](const Middle& x) {
          const Middle s = sin(x);
          return Middle(1 / ((1 - n * s * s) * sqrt(Middle(1 - k2 * s * s))));
        };
        const Middle value = integrator.integrate(integrand, Middle(0), Middle(phi));
        const Quad computed = incomplete_third(Quad(phi), Quad(n), Modulus<Quad>::from_squared(Quad(k2)));
        EXPECT_LT(error(computed, Big(value)), few) << k2 << " " << n << " " << phi;
      }
    }
  }
}

/// sn(u + v), cn and dn from those of u and v [DLMF 22.8.1-22.8.3].
TEST(Independent, AdditionTheorem) {
  Random random(34);
  for (int i = 0; i < 2000 / slowness; ++i) {
    const auto m = Modulus<Quad>::from_squared(Quad(random.uniform(0.0, 1.0)));
    const Quad u(random.uniform(-5.0, 5.0));
    const Quad v(random.uniform(-5.0, 5.0));
    const auto a = jacobi(u, m);
    const auto b = jacobi(v, m);
    const auto sum = jacobi(Quad(u + v), m);
    const Quad denominator = Quad(1) - m.squared * square(Quad(a.sn * b.sn));
    const Quad sn = (a.sn * b.cn * b.dn + b.sn * a.cn * a.dn) / denominator;
    const Quad cn = (a.cn * b.cn - a.sn * b.sn * a.dn * b.dn) / denominator;
    const Quad dn = (a.dn * b.dn - m.squared * a.sn * b.sn * a.cn * b.cn) / denominator;
    const double tolerance = 1e-31 / to_double(denominator);
    ASSERT_NEAR(to_double(Quad(sum.sn - sn)), 0.0, tolerance);
    ASSERT_NEAR(to_double(Quad(sum.cn - cn)), 0.0, tolerance);
    ASSERT_NEAR(to_double(Quad(sum.dn - dn)), 0.0, tolerance);
  }
}

}  // namespace
}  // namespace POLHODE_CORE::elliptic
