#include "reproduce/experiment.hpp"

#include <fmt/format.h>

#include "work/record_file.hpp"

namespace polhode::program {

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

std::string record_identity(const Experiment& e, Scale scale) {
  std::uint64_t sum = checksum({});
  for (const auto& [name, value] : e.parameters) {
    sum = checksum(name, sum);
    sum = checksum(value, sum);
  }
  return record_identity({{"experiment", e.name},
                          {"scale", scale == Scale::quick ? "quick" : "full"},
                          {"parameters", fmt::format("{:016x}", sum)},
                          {"units", std::to_string(e.units)},
                          {"numbers", std::to_string(e.record_size)}});
}

}  // namespace polhode::program
