#include "reproduce/claim.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace polhode::program {

namespace {

std::string with_unit(double x, const std::string& unit) {
  return unit.empty() ? brief(x) : brief(x) + " " + unit;
}

Claim judged(const Claim& claim, AsPrinted result, double factor = 1) {
  Claim c = claim;
  c.as_printed = result;
  c.factor = factor;
  return c;
}

}  // namespace

std::string name_of(AsPrinted result) {
  switch (result) {
    case AsPrinted::holds:
      return "holds";
    case AsPrinted::within_a_factor:
      return "within a factor";
    case AsPrinted::does_not_hold:
      return "does not hold";
    default:
      return "not comparable";
  }
}

Claim Claim::printed(double low, double high, double largest) const {
  if (value >= low && value <= high) return judged(*this, AsPrinted::holds);
  const double off = value < low ? low / value : value / high;
  const bool near = off > 0 && off <= largest;  // of the same sign, and a number
  return judged(*this, near ? AsPrinted::within_a_factor : AsPrinted::does_not_hold, off);
}
Claim Claim::printed_at_most(double high, double largest) const {
  return printed(-std::numeric_limits<double>::infinity(), high, largest);
}
Claim Claim::printed_at_least(double low, double largest) const {
  return printed(low, std::numeric_limits<double>::infinity(), largest);
}
Claim Claim::printed_as(bool holds) const {
  return judged(*this, holds ? AsPrinted::holds : AsPrinted::does_not_hold);
}
Claim Claim::not_comparable() const { return judged(*this, AsPrinted::not_comparable); }

std::string Claim::printed_text() const {
  if (!as_printed) return "ours";
  if (*as_printed == AsPrinted::within_a_factor) return fmt::format("within a factor of {:.2g}", factor);
  return name_of(*as_printed);
}

std::string brief(double x) { return fmt::format("{:.3g}", x); }

Claim at_most(std::string claim, std::string paper, double measured, double bound, const std::string& unit) {
  return {std::move(claim),  std::move(paper), with_unit(measured, unit), "at most " + with_unit(bound, unit),
          measured <= bound, measured};
}

Claim at_least(std::string claim, std::string paper, double measured, double bound, const std::string& unit) {
  return {std::move(claim),          std::move(paper),
          with_unit(measured, unit), "at least " + with_unit(bound, unit),
          measured >= bound,         measured};
}

Claim between(std::string claim, std::string paper, double measured, double low, double high,
              const std::string& unit) {
  return {std::move(claim),
          std::move(paper),
          with_unit(measured, unit),
          brief(low) + " to " + with_unit(high, unit),
          measured >= low && measured <= high,
          measured};
}

bool all_pass(const std::vector<Claim>& claims) {
  return std::all_of(claims.begin(), claims.end(), [](const Claim& c) { return c.pass; });
}

void ClaimCount::add(const std::vector<Claim>& more) {
  for (const Claim& c : more) {
    ++claims;
    if (c.pass) ++passed;
    if (!c.as_printed) continue;
    ++printed;
    ++as_printed[static_cast<std::size_t>(*c.as_printed)];
  }
}

std::string ClaimCount::printed_text() const {
  return fmt::format(
      "of {} published claims {} hold as printed, {} within a factor, {} do not, {} cannot be compared",
      printed, as_printed[0], as_printed[1], as_printed[2], as_printed[3]);
}

}  // namespace polhode::program
