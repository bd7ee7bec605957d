#include <fmt/format.h>

#include <array>
#include <cmath>

#include "polhode/free_motion/frb.hpp"
#include "polhode/splitting/driven_rotor.hpp"
#include "polhode/torque/uniform_field.hpp"
#include "reproduce/experiment.hpp"
#include "reproduce/experiments/projection.hpp"
#include "work/statistics.hpp"

namespace polhode::program::experiments {

namespace {

// The data of init_example1.dat, as printed in [CZ08 section 4.3].
constexpr Vector<double> moments{{1.0, 1.0126869887825154, 3.3062374224730378}};
constexpr Vector<double> momentum{
    {-3.4790957088547336e-01, -1.9822914599675923e-01, -9.1633189192763642e-01}};
constexpr Vector<double> field{{9.5586303547238536e-05, 4.8777318247201465e-04, -8.6772148817192390e-04}};
constexpr double step = 0.5;
constexpr std::array names{"rkn6-14 with exact", "rkn6-14 with frb-quaternion"};

/// Momentum and energy error after each step.
template <class Free>
void run(std::span<double> record) {
  using Integrator = Splitting<Free>;
  DrivenRotor<Integrator, UniformField<double>> rotor(Body<double>(moments), {momentum, Quaternion<double>()},
                                                      UniformField<double>(field),
                                                      Integrator(scheme("rkn6-14")));
  const DoubleDouble start = rotor.energy();
  for (std::size_t i = 0; i < record.size() / 4; ++i) {
    rotor.advance(step, 1);
    const auto body = rotor.synchronized();
    const Vector<double> m = body.state().momentum;
    for (std::size_t j = 0; j < 3; ++j) record[4 * i + j] = m[j];
    record[4 * i + 3] = static_cast<double>(rotor.energy_of(body) - start);
    if (i % 1000 == 0) stop_if_interrupted();
  }
}

Vector<double> momentum_at(std::span<const double> record, std::size_t i) {
  return {{record[4 * i], record[4 * i + 1], record[4 * i + 2]}};
}

}  // namespace

static Experiment make_zanna_fig7(Scale scale) {
  const std::size_t steps = scale == Scale::quick ? 20'000 : 100'000;
  Experiment e;
  e.name = "zanna-fig7";
  e.reference = "[CZ08] figure 7";
  e.title = "Momentum of a perturbed free rotation over a very long time";
  e.setting =
      "A weak field, |u₀| = 0.001, acts on a fast body; the sixth-order splitting RKN6-14 with the free "
      "motion by our exact "
      "flow (drawn) and by the paper's Algorithm 2. The orbit lies on a torus close to the unperturbed one; "
      "the braids of "
      "the close-up come from the times being multiples of the step.";
  e.parameters = {{"moments of inertia", "1, 1.0126869887825154, 3.3062374224730378"},
                  {"momentum", "-0.34790957088547336, -0.19822914599675923, -0.91633189192763642"},
                  {"field", "9.5586303547238536e-05, 4.8777318247201465e-04, -8.677214881719239e-04"},
                  {"step", "0.5"},
                  {"interval", fmt::format("[0, {}]", static_cast<double>(steps) * step)},
                  {"methods", fmt::format("{}, {}", names[0], names[1])}};
  e.units = names.size();
  e.record_size = 4 * steps;
  e.compute = [](std::size_t unit, std::span<double> record) {
    if (unit == 0)
      run<Exact<double>>(record);
    else
      run<FrbQuaternion<double>>(record);
  };
  e.evaluate = [=](const Records& records) {
    const auto record = records[0];
    Findings f;
    f.figure.columns = 3;
    const Projection view(-60, -25);
    const Style dots{.colour = Colour::blue, .width = 1, .line = false, .mark = 0};
    Curve path{.name = names[0], .style = dots};
    // The close-up shows where the third component is nearest to its middle, on the side of the first component.
    Curve near{.name = names[0], .style = dots};
    std::array<std::vector<double>, 2> energy;
    double norm_off = 0, gap = 0;
    for (std::size_t i = 0; i < steps; ++i) {
      const Vector<double> m = momentum_at(record, i);
      if (i % 5 == 0) view.append(path, m);
      view.append(near, m);
      norm_off = std::max(norm_off, std::abs(norm(m) - norm(momentum)));
      for (std::size_t u = 0; u < 2; ++u) energy[u].push_back(records[u][4 * i + 3]);
      gap = std::max(gap, norm(m - momentum_at(records[1], i)));
    }
    Curve close{.name = names[0], .style = {.colour = Colour::blue, .width = 1, .line = false, .mark = 7}};
    const double x0 = view.x(momentum), y0 = view.y(momentum);
    for (std::size_t i = 0; i < near.x.size(); ++i)
      if (std::abs(near.x[i] - x0) < 0.012 && std::abs(near.y[i] - y0) < 0.012) {
        close.x.push_back(near.x[i]);
        close.y.push_back(near.y[i]);
      }
    f.figure.panels.push_back({.title = "momentum",
                               .x_label = "",
                               .y_label = "",
                               .equal_axes = true,
                               .legend = false,
                               .curves = {sphere_outline(), std::move(path)},
                               .x_range = {{-1.05, 1.05}},
                               .y_range = {{-1.05, 1.05}}});
    f.figure.panels.push_back({.title = "close-up at the initial value",
                               .x_label = "",
                               .y_label = "",
                               .equal_axes = true,
                               .legend = false,
                               .curves = {std::move(close)},
                               .x_range = {{x0 - 0.012, x0 + 0.012}},
                               .y_range = {{y0 - 0.012, y0 + 0.012}}});
    Panel p{.title = "energy", .x_label = "time", .y_label = "error"};
    const std::array colours{Colour::black, Colour::orange};
    for (std::size_t u = 2; u-- > 0;) {
      Curve c{.name = names[u], .style = {.colour = colours[u], .width = 0.8}};
      for (std::size_t i = 0; i < steps; i += steps / 1000) {
        c.x.push_back(static_cast<double>(i + 1) * step);
        c.y.push_back(energy[u][i]);
      }
      p.curves.push_back(std::move(c));
    }
    f.figure.panels.push_back(std::move(p));

    const std::span<const double> errors(energy[0]);
    f.claims = {
        at_most("largest energy error", "nicely bounded over very long time", largest_size(errors), 1e-12),
        at_most("largest energy error of the second half, relative to the first", "nicely bounded",
                largest_size(errors.subspan(steps / 2)) / largest_size(errors.first(steps / 2)), 1.5),
        at_most("largest change of |m|, which the unperturbed motion keeps",
                "a torus close to the unperturbed one", norm_off, 0.002),
        at_most("largest difference of the momentum to that by frb-quaternion", "(not in the paper)", gap,
                1e-9)};
    return f;
  };
  return e;
}

ExperimentEntry zanna_fig7() {
  return {"zanna-fig7", "perturbed rotation over a very long time", make_zanna_fig7};
}

}  // namespace polhode::program::experiments
