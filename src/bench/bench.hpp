// The methods side by side: error and cost of one job, in one run.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace polhode::program {

struct BenchRow {
  std::string name;
  double ns_per_step = 0.0;
  double energy_error = 0.0;    ///< the largest size over a thousand samples
  double attitude_error = 0.0;  ///< in radians, at the end
  std::string note;
};

/// The job of every row (docs/benchmarks.md), unless a test wants a shorter one.
struct BenchJob {
  double step = 0.01;
  std::int64_t steps = 1'000'000;     ///< for the errors
  std::int64_t timed_steps = 10'000;  ///< of one round: many periods, but short enough to be left alone
  int rounds = 35;
};

/// The water molecule by the methods of the table in bench.cpp, and by the other libraries that were found when this was built.
/// The rounds go through all of them in turn, so that a disturbance of the machine hits them alike; the smallest counts.
std::vector<BenchRow> bench(const BenchJob& job);

std::string bench_json(const std::vector<BenchRow>& rows);
std::string bench_text(const std::vector<BenchRow>& rows);

}  // namespace polhode::program
