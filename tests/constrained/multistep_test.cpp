// Multistep methods: observed orders, restart, errors, and the ways to find multipliers.
#include <gtest/gtest.h>

#include <random>

#include "polhode/constrained/multistep.hpp"
#include "polhode/constrained/multistep_methods.hpp"
#include "polhode/constrained/systems/four_points.hpp"
#include "polhode/constrained/systems/kepler.hpp"
#include "polhode/constrained/systems/pendulum.hpp"
#include "polhode/constrained/systems/pendulum_chain.hpp"
#include "polhode/constrained/systems/spherical_pendulum.hpp"
#include "polhode/constrained/systems/triple_pendulum.hpp"
#include "polhode/constrained/systems/two_body_sphere.hpp"
#include "polhode/free_motion/trajectory.hpp"
#include "reference/quadruple.hpp"

namespace polhode {

using namespace core;
namespace {

using reference::Quad;

template <class S, class T>
PhasePointOf<S, T> reference_at(const S& system, const PhasePointOf<S, T>& initial, const T& h, int steps) {
  Manifold<S, T> manifold(system);
  Starter<S, T> starter(manifold);
  MotionPoint<S, T> motion = starter.begin(initial);
  for (int i = 0; i < steps; ++i) motion = starter.step(motion, h);
  PhasePointOf<S, T> result;
  result.position = motion.position;
  result.momentum = motion.velocity;
  manifold.mass().multiply(result.momentum);
  return result;
}

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

/// The order between two step sizes, in double-double, against extrapolation.
template <class S>
double observed_order(const S& system, const MultistepTable& table, double h, int steps) {
  const auto exact = reference_at<S, DoubleDouble>(system, system.standard_state(), DoubleDouble(h), steps);
  double errors[2];
  for (const int part : {1, 2}) {
    Multistep<S, DoubleDouble> motion(system, table, system.standard_state(), h / part);
    motion.advance(part * steps);
    errors[part - 1] = distance(motion.wide_state(), exact);
  }
  return std::log2(errors[0] / errors[1]);
}

TEST(Multistep, OrderIsObserved) {
  for (const MultistepMethod& method : multistep_methods) {
    const int k = method.table.steps();
    const double h = k <= 6 ? 0.0078125 : 0.015625;
    EXPECT_NEAR(observed_order(systems::Kepler{}, method.table, h, 64), k, 0.3) << method.name;
  }
}

TEST(Multistep, OrderIsObservedWithConstraints) {
  const systems::SphericalPendulum pendulum;
  for (const char* name : {"sy2", "sy4", "sy6"})
    EXPECT_NEAR(observed_order(pendulum, multistep_table(name), 0.015625, 64), multistep_table(name).steps(),
                0.3)
        << name;
  EXPECT_NEAR(observed_order(systems::TwoBodySphere{}, console_hairer_table, 0.015625, 40), 8, 0.3);
  EXPECT_NEAR(observed_order(systems::TriplePendulum{}, console_hairer_table, 0.015625, 40), 8, 0.4);
}

TEST(Starter, IsRightToTheLastPlaces) {
  const systems::TwoBodySphere system;
  const auto initial = system.standard_state();
  const auto once =
      reference_at<systems::TwoBodySphere, DoubleDouble>(system, initial, DoubleDouble(0.0625), 8);
  const auto twice =
      reference_at<systems::TwoBodySphere, DoubleDouble>(system, initial, DoubleDouble(0.03125), 16);
  EXPECT_LT(distance(once, twice), 3e-28);
  Manifold<systems::TwoBodySphere, DoubleDouble> manifold(system);
  EXPECT_LT(std::abs(static_cast<double>(energy(system, manifold.mass(), once) -
                                         energy(system, manifold.mass(), initial))),
            3e-28);
}

template <class T, MultistepForm form>
void restart() {
  const systems::TwoBodySphere system;
  using Motion = Multistep<systems::TwoBodySphere, T, form>;
  Motion whole(system, console_hairer_table, system.standard_state(), 0.001);
  Motion parts(system, console_hairer_table, system.standard_state(), 0.001);
  EXPECT_EQ(whole.steps_taken(), 0);
  whole.advance(100);
  const auto middle = whole.save();
  whole.advance(137);
  parts.advance(7);  // what it was before does not matter
  parts.restore(middle);
  EXPECT_EQ(parts.steps_taken(), 100);
  for (int i = 0; i < 137; ++i) parts.advance();
  EXPECT_EQ(whole.save(), parts.save());
  EXPECT_EQ(whole.wide_state(), parts.wide_state());
  EXPECT_EQ(whole.evaluations(), parts.evaluations());
  EXPECT_EQ(whole.evaluations().force, 237);
}

TEST(Multistep, GoesOnBitForBit) {
  restart<double, MultistepForm::direct>();
  restart<double, MultistepForm::staggered>();
  restart<double, MultistepForm::compensated>();
  restart<double, MultistepForm::error_free>();
  restart<DoubleDouble, MultistepForm::error_free>();
}

TEST(Multistep, RefusesForeignBytes) {
  const systems::Pendulum system;
  Multistep<systems::Pendulum, double> motion(system, multistep_table("sy8"), system.standard_state(), 0.01);
  EXPECT_THROW(motion.restore(std::vector<std::byte>(8)), InputError);
}

TEST(Multistep, SaysOfAStepThatIsTooSmallThatItIs) {
  const systems::TriplePendulum system;
  try {
    Multistep<systems::TriplePendulum, double> motion(system, console_hairer_table, system.standard_state(),
                                                      5e-324);
    motion.advance(3);
    FAIL() << "a step whose square is zero is taken";
  } catch (const MotionError& e) {
    EXPECT_NE(std::string(e.what()).find("the step is too small"), std::string::npos) << e.what();
  }
}

TEST(Multistep, BeginsAtTheInitialValue) {
  const systems::TwoBodySphere system;
  const Multistep<systems::TwoBodySphere, DoubleDouble> motion(system, console_hairer_table,
                                                               system.standard_state(), 0.001);
  EXPECT_LT(distance(motion.wide_state(), system.standard_state()), 1e-20);  // (7) has the order 8
}

/// All forms follow one motion, and keep to the constraints.
template <class T, MultistepForm form>
void keeps_to_the_manifold(double tolerance, const MultiplierOptions& options = {},
                           double residual_bound = 1e-15) {
  const systems::TriplePendulum system;
  Multistep<systems::TriplePendulum, T, form> motion(system, console_hairer_table, system.standard_state(),
                                                     0.002, options);
  const auto exact = reference_at<systems::TriplePendulum, DoubleDouble>(system, system.standard_state(),
                                                                         DoubleDouble(0.002) * 10.0, 50);
  for (int i = 0; i < 50; ++i) {
    motion.advance(10);
    const auto residual = motion.residual();
    EXPECT_LT(static_cast<double>(residual.position), residual_bound);
    EXPECT_LT(static_cast<double>(residual.velocity), 1e-15);
  }
  EXPECT_LT(distance(motion.wide_state(), exact), tolerance);
  EXPECT_LE(static_cast<double>(motion.evaluations().constraint) / 500,
            options.max_iterations == 50 ? 7.0 : 50.0);
}

TEST(Multistep, KeepsToTheManifold) {
  MultiplierOptions standard, wide, tolerance;
  standard.evaluation = ConstraintEvaluation::standard;
  wide.evaluation = ConstraintEvaluation::wide;
  tolerance.stopping = Stopping::tolerance;
  keeps_to_the_manifold<double, MultistepForm::direct>(1e-9, {},
                                                       1e-14);  // its positions are rounded term by term
  keeps_to_the_manifold<double, MultistepForm::staggered>(1e-11);
  keeps_to_the_manifold<double, MultistepForm::compensated>(1e-12);
  keeps_to_the_manifold<double, MultistepForm::compensated>(1e-10, standard,
                                                            3e-15);  // g in double, of coordinates up to 3
  keeps_to_the_manifold<double, MultistepForm::compensated>(1e-12, wide);
  keeps_to_the_manifold<double, MultistepForm::compensated>(1e-12, tolerance);
  keeps_to_the_manifold<double, MultistepForm::error_free>(1e-12);
  keeps_to_the_manifold<DoubleDouble, MultistepForm::error_free>(1e-13);
}

TEST(Multistep, QuadrupleAgreesWithDoubleDouble) {
  const systems::SphericalPendulum system;
  PhasePoint<Quad, 3> initial;
  for (std::size_t i = 0; i < 3; ++i) {
    initial.position[i] = reference::to_quad(system.standard_state().position[i]);
    initial.momentum[i] = reference::to_quad(system.standard_state().momentum[i]);
  }
  using S = systems::SphericalPendulum;
  Multistep<S, Quad, MultistepForm::staggered> wide(system, console_hairer_table, initial, 0.0078125);
  Multistep<S, DoubleDouble> pairs(system, console_hairer_table, system.standard_state(), 0.0078125);
  wide.advance(500);
  pairs.advance(500);
  const auto point = wide.wide_state();
  PhasePoint<DoubleDouble, 3> rounded;
  for (std::size_t i = 0; i < 3; ++i) {
    rounded.position[i] = reference::to_double_double(point.position[i]);
    rounded.momentum[i] = reference::to_double_double(point.momentum[i]);
  }
  EXPECT_LT(distance(rounded, pairs.wide_state()), 1e-25);
}

TEST(Multistep, FourPointsTurnLikeTheExactFlow) {
  const Vector<double> moments{{0.6, 0.8, 1.0}};
  const systems::FourPoints points(moments);
  Multistep<systems::FourPoints, double> motion(points, console_hairer_table, points.standard_state(),
                                                0.0078125);
  const Vector<DoubleDouble> spatial = systems::FourPoints::spatial_momentum(motion.wide_state());
  motion.advance(1280);  // to t = 10
  const Trajectory<double> exact(Body<double>(moments), State<double>{{{0.5, 0.2, 0.8}}, {}});
  const Matrix<DoubleDouble> expected = to_matrix(exact.wide_at(DoubleDouble(10.0)).attitude);
  const Matrix<DoubleDouble> found = points.attitude(motion.wide_state());
  const Vector<DoubleDouble> spatial_after = systems::FourPoints::spatial_momentum(motion.wide_state());
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j)
      EXPECT_LT(std::abs(static_cast<double>(found[i][j] - expected[i][j])), 1e-12) << i << j;
    EXPECT_LT(std::abs(static_cast<double>(spatial_after[i] - spatial[i])), 1e-14);
  }
}

TEST(Multistep, LongChain) {
  const systems::PendulumChain chain(100);
  Multistep<systems::PendulumChain, double> motion(chain, console_hairer_table, chain.standard_state(),
                                                   0.002);
  const DoubleDouble before = motion.energy();
  motion.advance(500);
  EXPECT_LT(std::abs(static_cast<double>((motion.energy() - before) / before)), 1e-14);
  EXPECT_LT(static_cast<double>(motion.residual().position), 1e-15);
}

TEST(Multipliers, RationalEvaluationIsAccurate) {
  const systems::TriplePendulum system;
  RationalConstraint<systems::TriplePendulum> rational(system);
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  Multipliers<systems::TriplePendulum, double> g(5);
  for (int run = 0; run < 1000; ++run) {
    auto state = systems::TriplePendulum::at_rest({uniform(random), uniform(random), uniform(random)});
    Column<double, 8> q, e;
    for (std::size_t i = 0; i < 8; ++i) {
      state.position[i] += 1e-12 * uniform(random);
      q[i] = state.position[i].high();
      e[i] = state.position[i].low();
    }
    rational.centre(system, std::as_const(q).span());
    rational.evaluate(system, std::as_const(q).span(), std::as_const(e).span(), g);
    for (std::size_t i = 0; i < 5; ++i) {
      const DoubleDouble exact = system.constraint(std::as_const(state.position).span(), i);
      EXPECT_LT(std::abs(static_cast<double>(g[i] - exact)),
                4e-22);  // eps times the grid of 2^-23 and a few terms
    }
  }
}

TEST(Multipliers, ClosedFormIsTheSolutionOfNewton) {
  const systems::TwoBodySphere system;
  MultiplierOptions newton;
  newton.closed_form = false;
  Multistep<systems::TwoBodySphere, DoubleDouble> a(system, console_hairer_table, system.standard_state(),
                                                    0.001, newton);
  Multistep<systems::TwoBodySphere, DoubleDouble> b(system, console_hairer_table, system.standard_state(),
                                                    0.001);
  a.advance(1000);
  b.advance(1000);
  EXPECT_LT(distance(a.wide_state(), b.wide_state()), 1e-22);
  EXPECT_EQ(b.evaluations().constraint, 1000);
}

template <class F>
std::string sentence(F&& f) {
  try {
    f();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST(MultistepErrors, InconsistentStart) {
  const systems::SphericalPendulum system;
  using Motion = Multistep<systems::SphericalPendulum, double>;
  auto state = system.standard_state();
  state.position[0] = 1.01;
  const std::string off = sentence([&] { Motion(system, console_hairer_table, state, 0.01); });
  EXPECT_NE(off.find("does not satisfy the constraints: |g(q)| is 0.0201"), std::string::npos) << off;
  state = system.standard_state();
  state.momentum[0] = 0.25;
  const std::string radial = sentence([&] { Motion(system, console_hairer_table, state, 0.01); });
  EXPECT_NE(radial.find("|G M^-1 p| is 0.5"), std::string::npos) << radial;
  state = system.standard_state();
  state.position[0] = 1.0 + 1e-12;  // as from input in double: put right
  const Motion motion(system, console_hairer_table, state, 0.01);
  EXPECT_LT(static_cast<double>(motion.residual().position), 1e-31);
  state.position[0] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NE(sentence([&] { Motion(system, console_hairer_table, state, 0.01); }).find("not finite"),
            std::string::npos);
}

/// Both constraints say the same.
struct Twice : systems::SphericalPendulum {
  static constexpr std::size_t constraints = 2;
  static constexpr bool spheres = false, quadratic = true;
};

TEST(MultistepErrors, DependentConstraints) {
  const Twice system;
  const std::string text = sentence(
      [&] { Multistep<Twice, double>(system, console_hairer_table, system.standard_state(), 0.01); });
  EXPECT_NE(text.find("G M^-1 G^T is singular"), std::string::npos) << text;
}

TEST(MultistepErrors, StepTooLargeLeavesTheMotionWhole) {
  const systems::TriplePendulum system;
  Multistep<systems::TriplePendulum, double> motion(system, console_hairer_table, system.standard_state(),
                                                    0.3);
  std::int64_t at = -1;
  std::string text;
  std::vector<std::byte> before;
  try {
    for (int i = 0; i < 1000; ++i) {
      before = motion.save();
      motion.advance();
    }
  } catch (const StepError& error) {
    at = error.step();
    text = error.what();
  }
  EXPECT_EQ(at, motion.steps_taken());
  EXPECT_EQ(text.find("step " + std::to_string(at + 1) + ": the multipliers do not converge"), 0u) << text;
  EXPECT_EQ(motion.save(), before);
  motion.wide_state();
}

TEST(MultistepErrors, WhatCannotBeAsked) {
  const systems::TwoBodySphere system;
  using Motion = Multistep<systems::TwoBodySphere, double>;
  const auto with = [&](const MultistepTable& table, double h, const MultiplierOptions& options = {}) {
    return sentence([&] { Motion(system, table, system.standard_state(), h, options); });
  };
  EXPECT_NE(with(multistep_table("sy8"), 0.001).find("unstable with constraints"), std::string::npos);
  EXPECT_NE(with(console_hairer_table, 0.0).find("the step is not"), std::string::npos);
  EXPECT_NE(with(console_hairer_table, HUGE_VAL).find("the step is not"), std::string::npos);
  MultiplierOptions options;
  options.extrapolation = 4;
  EXPECT_NE(with(console_hairer_table, 0.001, options).find("degree 0 to 3"), std::string::npos);
  options = {};
  options.max_iterations = 0;
  EXPECT_NE(with(console_hairer_table, 0.001, options).find("at least one iteration"), std::string::npos);
  options = {};
  options.tolerance = 0.0;
  EXPECT_NE(with(console_hairer_table, 0.001, options).find("tolerance"), std::string::npos);
}

}  // namespace
}  // namespace polhode
