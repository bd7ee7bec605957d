// Other people's integrators on the same job: general methods for ordinary differential equations, from Debian's
// packages. Which of them there are is decided when the build is configured (cmake/PolhodeOtherLibraries.cmake).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "bench/row_source.hpp"

namespace polhode::program {

/// Those with fixed steps: gsl-rk8pd, odeint-rkf78.
std::vector<std::string> stepping_libraries();

/// Throws std::invalid_argument unless the name is one of stepping_libraries(). If the library reports that a step failed,
/// the simulation throws std::runtime_error: a state that is silently held would look very well conserved.
std::unique_ptr<Simulation> make_other_library(const std::string& name, const BenchProblem& problem,
                                               double step);

/// SUNDIALS CVODE chooses its own steps.
bool has_cvode();

struct CvodeResult {
  State<double> final;        ///< at the time that was asked for
  double energy_error = 0.0;  ///< the largest size over the samples
  std::int64_t steps = 0;     ///< that CVODE took
  std::int64_t rates = 0;     ///< evaluations of the right-hand side
  double seconds = 0.0;       ///< of the processor, in CVODE: the run is too long to be undisturbed by others
};

/// Adams formulas and fixed-point iteration, the given relative and absolute tolerance, from 0 to `end`, looked at
/// `samples` times at equal distances. Throws std::runtime_error when CVODE gives up, or if has_cvode() is false.
CvodeResult run_cvode(const BenchProblem& problem, double tolerance, double end, int samples);

/// The rows of the other libraries that there are.
void append_other_libraries(std::vector<RowSource>& sources, const BenchProblem& problem,
                            const BenchJob& job);

}  // namespace polhode::program
