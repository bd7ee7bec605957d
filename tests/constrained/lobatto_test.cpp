// The Lobatto IIIA-IIIB pair: coefficients, order, structure, constraints, round-off, failure.
#include "polhode/constrained/lobatto.hpp"

#include <gtest/gtest.h>

#include "constrained/companions.hpp"
#include "polhode/constrained/systems/kepler.hpp"
#include "polhode/constrained/systems/pendulum_chain.hpp"
#include "polhode/constrained/systems/spherical_pendulum.hpp"
#include "polhode/constrained/systems/triple_pendulum.hpp"
#include "polhode/constrained/systems/two_body_sphere.hpp"

using namespace polhode;
using namespace polhode::core;
using namespace companions;
using systems::Kepler;
using systems::PendulumChain;
using systems::SphericalPendulum;
using systems::TriplePendulum;
using systems::TwoBodySphere;

namespace {

double size(const DoubleDouble& x) { return std::abs(static_cast<double>(x)); }

TEST(LobattoTable, HasTheKnownCoefficients) {
  const CollocationTable two = CollocationTable::lobatto(2), three = CollocationTable::lobatto(3);
  // [HLW06 table II.1.2]: IIIA and IIIB of three stages, times 24.
  const double a[3][3] = {{0, 0, 0}, {5, 8, -1}, {4, 16, 4}},
               a_hat[3][3] = {{4, -4, 0}, {4, 8, 0}, {4, 20, 0}};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      EXPECT_LE(size(three.position_matrix(i, j) * 24.0 - a[i][j]), 1e-30) << i << j;
      EXPECT_LE(size(three.velocity_matrix(i, j) * 24.0 - a_hat[i][j]), 1e-30) << i << j;
    }
  EXPECT_LE(size(two.nystrom(1, 0) - 0.5), 1e-31);
  EXPECT_LE(size(two.nystrom(1, 1)), 1e-31);
  EXPECT_EQ(sentence<InputError>([] { CollocationTable::lobatto(5); }), "a Lobatto pair has 2 to 4 stages");
  EXPECT_EQ(sentence<InputError>([] { CollocationTable::lobatto(1); }), "a Lobatto pair has 2 to 4 stages");
}

class LobattoStagesTest : public testing::TestWithParam<int> {};

// b_i a_hat_ij + b_j a_ji = b_i b_j, the first row of a and the last column of a_hat vanish, the quadrature has the order
// 2 s - 2.
TEST_P(LobattoStagesTest, CoefficientsAreASymplecticPair) {
  const CollocationTable table = CollocationTable::lobatto(GetParam());
  const auto &b = table.weights, &c = table.nodes;
  const std::size_t s = b.size();
  for (std::size_t i = 0; i < s; ++i) {
    EXPECT_LE(size(table.position_matrix(0, i)), 1e-31);
    EXPECT_LE(size(table.velocity_matrix(i, s - 1)), 1e-31);
    EXPECT_LE(size(table.position_matrix(s - 1, i) - b[i]), 1e-31);
    EXPECT_LE(size(table.nystrom(s - 1, i) - table.position_weights[i]), 1e-31);
    for (std::size_t j = 0; j < s; ++j)
      EXPECT_LE(size(b[i] * table.velocity_matrix(i, j) + b[j] * table.position_matrix(j, i) - b[i] * b[j]),
                1e-31);
  }
  for (int k = 1; k <= 2 * GetParam() - 2; ++k) {
    DoubleDouble sum = 0;
    for (std::size_t i = 0; i < s; ++i) {
      DoubleDouble power = b[i];
      for (int j = 1; j < k; ++j) power *= c[i];
      sum += power;
    }
    EXPECT_LE(size(sum - DoubleDouble(1) / DoubleDouble(k)), 1e-31);
  }
}

template <class S>
void check_order(const S& system, int stages, double end, int coarse) {
  const auto exact = exact_motion(system, end, 40);
  const auto error = [&](int count) {
    Lobatto<S, DoubleDouble> lobatto(system, system.standard_state(), end / count, {.stages = stages});
    lobatto.advance(count);
    return distance(lobatto.wide_state(), exact);
  };
  const double order = std::log2(error(coarse) / error(2 * coarse));
  EXPECT_NEAR(order, 2 * stages - 2, 0.01) << error(coarse) << ' ' << error(2 * coarse);
}

TEST_P(LobattoStagesTest, HasItsOrder) {
  check_order(SphericalPendulum{}, GetParam(), 1.0, 64);
  check_order(TwoBodySphere{}, GetParam(), 0.5, 128);
  check_order(TriplePendulum{}, GetParam(), 0.5, 64);
  check_order(PendulumChain(4), GetParam(), 0.25, 64);  // a dimension that the compiler does not know
}

TEST_P(LobattoStagesTest, GoesBackTheWayItCame) {
  const TwoBodySphere system;
  const auto go = [&]<class T>(T) {
    Lobatto<TwoBodySphere, T> there(system, system.standard_state(), 0.01, {.stages = GetParam()});
    there.advance(200);
    Lobatto<TwoBodySphere, T> back(system, reversed(there.wide_state()), 0.01, {.stages = GetParam()});
    back.advance(200);
    return distance(reversed(back.wide_state()), system.standard_state());
  };
  EXPECT_LE(go(0.0), 6e-16);
  EXPECT_LE(go(DoubleDouble(0)), 4e-30);
}

// Tangents of the manifold are difference quotients of points on it, hence projected ones.
TEST_P(LobattoStagesTest, IsSymplecticOnTheManifold) {
  const SphericalPendulum system;
  Manifold<SphericalPendulum, DoubleDouble> manifold(system);
  const double delta = 1e-9;
  const auto moved = [&](int direction, double shift) {
    auto x = system.standard_state();
    const std::array<std::array<double, 6>, 4> directions{
        {{0, 1, 0, 0, 0, 0}, {0, 0, 1, 0, 0, 0}, {0, 0, 0, 0, 1, 0}, {0, 0, 0, 0, 0, 1}}};
    for (std::size_t i = 0; i < 3; ++i) {
      x.position[i] += shift * directions[static_cast<std::size_t>(direction)][i];
      x.momentum[i] += shift * directions[static_cast<std::size_t>(direction)][i + 3];
    }
    manifold.project_position(x.position);
    manifold.project_momentum(x);
    return x;
  };
  std::array<PhasePoint<DoubleDouble, 3>, 4> before, after;
  for (int i = 0; i < 4; ++i) {
    const auto image = [&](double shift) {
      Lobatto<SphericalPendulum, DoubleDouble> lobatto(system, moved(i, shift), 0.25, {.stages = GetParam()});
      lobatto.advance(4);
      return lobatto.wide_state();
    };
    before[static_cast<std::size_t>(i)] = difference(moved(i, delta), moved(i, -delta), 2 * delta);
    after[static_cast<std::size_t>(i)] = difference(image(delta), image(-delta), 2 * delta);
  }
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < i; ++j)
      EXPECT_LE(size(symplectic_form(after[i], after[j]) - symplectic_form(before[i], before[j])), 4e-18);
}

TEST_P(LobattoStagesTest, StaysOnTheManifold) {
  const TwoBodySphere system;
  const auto worst = [&]<class Method>(Method method) {
    double result = 0.0;
    for (int i = 0; i < 200; ++i) {
      method.advance(5);
      const auto residual = method.residual();
      result = std::max({result, size(residual.position), size(residual.velocity)});
    }
    return result;
  };
  const LobattoOptions options{.stages = GetParam()};
  EXPECT_LE(worst(Lobatto<TwoBodySphere>(system, system.standard_state(), 0.005, options)), 6e-16);
  const TriplePendulum triple;
  EXPECT_LE(worst(Lobatto<TriplePendulum>(triple, triple.standard_state(), 0.005, options)), 1e-15);
  EXPECT_LE(worst(Lobatto<TwoBodySphere, DoubleDouble>(system, system.standard_state(), 0.005, options)),
            2e-31);
}

TEST_P(LobattoStagesTest, ContinuesBitForBit) {
  const TwoBodySphere system;
  const LobattoOptions options{.stages = GetParam()};
  const auto x = system.standard_state();
  expect_to_continue(Lobatto<TwoBodySphere>(system, x, 0.01, options),
                     Lobatto<TwoBodySphere>(system, x, 0.01, options));
  expect_to_continue(Lobatto<TwoBodySphere, double, Summation::plain>(system, x, 0.01, options),
                     Lobatto<TwoBodySphere, double, Summation::plain>(system, x, 0.01, options));
  expect_to_continue(Lobatto<TwoBodySphere, DoubleDouble>(system, x, 0.01, options),
                     Lobatto<TwoBodySphere, DoubleDouble>(system, x, 0.01, options));
}

// Without constraints the same program is the pair for q'' = f(q).
TEST_P(LobattoStagesTest, ServesUnconstrainedSystems) { check_order(Kepler{0.3}, GetParam(), 1.0, 64); }

INSTANTIATE_TEST_SUITE_P(TwoToFour, LobattoStagesTest, testing::Range(2, 5));

double energy_error(const MultiplierOptions& multipliers) {
  const SphericalPendulum system;
  Lobatto<SphericalPendulum> lobatto(system, system.standard_state(), 0.005,
                                     {.stages = 4, .multipliers = multipliers});
  const DoubleDouble energy = lobatto.energy();
  double worst = 0.0;
  for (int i = 0; i < 200; ++i) {
    lobatto.advance(500);
    worst = std::max(worst, size(lobatto.energy() - energy));
  }
  return worst;
}

// 10^5 steps of order 6, whose truncation is below round-off. Measured: 4e-17, 1.1e-16 and 4e-16.
TEST(Lobatto, KeepsTheEnergyToRoundOff) {
  const double accurate = energy_error({});
  EXPECT_LE(accurate, 1.5e-16);
  EXPECT_LE(energy_error({.evaluation = ConstraintEvaluation::wide}), 3e-16);
  EXPECT_GE(energy_error({.evaluation = ConstraintEvaluation::standard}), 3 * accurate);
}

TEST(Lobatto, StopsAtATolerance) {
  const SphericalPendulum system;
  const auto run = [&](Stopping stopping) {
    Lobatto<SphericalPendulum> lobatto(
        system, system.standard_state(), 0.01,
        {.stages = 3, .multipliers = {.stopping = stopping, .tolerance = 1e-9}});
    lobatto.advance(1000);
    return std::pair{size(lobatto.residual().position), lobatto.evaluations().constraint};
  };
  const auto [applied, applied_count] = run(Stopping::tolerance);
  const auto [unapplied, unapplied_count] = run(Stopping::tolerance_unapplied);
  const auto [converged, converged_count] = run(Stopping::convergence);
  EXPECT_LE(unapplied, 1e-9);
  EXPECT_GE(unapplied, 1e-13);
  EXPECT_LE(applied, 0.1 * unapplied);
  EXPECT_LE(converged, 2e-20);
  EXPECT_LT(applied_count, converged_count / 2);
}

TEST(Lobatto, RefusesWrongInput) {
  const SphericalPendulum system;
  auto x = system.standard_state();
  const auto make = [&](double h, const LobattoOptions& options) {
    return sentence<InputError>([&] { Lobatto<SphericalPendulum>(system, x, h, options); });
  };
  EXPECT_EQ(make(0.1, {.stages = 1}), "a Lobatto pair has 2 to 4 stages");
  EXPECT_EQ(make(0.0, {}), "the step is not a finite number other than zero");
  EXPECT_EQ(make(0.1, {.stages = 3, .multipliers = {.tolerance = 0.0}}),
            "the tolerance of the multipliers is not positive");
  EXPECT_EQ(make(0.1, {.stages = 3, .multipliers = {.max_iterations = 0}}),
            "the multipliers need at least one iteration");
  x.position[0] = 1.1;
  EXPECT_NE(make(0.1, {}).find("|g(q)| is 0.21"), std::string::npos) << make(0.1, {});
}

TEST(Lobatto, NamesTheStepThatCannotBeTaken) {
  const TwoBodySphere system;
  for (int stages = 2; stages <= 4; ++stages) {
    Lobatto<TwoBodySphere> lobatto(system, system.standard_state(), 2.0, {.stages = stages});
    const auto before = lobatto.save();
    const std::string text = sentence<StepError>([&] { lobatto.advance(); });
    EXPECT_EQ(text.rfind("step 1: the iteration for the stages and their multipliers", 0), 0U) << text;
    EXPECT_EQ(lobatto.save(), before);
  }
}

/// Its force is a number for positive q only.
struct HalfLine {
  static constexpr std::size_t dimension = 1;
  template <class T>
  void force(std::span<const T> q, std::span<T> f) const {
    f[0] = sqrt(q[0]);
  }
};

// With a tolerance there is a last iteration too; and a force that is no number is noticed where nothing is iterated.
TEST(Lobatto, DoesNotGoOnForEver) {
  const TwoBodySphere system;
  for (const Stopping stopping : {Stopping::tolerance, Stopping::tolerance_unapplied}) {
    Lobatto<TwoBodySphere> lobatto(
        system, system.standard_state(), 0.01,
        {.stages = 3, .multipliers = {.stopping = stopping, .tolerance = 1e-40, .max_iterations = 20}});
    EXPECT_EQ(sentence<StepError>([&] { lobatto.advance(); }),
              "step 1: the iteration for the stages and their multipliers does not converge within 20 times: "
              "the step is "
              "too large");
  }
  PhasePoint<DoubleDouble, 1> x;
  x.position[0] = 1.0;
  x.momentum[0] = -4.0;
  Lobatto<HalfLine> half_line(HalfLine{}, x, 0.5, {.stages = 2});
  EXPECT_EQ(sentence<StepError>([&] { half_line.advance(); }),
            "step 1: a coordinate or a momentum is no longer a finite number");
  EXPECT_EQ(half_line.wide_state(), x);
}

/// A free particle on the cross x y = 0.
struct Cross {
  static constexpr std::size_t dimension = 2;
  static constexpr std::size_t constraints = 1;
  template <class T>
  T potential(std::span<const T>) const {
    return T(0);
  }
  template <class T>
  T constraint(std::span<const T> q, std::size_t) const {
    return q[0] * q[1];
  }
};

TEST(Lobatto, NamesTheStepAtWhichConstraintsBecomeDependent) {
  PhasePoint<DoubleDouble, 2> x;
  x.position[0] = 1;
  x.momentum[0] = -1;
  Lobatto<Cross> lobatto(Cross{}, x, 0.25, {.stages = 3});
  EXPECT_EQ(sentence<StepError>([&] { lobatto.advance(100); }),
            "step 4: the constraints are dependent: G M^-1 G^T is singular");
  EXPECT_EQ(lobatto.steps_taken(), 0);  // none of the call is taken
  lobatto.advance(3);
  EXPECT_THROW(lobatto.advance(), StepError);
  EXPECT_EQ(lobatto.steps_taken(), 3);
  EXPECT_EQ(static_cast<double>(lobatto.wide_state().position[0]), 0.25);
}

}  // namespace
