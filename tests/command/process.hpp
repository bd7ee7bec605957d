// Running the built command, as a user does.
#pragma once

#include <algorithm>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "tests/output/temporary_folder.hpp"

namespace polhode::testing {

struct Outcome {
  int status = -1;  ///< of the exit; minus the signal if one ended it
  std::string output, error;

  std::ptrdiff_t error_lines() const { return std::count(error.begin(), error.end(), '\n'); }
};

/// A started process whose output goes to files.
class Process {
 public:
  explicit Process(std::vector<std::string> arguments);
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  void signal(int number) const;
  bool lives() const;
  Outcome wait();

 private:
  TemporaryFolder folder_;
  int pid_ = 0;
};

/// Until it is so, or for a minute: a command under sanitizers, on a machine that has other work, takes its time.
template <class Condition>
void wait_until(const Condition& is_so) {
  const auto start = std::chrono::steady_clock::now();
  while (!is_so() && std::chrono::steady_clock::now() - start < std::chrono::minutes(1))
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

/// polhode with these arguments, until it ends.
Outcome polhode(const std::vector<std::string>& arguments);

/// A line of the shell, where POLHODE stands for the command.
Outcome shell(const std::string& line);

/// A scenario that is right.
std::string good_scenario();

}  // namespace polhode::testing
