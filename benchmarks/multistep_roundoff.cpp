// The growth of round-off in symmetric multistep methods: the figures of docs/multistep.md [CH13 section 3].
//
//   multistep_roundoff [pendulum] [sphere] [time]     all without a name; some minutes
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "polhode/constrained/multistep.hpp"
#include "polhode/constrained/multistep_methods.hpp"
#include "polhode/constrained/systems/pendulum.hpp"
#include "polhode/constrained/systems/two_body_sphere.hpp"

namespace {

using polhode::DoubleDouble;
using polhode::core::MultiplierOptions;
using polhode::core::Multistep;
using polhode::core::MultistepForm;
using polhode::core::MultistepTable;
using polhode::core::systems::Pendulum;
using polhode::core::systems::TwoBodySphere;
using Sphere = polhode::core::PhasePoint<DoubleDouble, 6>;

constexpr int per_decade = 4;

/// The largest error of the energy up to each of the times 10, 10^(5/4), ..., of every motion.
struct Growth {
  std::vector<std::vector<double>> motions;
  double evaluations = 0.0;
  double residual = 0.0;

  double worst(int point) const {
    double result = 0.0;
    for (const auto& motion : motions) result = std::max(result, motion[static_cast<std::size_t>(point)]);
    return result;
  }
  /// The slope of the root mean square over the motions in double logarithmic scale, over the last decades.
  double exponent(int first) const {
    double n = 0, x1 = 0, y1 = 0, xx = 0, xy = 0;
    for (std::size_t i = static_cast<std::size_t>(first); i < motions[0].size(); ++i) {
      double sum = 0.0;
      for (const auto& motion : motions) sum += motion[i] * motion[i];
      const double x = static_cast<double>(i) / per_decade, y = 0.5 * std::log10(sum);
      n += 1, x1 += x, y1 += y, xx += x * x, xy += x * y;
    }
    return (n * xy - x1 * y1) / (n * xx - x1 * x1);
  }
};

template <class T, MultistepForm form, class S>
Growth grow(const S& system, const MultistepTable& table, const auto& states, double h, int decades,
            const MultiplierOptions& options = {}) {
  Growth growth;
  for (const auto& state : states) {
    Multistep<S, T, form> motion(system, table, state, h, options);
    const DoubleDouble start = motion.energy();
    std::vector<double> worst;
    double largest = 0.0;
    for (int i = 0; i <= (decades - 1) * per_decade; ++i) {
      const auto end =
          static_cast<std::int64_t>(std::llround(std::pow(10.0, 1.0 + double(i) / per_decade) / h));
      const std::int64_t begin = motion.steps_taken();
      for (int sample = 1; sample <= 200; ++sample) {
        motion.advance(begin + (end - begin) * sample / 200 - motion.steps_taken());
        largest = std::max(largest, std::abs(static_cast<double>(motion.energy() - start)));
        const auto residual = motion.residual();
        growth.residual = std::max({growth.residual, double(residual.position), double(residual.velocity)});
      }
      worst.push_back(largest);
    }
    growth.motions.push_back(worst);
    growth.evaluations +=
        double(motion.evaluations().constraint) / double(motion.steps_taken()) / double(states.size());
  }
  return growth;
}

void print(const char* name, const Growth& growth, int decades) {
  std::printf("%-44s", name);
  for (int d = 2; d <= decades; ++d) std::printf("  10^%d %.1e", d, growth.worst((d - 1) * per_decade));
  std::printf("  exponent %.2f", growth.exponent(2 * per_decade));
  if (growth.evaluations > 0)
    std::printf("  g/step %.2f  residual %.1e", growth.evaluations, growth.residual);
  std::printf("\n");
  std::fflush(stdout);
}

void pendulum() {
  std::vector<polhode::core::PhasePoint<DoubleDouble, 1>> states(20);
  for (std::size_t i = 0; i < states.size(); ++i) {
    states[i].position[0] = 0.05 * static_cast<double>(i);
    states[i].momentum[0] = 1.2 - 0.05 * static_cast<double>(i);
  }
  const auto& sy8 = polhode::core::multistep_table("sy8");
  std::printf("pendulum, SY8, h = 0.01, largest error of the energy of 20 motions\n");
  print("form (4)", grow<double, MultistepForm::direct>(Pendulum{}, sy8, states, 0.01, 4), 4);
  print("form (6)", grow<double, MultistepForm::staggered>(Pendulum{}, sy8, states, 0.01, 6), 6);
  print("section 2.3", grow<double, MultistepForm::compensated>(Pendulum{}, sy8, states, 0.01, 6), 6);
  print("error-free sums", grow<double, MultistepForm::error_free>(Pendulum{}, sy8, states, 0.01, 6), 6);
  print("double-double", grow<DoubleDouble, MultistepForm::error_free>(Pendulum{}, sy8, states, 0.01, 5), 5);
}

std::vector<Sphere> sphere_states() {
  std::vector<Sphere> states;
  for (int i = 0; i < 10; ++i) {
    const double s = 0.01 * i;
    states.push_back(
        TwoBodySphere::from_angles({0.8 + s, 0.5}, {0.6, 1.5 + s}, {1.1, -0.8 + s}, {-0.2 + s, 0.0}));
  }
  return states;
}

MultistepTable sphere_table() {
  const double roots[] = {-0.8, -0.4, 0.7};
  return MultistepTable::from_roots(std::span<const double>(roots));
}

void sphere() {
  const std::vector<Sphere> states = sphere_states();
  const MultistepTable table = sphere_table();
  const TwoBodySphere system;
  constexpr auto compensated = MultistepForm::compensated, error_free = MultistepForm::error_free;
  std::printf(
      "two bodies on the sphere, roots -0.8 -0.4 0.7, h = 0.001, largest error of the energy of 10 "
      "motions\n");
  MultiplierOptions newton;
  newton.closed_form = false;
  MultiplierOptions standard = newton;
  standard.evaluation = polhode::core::ConstraintEvaluation::standard;
  print("standard", grow<double, compensated>(system, table, states, 0.001, 4, standard), 4);
  print("accurate", grow<double, compensated>(system, table, states, 0.001, 4, newton), 4);
  MultiplierOptions wide = newton;
  wide.evaluation = polhode::core::ConstraintEvaluation::wide;
  print("accurate, g in double-double", grow<double, compensated>(system, table, states, 0.001, 4, wide), 4);
  print("accurate, closed form", grow<double, compensated>(system, table, states, 0.001, 4), 4);
  MultiplierOptions unapplied = newton;
  unapplied.stopping = polhode::core::Stopping::tolerance_unapplied;
  for (int degree = 0; degree < 4; ++degree) {
    unapplied.extrapolation = degree;
    print(("tol 1e-15 not applied, degree " + std::to_string(degree)).c_str(),
          grow<double, compensated>(system, table, states, 0.001, 4, unapplied), 4);
  }
  MultiplierOptions previous = newton;
  previous.extrapolation = 0;
  print("accurate, first guess of degree 0",
        grow<double, compensated>(system, table, states, 0.001, 3, previous), 3);
  print("error-free sums", grow<double, error_free>(system, table, states, 0.001, 4, newton), 4);
  print("double-double, closed form", grow<DoubleDouble, error_free>(system, table, states, 0.001, 4), 4);
}

/// The shortest time of a step in many rounds, in nanoseconds; the kinds take turns, so that they share the weather.
template <class T, MultistepForm form>
struct Timed {
  Timed(const char* name_, const MultiplierOptions& options)
      : name(name_),
        motion(TwoBodySphere{}, sphere_table(), TwoBodySphere{}.standard_state(), 0.001, options) {}
  void round() {
    const auto start = std::chrono::steady_clock::now();
    motion.advance(2000);
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
    best = std::min(best, time.count() / 2000 * 1e9);
  }
  const char* name;
  Multistep<TwoBodySphere, T, form> motion;
  double best = 1e9;
};

void time() {
  MultiplierOptions newton, standard;
  newton.closed_form = standard.closed_form = false;
  standard.evaluation = polhode::core::ConstraintEvaluation::standard;
  Timed<double, MultistepForm::compensated> a("standard, until convergence", standard);
  Timed<double, MultistepForm::compensated> b("accurate, until convergence", newton);
  Timed<double, MultistepForm::compensated> c("accurate, closed form", {});
  Timed<double, MultistepForm::error_free> d("error-free sums, closed form", {});
  Timed<DoubleDouble, MultistepForm::error_free> e("double-double, closed form", {});
  Timed<DoubleDouble, MultistepForm::error_free> f("double-double, until convergence", newton);
  for (int i = 0; i < 1000; ++i) a.round(), b.round(), c.round(), d.round(), e.round(), f.round();
  std::printf("two bodies on the sphere, nanoseconds a step, shortest of 1000 rounds\n");
  const auto row = [](const auto& x) { std::printf("%-44s %.0f\n", x.name, x.best); };
  row(a), row(b), row(c), row(d), row(e), row(f);
}

}  // namespace

int main(int count, char** names) {
  const auto wanted = [&](const std::string& name) {
    return count < 2 || std::find(names + 1, names + count, name) != names + count;
  };
  if (wanted("pendulum")) pendulum();
  if (wanted("sphere")) sphere();
  if (wanted("time")) time();
}
