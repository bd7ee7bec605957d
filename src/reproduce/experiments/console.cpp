#include "reproduce/experiments/console.hpp"

#include <fmt/format.h>

#include "reproduce/experiments/vilmart.hpp"

namespace polhode::program::experiments {

std::vector<std::int64_t> logarithmic_samples(std::int64_t first, std::int64_t last) {
  std::vector<std::int64_t> result;
  const int count =
      static_cast<int>(std::lround(10 * std::log10(static_cast<double>(last) / static_cast<double>(first))));
  for (int i = 0; i <= count; ++i)
    result.push_back(std::llround(
        static_cast<double>(first) *
        std::pow(static_cast<double>(last) / static_cast<double>(first), static_cast<double>(i) / count)));
  return result;
}

Claim grows_as_walk(const std::string& what, const std::string& paper, const Growth& growth, double low,
                    double high) {
  const double scatter = growth.scatter_of_walks();
  return between(fmt::format("{} (random walks, as many: 0.5 ± {:.2f})", what, scatter), paper,
                 growth.exponent(), low, high)
      .printed(0.5 - scatter, 0.5 + scatter, 1);
}

Claim grows_no_worse_than_walk(const std::string& what, const std::string& paper, const Growth& growth,
                               double high) {
  const double scatter = growth.scatter_of_walks();
  return at_most(fmt::format("{} (random walks, as many: 0.5 ± {:.2f})", what, scatter), paper,
                 growth.exponent(), high)
      .printed_at_most(0.5 + scatter, 1);
}

namespace {

Growth growth_of(const Records& records, const ConsoleSetting& setting, std::size_t variant,
                 const std::vector<std::int64_t>& samples) {
  Growth g;
  g.trajectories = setting.trajectories;
  for (std::size_t s = 0; s < samples.size(); ++s) {
    double squares = 0;
    for (std::size_t t = 0; t < setting.trajectories; ++t) {
      const double error = records[variant * setting.trajectories + t][s];
      squares += error * error;
    }
    g.time.push_back(setting.step * static_cast<double>(samples[s]));
    g.size.push_back(std::sqrt(squares / static_cast<double>(setting.trajectories)));
  }
  for (std::size_t t = 0; t < setting.trajectories; ++t)
    g.evaluations_per_step +=
        records[variant * setting.trajectories + t][samples.size()] /
        static_cast<double>(setting.trajectories * static_cast<std::size_t>(setting.steps));
  return g;
}

Findings evaluate(const Records& records, const ConsoleSetting& setting,
                  const std::vector<std::int64_t>& samples) {
  Panel panel{.title = "energy error", .x_label = "time", .y_label = "error", .log_x = true, .log_y = true};
  std::vector<Growth> growths;
  for (std::size_t v = 0; v < setting.variants.size(); ++v) {
    growths.push_back(growth_of(records, setting, v, samples));
    for (std::size_t t = 0; t < setting.trajectories; ++t) {
      Curve c{.name = fmt::format("{}, trajectory {}", setting.variants[v].name, t),
              .in_legend = false,
              .style = setting.variants[v].style,
              .x = growths[v].time};
      c.style.faint = true;
      c.style.width = 0.5;
      for (std::size_t s = 0; s < samples.size(); ++s) {
        const double error = std::abs(records[v * setting.trajectories + t][s]);
        c.y.push_back(error > 1e-20 ? error : 1e-20);
      }
      panel.curves.push_back(std::move(c));
    }
  }
  for (std::size_t v = 0; v < setting.variants.size(); ++v) {
    Curve c{.name = setting.variants[v].name, .style = setting.variants[v].style, .x = growths[v].time};
    for (const double size : growths[v].size) c.y.push_back(std::max(size, 1e-20));
    panel.curves.push_back(std::move(c));
  }
  const Growth& first = growths.front();
  panel.curves.push_back(guide("slope 1/2", first.time.front(),
                               first.largest() * std::sqrt(first.time.front() / first.time.back()),
                               first.time.back(), 0.5));
  double largest = 0;
  for (const Growth& g : growths) largest = std::max(largest, g.largest());
  panel.y_range = {{1e-18, 2 * largest}};

  std::vector<double> further;
  for (std::size_t i = 0; i < setting.further_count; ++i) further.push_back(records[records.units() - 1][i]);
  Findings f;
  f.figure.panels = {std::move(panel)};
  f.claims = setting.judge(growths, further);
  TextTable table{
      "At the end", {"variant", "energy error (rms)", "power of the time", "evaluations of g a step"}, {}};
  const bool column = !setting.further_head.empty();
  if (column) table.head.push_back(setting.further_head);
  for (std::size_t v = 0; v < growths.size(); ++v) {
    table.rows.push_back({setting.variants[v].name, brief(growths[v].size.back()),
                          brief(growths[v].exponent()),
                          fmt::format("{:.3f}", growths[v].evaluations_per_step)});
    if (column) table.rows.back().push_back(fmt::format("{:.2f}", further[v]));
  }
  f.tables = {std::move(table)};
  return f;
}

}  // namespace

void prepare(Experiment& e, const ConsoleSetting& setting) {
  const std::vector<std::int64_t> samples = logarithmic_samples(100, setting.steps);
  const std::size_t runs = setting.variants.size() * setting.trajectories;
  e.units = runs + (setting.further ? 1 : 0);
  e.record_size = std::max(samples.size() + 1, setting.further_count);
  e.compute = [=](std::size_t unit, std::span<double> record) {
    if (unit == runs) {
      const std::vector<double> numbers = setting.further();
      std::copy(numbers.begin(), numbers.end(), record.begin());
    } else {
      record[samples.size()] =
          setting.variants[unit / setting.trajectories].run(unit % setting.trajectories, samples, record);
    }
  };
  e.evaluate = [=](const Records& records) { return evaluate(records, setting, samples); };
}

}  // namespace polhode::program::experiments
