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
std::vector<double> relative_times(Stopping stopping) {
  using Clock = std::chrono::steady_clock;
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
  s.relative_times = [] { return relative_times<systems::TwoBodySphere>(Stopping::convergence); };
  s.judge = [](const std::vector<Growth>& g, const std::vector<double>& times) {
    return std::vector<Claim>{
        at_least("energy error with the standard constraint, relative to the accurate one",
                 "an enormous improvement", g[standard].size.back() / g[accurate].size.back(), 5),
        at_most("accurate constraint: the error grows with this power of the time", "random walk: 1/2",
                g[accurate].exponent(), 0.8),
        between("standard constraint: evaluations of g a step", "4.608", g[standard].evaluations_per_step, 2,
                6),
        between("accurate constraint: evaluations of g a step", "4.819", g[accurate].evaluations_per_step, 2,
                6),
        at_most("accurate constraint: time relative to the standard one", "1.03 (2.34 s and 2.27 s)",
                times[accurate], 3),
        at_most("double-double (ours): energy error relative to the accurate constraint's",
                "(not in the paper)", g[wide].size.back() / g[accurate].size.back(), 0.5),
        at_most("double-double (ours): evaluations of g a step", "(not in the paper)",
                g[wide].evaluations_per_step, 1.2)};
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
        between("accurate constraint: the error grows with this power of the time", "linearly: 1",
                g[accurate].late_exponent(), 0.7, 1.3),
        at_least("accurate constraint: error relative to that of iteration until convergence",
                 "an enormous difference", g[accurate].size.back() / converged.size.back(), 5),
        at_most("double-double (ours): largest error", "(not in the paper)", g[wide].largest(), 1e-14)};
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
  s.relative_times = [] { return relative_times<systems::TriplePendulum>(Stopping::convergence); };
  s.judge = [](const std::vector<Growth>& g, const std::vector<double>& times) {
    return std::vector<Claim>{
        at_least("energy error with the standard constraint, relative to the accurate one",
                 "qualitatively the same", g[standard].size.back() / g[accurate].size.back(), 5),
        at_most("accurate constraint: the error grows with this power of the time", "qualitatively the same",
                g[accurate].exponent(), 0.8),
        at_most("accurate constraint: time relative to the standard one", "(not in the paper)",
                times[accurate], 3),
        at_most("double-double (ours): energy error relative to the accurate constraint's",
                "(not in the paper)", g[wide].size.back() / g[accurate].size.back(), 0.5)};
  };
  e.title = "ThreeLanes coupled pendulum: energy error with standard and accurate constraint";
  e.setting =
      "The paper names the dimension 8 and five constraints and no more: a rod, a rigid triangle and another "
      "rod in the plane "
      "have them. Iteration until convergence, as in figure 2.";
  prepare(e, s);
  return e;
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
