// One line of the comparison: what it is called, and how its errors and its time are found.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bench/bench.hpp"
#include "polhode/body/body.hpp"
#include "run/simulation.hpp"

namespace polhode::program {

/// The motion that every row computes.
struct BenchProblem {
  Vector<double> moments;
  State<double> initial;

  /// The angle in radians between an attitude, of any norm, and the true one at that time, which is computed in
  /// extended precision.
  double attitude_error(const Quaternion<DoubleDouble>& attitude, const DoubleDouble& time) const;
};

/// The water molecule of the papers with a momentum of size one.
BenchProblem water_molecule();

struct BenchErrors {
  double energy = 0.0;
  double attitude = 0.0;
  std::string remark;  ///< follows the note; what is known only after the run
};

/// A row before it is measured. `errors` does the whole job once; `seconds_per_step` is one round of the timing and is
/// called several times. What both need is shared by capture.
struct RowSource {
  std::string name;
  std::string note;
  std::function<BenchErrors()> errors;
  std::function<double()> seconds_per_step;
};

/// A row from anything that steps a body: the state is the momentum and the attitude, the first invariant the energy.
RowSource stepping_source(std::string name, std::string note, std::shared_ptr<Simulation> simulation,
                          const BenchProblem& problem, const BenchJob& job);

/// The rows of the exact flow at a constant step, and of many bodies at once.
void append_flows(std::vector<RowSource>& sources, const BenchProblem& problem, const BenchJob& job);

}  // namespace polhode::program
