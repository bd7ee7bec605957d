// Being asked to stop, by Ctrl-C or by kill.
#pragma once

#include <atomic>
#include <csignal>

namespace polhode::program {

/// While one of these lives, SIGINT and SIGTERM are noted instead of ending the process; a second one ends it, if it
/// does not come within 0.3 seconds of the first.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  /// Whether a signal has come, or the flag of this thread's StopsWith is set.
  static bool interrupted();

 private:
  struct sigaction old_interrupt_ {};
  struct sigaction old_terminate_ {};
};

/// While one of these lives, the flag counts as a signal for the thread that made it: others have failed, and what it does
/// is not needed any more.
class StopsWith {
 public:
  explicit StopsWith(const std::atomic<bool>& flag);
  ~StopsWith();
  StopsWith(const StopsWith&) = delete;
  StopsWith& operator=(const StopsWith&) = delete;
};

}  // namespace polhode::program
