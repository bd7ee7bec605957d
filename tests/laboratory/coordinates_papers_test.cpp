// Console and Hairer's experiments through the laboratory, over short times: what the forms, the evaluation of the constraints
// and the end of the iteration make of round-off.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/laboratory/driven_scenario.hpp"

namespace polhode::laboratory {
namespace {

using Overrides = std::vector<std::string>;

struct Worst {
  double energy = 0.0;
  double constraint = 0.0;
  double evaluations = 0.0;  ///< of the constraints, a step
};

Worst worst_of(const std::string& example, const std::vector<Overrides>& states, const Overrides& method) {
  Worst worst;
  for (Overrides overrides : states) {
    overrides.insert(overrides.end(), method.begin(), method.end());
    Trial trial(example, overrides);
    const RunResult result = trial.run();
    EXPECT_EQ(result.ending, Ending::completed);
    worst.energy = std::max(worst.energy, largest_error(result, "energy"));
    worst.constraint = std::max(worst.constraint, result.constraint_max);
    worst.evaluations = std::max(worst.evaluations, static_cast<double>(result.evaluations.constraint) /
                                                        static_cast<double>(result.steps));
  }
  return worst;
}

double pendulum_error(const std::string& duration, Overrides method) {
  std::vector<Overrides> states;
  for (const char* momentum : {"[0.3]", "[0.7]", "[1.1]", "[1.5]"})
    states.push_back({"state.position=[0.0]", std::string("state.momentum=") + momentum});
  method.push_back("method.duration=" + duration);
  return worst_of("pendulum", states, method).energy;
}

TEST(ConsoleHairer, FormsOnThePendulum) {
  const double naive = pendulum_error("1000.0", {"method.form=naive"});
  const double plain = pendulum_error("1000.0", {"method.precision=double"});
  const double compensated = pendulum_error("1000.0", {"method.force_sum=rounded"});
  const double error_free = pendulum_error("1000.0", {});
  const double wide = pendulum_error("1000.0", {"method.precision=double-double"});
  EXPECT_GT(naive, 30.0 * plain);
  EXPECT_GT(plain, 3.0 * compensated);
  EXPECT_LT(compensated, 2e-14);
  EXPECT_LT(error_free, 2e-15);
  EXPECT_LT(wide, 1e-15);
}

Worst sphere(const std::string& duration, Overrides method) {
  const std::vector<Overrides> states{{"state.phi=[0.8,0.5]"}, {"state.phi=[0.8,0.55]"}};
  method.push_back("method.duration=" + duration);
  return worst_of("two-body-sphere", states, method);
}

TEST(ConsoleHairer, ConstraintsOnTheSphere) {
  const Worst accurate = sphere("100.0", {});
  const Worst standard = sphere("100.0", {"method.constraint=standard"});
  EXPECT_LT(accurate.energy, 4e-14);
  EXPECT_GT(standard.energy, 2.0 * accurate.energy);
  EXPECT_LT(accurate.constraint, 1e-15);
  EXPECT_LT(standard.constraint, 1e-15);
  EXPECT_LT(accurate.evaluations, 5.5);
  EXPECT_LT(standard.evaluations, 5.5);
}

}  // namespace
}  // namespace polhode::laboratory
