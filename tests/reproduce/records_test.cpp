// Experiments as such: units on any number of threads, checkpoints that are cut short, damaged, or of another run.
#include "work/executor.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>
#include <cmath>
#include <cstring>

#include "reproduce/reproduction.hpp"
#include "scenario/error.hpp"
#include "tests/output/temporary_folder.hpp"

namespace polhode::testing {

using namespace core;
namespace {

using namespace program;

/// Twenty units, each the orbit of a map that loses all memory of small differences.
Experiment logistic(Scale scale = Scale::full) {
  Experiment e;
  e.name = "logistic";
  e.parameters = {{"steps", scale == Scale::full ? "1000" : "100"}};
  e.units = 20;
  e.record_size = 3;
  e.compute = [](std::size_t unit, std::span<double> record) {
    double x = 0.1 + 0.01 * static_cast<double>(unit);
    for (int i = 0; i < 1000; ++i) x = 3.9 * x * (1 - x);
    record[0] = x;
    record[1] = std::nan("");
    record[2] = static_cast<double>(unit);
  };
  e.evaluate = [](const Records& records) {
    Findings f;
    f.figure.panels = {{.title = "orbit", .x_label = "unit", .y_label = "x", .curves = {{.name = "x"}}}};
    for (std::size_t i = 0; i < records.units(); ++i) {
      f.figure.panels[0].curves[0].x.push_back(static_cast<double>(i));
      f.figure.panels[0].curves[0].y.push_back(records[i][0]);
    }
    f.claims = {at_most("x < 1 & \"quoted\"", "<1", records[0][0], 1)};
    return f;
  };
  return e;
}

RecordFile open_records(const std::string& folder, const Experiment& e, Scale scale, bool again) {
  return {folder + "/records.bin", record_identity(e, scale), e.units, e.record_size, again};
}

std::string bytes_of(const Records& records) {
  std::string bytes;
  for (std::size_t i = 0; i < records.units(); ++i)
    bytes.append(reinterpret_cast<const char*>(records[i].data()), records[i].size_bytes());
  return bytes;
}

std::string computed(const TemporaryFolder& folder, unsigned threads, bool again = false) {
  std::filesystem::create_directories(folder / "e");
  const Experiment e = logistic();
  RecordFile file = open_records(folder / "e", e, Scale::full, again);
  Ranks ranks;
  compute_missing(e, file, threads, "", ranks);
  EXPECT_EQ(file.known_units(), e.units);
  return bytes_of(file.records());
}

TEST(Units, HasTheSameBitsForAnyNumberOfThreads) {
  const TemporaryFolder one;
  const std::string expected = computed(one, 1);
  for (const unsigned threads : {2U, 4U, 64U, 0U}) {
    const TemporaryFolder folder;
    EXPECT_EQ(computed(folder, threads), expected) << threads;
  }
}

TEST(Units, AFailedUnitFailsTheRun) {
  const TemporaryFolder folder;
  Experiment e = logistic();
  e.compute = [](std::size_t unit, std::span<double>) {
    if (unit == 7) throw RunError("unit 7");
  };
  RecordFile file = open_records(folder / "", e, Scale::full, false);
  Ranks ranks;
  try {
    compute_missing(e, file, 3, "", ranks);
    FAIL() << "it goes unnoticed";
  } catch (const RunError& error) {
    EXPECT_STREQ(error.what(), "unit 7");
  }
}

/// A unit may take hours, and nobody waits for it any more.
TEST(Units, AFailedUnitStopsTheOthers) {
  const TemporaryFolder folder;
  Experiment e = logistic();
  e.compute = [](std::size_t unit, std::span<double>) {
    if (unit == 1) throw RunError("unit 1");
    const auto start = std::chrono::steady_clock::now();
    while (std::chrono::steady_clock::now() - start < std::chrono::seconds(60)) stop_if_interrupted();
  };
  RecordFile file = open_records(folder / "", e, Scale::full, false);
  Ranks ranks;
  const auto start = std::chrono::steady_clock::now();
  EXPECT_THROW(compute_missing(e, file, 2, "", ranks), RunError);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30));
  EXPECT_EQ(file.known_units(), 0U);
}

TEST(Checkpoint, ContinuesFromAnyLength) {
  const TemporaryFolder whole;
  const std::string expected = computed(whole, 1);
  const std::string bytes = contents(whole / "e/records.bin");
  for (std::size_t length = 0; length <= bytes.size(); length += 13) {
    const TemporaryFolder folder;
    std::filesystem::create_directories(folder / "e");
    folder.write("e/records.bin", bytes.substr(0, length));
    EXPECT_EQ(computed(folder, 2), expected) << length;
  }
}

TEST(Checkpoint, SaysThatARecordIsCutShort) {
  const TemporaryFolder folder;
  computed(folder, 1);
  const std::string bytes = contents(folder / "e/records.bin");
  folder.write("e/records.bin", bytes.substr(0, bytes.size() - 5));
  const RecordFile file = open_records(folder / "e", logistic(), Scale::full, false);
  EXPECT_NE(file.note().find("cut short"), std::string::npos);
  EXPECT_EQ(file.known_units(), 19U);
}

TEST(Checkpoint, DoesNotTakeADamagedRecord) {
  const TemporaryFolder folder;
  const std::string expected = computed(folder, 1);
  std::string bytes = contents(folder / "e/records.bin");
  const std::size_t record = 8 * 5;
  for (const std::size_t from_end : {std::size_t{1}, record, 2 * record + 9})
    bytes[bytes.size() - from_end] ^= 1;
  folder.write("e/records.bin", bytes);
  {
    const RecordFile file = open_records(folder / "e", logistic(), Scale::full, false);
    EXPECT_NE(file.note().find("damaged"), std::string::npos);
    EXPECT_EQ(file.known_units(), 18U);  // the first two changes hit one record
  }
  EXPECT_EQ(computed(folder, 1), expected);
}

TEST(Checkpoint, RefusesWhatBelongsToAnotherRunAndLeavesIt) {
  const TemporaryFolder folder;
  computed(folder, 1);
  const std::string before = contents(folder / "e/records.bin");
  EXPECT_THROW(open_records(folder / "e", logistic(Scale::quick), Scale::quick, false), ScenarioError);
  EXPECT_EQ(contents(folder / "e/records.bin"), before);
  std::string other = before;
  other.replace(other.find("version "), 9, "version 9");
  folder.write("e/records.bin", other);
  EXPECT_THROW(open_records(folder / "e", logistic(), Scale::full, false), ScenarioError);
  EXPECT_EQ(contents(folder / "e/records.bin"), other);
  folder.write("e/records.bin", "my diary");
  EXPECT_THROW(open_records(folder / "e", logistic(), Scale::full, false), ScenarioError);
  for (const bool again : {false, true})
    EXPECT_THROW(open_records(folder / "e", logistic(), Scale::full, again), ScenarioError);
  EXPECT_EQ(contents(folder / "e/records.bin"), "my diary");
  folder.write("e/records.bin", other);
  open_records(folder / "e", logistic(), Scale::full, true);  // when asked to
  EXPECT_TRUE(contents(folder / "e/records.bin").starts_with(record_identity(logistic(), Scale::full)));
}

/// A record file of another run, a diary and nothing at all behind a link, with and without again.
TEST(Checkpoint, NothingBehindALinkIsWrittenTo) {
  const TemporaryFolder folder;
  computed(folder, 1);
  const std::string records = contents(folder / "e/records.bin"), name = folder / "e/records.bin";
  const auto refusal = [&](bool again) -> std::string {
    try {
      open_records(folder / "e", logistic(), Scale::full, again);
    } catch (const ScenarioError& error) {
      return error.reason();
    }
    return "none";
  };
  for (const bool again : {false, true}) {
    for (const std::string& text : {std::string("my diary"), std::string(), records}) {
      const std::string victim = folder.write("victim", text);
      std::filesystem::remove(name);
      std::filesystem::create_symlink("../victim", name);
      EXPECT_EQ(refusal(again), "is a symbolic link, and is not written to");
      EXPECT_TRUE(std::filesystem::is_symlink(name));
      std::filesystem::remove(name);
      std::filesystem::create_hard_link(victim, name);
      EXPECT_EQ(refusal(again), "is a file of several names (hard links), and is not written to");
      EXPECT_EQ(std::filesystem::hard_link_count(victim), 2U);
      EXPECT_EQ(contents(victim), text);
    }
    std::filesystem::remove(name);
    std::filesystem::create_symlink("../nothing", name);
    EXPECT_EQ(refusal(again), "is a symbolic link, and is not written to");
    EXPECT_FALSE(std::filesystem::exists(folder / "nothing"));
    std::filesystem::remove(name);
    ASSERT_EQ(::mkfifo(name.c_str(), 0600), 0);
    EXPECT_EQ(refusal(again), "is not a regular file, and is not written to");
    std::filesystem::remove(name);
    std::filesystem::create_directory(name);
    EXPECT_EQ(refusal(again), "cannot be opened: Is a directory");
    std::filesystem::remove(name);
  }
}

/// Who has opened the old file keeps it as it was.
TEST(Checkpoint, IsMadeAnewWhenAskedTo) {
  const TemporaryFolder folder;
  computed(folder, 1);
  const std::string name = folder / "e/records.bin", before = contents(name);
  std::ifstream old(name, std::ios::binary);
  EXPECT_EQ(open_records(folder / "e", logistic(), Scale::full, true).known_units(), 0U);
  const std::string kept{std::istreambuf_iterator<char>(old), {}};
  EXPECT_EQ(kept, before);
  EXPECT_LT(contents(name).size(), before.size());
}

TEST(Checkpoint, RefusesASecondProcess) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder / "e");
  const RecordFile first = open_records(folder / "e", logistic(), Scale::full, false);
  for (const bool again : {false, true})
    EXPECT_THROW(open_records(folder / "e", logistic(), Scale::full, again), ScenarioError);
}

TEST(Reproduction, WritesEachFileAndDoesNotComputeTwice) {
  const TemporaryFolder folder;
  static int units = 0;
  units = 0;
  const std::vector<ExperimentEntry> registry{{"logistic", "a map", [](Scale scale) {
                                                 Experiment e = logistic(scale);
                                                 const auto compute = e.compute;
                                                 e.compute = [compute](std::size_t unit,
                                                                       std::span<double> record) {
                                                   ++units;
                                                   compute(unit, record);
                                                 };
                                                 return e;
                                               }}};
  ReproductionOptions options;
  options.folder = folder / "out";
  options.threads = 1;
  const auto ignore = [](const auto&...) {};
  const auto first = reproduce(options, registry, ignore, ignore);
  EXPECT_EQ(units, 20);
  ASSERT_EQ(first.size(), 1U);
  EXPECT_TRUE(first[0].findings.claims[0].pass);
  const std::string report = contents(folder / "out/report.html"),
                    csv = contents(folder / "out/logistic/data.csv");
  EXPECT_TRUE(contents(folder / "out/logistic/figure.svg").starts_with("<?xml"));
  EXPECT_TRUE(contents(folder / "out/logistic/figure.png").starts_with("\x89PNG"));
  EXPECT_NE(report.find("x &lt; 1 &amp; &quot;quoted&quot;"), std::string::npos);
  EXPECT_NE(report.find("data:image/svg+xml;base64,"), std::string::npos);
  EXPECT_NE(report.find("polhode reproduce logistic"), std::string::npos);
  reproduce(options, registry, ignore, ignore);
  EXPECT_EQ(units, 20);
  EXPECT_EQ(contents(folder / "out/report.html"), report);
  EXPECT_EQ(contents(folder / "out/logistic/data.csv"), csv);
  options.again = true;
  reproduce(options, registry, ignore, ignore);
  EXPECT_EQ(units, 40);
  EXPECT_EQ(contents(folder / "out/report.html"), report);
}

TEST(Claims, HoldWithinTheirBoundsOnly) {
  EXPECT_TRUE(at_most("", "", 1.0, 1.0).pass);
  EXPECT_FALSE(at_most("", "", 1.1, 1.0).pass);
  EXPECT_FALSE(at_least("", "", 0.9, 1.0).pass);
  EXPECT_FALSE(between("", "", 0.9, 1.0, 2.0).pass);
  EXPECT_FALSE(between("", "", 2.1, 1.0, 2.0).pass);
  for (const Claim& c : {at_most("", "", std::nan(""), 1), at_least("", "", std::nan(""), 1),
                         between("", "", std::nan(""), 0, 1)})
    EXPECT_FALSE(c.pass);
}

TEST(Base64, FollowsTheStandard) {
  EXPECT_EQ(base64(std::string("")), "");
  EXPECT_EQ(base64(std::string("f")), "Zg==");
  EXPECT_EQ(base64(std::string("fo")), "Zm8=");
  EXPECT_EQ(base64(std::string("foo")), "Zm9v");
  EXPECT_EQ(base64(std::string("foob")), "Zm9vYg==");
}

}  // namespace
}  // namespace polhode::testing
