// The alternatives of [CH13] section 2 and 3 beside what it recommends: the summed form, the compensation of one sum
// only, the momentum in the scalar of the method, and the start by an implicit Runge-Kutta method.
#include <gtest/gtest.h>

#include "polhode/constrained/multistep.hpp"
#include "polhode/constrained/multistep_methods.hpp"
#include "polhode/constrained/systems/kepler.hpp"
#include "polhode/constrained/systems/pendulum.hpp"
#include "polhode/constrained/systems/triple_pendulum.hpp"
#include "polhode/constrained/systems/two_body_sphere.hpp"

namespace polhode {

using namespace core;
namespace {

using enum MultistepForm;

template <class T, std::size_t n>
double distance(const PhasePoint<T, n>& a, const PhasePoint<T, n>& b) {
  double worst = 0.0;
  for (std::size_t i = 0; i < a.position.size(); ++i)
    for (const T& x : {T(a.position[i] - b.position[i]), T(a.momentum[i] - b.momentum[i])}) {
      const double size = std::abs(static_cast<double>(x));
      worst = size <= worst ? worst : size;
    }
  return worst;
}

/// The largest error of the energy in 400 samples, as the root mean square of 10 pendulums.
template <class T, MultistepForm form>
double pendulum(std::int64_t steps, const MultistepOptions& options = {}) {
  double squares = 0.0;
  for (int i = 0; i < 20; i += 2) {
    PhasePoint<DoubleDouble, 1> state;
    state.position[0] = 0.05 * i;
    state.momentum[0] = 1.2 - 0.05 * i;
    Multistep<systems::Pendulum, T, form> motion({}, multistep_table("sy8"), state, 0.01, {}, options);
    const DoubleDouble start = motion.energy();
    double worst = 0.0;
    for (int sample = 0; sample < 400; ++sample) {
      motion.advance(steps / 400);
      const double error = std::abs(static_cast<double>(motion.energy() - start));
      worst = error <= worst ? worst : error;
    }
    squares += worst * worst;
  }
  return std::sqrt(squares / 10);
}

TEST(SummedForm, IsTheSameMethod) {
  // Errors of the methods reach 2e-3 here (sy2); the two forms differ by round-off alone.
  const systems::Kepler system;
  for (const MultistepMethod& method : multistep_methods) {
    using Pairs = Multistep<systems::Kepler, double, error_free>;
    Pairs pairs(system, method.table, system.standard_state(), 0.015625);
    Multistep<systems::Kepler, double, summed> sums(system, method.table, system.standard_state(), 0.015625);
    EXPECT_LT(distance(sums.wide_state(), pairs.wide_state()), 4e-19) << method.name;
    pairs.advance(64);
    sums.advance(64);
    const double bound = method.table.steps() <= 8 ? 1e-16 : 2e-15;
    EXPECT_LT(distance(sums.wide_state(), pairs.wide_state()), bound) << method.name;
  }
}

TEST(SummedForm, IsTheSameMethodWithConstraints) {
  const systems::TriplePendulum system;
  using Pairs = Multistep<systems::TriplePendulum, double, error_free>;
  for (const MultistepTable& table : {multistep_table("sy2"), multistep_table("sy4"), console_hairer_table}) {
    Pairs pairs(system, table, system.standard_state(), 0.002);
    Multistep<systems::TriplePendulum, double, summed> sums(system, table, system.standard_state(), 0.002);
    pairs.advance(500);
    sums.advance(500);
    EXPECT_LT(distance(sums.wide_state(), pairs.wide_state()), 1e-17) << table.steps();
    EXPECT_LT(static_cast<double>(sums.residual().position), 1e-18) << table.steps();
    EXPECT_LT(static_cast<double>(sums.residual().velocity), 1e-30) << table.steps();
  }
}

TEST(SummedForm, GoesOnBitForBit) {
  const systems::TwoBodySphere system;
  using Motion = Multistep<systems::TwoBodySphere, double, summed>;
  Motion whole(system, console_hairer_table, system.standard_state(), 0.001);
  Motion parts(system, console_hairer_table, system.standard_state(), 0.001);
  whole.advance(100);
  const auto middle = whole.save();
  whole.advance(137);
  parts.advance(7);
  parts.restore(middle);
  for (int i = 0; i < 137; ++i) parts.advance();
  EXPECT_EQ(whole.save(), parts.save());
  EXPECT_EQ(whole.wide_state(), parts.wide_state());
}

TEST(Compensation, NoneIsTheStaggeredForm) {
  const systems::TwoBodySphere system;
  Multistep<systems::TwoBodySphere, double, staggered> plain(system, console_hairer_table,
                                                             system.standard_state(), 0.001);
  Multistep<systems::TwoBodySphere, double, compensated> none(
      system, console_hairer_table, system.standard_state(), 0.001, {}, {.compensation = Compensation::none});
  plain.advance(1000);
  none.advance(1000);
  EXPECT_EQ(plain.save(), none.save());
}

struct Compensated {
  double none, position, momentum, both;
};
template <MultistepForm form>
Compensated pendulum_by_compensation(std::int64_t steps) {
  const auto with = [&](Compensation c) { return pendulum<double, form>(steps, {.compensation = c}); };
  return {with(Compensation::none), with(Compensation::position), with(Compensation::momentum),
          with(Compensation::both)};
}

TEST(Compensation, OfOneEquationIsOfMarginalEffect) {
  // [CH13 section 2.3] says so of the position. Measured at t = 4000, in units of 1e-14: without 4.5, position 4.4,
  // momentum 2.3, both 0.71; of the summed form 2.9, 2.7, 1.9, 0.21.
  const Compensated differences = pendulum_by_compensation<compensated>(400000);
  const Compensated sums = pendulum_by_compensation<summed>(400000);
  for (const Compensated& x : {differences, sums}) {
    EXPECT_GT(x.position, 0.8 * x.none);
    EXPECT_LT(x.position, 1.1 * x.none);
    EXPECT_GT(x.momentum, 0.4 * x.none);
    EXPECT_LT(x.momentum, 0.7 * x.none);
    EXPECT_GT(x.momentum, 2.5 * x.both);
  }
  // The two remedies of section 2.1, plain and compensated.
  EXPECT_LT(differences.none, 5.5e-14);
  EXPECT_LT(differences.both, 9e-15);
  EXPECT_LT(sums.none, 0.8 * differences.none);
  EXPECT_LT(sums.both, 0.35 * differences.both);
  EXPECT_GT(sums.none, 12 * sums.both);
}

TEST(MomentumFormula, DifferencesOfPositionsLoseTheirRoundOffOverTheStep) {
  // To t = 10^3: 4.6e-16, 5.0e-16 and, with eps/h = 2.2e-14, 1.1e-14.
  const double wide = pendulum<double, error_free>(100000);
  const double rounded = pendulum<double, error_free>(100000, {.momentum = MomentumFormula::staggered});
  const double differences = pendulum<double, error_free>(100000, {.momentum = MomentumFormula::differences});
  EXPECT_LT(wide, 6e-16);
  EXPECT_LT(rounded, 7e-16);
  EXPECT_NE(rounded, wide);
  EXPECT_GT(differences, 6e-15);
  EXPECT_LT(differences, 1.5e-14);
}

TEST(MomentumFormula, ChangesNoStep) {
  const systems::TwoBodySphere system;
  using Motion = Multistep<systems::TwoBodySphere, double>;
  const auto after = [&](MomentumFormula formula) {
    Motion motion(system, console_hairer_table, system.standard_state(), 0.001, {}, {.momentum = formula});
    motion.advance(1000);
    return motion;
  };
  const Motion wide = after(MomentumFormula::wide), rounded = after(MomentumFormula::staggered),
               differences = after(MomentumFormula::differences);
  EXPECT_EQ(wide.save(), rounded.save());
  EXPECT_EQ(wide.save(), differences.save());
  // Projected in double: G M^-1 p is zero to the last places of a double, not beyond.
  for (const Motion* motion : {&rounded, &differences}) {
    EXPECT_LT(static_cast<double>(motion->residual().velocity), 2e-16);
    EXPECT_GT(static_cast<double>(motion->residual().velocity), 1e-20);
  }
  EXPECT_LT(distance(rounded.wide_state(), wide.wide_state()), 3e-16);
  EXPECT_LT(distance(differences.wide_state(), wide.wide_state()), 2e-13);  // eps/h is 2.2e-13
  EXPECT_GT(distance(differences.wide_state(), wide.wide_state()), 5e-15);
}

/// The starting values of the two methods over `count` steps.
template <class S>
double starts_differ_by(const S& system, double h, int count) {
  Manifold<S, DoubleDouble> manifold(system);
  Starter<S, DoubleDouble> extrapolation(manifold), gauss(manifold, StartMethod::gauss);
  MotionPoint<S, DoubleDouble> a = extrapolation.begin(system.standard_state()), b = a;
  double worst = 0.0;
  for (int i = 0; i < count; ++i) {
    a = extrapolation.step(a, DoubleDouble(h));
    b = gauss.step(b, DoubleDouble(h));
    for (std::size_t j = 0; j < a.position.size(); ++j)
      for (const DoubleDouble& x :
           {DoubleDouble(a.position[j] - b.position[j]), DoubleDouble(a.velocity[j] - b.velocity[j]),
            DoubleDouble(a.acceleration[j] - b.acceleration[j])})
        worst = std::max(worst, std::abs(static_cast<double>(x)));
  }
  return worst;
}

TEST(StartByGauss, AgreesWithExtrapolation) {
  EXPECT_LT(starts_differ_by(systems::Pendulum{}, 0.01, 8), 2e-30);
  EXPECT_LT(starts_differ_by(systems::Kepler{}, 0.0625, 8), 1e-28);
  EXPECT_LT(starts_differ_by(systems::TwoBodySphere{}, 0.001, 4), 1e-30);
  EXPECT_LT(starts_differ_by(systems::TriplePendulum{}, 0.002, 4), 4e-30);
}

TEST(StartByGauss, IsRightToTheLastPlaces) {
  // Where steps are long the differences that extrapolation takes cost it four digits, and Gauss none.
  const systems::Pendulum system;
  Manifold<systems::Pendulum, DoubleDouble> manifold(system);
  const auto energy_error = [&](StartMethod method) {
    Starter<systems::Pendulum, DoubleDouble> starter(manifold, method);
    MotionPoint<systems::Pendulum, DoubleDouble> point = starter.begin(system.standard_state());
    for (int i = 0; i < 8; ++i) point = starter.step(point, DoubleDouble(-0.25));
    PhasePoint<DoubleDouble, 1> end;
    end.position = point.position;
    end.momentum = point.velocity;
    return std::abs(static_cast<double>(energy(system, manifold.mass(), end) -
                                        energy(system, manifold.mass(), system.standard_state())));
  };
  EXPECT_LT(energy_error(StartMethod::gauss), 1e-31);
  EXPECT_LT(energy_error(StartMethod::extrapolation), 3e-28);
}

TEST(StartByGauss, ChangesNoErrorOverALongTime) {
  const MultistepOptions gauss{.start = StartMethod::gauss};
  EXPECT_NEAR((pendulum<double, error_free>(100000, gauss)), (pendulum<double, error_free>(100000)), 1e-25);
  EXPECT_NEAR((pendulum<double, compensated>(100000, gauss)), (pendulum<double, compensated>(100000)), 1e-25);
}

TEST(StartByGauss, RefusesWhatCannotBeFollowed) {
  const systems::Kepler system;
  using Motion = Multistep<systems::Kepler, double>;
  PhasePoint<DoubleDouble, 2> collision;
  collision.position[0] = 1e-12;
  EXPECT_THROW(Motion(system, multistep_table("sy8"), collision, 1.0, {}, {.start = StartMethod::gauss}),
               InputError);
}

}  // namespace
}  // namespace polhode
