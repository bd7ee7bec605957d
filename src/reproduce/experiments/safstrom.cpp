// The figures of [CS06] that show energies and paths.
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "reproduce/experiment.hpp"
#include "reproduce/experiments/top.hpp"
#include "work/statistics.hpp"

namespace polhode::program::experiments {

namespace {

/// Energy errors of several methods with one step: one unit a method.
struct EnergyRun {
  Top top;
  double step;
  std::int64_t steps;
  std::vector<std::string> methods;
};

std::string triple(const Vector<double>& v) { return fmt::format("{}, {}, {}", v[0], v[1], v[2]); }

Experiment energy_experiment(const EnergyRun& run) {
  Experiment e;
  e.parameters = {{"moments of inertia", triple(run.top.moments)},
                  {"angular velocity", triple(run.top.angular_velocity)},
                  {"step", fmt::format("{}", run.step)},
                  {"steps", fmt::format("{}", run.steps)},
                  {"methods", fmt::format("{}", fmt::join(run.methods, ", "))}};
  e.units = run.methods.size();
  e.record_size = static_cast<std::size_t>(run.steps);
  e.compute = [run](std::size_t unit, std::span<double> record) {
    const std::vector<double> errors = energy_errors(run.methods[unit], run.top, run.step, run.steps);
    std::copy(errors.begin(), errors.end(), record.begin());
  };
  return e;
}

/// A point of every so many: what a figure can show. The largest of each stretch is among them.
Curve thinned(const std::string& name, const Style& style, double step, std::span<const double> values,
              std::size_t points) {
  Curve c{.name = name, .style = style};
  const std::size_t stretch = std::max<std::size_t>(1, values.size() / points);
  for (std::size_t i = 0; i < values.size(); i += stretch) {
    const auto part = values.subspan(i, std::min(stretch, values.size() - i));
    const auto [low, high] = std::minmax_element(part.begin(), part.end());
    const std::size_t at =
        i + static_cast<std::size_t>((std::abs(*high) > std::abs(*low) ? high : low) - part.begin());
    c.x.push_back(step * static_cast<double>(at + 1));
    c.y.push_back(values[at]);
  }
  return c;
}

Panel energy_panel(const std::string& method, const EnergyRun& run, std::span<const double> errors) {
  Panel p{.title = method, .x_label = "time", .y_label = "energy error", .legend = false};
  p.curves = {thinned(method, method_style(method), run.step, errors, 1000)};
  return p;
}

/// A panel for each method.
Findings energy_panels(const EnergyRun& run, const Records& records) {
  Findings f;
  f.figure.columns = 2;
  for (std::size_t m = 0; m < run.methods.size(); ++m)
    f.figure.panels.push_back(energy_panel(run.methods[m], run, records[m]));
  return f;
}

double largest_half(std::span<const double> errors, bool second) {
  const std::size_t half = errors.size() / 2;
  return largest_size(second ? errors.subspan(half) : errors.first(half));
}

}  // namespace

static Experiment make_safstrom_fig2(Scale) {
  const EnergyRun run{{{{1, 2, 3}}, {{1, -2, 1}}, false}, 0.4, 1000, {"rk4", "mr", "jacobi", "exact"}};
  Experiment e = energy_experiment(run);
  e.name = "safstrom-fig2";
  e.reference = "[CS06] figure 2";
  e.title = "Energy of the free body over [0, 400]";
  e.setting =
      "RK4 drifts, the symplectic MR oscillates, elliptic functions conserve. Added here: our exact flow. "
      "The fifth "
      "panel shows the angular velocity, as in the paper.";
  e.evaluate = [run](const Records& records) {
    enum : std::size_t { rk4, mr, jacobi, exact };
    Findings f = energy_panels(run, records);
    Panel velocity{
        .title = "angular velocity, exact", .x_label = "time", .y_label = "ω", .x_range = {{0, 40}}};
    const std::array colours{Colour::blue, Colour::vermilion, Colour::green};
    for (std::size_t i = 0; i < 3; ++i)
      velocity.curves.push_back(
          {.name = fmt::format("ω{}", i + 1), .style = {.colour = colours[i], .width = 1.5}});
    const auto motion = make_top_motion("exact", run.top);
    for (int n = 0; n <= 400; ++n) {
      const Vector<double> w = motion->angular_velocity();
      for (std::size_t i = 0; i < 3; ++i) {
        velocity.curves[i].x.push_back(0.1 * n);
        velocity.curves[i].y.push_back(w[i]);
      }
      motion->advance(0.1, 1);
    }
    f.figure.panels.push_back(std::move(velocity));
    f.claims = {
        at_least("RK4: error at the end, relative to that at a tenth of the time", "a visible drift",
                 std::abs(records[rk4].back() / records[rk4][99]), 5),
        between("MR: amplitude of the oscillation", "about 1e-3", largest_size(records[mr]), 1e-3, 2e-2),
        at_most("MR: largest error of the second half, relative to the first", "oscillates around a constant",
                largest_half(records[mr], true) / largest_half(records[mr], false), 1.1),
        at_most("elliptic functions: largest energy error", "about 1e-14", largest_size(records[jacobi]),
                1e-12),
        at_most("exact (ours): largest energy error", "(not in the paper)", largest_size(records[exact]),
                1e-14)};
    return f;
  };
  return e;
}

static Experiment make_safstrom_fig4(Scale) {
  const EnergyRun run{
      {{{1000, 5000, 6000}}, {{100, 100, 100}}, true}, 0.001, 20000, {"rk4", "mr", "sej", "aba-8-6-4"}};
  Experiment e = energy_experiment(run);
  e.name = "safstrom-fig4";
  e.reference = "[CS06] figure 4";
  e.title = "Energy of the fast heavy top over [0, 20]";
  e.setting =
      "The top of figure 3; its energy is 6e7. The splitting error of SEJ comes from the torque alone, which "
      "is small; that "
      "of MR from the free motion, which is not. aba-8-6-4 is our addition.";
  e.evaluate = [run](const Records& records) {
    enum : std::size_t { rk4, mr, sej, aba };
    Findings f = energy_panels(run, records);
    f.claims = {between("RK4: energy error", "O(1e4)", largest_size(records[rk4]), 1e3, 1e5),
                between("MR: energy error", "O(1e3)", largest_size(records[mr]), 1e2, 1e4),
                between("SEJ: energy error", "O(1e-3)", largest_size(records[sej]), 1e-4, 1e-2),
                at_most("MR: largest error of the second half, relative to the first", "oscillates",
                        largest_half(records[mr], true) / largest_half(records[mr], false), 1.2),
                at_most("SEJ: largest error of the second half, relative to the first", "oscillates",
                        largest_half(records[sej], true) / largest_half(records[sej], false), 1.2),
                at_most("aba-8-6-4 (ours): energy error, relative to SEJ's", "(not in the paper)",
                        largest_size(records[aba]) / largest_size(records[sej]), 1e-2)};
    return f;
  };
  return e;
}

static Experiment make_safstrom_fig8(Scale scale) {
  const std::vector<std::string> methods{"mr", "sej", "aba-8-6-4"};
  const std::size_t points = scale == Scale::quick ? 26 : 51;  // 5 or 10 a decade, 1 to 1e5
  const auto alpha_of = [=](std::size_t point) {
    return std::pow(10.0, 5.0 * static_cast<double>(point) / static_cast<double>(points - 1));
  };
  Experiment e;
  e.name = "safstrom-fig8";
  e.reference = "[CS06] figure 8";
  e.title = "Energy error of the heavy top against the size of its inertia";
  e.setting =
      "The average of |H - H_n| over 1000 steps for the moments α, 2α, 3α: SEJ gains on MR as the torque "
      "becomes small compared to the momentum. aba-8-6-4 is our addition.";
  e.parameters = {{"moments of inertia", "α, 2α, 3α"},
                  {"α", fmt::format("{} values from 1 to 1e5, at equal ratios", points)},
                  {"angular velocity", "1, 2, 3"},
                  {"step", "0.01"},
                  {"interval", "[0, 10]"},
                  {"methods", fmt::format("{}", fmt::join(methods, ", "))}};
  e.units = points;
  e.record_size = methods.size();
  e.compute = [=](std::size_t unit, std::span<double> record) {
    const double alpha = alpha_of(unit);
    const Top top{{{alpha, 2 * alpha, 3 * alpha}}, {{1, 2, 3}}, true};
    for (std::size_t m = 0; m < methods.size(); ++m) {
      double sum = 0;
      for (const double error : energy_errors(methods[m], top, 0.01, 1000)) sum += std::abs(error);
      record[m] = sum / 1000;
    }
  };
  e.evaluate = [=](const Records& records) {
    Panel p{
        .title = e.title, .x_label = "α", .y_label = "average energy error", .log_x = true, .log_y = true};
    for (std::size_t m = 0; m < methods.size(); ++m) {
      Curve c{.name = methods[m], .style = method_style(methods[m], 1)};
      for (std::size_t i = 0; i < points; ++i) {
        c.x.push_back(alpha_of(i));
        c.y.push_back(records[i][m]);
      }
      p.curves.push_back(std::move(c));
    }
    enum : std::size_t { mr, sej, aba };
    double from_ten = 0, at_end = 0, ours = 0;
    for (std::size_t i = 0; i < points; ++i) {
      const double ratio = records[i][sej] / records[i][mr];
      if (alpha_of(i) >= 9.999) from_ten = std::max(from_ten, ratio);
      at_end = ratio;
      ours = std::max(ours, records[i][aba] / std::min(records[i][sej], records[i][mr]));
    }
    Findings f;
    f.figure.panels = {std::move(p)};
    f.claims = {at_most("SEJ relative to MR, largest ratio for α >= 10", "smaller when the inertia is large",
                        from_ten, 1),
                at_most("SEJ relative to MR at α = 1e5", "smaller when the inertia is large", at_end, 1e-4),
                at_most("aba-8-6-4 (ours) relative to the better of the two, largest ratio",
                        "(not in the paper)", ours, 0.1)};
    return f;
  };
  return e;
}

ExperimentEntry safstrom_fig2() {
  return {"safstrom-fig2", "Euler's equations: energy over a long time", make_safstrom_fig2};
}

ExperimentEntry safstrom_fig4() { return {"safstrom-fig4", "fast heavy top: energy", make_safstrom_fig4}; }

ExperimentEntry safstrom_fig8() {
  return {"safstrom-fig8", "heavy top: energy error against the size of the inertia", make_safstrom_fig8};
}

}  // namespace polhode::program::experiments
