// Bodies under torque in the program: every method, what they show, and where they stop.
#include "systems/body/driven_body.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <csignal>
#include <limits>

#include "input/toml.hpp"
#include "polhode/splitting/schemes.hpp"
#include "run/interrupt.hpp"
#include "tests/systems/driven_scenario.hpp"

namespace polhode::program {

using namespace core;
namespace {

/// All methods, and every method for the free motion in a scheme of either kind.
std::vector<std::vector<std::string>> every_method() {
  std::vector<std::vector<std::string>> result{{"method.name=sej"},
                                               {"method.name=mr"},
                                               {"method.name=rk4"},
                                               {"method.name=rk4", "method.compensated=false"}};
  for (const MethodEntry& free : free_methods())
    for (const char* scheme : {"strang", "aba-8-6-4"})
      result.push_back(
          {"method.name=splitting", "method.free=" + free.name, std::string("method.scheme=") + scheme});
  for (const Scheme& scheme : schemes)
    result.push_back({"method.name=splitting", "method.scheme=" + std::string(scheme.name)});
  return result;
}

std::string joined(const std::vector<std::string>& texts) {
  std::string result;
  for (const std::string& t : texts) result += t + " ";
  return result;
}

TEST(DrivenBody, DivisionLooksAndRestartsChangeNoBit) {
  for (const char* example : {"lagrange-top", "satellite-eccentric", "dipole-alternating"}) {
    for (const auto& overrides : every_method()) {
      Trial whole(example, overrides), divided(example, overrides), continued(example, overrides);
      whole.simulation().advance(300);
      for (const int count : {1, 99, 7, 3}) {
        divided.simulation().advance(count);
        divided.simulation().look();
      }
      continued.simulation().restore(divided.simulation().save());
      divided.simulation().advance(190);
      continued.simulation().advance(190);
      const Snapshot expected = whole.simulation().look();
      for (Trial* other : {&divided, &continued}) {
        const Snapshot there = other->simulation().look();
        EXPECT_EQ(there.state, expected.state) << example << " " << joined(overrides);
        EXPECT_EQ(there.derived, expected.derived) << example << " " << joined(overrides);
        EXPECT_EQ(there.invariants, expected.invariants) << example << " " << joined(overrides);
        EXPECT_EQ(other->simulation().evaluations().force, whole.simulation().evaluations().force);
      }
    }
  }
}

TEST(DrivenBody, TorquesAreCounted) {
  for (const auto& [overrides, count] :
       std::vector<std::pair<std::vector<std::string>, std::int64_t>>{{{"method.name=sej"}, 100},
                                                                      {{"method.name=mr"}, 100},
                                                                      {{"method.name=rk4"}, 400},
                                                                      {{"method.scheme=rkn6-14"}, 1400},
                                                                      {{"method.scheme=aba-8-6-4"}, 700}}) {
    std::vector<std::string> all = overrides;
    all.emplace_back("method.steps=100");
    Trial trial("lagrange-top", all);
    EXPECT_EQ(trial.run().evaluations.force, count) << joined(overrides);
  }
}

std::vector<std::string> invariants_of(const std::string& example,
                                       const std::vector<std::string>& overrides = {}) {
  Trial trial(example, overrides);
  std::vector<std::string> names;
  for (const Quantity& q : trial.simulation().description().invariants) names.push_back(q.name);
  return names;
}

TEST(DrivenBody, WhatIsConservedIsKnown) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(invariants_of("zanna-perturbed-top"), (Names{"energy", "vertical_momentum"}));
  EXPECT_EQ(invariants_of("lagrange-top"), (Names{"energy", "vertical_momentum", "axial_momentum"}));
  EXPECT_EQ(invariants_of("lagrange-top", {"system.inertia=[0.5,1,1]"}),
            (Names{"energy", "vertical_momentum"}));
  EXPECT_EQ(invariants_of("lagrange-top", {"system.inertia=[2,1,1]", "system.arm=[-3,0,0]"}),
            (Names{"energy", "vertical_momentum", "axial_momentum"}));
  EXPECT_EQ(invariants_of("lagrange-top", {"system.inertia=[1,1,1]", "system.arm=[1,2,3]"}),
            (Names{"energy", "vertical_momentum", "axial_momentum"}));
  EXPECT_EQ(invariants_of("satellite-circular"), Names{"jacobi_integral"});
  EXPECT_EQ(invariants_of("satellite-eccentric"), Names{});
  EXPECT_EQ(invariants_of("dipole-alternating"), Names{"field_momentum"});
  EXPECT_EQ(invariants_of("dipole-alternating", {"system.swing=[0.1,0,0]"}), Names{});
  EXPECT_EQ(invariants_of("dipole-alternating", {"system.field=[0,0,0]", "system.swing=[0.1,0,0]"}),
            Names{"field_momentum"});
}

TEST(DrivenBody, WhatIsConservedStays) {
  // Over 1000 steps. What no splitting can miss, to round-off: measured 7e-12; 3e-15, 0; 2e-17, 0.
  const auto errors = [](const std::string& example, std::vector<std::string> overrides) {
    overrides.insert(overrides.end(), {"method.steps=1000", "method.name=splitting"});
    Trial trial(example, overrides);
    return trial.run(1);
  };
  const RunResult tilted = errors("lagrange-top", {"system.inertia=[2,1,1]", "system.arm=[-3,0,0]",
                                                   "system.field=[0.3,-0.1,0.2]", "method.step=0.02"});
  EXPECT_LT(largest_error(tilted, "energy"), 2e-11);
  EXPECT_LT(largest_error(tilted, "vertical_momentum"), 1e-14);
  EXPECT_LT(largest_error(tilted, "axial_momentum"), 1e-15);
  const RunResult swinging =
      errors("dipole-alternating", {"system.inertia=[1,1,2]", "system.dipole=[0,0,1]"});
  EXPECT_LT(largest_error(swinging, "field_momentum"), 1e-16);
  EXPECT_LT(largest_error(swinging, "axial_momentum"), 1e-16);
}

TEST(DrivenBody, RowsShowWhatFollowsFromTheState) {
  Trial trial("dipole-alternating", {"method.steps=50"});
  trial.run(1);
  const auto at = [&](const std::string& name, std::size_t row) {
    return Vector<double>{
        {trial.series(name, 0)[row], trial.series(name, 1)[row], trial.series(name, 2)[row]}};
  };
  const auto near = [](const Vector<double>& a, const Vector<double>& b) {
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(a[i], b[i], 1e-15);
  };
  for (const std::size_t row : {0, 1, 17, 50}) {
    const Quaternion<double> q{trial.series("attitude", 0)[row], trial.series("attitude", 1)[row],
                               trial.series("attitude", 2)[row], trial.series("attitude", 3)[row]};
    const Vector<double> m = at("momentum", row), w = at("angular_velocity", row);
    near(w, {{m[0], m[1] / 1.5, m[2] / 2.0}});
    near(at("angular_velocity_in_space", row), rotate(q, w));
    near(at("dipole_in_space", row), rotate(q, Vector<double>{{0.3, 0.1, 0.2}}));
    const double field = 1.0 + 0.5 * std::cos(1.7 * trial.series("t")[row] + 0.2);
    near(at("field_in_body", row), rotate(conjugate(q), Vector<double>{{0.0, 0.0, field}}));
    EXPECT_NEAR(trial.series("kinetic_energy")[row], dot(m, w) / 2.0, 1e-15);
    EXPECT_NEAR(trial.series("potential_energy")[row], -field * at("dipole_in_space", row)[2], 1e-15);
  }
}

TEST(DrivenBody, AxesOfTheUserMakeNoDifference) {
  // The top of the paper in axes that are turned: tensor, arm, momentum and attitude with them.
  const Quaternion<double> r = normalized(Quaternion<double>{0.7, -0.3, 0.5, 0.4});
  const auto text = [](const Vector<double>& v) {
    std::array<char, 100> buffer{};
    std::snprintf(buffer.data(), buffer.size(), "[%.17g,%.17g,%.17g]", v[0], v[1], v[2]);
    return std::string(buffer.data());
  };
  Matrix<double> tensor{};
  for (std::size_t k = 0; k < 3; ++k) {
    Vector<double> axis{};
    axis[k] = 1.0;
    axis = rotate(r, axis);
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) tensor[i][j] += (std::array{1.0, 5.0, 6.0})[k] * axis[i] * axis[j];
  }
  std::array<char, 200> attitude{};
  std::snprintf(attitude.data(), attitude.size(), "state.attitude=[%.17g,%.17g,%.17g,%.17g]", r[0], -r[1],
                -r[2], -r[3]);
  const std::vector<std::string> turned{
      "system.inertia=[" + text(tensor[0]) + "," + text(tensor[1]) + "," + text(tensor[2]) + "]",
      "system.arm=" + text(rotate(r, Vector<double>{{0.0, 0.0, 1.0}})),
      "state.angular_velocity=" + text(rotate(r, Vector<double>{{10.0, 10.0, 10.0}})),
      attitude.data(),
      "method.name=splitting",
      "method.duration=1"};
  Trial one("safstrom-top-fig6", {"method.name=splitting", "method.duration=1"}),
      other("safstrom-top-fig6", turned);
  one.run();
  other.run();
  double worst = 0.0;
  for (const char* name : {"centre_of_mass", "angular_velocity_in_space"})
    for (std::size_t i = 0; i < 3; ++i)
      worst = std::max(worst, std::abs(one.series(name, i).back() - other.series(name, i).back()));
  EXPECT_LT(worst, 5e-14);  // measured 1.7e-14
}

/// A torque that is none from a given time on.
class Breaking final : public TorquePart {
 public:
  explicit Breaking(double end) : end_(end) {}
  void act(Actions<double>& actions) const override {
    actions.add_kick([end = end_](const Quaternion<double>&, const DoubleDouble& time) -> Vector<double> {
      if (static_cast<double>(time) < end) return {{0.1, 0.0, 0.0}};
      return {{0.0, std::numeric_limits<double>::quiet_NaN(), 0.0}};
    });
  }
  Energy energy() const override { return Energy::unknown; }

 private:
  double end_;
};

TEST(DrivenBody, ATorqueThatIsNotFiniteStopsTheRunAfterTheLastGoodStep) {
  const Body<double> body(Vector<double>{{1.0, 2.0, 3.0}});
  const State<double> initial{{{0.1, 0.2, 0.3}}, {}};
  const auto run_with = [&](const char* name, double end, Rows& rows) {
    const SplittingChoice choice{"splitting", scheme(name), {{"exact", {}}, true}};
    const auto s =
        make_driven_body({"breaking", body, initial, {std::make_shared<Breaking>(end)}}, 0.125, choice);
    return run(*s, {100000, 1000, &rows, ""});
  };
  for (const char* scheme : {"strang", "rkn6-14", "aba-8-6-4"}) {
    Rows rows;
    const RunResult result = run_with(scheme, 1234.56, rows);
    EXPECT_EQ(result.ending, Ending::stopped);
    EXPECT_EQ(result.steps, 9876) << scheme;  // 1234.5; the next step ends at 1234.625
    EXPECT_EQ(result.time, 1234.5);
    EXPECT_EQ(rows.rows.size(), 1U + 9U + 1U);
    EXPECT_EQ(rows.rows.back()[0], 1234.5);
    EXPECT_TRUE(result.failure.starts_with("the torque at time 1234.")) << result.failure;
  }
  Rows rows;
  EXPECT_EQ(run_with("strang", 0.1, rows).steps, 0);
  EXPECT_EQ(rows.rows.size(), 1U);
  EXPECT_THROW(run_with("strang", -1.0, rows), MotionError);
}

/// A signal arrives with the fifth row.
struct SignalledRows : Rows {
  void record(std::span<const double> row) override {
    Rows::record(row);
    if (rows.size() == 5) std::raise(SIGINT);
  }
};

TEST(DrivenBody, AnInterruptedRunContinues) {
  Trial whole("zanna-perturbed-top", {"method.steps=1000"}), stopped("zanna-perturbed-top", {});
  const RunResult expected = whole.run();
  SignalledRows before;
  {
    const InterruptGuard guard;
    const RunResult first = run(stopped.simulation(), {1000, 7, &before, ""});
    ASSERT_EQ(first.ending, Ending::interrupted);
    ASSERT_EQ(first.steps, 28);
  }
  const InterruptGuard guard;
  Rows after;
  const RunResult second = run(stopped.simulation(), {1000 - 28, 7, &after, ""});
  EXPECT_EQ(second.ending, Ending::completed);
  EXPECT_EQ(second.last.state, expected.last.state);
  EXPECT_EQ(second.time, expected.time);
  EXPECT_EQ(second.evaluations.force, expected.evaluations.force);
  EXPECT_EQ(after.rows.front()[0], before.rows.back()[0]);
}

TEST(DrivenBody, TheScenarioAsRunIsAScenarioAgain) {
  for (const char* example :
       {"lagrange-top", "satellite-circular", "satellite-eccentric", "dipole-alternating"}) {
    Trial trial(example, {});
    const std::string text = trial.scenario().text();
    Scenario again(parse_document(text, "again.toml", {}));
    const auto simulation = build(again);
    EXPECT_EQ(again.text(), text);
    simulation->advance(10);
    trial.simulation().advance(10);
    EXPECT_EQ(simulation->look().state, trial.simulation().look().state);
  }
}

}  // namespace
}  // namespace polhode::program
