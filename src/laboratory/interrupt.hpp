// Being asked to stop, by Ctrl-C or by kill.
#pragma once

#include <csignal>

namespace polhode::laboratory {

/// While one of these lives, SIGINT and SIGTERM are noted instead of ending the process; a second one ends it.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  static bool interrupted();

 private:
  struct sigaction old_interrupt_ {};
  struct sigaction old_terminate_ {};
};

}  // namespace polhode::laboratory
