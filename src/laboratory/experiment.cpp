#include "laboratory/experiment.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "laboratory/interrupt.hpp"

namespace polhode::laboratory {

std::string brief(double x) { return fmt::format("{:.3g}", x); }

namespace {

std::string with_unit(double x, const std::string& unit) {
  return unit.empty() ? brief(x) : brief(x) + " " + unit;
}

}  // namespace

Claim at_most(std::string claim, std::string paper, double measured, double bound, const std::string& unit) {
  return {std::move(claim), std::move(paper), with_unit(measured, unit), "at most " + with_unit(bound, unit),
          measured <= bound};
}

Claim at_least(std::string claim, std::string paper, double measured, double bound, const std::string& unit) {
  return {std::move(claim), std::move(paper), with_unit(measured, unit), "at least " + with_unit(bound, unit),
          measured >= bound};
}

Claim between(std::string claim, std::string paper, double measured, double low, double high,
              const std::string& unit) {
  return {std::move(claim), std::move(paper), with_unit(measured, unit),
          brief(low) + " to " + with_unit(high, unit), measured >= low && measured <= high};
}

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

}  // namespace polhode::laboratory
