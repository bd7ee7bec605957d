// The systems: forces are those of their potentials, gradients those of their constraints, initial values consistent.
#include <gtest/gtest.h>

#include <random>

#include "polhode/constrained/projection.hpp"
#include "polhode/constrained/systems/four_points.hpp"
#include "polhode/constrained/systems/henon_heiles.hpp"
#include "polhode/constrained/systems/kepler.hpp"
#include "polhode/constrained/systems/outer_solar_system.hpp"
#include "polhode/constrained/systems/pendulum.hpp"
#include "polhode/constrained/systems/pendulum_chain.hpp"
#include "polhode/constrained/systems/spherical_pendulum.hpp"
#include "polhode/constrained/systems/triple_pendulum.hpp"
#include "polhode/constrained/systems/two_body_sphere.hpp"

namespace polhode {

using namespace core;
namespace {

/// The same system without the derivatives that it gives, and without windows.
template <class S>
struct Bare {
  S system;
  std::size_t dimension() const { return dimension_of(system); }
  std::size_t constraints() const { return constraints_of(system); }
  template <class T>
  T potential(std::span<const T> q) const {
    return system.potential(q);
  }
  template <class T>
  T constraint([[maybe_unused]] std::span<const T> q, [[maybe_unused]] std::size_t i) const {
    if constexpr (HasConstraints<S>)
      return system.constraint(q, i);
    else
      return T(0);
  }
};

template <class S>
void check(const S& system) {
  using T = DoubleDouble;
  const std::size_t n = dimension_of(system), m = constraints_of(system);
  const Bare<S> bare{system};
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> uniform(-0.01, 0.01);
  auto state = system.standard_state();
  Manifold<S, T> manifold(system);
  const auto residual = manifold.residual(state);
  EXPECT_LT(static_cast<double>(residual.position), 1e-30);
  EXPECT_LT(static_cast<double>(residual.velocity), 1e-30);

  for (T& x : state.position) x += T(uniform(random));
  Coordinates<S, T> f(n);
  Coordinates<Bare<S>, T> q(n), f_bare(n);
  for (std::size_t i = 0; i < n; ++i) q[i] = state.position[i];
  force(system, state.position, f);
  force(bare, q, f_bare);
  for (std::size_t i = 0; i < n; ++i)
    EXPECT_LT(static_cast<double>(abs(f[i] - f_bare[i])), 1e-28) << "force " << i;

  if constexpr (HasConstraints<S>) {
    ConstraintDerivative<S, T> g(system);
    ConstraintDerivative<Bare<S>, T> g_bare(bare);
    g.evaluate(system, state.position);
    g_bare.evaluate(bare, q);
    // Column by column: outside the windows nothing may be lost.
    for (std::size_t j = 0; j < n; ++j) {
      Coordinates<S, T> e(n);
      Coordinates<Bare<S>, T> e_bare(n);
      e[j] = e_bare[j] = T(1);
      for (std::size_t i = 0; i < m; ++i)
        EXPECT_LT(static_cast<double>(abs(g.times(i, e) - g_bare.times(i, e_bare))), 1e-29) << i << ' ' << j;
    }
    // The envelope of the Gram matrix against the full one; unit masses in all of these systems.
    GramFactor<S, T> gram(system, g);
    GramFactor<Bare<S>, T> gram_bare(bare, g_bare);
    ASSERT_TRUE(gram.factor(g, Mass<S, T>(system)));
    ASSERT_TRUE(gram_bare.factor(g_bare, Mass<Bare<S>, T>(bare)));
    Multipliers<S, T> x(m);
    Multipliers<Bare<S>, T> y(m);
    for (std::size_t i = 0; i < m; ++i) x[i] = y[i] = T(uniform(random));
    const auto right = y;
    gram.solve(x);
    gram_bare.solve(y);
    const Coordinates<S, T> back = g.transposed_times(x, n);
    for (std::size_t i = 0; i < m; ++i) {
      EXPECT_LT(static_cast<double>(abs(x[i] - y[i])), 1e-29);
      EXPECT_LT(static_cast<double>(abs(g.times(i, back) - right[i])), 1e-30);  // G G^T x is the right side
    }
  }
}

TEST(Systems, Pendulum) { check(systems::Pendulum{}); }
TEST(Systems, Kepler) { check(systems::Kepler{}); }
TEST(Systems, HenonHeiles) { check(systems::HenonHeiles{}); }
TEST(Systems, OuterSolarSystem) { check(systems::OuterSolarSystem{}); }
TEST(Systems, SphericalPendulum) { check(systems::SphericalPendulum{}); }
TEST(Systems, TwoBodySphere) { check(systems::TwoBodySphere{}); }
TEST(Systems, TriplePendulum) { check(systems::TriplePendulum{}); }
TEST(Systems, PendulumChain) {
  check(systems::PendulumChain(1));
  check(systems::PendulumChain(7));
}
TEST(Systems, FourPoints) { check(systems::FourPoints(Vector<double>{{0.6, 0.8, 1.0}})); }

TEST(Systems, OuterSolarSystemRests) {
  const auto state = systems::OuterSolarSystem{}.standard_state();
  for (std::size_t j = 0; j < 3; ++j) {
    DoubleDouble total = 0.0;
    for (std::size_t a = 0; a < 6; ++a) total += state.momentum[3 * a + j];
    EXPECT_LT(std::abs(static_cast<double>(total)), 1e-34);
  }
}

TEST(Systems, RefuseWhatCannotBe) {
  EXPECT_THROW(systems::FourPoints(Vector<double>{{0.345, 0.653, 1.0}}), InputError);
  EXPECT_THROW(systems::PendulumChain(0), InputError);
}

/// Two coordinates that share a mass matrix.
struct Coupled {
  static constexpr std::size_t dimension = 2;
  double corner = 2.0;
  double mass(std::size_t i, std::size_t j) const { return i == j ? (i == 0 ? 3.0 : corner) : 1.0; }
  auto potential(auto q) const { return q[0] * q[0] + q[1]; }
};

TEST(Mass, MatrixIsInvertedAndChecked) {
  const Mass<Coupled, DoubleDouble> mass(Coupled{});
  Column<DoubleDouble, 2> x;
  x[0] = 1.0;
  x[1] = 2.0;
  mass.divide(x);  // the inverse of ((3, 1), (1, 2)) is ((2, -1), (-1, 3))/5
  EXPECT_LT(std::abs(static_cast<double>(x[0])), 1e-31);
  EXPECT_LT(std::abs(static_cast<double>(x[1] - 1.0)), 1e-31);
  mass.multiply(x);
  EXPECT_LT(std::abs(static_cast<double>(x[0] - 1.0)), 1e-31);
  EXPECT_THROW((Mass<Coupled, double>(Coupled{.corner = 0.25})), InputError);
}

struct BadMass {
  static constexpr std::size_t dimension = 1;
  double mass(std::size_t) const { return 0.0; }
  auto potential(auto q) const { return q[0]; }
};

TEST(Mass, RefusesWhatIsNotPositive) { EXPECT_THROW((Mass<BadMass, double>(BadMass{})), InputError); }

}  // namespace
}  // namespace polhode
