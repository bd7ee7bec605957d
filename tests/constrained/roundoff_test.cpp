// How round-off grows [CH13 section 3]: the part of the claims that is affordable here. benchmarks/multistep_roundoff.cpp
// measures the rest, docs/multistep.md states it.
#include <gtest/gtest.h>

#include "polhode/constrained/multistep.hpp"
#include "polhode/constrained/multistep_methods.hpp"
#include "polhode/constrained/systems/pendulum.hpp"
#include "polhode/constrained/systems/two_body_sphere.hpp"

namespace polhode {

using namespace core;
namespace {

/// The largest error of the energy in 100 samples.
template <class Motion>
double worst_energy_error(Motion& motion, std::int64_t steps) {
  const DoubleDouble start = motion.energy();
  double worst = 0.0;
  for (int i = 0; i < 100; ++i) {
    motion.advance(steps / 100);
    const double error = std::abs(static_cast<double>(motion.energy() - start));
    worst = error <= worst ? worst : error;
  }
  return worst;
}

template <class T, MultistepForm form>
double pendulum(std::int64_t steps, int motions) {
  double worst = 0.0;
  for (int i = 0; i < 20; i += 20 / motions) {
    PhasePoint<DoubleDouble, 1> state;
    state.position[0] = 0.05 * i;
    state.momentum[0] = 1.2 - 0.05 * i;
    Multistep<systems::Pendulum, T, form> motion({}, multistep_table("sy8"), state, 0.01);
    const double error = worst_energy_error(motion, steps);
    worst = error <= worst ? worst : error;
  }
  return worst;
}

TEST(RoundOff, PendulumToTenThousand) {
  const double direct = pendulum<double, MultistepForm::direct>(1000000, 20);
  const double staggered = pendulum<double, MultistepForm::staggered>(1000000, 20);
  const double compensated = pendulum<double, MultistepForm::compensated>(1000000, 20);
  const double error_free = pendulum<double, MultistepForm::error_free>(1000000, 20);
  EXPECT_GT(direct, 100 * staggered);
  EXPECT_GT(staggered, 4 * compensated);
  EXPECT_LT(compensated, 5e-14);
  EXPECT_LT(error_free, 3e-15);
  EXPECT_LT((pendulum<DoubleDouble, MultistepForm::error_free>(100000, 20)), 1e-15);
  RecordProperty("direct", std::to_string(direct * 1e15));
  RecordProperty("staggered", std::to_string(staggered * 1e15));
  RecordProperty("compensated", std::to_string(compensated * 1e15));
  RecordProperty("error_free", std::to_string(error_free * 1e15));
}

struct SphereRun {
  double energy = 0.0, evaluations = 0.0;
};

template <class T, MultistepForm form>
SphereRun sphere(const MultiplierOptions& options, std::int64_t steps = 1000000) {
  SphereRun run;
  for (const double s : {0.0, 0.03, 0.06}) {
    const auto state =
        systems::TwoBodySphere::from_angles({0.8 + s, 0.5}, {0.6, 1.5 + s}, {1.1, -0.8 + s}, {-0.2 + s, 0.0});
    Multistep<systems::TwoBodySphere, T, form> motion({}, console_hairer_table, state, 0.001, options);
    const double error = worst_energy_error(motion, steps);
    run.energy = error <= run.energy ? run.energy : error;
    run.evaluations = std::max(run.evaluations, static_cast<double>(motion.evaluations().constraint) /
                                                    static_cast<double>(motion.steps_taken()));
  }
  return run;
}

TEST(RoundOff, TwoBodiesOnTheSphereToAThousand) {
  MultiplierOptions accurate, standard, unapplied;
  accurate.closed_form = standard.closed_form = unapplied.closed_form = false;
  standard.evaluation = ConstraintEvaluation::standard;
  unapplied.stopping = Stopping::tolerance_unapplied;
  unapplied.extrapolation = 0;
  const SphereRun a = sphere<double, MultistepForm::compensated>(accurate);
  const SphereRun s = sphere<double, MultistepForm::compensated>(standard);
  const SphereRun u = sphere<double, MultistepForm::compensated>(unapplied);
  const SphereRun d = sphere<DoubleDouble, MultistepForm::error_free>({});
  EXPECT_LT(a.energy, 6e-14);
  EXPECT_GT(s.energy, 10 * a.energy);
  EXPECT_GT(u.energy, 20 * a.energy);
  EXPECT_LT(d.energy, 5e-15);
  EXPECT_LE(a.evaluations, 5.5);
  EXPECT_LE(s.evaluations, 5.5);
  EXPECT_LE(d.evaluations, 1.2);  // closed form: a second one only where the first guess was poor
  RecordProperty("accurate", std::to_string(a.energy * 1e15));
  RecordProperty("standard", std::to_string(s.energy * 1e15));
  RecordProperty("unapplied", std::to_string(u.energy * 1e15));
  RecordProperty("double_double", std::to_string(d.energy * 1e15));
}

}  // namespace
}  // namespace polhode
