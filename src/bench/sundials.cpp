// SUNDIALS CVODE: Adams formulas of variable order (up to 12) and variable step.
#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <new>
#include <stdexcept>
#include <type_traits>

#include "bench/other_library.hpp"
#include "bench/other_library_body.hpp"

namespace polhode::program {

namespace {

extern "C" int cvode_rate(realtype, N_Vector y, N_Vector dy, void* equations) {
  static_cast<const OtherEquations*>(equations)->rate(N_VGetArrayPointer(y), N_VGetArrayPointer(dy));
  return 0;
}

void check(int status, const char* function) {
  if (status < 0)
    throw std::runtime_error(std::string("SUNDIALS: ") + function + " returned " + std::to_string(status));
}

struct Free {
  void operator()(SUNContext c) const { SUNContext_Free(&c); }
  void operator()(N_Vector v) const { N_VDestroy(v); }
  void operator()(SUNNonlinearSolver s) const { SUNNonlinSolFree(s); }
  void operator()(void* memory) const { CVodeFree(&memory); }
};

/// The handles of SUNDIALS are pointers.
template <class Handle>
using Owner = std::unique_ptr<std::remove_pointer_t<Handle>, Free>;

template <class Handle>
Owner<Handle> own(Handle handle) {
  if (handle == nullptr) throw std::bad_alloc();
  return Owner<Handle>(handle);
}

SUNContext make_context() {
  SUNContext context = nullptr;
  check(SUNContext_Create(nullptr, &context), "SUNContext_Create");
  return context;
}

}  // namespace

CvodeResult run_cvode(const BenchProblem& problem, double tolerance, double end, int samples) {
  OtherEquations equations(problem.moments);
  OtherState state = other_state(problem.initial);
  const auto context = own(make_context());
  const auto y = own(N_VMake_Serial(static_cast<sunindextype>(state.size()), state.data(), context.get()));
  const auto solver = own(SUNNonlinSol_FixedPoint(y.get(), 0, context.get()));
  const auto memory = own(CVodeCreate(CV_ADAMS, context.get()));
  check(CVodeInit(memory.get(), cvode_rate, 0.0, y.get()), "CVodeInit");
  check(CVodeSetUserData(memory.get(), &equations), "CVodeSetUserData");
  check(CVodeSStolerances(memory.get(), tolerance, tolerance), "CVodeSStolerances");
  check(CVodeSetNonlinearSolver(memory.get(), solver.get()), "CVodeSetNonlinearSolver");
  check(CVodeSetMaxNumSteps(memory.get(), -1), "CVodeSetMaxNumSteps");  // no limit
  // Its own choice depends on the first time that is asked for, and the rest of the run on that; this is about as long.
  check(CVodeSetInitStep(memory.get(), std::sqrt(tolerance)), "CVodeSetInitStep");
  check(CVodeSetErrHandlerFn(
            memory.get(), [](int, const char*, const char*, char*, void*) {}, nullptr),
        "CVodeSetErrHandlerFn");

  CvodeResult result;
  const DoubleDouble energy = energy_of(problem.moments, state);
  for (int i = 1; i <= samples; ++i) {
    const double target = i == samples ? end : end * i / samples;
    double reached = 0.0;
    const std::clock_t start = std::clock();
    check(CVode(memory.get(), target, y.get(), &reached, CV_NORMAL), "CVode");
    result.seconds += static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    const DoubleDouble error = energy_of(problem.moments, state) - energy;
    result.energy_error = std::max(result.energy_error, std::abs(static_cast<double>(error)));
  }
  long steps = 0, rates = 0;
  check(CVodeGetNumSteps(memory.get(), &steps), "CVodeGetNumSteps");
  check(CVodeGetNumRhsEvals(memory.get(), &rates), "CVodeGetNumRhsEvals");
  result.steps = steps;
  result.rates = rates;
  result.final = state_of(state);
  return result;
}

}  // namespace polhode::program
