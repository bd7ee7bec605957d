// polhode run with bodies under torque: what goes in wrong, what comes out, and where it stops.
#include <gtest/gtest.h>

#include <filesystem>
#include <utility>

#include "tests/command/process.hpp"
#include "tests/text/json_reader.hpp"

namespace polhode::testing {
namespace {

std::string example(const std::string& name) { return POLHODE_SOURCE_DIR "/examples/" + name + ".toml"; }

using Case = std::pair<std::vector<std::string>, std::string>;

/// Each case: what is set, and what the one line on standard error has to say.
void expect_complaints(const std::string& name, const std::vector<Case>& cases) {
  const TemporaryFolder folder;
  for (const auto& [sets, wanted] : cases) {
    std::vector<std::string> arguments{"run", example(name), "--json", "--output", folder / "bad.csv"};
    for (const std::string& set : sets) arguments.insert(arguments.end(), {"--set", set});
    const Outcome o = polhode(arguments);
    EXPECT_EQ(o.status, 2) << wanted << o.error;
    EXPECT_EQ(o.output, "");
    EXPECT_EQ(o.error_lines(), 1) << o.error;
    EXPECT_NE(o.error.find(wanted), std::string::npos) << "  wanted: " << wanted << "\n  said: " << o.error;
    EXPECT_FALSE(std::filesystem::exists(folder / "bad.csv"));
  }
}

TEST(BadInput, HeavyTops) {
  expect_complaints(
      "lagrange-top",
      {
          {{"system.field=[0,0]"}, "--set: system.field: must be an array of 3 numbers, not an array of 2"},
          {{"system.field=1"}, "system.field: must be an array of 3 numbers, not 1"},
          {{"system.field=[0,0,nan]"}, "system.field: entry [2] must be a finite number"},
          {{"system.field=[0,0,0]"}, "system.field: must not be zero"},
          {{"system.arm=[0,0,0]"}, "system.arm: must not be zero"},
          {{"system.arm=[0,0,1,0]"}, "system.arm: must be an array of 3 numbers, not an array of 4"},
          {{"system.feild=[0,0,1]"}, "system.feild: there is no such key; did you mean \"field\"?"},
          {{"system.orbit={}"}, "system.orbit: there is no such key"},
          {{"system.swing=[0,0,1]"}, "system.swing: there is no such key"},
          {{"system.field=[1e200,1e200,1e200]", "system.arm=[1e200,0,0]"},
           "lagrange-top.toml: system: the torque at time 0"},
          {{"state.position=[0,0,1]"}, "state.position: there is no such key"},
          {{"method.name=splittin"},
           "method.name: there is no method \"splittin\" for a body under torque; did you mean "
           "\"splitting\"?"},
          {{"method.name=exact"}, "method.name: there is no method \"exact\" for a body under torque"},
          {{"method.scheme=strung"},
           "method.scheme: there is no scheme \"strung\"; did you mean \"strang\"?"},
          {{"method.scheme=aba-8-64"}, "did you mean \"aba-8-6-4\"?"},
          {{"method.scheme=4"}, "method.scheme: must be a string, not 4"},
          {{"method.scheme={a=[1,2]}"}, "lagrange-top.toml: method.scheme.b: is missing"},
          {{"method.scheme={a=[1,2],b=[]}"},
           "--set: method.scheme: a scheme has as many coefficients a as b"},
          {{"method.scheme={a=[\"1\\n2\"],b=[]}"}, "method.scheme: a[0] must be a finite number"},
          {{"method.name=sej", "method.scheme={a=[1],b=[]}"},
           "method.scheme: the method sej has no such option"},
          {{"method.free=exakt"},
           "method.free: there is no method \"exakt\" for the free motion; did you mean \"exact\"?"},
          {{"method.free=sej"}, "method.free: there is no method \"sej\" for the free motion"},
          {{"method.free=7"}, "method.free: must be a string, not 7"},
          {{"method.quadrature=3"}, "method.quadrature: the method exact has no such option"},
          {{"method.free=frb-matrix", "method.quadrature=11"}, "method.quadrature: must be 0 to 10, not 11"},
          {{"method.free=frb-matrix", "method.compensated=true"},
           "method.compensated: the method frb-matrix has no increments to compensate"},
          {{"method.name=sej", "method.scheme=strang"}, "method.scheme: the method sej has no such option"},
          {{"method.name=sej", "method.free=exact"}, "method.free: the method sej has no such option"},
          {{"method.name=mr", "method.scheme=strang"}, "method.scheme: the method mr has no such option"},
          {{"method.name=mr", "method.compensated=true"},
           "method.compensated: the method mr has no increments to compensate"},
          {{"method.name=rk4", "method.free=exact"}, "method.free: the method rk4 has no such option"},
          {{"method.stages=3"}, "method.stages: there is no such key"},
          {{"method.step=0"}, "method.step: must not be zero"},
      });
}

TEST(BadInput, Satellites) {
  const std::string orbit = "system.orbit.";
  expect_complaints(
      "satellite-eccentric",
      {
          {{orbit + "eccentricity=1.2"},
           "--set: system.orbit.eccentricity: the eccentricity is not below 1: the orbit is not an ellipse"},
          {{orbit + "eccentricity=1"}, "system.orbit.eccentricity: the eccentricity is not below 1"},
          {{orbit + "eccentricity=-0.1"}, "system.orbit.eccentricity: the eccentricity is negative"},
          {{orbit + "eccentricity=nan"}, "system.orbit.eccentricity: must be a finite number"},
          {{orbit + "eccentricity=round"}, "system.orbit.eccentricity: must be a number, not the string"},
          {{orbit + "inclination=inf"}, "system.orbit.inclination: must be a finite number"},
          {{orbit + "semi_major_axis=0"}, "system.orbit.semi_major_axis: must be positive, not 0"},
          {{orbit + "semi_major_axis=-1"}, "system.orbit.semi_major_axis: must be positive, not -1"},
          {{orbit + "gravitational_parameter=0.0"}, "system.orbit.gravitational_parameter: must be positive"},
          {{orbit + "mean_motion=1"}, "system.orbit.mean_motion: is given together with"},
          {{"system.orbit={mean_motion=0}"}, "--set: system.orbit.mean_motion: must be positive, not 0"},
          {{"system.orbit={mean_motion=1e200}"}, "system.orbit.mean_motion: is too large or too small"},
          {{"system.orbit={semi_major_axis=7e6}"}, "system.orbit.gravitational_parameter: is missing"},
          {{"system.orbit={gravitational_parameter=1}"}, "system.orbit.semi_major_axis: is missing"},
          {{"system.orbit={semi_major_axis=1e-200,gravitational_parameter=1e200}"},
           "satellite-eccentric.toml"},
          {{orbit + "eccentricty=0.1"},
           "system.orbit.eccentricty: there is no such key; did you mean \"eccentricity\"?"},
          {{"system.orbit=circular"}, "system.orbit: must be a table"},
          {{"system.field=[0,0,1]"}, "system.field: there is no such key"},
      });
}

TEST(BadInput, Dipoles) {
  expect_complaints("dipole-alternating",
                    {
                        {{"system.dipole=[0,0,0]"}, "system.dipole: must not be zero"},
                        {{"system.dipole=[1,0]"}, "system.dipole: must be an array of 3 numbers"},
                        {{"system.swing=[0,0,0]"}, "system.swing: must not be zero"},
                        {{"system.frequency=nan"}, "system.frequency: must be a finite number"},
                        {{"system.phase=[1]"}, "system.phase: must be a number, not an array of 1"},
                        {{"system.arm=[0,0,1]"}, "system.arm: there is no such key"},
                    });
  const TemporaryFolder folder;
  const auto run = [&](const std::string& keys) {
    return polhode(
        {"run", folder.write("a.toml", "[system]\nkind = \"dipole\"\ninertia = [1, 2, 3]\n" + keys +
                                           "\n[state]\nmomentum = [0, 0, 0]\n[method]\n"
                                           "name = \"splitting\"\nstep = 0.1\nsteps = 10\n")});
  };
  EXPECT_NE(run("field = [0, 0, 1]").error.find("system.dipole: is missing"), std::string::npos);
  EXPECT_NE(run("dipole = [0, 0, 1]").error.find("system.field: is missing"), std::string::npos);
  EXPECT_NE(run("dipole = [0, 0, 1]\nfield = [0, 0, 0]").error.find("system.field: must not be zero"),
            std::string::npos);
  EXPECT_NE(run("dipole = [1, 0, 0]\nfield = [0, 0, 1]\nphase = 1").error.find("system.phase: is of no use"),
            std::string::npos);
  EXPECT_NE(run("dipole = [1, 0, 0]\nswing = [0, 0, 1]").error.find("system.frequency: is missing"),
            std::string::npos);
  // A body at rest begins to move; without a constant field as well.
  EXPECT_EQ(run("dipole = [1, 0, 0]\nfield = [0, 0, 1]").status, 0);
  EXPECT_EQ(run("dipole = [1, 0, 0]\nswing = [0, 0, 1]\nfrequency = 2").status, 0);
}

TEST(Run, SummaryOfABodyUnderTorque) {
  const Outcome o = polhode({"run", example("lagrange-top"), "--json", "--set", "method.duration=10"});
  ASSERT_EQ(o.status, 0) << o.error;
  const JsonValue json = JsonReader::read(o.output);
  EXPECT_EQ(json.keys(), (std::vector<std::string>{"cost", "errors", "final", "method", "step", "steps",
                                                   "system", "time", "warnings"}));
  EXPECT_EQ(json["system"].string(), "heavy-top");
  EXPECT_EQ(json["method"].string(), "splitting");
  EXPECT_EQ(json["cost"]["force_evaluations"].number(), 3500.0);
  EXPECT_EQ(json["errors"].keys(),
            (std::vector<std::string>{"axial_momentum", "constraint", "energy", "vertical_momentum"}));
  EXPECT_EQ(json["final"].keys(),
            (std::vector<std::string>{"angular_velocity", "attitude", "centre_of_mass", "field_in_body",
                                      "kinetic_energy", "momentum", "potential_energy"}));
  const JsonValue eccentric = JsonReader::read(
      polhode({"run", example("satellite-eccentric"), "--json", "--set", "method.duration=600"}).output);
  EXPECT_EQ(eccentric["errors"].keys(), std::vector<std::string>{"constraint"});
  for (const char* angle : {"roll", "pitch", "yaw"})
    EXPECT_LE(std::abs(eccentric["final"][angle].number()), 3.15) << angle;
}

TEST(Failure, ATorqueThatIsNotFiniteEndsTheRunAndKeepsTheRows) {
  const TemporaryFolder folder;
  // A step far too long for the method: the momentum grows until it is no number.
  for (const char* name : {"a.csv", "a.h5"}) {
    const Outcome o = polhode({"run", example("safstrom-top-fig6"), "--json", "--set", "method.name=rk4",
                               "--set", "method.step=10", "--every", "1", "--output", folder / name});
    EXPECT_EQ(o.status, 1);
    EXPECT_EQ(o.output, "");
    EXPECT_EQ(o.error_lines(), 1) << o.error;
    EXPECT_NE(o.error.find("safstrom-top-fig6.toml: the state at time "), std::string::npos) << o.error;
    EXPECT_NE(o.error.find(" is not a finite number; stopped after step "), std::string::npos) << o.error;
    EXPECT_NE(o.error.find("; what was recorded is in "), std::string::npos) << o.error;
    EXPECT_TRUE(std::filesystem::exists(folder / name));
  }
  const std::string text = contents(folder / "a.csv");
  EXPECT_NE(text.find("\n0,10,50,60,1,0,0,0,"), std::string::npos);
  EXPECT_NE(text.find("\n# stopped at step "), std::string::npos);
  EXPECT_EQ(text.find("nan"), std::string::npos);
}

}  // namespace
}  // namespace polhode::testing
