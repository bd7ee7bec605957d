#include <fmt/format.h>

#include "batch/instruction_set.hpp"
#include "polhode/batch/batch.hpp"
#include "polhode/free_motion/jacobi_euler.hpp"
#include "polhode/free_motion/trajectory.hpp"
#include "reproduce/experiment.hpp"
#include "reproduce/experiments/vilmart.hpp"

namespace polhode::program::experiments {

namespace {

constexpr double step = 0.01;
constexpr std::array names{"jacobi-standard", "jacobi-reduced", "standard, quadruple constants", "exact"};
constexpr std::array colours{Colour::vermilion, Colour::blue, Colour::orange, Colour::black};
enum : std::size_t { standard, reduced, quadruple, exact, method_count };
/// Of each method first the errors of H(y), then those of C(y).
constexpr std::size_t of_energy = 0, of_casimir = method_count, quantity_count = 2 * of_casimir;

/// The formulas of the paper take every step here: far from the axes and from the separatrix nothing cancels.
template <class Algorithm>
auto stepper(const Algorithm& algorithm) {
  return [&](const Vector<double>& y) { return algorithm(y, step)->momentum; };
}

DoubleDouble half_square(const DoubleDouble& x) { return x * x / DoubleDouble(2); }

void compute(std::size_t unit, const ErrorLayout& layout, const std::vector<std::int64_t>& samples,
             std::span<double> record) {
  const Inertia<double> inertia(water_moments);
  const StandardJacobi<double> standard_map(inertia);
  const ReducedJacobi<double> reduced_map(inertia);
  const StandardJacobi<double>::Quadruple quadruple_map(inertia);
  std::vector<State<double>> initial;
  for (std::size_t i = 0; i < trajectories_of_unit; ++i) {
    initial.push_back(near_vilmart(unit * trajectories_of_unit + i));
    const Vector<double>& y = initial.back().momentum;
    const Vector<DoubleDouble> start = convert<DoubleDouble>(y);
    const auto follow = [&](std::size_t method, auto&& map) {
      follow_map(y, samples, map, [&](std::size_t s, const Vector<double>& now) {
        const Vector<DoubleDouble> wide = convert<DoubleDouble>(now);
        record[layout.at(i, of_energy + method, s)] =
            static_cast<double>(inertia.energy(wide) - inertia.energy(start));
        record[layout.at(i, of_casimir + method, s)] = static_cast<double>(casimir(wide) - casimir(start));
      });
    };
    follow(standard, stepper(standard_map));
    follow(reduced, stepper(reduced_map));
    follow(quadruple, stepper(quadruple_map));
  }
  Batch batch(Body<double>(water_moments), initial, batch_functions());
  std::vector<Invariants<DoubleDouble>> start;
  for (std::size_t i = 0; i < batch.size(); ++i) start.push_back(batch.invariants(i));
  std::int64_t done = 0;
  for (std::size_t s = 0; s < samples.size(); ++s) {
    batch.advance(step, samples[s] - done);
    done = samples[s];
    for (std::size_t i = 0; i < batch.size(); ++i) {
      const Invariants<DoubleDouble> now = batch.invariants(i);
      record[layout.at(i, of_energy + exact, s)] = static_cast<double>(now.energy - start[i].energy);
      record[layout.at(i, of_casimir + exact, s)] =
          static_cast<double>(half_square(now.momentum_norm) - half_square(start[i].momentum_norm));
    }
    stop_if_interrupted();
  }
}

/// The period of the momentum from [Vil08 (4)].
double period_of_figure() {
  return Trajectory<double>(Body<double>(water_moments),
                            {{{0.5, 0.2, std::sqrt(1 - 0.25 - 0.04)}}, Quaternion<double>()})
      .period();
}

Findings evaluate(const Records& records, const ErrorLayout& layout,
                  const std::vector<std::int64_t>& samples) {
  const std::size_t trajectories = records.units() * trajectories_of_unit;
  std::array<ErrorStatistics, method_count> s;
  Findings f;
  f.figure.columns = 2;
  Panel deviation{
      .title = "standard deviation", .x_label = "steps", .y_label = "error", .log_x = true, .log_y = true};
  Panel mean{.title = "mean, without its sign",
             .x_label = "steps",
             .y_label = "error",
             .log_x = true,
             .log_y = true};
  for (std::size_t m = 0; m < method_count; ++m) {
    s[m] = statistics_of(records, layout, m, 0, records.units(), samples);
    f.figure.panels.push_back(
        ensemble_panel(names[m], records, layout, m, s[m], step, std::min<std::size_t>(trajectories, 200)));
    Curve c{
        .name = names[m], .style = {.colour = colours[m], .width = 2}, .x = s[m].steps, .y = s[m].deviation};
    deviation.curves.push_back(c);
    for (std::size_t i = 0; i < c.y.size(); ++i) c.y[i] = std::abs(s[m].mean[i]);
    mean.curves.push_back(std::move(c));
  }
  const double first = s[0].steps.front(), last = s[0].steps.back();
  deviation.curves.push_back(guide("0.11 eps √N", first, 0.11 * machine_eps * std::sqrt(first), last, 0.5));
  mean.curves.push_back(guide("0.056 eps N", first, 0.056 * machine_eps * first, last, 1));
  f.figure.panels.push_back(std::move(deviation));
  f.figure.panels.push_back(std::move(mean));

  const ErrorStatistics c = statistics_of(records, layout, of_casimir + reduced, 0, records.units(), samples);
  const double periods = 1e4 / period_of_figure();
  f.claims = {
      between("periods of y(t) in [0, 10^4]", "about 822", periods, 822.05, 822.07)
          .printed(821.5, 822.5, 1.01),
      between("jacobi-standard: drift of the energy per step, either sign", "about 1.25e-17, or 0.056 eps",
              std::abs(s[standard].drift_per_step()) / machine_eps, 0.040, 0.045, "eps")
          .printed(0.9 * 0.056, 1.1 * 0.056),
      between("jacobi-standard: the mean grows with this power of the time", "linear: 1",
              s[standard].mean_exponent(), 0.98, 1.02)
          .printed(0.95, 1.05, 1.5),
      at_most("jacobi-standard: standard deviation at the end, relative to the mean",
              "a small statistical error on a deterministic one",
              s[standard].deviation.back() / std::abs(s[standard].mean.back()), 0.25)
          .printed_at_most(0.5, 1),
      at_most("jacobi-reduced: mean at the end, in units of its statistical error", "a random walk: no drift",
              s[reduced].mean_in_standard_errors(trajectories), 4)
          .printed_at_most(4, 1),
      between("jacobi-reduced: the deviation grows with this power of the time", "random walk: 1/2",
              s[reduced].deviation_exponent(), 0.35, 0.65)
          .printed(0.4, 0.6, 1.5),
      between("jacobi-reduced: sigma, the standard deviation being sigma eps √N", "about 0.11",
              s[reduced].sigma(), 0.12, 0.17)
          .printed(0.9 * 0.11, 1.1 * 0.11),
      at_most("jacobi-reduced, C(y): mean at the end, in units of its statistical error",
              "similarly for the other invariants", c.mean_in_standard_errors(trajectories), 4)
          .printed_at_most(4, 1),
      between("jacobi-reduced, C(y): the deviation grows with this power of the time",
              "similarly for the other invariants", c.deviation_exponent(), 0.35, 0.65)
          .printed(0.4, 0.6, 1.5),
      at_most("constants in quadruple: mean at the end, in units of its statistical error",
              "the first idea to reduce round-off", s[quadruple].mean_in_standard_errors(trajectories), 4)
          .printed_at_most(4, 1),
      at_most("exact (ours): largest energy error of all trajectories", "(not in the paper)",
              largest_size(s[exact].largest), 2e-17),
  };
  return f;
}

}  // namespace

static Experiment make_vilmart_fig1(Scale scale) {
  const bool quick = scale == Scale::quick;
  const std::size_t trajectories = quick ? 200 : 1000;
  const std::int64_t steps = quick ? 100'000 : 1'000'000;
  const std::vector<std::int64_t> samples = sample_steps(steps);
  const ErrorLayout layout{quantity_count, samples.size()};
  Experiment e;
  e.name = "vilmart-fig1";
  e.reference = "[Vil08] figure 1";
  e.title = "Hamiltonian error of the algorithms by Jacobi's elliptic functions";
  e.setting =
      "The energy of the water molecule along trajectories from initial values of norm one near (0.5, 0.2, "
      "0.842). "
      "Algorithm 3.1 drifts, because the same rounded constants enter each step; Algorithm 4.1 is a random "
      "walk. Added "
      "here: Algorithm 3.1 with its constants in quadruple precision, and our exact flow in increment form. "
      "Faint: up "
      "to 200 trajectories; bold: mean and standard deviation of all.";
  e.parameters = {{"moments of inertia", "0.345, 0.653, 1"},
                  {"step", fmt::format("{}", step)},
                  {"steps", fmt::format("{}", steps)},
                  {"trajectories", fmt::format("{}", trajectories)},
                  {"initial values", "(0.5, 0.2) ± 0.01 in either component, uniformly; norm 1"}};
  e.units = trajectories / trajectories_of_unit;
  e.record_size = layout.record_size();
  e.compute = [=](std::size_t unit, std::span<double> record) { compute(unit, layout, samples, record); };
  e.evaluate = [=](const Records& records) { return evaluate(records, layout, samples); };
  return e;
}

ExperimentEntry vilmart_fig1() {
  return {"vilmart-fig1", "energy by Jacobi's functions: round-off that drifts, and one that does not",
          make_vilmart_fig1};
}

}  // namespace polhode::program::experiments
