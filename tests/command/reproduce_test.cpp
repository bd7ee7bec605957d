// polhode reproduce as a user calls it: files, exit status, being killed, bad folders.
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <filesystem>
#include <random>
#include <thread>

#include "tests/command/process.hpp"

namespace polhode::testing {
namespace {

using std::filesystem::exists;

/// Small, and its units are long enough to be killed among.
const std::string experiment = "safstrom-fig6";

void expect_one_line(const Outcome& o, int status, const std::string& wanted) {
  EXPECT_EQ(o.status, status) << o.error;
  EXPECT_EQ(o.error_lines(), 1) << o.error;
  EXPECT_NE(o.error.find(wanted), std::string::npos) << o.error;
}

TEST(Reproduce, WritesFigureDataVerdictAndReport) {
  const TemporaryFolder folder;
  const Outcome o = polhode({"reproduce", "safstrom-fig2", "--quick", "--out", folder / "out"});
  EXPECT_EQ(o.status, 0) << o.error << o.output;
  EXPECT_EQ(o.error, "");
  for (const char* file : {"figure.svg", "figure.png", "data.csv", "verdict.json"})
    EXPECT_TRUE(exists(folder / ("out/safstrom-fig2/" + std::string(file)))) << file;
  const std::string verdict = contents(folder / "out/safstrom-fig2/verdict.json");
  EXPECT_TRUE(verdict.starts_with("{\"name\": \"safstrom-fig2\", \"claims\": [{\"claim\": ")) << verdict;
  EXPECT_NE(contents(folder / "out/report.html").find("</html>"), std::string::npos);
}

/// Ten times killed at a random moment, and continued on another number of threads.
TEST(Reproduce, EndsWithTheSameBitsHoweverOftenItIsKilled) {
  const TemporaryFolder undisturbed, folder;
  ASSERT_EQ(
      polhode({"reproduce", experiment, "--quick", "--threads", "1", "--out", undisturbed / "out"}).status,
      0);
  std::mt19937 random(1);
  for (int i = 0; i < 10; ++i) {
    Process process({POLHODE_COMMAND, "reproduce", experiment, "--quick", "--threads",
                     std::to_string(1 << i % 3), "--out", folder / "out"});
    std::this_thread::sleep_for(std::chrono::milliseconds(random() % 150));
    process.signal(SIGKILL);
    process.wait();
  }
  const Outcome last =
      polhode({"reproduce", experiment, "--quick", "--threads", "4", "--out", folder / "out"});
  EXPECT_EQ(last.status, 0) << last.error;
  for (const char* file : {"figure.svg", "figure.png", "data.csv", "verdict.json"})
    EXPECT_EQ(contents(folder / ("out/" + experiment + "/" + file)),
              contents(undisturbed / ("out/" + experiment + "/" + file)))
        << file;
  EXPECT_EQ(contents(folder / "out/report.html"), contents(undisturbed / "out/report.html"));
}

TEST(Reproduce, AnInterruptIsOneLineAndTheNextRunContinues) {
  const TemporaryFolder folder;
  Process process({POLHODE_COMMAND, "reproduce", "vilmart-fig1", "--threads", "1", "--out", folder / "out"});
  const std::string records = folder / "out/vilmart-fig1/records.bin";
  wait_until([&] { return exists(records); });
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  process.signal(SIGINT);
  expect_one_line(process.wait(), 1, "interrupted; the same command continues");
  EXPECT_FALSE(exists(folder / "out/report.html"));
}

TEST(Reproduce, RefusesWhatItCannotDo) {
  const TemporaryFolder folder;
  const std::string file = folder.write("file", "");
  expect_one_line(polhode({"reproduce", "vilmart-fig9"}), 2,
                  "there is no experiment of the name vilmart-fig9; known: ");
  expect_one_line(polhode({"reproduce", "--out", file}), 2, "file: --out: ");
  expect_one_line(polhode({"reproduce", "--out", file + "/deeper"}), 2, "--out: ");
  expect_one_line(polhode({"reproduce", "--out", "/proc/polhode"}), 2, "--out: ");
  expect_one_line(polhode({"reproduce", "--threads", "99999"}), 2, "--threads: is too large");
  expect_one_line(shell("PATH=/nowhere exec $POLHODE reproduce --quick --out " + folder / "out"), 1,
                  "the figures need gnuplot");
  EXPECT_FALSE(exists(folder / "out"));
}

TEST(Reproduce, DoesNotMixRunsOfDifferentSize) {
  const TemporaryFolder folder;
  ASSERT_EQ(polhode({"reproduce", "safstrom-fig8", "--quick", "--out", folder / "out"}).status, 0);
  const std::string records = folder / "out/safstrom-fig8/records.bin", before = contents(records);
  expect_one_line(polhode({"reproduce", "safstrom-fig8", "--out", folder / "out"}), 2,
                  "belongs to another run (\"scale quick\" instead of \"scale full\")");
  EXPECT_EQ(contents(records), before);
  folder.write("out/safstrom-fig8/records.bin", before.substr(0, before.size() - 3));
  const Outcome o = polhode({"reproduce", "safstrom-fig8", "--quick", "--out", folder / "out"});
  expect_one_line(o, 0, "the last record is cut short and is computed again");
  EXPECT_EQ(contents(records).size(), before.size());
}

TEST(Reproduce, AFullDiskIsOneLine) {
  const TemporaryFolder folder;
  const Outcome o = shell("ulimit -f 100; exec $POLHODE reproduce safstrom-fig6 --quick --threads 1 --out " +
                          folder / "out");
  expect_one_line(o, 1, "records.bin: cannot be written: File too large");
  EXPECT_EQ(polhode({"reproduce", "safstrom-fig6", "--quick", "--out", folder / "out"}).status, 0);
}

}  // namespace
}  // namespace polhode::testing
