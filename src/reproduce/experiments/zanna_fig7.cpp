#include <fmt/format.h>

#include <array>
#include <cmath>
#include <complex>

#include "polhode/free_motion/frb.hpp"
#include "polhode/splitting/driven_rotor.hpp"
#include "polhode/torque/uniform_field.hpp"
#include "reproduce/experiment.hpp"
#include "reproduce/experiments/projection.hpp"
#include "work/random.hpp"
#include "work/statistics.hpp"

namespace polhode::program::experiments {

namespace {

// The data of init_example1.dat, as printed in [CZ08 section 4.3].
constexpr Vector<double> moments{{1.0, 1.0126869887825154, 3.3062374224730378}};
constexpr Vector<double> momentum{
    {-3.4790957088547336e-01, -1.9822914599675923e-01, -9.1633189192763642e-01}};
constexpr Vector<double> field{{9.5586303547238536e-05, 4.8777318247201465e-04, -8.6772148817192390e-04}};
constexpr double step = 0.5;
constexpr std::array names{"rkn6-14 with frb-matrix", "rkn6-14 with frb-quaternion",
                           "rkn6-14 with exact (ours)", "rkn6-14 with frb-matrix, at random times"};
enum : std::size_t { matrix, quaternion, exact, random_times };

/// Momentum and energy error after each step, or at a random time of the step that follows.
template <class Free>
void run(std::span<double> record, bool at_multiples = true) {
  using Integrator = Splitting<Free>;
  DrivenRotor<Integrator, UniformField<double>> rotor(Body<double>(moments), {momentum, Quaternion<double>()},
                                                      UniformField<double>(field),
                                                      Integrator(scheme("rkn6-14")));
  const DoubleDouble start = rotor.energy();
  Random random(7);
  const auto look = [&](const auto& at, std::size_t i) {
    const auto body = at.synchronized();
    const Vector<double> m = body.state().momentum;
    for (std::size_t j = 0; j < 3; ++j) record[4 * i + j] = m[j];
    record[4 * i + 3] = static_cast<double>(at.energy_of(body) - start);
  };
  for (std::size_t i = 0; i < record.size() / 4; ++i) {
    rotor.advance(step, 1);
    if (at_multiples) {
      look(rotor, i);
    } else {
      auto between_steps = rotor;
      between_steps.advance(step * random.uniform(0, 1), 1);
      look(between_steps, i);
    }
    if (i % 1000 == 0) stop_if_interrupted();
  }
}

Vector<double> momentum_at(std::span<const double> record, std::size_t i) {
  return {{record[4 * i], record[4 * i + 1], record[4 * i + 2]}};
}

/// How much the azimuths of consecutive momenta gather in strands: the largest |mean of exp(i q azimuth)| over q, the number of
/// the strands; 1 where they all lie on q rays, 0.17 where they are random. The mean over windows of 200 points.
double strand_strength(std::span<const double> record) {
  constexpr std::size_t window = 200, most_points = 20'000, most_strands = 200;
  const std::size_t points = std::min(record.size() / 4, most_points);
  double total = 0;
  std::size_t windows = 0;
  for (std::size_t first = 0; first + window <= points; first += window, ++windows) {
    std::array<std::complex<double>, window> ray{}, power{};
    for (std::size_t i = 0; i < window; ++i) {
      const Vector<double> m = momentum_at(record, first + i);
      ray[i] = std::polar(1.0, std::atan2(m[1], m[0]));
      power[i] = ray[i];
    }
    double strongest = 0;
    for (std::size_t q = 2; q <= most_strands; ++q) {
      std::complex<double> sum = 0;
      for (std::size_t i = 0; i < window; ++i) {
        power[i] = power[i] * ray[i];
        sum += power[i];
      }
      strongest = std::max(strongest, std::abs(sum) / window);
    }
    total += strongest;
  }
  return total / static_cast<double>(windows);
}

/// The claims of the paper about the trajectory by one of its methods.
void judge(std::vector<Claim>& claims, const std::string& name, std::span<const double> record) {
  std::vector<double> energy, off;
  for (std::size_t i = 0; i < record.size() / 4; ++i) {
    energy.push_back(record[4 * i + 3]);
    off.push_back(norm(momentum_at(record, i)) - norm(momentum));
  }
  const auto later = [](const std::vector<double>& errors) {
    const std::span<const double> all(errors);
    return largest_size(all.subspan(all.size() / 2)) / largest_size(all.first(all.size() / 2));
  };
  claims.push_back(at_most(name + ": largest change of |m|, which the unperturbed motion keeps",
                           "on a torus close to the unperturbed problem (read: to |u0| = 1e-3)",
                           largest_size(off), 6e-4)
                       .printed_at_most(1e-3));
  claims.push_back(at_most(name + ": the same, second half relative to the first",
                           "nicely bounded over very long time (read: it grows by a tenth at most)",
                           later(off), 1.02)
                       .printed_at_most(1.1, 1));
  claims.push_back(
      at_most(name + ": largest energy error", "(not in the paper)", largest_size(energy), 2e-13));
  claims.push_back(at_most(name + ": the same, second half relative to the first", "(not in the paper)",
                           later(energy), 3));
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
      "motion by the paper's "
      "Algorithms 1 (drawn) and 2, and by our exact flow. The orbit lies on a torus close to the unperturbed "
      "one; "
      "the braids of "
      "the close-up come from the times being multiples of the step.";
  e.parameters = {{"moments of inertia", "1, 1.0126869887825154, 3.3062374224730378"},
                  {"momentum", "-0.34790957088547336, -0.19822914599675923, -0.91633189192763642"},
                  {"field", "9.5586303547238536e-05, 4.8777318247201465e-04, -8.677214881719239e-04"},
                  {"step", "0.5"},
                  {"interval", fmt::format("[0, {}]", static_cast<double>(steps) * step)},
                  {"methods", fmt::format("{}, {}, {}, {}", names[0], names[1], names[2], names[3])}};
  e.units = names.size();
  e.record_size = 4 * steps;
  e.compute = [](std::size_t unit, std::span<double> record) {
    if (unit == exact)
      run<Exact<double>>(record);
    else if (unit == quaternion)
      run<FrbQuaternion<double>>(record);
    else
      run<FrbMatrix<double>>(record, unit == matrix);
  };
  e.evaluate = [=](const Records& records) {
    const auto record = records[matrix];
    Findings f;
    f.figure.columns = 3;
    const Projection view(-60, -25);
    const Style dots{.colour = Colour::blue, .width = 1, .line = false, .mark = 0};
    Curve path{.name = names[0], .style = dots};
    // The close-up shows where the third component is nearest to its middle, on the side of the first component.
    Curve near{.name = names[0], .style = dots};
    double gap = 0;
    for (std::size_t i = 0; i < steps; ++i) {
      const Vector<double> m = momentum_at(record, i);
      if (i % 5 == 0) view.append(path, m);
      view.append(near, m);
      gap = std::max(gap, norm(momentum_at(records[quaternion], i) - momentum_at(records[exact], i)));
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
    const std::array colours{Colour::orange, Colour::sky, Colour::black};
    for (std::size_t u = 0; u < colours.size(); ++u) {
      Curve c{.name = names[u], .style = {.colour = colours[u], .width = 0.8}};
      for (std::size_t i = 0; i < steps; i += steps / 1000) {
        c.x.push_back(static_cast<double>(i + 1) * step);
        c.y.push_back(records[u][4 * i + 3]);
      }
      p.curves.push_back(std::move(c));
    }
    f.figure.panels.push_back(std::move(p));

    judge(f.claims, "frb-matrix", record);
    judge(f.claims, "frb-quaternion", records[quaternion]);
    const double strands = strand_strength(record), unordered = strand_strength(records[random_times]);
    f.claims.push_back(between("frb-matrix: points at multiples of h gather in strands (1: all, 0.17: none)",
                               "braids, because the integration time is an integer multiple of the step h",
                               strands, 0.6, 0.8)
                           .printed_as(strands > 2 * unordered));
    f.claims.push_back(at_most("the same at random times", "(not in the paper)", unordered, 0.2));
    std::vector<double> energy;
    for (std::size_t i = 0; i < steps; ++i) energy.push_back(records[exact][4 * i + 3]);
    f.claims.push_back(
        at_most("exact (ours): largest energy error", "(not in the paper)", largest_size(energy), 5e-14));
    f.claims.push_back(at_most("exact (ours): largest difference of the momentum to that by frb-quaternion",
                               "(not in the paper)", gap, 1e-9));
    return f;
  };
  return e;
}

ExperimentEntry zanna_fig7() {
  return {"zanna-fig7", "perturbed rotation over a very long time", make_zanna_fig7};
}

}  // namespace polhode::program::experiments
