#include "run/progress.hpp"

#include <unistd.h>

#include <cmath>
#include <cstdio>

#include "text/text.hpp"

namespace polhode::program {

namespace {

std::string two_digits(long x) { return (x < 10 ? "0" : "") + std::to_string(x); }

}  // namespace

std::string duration_text(double seconds) {
  if (!(seconds < 60.0 * 86400 * 365)) return "years";
  const long s = std::lround(seconds), day = 86400;
  if (s < 60) return filled("{} s", s);
  if (s < 3600) return filled("{} min {} s", s / 60, two_digits(s % 60));
  if (s < 2 * day) return filled("{} h {} min", s / 3600, two_digits(s % 3600 / 60));
  return filled("{} days", s / day);
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
  std::string line = filled("\r\033[K{} {} %", title_, rounded("%5.1f", 100.0 * fraction));
  if (fraction > 0.0) line += filled(", {} left", duration_text(elapsed * (1.0 - fraction) / fraction));
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

}  // namespace polhode::program
