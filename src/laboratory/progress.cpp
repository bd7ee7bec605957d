#include "laboratory/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>

namespace polhode::laboratory {

std::string duration_text(double seconds) {
  if (!(seconds < 60.0 * 86400 * 365)) return "years";
  const long s = std::lround(seconds), day = 86400;
  if (s < 60) return fmt::format("{} s", s);
  if (s < 3600) return fmt::format("{} min {:02} s", s / 60, s % 60);
  if (s < 2 * day) return fmt::format("{} h {:02} min", s / 3600, s % 3600 / 60);
  return fmt::format("{} days", s / day);
}

Progress::Progress(std::string title)
    : title_(std::move(title)),
      terminal_(::isatty(STDERR_FILENO) == 1),
      start_(Clock::now()),
      last_(start_) {}

void Progress::show(double fraction) {
  const auto now = Clock::now();
  if (now - last_ < std::chrono::milliseconds(200)) return;
  last_ = now;
  const double elapsed = std::chrono::duration<double>(now - start_).count();
  std::string line = fmt::format("\r\033[K{} {:5.1f} %", title_, 100.0 * fraction);
  if (fraction > 0.0) line += fmt::format(", {} left", duration_text(elapsed * (1.0 - fraction) / fraction));
  std::fputs(line.c_str(), stderr);
  std::fflush(stderr);
  visible_ = true;
}

void Progress::erase() {
  if (!visible_) return;
  std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
  visible_ = false;
}

}  // namespace polhode::laboratory
