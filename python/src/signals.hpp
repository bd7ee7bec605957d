// Signals: Python notices them in its main thread alone.
#pragma once

#include <chrono>

namespace polhode::python {

/// Throws what the handler of a signal raises; with the GIL or without it. In other threads than Python's main one, which get no
/// signals, it does not ask for the GIL, which is slow while another thread has it.
void check_signals();

/// check_signals(), at most every 30 milliseconds.
class SignalWatch {
 public:
  static constexpr std::chrono::milliseconds interval{30};

  void look() {
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < interval) return;
    last_ = now;
    check_signals();
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace polhode::python
