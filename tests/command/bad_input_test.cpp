// Whatever is wrong with the input: one line that names the place, status 2, and nothing else.
#include <gtest/gtest.h>

#include <filesystem>
#include <utility>

#include "tests/command/process.hpp"

namespace polhode::testing {
namespace {

/// The good scenario with one text replaced by another.
std::string with(const std::string& from, const std::string& to) {
  std::string text = good_scenario();
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

void expect_complaint(const Outcome& o, const std::string& wanted, const std::string& what) {
  EXPECT_EQ(o.status, 2) << what;
  EXPECT_EQ(o.output, "") << what;
  EXPECT_EQ(o.error_lines(), 1) << what << ": " << o.error;
  EXPECT_TRUE(o.error.starts_with("polhode: ")) << o.error;
  EXPECT_TRUE(o.error.ends_with("\n")) << o.error;
  EXPECT_NE(o.error.find(wanted), std::string::npos)
      << what << "\n  wanted: " << wanted << "\n  said: " << o.error;
}

TEST(BadInput, Scenarios) {
  const std::string inertia = "[0.345, 0.653, 1.0]", momentum = "momentum = [0.5, 0.2, 0.8]",
                    steps = "steps = 2000";
  const std::string name = "name = \"rk4\"";
  const std::vector<std::pair<std::string, std::string>> cases{
      // The file as a whole.
      {"", "is empty"},
      {"# only a comment\n", "is empty"},
      {"[system", ":1:"},
      {with("kind = ", "kind = = "), ":2:"},
      {with("step = 0.01", "step = 0.01\nstep = 0.02"), ":9:"},
      {good_scenario() + "[state]\n", "not TOML"},
      {good_scenario() + "\x01\n", "not TOML"},
      {std::string("\xff\xfe\x00\x01", 4), "not TOML"},
      {std::string(100000, '['), "nested more than 100 deep"},
      {with("[method]", "[methods]"), "methods: there is no such table; did you mean \"method\"?"},
      {good_scenario() + "[outputs]\n", "outputs: there is no such table; did you mean \"output\"?"},
      {"title = \"a\"\n" + good_scenario(), "title: there is no such key"},
      {"system = 3\n", "system: must be a table"},
      {"[[system]]\nkind = \"free-body\"\n", "system: must be a table"},
      {"[system]\n", "system.kind: is missing"},
      {"[method]\nname = \"rk4\"\n", "system.kind: is missing"},
      {"[system]\nkind = \"free-body\"\n", "method.name: is missing"},
      // [system]
      {with("\"free-body\"", "\"free-boddy\""),
       "system.kind: there is no system \"free-boddy\"; did you mean"},
      {with("\"free-body\"", "\"\""), "system.kind: there is no system"},
      {with("\"free-body\"", "\"a\\nb\""), "system.kind: there is no system \"a\\nb\""},
      {with("\"free-body\"", "1"), "system.kind: must be a string, not 1"},
      {with("inertia = ", "inertai = "), "system.inertai: there is no such key; did you mean \"inertia\"?"},
      {with("inertia = [0.345, 0.653, 1.0]\n", ""), "system.inertia: is missing"},
      {with(inertia, "3"), "system.inertia: must be 3 principal moments"},
      {with(inertia, "[1, 2]"), "system.inertia: must be 3 principal moments"},
      {with(inertia, "[]"), "system.inertia: must be 3 principal moments"},
      {with(inertia, "[1, 2, 3, 4]"), "system.inertia: must be 3 principal moments"},
      {with(inertia, "[1, 2, \"3\"]"), "system.inertia: entry [2] must be a number, not the string \"3\""},
      {with(inertia, "[1, 2, [3]]"), "system.inertia: entry [2] must be a number, not an array of 1"},
      {with(inertia, "[1, 2, nan]"), "system.inertia: entry [2] must be a finite number"},
      {with(inertia, "[1, 2, inf]"), "system.inertia: entry [2] must be a finite number"},
      {with(inertia, "[1, 2, 1e999]"), ""},
      {with(inertia, "[1, 2, 0]"), "system.inertia: a moment of inertia is not positive"},
      {with(inertia, "[1, 2, -1]"), "system.inertia: a moment of inertia is not positive"},
      {with(inertia, "[1, 1e-200, 1]"), "system.inertia: the moments of inertia differ"},
      {with(inertia, "[[1,0,0],[0,1,0]]"), "system.inertia: must be a 3x3 matrix"},
      {with(inertia, "[[1,0,0],[0,1,0],[0,1]]"), "system.inertia: entry [2] must be an array of 3"},
      {with(inertia, "[[1,0,0],[0,1,0],3]"), "system.inertia: entry [2] must be an array of 3"},
      {with(inertia, "[[1,0,0],[0,1,0],[0,1,true]]"), "system.inertia: entry [2][2] must be a number"},
      {with(inertia, "[[1,0,0],[0,1,0],[0,1,nan]]"), "system.inertia: entry [2][2] must be a finite"},
      {with(inertia, "[[1,0.5,0],[0,1,0],[0,0,1]]"), "system.inertia: the inertia tensor is not symmetric"},
      {with(inertia, "[[1,2,0],[2,1,0],[0,0,1]]"), "system.inertia: the inertia tensor is not positive"},
      {with(inertia, "[[0,0,0],[0,0,0],[0,0,0]]"), "system.inertia: the inertia tensor is zero"},
      {with(inertia, "1979-05-27"), "system.inertia: must be"},
      {with("inertia = ", "field = [0,0,1]\ninertia = "), "system.field: there is no such key"},
      // [state]
      {with(momentum, ""), "state.momentum: is missing: give momentum or angular_velocity"},
      {with(momentum, momentum + "\nangular_velocity = [1,2,3]"), "state.angular_velocity: momentum and"},
      {with(momentum, "momentun = [1,2,3]"),
       "state.momentun: there is no such key; did you mean \"momentum\"?"},
      {with(momentum, "momentum = [1,2]"), "state.momentum: must be an array of 3 numbers"},
      {with(momentum, "momentum = 1"), "state.momentum: must be an array of 3 numbers, not 1"},
      {with(momentum, "momentum = {x = 1}"), "state.momentum: must be an array of 3 numbers, not a table"},
      {with(momentum, "momentum = [1,2,-inf]"), "state.momentum: entry [2] must be a finite number"},
      {with(momentum, "angular_velocity = [nan,0,0]"), "state.angular_velocity: entry [0] must be a finite"},
      {with(inertia + "\n[state]\n" + momentum,
            "[1e200,1e200,1e200]\n[state]\nangular_velocity = [1e200,0,0]"),
       "state.angular_velocity: the momentum that belongs to it is too large"},
      {with(momentum, momentum + "\nattitude = [0,0,0,0]"), "state.attitude: is the zero quaternion"},
      {with(momentum, momentum + "\nattitude = [1,0,0]"), "state.attitude: must be 4 numbers"},
      {with(momentum, momentum + "\nattitude = []"), "state.attitude: must be 4 numbers"},
      {with(momentum, momentum + "\nattitude = \"up\""), "state.attitude: must be 4 numbers"},
      {with(momentum, momentum + "\nattitude = [1,0,0,nan]"), "state.attitude: entry [3] must be a finite"},
      {with(momentum, momentum + "\nattitude = [[1,0,0],[0,1,0],[0,0.1,1]]"),
       "state.attitude: the attitude matrix is"},
      {with(momentum, momentum + "\nattitude = [[1,0,0],[0,1,0],[0,0,-1]]"),
       "state.attitude: the attitude matrix is a"},
      {with(momentum, momentum + "\nattitude = [[1,0,0],[0,1,0],[0,0,nan]]"),
       "state.attitude: entry [2][2] "},
      {with(momentum, momentum + "\nposition = [1,0,0]"), "state.position: there is no such key"},
      // [method]
      {with(name, "name = \"rk5\""),
       "method.name: there is no method \"rk5\" for a free body; did you mean \"rk4\"?"},
      {with(name, "name = \"leapfrog\""), "method.name: there is no method \"leapfrog\""},
      {with(name, "name = 4"), "method.name: must be a string, not 4"},
      {with(name, ""), "method.name: is missing"},
      {with("step = 0.01\n", ""), "method.step: is missing"},
      {with("step = 0.01", "step = 0"), "method.step: must not be zero"},
      {with("step = 0.01", "step = -0.0"), "method.step: must not be zero"},
      {with("step = 0.01", "step = nan"), "method.step: must be a finite number"},
      {with("step = 0.01", "step = inf"), "method.step: must be a finite number"},
      {with("step = 0.01", "step = \"0.01\""), "method.step: must be a number, not the string \"0.01\""},
      {with("step = 0.01", "step = [0.01]"), "method.step: must be a number, not an array of 1"},
      {with("step = 0.01\n" + steps, "step = 1e300\nsteps = 1000000000000000000"),
       "method.step: steps times step"},
      {with(steps, ""), "method.steps: is missing: give steps or duration"},
      {with(steps, steps + "\nduration = 20.0"), "method.duration: steps and duration are both given"},
      {with(steps, "steps = 0"), "method.steps: must be positive, not 0"},
      {with(steps, "steps = -5"), "method.steps: must be positive, not -5"},
      {with(steps, "steps = 2.5"), "method.steps: must be an integer, not 2.5"},
      {with(steps, "steps = 1e6"), "method.steps: must be an integer, not 1000000.0"},
      {with(steps, "steps = true"), "method.steps: must be an integer, not true"},
      {with(steps, "steps = 10000000000000000000000"), ":9:"},
      {with(steps, "duration = 0"), "method.duration: must be positive"},
      {with(steps, "duration = -1"), "method.duration: must be positive"},
      {with(steps, "duration = nan"), "method.duration: must be a finite number"},
      {with(steps, "duration = 0.015"),
       "method.duration: must be a whole number of steps, but duration/step is 1.5"},
      {with(steps, "duration = 1e300"), "method.duration: there are too many steps in it"},
      {with("step = 0.01\n" + steps, "step = -0.01\nduration = 1"), "method.duration: needs a positive step"},
      {with(steps, steps + "\nstepz = 3"), "method.stepz: there is no such key; did you mean"},
      {with(steps, steps + "\nscheme = \"strang\""), "method.scheme: there is no such key"},
      {with(steps, steps + "\ncompensated = 1"), "method.compensated: must be true or false, not 1"},
      {with(name, "name = \"mr\"\ncompensated = true"),
       "method.compensated: the method mr has no increments"},
      {with(name, name + "\nquadrature = 5"), "method.quadrature: the method rk4 has no such option"},
      {with(name, "name = \"dmv10\"\nframe = 1"), "method.frame: the method dmv10 has no such option"},
      {with(name, "name = \"frb-matrix\"\nquadrature = 11"), "method.quadrature: must be 0 to 10, not 11"},
      {with(name, "name = \"frb-matrix\"\nquadrature = -1"), "method.quadrature: must be 0 to 10, not -1"},
      {with(name, "name = \"frb-matrix\"\nquadrature = 2.0"), "method.quadrature: must be an integer"},
      {with(name, "name = \"frb-matrix\"\nhermite = 11"), "method.hermite: must be 0 to 10, not 11"},
      {with(name, "name = \"frb-matrix\"\nquadrature = 3\nhermite = 3"),
       "method: quadrature and hermite are two rules for one integral: one of them must be 0"},
      {with(name, "name = \"frb-matrix\"\nframe = 4"), "method.frame: must be 0 to 3, not 4"},
  };
  const TemporaryFolder folder;
  const std::string file = folder / "bad.toml", output = folder / "bad.csv";
  for (const auto& [text, wanted] : cases) {
    folder.write("bad.toml", text);
    const Outcome o = polhode({"run", file, "--output", output});
    expect_complaint(o, wanted, text.substr(0, 300));
    EXPECT_NE(o.error.find(file), std::string::npos) << o.error;
    EXPECT_FALSE(std::filesystem::exists(output)) << text;
    EXPECT_FALSE(std::filesystem::exists(output + ".partial")) << text;
  }
}

TEST(BadInput, Overrides) {
  const TemporaryFolder folder;
  const std::string file = folder.write("a.toml", good_scenario());
  const std::vector<std::pair<std::string, std::string>> cases{
      {"method.step", "--set: method.step: there is no value"},
      {"", "--set"},
      {"=1", "--set: =1: the key must be dotted names"},
      {".=1", "--set: .: the key must be dotted names"},
      {"method..step=1", "--set: method..step: the key must be dotted names"},
      {"method. step=1", "--set: method. step: the key must be dotted names"},
      {"method.step=", "--set: method.step: must be a number, not the string \"\""},
      {"method.step=abc", "--set: method.step: must be a number, not the string \"abc\""},
      {"method.step=0", "--set: method.step: must not be zero"},
      {"method.step=nan", "--set: method.step: must be a finite number"},
      {"method.step=1\nmethod.steps=2", "--set: method.step: must be a number, not the string"},
      {"method.name=dvm10", "--set: method.name: there is no method \"dvm10\" for a free body; did you mean"},
      {"method.stepp=1", "--set: method.stepp: there is no such key"},
      {"method=1", "--set: method: must be a table"},
      {"method.name.x=1", "--set: method.name.x: method.name is not a table"},
      {"results.file=1", "--set: results: there is no such table"},
      {"output.file=1", "--set: output.file: there is no such key; known: times"},
      {"state.momentum=[1,2", "--set: state.momentum: must be an array of 3 numbers, not the string"},
      {"state={momentum=[1,2,3],angular_velocity=[1,2,3]}",
       "--set: state.angular_velocity: momentum and angular_velocity are both"},
      {"system.inertia=[1,2,-3]", "--set: system.inertia: a moment of inertia is not positive"},
  };
  for (const auto& [text, wanted] : cases)
    expect_complaint(polhode({"run", file, "--set", text}), wanted, text);
}

TEST(BadInput, CommandLines) {
  const TemporaryFolder folder;
  const std::string file = folder.write("a.toml", good_scenario());
  std::filesystem::create_directory(folder / "d.csv");
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases{
      {{"walk"}, "walk"},
      {{"rum", file, "--set", "method.steps=5"}, "polhode: \"rum\" is not known; did you mean \"run\"?"},
      {{"run", file, "--otput", "x.csv"}, "polhode: \"--otput\" is not known; did you mean \"--output\"?"},
      {{"run", file, "--otput=x.csv"}, "polhode: \"--otput\" is not known; did you mean \"--output\"?"},
      {{"run", file, "other.toml"}, "polhode: \"other.toml\" is one word too much (see polhode run --help)"},
      {{"run", file, "method.steps=5"},
       "polhode: \"method.steps=5\" is one word too much; did you mean --set \"method.steps=5\"? (see "
       "polhode "
       "run --help)"},
      {{"list", "methods", "a=b"}, "polhode: \"a=b\" is one word too much (see polhode list --help)"},
      {{"--bogus"}, "--bogus"},
      {{"run"}, "scenario"},
      {{"run", ""}, "scenario"},
      {{"run", folder / "none.toml"}, "none.toml: cannot be read: No such file"},
      {{"run", folder / "no\nne.toml"}, "no\\nne.toml: cannot be read"},
      {{"run", folder / "d.csv"}, "d.csv: is a directory"},
      {{"run", "/dev/zero"}, "/dev/zero: is larger than"},
      {{"run", "/dev/null"}, "/dev/null: is empty"},
      {{"run", file, file}, "a.toml"},
      {{"run", file, "--bogus"}, "--bogus"},
      {{"run", file, "--set"}, "--set"},
      {{"run", file, "--json=maybe"}, "maybe"},
      {{"run", file, "--every"}, "--every"},
      {{"run", file, "--every", "0"}, "--every: must be a positive integer, not \"0\""},
      {{"run", file, "--every", "-3"}, "--every: must be a positive integer, not \"-3\""},
      {{"run", file, "--every=x"}, "--every: must be a positive integer, not \"x\""},
      {{"run", file, "--every", "1.5"}, "--every: must be a positive integer, not \"1.5\""},
      {{"run", file, "--every", "5 "}, "--every: must be a positive integer, not \"5 \""},
      {{"run", file, "--every", "99999999999999999999"}, "--every: is too large"},
      {{"run", file, "--every", "1", "--every", "2"}, "--every"},
      {{"run", file, "--output"}, "--output"},
      {{"run", file, "--output", ""}, "--output"},
      {{"run", file, "--output", folder / "a.txt"}, "a.txt: --output: the name must end in .csv or .h5"},
      {{"run", file, "--output", folder / "a"}, "--output: the name must end in .csv or .h5"},
      {{"run", file, "--output", folder / "none/a.csv"},
       "none/a.csv: --output: cannot be opened: No such file"},
      {{"run", file, "--output", folder / "none/a.h5"},
       "none/a.h5: --output: cannot be opened: No such file"},
      {{"run", file, "--output", folder / "d.csv"}, "d.csv: --output: is a directory"},
      {{"run", file, "--output", file + "/a.csv"}, "--output: cannot be opened: Not a directory"},
      {{"list", "things"}, "there is no list of \"things\""},
      {{"list", "method"}, "did you mean \"methods\"?"},
      {{"list", "methods", "systems"}, "systems"},
      {{"bench", "more"}, "more"},
      {{"bench", "--output", folder / "none/a.json"}, "none/a.json: --output: cannot be opened"},
      {{"reproduce", "vilmart-fig99"}, "there is no experiment of the name vilmart-fig99; known: "},
      {{"reproduce", "--threads", "0"}, "--threads: must be a positive integer, not \"0\""},
      {{"reproduce", "--out"}, "--out"},
  };
  for (const auto& [arguments, wanted] : cases) {
    std::string what;
    for (const std::string& a : arguments) what += a + " ";
    expect_complaint(polhode(arguments), wanted, what);
  }
}

TEST(BadInput, NoSubcommand) {
  const Outcome o = polhode({});
  EXPECT_EQ(o.status, 2);
  EXPECT_EQ(o.output, "");
  EXPECT_EQ(o.error_lines(), 1);
  EXPECT_NE(o.error.find("a command is needed"), std::string::npos);
}

}  // namespace
}  // namespace polhode::testing
