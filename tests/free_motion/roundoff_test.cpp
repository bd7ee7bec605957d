// Round-off over a million steps: who drifts, and who walks [Vil08].
//
// The water molecule of the paper, h = 0.01, five initial values next to (4) of the paper. Measured when written, root mean
// square of the energy error at the end: jacobi-standard 9.2e-12, jacobi-reduced 3.6e-14, dmv10 4.5e-14, dmv10 compensated
// 4.5e-16, exact 4e-14, exact compensated 3e-18; spatial momentum of the last 2e-18, attitude 3e-14 (worst 4.3e-14).

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>

#include "polhode/polhode.hpp"
#include "reference/compare.hpp"

namespace polhode {

using namespace core;
namespace {

constexpr int runs = 5;

struct Errors {
  double energy_rms = 0, energy_worst = 0;
  double spatial_rms = 0;
  double attitude_worst = 0;
};

template <class Method, Summation summation>
Errors after_a_million_steps(const Vector<double>& moments = {{0.345, 0.653, 1.0}}) {
  std::mt19937_64 random(2008);
  std::uniform_real_distribution<double> uniform(-0.01, 0.01);
  const Body<double> body(moments);
  Errors errors;
  for (int i = 0; i < runs; ++i) {
    State<double> s{{{0.5 + uniform(random), 0.2 + uniform(random), 0}}, {}};
    s.momentum[2] = std::sqrt(1 - s.momentum[0] * s.momentum[0] - s.momentum[1] * s.momentum[1]);
    Rotor<Method, summation> rotor(body, s);
    const auto before = rotor.invariants();
    rotor.advance(0.01, 1000000);
    const auto after = rotor.invariants();
    const double energy = std::abs(static_cast<double>(after.energy - before.energy));
    const double space = reference::momentum_error(after.spatial_momentum, before.spatial_momentum);
    errors.energy_rms += energy * energy / runs;
    errors.spatial_rms += space * space / runs;
    errors.energy_worst = energy <= errors.energy_worst ? errors.energy_worst : energy;  // NaN stays
    const auto truth = Trajectory<double>(body, s).wide_at(DoubleDouble(0.01) * 1e6);
    const double attitude = reference::attitude_error(rotor.wide_state().attitude, truth.attitude);
    errors.attitude_worst = attitude <= errors.attitude_worst ? errors.attitude_worst : attitude;
  }
  errors.energy_rms = std::sqrt(errors.energy_rms);
  errors.spatial_rms = std::sqrt(errors.spatial_rms);
  return errors;
}

TEST(RoundOff, JacobiStandardDrifts) {
  const Errors e = after_a_million_steps<JacobiStandard<double>, Summation::plain>();
  EXPECT_GT(e.energy_rms, 5e-13);
  EXPECT_LT(e.energy_rms, 1e-10);
}

TEST(RoundOff, JacobiReducedWalks) {
  const Errors e = after_a_million_steps<JacobiReduced<double>, Summation::plain>();
  EXPECT_LT(e.energy_worst, 1.5e-13);
  EXPECT_GT(e.energy_rms, 2e-15);
}

TEST(RoundOff, MoserVeselovWalks) {
  const Errors e = after_a_million_steps<MoserVeselov<double, 10>, Summation::plain>();
  EXPECT_LT(e.energy_worst, 2e-13);
  EXPECT_LT(e.spatial_rms, 2e-13);
  EXPECT_GT(e.energy_rms, 6e-15);  // above what compensation leaves
}

/// Constants that are kept make nothing drift, and the formulas of section 3 of [CS06] lose nothing either: 5e-17 measured.
TEST(RoundOff, JacobiKeptStays) {
  const Errors e = after_a_million_steps<JacobiKept<double>, Summation::plain>();
  EXPECT_LT(e.energy_worst, 4e-16);
}

/// Compensated, over momenta next to the given one.
double energy_rms_of_dmv10(const Vector<double>& near, double h, int steps, int trajectories) {
  const Body<double> body(Vector<double>{{0.345, 0.653, 1}});
  std::mt19937_64 random(2008);
  std::uniform_real_distribution<double> uniform(-0.01, 0.01);
  double squares = 0;
  for (int i = 0; i < trajectories; ++i) {
    const Vector<double> m{{near[0] + uniform(random), near[1] + uniform(random), near[2] + uniform(random)}};
    Rotor<MoserVeselov<double, 10>> rotor(body, {m, {}});
    rotor.advance(h, steps);
    squares += square(static_cast<double>(rotor.errors().energy)) / trajectories;
  }
  return std::sqrt(squares);
}

/// Brouwer's law for the compensated steps: 0.22 eps h sqrt(n) for every step and number of steps. With three more rounded constants,
/// (I_k - I_l)/I_j, the factor at h = 0.04 is 0.8 after 10^5 steps and 1.4 after 4 x 10^5, a drift.
TEST(RoundOff, MoserVeselovCompensatedObeysBrouwersLaw) {
  constexpr std::array<double, 2> h{0.01, 0.04};
  constexpr std::array<int, 2> steps{50000, 200000};
  double rms[2][2];
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) {
      rms[i][j] = energy_rms_of_dmv10({{0.45549, 0.82623, 0.03476}}, h[i], steps[j], 60);
      // The deviation of such a root mean square is 1/sqrt(2 x 60), 9 %.
      const double factor = rms[i][j] / (0x1p-52 * h[i] * std::sqrt(steps[j]));
      EXPECT_GT(factor, 0.14) << h[i] << ' ' << steps[j];
      EXPECT_LT(factor, 0.32) << h[i] << ' ' << steps[j];
    }
  // The bounds of the paper's figure 2 for the powers of the time and of h.
  for (int i = 0; i < 2; ++i) {
    const double of_time = std::log(rms[i][1] / rms[i][0]) / std::log(4.0);
    EXPECT_GT(of_time, 0.35) << h[i];
    EXPECT_LT(of_time, 0.65) << h[i];
    const double of_step = std::log(rms[1][i] / rms[0][i]) / std::log(4.0);
    EXPECT_GT(of_step, 0.75) << steps[i];
    EXPECT_LT(of_step, 1.25) << steps[i];
  }
}

/// The length of the paper's runs from its initial values, with the longest of its steps. The three rounded constants make it 1.2e-14.
TEST(RoundOff, MoserVeselovCompensatedAfterAMillionLongSteps) {
  EXPECT_LT(energy_rms_of_dmv10({{0.5, 0.2, 0.84}}, 0.04, 1000000, 16), 3e-15);
}

TEST(RoundOff, MoserVeselovCompensated) {
  const Errors e = after_a_million_steps<MoserVeselov<double, 10>, Summation::compensated>();
  EXPECT_LT(e.energy_worst, 2e-15);
  EXPECT_LT(e.spatial_rms, 2e-15);
}

/// Far below the last place of energy and momentum. Fails if the error of the constants is left out of the first result for dm
/// (energy 8e-16), if the rounding of m + m+, of q v or the compensation of q is left out of the attitude (spatial momentum 3e-16
/// and more), or if the constants are rounded to double (attitude 3e-12).
TEST(RoundOff, ExactCompensated) {
  const Errors e = after_a_million_steps<Exact<double>, Summation::compensated>();
  EXPECT_LT(e.energy_worst, 2e-17);
  EXPECT_LT(e.spatial_rms, 1e-17);
  EXPECT_LT(e.attitude_worst, 1.5e-13);
}

/// Where more numbers stay the same: symmetric and nearly symmetric bodies.
TEST(RoundOff, ExactCompensatedForOtherBodies) {
  for (const Vector<double>& moments : {Vector<double>{{0.5, 1, 1}}, Vector<double>{{0.5, 0.5, 1}},
                                        Vector<double>{{0.6, 0.8, 1}}, Vector<double>{{0.9, 0.9001, 1}}}) {
    const Errors e = after_a_million_steps<Exact<double>, Summation::compensated>(moments);
    EXPECT_LT(e.energy_worst, 1e-17) << moments[0] << ' ' << moments[1];
    EXPECT_LT(e.spatial_rms, 5e-18) << moments[0] << ' ' << moments[1];
    EXPECT_LT(e.attitude_worst, 4e-14) << moments[0] << ' ' << moments[1];
  }
}

/// A body so nearly symmetric that most of what it computes never changes, in steps of half a radian. 8e-15 without the correction of
/// dm after its second evaluation.
TEST(RoundOff, ExactCompensatedForANearlySymmetricDisc) {
  Rotor<Exact<double>> rotor(Body<double>(Vector<double>{{0.005522062185442057, 0.0055220621854609299, 1}}),
                             {{{-0.13152664597720085, -1.5428621816791747e-05, 0.99131263542837267}}, {}});
  const auto before = rotor.invariants();
  rotor.advance(0.002699602308974557, 1000000);
  const auto after = rotor.invariants();
  EXPECT_LT(std::abs(static_cast<double>((after.energy - before.energy) / before.energy)), 1e-15);
}

/// The constant step: constants that stay the same make nothing drift, short steps and middle ones.
TEST(RoundOff, FixedStep) {
  for (const Vector<double>& moments :
       {Vector<double>{{0.345, 0.653, 1}}, Vector<double>{{0.6, 0.8, 1}}, Vector<double>{{0.5, 1, 1}}}) {
    for (const double h : {0.01, 0.1}) {
      const Body<double> body(moments);
      const State<double> start{{{0.5, 0.2, 0.84}}, {}};
      FixedStepRotor<double> rotor(body, start, h);
      const auto before = rotor.invariants();
      rotor.advance(1000000);
      const auto after = rotor.invariants();
      EXPECT_LT(std::abs(static_cast<double>(after.energy - before.energy)), 2e-17);
      EXPECT_LT(reference::momentum_error(after.spatial_momentum, before.spatial_momentum), 5e-16);
      const auto expected = Trajectory<double>(body, start).wide_at(DoubleDouble(h) * 1e6);
      EXPECT_LT(reference::attitude_error(rotor.wide_state().attitude, expected.attitude), 2e-13);
    }
  }
}

/// Steps that are not short, and none at all.
TEST(FixedStep, TakesAnyStep) {
  const Body<double> body(Vector<double>{{0.345, 0.653, 1}});
  const State<double> start{{{0.5, 0.2, 0.84}}, {1, 0, 0, 0}};
  for (const double h : {0.0, 1e-12, -0.02, 0.3, 7.0}) {
    FixedStepRotor<double> rotor(body, start, h);
    rotor.advance(3);
    const auto expected = Trajectory<double>(body, start).wide_at(DoubleDouble(h) * 3.0);
    EXPECT_LT(reference::state_error(rotor.state(), expected), 1e-15) << h;
  }
  FixedStepRotor<double> still(body, {{{0, 0, 0}}, {1, 0, 0, 0}}, 0.01);
  still.advance(3);
  EXPECT_EQ(still.state(), (State<double>{{{0, 0, 0}}, {1, 0, 0, 0}}));
}

TEST(RoundOff, ExactPlainWalks) {
  const Errors e = after_a_million_steps<Exact<double>, Summation::plain>();
  EXPECT_LT(e.energy_worst, 2e-13);
  EXPECT_GT(e.energy_rms, 6e-15);
}

}  // namespace
}  // namespace polhode
