// Experiments whose records are altered: a claim shall fail where the method that it is about has been exchanged.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "reproduce/experiment.hpp"

namespace polhode::testing {

inline program::Experiment quick_experiment(const std::string& name) {
  for (const program::ExperimentEntry& entry : program::experiment_registry())
    if (entry.name == name) return entry.make(program::Scale::quick);
  throw std::invalid_argument(name);
}

inline program::Records records_of(const program::Experiment& e) {
  program::Records records(e.units, e.record_size);
  std::vector<double> record(e.record_size);
  for (std::size_t i = 0; i < e.units; ++i) {
    e.compute(i, record);
    records.set(i, record);
  }
  return records;
}

/// The claims whose bounds are missed, by the their names.
inline std::vector<std::string> missed(const std::vector<program::Claim>& claims) {
  std::vector<std::string> names;
  for (const program::Claim& c : claims)
    if (!c.pass) names.push_back(c.claim);
  return names;
}

inline bool misses(const std::vector<program::Claim>& claims, const std::string& beginning) {
  const auto names = missed(claims);
  return std::any_of(names.begin(), names.end(),
                     [&](const std::string& name) { return name.starts_with(beginning); });
}

}  // namespace polhode::testing
