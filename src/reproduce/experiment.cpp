#include "reproduce/experiment.hpp"

#include <fmt/format.h>

#include "work/record_file.hpp"

namespace polhode::program {

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
