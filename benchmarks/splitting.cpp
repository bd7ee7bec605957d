// Splitting schemes on tops.
//
//   splitting work-precision   the perturbed top of [CZ08 section 4.3] over [0, 500] by each scheme with many steps: energy
//                              error against time, as CSV, from which scripts/figures/splitting.gp draws docs/figures/splitting.svg
//   splitting drift [METHOD]   every scheme with every method for the free motion, or with one, over a million steps: whether the
//                              energy drifts
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <string_view>

#include "polhode/free_motion/methods.hpp"
#include "polhode/splitting/driven_rotor.hpp"
#include "polhode/torque/uniform_field.hpp"

using namespace polhode;
using namespace polhode::core;

namespace {

using Clock = std::chrono::steady_clock;

template <class Method>
using Top = DrivenRotor<Splitting<Method>, UniformField<double>>;

template <class Method>
Top<Method> perturbed_top(const Scheme& scheme) {
  const Body<double> body(Vector<double>{{1, 1.0126869887825154, 3.3062374224730378}});
  const State<double> start{{{-3.4790957088547336e-01, -1.9822914599675923e-01, -9.1633189192763642e-01}},
                            {}};
  const Vector<double> field{{9.5586303547238536e-05, 4.8777318247201465e-04, -8.6772148817192390e-04}};
  return {body, start, UniformField<double>(field, {{0, 0, 1}}), Splitting<Method>(scheme)};
}

template <class Method>
void work_precision(const Scheme& scheme) {
  constexpr double end = 500.0;
  for (const int kicks_a_unit : {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128}) {
    const auto steps =
        std::max<std::int64_t>(1, std::llround(end * kicks_a_unit / static_cast<double>(scheme.stages())));
    const double h = end / static_cast<double>(steps);
    double error = 0.0, seconds = HUGE_VAL;
    Top<Method> rotor = perturbed_top<Method>(scheme);
    const DoubleDouble energy = rotor.energy();
    for (std::int64_t i = 0; i < steps; ++i) {
      rotor.advance(h, 1);
      error = std::max(error, std::abs(static_cast<double>(rotor.energy() - energy)));
    }
    // The smallest of several: other programs run on the machine too.
    double total = 0.0;
    for (int i = 0; i < 40 && (i < 5 || total < 0.3); ++i) {
      Top<Method> timed = perturbed_top<Method>(scheme);
      const auto before = Clock::now();
      timed.advance(h, steps);
      const double now = std::chrono::duration<double>(Clock::now() - before).count();
      seconds = std::min(seconds, now);
      total += now;
    }
    fmt::print("{},{},{},{:.4g},{:.0f},{:.3g}\n", scheme.name, Method::info.name, kicks_a_unit, h,
               1e9 * seconds, error);
    std::fflush(stdout);
    if (error < 3e-17) break;
  }
}

/// The largest energy error in the first and in the last hundredth of a run, and the error that a straight line fitted
/// to all of it has gained.
template <class Method>
void drift(const Scheme& scheme) {
  const Body<double> body(Vector<double>{{1.0, 1.4, 2.0}});
  const State<double> start{{{0.5, -0.7, 0.9}}, {0.5, -0.1, 0.7, 0.3}};
  Top<Method> rotor(body, start, UniformField<double>({{0.1, -0.2, 0.6}}, {{0.2, 0.1, 1.0}}),
                    Splitting<Method>(scheme));
  const DoubleDouble energy = rotor.energy();
  constexpr int looks = 20000, steps = 50;  // a million steps
  double first = 0, last = 0, sum = 0, moment = 0;
  for (int i = 0; i < looks; ++i) {
    rotor.advance(0.1, steps);
    const double error = static_cast<double>(rotor.energy() - energy);
    if (i < looks / 100) first = std::max(first, std::abs(error));
    if (i >= looks - looks / 100) last = std::max(last, std::abs(error));
    const double time = (i + 0.5) / looks - 0.5;
    sum += error;
    moment += time * error;
  }
  const double gained = 12 * moment / looks;
  // Rounding alone gains up to 1e-13 with compensated sums, and 4e-12 with the formulas of the papers.
  const bool drifts = std::abs(gained) > 0.5 * first + 1e-11;
  fmt::print("{:<14} {:<16} first {:8.2e}  last {:8.2e}  gained {:9.1e}  {}\n", scheme.name,
             Method::info.name, first, last, gained, drifts ? "drifts" : "-");
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view what = argc > 1 ? argv[1] : "";
  if (what == "work-precision") {
    fmt::print("scheme,free,kicks_per_unit,step,nanoseconds,energy_error\n");
    for (const Scheme& scheme : schemes) work_precision<Exact<double>>(scheme);
    work_precision<FrbMatrix<double>>(scheme("rkn6-14"));
  } else if (what == "drift") {
    const std::string_view wanted = argc > 2 ? argv[2] : "";
    for_each_free_motion_method<double>([&]<class Method>(std::type_identity<Method>) {
      if (!wanted.empty() && wanted != Method::info.name) return;
      for (const Scheme& scheme : schemes) drift<Method>(scheme);
    });
  } else {
    fmt::print(stderr, "usage: splitting work-precision | drift [METHOD]\n");
    return 2;
  }
}
