#include "bench/other_library.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "bench/other_library_body.hpp"
#include "run/runner.hpp"

namespace polhode::program {

std::vector<std::string> stepping_libraries() {
  return {
#if defined(POLHODE_HAVE_GSL)
    "gsl-rk8pd",
#endif
#if defined(POLHODE_HAVE_ODEINT)
        "odeint-rkf78",
#endif
  };
}

std::unique_ptr<Simulation> make_other_library([[maybe_unused]] const std::string& name,
                                               [[maybe_unused]] const BenchProblem& problem,
                                               [[maybe_unused]] double step) {
#if defined(POLHODE_HAVE_GSL)
  if (name == "gsl-rk8pd") return make_gsl_rk8pd(problem, step);
#endif
#if defined(POLHODE_HAVE_ODEINT)
  if (name == "odeint-rkf78") return make_odeint_rkf78(problem, step);
#endif
  throw std::invalid_argument("this build has no library " + name);
}

#if defined(POLHODE_HAVE_SUNDIALS)
bool has_cvode() { return true; }
#else
bool has_cvode() { return false; }
CvodeResult run_cvode(const BenchProblem&, double, double, int) {
  throw std::runtime_error("this build has no CVODE");
}
#endif

namespace {

RowSource cvode_source(const BenchProblem& problem, const BenchJob& job) {
  constexpr double tolerance = 1e-13;
  const double end = static_cast<double>(job.steps) * job.step;
  const auto errors = [=]() -> BenchErrors {
    constexpr int samples = 1000;
    const CvodeResult result = run_cvode(problem, tolerance, end, samples);
    return {result.energy_error,
            problem.attitude_error(convert<DoubleDouble>(result.final.attitude), DoubleDouble(end)),
            fmt::format("{} steps of its own, time per {:g} of t", result.steps, job.step)};
  };
  // A longer way than that of the others, so that the start with small steps does not count.
  const std::int64_t timed = 10 * job.timed_steps;
  const auto round = [=] {
    return run_cvode(problem, tolerance, static_cast<double>(timed) * job.step, 1).seconds /
           static_cast<double>(timed);
  };
  return {"sundials-cvode", fmt::format("Adams, rtol = atol = {:g}", tolerance), errors, round};
}

}  // namespace

void append_other_libraries(std::vector<RowSource>& sources, const BenchProblem& problem,
                            const BenchJob& job) {
  for (const std::string& name : stepping_libraries())
    sources.push_back(stepping_source(name, "fixed step, order 8",
                                      make_other_library(name, problem, job.step), problem, job));
  if (has_cvode()) sources.push_back(cvode_source(problem, job));
}

}  // namespace polhode::program
