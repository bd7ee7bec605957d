// Gauss methods: coefficients, order, structure, round-off, failure.
#include "polhode/constrained/gauss.hpp"

#include <gtest/gtest.h>

#include <array>
#include <random>

#include "constrained/companions.hpp"
#include "polhode/constrained/systems/kepler.hpp"
#include "polhode/constrained/systems/outer_solar_system.hpp"
#include "polhode/constrained/systems/pendulum.hpp"

using namespace polhode;
using namespace polhode::core;
using namespace companions;
using systems::Kepler;
using systems::OuterSolarSystem;
using systems::Pendulum;

namespace {

double size(const DoubleDouble& x) { return std::abs(static_cast<double>(x)); }

DoubleDouble power(const DoubleDouble& x, int n) {
  DoubleDouble result = 1;
  for (int i = 0; i < n; ++i) result *= x;
  return result;
}

class GaussStagesTest : public testing::TestWithParam<int> {};

// The simplifying assumptions B(2 s), C(s), D(s) of Butcher give the order 2 s. Measured: at most 5e-32.
TEST_P(GaussStagesTest, CoefficientsSatisfyTheOrderConditions) {
  const int s = GetParam();
  const CollocationTable table = CollocationTable::gauss(s);
  const auto &b = table.weights, &c = table.nodes;
  const auto& a = table.position_matrix;
  double worst = 0.0;
  for (int k = 1; k <= 2 * s; ++k) {
    DoubleDouble sum = 0;
    for (std::size_t i = 0; i < b.size(); ++i) sum += b[i] * power(c[i], k - 1);
    worst = std::max(worst, size(sum - DoubleDouble(1) / DoubleDouble(k)));
  }
  for (int k = 1; k <= s; ++k)
    for (std::size_t i = 0; i < b.size(); ++i) {
      DoubleDouble row = 0, column = 0;
      for (std::size_t j = 0; j < b.size(); ++j) {
        row += a(i, j) * power(c[j], k - 1);
        column += b[j] * power(c[j], k - 1) * a(j, i);
      }
      worst = std::max(worst, size(row - power(c[i], k) / DoubleDouble(k)));
      worst = std::max(worst, size(column - b[i] * (1 - power(c[i], k)) / DoubleDouble(k)));
    }
  EXPECT_LE(worst, 1.5e-31);
}

// Symplectic, and its own conjugate.
TEST_P(GaussStagesTest, CoefficientsAreSymplectic) {
  const CollocationTable table = CollocationTable::gauss(GetParam());
  const auto& b = table.weights;
  for (std::size_t i = 0; i < b.size(); ++i)
    for (std::size_t j = 0; j < b.size(); ++j) {
      const DoubleDouble m = b[i] * table.position_matrix(i, j) + b[j] * table.position_matrix(j, i);
      EXPECT_LE(size(m - b[i] * b[j]), 1.5e-31);
      EXPECT_LE(size(table.position_matrix(i, j) - table.velocity_matrix(i, j)), 1.5e-31);
    }
}

// Coefficients that were rounded to double would be those of another method, by 1e-16, and not of a symplectic one.
TEST_P(GaussStagesTest, CoefficientsKeepTheirRoundingErrors) {
  const CollocationTable table = CollocationTable::gauss(GetParam());
  const DoubleDouble h2 = DoubleDouble::product(0.3, 0.3);
  const detail::SplitMatrix<double> split(table.nystrom, h2);
  for (std::size_t i = 0; i < table.stages(); ++i)
    for (std::size_t j = 0; j < table.stages(); ++j) {
      const DoubleDouble exact = h2 * table.nystrom(i, j);
      EXPECT_LE(size(DoubleDouble::sum(split.value(i, j), split.error(i, j)) - exact),
                0x1p-104 * size(exact));
    }
}

TEST_P(GaussStagesTest, HasItsOrder) {
  const int s = GetParam();
  const Pendulum pendulum;
  const double end = 2.0;
  const auto exact = exact_motion(pendulum, end, 40);
  // Steps at which the error is far above 1e-31 and the next term of its expansion small.
  const int coarse = s <= 2 ? 32 : s <= 4 ? 16 : 8;
  const auto error = [&](int count) {
    Gauss<Pendulum, DoubleDouble> gauss(pendulum, pendulum.standard_state(), end / count, {.stages = s});
    gauss.advance(count);
    return distance(gauss.wide_state(), exact);
  };
  const double order = std::log2(error(coarse) / error(2 * coarse));
  EXPECT_NEAR(order, 2 * s, 0.02 * 2 * s) << error(coarse) << ' ' << error(2 * coarse);
}

TEST_P(GaussStagesTest, GoesBackTheWayItCame) {
  const int s = GetParam();
  const Kepler kepler{0.3};
  const auto go = [&]<class T>(T) {
    Gauss<Kepler, T> there(kepler, kepler.standard_state(), 0.1, {.stages = s});
    there.advance(200);
    Gauss<Kepler, T> back(kepler, reversed(there.wide_state()), 0.1, {.stages = s});
    back.advance(200);
    return distance(reversed(back.wide_state()), kepler.standard_state());
  };
  EXPECT_LE(go(0.0), 1e-14);  // measured 3.5e-15: the errors of 400 steps' forces
  EXPECT_LE(go(DoubleDouble(0)), 3e-29);
}

// With a step so long that the energy is missed by far, the symplectic form is kept to the accuracy of the difference
// quotients.
TEST_P(GaussStagesTest, IsSymplectic) {
  const int s = GetParam();
  const Kepler kepler{0.3};
  const double delta = 1e-9;
  const auto image = [&](PhasePoint<DoubleDouble, 2> x, int direction, double shift) {
    (direction < 2 ? x.position[static_cast<std::size_t>(direction)]
                   : x.momentum[static_cast<std::size_t>(direction - 2)]) += shift;
    Gauss<Kepler, DoubleDouble> gauss(kepler, x, 0.4, {.stages = s});
    gauss.advance(3);
    return gauss.wide_state();
  };
  std::array<PhasePoint<DoubleDouble, 2>, 4> columns;
  for (int i = 0; i < 4; ++i)
    columns[static_cast<std::size_t>(i)] = difference(image(kepler.standard_state(), i, delta),
                                                      image(kepler.standard_state(), i, -delta), 2 * delta);
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < i; ++j)
      EXPECT_LE(size(symplectic_form(columns[i], columns[j]) - DoubleDouble(i == j + 2 ? 1 : 0)), 3e-15);
}

TEST_P(GaussStagesTest, ContinuesBitForBit) {
  const Kepler kepler{0.6};
  const GaussOptions options{.stages = GetParam()};
  const auto x = kepler.standard_state();
  expect_to_continue(Gauss<Kepler>(kepler, x, 0.05, options), Gauss<Kepler>(kepler, x, 0.05, options));
  expect_to_continue(Gauss<Kepler, double, Summation::plain>(kepler, x, 0.05, options),
                     Gauss<Kepler, double, Summation::plain>(kepler, x, 0.05, options));
  expect_to_continue(Gauss<Kepler, DoubleDouble>(kepler, x, 0.05, options),
                     Gauss<Kepler, DoubleDouble>(kepler, x, 0.05, options));
}

INSTANTIATE_TEST_SUITE_P(OneToEight, GaussStagesTest, testing::Range(1, 9));

/// q'' = -q.
struct Oscillator {
  static constexpr std::size_t dimension = 1;
  double mass_ = 3.0;
  double mass(std::size_t) const { return mass_; }
  template <class T>
  T potential(std::span<const T> q) const {
    return q[0] * q[0] * T(0.5 * mass_);
  }
};

// The method of one stage is the implicit midpoint rule, whose step for the oscillator is a rational rotation.
TEST(Gauss, OfOneStageIsTheMidpointRule) {
  PhasePoint<DoubleDouble, 1> x;
  x.position[0] = 0.75;
  x.momentum[0] = -1.5;
  Gauss<Oscillator, DoubleDouble> gauss(Oscillator{}, x, 0.5, {.stages = 1});
  gauss.advance();
  // (1 + h^2/4) q' = (1 - h^2/4) q + h v, (1 + h^2/4) v' = (1 - h^2/4) v - h q with h = 1/2.
  const DoubleDouble q = x.position[0], v = x.momentum[0] / 3;
  EXPECT_LE(size(gauss.wide_state().position[0] - (15 * q + 8 * v) / 17), 1e-31);
  EXPECT_LE(size(gauss.wide_state().momentum[0] - 3 * (15 * v - 8 * q) / 17), 3e-31);
}

/// The worst and the typical energy error of several pendulums after 10^3, ..., 10^5 steps.
struct Walk {
  std::array<double, 5> times{1e3, 3e3, 1e4, 3e4, 1e5};
  std::array<double, 5> rms{};
  double worst = 0.0, mean = 0.0;
};
template <Summation summation>
Walk walk_of_pendulums(int count) {
  Walk walk;
  std::mt19937_64 random(20260101);
  std::uniform_real_distribution<double> momentum(0.5, 1.7);
  for (int i = 0; i < count; ++i) {
    PhasePoint<DoubleDouble, 1> x;
    x.momentum[0] = momentum(random);
    Gauss<Pendulum, double, summation> gauss(Pendulum{}, x, 0.25, {.stages = 6});
    const DoubleDouble energy = gauss.energy();
    for (std::size_t j = 0; j < walk.times.size(); ++j) {
      gauss.advance(static_cast<std::int64_t>(walk.times[j]) - gauss.steps_taken());
      const double error = static_cast<double>(gauss.energy() - energy);
      walk.rms[j] += error * error / count;
      walk.worst = std::max(walk.worst, std::abs(error));
      if (j + 1 == walk.times.size()) walk.mean += error / count;
    }
  }
  for (double& x : walk.rms) x = std::sqrt(x);
  return walk;
}

TEST(Gauss, LetsRoundOffWalkAtRandom) {
  const Walk walk = walk_of_pendulums<Summation::compensated>(30);
  const double exponent = growth(walk.times, walk.rms);
  EXPECT_GE(exponent, 0.40);
  EXPECT_LE(exponent, 0.65);
  EXPECT_LE(walk.worst, 8e-15);
  EXPECT_LE(std::abs(walk.mean), 0.5 * walk.rms.back());
  const Walk plain = walk_of_pendulums<Summation::plain>(4);
  EXPECT_GE(plain.rms.back(), 20 * walk.rms.back());
}

TEST(Gauss, KeepsEnergyAndAngularMomentumOfKeplersProblem) {
  const Kepler kepler{0.6};
  Gauss<Kepler> gauss(kepler, kepler.standard_state(), 0.0625, {.stages = 8});
  Gauss<Kepler, DoubleDouble> pairs(kepler, kepler.standard_state(), 0.0625, {.stages = 8});
  const DoubleDouble energy = gauss.energy(), momentum = Kepler::angular_momentum(gauss.wide_state());
  double worst_energy = 0.0, worst_momentum = 0.0;
  for (int i = 0; i < 100; ++i) {
    gauss.advance(1000);
    worst_energy = std::max(worst_energy, size(gauss.energy() - energy));
    worst_momentum = std::max(worst_momentum, size(Kepler::angular_momentum(gauss.wide_state()) - momentum));
  }
  EXPECT_LE(worst_energy, 4e-15);
  EXPECT_LE(worst_momentum, 1e-15);
  pairs.advance(1000);
  EXPECT_LE(size(pairs.energy() - energy), 4e-21);  // the truncation error
  EXPECT_LE(size(Kepler::angular_momentum(pairs.wide_state()) - momentum), 1e-30);
}

// Steps of 200 days over 2000 years.
TEST(Gauss, KeepsEnergyAndAngularMomentumOfTheOuterSolarSystem) {
  const OuterSolarSystem system;
  const auto start = system.standard_state();
  const auto errors = [&]<class Method>(Method method, int count) {
    const DoubleDouble energy = method.energy();
    const auto momentum = OuterSolarSystem::angular_momentum(start);
    method.advance(count);
    const auto now = OuterSolarSystem::angular_momentum(method.wide_state());
    double error2 = 0.0, size2 = 0.0;
    for (std::size_t j = 0; j < 3; ++j) {
      error2 += square(static_cast<double>(now[j] - momentum[j]));
      size2 += square(static_cast<double>(momentum[j]));
    }
    return std::pair{size((method.energy() - energy) / energy), std::sqrt(error2 / size2)};
  };
  const auto [energy, momentum] = errors(Gauss<OuterSolarSystem>(system, start, 200.0, {.stages = 6}), 3652);
  EXPECT_LE(energy, 4e-15);
  EXPECT_LE(momentum, 2e-15);
  const auto [pair_energy, pair_momentum] =
      errors(Gauss<OuterSolarSystem, DoubleDouble>(system, start, 200.0, {.stages = 6}), 200);
  EXPECT_LE(pair_energy, 4e-17);  // the truncation error
  EXPECT_LE(pair_momentum, 5e-31);
}

TEST(Gauss, AsksForFewForces) {
  Gauss<Pendulum> gauss(Pendulum{}, Pendulum{}.standard_state(), 0.25, {.stages = 6});
  gauss.advance(10000);
  EXPECT_LE(static_cast<double>(gauss.evaluations().force), 4.7 * 6 * 10000);
}

TEST(Gauss, RefusesWrongInput) {
  const Pendulum pendulum;
  auto x = pendulum.standard_state();
  const auto make = [&](double h, int stages) {
    return sentence<InputError>([&] { Gauss<Pendulum>(pendulum, x, h, {.stages = stages}); });
  };
  EXPECT_EQ(make(0.1, 0), "a Gauss method has 1 to 8 stages");
  EXPECT_EQ(make(0.1, 9), "a Gauss method has 1 to 8 stages");
  EXPECT_EQ(make(0.0, 2), "the step is not a finite number other than zero");
  EXPECT_EQ(make(HUGE_VAL, 2), "the step is not a finite number other than zero");
  x.position[0] = HUGE_VAL;
  EXPECT_EQ(make(0.1, 2), "a coordinate or a momentum of the initial value is not finite");
}

// A step that is too long is named, and the motion stays where it was, fit to be saved.
TEST(Gauss, NamesTheStepThatCannotBeTaken) {
  const Kepler kepler{0.95};
  Gauss<Kepler> gauss(kepler, reversed(exact_motion(kepler, 3.0, 300)), 0.5, {.stages = 4});
  EXPECT_EQ(sentence<StepError>([&] { gauss.advance(100); }),
            "step 6: the iteration for the stages does not converge within 100 times: the step is too large");
  Gauss<Kepler> same(kepler, reversed(exact_motion(kepler, 3.0, 300)), 0.5, {.stages = 4});
  EXPECT_EQ(gauss.steps_taken(), 0);  // none of the call is taken
  EXPECT_EQ(gauss.save(), same.save());
  gauss.advance(5);
  const auto before = gauss.save();
  EXPECT_THROW(gauss.advance(), StepError);
  EXPECT_EQ(gauss.save(), before);
}

TEST(Gauss, NamesAForceThatIsNoNumber) {
  const Kepler kepler;
  PhasePoint<DoubleDouble, 2> x;  // falls into the centre from rest
  x.position[0] = 1;
  Gauss<Kepler, double> gauss(kepler, x, 1e200, {.stages = 1});
  const std::string text = sentence<StepError>([&] { gauss.advance(); });
  EXPECT_EQ(text.rfind("step 1: the iteration for the stages", 0), 0U) << text;
  EXPECT_EQ(gauss.wide_state(), x);
  EXPECT_EQ(gauss.evaluations(), EvaluationCounts{});
}

TEST(Gauss, RefusesASavedStateOfAnotherMethod) {
  const Pendulum pendulum;
  Gauss<Pendulum> six(pendulum, pendulum.standard_state(), 0.1, {.stages = 6});
  Gauss<Pendulum> five(pendulum, pendulum.standard_state(), 0.1, {.stages = 5});
  EXPECT_EQ(sentence<InputError>([&] { six.restore(five.save()); }),
            "the saved state is of another system or another method");
}

}  // namespace
