#include <fmt/format.h>

#include "batch/instruction_set.hpp"
#include "polhode/batch/batch.hpp"
#include "polhode/free_motion/moser_veselov.hpp"
#include "reproduce/experiment.hpp"
#include "reproduce/experiments/vilmart.hpp"

namespace polhode::program::experiments {

namespace {

enum : std::size_t { energy, casimir_function, momentum, invariant_count };
enum : std::size_t { standard, compensated, exact, method_count };
constexpr std::array method_names{"dmv10, standard", "dmv10, compensated", "exact"};
constexpr std::array invariant_names{"Hamiltonian", "C(y)", "first component of Qy"};
constexpr std::array colours{Colour::vermilion, Colour::blue, Colour::black};
constexpr std::size_t quantity_count = std::size_t{method_count} * std::size_t{invariant_count};
/// The ensemble of the figure has the first of these steps; the others show how the errors depend on it.
constexpr std::array step_sizes{0.01, 0.04, 0.02, 0.005, 0.0025};

std::size_t quantity(std::size_t method, std::size_t invariant) {
  return method * invariant_count + invariant;
}

struct Sizes {
  std::int64_t steps;
  std::size_t units;  ///< of the figure
  std::int64_t scaling_steps;
  std::size_t scaling_units;  ///< of each other step
  ErrorLayout layout;
};

void note(const Invariants<DoubleDouble>& now, const Invariants<DoubleDouble>& start, std::size_t method,
          std::size_t trajectory, std::size_t sample, const ErrorLayout& layout, std::span<double> record) {
  record[layout.at(trajectory, quantity(method, energy), sample)] =
      static_cast<double>(now.energy - start.energy);
  const auto half_square = [](const DoubleDouble& x) { return x * x / DoubleDouble(2); };
  record[layout.at(trajectory, quantity(method, casimir_function), sample)] =
      static_cast<double>(half_square(now.momentum_norm) - half_square(start.momentum_norm));
  record[layout.at(trajectory, quantity(method, momentum), sample)] =
      static_cast<double>(now.spatial_momentum[0] - start.spatial_momentum[0]);
}

template <Summation summation>
void run_dmv(const State<double>& initial, double step, const std::vector<std::int64_t>& samples,
             std::size_t method, std::size_t trajectory, const ErrorLayout& layout,
             std::span<double> record) {
  Rotor<MoserVeselov<double, 10>, summation> rotor(Body<double>(water_moments), initial);
  const auto start = rotor.invariants();
  std::int64_t done = 0;
  for (std::size_t s = 0; s < samples.size(); ++s) {
    rotor.advance(step, samples[s] - done);
    done = samples[s];
    note(rotor.invariants(), start, method, trajectory, s, layout, record);
    stop_if_interrupted();
  }
}

void compute(double step, std::size_t first_trajectory, const std::vector<std::int64_t>& samples,
             const ErrorLayout& layout, std::span<double> record) {
  std::vector<State<double>> initial;
  for (std::size_t i = 0; i < trajectories_of_unit; ++i) {
    initial.push_back(near_vilmart(first_trajectory + i));
    run_dmv<Summation::plain>(initial.back(), step, samples, standard, i, layout, record);
    run_dmv<Summation::compensated>(initial.back(), step, samples, compensated, i, layout, record);
  }
  Batch batch(Body<double>(water_moments), initial, batch_functions());
  std::vector<Invariants<DoubleDouble>> start;
  for (std::size_t i = 0; i < batch.size(); ++i) start.push_back(batch.invariants(i));
  std::int64_t done = 0;
  for (std::size_t s = 0; s < samples.size(); ++s) {
    batch.advance(step, samples[s] - done);
    done = samples[s];
    for (std::size_t i = 0; i < batch.size(); ++i)
      note(batch.invariants(i), start[i], exact, i, s, layout, record);
    stop_if_interrupted();
  }
}

Findings evaluate(const Records& records, const Sizes& sizes) {
  const std::vector<std::int64_t> samples = sample_steps(sizes.steps);
  const std::vector<std::int64_t> scaling_samples = sample_steps(sizes.scaling_steps);
  const std::size_t trajectories = sizes.units * trajectories_of_unit;
  std::array<ErrorStatistics, quantity_count> s;
  Findings f;
  f.figure.columns = 2;
  for (std::size_t m = 0; m < method_count; ++m)
    for (std::size_t i = 0; i < invariant_count; ++i) {
      const std::size_t q = quantity(m, i);
      s[q] = statistics_of(records, sizes.layout, q, 0, sizes.units, samples);
      if (i == casimir_function) continue;  // the paper draws the others
      f.figure.panels.push_back(ensemble_panel(fmt::format("{}: {}", method_names[m], invariant_names[i]),
                                               records, sizes.layout, q, s[q], step_sizes[0],
                                               std::min<std::size_t>(trajectories, 200)));
    }

  Panel growth{.title = "standard deviation of the energy error",
               .x_label = "steps",
               .y_label = "error",
               .log_x = true,
               .log_y = true};
  for (std::size_t m = 0; m < method_count; ++m) {
    const ErrorStatistics& e = s[quantity(m, energy)];
    growth.curves.push_back({.name = method_names[m],
                             .style = {.colour = colours[m], .width = 2},
                             .x = e.steps,
                             .y = e.deviation});
  }
  const double first = s[0].steps.front(), last = s[0].steps.back();
  growth.curves.push_back(guide("√N", first, s[quantity(compensated, energy)].deviation.front(), last, 0.5));

  // The dependence on the step, at the same number of steps and at the same time.
  std::array<std::vector<double>, method_count> of_step, at_time;
  std::vector<double> steps;
  const double smallest_step = *std::min_element(step_sizes.begin(), step_sizes.end());
  for (std::size_t j = 1; j < step_sizes.size(); ++j) {
    steps.push_back(step_sizes[j]);
    // Of the hundred samples at equal distances the last but four with the smallest step, and those of the same time.
    const auto sample = static_cast<std::size_t>(std::lround(96 * smallest_step / step_sizes[j]));
    for (std::size_t m = 0; m < method_count; ++m) {
      const ErrorStatistics e =
          statistics_of(records, sizes.layout, quantity(m, energy),
                        sizes.units + (j - 1) * sizes.scaling_units, sizes.scaling_units, scaling_samples);
      of_step[m].push_back(e.deviation.back());
      at_time[m].push_back(e.deviation[e.deviation.size() - 101 + sample]);
    }
  }
  Panel scaling{.title = fmt::format("the same after {} steps", sizes.scaling_steps),
                .x_label = "step h",
                .y_label = "error",
                .log_x = true,
                .log_y = true};
  for (std::size_t m = 0; m < method_count; ++m)
    scaling.curves.push_back({.name = method_names[m],
                              .style = {.colour = colours[m], .width = 2, .mark = 7},
                              .x = steps,
                              .y = of_step[m]});
  scaling.curves.push_back(guide("h", steps.back(), of_step[compensated].back(), steps.front(), 1));
  f.figure.panels.push_back(std::move(growth));
  f.figure.panels.push_back(std::move(scaling));

  constexpr std::array<double, invariant_count> least_factor{0.8, 0.8, 2}, largest_factor{1.6, 1.6, 3.5};
  constexpr std::array<double, invariant_count> of_exact{2e-17, 2e-17, 2e-17};
  for (std::size_t i = 0; i < invariant_count; ++i) {
    // A few trajectories have coherent errors of Qy (docs/errata.md): there the deviation is that of all but the farthest twentieth.
    const bool trimmed = i == momentum;
    const auto size = [&](std::size_t method) {
      const ErrorStatistics& e = s[quantity(method, i)];
      return trimmed ? e.spread.back() : e.deviation.back();
    };
    const auto exponent = [&](std::size_t method) {
      const ErrorStatistics& e = s[quantity(method, i)];
      return trimmed ? e.spread_exponent() : e.deviation_exponent();
    };
    const std::string name = invariant_names[i], word = trimmed ? "spread" : "deviation";
    f.claims.push_back(between("standard, " + name + ": the " + word + " grows with this power of the time",
                               "random walk: 1/2", exponent(standard), 0.35, 0.65)
                           .printed(0.4, 0.6, 1.5));
    f.claims.push_back(
        between("compensated, " + name + ": the " + word + " grows with this power of the time",
                "eps h √N: 1/2", exponent(compensated), 0.35, 0.65)
            .printed(0.4, 0.6, 1.5));
    f.claims.push_back(between("compensated, " + name + ": " + word + " relative to the standard one, over h",
                               "reduced by a factor h", size(compensated) / size(standard) / step_sizes[0],
                               least_factor[i], largest_factor[i])
                           .printed(0.5, 2));
    f.claims.push_back(
        at_most("exact (ours), " + name + ": " + word + " relative to that of compensated dmv10",
                "(not in the paper)", size(exact) / size(compensated), trimmed ? 0.01 : 0.02));
    f.claims.push_back(at_most("exact (ours), " + name + ": largest error of all trajectories",
                               "(not in the paper)", largest_size(s[quantity(exact, i)].largest),
                               of_exact[i]));
  }
  f.claims.push_back(between("standard: the deviation of the energy after N steps goes with this power of h",
                             "eps √N: 0", growth_exponent(steps, of_step[standard]), -0.25, 0.25)
                         .printed(-0.25, 0.25, 1));
  f.claims.push_back(
      between("compensated: the deviation of the energy after N steps goes with this power of h",
              "eps h √N: 1", growth_exponent(steps, of_step[compensated]), 0.75, 1.25)
          .printed(0.75, 1.25, 1.5));
  f.claims.push_back(between("compensated: the deviation of the energy at one time goes with this power of h",
                             "eps h^1/2 t^1/2: 1/2", growth_exponent(steps, at_time[compensated]), 0.25, 0.75)
                         .printed(0.25, 0.75, 1.5));
  return f;
}

}  // namespace

static Experiment make_vilmart_fig2(Scale scale) {
  const bool quick = scale == Scale::quick;
  Sizes sizes{};
  sizes.units = (quick ? 200 : 1000) / trajectories_of_unit;
  sizes.steps = quick ? 100'000 : 1'000'000;
  sizes.scaling_units = (quick ? 64 : 200) / trajectories_of_unit;
  sizes.scaling_steps = quick ? 100'000 : 1'000'000;
  const std::size_t samples =
      std::max(sample_steps(sizes.steps).size(), sample_steps(sizes.scaling_steps).size());
  sizes.layout = {quantity_count, samples};
  Experiment e;
  e.name = "vilmart-fig2";
  e.reference = "[Vil08] figure 2";
  e.title = "Round-off of the discrete Moser-Veselov algorithm of order 10";
  e.setting =
      "Hamiltonian and first component of the spatial momentum Qy of the water molecule, as in figure 1: the "
      "standard "
      "implementation and the one with compensated summation, which is expected to gain a factor of the size "
      "of h. "
      "Added here: our exact flow, and the same ensemble with other steps.";
  e.parameters = {{"moments of inertia", "0.345, 0.653, 1"},
                  {"step", fmt::format("{}", step_sizes[0])},
                  {"steps", fmt::format("{}", sizes.steps)},
                  {"trajectories", fmt::format("{}", sizes.units * trajectories_of_unit)},
                  {"other steps", "0.04, 0.02, 0.005, 0.0025"},
                  {"with these", fmt::format("{} steps, {} trajectories", sizes.scaling_steps,
                                             sizes.scaling_units * trajectories_of_unit)},
                  {"initial values", "(0.5, 0.2) ± 0.01 in either component, uniformly; norm 1"}};
  e.units = sizes.units + (step_sizes.size() - 1) * sizes.scaling_units;
  e.record_size = sizes.layout.record_size();
  e.compute = [=](std::size_t unit, std::span<double> record) {
    if (unit < sizes.units) {
      compute(step_sizes[0], unit * trajectories_of_unit, sample_steps(sizes.steps), sizes.layout, record);
    } else {
      const std::size_t other = unit - sizes.units;
      compute(step_sizes[1 + other / sizes.scaling_units], other % sizes.scaling_units * trajectories_of_unit,
              sample_steps(sizes.scaling_steps), sizes.layout, record);
    }
  };
  e.evaluate = [=](const Records& records) { return evaluate(records, sizes); };
  return e;
}

ExperimentEntry vilmart_fig2() {
  return {"vilmart-fig2", "discrete Moser-Veselov of order 10, standard and compensated", make_vilmart_fig2};
}

}  // namespace polhode::program::experiments
