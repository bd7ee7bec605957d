// Running the built command, as a user does.
#pragma once

#include <algorithm>
#include <string>
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
  Outcome wait();

 private:
  TemporaryFolder folder_;
  int pid_ = 0;
};

/// polhode with these arguments, until it ends.
Outcome polhode(const std::vector<std::string>& arguments);

/// A line of the shell, where POLHODE stands for the command.
Outcome shell(const std::string& line);

/// A scenario that is right.
std::string good_scenario();

}  // namespace polhode::testing
