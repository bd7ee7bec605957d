// Ensembles before they run: what varies, how it is drawn, and what is refused.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "ensemble/member_random.hpp"
#include "ensemble/plan.hpp"
#include "input/toml.hpp"
#include "scenario/error.hpp"
#include "tests/reference/quadruple.hpp"

namespace polhode::testing {

using namespace core;
namespace {

using namespace program;

const std::string body = R"([system]
kind = "free-body"
inertia = [0.345, 0.653, 1.0]
[state]
momentum = [0.5, 0.2, 0.8]
[method]
name = "exact"
step = 0.01
steps = 100
)";

EnsemblePlan planned(const std::string& ensemble, const std::vector<std::string>& overrides = {}) {
  return EnsemblePlan(parse_document(body + "[ensemble]\n" + ensemble, "a.toml", overrides));
}

std::string refusal(const std::string& ensemble) {
  try {
    planned(ensemble);
  } catch (const ScenarioError& e) {
    return e.what();
  }
  return "accepted";
}

double number(const Value& v) { return std::get<double>(v.content); }
std::vector<double> numbers(const Value& v) {
  std::vector<double> result;
  for (const Value& x : std::get<Array>(v.content)) result.push_back(number(x));
  return result;
}

TEST(MemberRandom, DependsOnEachOfItsArguments) {
  const MemberRandom random(1, "state.momentum", 7);
  EXPECT_EQ(random.uniform(0), MemberRandom(1, "state.momentum", 7).uniform(0));
  EXPECT_NE(random.uniform(0), random.uniform(1));
  EXPECT_NE(random.uniform(0), MemberRandom(2, "state.momentum", 7).uniform(0));
  EXPECT_NE(random.uniform(0), MemberRandom(1, "state.momentum[0]", 7).uniform(0));
  EXPECT_NE(random.uniform(0), MemberRandom(1, "state.momentum", 8).uniform(0));
}

/// The bits are a promise: ensembles are compared over machines and versions. These come from the definition, evaluated in
/// another language with 200 bits.
TEST(MemberRandom, KeepsItsBits) {
  const MemberRandom random(1, "state.momentum", 0);
  EXPECT_EQ(random.uniform(0), 0x1.f4473a81958cp-3);
  EXPECT_EQ(random.normal(0), 0x1.b5fbd4483a84fp+0);
}

/// Moments and neighbours of 10^5 draws, within four standard errors.
TEST(MemberRandom, HasTheMomentsOfItsDistributions) {
  constexpr int n = 100'000;
  double sum = 0, square = 0, fourth = 0, uniform = 0, neighbours = 0, components = 0, before = 0;
  for (int i = 0; i < n; ++i) {
    const MemberRandom random(3, "x", static_cast<std::uint64_t>(i));
    const double x = random.normal(0);
    sum += x;
    square += x * x;
    fourth += x * x * x * x;
    neighbours += x * before;
    components += x * random.normal(1);
    before = x;
    uniform += random.uniform(0);
  }
  const double error = 4 / std::sqrt(static_cast<double>(n));
  EXPECT_NEAR(sum / n, 0, error);
  EXPECT_NEAR(square / n, 1, error * std::sqrt(2.0));
  EXPECT_NEAR(fourth / n, 3, error * std::sqrt(96.0));
  EXPECT_NEAR(neighbours / n, 0, error);
  EXPECT_NEAR(components / n, 0, error);
  EXPECT_NEAR(uniform / n, 0.5, error / std::sqrt(12.0));
}

TEST(Elementary, LogarithmAndExponentialInDoubleDouble) {
  using reference::Quad, reference::to_quad;
  for (double x = 1e-300; x < 1e300; x *= 3.7) {
    const Quad error = to_quad(logarithm(x)) - log(Quad(x));
    EXPECT_LT(static_cast<double>(abs(error)), 2e-31 * std::max(1.0, std::abs(std::log(x)))) << x;
  }
  for (double x = -600; x < 600; x += 1.37) {
    const Quad error = to_quad(exponential(x)) / exp(Quad(x)) - Quad(1);
    EXPECT_LT(static_cast<double>(abs(error)), 2e-28) << x;
  }
}

TEST(EnsemblePlan, RangesReachBothEnds) {
  const auto plan = planned(R"(members = 5
[ensemble.vary]
"method.step" = { range = { from = 0.1, to = 0.5 } }
"state.momentum[1]" = { range = { from = 1e-3, to = 10, scale = "log" } }
"method.steps" = { range = { from = 10, to = 20 }, integer = true }
)");
  std::vector<double> step, momentum, steps;
  for (std::size_t i = 0; i < 5; ++i) {
    step.push_back(number(plan.value(plan.variations()[0], i)));
    steps.push_back(static_cast<double>(std::get<std::int64_t>(plan.value(plan.variations()[1], i).content)));
    momentum.push_back(number(plan.value(plan.variations()[2], i)));
    const Document member = plan.member(i);
    EXPECT_EQ(find(member.root, "ensemble"), nullptr);
    EXPECT_EQ(number(*KeyPath::parsed("method.step")->find(member.root)), step[i]);
    EXPECT_EQ(number(*KeyPath::parsed("state.momentum[1]")->find(member.root)), momentum[i]);
    EXPECT_EQ(number(*KeyPath::parsed("state.momentum[0]")->find(member.root)), 0.5);
  }
  EXPECT_EQ(step, (std::vector{0.1, 0.2, 0.3, 0.4, 0.5}));
  EXPECT_EQ(momentum, (std::vector{1e-3, 1e-2, 0.1, 1.0, 10.0}));
  EXPECT_EQ(steps, (std::vector{10.0, 12.0, 15.0, 18.0, 20.0}));
}

TEST(EnsemblePlan, ValuesGoTogetherOrInAGrid) {
  const std::string vary = R"(
[ensemble.vary]
"method.name" = { values = ["exact", "dmv10"] }
"state.momentum[0]" = { uniform = { from = -1, to = 1 } }
"system.inertia[2]" = { values = [1.0, 2] }
)";
  const auto texts = [](const EnsemblePlan& plan) {
    std::vector<std::string> result;
    for (std::size_t i = 0; i < plan.members(); ++i)
      result.push_back(toml_text(plan.value(plan.variations()[0], i)) + " " +
                       toml_text(plan.value(plan.variations()[2], i)));
    return result;
  };
  EXPECT_EQ(texts(planned(vary)), (std::vector<std::string>{"\"exact\" 1.0", "\"dmv10\" 2"}));
  const EnsemblePlan grid = planned("combine = \"grid\"\nrepeat = 2\n" + vary);
  EXPECT_EQ(texts(grid),
            (std::vector<std::string>{"\"exact\" 1.0", "\"exact\" 1.0", "\"exact\" 2", "\"exact\" 2",
                                      "\"dmv10\" 1.0", "\"dmv10\" 1.0", "\"dmv10\" 2", "\"dmv10\" 2"}));
  // What is drawn belongs to the member, not to the point of the grid.
  EXPECT_NE(number(grid.value(grid.variations()[1], 0)), number(grid.value(grid.variations()[1], 1)));
}

TEST(EnsemblePlan, ADrawDoesNotDependOnTheOtherKeysAndMembers) {
  const std::string momentum = "\"state.momentum\" = { normal = { deviation = 0.1 } }\n";
  const auto few = planned("members = 3\n[ensemble.vary]\n" + momentum);
  const auto many = planned(
      "members = 300\n[ensemble.vary]\n\"method.step\" = {uniform = {from = 1, to = 2}}\n" + momentum);
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_EQ(numbers(few.value(few.variations()[0], i)), numbers(many.value(many.variations()[1], i)));
  const auto other = planned("members = 3\nseed = 2\n[ensemble.vary]\n" + momentum);
  EXPECT_NE(numbers(few.value(few.variations()[0], 0)), numbers(other.value(other.variations()[0], 0)));
  // The mean is the scenario's own value.
  double sum = 0;
  for (std::size_t i = 0; i < 300; ++i) sum += numbers(many.value(many.variations()[1], i))[2];
  EXPECT_NEAR(sum / 300, 0.8, 4 * 0.1 / std::sqrt(300.0));
}

TEST(EnsemblePlan, RotationsAndDirectionsHaveNoPreference) {
  const auto plan = planned(R"(members = 20000
[ensemble.vary]
"state.attitude" = { random_rotation = true }
"state.momentum" = { random_direction = { norm = 2 } }
)");
  std::array<double, 4> attitude{};
  std::array<double, 3> mean{}, square{};
  for (std::size_t i = 0; i < plan.members(); ++i) {
    const auto q = numbers(plan.value(plan.variations()[0], i)),
               m = numbers(plan.value(plan.variations()[1], i));
    EXPECT_NEAR(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3], 1, 5e-16);
    EXPECT_NEAR(std::hypot(m[0], m[1], m[2]), 2, 1e-15);
    for (std::size_t j = 0; j < 4; ++j) attitude[j] += q[j] * q[j] / 20000;
    for (std::size_t j = 0; j < 3; ++j) mean[j] += m[j] / 20000, square[j] += m[j] * m[j] / 20000;
  }
  for (const double x : attitude) EXPECT_NEAR(x, 0.25, 0.005);
  for (const double x : mean) EXPECT_NEAR(x, 0, 0.033);
  for (const double x : square) EXPECT_NEAR(x, 4.0 / 3, 0.035);
}

TEST(EnsemblePlan, TextIsTheSameEnsembleAgain) {
  const auto plan = planned(R"(members = 5
[ensemble.vary]
"state.momentum[0]" = { uniform = { from = -1, to = 1 } }
)",
                            {"method.steps=50", "ensemble.members=4"});
  EXPECT_EQ(plan.members(), 4U);
  const EnsemblePlan again(parse_document(plan.text(), "b.toml", {}));
  EXPECT_EQ(again.text(), plan.text());
  EXPECT_EQ(again.members(), 4U);
  EXPECT_EQ(again.values_text(3), plan.values_text(3));
}

TEST(EnsemblePlan, RefusesWhatMakesNoSense) {
  const std::string vary = "members = 3\n[ensemble.vary]\n";
  const std::vector<std::pair<std::string, std::string>> cases{
      {"members = 3", "a.toml: ensemble.vary: is missing or empty"},
      {"members = -3\n[ensemble.vary]\n\"method.step\" = {values = [1]}",
       "ensemble.members: must be positive, not -3"},
      {"members = 1.5\n[ensemble.vary]\n\"method.step\" = {values = [1]}",
       "ensemble.members: must be an integer"},
      {"membrs = 3\n[ensemble.vary]\n\"method.step\" = {values = [1]}", "did you mean \"members\"?"},
      {"[ensemble.vary]\n\"method.step\" = {uniform = {from = 1, to = 2}}", "ensemble.members: is missing"},
      {"combine = \"zip\"\nmembers = 2\n[ensemble.vary]\n\"method.step\" = {uniform = {from = 1, to = 2}}",
       "ensemble.combine: must be \"together\" or \"grid\", not \"zip\""},
      {vary + "\"method.step\" = {}", "does not say how it varies"},
      {vary + "\"method.step\" = 3", "must be a table"},
      {vary + "\"method.step\" = {gauss = {}}", "there is no such way to vary a key"},
      {vary + "\"method.step\" = {unifrom = {}}", "did you mean \"uniform\"?"},
      {vary + "\"method.step\" = {values = [1, 2, 3], range = {from = 1, to = 2}}", "are both given"},
      {vary + "\"method step\" = {values = [1, 2, 3]}", "is not a key"},
      {vary + "\"method.step\" = {values = []}", "must be an array of values, not an empty array"},
      {vary + "\"method.step\" = {values = [1, \"a\", 2]}", "are not all of one type"},
      {vary + "\"method.step\" = {values = [1, 2]}", "there are 2 of them for 3 members"},
      {"[ensemble.vary]\n\"method.step\" = {values = [1, 2]}\n\"state.momentum[0]\" = {values = [1, 2, 3]}",
       "there are 3 of them for 2 members, the number of values of method.step"},
      {vary + "\"method.step\" = {range = {from = 1, to = 1}}", "is the same as from"},
      {vary + "\"method.step\" = {range = {from = 1, to = nan}}",
       "range.to: must be a finite number, not nan"},
      {vary + "\"method.step\" = {range = {from = inf, to = 1}}",
       "range.from: must be a finite number, not inf"},
      {vary + "\"method.step\" = {range = {from = 0, to = 1, scale = \"log\"}}",
       "log needs ends of one sign"},
      {vary + "\"method.step\" = {range = {from = 0, to = 1, scale = \"cube\"}}",
       "must be \"linear\" or \"log\""},
      {vary + "\"method.step\" = {range = {from = 0, to = 1, count = 3}}", "is for combine = \"grid\""},
      {vary + "\"method.step\" = {range = {from = 0}}", "range.to: is missing"},
      {vary + "\"method.step\" = {range = {from = 0, to = 1, by = 3}}", "range.by: there is no such key"},
      {vary + "\"method.step\" = {uniform = {from = 2, to = 1}}", "must not be below from"},
      {vary + "\"state.momentum\" = {uniform = {from = [1, 2], to = 3}}",
       "must be a number or an array of 3"},
      {vary + "\"method.step\" = {uniform = {from = [1, 2], to = 3}}", "must be a number, not an array of 2"},
      {vary + "\"method.step\" = {normal = {mean = 1, deviation = -1}}", "must not be negative"},
      {vary + "\"method.step\" = {normal = {mean = 1, deviation = 0}}", "is zero: nothing varies"},
      {vary + "\"state.attitude\" = {normal = {deviation = 1}}", "mean: is missing"},
      {vary + "\"method.name\" = {uniform = {from = 1, to = 2}}", "needs a number or an array of numbers"},
      {vary + "\"state.attitude[0]\" = {uniform = {from = 1, to = 2}}", "the scenario has no such entry"},
      {vary + "\"state.momentum[3]\" = {uniform = {from = 1, to = 2}}", "the scenario has no such entry"},
      {vary + "\"state.momentum\" = {random_rotation = true}", "is for an attitude as a quaternion"},
      {vary + "\"method.step\" = {random_direction = {norm = 1}}", "is for an array of numbers"},
      {vary + "\"state.momentum\" = {random_direction = {norm = 0}}", "must be positive, not 0"},
      {vary + "\"state.momentum\" = {random_direction = {}}\n\"state.momentum[0]\" = {uniform = {from = 1, "
              "to = 2}}",
       "varies already as \"state.momentum\""},
      {"combine = \"grid\"\nmembers = 3\n[ensemble.vary]\n\"method.step\" = {values = [1]}",
       "follows from the grid"},
      {"combine = \"grid\"\n[ensemble.vary]\n\"method.step\" = {range = {from = 1, to = 2}}",
       "count: is missing"},
      {"combine = \"grid\"\n[ensemble.vary]\n\"method.step\" = {uniform = {from = 1, to = 2}}",
       "a grid needs"},
      {"repeat = 3\nmembers = 3\n[ensemble.vary]\n\"method.step\" = {uniform = {from = 1, to = 2}}",
       "is for combine = \"grid\""},
  };
  for (const auto& [text, wanted] : cases) {
    const std::string found = refusal(text);
    EXPECT_TRUE(found.starts_with("a.toml: ensemble")) << text << "\n" << found;
    EXPECT_NE(found.find(wanted), std::string::npos) << text << "\n" << found;
  }
  EXPECT_THROW(EnsemblePlan(parse_document(body, "a.toml", {})), ScenarioError);
}

}  // namespace
}  // namespace polhode::testing
