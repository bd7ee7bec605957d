#include "tests/command/process.hpp"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <stdexcept>

namespace polhode::testing {

Process::Process(std::vector<std::string> arguments) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  const std::string out = folder_ / "out", err = folder_ / "err";
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, out.c_str(), O_WRONLY | O_CREAT, 0600);
  posix_spawn_file_actions_addopen(&actions, 2, err.c_str(), O_WRONLY | O_CREAT, 0600);
  // The signals as in a terminal, however the tests themselves were started.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t defaults;
  sigemptyset(&defaults);
  sigaddset(&defaults, SIGINT);
  sigaddset(&defaults, SIGTERM);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  std::vector<char*> pointers;
  for (std::string& a : arguments) pointers.push_back(a.data());
  pointers.push_back(nullptr);
  const int failure = posix_spawn(&pid_, pointers[0], &actions, &attributes, pointers.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (failure != 0) throw std::runtime_error("cannot start " + arguments[0]);
}

Process::~Process() {
  if (pid_ == 0) return;
  signal(SIGKILL);
  wait();
}

void Process::signal(int number) const { ::kill(pid_, number); }

bool Process::lives() const {
  siginfo_t ended{};
  return ::waitid(P_PID, static_cast<id_t>(pid_), &ended, WEXITED | WNOHANG | WNOWAIT) == 0 &&
         ended.si_pid == 0;
}

Outcome Process::wait() {
  int status = 0;
  ::waitpid(pid_, &status, 0);
  pid_ = 0;
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status), contents(folder_ / "out"),
          contents(folder_ / "err")};
}

Outcome polhode(const std::vector<std::string>& arguments) {
  std::vector<std::string> all{POLHODE_COMMAND};
  all.insert(all.end(), arguments.begin(), arguments.end());
  return Process(all).wait();
}

Outcome shell(const std::string& line) {
  return Process({"/bin/bash", "-c", "POLHODE='" POLHODE_COMMAND "'; " + line}).wait();
}

std::string good_scenario() {
  return R"([system]
kind = "free-body"
inertia = [0.345, 0.653, 1.0]
[state]
momentum = [0.5, 0.2, 0.8]
[method]
name = "rk4"
step = 0.01
steps = 2000
)";
}

}  // namespace polhode::testing
