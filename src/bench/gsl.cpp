// GNU Scientific Library: the method of Prince and Dormand of order 8 (13 stages), without step control.
#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>

#include <stdexcept>

#include "bench/other_library_body.hpp"

namespace polhode::program {

namespace {

extern "C" int gsl_rate(double, const double y[], double dy[], void* equations) {
  static_cast<const OtherEquations*>(equations)->rate(y, dy);
  return GSL_SUCCESS;
}

class GslBody final : public OtherLibraryBody {
 public:
  GslBody(const BenchProblem& problem, double step)
      : OtherLibraryBody("gsl-rk8pd", problem, step),
        copy_(equations()),
        system_{gsl_rate, nullptr, std::tuple_size_v<OtherState>, &copy_},
        stepper_(gsl_odeiv2_step_alloc(gsl_odeiv2_step_rk8pd, system_.dimension)) {
    if (!stepper_) throw std::bad_alloc();
  }

 private:
  struct Free {
    void operator()(gsl_odeiv2_step* s) const { gsl_odeiv2_step_free(s); }
  };

  void move(std::int64_t count) override {
    OtherState ignored;
    for (std::int64_t i = 0; i < count; ++i) {
      const int status = gsl_odeiv2_step_apply(stepper_.get(), 0.0, step(), y().data(), ignored.data(),
                                               nullptr, nullptr, &system_);
      if (status != GSL_SUCCESS) throw std::runtime_error(std::string("GSL: ") + gsl_strerror(status));
    }
  }

  OtherEquations copy_;  // GSL wants a pointer that is not to a constant
  gsl_odeiv2_system system_;
  std::unique_ptr<gsl_odeiv2_step, Free> stepper_;
};

}  // namespace

std::unique_ptr<Simulation> make_gsl_rk8pd(const BenchProblem& problem, double step) {
  return std::make_unique<GslBody>(problem, step);
}

}  // namespace polhode::program
