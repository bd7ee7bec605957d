// Boost.odeint: the method of Fehlberg of order 8 (13 stages), without step control.
#include <boost/numeric/odeint/stepper/runge_kutta_fehlberg78.hpp>

#include "bench/other_library_body.hpp"

namespace polhode::program {

namespace {

class OdeintBody final : public OtherLibraryBody {
 public:
  OdeintBody(const BenchProblem& problem, double step) : OtherLibraryBody("odeint-rkf78", problem, step) {}

 private:
  void move(std::int64_t count) override {
    const auto rate = [this](const OtherState& y, OtherState& dy, double) {
      equations().rate(y.data(), dy.data());
    };
    for (std::int64_t i = 0; i < count; ++i) stepper_.do_step(rate, y(), 0.0, step());
  }

  boost::numeric::odeint::runge_kutta_fehlberg78<OtherState> stepper_;
};

}  // namespace

std::unique_ptr<Simulation> make_odeint_rkf78(const BenchProblem& problem, double step) {
  return std::make_unique<OdeintBody>(problem, step);
}

}  // namespace polhode::program
