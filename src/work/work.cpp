#include "work/work.hpp"

#include <algorithm>

#include "run/interrupt.hpp"

namespace polhode::program {

std::size_t Records::known_units() const {
  return static_cast<std::size_t>(std::count(known_.begin(), known_.end(), true));
}

void Records::set(std::size_t unit, std::span<const double> record) {
  std::copy(record.begin(), record.end(), numbers_.begin() + static_cast<std::ptrdiff_t>(unit * size_));
  known_[unit] = true;
}

void stop_if_interrupted() {
  if (InterruptGuard::interrupted()) throw Interrupted{};
}

}  // namespace polhode::program
