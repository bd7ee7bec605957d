#include "run/interrupt.hpp"

namespace polhode::program {

namespace {

// Written by a handler of signals and read by all threads.
std::atomic<bool> asked_to_stop = false;
static_assert(std::atomic<bool>::is_always_lock_free);
thread_local const std::atomic<bool>* own_flag = nullptr;

extern "C" void note_signal(int) { asked_to_stop.store(true, std::memory_order_relaxed); }

void install(int signal, struct sigaction& old) {
  struct sigaction action {};
  action.sa_handler = note_signal;
  sigemptyset(&action.sa_mask);
  action.sa_flags = static_cast<int>(SA_RESETHAND);  // the second signal does what signals do
  ::sigaction(signal, nullptr, &old);
  // A job that a shell started in the background ignores the terminal's interrupts, and shall go on doing so.
  if (old.sa_handler != SIG_IGN) ::sigaction(signal, &action, nullptr);
}

}  // namespace

InterruptGuard::InterruptGuard() {
  asked_to_stop.store(false, std::memory_order_relaxed);
  install(SIGINT, old_interrupt_);
  install(SIGTERM, old_terminate_);
}

InterruptGuard::~InterruptGuard() {
  ::sigaction(SIGINT, &old_interrupt_, nullptr);
  ::sigaction(SIGTERM, &old_terminate_, nullptr);
}

bool InterruptGuard::interrupted() {
  return asked_to_stop.load(std::memory_order_relaxed) ||
         (own_flag != nullptr && own_flag->load(std::memory_order_relaxed));
}

StopsWith::StopsWith(const std::atomic<bool>& flag) { own_flag = &flag; }
StopsWith::~StopsWith() { own_flag = nullptr; }

}  // namespace polhode::program
