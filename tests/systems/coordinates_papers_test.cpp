// Console and Hairer's experiments through the program, over short times: what the forms, the evaluation of the
// constraints and the end of the iteration make of round-off.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "input/toml.hpp"
#include "tests/systems/driven_scenario.hpp"

namespace polhode::program {

using namespace core;
namespace {

struct Worst {
  double energy = 0.0;  ///< the largest error
  double last = 0.0;    ///< the largest at the end
  double constraint = 0.0;
  double evaluations = 0.0;  ///< of the constraints, a step
};

Worst worst_of(const std::string& kind, const std::vector<std::string>& states, const std::string& method) {
  Worst worst;
  for (const std::string& state : states) {
    Scenario scenario(parse_document(
        "[system]\nkind = \"" + kind + "\"\n[state]\n" + state + "[method]\n" + method, kind, {}));
    const std::unique_ptr<Simulation> simulation = build(scenario);
    const RunResult result = run(*simulation, {scenario.steps(), 0, nullptr, ""});
    EXPECT_EQ(result.ending, Ending::completed) << method;
    worst.energy = std::max(worst.energy, largest_error(result, "energy"));
    worst.last = std::max(worst.last, std::abs(result.errors.front().last.front()));
    worst.constraint = std::max(worst.constraint, result.constraint_max);
    worst.evaluations = std::max(worst.evaluations, static_cast<double>(result.evaluations.constraint) /
                                                        static_cast<double>(result.steps));
  }
  return worst;
}

double pendulum(const std::string& arithmetic) {
  std::vector<std::string> states;
  for (const char* momentum : {"0.3", "0.6", "0.9", "1.2"})
    states.push_back("position = [0.0]\nmomentum = [" + std::string(momentum) + "]\n");
  return worst_of("pendulum", states, "name = \"sy8\"\nstep = 0.01\nduration = 1000.0\n" + arithmetic).energy;
}

TEST(ConsoleHairer, FormsOnThePendulum) {
  // Figure 1.
  const double naive = pendulum("form = \"naive\"\n");
  const double plain = pendulum("precision = \"double\"\n");
  const double compensated = pendulum("force_sum = \"rounded\"\n");
  const double error_free = pendulum("");
  const double wide = pendulum("precision = \"double-double\"\n");
  EXPECT_GT(naive, 30.0 * plain);
  EXPECT_GT(plain, 4.0 * compensated);
  EXPECT_LT(compensated, 2e-14);
  EXPECT_LT(error_free, 2e-15);
  EXPECT_LT(wide, 1e-15);
}

TEST(ConsoleHairer, AlternativesOnThePendulum) {
  // What section 2 leaves aside: the summed form, the compensation of one equation, the momentum by (5).
  const double plain = pendulum("precision = \"double\"\n");
  const double compensated = pendulum("force_sum = \"rounded\"\n");
  const double summed = pendulum("form = \"summed\"\n");
  const double summed_plain = pendulum("form = \"summed\"\nprecision = \"double\"\n");
  const double position = pendulum("force_sum = \"rounded\"\ncompensation = \"position\"\n");
  const double momentum = pendulum("force_sum = \"rounded\"\ncompensation = \"momentum\"\n");
  const double differences = pendulum("momentum_formula = \"differences\"\n");
  // Measured, in units of 1e-14: 3.3, 0.50, 0.19, 2.4, 3.0, 2.1, 1.7.
  EXPECT_LT(summed, 0.5 * compensated);
  EXPECT_LT(summed, 2.5e-15);
  EXPECT_LT(summed_plain, 3e-14);
  EXPECT_GT(summed_plain, 10.0 * summed);
  for (const double one : {position, momentum}) {
    EXPECT_LT(one, plain);
    EXPECT_GT(one, 0.6 * plain);
    EXPECT_GT(one, 4.0 * compensated);
  }
  EXPECT_GT(differences, 1e-14);
  EXPECT_LT(differences, 2.2e-14);  // eps/h
  EXPECT_LT(pendulum("momentum_formula = \"staggered\"\n"), 2e-15);
  EXPECT_NEAR(pendulum("start = \"gauss\"\n"), pendulum(""), 1e-25);
}

Worst sphere(const std::string& duration, const std::string& options) {
  std::vector<std::string> states;
  for (const char* phi : {"0.5", "0.55"})
    states.push_back("phi = [0.8, " + std::string(phi) +
                     "]\ntheta = [0.6, 1.5]\nphi_rate = [1.1, -0.8]\ntheta_rate = [-0.2, 0.0]\n");
  return worst_of("two-body-sphere", states,
                  "name = \"multistep\"\nroots = [-0.8, -0.4, 0.7]\nstep = 0.001\nduration = " + duration +
                      "\n" + options);
}

const std::string paper = "force_sum = \"rounded\"\nmultipliers = \"newton\"\n";

TEST(ConsoleHairer, ConstraintsOnTheSphere) {
  // Figure 2, and the arithmetic beyond it.
  const Worst accurate = sphere("100.0", paper);
  const Worst standard = sphere("100.0", paper + "constraint = \"standard\"\n");
  const Worst error_free = sphere("100.0", "");
  const Worst wide = sphere("20.0", "precision = \"double-double\"\n");
  EXPECT_LT(accurate.energy, 2e-14);
  EXPECT_GT(standard.energy, 20.0 * accurate.energy);
  EXPECT_LT(error_free.energy, 1e-14);
  EXPECT_LT(wide.energy, 5e-15);
  for (const Worst& w : {accurate, standard, error_free, wide}) {
    EXPECT_LT(w.constraint, 1e-15);
    EXPECT_LT(w.evaluations, 5.5);
  }
  EXPECT_EQ(error_free.evaluations, 1.0);
}

TEST(ConsoleHairer, AnIncrementThatIsNotAppliedIsADrift) {
  // Figure 3, where the first guess is the previous multiplier. Measured: 1.8e-13, 4.6e-13 and 5e-15.
  const std::string tolerance = paper + "stopping = \"tolerance\"\ntolerance = 1e-15\nextrapolation = 0\n";
  const double quarter = sphere("100.0", tolerance + "apply_last = false\n").last;
  const double whole = sphere("400.0", tolerance + "apply_last = false\n").last;
  EXPECT_GT(whole, 1.5 * quarter);
  EXPECT_GT(whole, 30.0 * sphere("400.0", tolerance).last);
}

TEST(ConsoleHairer, TriplePendulum) {
  const auto run_with = [](const std::string& options) {
    return worst_of("triple-pendulum", {"angles = [0.4, 0.1, -0.3]\n", "angles = [1.0, 0.5, -1.0]\n"},
                    "name = \"multistep\"\nstep = 0.001\nduration = 20.0\n" + options);
  };
  const Worst accurate = run_with("force_sum = \"rounded\"\n");
  const Worst standard = run_with("force_sum = \"rounded\"\nconstraint = \"standard\"\n");
  EXPECT_LT(accurate.energy, 2e-14);
  EXPECT_GT(standard.energy, 5.0 * accurate.energy);
  EXPECT_LT(accurate.constraint, 1e-15);
  EXPECT_LT(accurate.evaluations, 5.5);
}

}  // namespace
}  // namespace polhode::program
