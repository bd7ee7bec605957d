#include "reproduce/experiments/vilmart.hpp"

namespace polhode::program::experiments {

Panel ensemble_panel(const std::string& title, const Records& records, const ErrorLayout& layout,
                     std::size_t quantity, const ErrorStatistics& statistics, double step,
                     std::size_t trajectories) {
  Panel panel{.title = title, .x_label = "time", .y_label = "error"};
  const std::size_t linear = layout.samples - 100;  // where the equal distances begin
  for (std::size_t i = 0; i < trajectories; ++i) {
    Curve c{.name = "trajectory " + std::to_string(i),
            .in_legend = false,
            .style = {.colour = Colour::grey, .width = 0.4, .faint = true},
            .x = {0},
            .y = {0}};
    for (std::size_t s = linear + 1; s < layout.samples; s += 2) {
      c.x.push_back(statistics.steps[s] * step);
      c.y.push_back(records[i / trajectories_of_unit][layout.at(i % trajectories_of_unit, quantity, s)]);
    }
    panel.curves.push_back(std::move(c));
  }
  Curve mean{.name = "mean", .style = {.colour = Colour::black, .width = 3}, .x = {0}, .y = {0}};
  Curve above{.name = "mean ± standard deviation",
              .style = {.colour = Colour::vermilion, .width = 3},
              .x = {0},
              .y = {0}};
  for (std::size_t s = linear; s < layout.samples; ++s) {
    mean.x.push_back(statistics.steps[s] * step);
    mean.y.push_back(statistics.mean[s]);
    above.x.push_back(statistics.steps[s] * step);
    above.y.push_back(statistics.mean[s] + statistics.deviation[s]);
  }
  Curve below = above;
  below.name = "mean - standard deviation";
  below.in_legend = false;
  for (std::size_t i = 0; i < below.y.size(); ++i) below.y[i] = 2 * mean.y[i] - above.y[i];
  panel.curves.push_back(std::move(mean));
  panel.curves.push_back(std::move(above));
  panel.curves.push_back(std::move(below));
  return panel;
}

Curve guide(const std::string& name, double x0, double y0, double x1, double exponent) {
  return {.name = name,
          .style = {.colour = Colour::grey, .width = 1, .dashed = true},
          .x = {x0, x1},
          .y = {y0, y0 * std::pow(x1 / x0, exponent)}};
}

}  // namespace polhode::program::experiments
