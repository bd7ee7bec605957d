#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "polhode/error.hpp"
#include "reproduce/experiment.hpp"
#include "reproduce/experiments/counted.hpp"
#include "reproduce/experiments/taylor_reference.hpp"
#include "reproduce/experiments/top.hpp"
#include "work/statistics.hpp"

namespace polhode::program::experiments {

namespace {

constexpr std::size_t numbers = 7;  // seconds, angular velocity, vertical

/// The 2-norm of the error of angular velocity and, for a heavy top, of the vertical.
double error_of(std::span<const double> record, const Top& top, const TopState& truth) {
  double squares = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const DoubleDouble w = truth.momentum[i] / DoubleDouble(top.moments[i]);
    const double dw = static_cast<double>(DoubleDouble(record[1 + i]) - w);
    const double du = static_cast<double>(DoubleDouble(record[4 + i]) - truth.field[i]);
    squares += dw * dw + (top.heavy ? du * du : 0.0);
  }
  return std::sqrt(squares);
}

}  // namespace

Experiment work_precision(const WorkPrecision& what, Scale scale) {
  const bool quick = scale == Scale::quick;
  const std::size_t doublings = quick ? 13 : 17;  // of the number of steps, 1 being the first
  const int repetitions = 200;
  const double budget = quick ? 0.01 : 0.1;
  Experiment e;
  e.name = what.name;
  e.reference = what.reference;
  e.title = what.title;
  e.setting = what.setting;
  const Top top = what.top;
  e.parameters = {
      {"moments of inertia", fmt::format("{}, {}, {}", top.moments[0], top.moments[1], top.moments[2])},
      {"angular velocity",
       fmt::format("{}, {}, {}", top.angular_velocity[0], top.angular_velocity[1], top.angular_velocity[2])},
      {"interval", "[0, 1]"},
      {"steps", fmt::format("1, 2, 4, ..., {}", std::size_t{1} << (doublings - 1))},
      {"methods", fmt::format("{}", fmt::join(what.methods, ", "))},
      {"time", fmt::format("the smallest of up to {} runs", repetitions)},
      {"error", top.heavy ? "2-norm of the error of (ω, u) at t = 1, against a Taylor series in double-double"
                          : "2-norm of the error of ω at t = 1, against a Taylor series in double-double"}};
  e.timing = true;
  e.units = what.methods.size() * doublings;
  e.record_size = numbers;
  e.compute = [=](std::size_t unit, std::span<double> record) {
    const std::string& method = what.methods[unit / doublings];
    const std::int64_t steps = std::int64_t{1} << (unit % doublings);
    const double h = 1.0 / static_cast<double>(steps);
    std::fill(record.begin(), record.end(), std::nan(""));
    try {
      record[0] = smallest_seconds(
          repetitions, budget, [&] { return make_top_motion(method, top); },
          [&](auto& motion) { motion->advance(h, steps); });
      const auto motion = make_top_motion(method, top);
      motion->advance(h, steps);
      const Vector<double> w = motion->angular_velocity(), u = motion->vertical();
      for (std::size_t i = 0; i < 3; ++i) {
        record[1 + i] = w[i];
        record[4 + i] = u[i];
      }
    } catch (const MotionError&) {
      // The state has grown beyond all bounds: RK4 with a step that is too long.
    }
  };
  e.evaluate = [=](const Records& records) {
    const TopState truth =
        taylor_reference(top.moments, top.momentum(), {{0, 0, top.heavy ? 1.0 : 0.0}}, DoubleDouble(1));
    std::vector<std::vector<double>> errors, seconds;
    Panel panel{.title = what.title,
                .x_label = "seconds for the interval [0, 1]",
                .y_label = "error",
                .log_x = true,
                .log_y = true};
    for (std::size_t m = 0; m < what.methods.size(); ++m) {
      Curve c{.name = what.methods[m], .style = method_style(what.methods[m], 1)};
      std::vector<double> of_method, times;
      for (std::size_t k = 0; k < doublings; ++k) {
        const auto record = records[m * doublings + k];
        of_method.push_back(error_of(record, top, truth));
        times.push_back(record[0]);
        constexpr double hopeless = 1e4;  // of RK4 beyond its stability
        if (of_method.back() < hopeless && of_method.back() > 0) {
          c.x.push_back(times.back());
          c.y.push_back(of_method.back());
        }
      }
      panel.curves.push_back(std::move(c));
      errors.push_back(std::move(of_method));
      seconds.push_back(std::move(times));
    }
    Findings f;
    f.figure.panels = {std::move(panel)};
    f.claims = what.judge(errors, seconds);
    return f;
  };
  return e;
}

namespace {

/// The order of a method, from the steps whose errors are neither of size one nor near round-off.
double observed_order(const std::vector<double>& errors, double low, double high) {
  std::vector<double> steps, size;
  for (std::size_t k = 0; k < errors.size(); ++k)
    if (errors[k] > low && errors[k] < high) {
      steps.push_back(std::ldexp(1.0, -static_cast<int>(k)));
      size.push_back(errors[k]);
    }
  return growth_exponent(steps, size);
}

/// Of those that are numbers.
double smallest(const std::vector<double>& errors) {
  double least = HUGE_VAL;
  for (const double e : errors) least = e < least ? e : least;
  return least;
}

}  // namespace

static Experiment make_safstrom_fig1(Scale scale) {
  return work_precision(
      {"safstrom-fig1",
       "[CS06] figure 1",
       "Euler's equations: error against cost",
       "The free body by the splitting MR and by Jacobi's elliptic functions with constants that are "
       "computed "
       "once, as in the paper (jacobi-kept). Added here: RK4, elliptic functions with constants that are "
       "computed anew in each step (frb-quaternion), and our exact flow. All but MR and RK4 take the whole "
       "interval in one step.",
       {{{1, 2, 3}}, {{1, 0, 2}}, false},
       {"mr", "rk4", "jacobi-kept", "exact", "frb-quaternion"},
       [](const auto& errors, const auto& seconds) {
         enum : std::size_t { mr, rk4, jacobi, exact };
         const double accuracy = 1e-5;
         const auto cost = [&](std::size_t method) {
           return cost_of(accuracy, errors[method], seconds[method]);
         };
         const double most_steps = std::ldexp(1.0, static_cast<int>(errors[jacobi].size()) - 1);
         const double against_mr = cost(jacobi) / cost(mr), against_rk4 = cost(jacobi) / cost(rk4);
         double of_rk4 = HUGE_VAL;
         for (std::size_t k = 0; k < errors[rk4].size(); ++k)
           if (seconds[rk4][k] <= seconds[jacobi].front()) of_rk4 = std::min(of_rk4, errors[rk4][k]);
         return std::vector<Claim>{
             at_most("elliptic functions: largest error with up to 128 steps", "of the size of 1e-14",
                     largest_size(std::span(errors[jacobi]).first(8)), 8e-15)
                 .printed_at_most(1e-14),
             at_most("elliptic functions: largest error with all numbers of steps",
                     "1e-14, independent of the step", largest_size(errors[jacobi]), 4e-17 * most_steps)
                 .printed_at_most(1e-14),
             at_most("elliptic functions: least time for an error of 1e-5, relative to MR's",
                     "faster and more accurate", against_mr, 0.7)
                 .printed_as(against_mr < 1),
             at_most("elliptic functions: the same, relative to RK4's", "faster and more accurate",
                     against_rk4, 3)
                 .printed_as(against_rk4 < 1),
             at_least("elliptic functions: error of RK4 in the time of their one step, relative to theirs",
                      "faster and more accurate", of_rk4 / errors[jacobi].front(), 1e6)
                 .printed_at_least(1, 1),
             between("MR: observed order", "(not printed; a symmetric composition)",
                     observed_order(errors[mr], 1e-7, 0.05), 1.95, 2.05),
             // Longer steps have a phase in the precision of double (docs/exact-flow.md).
             at_most("exact (ours): largest error of steps up to half a radian (16 and more)",
                     "(not in the paper)", largest_size(std::span(errors[exact]).subspan(4)), 1e-16),
             at_most("exact (ours): largest error over all steps", "(not in the paper)",
                     largest_size(errors[exact]), 6e-16),
             at_most("exact (ours): least time for an error of 1e-5, relative to MR's", "(not in the paper)",
                     cost(exact) / cost(mr), 0.9)};
       }},
      scale);
}

namespace {

/// The figures 3 and 5 have the same methods, the paper's first.
const std::vector<std::string> top_methods{"mr", "sej", "strang-magnus4", "strang-exact", "rk4", "aba-8-6-4"};
enum TopMethod : std::size_t { mr, sej, magnus4, strang_exact, rk4, aba };

/// The numbers of steps for which MR converges.
double largest_ratio(const std::vector<double>& errors, const std::vector<double>& of_mr, double converges) {
  double worst = 0;
  for (std::size_t k = 0; k < errors.size(); ++k)
    if (of_mr[k] < converges) worst = std::max(worst, errors[k] / of_mr[k]);
  return worst;
}

/// [CS06 section 5]: "smaller global error for the same amount of floating point operations". Both methods have order 2, so that as many
/// operations as MR's cost SEJ the square of the ratio of those of a step. A root, a sine and their like count as 20.
Claim operations_claim(double ratio_of_errors, double low, double high) {
  constexpr double of_function = 20;
  const double step =
      operations_of_sej_step().weighted(of_function) / operations_of_mr_step().weighted(of_function);
  const double ratio = ratio_of_errors * step * step;
  return between("SEJ: error relative to MR's with the same number of operations",
                 "smaller global error for the same amount of operations", ratio, low, high)
      .printed_as(ratio < 1);
}

}  // namespace

static Experiment make_safstrom_fig3(Scale scale) {
  return work_precision(
      {"safstrom-fig3",
       "[CS06] figure 3",
       "Fast heavy top: error against cost",
       "A top whose momentum is large compared to the torque: MR, and SEJ, whose attitude comes from one "
       "exponential a step. Added here: SEJ with the Magnus series of order 4 and with the exact attitude, "
       "RK4, and the splitting aba-8-6-4, made for nearly free motion.",
       {{{1000, 5000, 6000}}, {{100, 100, 100}}, true},
       top_methods,
       [](const auto& errors, const auto& seconds) {
         constexpr std::size_t k = 10;  // 1024 steps
         const double ratio = errors[sej][k] / errors[mr][k], least = smallest(errors[mr]);
         const double time =
             cost_of(least, errors[sej], seconds[sej]) / cost_of(least, errors[mr], seconds[mr]);
         return std::vector<Claim>{
             between("SEJ: error relative to MR's, both with 1024 steps", "the advantage is quite clear",
                     ratio, 1.6e-3, 1.75e-3)
                 .printed_as(ratio < 1),
             at_most("SEJ: the same, largest ratio over all steps with which MR converges",
                     "the advantage is quite clear", largest_ratio(errors[sej], errors[mr], 10), 1.8e-3)
                 .printed_at_most(1),
             at_most("SEJ: least time for the smallest of MR's errors, relative to MR's",
                     "the advantage is quite clear", time, 0.5)
                 .printed_as(time < 1),
             operations_claim(ratio, 0.04, 0.06),
             between("SEJ with Magnus 4 (ours): error relative to MR's, both with 1024 steps",
                     "(not in the paper)", errors[magnus4][k] / errors[mr][k], 3.3e-6, 3.6e-6),
             between("SEJ with the exact attitude (ours): the same", "(not in the paper)",
                     errors[strang_exact][k] / errors[mr][k], 6.9e-8, 7.2e-8),
             at_most("aba-8-6-4 (ours): smallest error", "(not in the paper)", smallest(errors[aba]), 5e-13)};
       }},
      scale);
}

static Experiment make_safstrom_fig5(Scale scale) {
  return work_precision(
      {"safstrom-fig5",
       "[CS06] figure 5",
       "Heavy top: error against cost",
       "A top whose momentum is larger than the torque, but not by much, by the methods of figure 3.",
       {{{1, 5, 6}}, {{10, 10, 10}}, true},
       top_methods,
       [](const auto& errors, const auto& seconds) {
         const double of_mr = smallest(errors[mr]), of_sej = smallest(errors[sej]);
         const double time =
             cost_of(of_mr, errors[sej], seconds[sej]) / cost_of(of_mr, errors[mr], seconds[mr]);
         return std::vector<Claim>{
             between("SEJ: observed order", "second order", observed_order(errors[sej], 1e-8, 1e-2), 1.98,
                     2.02)
                 .printed(1.9, 2.1),
             at_most("SEJ: least time for the smallest of MR's errors, relative to MR's",
                     "similar, with a slight advantage for SEJ", time, 2)
                 .printed(0.5, 1),
             operations_claim(largest_ratio(errors[sej], errors[mr], 1), 0.4, 0.6),
             between("SEJ: error relative to MR's, the largest such ratio where MR converges",
                     "(not printed)", largest_ratio(errors[sej], errors[mr], 1), 0.0165, 0.0175),
             between("MR: observed order", "(not printed; a symmetric composition)",
                     observed_order(errors[mr], 1e-7, 0.1), 1.98, 2.02),
             between("SEJ with the exact attitude (ours): smallest error, relative to SEJ's",
                     "(not in the paper)", smallest(errors[strang_exact]) / of_sej, 0.44, 0.45),
             at_most("aba-8-6-4 (ours): least time for the smallest of SEJ's errors, relative to SEJ's",
                     "(not in the paper)",
                     cost_of(of_sej, errors[aba], seconds[aba]) / cost_of(of_sej, errors[sej], seconds[sej]),
                     1)};
       }},
      scale);
}

ExperimentEntry safstrom_fig1() {
  return {"safstrom-fig1", "Euler's equations: error against cost", make_safstrom_fig1};
}

ExperimentEntry safstrom_fig3() {
  return {"safstrom-fig3", "fast heavy top: error against cost", make_safstrom_fig3};
}

ExperimentEntry safstrom_fig5() {
  return {"safstrom-fig5", "heavy top: error against cost", make_safstrom_fig5};
}

}  // namespace polhode::program::experiments
