// polhode run with systems in coordinates: the summary, and whatever is wrong with the input.
#include <gtest/gtest.h>

#include <utility>

#include "tests/command/process.hpp"
#include "tests/text/json_reader.hpp"

namespace polhode::testing {
namespace {

std::string scenario(const std::string& kind, const std::string& method, const std::string& state = "") {
  return "[system]\nkind = \"" + kind + "\"\n" + (state.empty() ? "" : "[state]\n" + state + "\n") +
         "[method]\nstep = 0.01\nsteps = 200\n" + method + "\n";
}

Outcome run(const std::string& text, const std::vector<std::string>& more = {}) {
  const TemporaryFolder folder;
  std::vector<std::string> arguments{"run", folder.write("a.toml", text)};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return polhode(arguments);
}

const std::string sy8 = "name = \"sy8\"\n", own = "name = \"multistep\"\n";

/// A program for any number of coordinates need not look out for one.
TEST(Coordinates, OneCoordinateIsAnArrayOfOne) {
  const Outcome o = polhode(
      {"run", POLHODE_SOURCE_DIR "/examples/pendulum.toml", "--set", "method.duration=0.1", "--json"});
  ASSERT_EQ(o.status, 0) << o.error;
  const JsonValue json = JsonReader::read(o.output);
  EXPECT_EQ(json["final"]["position"].list().size(), 1U);
  EXPECT_EQ(json["final"]["momentum"].list().size(), 1U);
  EXPECT_EQ(json["cost"]["samples"].number(), 11);
}

TEST(Coordinates, SummaryIsThatOfTheInterface) {
  const Outcome o = run(scenario("two-body-sphere", own + "multipliers = \"newton\""), {"--json"});
  ASSERT_EQ(o.status, 0) << o.error;
  const JsonValue json = JsonReader::read(o.output);
  EXPECT_EQ(json["system"].string(), "two-body-sphere");
  EXPECT_EQ(json["method"].string(), "multistep");
  EXPECT_EQ(json["final"]["position"].list().size(), 6U);
  EXPECT_EQ(json["final"]["momentum"].list().size(), 6U);
  EXPECT_LT(json["errors"]["energy"]["max"].number(), 1e-6);  // truncation: 4e-7 with this step
  EXPECT_EQ(json["errors"]["angular_momentum"]["final"].list().size(), 3U);
  EXPECT_LT(json["errors"]["constraint"]["max"].number(), 1e-15);
  EXPECT_EQ(json["cost"]["force_evaluations"].number(), 200.0);
  EXPECT_GT(json["cost"]["constraint_evaluations"].number(), 400.0);
  EXPECT_EQ(json["warnings"].list().size(), 0U);
}

TEST(Coordinates, SummaryForAPersonNamesTheChoice) {
  const Outcome o = run(scenario("pendulum", sy8 + "precision = \"double-double\""));
  EXPECT_TRUE(o.output.starts_with("pendulum, sy8 (double-double): 200 steps of 0.01, to time 2\n"))
      << o.output;
  EXPECT_NE(
      run(scenario("two-body-sphere", own))
          .output.find("multistep (error-free force sum, accurate constraint, closed form, compensated)"),
      std::string::npos);
}

TEST(Coordinates, AStateThatIsGivenIsTheFirstRow) {
  const TemporaryFolder folder;
  const std::string file =
      folder.write("a.toml", scenario("henon-heiles", sy8, "position = [0.25, -0.1]\nmomentum = [0.0, 0.5]"));
  ASSERT_EQ(polhode({"run", file, "--output", folder / "rows.csv"}).status, 0);
  const std::string rows = contents(folder / "rows.csv");
  EXPECT_NE(rows.find("\nt,position_1,position_2,momentum_1,momentum_2,energy_error\n0,0.25,-0.1,"),
            std::string::npos)
      << rows.substr(0, 2000);
}

TEST(Coordinates, WrongInput) {
  const std::string point = "position = [1, 0, 0]\nmomentum = [0, 1, 0]";
  const std::vector<std::pair<std::string, std::string>> cases{
      // The name of the method.
      {scenario("pendulum", "name = \"sy9\""),
       "method.name: there is no method \"sy9\" for a system in coordinates; did you mean"},
      {scenario("spherical-pendulum", "name = \"gauss\""),
       "method.name: there is no method \"gauss\" for a system with constraints"},
      {scenario("pendulum", "name = \"exact\""), "method.name: there is no method \"exact\""},
      // Roots.
      {scenario("spherical-pendulum", sy8),
       "method.name: with constraints the multipliers of this method grow"},
      {scenario("spherical-pendulum", own + "roots = [0.7, -0.2, -0.9]"),
       "method.roots: with constraints the multipliers of this method grow"},
      {scenario("pendulum", "name = \"multistep\"\nroots = 0.3"),
       "method.roots: must be an array of numbers"},
      {scenario("pendulum", "name = \"multistep\"\nroots = [\"a\"]"),
       "method.roots: entry [0] must be a number"},
      {scenario("pendulum", "name = \"multistep\"\nroots = [0.5, 1.0]"),
       "method.roots: root [1] is not between -1 and 1"},
      {scenario("pendulum", "name = \"multistep\"\nroots = [0.5, 0.5]"),
       "method.roots: root [1] appears twice: the method would be unstable"},
      {scenario("pendulum", sy8 + "roots = [0.5]"), "method.roots: the method sy8 has no such option"},
      // Options of others.
      {scenario("pendulum", sy8 + "stages = 3"), "method.stages: the method sy8 has no such option"},
      {scenario("pendulum", sy8 + "constraint = \"accurate\""),
       "method.constraint: the system has no constraints"},
      {scenario("pendulum", "name = \"gauss\"\nform = \"naive\""),
       "method.form: the method gauss has no such option"},
      {scenario("pendulum", sy8 + "compensated = true"),
       "method.compensated: systems in coordinates have precision = \"double\""},
      {scenario("pendulum", sy8 + "precison = \"double\""),
       "method.precison: there is no such key; did you mean \"precision\"?"},
      // Values.
      {scenario("pendulum", sy8 + "precision = \"quad\""),
       "method.precision: there is no precision \"quad\""},
      {scenario("pendulum", sy8 + "precision = 2"), "method.precision: must be a string, not 2"},
      {scenario("pendulum", "name = \"gauss\"\nstages = 9"), "method.stages: must be 1 to 8, not 9"},
      {scenario("pendulum", "name = \"lobatto\"\nstages = 1"), "method.stages: must be 2 to 4, not 1"},
      {scenario("two-body-sphere", own + "extrapolation = 4"), "method.extrapolation: must be 0 to 3, not 4"},
      {scenario("two-body-sphere", own + "stopping = \"never\""),
       "method.stopping: there is no stopping \"never\""},
      {scenario("two-body-sphere", own + "stopping = \"tolerance\"\ntolerance = 0"),
       "method.tolerance: must be positive, not 0"},
      // Options that exclude each other.
      {scenario("pendulum", sy8 + "form = \"naive\"\nprecision = \"compensated\""),
       "method.precision: the naive form carries no errors"},
      {scenario("pendulum", sy8 + "precision = \"double\"\nforce_sum = \"rounded\""),
       "method.force_sum: is of no use with precision = \"double\""},
      {scenario("pendulum", sy8 + "form = \"summed\"\nforce_sum = \"rounded\""),
       "method.force_sum: is of no use in the summed form"},
      {scenario("pendulum", sy8 + "form = \"summed\"\nprecision = \"double-double\""),
       "method.precision: the summed form has precision = \"compensated\" or \"double\""},
      {scenario("pendulum", sy8 + "form = \"summed\"\nprecision = \"double\"\ncompensation = \"both\""),
       "method.compensation: is of no use with precision = \"double\""},
      {scenario("pendulum", sy8 + "compensation = \"position\""),
       "method.compensation: is of no use with force_sum = \"error-free\""},
      {scenario("pendulum", sy8 + "form = \"naive\"\ncompensation = \"position\""),
       "method.compensation: is of no use in the naive form"},
      {scenario("pendulum", sy8 + "precision = \"double\"\ncompensation = \"both\""),
       "method.compensation: is of no use with precision = \"double\""},
      {scenario("pendulum", sy8 + "start = \"taylor\""), "method.start: there is no start \"taylor\""},
      {scenario("pendulum", "name = \"gauss\"\nmomentum_formula = \"wide\""),
       "method.momentum_formula: the method gauss has no such option"},
      {scenario("two-body-sphere", own + "precision = \"double-double\"\nconstraint = \"standard\""),
       "method.constraint: in double-double"},
      {scenario("two-body-sphere", own + "tolerance = 1e-12"),
       "method.tolerance: is of no use without stopping = \"tolerance\""},
      {scenario("two-body-sphere", own + "apply_last = false"), "method.apply_last: is of no use without"},
      {scenario("two-body-sphere", own + "multipliers = \"closed-form\"\nstopping = \"convergence\""),
       "method.stopping: is of no use with multipliers = \"closed-form\""},
      {scenario("triple-pendulum", own + "multipliers = \"closed-form\""),
       "method.multipliers: the multipliers of this system have no closed form"},
      // [system]
      {scenario("pendulum\"\ninertia = \"1", sy8), "system.inertia: there is no such key"},
      {scenario("kepler\"\neccentricity = 1.0 #", sy8),
       "system.eccentricity: must be at least 0 and less than 1"},
      {scenario("kepler\"\neccentricity = 0.5 #", sy8, "position = [1, 0]\nmomentum = [0, 1]"),
       "system.eccentricity: the orbit is given by [state]"},
      {scenario("pendulum-chain\"\nlinks = 0 #", own), "system.links: must be 1 to 100000, not 0"},
      {scenario("four-points\"\ninertia = [1, 2, 3] #", own),
       "system.inertia: four points need positive moments of inertia"},
      // [state]
      {scenario("spherical-pendulum", own, "position = [1, 0, 0]"), "state.momentum: is missing"},
      {scenario("spherical-pendulum", own, "momentum = [1, 0, 0]"), "state.position: is missing"},
      {scenario("spherical-pendulum", own, "position = [1, 0]\nmomentum = [0, 1, 0]"),
       "state.position: must be an array of 3 numbers, not"},
      {scenario("spherical-pendulum", own, "position = [1, 0, inf]\nmomentum = [0, 1, 0]"),
       "state.position: entry [2] must be a finite number"},
      {scenario("spherical-pendulum", own, "attitude = [1, 0, 0, 0]"),
       "state.attitude: there is no such key"},
      {scenario("spherical-pendulum", own, "position = [1.1, 0, 0]\nmomentum = [0, 1, 0]"),
       "state: the initial value does not satisfy the constraints: |g(q)| is 0.21"},
      {scenario("spherical-pendulum", own, "position = [1, 0, 0]\nmomentum = [0.25, 1, 0]"),
       "state: the initial value does not satisfy the constraints: |G M^-1 p| is 0.5"},
      {scenario("spherical-pendulum", own, "position = [0, 0, 0]\nmomentum = [0, 1, 0]"),
       "state: the initial value does not satisfy the constraints: |g(q)| is 1"},
      {scenario("two-body-sphere", own, "phi = [0, 1]\n" + point), "state.position: is given beside angles"},
      {scenario("two-body-sphere", own, "phi = [0, 1]"), "state.theta: is missing"},
      {scenario("two-body-sphere", own,
                "phi = [0, 0]\ntheta = [1, 1]\nphi_rate = [0, 0]\ntheta_rate = [0, 0]"),
       "state: "},
      {scenario("triple-pendulum", own, "angles = [1, 2]"), "state.angles: must be an array of 3 numbers"},
      {scenario("four-points", own, "attitude = [1, 0, 0, 0]"), "state.body_momentum: is missing"},
      {scenario("four-points", own, "attitude = [2, 0, 0, 0]\nbody_momentum = [1, 0, 0]"),
       "state.attitude: is not a quaternion of norm one"},
  };
  for (const auto& [text, wanted] : cases) {
    const Outcome o = run(text);
    EXPECT_EQ(o.status, 2) << text;
    EXPECT_EQ(o.output, "") << text;
    EXPECT_EQ(o.error_lines(), 1) << text << o.error;
    EXPECT_NE(o.error.find("a.toml: " + wanted), std::string::npos)
        << text << "\n  wanted: " << wanted << "\n  said: " << o.error;
  }
}

TEST(Coordinates, ASmallMissOfTheConstraintsIsPutRight) {
  const Outcome o = run(
      scenario("spherical-pendulum", own, "position = [0.6, 0.0, 0.80000000001]\nmomentum = [0.0, 1.0, 0.0]"),
      {"--json"});
  ASSERT_EQ(o.status, 0) << o.error;
  EXPECT_LT(JsonReader::read(o.output)["errors"]["constraint"]["max"].number(), 1e-15);
}

TEST(Coordinates, AStepTooLargeToConvergeIsNamedAndTheRowsAreKept) {
  const TemporaryFolder folder;
  const std::string rows = folder / "rows.csv";
  const std::string file = folder.write(
      "a.toml",
      scenario("two-body-sphere", own,
               "phi = [0.0, 0.5]\ntheta = [1.5, 1.5]\nphi_rate = [0.0, 0.0]\ntheta_rate = [0.0, 0.0]"));
  const Outcome o = polhode({"run", file, "--output", rows, "--every", "1"});
  EXPECT_EQ(o.status, 1);
  EXPECT_EQ(o.output, "");
  EXPECT_EQ(o.error_lines(), 1);
  const std::size_t at = o.error.find("a.toml: step ");
  ASSERT_NE(at, std::string::npos) << o.error;
  const int step = std::stoi(o.error.substr(at + 13));
  EXPECT_GT(step, 1);
  EXPECT_NE(
      o.error.find("; stopped after step " + std::to_string(step - 1) + " of 200; what was recorded is in"),
      std::string::npos)
      << o.error;
  EXPECT_NE(contents(rows).find("\n0." + std::to_string(step - 1) + ","), std::string::npos) << o.error;
}

}  // namespace
}  // namespace polhode::testing
