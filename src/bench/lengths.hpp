// The exact flow beside its rivals at steps of every length: error and cost of one step.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace polhode::program {

struct LengthRow {
  std::string name;
  double h = 0.0;
  double ns_per_step = 0.0;
  double energy_error = 0.0;    ///< of a single step, the worst of some initial values
  double attitude_error = 0.0;  ///< the same, in radians, against extended precision
};

struct LengthsJob {
  int initial_values = 100;
  std::int64_t timed_steps = 1000;  ///< of one round
  int rounds = 35;
};

/// exact, exact-batch, frb-quaternion and dmv10, where it converges, on the water molecule. The rounds go through all of them in turn;
/// the smallest time counts.
std::vector<LengthRow> bench_lengths(const LengthsJob& job);

std::string lengths_json(const std::vector<LengthRow>& rows);
std::string lengths_text(const std::vector<LengthRow>& rows);

}  // namespace polhode::program
