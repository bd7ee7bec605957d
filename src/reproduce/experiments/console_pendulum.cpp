#include <fmt/format.h>

#include "polhode/constrained/multistep.hpp"
#include "polhode/constrained/multistep_methods.hpp"
#include "polhode/constrained/systems/pendulum.hpp"
#include "reproduce/experiment.hpp"
#include "reproduce/experiments/console.hpp"

namespace polhode::program::experiments {

namespace {

constexpr double step = 0.01;

template <class T, MultistepForm form>
Variant variant(const std::string& name, const Style& style) {
  return {name, style,
          [](std::size_t trajectory, const std::vector<std::int64_t>& samples, std::span<double> errors) {
            PhasePoint<DoubleDouble, 1> state;
            state.position[0] = 0.05 * static_cast<double>(trajectory);
            state.momentum[0] = 1.2 - 0.05 * static_cast<double>(trajectory);
            return energy_growth(
                Multistep<systems::Pendulum, T, form>({}, multistep_table("sy8"), state, step), samples,
                errors);
          }};
}

}  // namespace

static Experiment make_console_fig1(Scale scale) {
  const bool quick = scale == Scale::quick;
  ConsoleSetting s;
  s.step = step;
  s.steps = quick ? 1'000'000 : 10'000'000;
  s.trajectories = quick ? 6 : 12;
  s.variants = {
      variant<double, MultistepForm::staggered>("without compensated summation",
                                                {.colour = Colour::grey, .width = 3}),
      variant<double, MultistepForm::compensated>("with compensated summation",
                                                  {.colour = Colour::blue, .width = 3}),
      variant<double, MultistepForm::direct>("as (4), term by term", {.colour = Colour::sky, .width = 3}),
      variant<double, MultistepForm::error_free>("error-free sums (ours)",
                                                 {.colour = Colour::vermilion, .width = 3}),
      variant<DoubleDouble, MultistepForm::error_free>("double-double (ours)",
                                                       {.colour = Colour::black, .width = 3})};
  s.judge = [](const std::vector<Growth>& g, const std::vector<double>&) {
    enum : std::size_t { plain, compensated, direct, error_free, wide };
    return std::vector<Claim>{
        between("error without compensated summation, relative to that with it",
                "compensated summation reduces this error by more than a factor 10",
                g[plain].size.back() / g[compensated].size.back(), 4, 9)
            .printed_at_least(10),
        grows_no_worse_than_walk("without: the error grows with this power of the time",
                                 "the error increases not worse than c t^1/2", g[plain], 0.7),
        grows_no_worse_than_walk("with: the error grows with this power of the time",
                                 "the error increases not worse than c t^1/2", g[compensated], 0.7),
        between("(4), term by term: the error grows with this power of the time",
                "section 2: typically increases linearly", g[direct].exponent(), 0, 0.75)
            .printed(0.9, 1.1, 1),
        at_least("(4), term by term: error relative to that of (6)", "(not in the paper)",
                 g[direct].size.back() / g[plain].size.back(), 10),
        at_most("error-free sums (ours): largest error", "(not in the paper)", g[error_free].largest(),
                2e-15),
        at_most("double-double (ours): largest error", "(not in the paper)", g[wide].largest(), 6e-16)};
  };
  Experiment e;
  e.name = "console-fig1";
  e.reference = "[CH13] figure 1";
  e.title = "Mathematical pendulum: energy error of SY8 with and without compensated summation";
  e.setting =
      "The pendulum H = p²/2 - cos q by the multistep method of order 8 of Quinlan and Tremaine on the "
      "staggered grid. The "
      "paper gives no initial value: several librations are taken; faint: each of them, bold: root mean "
      "square. Added here: the form (4), of which the paper has no figure, sums "
      "in error-free pairs, and everything in double-double.";
  e.parameters = {
      {"method", "sy8"},
      {"step", fmt::format("{}", step)},
      {"interval", fmt::format("[0, {}]", step * static_cast<double>(s.steps))},
      {"initial values", fmt::format("q = 0.05 i, p = 1.2 - 0.05 i, i = 0 to {}", s.trajectories - 1)}};
  prepare(e, s);
  return e;
}

ExperimentEntry console_fig1() {
  return {"console-fig1", "pendulum by SY8: compensated summation", make_console_fig1};
}

}  // namespace polhode::program::experiments
