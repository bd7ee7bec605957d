// Figures 2 and 3 of [CH13] and its triple pendulum: what the evaluation of the constraints does to the energy.
#include <fmt/format.h>

#include <chrono>

#include "polhode/constrained/multistep.hpp"
#include "polhode/constrained/multistep_methods.hpp"
#include "polhode/constrained/systems/triple_pendulum.hpp"
#include "polhode/constrained/systems/two_body_sphere.hpp"
#include "reproduce/experiment.hpp"
#include "reproduce/experiments/console.hpp"

namespace polhode::program::experiments {

namespace {

constexpr double step = 0.001;

PhasePoint<DoubleDouble, 6> initial(const systems::TwoBodySphere&, std::size_t trajectory) {
  const double s = 0.01 * static_cast<double>(trajectory);
  return systems::TwoBodySphere::from_angles({0.8 + s, 0.5}, {0.6, 1.5 + s}, {1.1, -0.8 + s},
                                             {-0.2 + s, 0.0});
}
PhasePoint<DoubleDouble, 8> initial(const systems::TriplePendulum&, std::size_t trajectory) {
  const double s = 0.01 * static_cast<double>(trajectory);
  return systems::TriplePendulum::at_rest({0.4 + s, 0.1 - s, -0.3 + s});
}

template <class S, class T, MultistepForm form>
Multistep<S, T, form> motion(std::size_t trajectory, const MultiplierOptions& options) {
  return {S{}, console_hairer_table, initial(S{}, trajectory), step, options};
}

template <class S, class T, MultistepForm form>
Variant variant(const std::string& name, const Style& style, const MultiplierOptions& options) {
  return {
      name, style,
      [options](std::size_t trajectory, const std::vector<std::int64_t>& samples, std::span<double> errors) {
        return energy_growth(motion<S, T, form>(trajectory, options), samples, errors);
      }};
}

/// The implementation of the paper: its iteration, and for the first guess the last multiplier, or two of them.
MultiplierOptions as_in_paper(ConstraintEvaluation evaluation, Stopping stopping) {
  MultiplierOptions options;
  options.evaluation = evaluation;
  options.stopping = stopping;
  options.closed_form = false;
  options.extrapolation = stopping == Stopping::convergence ? 1 : 0;
  return options;
}

template <class S>
std::vector<Variant> variants(Stopping stopping) {
  constexpr auto compensated = MultistepForm::compensated;
  return {variant<S, double, compensated>("standard constraint", {.colour = Colour::grey, .width = 3},
                                          as_in_paper(ConstraintEvaluation::standard, stopping)),
          variant<S, double, compensated>("accurate constraint", {.colour = Colour::blue, .width = 3},
                                          as_in_paper(ConstraintEvaluation::accurate, stopping)),
          variant<S, DoubleDouble, MultistepForm::error_free>("double-double (ours)",
                                                              {.colour = Colour::black, .width = 3}, {})};
}

/// The smallest times of pieces of the way, the variants in turn, relative to the first variant.
template <class S>
std::vector<double> relative_times() {
  using Clock = std::chrono::steady_clock;
  constexpr auto stopping = Stopping::convergence;
  auto standard =
      motion<S, double, MultistepForm::compensated>(0, as_in_paper(ConstraintEvaluation::standard, stopping));
  auto accurate =
      motion<S, double, MultistepForm::compensated>(0, as_in_paper(ConstraintEvaluation::accurate, stopping));
  auto wide = motion<S, DoubleDouble, MultistepForm::error_free>(0, {});
  std::vector<double> best(3, HUGE_VAL);
  const auto measure = [&](std::size_t i, auto& m) {
    const auto start = Clock::now();
    m.advance(2000);
    best[i] = std::min(best[i], std::chrono::duration<double>(Clock::now() - start).count());
  };
  for (int round = 0; round < 40; ++round) {
    measure(0, standard);
    measure(1, accurate);
    measure(2, wide);
    stop_if_interrupted();
  }
  return {1, best[1] / best[0], best[2] / best[0]};
}

template <class S>
void measure_times(ConsoleSetting& setting) {
  setting.further = relative_times<S>;
  setting.further_count = 3;
  setting.further_head = "time relative to the first";
}

enum : std::size_t { standard, accurate, wide };

Experiment constrained_experiment(const std::string& name, const std::string& reference, Scale scale,
                                  ConsoleSetting& s, std::int64_t quick_steps = 200'000) {
  const bool quick = scale == Scale::quick;
  s.step = step;
  s.steps = quick ? quick_steps : 10'000'000;
  s.trajectories = quick ? 4 : 8;
  Experiment e;
  e.name = name;
  e.reference = reference;
  e.parameters = {{"method", "roots -0.8, -0.4, 0.7; order 8"},
                  {"step", fmt::format("{}", step)},
                  {"interval", fmt::format("[0, {}]", step * static_cast<double>(s.steps))},
                  {"trajectories", fmt::format("{}", s.trajectories)}};
  return e;
}

}  // namespace

static Experiment make_console_fig2(Scale scale) {
  ConsoleSetting s;
  Experiment e = constrained_experiment("console-fig2", "[CH13] figure 2", scale, s);
  s.variants = variants<systems::TwoBodySphere>(Stopping::convergence);
  measure_times<systems::TwoBodySphere>(s);
  s.judge = [](const std::vector<Growth>& g, const std::vector<double>& times) {
    return std::vector<Claim>{
        at_least("energy error with the standard constraint, relative to the accurate one",
                 "an enormous improvement (read: at least a factor of 10)",
                 g[standard].size.back() / g[accurate].size.back(), 20)
            .printed_at_least(10),
        grows_as_walk("accurate constraint: the error grows with this power of the time",
                      "behaves like a random walk", g[accurate], 0.3, 0.8),
        between("standard constraint: evaluations of g a step", "4608497 in 10^6 steps (read: to 2 %)",
                g[standard].evaluations_per_step, 3.10, 3.18)
            .printed(4.516, 4.701),
        between("accurate constraint: evaluations of g a step", "4818860 in 10^6 steps (read: to 2 %)",
                g[accurate].evaluations_per_step, 4.80, 4.93)
            .printed(4.722, 4.916),
        at_most("accurate constraint: time relative to the standard one",
                "2.34 s and 2.27 s: 1.03 (read: to 5 %)", times[accurate], 2.5)
            .printed(0.98, 1.08),
        at_most("double-double (ours): energy error relative to the accurate constraint's",
                "(not in the paper)", g[wide].size.back() / g[accurate].size.back(), 0.2),
        at_most("double-double (ours): evaluations of g a step", "(not in the paper)",
                g[wide].evaluations_per_step, 1.1)};
  };
  e.title = "Two bodies on the sphere: energy error with standard and accurate constraint";
  e.setting =
      "Two particles on the unit sphere with the potential -cot θ; iteration until convergence. The initial "
      "values, which the "
      "paper leaves out, are those of the errata and their neighbours. Faint: each trajectory, bold: root "
      "mean square. Added "
      "here: state, forces and constants in double-double, with the multiplier in closed form.";
  prepare(e, s);
  return e;
}

static Experiment make_console_fig3(Scale scale) {
  ConsoleSetting s;
  // The drift needs its time to stand out of the random walk.
  Experiment e = constrained_experiment("console-fig3", "[CH13] figure 3", scale, s, 1'000'000);
  s.variants = variants<systems::TwoBodySphere>(Stopping::tolerance_unapplied);
  const auto convergence = variants<systems::TwoBodySphere>(Stopping::convergence);
  s.variants.push_back(convergence[accurate]);
  s.variants.back().name = "accurate constraint, until convergence";
  s.variants.back().style = {.colour = Colour::orange, .width = 3};
  s.judge = [](const std::vector<Growth>& g, const std::vector<double>&) {
    const Growth& converged = g[3];
    return std::vector<Claim>{
        between("accurate constraint: the error grows with this power of the time",
                "it grows linearly with time", g[accurate].late_exponent(), 0.9, 1.1)
            .printed(0.9, 1.1, 1),
        at_least("accurate constraint: error relative to that of iteration until convergence",
                 "an enormous difference (read: at least a factor of 10)",
                 g[accurate].size.back() / converged.size.back(), 100)
            .printed_at_least(10),
        at_most("double-double (ours): largest error", "(not in the paper)", g[wide].largest(), 1e-15)};
  };
  e.parameters.emplace_back("stopping", "|Δλ| <= 1e-15, the last increment not applied");
  e.title = "Two bodies on the sphere: the same with a tolerance";
  e.setting =
      "As figure 2, but the iteration for the multipliers ends as soon as the increment is below 1e-15. The "
      "linear growth "
      "of the paper appears when that last increment is not applied. The curve of figure 2 is added for "
      "comparison.";
  prepare(e, s);
  return e;
}

static Experiment make_console_triple(Scale scale) {
  ConsoleSetting s;
  Experiment e =
      constrained_experiment("console-triple", "[CH13] section 3.2, triple coupled pendulum", scale, s);
  s.variants = variants<systems::TriplePendulum>(Stopping::convergence);
  measure_times<systems::TriplePendulum>(s);
  s.judge = [](const std::vector<Growth>& g, const std::vector<double>& times) {
    return std::vector<Claim>{
        at_least("energy error with the standard constraint, relative to the accurate one",
                 "qualitatively the same as figure 2 (read: at least a factor of 10)",
                 g[standard].size.back() / g[accurate].size.back(), 100)
            .printed_at_least(10),
        grows_as_walk("accurate constraint: the error grows with this power of the time",
                      "qualitatively the same as figure 2: a random walk", g[accurate], 0.2, 0.8),
        at_most("accurate constraint: time relative to the standard one", "(not in the paper)",
                times[accurate], 3),
        at_most("double-double (ours): energy error relative to the accurate constraint's",
                "(not in the paper)", g[wide].size.back() / g[accurate].size.back(), 1e-3)};
  };
  e.title = "Triple coupled pendulum: energy error with standard and accurate constraint";
  e.setting =
      "The paper names the dimension 8 and five constraints and no more: a rod, a rigid triangle and another "
      "rod in the plane "
      "have them. Iteration until convergence, as in figure 2.";
  prepare(e, s);
  return e;
}

namespace {

/// How far a tolerance of 1e-16 gets: the part of the trajectories whose iteration ends nowhere, for one way to evaluate g.
double part_without_convergence(ConstraintEvaluation evaluation, std::size_t trajectories) {
  MultiplierOptions options = as_in_paper(evaluation, Stopping::tolerance_unapplied);
  options.tolerance = 1e-16;
  std::size_t failed = 0;
  for (std::size_t t = 0; t < trajectories; ++t) {
    auto m = motion<systems::TwoBodySphere, double, MultistepForm::compensated>(t, options);
    try {
      m.advance(20'000);
    } catch (const MotionError&) {
      ++failed;
    }
    stop_if_interrupted();
  }
  return static_cast<double>(failed) / static_cast<double>(trajectories);
}

}  // namespace

static Experiment make_console_text(Scale scale) {
  using System = systems::TwoBodySphere;
  ConsoleSetting s;
  Experiment e =
      constrained_experiment("console-text", "[CH13] section 3.2, the text to figures 2 and 3", scale, s);
  if (scale == Scale::full) s.steps = 1'000'000;
  e.parameters[2].second = fmt::format("[0, {}]", step * static_cast<double>(s.steps));
  constexpr auto until_convergence = Stopping::convergence, tolerance = Stopping::tolerance_unapplied;
  const MultiplierOptions accurate_g = as_in_paper(ConstraintEvaluation::accurate, until_convergence),
                          standard_g = as_in_paper(ConstraintEvaluation::standard, until_convergence),
                          accurate_tolerance = as_in_paper(ConstraintEvaluation::accurate, tolerance),
                          standard_tolerance = as_in_paper(ConstraintEvaluation::standard, tolerance);
  constexpr auto compensated = MultistepForm::compensated, staggered = MultistepForm::staggered;
  s.variants = {
      variant<System, double, compensated>("all improvements", {.colour = Colour::blue, .width = 3},
                                           accurate_g),
      variant<System, double, staggered>("without compensated summation",
                                         {.colour = Colour::green, .width = 3}, accurate_g),
      variant<System, double, compensated>("without the careful stopping criterion",
                                           {.colour = Colour::orange, .width = 3}, accurate_tolerance),
      variant<System, double, compensated>("without the accurate constraint",
                                           {.colour = Colour::grey, .width = 3}, standard_g),
      variant<System, double, compensated>("standard constraint of figure 3",
                                           {.colour = Colour::black, .width = 3}, standard_tolerance),
      variant<System, double, staggered>("as (6), no improvement", {.colour = Colour::vermilion, .width = 3},
                                         standard_tolerance),
      variant<System, double, MultistepForm::direct>(
          "as (4), term by term", {.colour = Colour::sky, .width = 3}, standard_tolerance)};
  const std::size_t trajectories = s.trajectories;
  s.further = [trajectories] {
    return std::vector<double>{part_without_convergence(ConstraintEvaluation::standard, trajectories),
                               part_without_convergence(ConstraintEvaluation::accurate, trajectories)};
  };
  s.further_count = 2;
  s.judge = [](const std::vector<Growth>& g, const std::vector<double>& failed) {
    enum : std::size_t { all, no_sums, no_stopping, no_constraint, standard3, plain, direct };
    const auto ratio = [&g](std::size_t a, std::size_t b) { return g[a].size.back() / g[b].size.back(); };
    const std::string omitted =
        "if one of them is omitted, a significant loss in accuracy (read: at least a factor of 3)";
    return std::vector<Claim>{
        at_least("without compensated summation: error relative to that with all improvements", omitted,
                 ratio(no_sums, all), 10)
            .printed_at_least(3),
        at_least("without the careful stopping criterion: the same", omitted, ratio(no_stopping, all), 50)
            .printed_at_least(3),
        at_least("without the accurate constraint: the same", omitted, ratio(no_constraint, all), 20)
            .printed_at_least(3),
        between("standard constraint: error with the tolerance, relative to iteration until convergence",
                "we cannot observe a significant difference (read: at most a factor of 2)",
                ratio(standard3, no_constraint), 2, 12)
            .printed(0.5, 2),
        between("as (6), no improvement: error relative to the standard constraint of figure 3",
                "nearly identical (read: at most a factor of 2)", ratio(plain, standard3), 0.5, 2)
            .printed(0.5, 2),
        between("as (4), term by term: the error grows with this power of the time",
                "section 2: typically increases linearly", g[direct].exponent(), 0, 0.75)
            .printed(0.9, 1.1, 1),
        at_least("as (4), term by term: error relative to (6)", "(not in the paper)", ratio(direct, plain),
                 20),
        at_least(
            "standard constraint, tol = 1e-16: part of the trajectories where the iteration does not end",
            "difficulties with convergence", failed[0], 1)
            .printed_as(failed[0] > 0),
        at_most("accurate constraint, tol = 1e-16: the same", "(not told apart in the paper)", failed[1], 0)};
  };
  e.parameters.emplace_back("tolerance", "|Δλ| <= 1e-15, the last increment not applied; 1e-16 over [0, 20]");
  e.title = "Two bodies on the sphere: what each improvement is worth";
  e.setting =
      "The statements of the text that have no figure: one improvement left out at a time, the plain forms "
      "(6) and (4), the "
      "standard constraint with both stopping rules, and the tolerance 1e-16. Faint: each trajectory, bold: "
      "root mean square.";
  prepare(e, s);
  return e;
}

ExperimentEntry console_text() {
  return {"console-text", "two bodies on the sphere: one improvement left out at a time", make_console_text};
}

ExperimentEntry console_fig2() {
  return {"console-fig2", "two bodies on the sphere: standard and accurate constraint", make_console_fig2};
}

ExperimentEntry console_fig3() {
  return {"console-fig3", "two bodies on the sphere: multipliers to a tolerance", make_console_fig3};
}

ExperimentEntry console_triple() {
  return {"console-triple", "triple coupled pendulum: standard and accurate constraint", make_console_triple};
}

}  // namespace polhode::program::experiments
