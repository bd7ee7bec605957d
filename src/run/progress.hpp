// The progress of a long computation, for a person who waits for it.
#pragma once

#include <chrono>
#include <string>

namespace polhode::program {

/// One line on standard error, if that is a terminal and the wait is long enough to be noticed; erased in the end.
class Progress {
 public:
  explicit Progress(std::string title);
  ~Progress() { erase(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// The part that is done, from 0 to 1. Cheap: nothing is written more often than five times a second.
  void update(double fraction) {
    if (terminal_) show(fraction);
  }
  void erase();

 private:
  using Clock = std::chrono::steady_clock;
  void show(double fraction);

  std::string title_;
  bool terminal_;
  bool visible_ = false;
  Clock::time_point start_, last_;
};

/// "12 s", "3 min 20 s", "2 h 05 min", "12 days".
std::string duration_text(double seconds);

}  // namespace polhode::program
