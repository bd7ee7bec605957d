// polhode under mpirun: the same bytes for any number of ranks, one that is killed, one that is interrupted. Skipped where there is no
// MPI.
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "tests/command/process.hpp"

namespace polhode::testing {
namespace {

using std::filesystem::exists;

const std::string mpirun =
    "export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "
    "OMPI_MCA_btl_vader_single_copy_mechanism=none; "
    "exec mpirun --oversubscribe --bind-to none -n ";

bool there_is_mpi() {
  static const bool there =
      shell(mpirun + "1 true").status == 0 &&
      shell(mpirun + "2 $POLHODE ensemble /dev/null --output none.h5").error.find("knows no MPI") ==
          std::string::npos;
  return there;
}

std::string ensemble(int members, int steps) {
  return R"([system]
kind = "free-body"
inertia = [0.345, 0.653, 1.0]
[state]
momentum = [0.5, 0.2, 0.8]
[method]
name = "rk4"
step = 0.001
steps = )" +
         std::to_string(steps) + "\n[ensemble]\nsamples = 10\nmembers = " + std::to_string(members) +
         "\n[ensemble.vary]\n\"state.momentum\" = { random_direction = { norm = 1 } }\n";
}

/// The processes of this command line, the ranks among them, in the order in which they were started.
std::vector<int> ranks_of(const std::string& word) {
  const Outcome o = shell("pgrep -f '^[^ ]*polhode (ensemble|reproduce) .*" + word + "' || true");
  std::vector<int> result;
  for (std::size_t i = 0; i < o.output.size(); i = o.output.find('\n', i) + 1)
    result.push_back(std::stoi(o.output.substr(i)));
  return result;
}

TEST(Ranks, AnEnsembleHasTheSameBytesForAnyNumberOfThem) {
  if (!there_is_mpi()) GTEST_SKIP() << "no MPI";
  const TemporaryFolder folder;
  const std::string file = folder.write("a.toml", ensemble(20, 1000));
  ASSERT_EQ(polhode({"ensemble", file, "--output", folder / "whole.h5"}).status, 0);
  for (const char* count : {"1", "2", "4"}) {
    const std::string output = folder / (std::string(count) + ".h5");
    const Outcome o =
        shell(mpirun + count + " $POLHODE ensemble " + file + " --threads 1 --output " + output);
    EXPECT_EQ(o.status, 0) << o.error;
    EXPECT_TRUE(contents(output) == contents(folder / "whole.h5")) << count;
  }
  // What is wrong is said once.
  const Outcome wrong =
      shell(mpirun + "2 $POLHODE ensemble " + file + " --every 7 --output " + folder / "3.h5");
  EXPECT_NE(wrong.status, 0);
  EXPECT_NE(wrong.error.find("polhode: --every: must divide"), std::string::npos) << wrong.error;
  EXPECT_EQ(wrong.error.find("polhode:"), wrong.error.rfind("polhode:")) << wrong.error;
}

TEST(Ranks, AnExperimentHasTheSameBytesForAnyNumberOfThem) {
  if (!there_is_mpi()) GTEST_SKIP() << "no MPI";
  const TemporaryFolder folder;
  std::string whole;
  for (const char* count : {"1", "2", "4"}) {
    const std::string out = folder / count;
    const Outcome o =
        shell(mpirun + count + " $POLHODE reproduce safstrom-fig8 --quick --threads 1 --out " + out);
    EXPECT_EQ(o.status, 0) << o.error;
    const std::string data = contents(out + "/safstrom-fig8/data.csv");
    if (whole.empty()) whole = data;
    EXPECT_FALSE(data.empty());
    EXPECT_TRUE(data == whole) << count;
  }
}

/// Runs the command by so many ranks, ends one of them by the signal when the file of records has that size, and waits for the rest.
Outcome end_one_of(int count, const std::string& arguments, const std::string& word,
                   const std::string& records, std::uintmax_t enough, std::size_t which, int number) {
  Process process(
      {"/bin/bash", "-c",
       "POLHODE='" POLHODE_COMMAND "'; " + mpirun + std::to_string(count) + " $POLHODE " + arguments});
  const auto size = [&] {
    std::error_code missing;
    const auto bytes = std::filesystem::file_size(records, missing);
    return missing ? 0 : bytes;
  };
  wait_until([&] { return size() >= enough; });
  const std::vector<int> ranks = ranks_of(word);
  EXPECT_EQ(ranks.size(), static_cast<std::size_t>(count));
  if (which < ranks.size()) ::kill(ranks[which], number);
  const auto start = std::chrono::steady_clock::now();
  const Outcome o = process.wait();
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10)) << "it waits for the others";
  EXPECT_NE(o.status, 0);
  EXPECT_GE(size(), enough);
  return o;
}

/// Ends one rank of an ensemble in the middle of the work by the signal, and runs the same command without MPI to the end.
void end_one_rank(int count, int number, std::size_t which, const std::string& wanted) {
  const TemporaryFolder folder;
  const std::string file = folder.write("a.toml", ensemble(300, 100'000)), output = folder / "a.h5";
  const Outcome o = end_one_of(count, "ensemble " + file + " --threads 1 --output " + output, file,
                               output + ".records", 3000, which, number);
  EXPECT_NE(o.error.find(wanted), std::string::npos) << o.error;
  EXPECT_FALSE(exists(output));
  ASSERT_EQ(polhode({"ensemble", file, "--output", output}).status, 0);
  ASSERT_EQ(polhode({"ensemble", file, "--output", folder / "whole.h5"}).status, 0);
  EXPECT_TRUE(contents(output) == contents(folder / "whole.h5"));
}

TEST(Ranks, OneThatIsKilledCostsNothingThatWasComputed) {
  if (!there_is_mpi()) GTEST_SKIP() << "no MPI";
  end_one_rank(4, SIGKILL, 1, "");
}

TEST(Ranks, AnExperimentGoesOnAfterOneOfThemIsKilled) {
  if (!there_is_mpi()) GTEST_SKIP() << "no MPI";
  const TemporaryFolder folder;
  const std::string of_figure = "reproduce zanna-fig5 --quick --threads 1 --out ", out = folder / "out";
  const std::string records = out + "/zanna-fig5/records.bin";
  end_one_of(4, of_figure + out, out, records, 1000, 2, SIGKILL);
  EXPECT_FALSE(exists(out + "/report.html"));
  // By two ranks to the end, and without MPI from the beginning.
  ASSERT_EQ(shell(mpirun + "2 $POLHODE " + of_figure + out).status, 0);
  ASSERT_EQ(shell("exec $POLHODE " + of_figure + folder / "whole").status, 0);
  for (const char* name : {"data.csv", "verdict.json", "figure.svg"})
    EXPECT_TRUE(contents(out + "/zanna-fig5/" + name) == contents(folder / "whole/zanna-fig5/" + name))
        << name;
}

TEST(Ranks, AnInterruptOfTheFirstDoesNotWaitForTheOthers) {
  if (!there_is_mpi()) GTEST_SKIP() << "no MPI";
  end_one_rank(3, SIGINT, 0, "a.toml: interrupted; the same command continues where it was");
}

}  // namespace
}  // namespace polhode::testing
