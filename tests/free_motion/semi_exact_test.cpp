// The semi-exact methods [CZ08 section 3.3]: exact momentum, the angle of the frame by Gauss's or Hermite's rule.

#include <gtest/gtest.h>

#include <cmath>

#include "polhode/polhode.hpp"
#include "reference/compare.hpp"

namespace polhode {

using namespace core;
namespace {

using reference::momentum_error;
using reference::state_error;

const Vector<double> water{{0.345, 0.653, 1.0}};
const State<double> start{{{0.5, 0.2, 0.84}}, {0.5, -0.1, 0.7, 0.3}};

constexpr FrbOptions gauss(int nodes, Frame frame = Frame::automatic) { return {nodes, frame, 0}; }
constexpr FrbOptions hermite(int coefficients, Frame frame = Frame::automatic) {
  return {0, frame, coefficients};
}

/// The error after a time of 2, in double-double, where truncation shows down to 1e-30.
template <Representation representation>
double error(const FrbOptions& options, int steps) {
  using D = DoubleDouble;
  const Inertia<D> inertia(convert<D>(water));
  const Vector<D> m = convert<D>(start.momentum);
  const auto solution = ClosedForm<D>(inertia, m).advance(D(2));
  Motion<D, Summation::plain> motion;
  motion.assign(m, Quaternion<D>());
  const Frb<D, representation> method(inertia, options);
  for (int i = 0; i < steps; ++i) method.step(motion, D(2) / D(steps));
  return state_error(State<D>{motion.momentum(), normalized(motion.attitude())},
                     State<D>{solution.momentum, solution.rotation});
}

template <class Method>
State<double> run(const FrbOptions& options, double h, int forth, int back = 0) {
  Rotor<Method, Summation::plain> rotor(Body<double>(water), start, options);
  rotor.advance(h, forth);
  if (back > 0) rotor.advance(-h, back);
  return rotor.state();
}

/// Twice the number of nodes, or of Taylor coefficients at each end, in each frame.
TEST(SemiExact, HasTwiceTheOrderOfItsNumber) {
  for (const Frame frame : {Frame::smallest_rotation, Frame::derivative, Frame::azimuthal})
    for (const int number : {1, 2, 3, 4, 5}) {
      for (const FrbOptions& options : {gauss(number, frame), hermite(number, frame)}) {
        const double of_quaternion = std::log2(error<Representation::quaternion>(options, 80) /
                                               error<Representation::quaternion>(options, 160));
        EXPECT_NEAR(of_quaternion, 2 * number, 0.05) << options.hermite << ' ' << static_cast<int>(frame);
        const double of_matrix = std::log2(error<Representation::matrix>(options, 80) /
                                           error<Representation::matrix>(options, 160));
        EXPECT_NEAR(of_matrix, 2 * number, 0.05) << options.hermite << ' ' << static_cast<int>(frame);
      }
    }
}

/// Ten coefficients, order 20, are exact at small steps: the rule integrates the right function.
TEST(SemiExact, ReachesRoundOffWithTenCoefficients) {
  EXPECT_LT(error<Representation::quaternion>(hermite(10), 80), 1e-27);
  EXPECT_LT(error<Representation::matrix>(hermite(10), 80), 1e-27);
}

template <class Method>
void expect_momentum_kept_and_time_symmetric(const FrbOptions& options) {
  const Quaternion<double> q = normalized(start.attitude);
  const Vector<double> before = to_matrix(q) * start.momentum;
  const State<double> exact = run<Method>({}, 0.5, 40), end = run<Method>(options, 0.5, 40);
  EXPECT_LT(momentum_error(to_matrix(end.attitude) * end.momentum, before), 2e-14);
  EXPECT_EQ(end.momentum, exact.momentum);
  // 6.6e-14 for all of them, that of the momentum, whose constants are rounded anew in each step.
  EXPECT_LT(state_error(run<Method>(options, 0.5, 40, 40), State<double>{start.momentum, q}), 8e-14);
}

/// For any number of nodes, at a step where the attitude is far from exact (see the next test).
TEST(SemiExact, KeepsTheMomentumInSpaceAndIsTimeSymmetric) {
  for (int number = 1; number <= 10; ++number)
    for (const Frame frame : {Frame::smallest_rotation, Frame::derivative, Frame::azimuthal})
      for (const FrbOptions& options : {gauss(number, frame), hermite(number, frame)}) {
        SCOPED_TRACE(::testing::Message() << number << (options.hermite > 0 ? " coefficients" : " nodes")
                                          << ", frame " << static_cast<int>(frame));
        expect_momentum_kept_and_time_symmetric<FrbMatrix<double>>(options);
        expect_momentum_kept_and_time_symmetric<FrbQuaternion<double>>(options);
      }
}

TEST(SemiExact, HasAnAttitudeThatIsNotExact) {
  for (const FrbOptions& options : {gauss(1), hermite(1), hermite(2)}) {
    EXPECT_GT(state_error(run<FrbMatrix<double>>(options, 0.5, 40), run<FrbMatrix<double>>({}, 0.5, 40)),
              1e-5);
    EXPECT_GT(
        state_error(run<FrbQuaternion<double>>(options, 0.5, 40), run<FrbQuaternion<double>>({}, 0.5, 40)),
        1e-5);
  }
}

TEST(SemiExact, RefusesTwoRulesAndNumbersOutOfRange) {
  const Inertia<double> inertia(water);
  for (const FrbOptions& options :
       {gauss(-1), gauss(11), hermite(-1), hermite(11), FrbOptions{3, Frame::automatic, 3}}) {
    EXPECT_THROW(FrbMatrix<double>(inertia, options), InputError);
    EXPECT_THROW(FrbQuaternion<double>(inertia, options), InputError);
  }
}

TEST(HermiteRule, IntegratesPolynomialsBelowItsOrder) {
  for (int count = 1; count <= 10; ++count) {
    const HermiteRule<double> rule = hermite_rule<double>(count);
    // x^k over [1, 3], whose Taylor coefficients at x are binomials times powers; k = 2 count is the first that is missed.
    for (int k = 0; k <= 2 * count; ++k) {
      double sum = 0, binomial = 1;
      for (int j = 0; j < count && j <= k; ++j) {
        const double a = binomial * std::pow(1.0, k - j), b = binomial * std::pow(3.0, k - j);
        sum += rule.weights[static_cast<std::size_t>(j)].value * std::pow(2.0, j + 1) *
               (j % 2 == 0 ? a + b : a - b);
        binomial *= static_cast<double>(k - j) / (j + 1);
      }
      const double relative = std::abs(sum * (k + 1) / (std::pow(3.0, k + 1) - 1) - 1);
      if (k < 2 * count)
        EXPECT_LT(relative, 2e-13) << count << ' ' << k;
      else
        EXPECT_GT(relative, 1e-11) << count << ' ' << k;
    }
  }
  EXPECT_TRUE(hermite_rule<double>(0).weights.empty());
}

}  // namespace
}  // namespace polhode
