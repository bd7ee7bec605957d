#include "run/interrupt.hpp"

#include <cstdint>
#include <ctime>

namespace polhode::program {

namespace {

// Written by a handler of signals and read by all threads.
std::atomic<std::int64_t> asked_at = 0;  // milliseconds; 0: not asked
static_assert(std::atomic<std::int64_t>::is_always_lock_free);
thread_local const std::atomic<bool>* own_flag = nullptr;

extern "C" void note_signal(int signal) {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  const std::int64_t time = std::int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1000000 + 1;
  // Whether it is the first, and when that came, are one word: another signal may come between any two operations.
  std::int64_t first = 0;
  if (asked_at.compare_exchange_strong(first, time, std::memory_order_relaxed)) return;
  // One wish to stop may come twice: timeout(1) signals its child and then the whole group.
  constexpr std::int64_t one_wish = 300;
  if (time - first < one_wish) return;
  ::signal(signal, SIG_DFL);
  ::raise(signal);
}

void install(int signal, struct sigaction& old) {
  struct sigaction action {};
  action.sa_handler = note_signal;
  sigemptyset(&action.sa_mask);
  ::sigaction(signal, nullptr, &old);
  // A job that a shell started in the background ignores the terminal's interrupts, and shall go on doing so.
  if (old.sa_handler != SIG_IGN) ::sigaction(signal, &action, nullptr);
}

}  // namespace

InterruptGuard::InterruptGuard() {
  asked_at.store(0, std::memory_order_relaxed);
  install(SIGINT, old_interrupt_);
  install(SIGTERM, old_terminate_);
}

InterruptGuard::~InterruptGuard() {
  ::sigaction(SIGINT, &old_interrupt_, nullptr);
  ::sigaction(SIGTERM, &old_terminate_, nullptr);
}

bool InterruptGuard::interrupted() {
  return asked_at.load(std::memory_order_relaxed) != 0 ||
         (own_flag != nullptr && own_flag->load(std::memory_order_relaxed));
}

StopsWith::StopsWith(const std::atomic<bool>& flag) { own_flag = &flag; }
StopsWith::~StopsWith() { own_flag = nullptr; }

}  // namespace polhode::program
