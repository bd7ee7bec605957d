// Input that is meant to do harm, or does: keys without end, bytes that are no text, two runs to one file, outputs over inputs.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "tests/command/process.hpp"

namespace polhode::testing {
namespace {

using std::filesystem::exists;

void expect_refused(const Outcome& o, const std::string& wanted, int status = 2) {
  EXPECT_EQ(o.status, status) << o.error;
  EXPECT_EQ(o.error_lines(), 1) << o.error;
  EXPECT_LE(o.error.size(), 1010U);
  EXPECT_EQ(o.output, "");
  EXPECT_NE(o.error.find(wanted), std::string::npos) << o.error;
}

std::string repeated(const std::string& text, std::size_t count) {
  std::string result;
  for (std::size_t i = 0; i < count; ++i) result += text;
  return result;
}

TEST(Hostile, KeysOfManyParts) {
  const TemporaryFolder folder;
  const std::string deep = "nested more than 100 deep";
  for (const std::size_t parts : {101U, 22'000U, 400'000U}) {
    const std::string key = "a" + repeated(".a", parts);
    expect_refused(polhode({"run", folder.write("a.toml", key + " = 1\n")}), deep);
    expect_refused(polhode({"run", folder.write("a.toml", "[" + key + "]\nx = 1\n")}), deep);
    expect_refused(polhode({"run", folder.write("a.toml", "x = { " + key + " = 1 }\n")}), deep);
  }
  // In inline tables the keys add up.
  expect_refused(
      polhode({"run", folder.write("a.toml", repeated("a.a.a.a.a.a.a.a.a.a = {", 30) + repeated("}", 30))}),
      deep);
  const std::string good = folder.write("b.toml", good_scenario());
  expect_refused(polhode({"run", good, "--set", "a" + repeated(".a", 20'000) + "=1"}), "more than 100 parts");
  expect_refused(polhode({"run", good, "--set", "method.step=" + repeated("[", 20'000)}), "method.step");
  // What a bracket is left with is what it was entered with.
  expect_refused(polhode({"run", folder.write("c.toml", good_scenario() + "a.b.c = { d = 1 }\n")}),
                 "method.a");
  // Dots in texts and comments are no parts.
  const std::string dots = repeated(".", 1000);
  EXPECT_EQ(polhode({"run", folder.write("c.toml", good_scenario() + "# " + dots + "\n")}).status, 0);
  expect_refused(polhode({"run", folder.write("c.toml", good_scenario() + "free = \"\"\"" + dots +
                                                            "\"\\\"\n" + dots + "\"\"\"\n")}),
                 "method.free");
}

TEST(Hostile, MessagesAreShortAndCanBeRead) {
  const TemporaryFolder folder;
  // The parser is not asked: there its behaviour is undefined.
  expect_refused(polhode({"run", folder.write("a.toml", "[system]\nkind = \u00e9\n")}),
                 "a.toml:2:8: this is not TOML");
  expect_refused(polhode({"run", folder.write("a.toml", "x = [0, }")}), "a.toml:1:9: this is not TOML");
  EXPECT_EQ(polhode({"run", folder.write("a.toml", "\xef\xbb\xbf# \u00e9\n" + good_scenario())}).status, 0);
  expect_refused(polhode({"run", folder.write("a.toml", "[" + std::string(1'000'000, 'k') + "]\n")}),
                 "there is no such table");
  expect_refused(polhode({"run", folder / "\xff\xfe\x1b[31m.toml"}),
                 "\\xff\\xfe\\x1b[31m.toml: cannot be read");
  expect_refused(polhode({"run", folder / "\u00e9\u6f22.toml"}), "\u00e9\u6f22.toml: cannot be read");
}

TEST(Hostile, TheSecondRunToOneFileIsRefused) {
  const TemporaryFolder folder;
  const std::string file = folder.write("a.toml", good_scenario());
  for (const char* name : {"a.csv", "a.h5"}) {
    const std::string output = folder / name;
    Process first({POLHODE_COMMAND, "run", file, "--set", "method.steps=1000000000000000000", "--every",
                   "100000", "--output", output});
    wait_until([&] { return exists(output + ".partial"); });
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    expect_refused(polhode({"run", file, "--output", output}), "another process writes to it");
    first.signal(SIGINT);
    EXPECT_EQ(first.wait().status, 1);
    EXPECT_TRUE(exists(output));  // the first one's, whole
    // What a run that was killed leaves is in nobody's way.
    Process killed(
        {POLHODE_COMMAND, "run", file, "--set", "method.steps=1000000000000000000", "--output", output});
    wait_until([&] { return exists(output + ".partial"); });
    killed.signal(SIGKILL);
    killed.wait();
    EXPECT_TRUE(exists(output + ".partial"));
    EXPECT_EQ(polhode({"run", file, "--output", output}).status, 0);
    EXPECT_FALSE(exists(output + ".partial"));
  }
}

TEST(Hostile, AnOutputIsNotWrittenOverItsScenario) {
  const TemporaryFolder folder;
  const std::string text =
      good_scenario() +
      "[ensemble]\nmembers = 2\n[ensemble.vary]\n\"method.step\" = { values = [0.1, 0.2] }\n";
  const std::string csv = folder.write("a.csv", text), h5 = folder.write("a.h5", text);
  std::filesystem::create_symlink("a.csv", folder / "link.csv");
  std::filesystem::create_hard_link(csv, folder / "hard.csv");
  for (const char* output : {"a.csv", "link.csv", "hard.csv"})
    expect_refused(polhode({"run", csv, "--output", folder / output}), "is the scenario itself");
  expect_refused(polhode({"ensemble", h5, "--again", "--output", h5}), "is the scenario itself");
  EXPECT_EQ(contents(csv), text);
  EXPECT_EQ(contents(h5), text);

  // Nor over a table that it reads, wherever that is and whatever it is called.
  const std::string rows = "0, 10, 0, 0\n1, 0, 10, 0\n2, -10, 0, 0\n";
  std::filesystem::create_directory(folder / "tables");
  const std::string table = folder.write("tables/t.csv", rows), other = folder.write("t.h5", rows);
  std::filesystem::create_symlink("tables/t.csv", folder / "name.csv");
  std::filesystem::create_hard_link(table, folder / "hard.h5");
  const std::string reads = folder.write("b.toml", R"([system]
kind = "driven-body"
inertia = [1.0, 2.0, 3.0]
[[torque]]
kind = "attracting-body"
gravitational_parameter = 1.0
table = "tables/t.csv"
[state]
momentum = [1.0, 0.5, 0.25]
[method]
name = "splitting"
step = 0.1
steps = 5
[ensemble]
members = 2
[ensemble.vary]
"torque[0].table" = { values = ["tables/t.csv", "t.h5"] }
)");
  const std::string refusal = "is a file that the scenario names";
  for (const char* output : {"tables/t.csv", "name.csv", "hard.h5", "tables/../t.h5"})
    expect_refused(polhode({"run", reads, "--output", folder / output}), refusal);
  expect_refused(polhode({"run", reads, "--set", "torque[0].table=" + other, "--output", other}), refusal);
  for (const char* output : {"hard.h5", "t.h5"})
    expect_refused(polhode({"ensemble", reads, "--again", "--output", folder / output}), refusal);
  EXPECT_EQ(contents(table), rows);
  EXPECT_EQ(contents(other), rows);
  EXPECT_EQ(polhode({"run", reads, "--output", folder / "other.csv"}).status, 0);
}

TEST(Hostile, AnEnsembleIsInterruptedWhileItsMembersAreExamined) {
  const TemporaryFolder folder;
  const std::string file =
      folder.write("a.toml", good_scenario() +
                                 "[ensemble]\nmembers = 100000000\n[ensemble.vary]\n"
                                 "\"state.momentum\" = { random_direction = { norm = 1 } }\n");
  Process process({POLHODE_COMMAND, "ensemble", file, "--output", folder / "a.h5"});
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  process.signal(SIGTERM);
  const auto start = std::chrono::steady_clock::now();
  expect_refused(process.wait(), "a.toml: interrupted before the first member was run", 1);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
  EXPECT_FALSE(exists(folder / "a.h5.records"));
}

/// Whatever gnuplot says of itself, a picture that has no end is not one.
TEST(Hostile, APictureThatIsCutIsNoticed) {
  // Either picture, as a full disk leaves it; the other one is whole.
  const std::string whole_svg = "printf '<?xml version=\"1.0\"?><svg></svg>\\n'",
                    cut_svg = "printf '<?xml version=\"1.0\"?><svg>'",
                    cut_png = "printf '\\211PNG\\r\\n\\032\\nIHDR'";
  for (const std::string cut : {"svg", "png"}) {
    const TemporaryFolder folder;
    const std::string fake = folder.write(
        "gnuplot", "#!/bin/sh\nif grep -q 'set terminal svg' /dev/stdin; then " +
                       (cut == "svg" ? cut_svg : whole_svg) + "; else " + cut_png + "; fi\nexit 0\n");
    std::filesystem::permissions(fake, std::filesystem::perms::owner_all);
    expect_refused(
        shell("PATH='" + folder / "" + "':$PATH; exec $POLHODE reproduce safstrom-fig2 --quick --out '" +
              folder / "out" + "'"),
        "figure." + cut + ": gnuplot has not drawn it to its end", 1);
    EXPECT_EQ(exists(folder / "out/safstrom-fig2/figure.svg"), cut == "png");
    EXPECT_FALSE(exists(folder / "out/safstrom-fig2/figure.png"));
  }
}

/// What a terminal shows: a run without it says nothing until it is done.
TEST(Hostile, AnEnsembleShowsHowFarTheExaminationOfItsMembersIs) {
  const TemporaryFolder folder;
  const std::string file =
      folder.write("a.toml", good_scenario() +
                                 "[ensemble]\nmembers = 100000000\n[ensemble.vary]\n"
                                 "\"state.momentum\" = { random_direction = { norm = 1 } }\n");
  const int terminal = ::posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
  ASSERT_GE(terminal, 0);
  ASSERT_EQ(::grantpt(terminal), 0);
  ASSERT_EQ(::unlockpt(terminal), 0);
  // As long as one of the test is open, what is read is never the end.
  const std::string name = ::ptsname(terminal);
  const int screen = ::open(name.c_str(), O_RDWR | O_NOCTTY);
  ASSERT_GE(screen, 0);
  Process process(
      {"/bin/bash", "-c",
       "exec '" POLHODE_COMMAND "' ensemble '" + file + "' --output '" + folder / "a.h5" + "' 2>" + name});
  std::string shown;
  wait_until([&] {
    char bytes[1024];
    for (ssize_t count; (count = ::read(terminal, bytes, sizeof bytes)) > 0;)
      shown.append(bytes, static_cast<std::size_t>(count));
    return shown.find(" %") != std::string::npos;
  });
  EXPECT_NE(shown.find("a.toml: examining the members "), std::string::npos) << shown;
  EXPECT_NE(shown.find(" %"), std::string::npos) << shown;
  process.signal(SIGTERM);
  EXPECT_EQ(process.wait().status, 1);
  ::close(screen);
  ::close(terminal);
}

TEST(Hostile, AFullDiskWhileRecordsAreMendedIsOneLine) {
  const TemporaryFolder folder;
  const std::string out = folder / "out";
  ASSERT_EQ(polhode({"reproduce", "safstrom-fig6", "--quick", "--out", out}).status, 0);
  const std::string records = out + "/safstrom-fig6/records.bin", bytes = contents(records);
  folder.write("out/safstrom-fig6/records.bin", bytes.substr(0, bytes.size() / 2));
  expect_refused(shell("ulimit -f " + std::to_string(bytes.size() / 2048) +
                       "; exec $POLHODE reproduce safstrom-fig6 --quick --out " + out),
                 "cannot be written: File too large", 1);
}

TEST(Hostile, MoleculesThatMeetEndTheRunAndKeepTheRows) {
  const TemporaryFolder folder;
  const std::string file = folder.write("a.toml", R"([system]
kind = "rigid-molecules"
coulomb = 1e-290
[[system.molecules]]
name = "ball"
count = 2
sites = [{ element = "Ar", position = [0, 0, 0], mass = 1, charge = 1 }]
[state]
positions = [[0, 0, 0], [16, 0, 0]]
momenta = [[1, 0, 0], [0, 0, 0]]
[method]
name = "splitting"
step = 8
steps = 5
)");
  for (const char* name : {"a.csv", "a.h5", "a.xyz"}) {
    expect_refused(polhode({"run", file, "--every", "1", "--output", folder / name}),
                   "a.toml: molecules [0] and [1] are on one spot at time 16", 1);
    EXPECT_TRUE(exists(folder / name));
  }
  expect_refused(
      polhode({"run", file, "--set", "state.positions=[[0,0,0],[1e-200,0,0]]", "--set", "system.coulomb=1"}),
      "a.toml: state: molecules [0] and [1] are on one spot");
}

TEST(Hostile, NumbersThatAreNearlyZero) {
  const TemporaryFolder folder;
  const std::string top = folder.write("a.toml", R"([system]
kind = "heavy-top"
inertia = [1.0, 1.0, 0.5]
field = [0.0, 0.0, 5e-324]
arm = [0.0, 0.0, -5e-324]
[state]
angular_velocity = [0.0, 0.0, 10.0]
attitude = [5e-324, 0, 0, 0]
[method]
name = "splitting"
step = 0.02
steps = 10
)");
  const Outcome o = polhode({"run", top});
  EXPECT_EQ(o.status, 0) << o.error;
  EXPECT_EQ(o.output.find("nan"), std::string::npos) << o.output;
  EXPECT_EQ(o.output.find("too large"), std::string::npos) << o.output;
  const std::string pendulum = folder.write(
      "b.toml",
      "[system]\nkind = \"triple-pendulum\"\n[method]\nname = \"multistep\"\nstep = 5e-324\nsteps = 3\n");
  expect_refused(polhode({"run", pendulum}), "the step is too small", 1);
}

}  // namespace
}  // namespace polhode::testing
