#include "bench/row_source.hpp"

#include <cmath>
#include <utility>

#include "polhode/free_motion/trajectory.hpp"
#include "run/meter.hpp"
#include "run/runner.hpp"

namespace polhode::program {

double BenchProblem::attitude_error(const Quaternion<DoubleDouble>& attitude,
                                    const DoubleDouble& time) const {
  const Quaternion<DoubleDouble> truth =
      Trajectory<double>(Body<double>(moments), initial).wide_at(time).attitude;
  const Quaternion<DoubleDouble> turn = conjugate(normalized(attitude)) * truth;
  const double sine = static_cast<double>(norm(turn.vector()));
  return 2.0 * std::atan2(sine, std::abs(static_cast<double>(turn[0])));
}

BenchProblem water_molecule() {
  return {{{0.345, 0.653, 1.0}}, {{{0.5, 0.2, std::sqrt(1.0 - 0.25 - 0.04)}}, {}}};
}

RowSource stepping_source(std::string name, std::string note, std::shared_ptr<Simulation> simulation,
                          const BenchProblem& problem, const BenchJob& job) {
  auto errors = [simulation, problem, job, name]() -> BenchErrors {
    const RunResult result = run(*simulation, {job.steps, 0, nullptr, "errors of " + name});
    Quaternion<DoubleDouble> attitude;
    for (std::size_t i = 0; i < 4; ++i) attitude[i] = result.last.state[3 + i];
    // The steps are of double(0.01), which is not 1/100: the time that they add up to is no double, but exact here.
    const DoubleDouble time = DoubleDouble(static_cast<double>(job.steps)) * DoubleDouble(job.step);
    return {result.errors.front().max, problem.attitude_error(attitude, time), {}};
  };
  auto round = [simulation = std::move(simulation), count = job.timed_steps] {
    Meter meter(*simulation, count);
    meter.advance(count);
    return meter.seconds_per_step();
  };
  return {std::move(name), std::move(note), std::move(errors), std::move(round)};
}

}  // namespace polhode::program
