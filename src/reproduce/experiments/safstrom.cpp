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
  const EnergyRun run{
      {{{1, 2, 3}}, {{1, -2, 1}}, false}, 0.4, 1000, {"rk4", "mr", "jacobi-kept", "exact", "frb-quaternion"}};
  Experiment e = energy_experiment(run);
  e.name = "safstrom-fig2";
  e.reference = "[CS06] figure 2";
  e.title = "Energy of the free body over [0, 400]";
  e.setting =
      "RK4 drifts, the symplectic MR oscillates, elliptic functions with constants that are computed once "
      "conserve. Added here: our exact flow, and elliptic functions with constants that are computed anew in "
      "each step (frb-quaternion), which is a random walk. The last panel shows the angular velocity, as in "
      "the paper.";
  e.evaluate = [run](const Records& records) {
    enum : std::size_t { rk4, mr, jacobi, exact, recomputed };
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
    const double drift = std::abs(records[rk4].back() / records[rk4][99]), energy = 6;
    f.claims = {
        between("RK4: error at the end, relative to that at a tenth of the time", "a visible drift", drift,
                7.2, 7.4)
            .printed_as(drift > 5),
        between("MR: amplitude of the oscillation", "about 1e-3", largest_size(records[mr]), 8.9e-3, 9.1e-3)
            .printed(5e-4, 2e-3),
        at_most("MR: largest error of the second half, relative to the first", "oscillates around a constant",
                largest_half(records[mr], true) / largest_half(records[mr], false), 1.01)
            .printed_at_most(1.1, 1),
        at_most("elliptic functions: largest energy error", "about 1e-14", largest_size(records[jacobi]),
                3e-15)
            .printed_at_most(1e-14),
        between("MR: amplitude of the oscillation, relative to the energy", "(not printed)",
                largest_size(records[mr]) / energy, 1.45e-3, 1.55e-3),
        at_most("constants computed anew (ours): largest energy error", "(not in the paper)",
                largest_size(records[recomputed]), 3e-13),
        at_most("exact (ours): largest energy error", "(not in the paper)", largest_size(records[exact]),
                1e-17)};
    return f;
  };
  return e;
}

static Experiment make_safstrom_fig4(Scale) {
  const EnergyRun run{{{{1000, 5000, 6000}}, {{100, 100, 100}}, true},
                      0.001,
                      20000,
                      {"rk4", "mr", "sej", "aba-8-6-4", "strang-magnus4", "strang-exact"}};
  Experiment e = energy_experiment(run);
  e.name = "safstrom-fig4";
  e.reference = "[CS06] figure 4";
  e.title = "Energy of the fast heavy top over [0, 20]";
  e.setting =
      "The top of figure 3; its energy is 6e7. The splitting error of SEJ comes from the torque alone, which "
      "is small; that of MR from the free motion, which is not. Added here: SEJ with the Magnus series of "
      "order 4 and with the exact attitude, and aba-8-6-4.";
  e.evaluate = [run](const Records& records) {
    enum : std::size_t { rk4, mr, sej, aba, magnus4, strang_exact };
    Findings f = energy_panels(run, records);
    const auto largest = [&](std::size_t method) { return largest_size(records[method]); };
    const auto growth = [&](std::size_t method) {
      return largest_half(records[method], true) / largest_half(records[method], false);
    };
    f.claims = {
        between("RK4: energy error", "O(1e4)", largest(rk4), 2.7e4, 2.85e4).printed(1e4, 1e5),
        between("MR: energy error", "O(1e3)", largest(mr), 3.1e3, 3.2e3).printed(1e3, 1e4),
        between("SEJ: energy error", "O(1e-3)", largest(sej), 4.3e-3, 4.5e-3).printed(1e-3, 1e-2),
        at_most("MR: largest error of the second half, relative to the first", "oscillates", growth(mr), 1.01)
            .printed_at_most(1.1, 1),
        at_most("SEJ: largest error of the second half, relative to the first", "oscillates", growth(sej),
                1.01)
            .printed_at_most(1.1, 1),
        at_least("RK4: energy error, relative to SEJ's", "SEJ performs much better",
                 largest(rk4) / largest(sej), 6e6)
            .printed_at_least(10),
        between("SEJ with Magnus 4 (ours): energy error", "(not in the paper)", largest(magnus4), 3.5e-3,
                3.65e-3),
        between("SEJ with the exact attitude (ours): energy error", "(not in the paper)",
                largest(strang_exact), 3.5e-3, 3.65e-3),
        at_most("aba-8-6-4 (ours): energy error, relative to SEJ's", "(not in the paper)",
                largest(aba) / largest(sej), 5e-8)};
    return f;
  };
  return e;
}

/// Where the ratio, which begins above one, crosses it: between two points on the straight line of the logarithms.
static double crossover(const std::vector<double>& alpha, const std::vector<double>& ratio) {
  for (std::size_t i = 0; i + 1 < alpha.size(); ++i)
    if (ratio[i] >= 1 && ratio[i + 1] < 1) {
      const double part = std::log(ratio[i]) / (std::log(ratio[i]) - std::log(ratio[i + 1]));
      return alpha[i] * std::pow(alpha[i + 1] / alpha[i], part);
    }
  return std::nan("");
}

static Experiment make_safstrom_fig8(Scale scale) {
  const std::vector<std::string> methods{"mr", "sej", "aba-8-6-4", "strang-exact"};
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
      "becomes small compared to the momentum. Added here: SEJ with the exact attitude, which is better than "
      "MR for every α, and aba-8-6-4.";
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
    enum : std::size_t { mr, sej, aba, strang_exact };
    std::vector<double> alpha, ratio;
    double below_ten = 0, from_ten = 0, ours = 0, of_exact = 0;
    for (std::size_t i = 0; i < points; ++i) {
      alpha.push_back(alpha_of(i));
      ratio.push_back(records[i][sej] / records[i][mr]);
      if (alpha[i] >= 9.999) from_ten = std::max(from_ten, ratio[i]);
      if (alpha[i] >= 1.5 && alpha[i] < 9.999) below_ten = std::max(below_ten, ratio[i]);
      ours = std::max(ours, records[i][aba] / std::min(records[i][sej], records[i][mr]));
      of_exact = std::max(of_exact, records[i][strang_exact] / records[i][mr]);
    }
    Findings f;
    f.figure.panels = {std::move(p)};
    const std::string large = "smaller when the inertia is large";
    f.claims = {
        between("SEJ relative to MR at α = 1, the smallest inertia", large, ratio.front(), 1.02, 1.03)
            .printed_as(ratio.front() >= 1),
        between("SEJ relative to MR is less than one from this α on", large, crossover(alpha, ratio), 1.02,
                1.1)
            .printed(1, 10, 1),
        between("SEJ relative to MR, largest ratio for 1.5 <= α < 10", large, below_ten, 0.8, 0.9)
            .printed_at_most(1, 1),
        between("SEJ relative to MR, largest ratio for α >= 10", large, from_ten, 0.19, 0.2)
            .printed_at_most(1, 1),
        between("SEJ relative to MR at α = 1e5", large, ratio.back(), 2e-5, 2.1e-5).printed_at_most(1, 1),
        between("SEJ with the exact attitude (ours) relative to MR, largest ratio", "(not in the paper)",
                of_exact, 0.84, 0.85),
        at_most("aba-8-6-4 (ours) relative to the better of the two, largest ratio", "(not in the paper)",
                ours, 1e-8)};
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
