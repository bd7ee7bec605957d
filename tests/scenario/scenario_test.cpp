#include "scenario/scenario.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>

#include "input/toml.hpp"
#include "polhode/free_motion/methods.hpp"
#include "scenario/error.hpp"
#include "systems/body/free_body.hpp"
#include "systems/registry.hpp"

namespace polhode::program {

using namespace core;
namespace {

constexpr const char* water = R"(
[system]
kind = "free-body"
inertia = [0.345, 0.653, 1]
[state]
momentum = [0.5, 0.2, 0.8]
[method]
name = "rk4"
step = 0.01
steps = 100
)";

struct Built {
  Built(const std::string& text, const std::vector<std::string>& overrides)
      : scenario(parse_document(text, "a.toml", overrides)), simulation(build(scenario)) {}
  Scenario scenario;
  std::unique_ptr<Simulation> simulation;
};

std::unique_ptr<Built> built(const std::vector<std::string>& overrides = {},
                             const std::string& text = water) {
  return std::make_unique<Built>(text, overrides);
}

TEST(Scenario, IsRead) {
  const auto b = built();
  EXPECT_EQ(b->scenario.kind(), "free-body");
  EXPECT_EQ(b->scenario.method_name(), "rk4");
  EXPECT_EQ(b->scenario.step(), 0.01);
  EXPECT_EQ(b->scenario.steps(), 100);
  EXPECT_EQ(b->simulation->look().state, (std::vector<double>{0.5, 0.2, 0.8, 1, 0, 0, 0}));
  EXPECT_TRUE(b->simulation->description().compensated);
  ASSERT_EQ(b->scenario.warnings().size(), 1U);
  EXPECT_NE(b->scenario.warnings()[0].find("triangle inequality"), std::string::npos);
}

TEST(Scenario, AsRunIsAScenarioAgain) {
  const auto b = built({"method.duration=1.0", "method.compensated=false"},
                       std::string(water).replace(std::string(water).find("steps = 100"), 11, ""));
  const std::string text = b->scenario.text();
  EXPECT_NE(text.find("steps = 100\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("duration"), std::string::npos) << text;
  EXPECT_NE(text.find("compensated = false\n"), std::string::npos) << text;
  EXPECT_NE(text.find("attitude = [1.0, 0.0, 0.0, 0.0]\n"), std::string::npos) << text;
  EXPECT_EQ(built({}, text)->scenario.text(), text);
}

TEST(Scenario, DurationIsAWholeNumberOfSteps) {
  const std::string text = std::string(water).replace(std::string(water).find("steps = 100"), 11, "");
  EXPECT_EQ(built({"method.duration=0.3", "method.step=0.1"}, text)->scenario.steps(), 3);
  EXPECT_EQ(built({"method.duration=10000", "method.step=0.01"}, text)->scenario.steps(), 1000000);
  EXPECT_EQ(built({"method.duration=7", "method.step=7"}, text)->scenario.steps(), 1);
  EXPECT_THROW(built({"method.duration=0.35", "method.step=0.1"}, text), ScenarioError);
  EXPECT_THROW(built({"method.duration=0.3", "method.step=0.1", "method.steps=3"}, text), ScenarioError);
  EXPECT_THROW(built({"method.duration=0.05", "method.step=0.1"}, text), ScenarioError);
}

TEST(Scenario, DurationIsDividedIntoStepsWhereThereIsNoStep) {
  const std::string text =
      std::string(water).replace(std::string(water).find("step = 0.01"), 11, "duration = 30.0");
  const auto b = built({}, text);
  EXPECT_EQ(b->scenario.step(), 0.3);
  EXPECT_EQ(b->scenario.steps(), 100);
  const std::string as_run = b->scenario.text();
  EXPECT_EQ(built({}, as_run)->scenario.text(), as_run);
  EXPECT_THROW(built({"method.duration=-1"}, text), ScenarioError);
  EXPECT_THROW(built({"method.steps=0"}, text), ScenarioError);
  // The duration stays where the step is set, unless the number of steps is set as well.
  EXPECT_EQ(built({"method.step=0.1"}, text)->scenario.steps(), 300);
  EXPECT_EQ(built({"method.step=0.1", "method.steps=10"}, text)->scenario.steps(), 10);
}

TEST(Scenario, AngularVelocityIsTheMomentumDividedByTheInertia) {
  const std::string text = R"(
    [system]
    kind = "free-body"
    inertia = [[2, 0.5, 0], [0.5, 3, 0], [0, 0, 4]]
    [state]
    angular_velocity = [1, 2, 3]
    [method]
    name = "rk4"
    step = 0.01
    steps = 1
  )";
  const Snapshot s = built({}, text)->simulation->look();
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(s.state[i], (std::array{3.0, 6.5, 12.0})[i], 4e-15);
    EXPECT_NEAR(s.derived[i], static_cast<double>(i + 1), 2e-15);
  }
}

TEST(Scenario, AttitudeMayBeAMatrixOrAQuaternionOfAnyNorm) {
  const Snapshot s = built({"state.attitude=[[0, -1, 0], [1, 0, 0], [0, 0, 1]]"})->simulation->look();
  EXPECT_NEAR(s.state[3], std::sqrt(0.5), 2e-16);
  EXPECT_NEAR(s.state[6], std::sqrt(0.5), 2e-16);
  for (const char* length : {"3", "1e-300", "1e300", "5e-324"}) {
    const auto b = built({std::string("state.attitude=[0, ") + length + ", 0, 0]"});
    EXPECT_EQ(b->simulation->look().state[4], 1.0) << length;
    EXPECT_EQ(b->scenario.warnings().size(), 2U) << length;
  }
}

TEST(Scenario, OverridesAreTomlOrText) {
  EXPECT_EQ(built({"method.name=mr"})->scenario.method_name(), "mr");
  EXPECT_EQ(built({"method.name=\"mr\""})->scenario.method_name(), "mr");
  EXPECT_EQ(built({"method.steps=1_000"})->scenario.steps(), 1000);
  EXPECT_EQ(built({"method.steps=5", "method.steps=6"})->scenario.steps(), 6);
  EXPECT_EQ(built({"state={momentum=[1,2,3]}"})->simulation->look().state[2], 3.0);
  EXPECT_EQ(built({"method.step=-1"})->scenario.step(), -1.0);
}

TEST(Scenario, OverridesReachIntoArrays) {
  EXPECT_EQ(built({"state.momentum[1]=7.5"})->simulation->look().state[1], 7.5);
  const std::string turned = "system.inertia=[[2, 0, 0], [0, 3, 0], [0, 0, 4]]";
  EXPECT_EQ(built({turned, "system.inertia[2][2]=5"})->simulation->look().derived[2],
            built({"system.inertia=[2, 3, 5]"})->simulation->look().derived[2]);
  const std::string driven =
      std::string(water).replace(std::string(water).find("free-body"), 9, "driven-body") +
      "[[torque]]\nkind = \"damping\"\ncoefficient = 0.1\n[[torque]]\nkind = \"constant\"\n"
      "torque = [0, 0, 1]\n";
  const std::string rk4 = "method.name=rk4";
  EXPECT_NE(built({rk4, "torque[1].torque[0]=2"}, driven)->scenario.text().find("torque = [2, 0, 1]"),
            std::string::npos);
  const auto expect = [&](const std::string& override, const std::string& key, const std::string& reason) {
    try {
      built({rk4, override}, driven);
      ADD_FAILURE() << override;
    } catch (const ScenarioError& e) {
      EXPECT_EQ(e.source(), "--set") << override;
      EXPECT_EQ(e.key(), key) << override;
      EXPECT_EQ(e.reason(), reason) << override;
    }
  };
  expect("torque[0].coefficient=-1", "torque[0].coefficient", "a coefficient of the damping is negative");
  expect("torque[00].coefficient=-1", "torque[0].coefficient", "a coefficient of the damping is negative");
  expect("torque[2].coefficient=1", "torque[2].coefficient", "the last entry of torque is [1]");
  // What is wrong with an entry, or with the array for it, is told of --set.
  expect("state.momentum[1]=\"x\"", "state.momentum", "entry [1] must be a number, not the string \"x\"");
  expect("system.inertia[2]=-1", "system.inertia", "a moment of inertia is not positive");
  expect("system.inertia=[[2,0,0],[0,3,0],[0,0,true]]", "system.inertia",
         "entry [2][2] must be a number, not true");
  expect("method[0]=1", "method[0]", "method is not an array");
  expect("event[0].value=1", "event[0].value", "event is not there");
  expect("torque[0][1]=1", "torque[0][1]", "torque[0] is not an array");
  for (const char* wrong : {"torque[]=1", "torque[x]=1", "torque[0=1", "torque[0]x=1", "[0]=1",
                            "torque[-1]=1", "torque[0].=1", "torque[99999999999999999999].kind=1"})
    expect(wrong, std::string(wrong).substr(0, std::string(wrong).find('=')), bad_override_key);
}

TEST(Scenario, AnOverrideTakesThePlaceOfItsAlternative) {
  EXPECT_EQ(built({"method.duration=0.5"})->scenario.steps(), 50);
  EXPECT_EQ(built({"method.duration=0.5", "method.steps=25"})->scenario.step(), 0.02);
  EXPECT_EQ(built({"method.steps=25", "method.duration=0.5"})->scenario.step(), 0.02);
  EXPECT_EQ(built({"state.angular_velocity=[1, 2, 3]"})->simulation->look().derived[1], 2.0);
  EXPECT_THROW(built({"state.angular_velocity=[1, 2, 3]", "state.momentum=[1, 2, 3]"}), ScenarioError);
  EXPECT_THROW(built({"method.steps=3", "method.step=0.1", "method.duration=0.5"}), ScenarioError);
  // What was set as a part of a table, or by its entries, is as much set.
  const auto expect = [&](const std::vector<std::string>& overrides, const std::string& reason) {
    try {
      built(overrides);
      ADD_FAILURE() << overrides.back();
    } catch (const ScenarioError& e) {
      EXPECT_NE(e.reason().find(reason), std::string::npos) << e.what();
    }
  };
  expect({"method={name=\"exact\", step=0.1, steps=4}", "method.duration=3"},
         "steps and duration are both given");
  expect({"method={name=\"exact\", step=0.1, duration=3}", "method.steps=4"},
         "steps and duration are both given");
  const std::string both = "momentum and angular_velocity are both given";
  expect({"state={momentum=[0, 0, 1]}", "state.angular_velocity=[1, 1, 1]"}, both);
  expect({"state.momentum[0]=1", "state.angular_velocity=[1, 1, 1]"}, both);
}

TEST(Scenario, AStepWithoutAPhaseIsWarnedOf) {
  const std::string exact = "method.name=exact";
  EXPECT_EQ(built({exact, "method.step=1e29", "method.steps=1"})->scenario.warnings().size(), 1U);
  const auto beyond = built({exact, "method.step=1e31", "method.steps=1"});
  ASSERT_EQ(beyond->scenario.warnings().size(), 2U);
  EXPECT_NE(beyond->scenario.warnings()[1].find("2^100 radians"), std::string::npos);
  EXPECT_EQ(built({"method.step=1e31", "method.steps=1"})->scenario.warnings().size(), 1U);  // rk4
  // About an axis that is not that of the least moment: 2e27 radians, and it turns.
  const auto turning = built({exact, "system.inertia=[1000, 1, 1000]", "state.momentum=[0.6, 0, 0.8]",
                              "method.step=2e30", "method.steps=1"});
  for (const std::string& w : turning->scenario.warnings())
    EXPECT_EQ(w.find("2^100"), std::string::npos) << w;
  const auto before = turning->simulation->look().state;
  turning->simulation->advance(1);
  EXPECT_NE(turning->simulation->look().state, before);
}

TEST(Scenario, ErrorsCarrySourceKeyAndReason) {
  try {
    built({"method.nam=rk4"});
    FAIL();
  } catch (const ScenarioError& e) {
    EXPECT_EQ(e.source(), "--set");
    EXPECT_EQ(e.key(), "method.nam");
    EXPECT_EQ(e.reason(), "there is no such key; did you mean \"name\"?");
  }
  try {
    built({}, std::string(water) + "quadrature = 3\n");
    FAIL();
  } catch (const ScenarioError& e) {
    EXPECT_EQ(e.source(), "a.toml");
    EXPECT_EQ(e.key(), "method.quadrature");
  }
}

TEST(Scenario, EveryMethodOfTheListCanBeNamed) {
  for_each_free_motion_method<double>([]<class Method>(std::type_identity<Method>) {
    const auto b = built({"method.name=" + std::string(Method::info.name)});
    EXPECT_EQ(b->simulation->description().method, Method::info.name);
    EXPECT_EQ(b->simulation->description().compensated, Method::info.increments);
  });
}

TEST(Scenario, ExamplesOfTheProjectAreScenarios) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(POLHODE_SOURCE_DIR "/examples")) {
    if (entry.path().extension() != ".toml") continue;
    Scenario scenario(read_document(entry.path().string(), {}));
    EXPECT_NO_THROW(build(scenario)->advance(10)) << entry.path();
    ++count;
  }
  EXPECT_GE(count, 6);
}

}  // namespace
}  // namespace polhode::program
