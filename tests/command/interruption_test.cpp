// Runs that do not come to their end: signals, full disks, states that are not finite.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <hdf5.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "tests/command/process.hpp"

namespace polhode::testing {
namespace {

using std::filesystem::exists;

void expect_failure(const Outcome& o, const std::string& wanted) {
  EXPECT_EQ(o.status, 1) << o.error;
  EXPECT_EQ(o.output, "");
  EXPECT_EQ(o.error_lines(), 1) << o.error;
  EXPECT_NE(o.error.find(wanted), std::string::npos) << o.error;
}

/// A run of 10^18 steps, with a signal as soon as it has opened its output.
Outcome interrupted_run(const TemporaryFolder& folder, const std::string& output, int signal) {
  const std::string file = folder.write("a.toml", good_scenario());
  Process process({POLHODE_COMMAND, "run", file, "--set", "method.steps=1000000000000000000", "--every",
                   "1000", "--output", output});
  wait_until([&] { return exists(output + ".partial"); });
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  EXPECT_FALSE(exists(output)) << "the file must not have its name before it is whole";
  process.signal(signal);
  return process.wait();
}

TEST(Interruption, KeepsTheRowsSoFarInCsv) {
  const TemporaryFolder folder;
  for (const int signal : {SIGINT, SIGTERM}) {
    const std::string output = folder / ("a" + std::to_string(signal) + ".csv");
    expect_failure(interrupted_run(folder, output, signal), "interrupted at step ");
    EXPECT_FALSE(exists(output + ".partial"));
    const std::string text = contents(output);
    EXPECT_NE(text.find("\n# interrupted at step "), std::string::npos);
    EXPECT_TRUE(text.ends_with("\n"));
    EXPECT_GT(std::count(text.begin(), text.end(), '\n'), 30);
  }
}

TEST(Interruption, KeepsTheRowsSoFarInHdf5) {
  const TemporaryFolder folder;
  const std::string output = folder / "a.h5";
  expect_failure(interrupted_run(folder, output, SIGINT), "interrupted at step ");
  const hid_t file = H5Fopen(output.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  ASSERT_GE(file, 0);
  const hid_t dataset = H5Dopen2(file, "momentum", H5P_DEFAULT), space = H5Dget_space(dataset);
  hsize_t extent[2] = {0, 0};
  EXPECT_EQ(H5Sget_simple_extent_dims(space, extent, nullptr), 2);
  EXPECT_GT(extent[0], 2U);
  EXPECT_EQ(extent[1], 3U);
  H5Sclose(space);
  H5Dclose(dataset);
  H5Fclose(file);
}

TEST(Interruption, ASignalThatComesTwiceAtOnceIsOneWish) {
  const TemporaryFolder folder;
  const std::string file = folder.write("a.toml", good_scenario()), output = folder / "a.csv";
  Process process({POLHODE_COMMAND, "run", file, "--set", "method.steps=1000000000000000000", "--every",
                   "1000", "--output", output});
  wait_until([&] { return exists(output + ".partial"); });
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  process.signal(SIGINT);
  process.signal(SIGINT);
  process.signal(SIGTERM);
  expect_failure(process.wait(), "interrupted at step ");
  EXPECT_TRUE(exists(output));
}

TEST(Interruption, ALaterSecondSignalEndsItAtOnce) {
  const TemporaryFolder folder;
  const std::string file = folder.write("a.toml", good_scenario()), output = folder / "a.csv";
  // Nobody reads what it writes: it waits, and does not come to look.
  ASSERT_EQ(::mkfifo(output.c_str(), 0600), 0);
  const int reader = ::open(output.c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_GE(reader, 0);
  Process process({POLHODE_COMMAND, "run", file, "--set", "method.steps=1000000000000000000", "--every", "1",
                   "--output", output});
  // The pipe is full: signals are noted by now, and whatever it wants to write, it waits.
  const int writer = ::open(output.c_str(), O_WRONLY | O_NONBLOCK);
  const auto is_full = [&] {
    pollfd pipe{writer, POLLOUT, 0};
    return ::poll(&pipe, 1, 0) == 0;
  };
  wait_until(is_full);
  ASSERT_TRUE(is_full());
  process.signal(SIGINT);
  std::this_thread::sleep_for(std::chrono::seconds(
      2));  // far beyond the 0.3 seconds in which two are one wish, also on a busy machine
  ASSERT_TRUE(process.lives()) << "the first signal has ended it";
  process.signal(SIGINT);
  wait_until([&] { return !process.lives(); });
  ASSERT_FALSE(process.lives()) << "the second signal has not ended it";
  EXPECT_EQ(process.wait().status, -SIGINT);
  ::close(writer);
  ::close(reader);
}

TEST(FullDisk, IsOneLineAndNoFile) {
  const TemporaryFolder folder;
  const std::string file = folder.write("a.toml", good_scenario());
  std::filesystem::create_symlink("/dev/full", folder / "device.csv");
  expect_failure(polhode({"run", file, "--output", folder / "device.csv"}), "No space left on device");
}

TEST(FullDisk, LimitOfTheFileSizeCountsAsOne) {
  const TemporaryFolder folder;
  const std::string file = folder.write("a.toml", good_scenario());
  for (const char* name : {"a.csv", "a.h5"}) {
    for (const int limit : {2, 16, 40}) {  // kilobytes: at the opening, in the middle, at the end
      const Outcome o = shell("ulimit -f " + std::to_string(limit) + "; exec $POLHODE run " + file +
                              " --output " + folder / name);
      expect_failure(o, ": cannot be written: File too large");
      EXPECT_FALSE(exists(folder / name));
      EXPECT_FALSE(exists(folder / (std::string(name) + ".partial")));
    }
  }
}

TEST(FullDisk, StandardOutputIsChecked) {
  const TemporaryFolder folder;
  const std::string file = folder.write("a.toml", good_scenario());
  for (const std::string& arguments : {"run " + file + " --json", "run " + file, std::string("list"),
                                       std::string("--help"), std::string("--version")})
    expect_failure(shell("exec $POLHODE " + arguments + " >/dev/full"),
                   "standard output: No space left on device");
}

TEST(Failure, AStateThatIsNotFiniteEndsTheRun) {
  const TemporaryFolder folder;
  const std::string file = folder.write("a.toml", good_scenario());
  expect_failure(polhode({"run", file, "--json", "--set", "method.step=1000", "--output", folder / "a.csv"}),
                 "the state is not finite after step ");
  EXPECT_NE(contents(folder / "a.csv").find("# diverged at step "), std::string::npos);
}

TEST(Failure, NoMemoryIsOneLine) {
  const TemporaryFolder folder;
  const std::string file = folder.write("a.toml", good_scenario() + "# " + std::string(12 << 20, 'x') + "\n");
  for (int kilobytes = 30000; kilobytes < 60000; kilobytes += 10000) {
    const Outcome o = shell("ulimit -v " + std::to_string(kilobytes) + "; exec $POLHODE run " + file);
    // Enough after all, too little to load the libraries, or a build (of a sanitizer) that needs far more.
    if (o.status == 0 || o.status > 2 || o.status < 0 || !o.error.starts_with("polhode: ")) continue;
    expect_failure(o, "there is not enough memory");
  }
}

}  // namespace
}  // namespace polhode::testing
