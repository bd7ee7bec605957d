#include <fmt/format.h>

#include "polhode/free_motion/jacobi_euler.hpp"
#include "polhode/free_motion/moser_veselov.hpp"
#include "polhode/free_motion/rotor.hpp"
#include "reproduce/experiment.hpp"
#include "reproduce/experiments/vilmart.hpp"

namespace polhode::program::experiments {

namespace {

constexpr double step = 0.01;
enum : std::size_t { standard, reduced, plain, compensated, method_count };
constexpr std::array names{"jacobi-standard", "jacobi-reduced", "dmv10, standard", "dmv10, compensated"};

/// A body, and the first two components of a momentum of norm one.
struct Case {
  Vector<double> moments;
  double first, second;
};
/// The third and the sixth turn about axis 1, the others about axis 3.
constexpr std::array cases{Case{{{0.345, 0.653, 1.0}}, 0.1, 0.3}, Case{{{1, 2, 3}}, 0.6, 0.3},
                           Case{{{0.5, 0.7, 1}}, 0.9, 0.1},       Case{{{0.9, 0.95, 1}}, 0.3, 0.4},
                           Case{{{0.2, 0.9, 1}}, 0.05, 0.1},      Case{{{0.6, 0.7, 1.1}}, 0.8, 0.5}};

void compute(const Case& which, std::size_t first_trajectory, const std::vector<std::int64_t>& samples,
             const ErrorLayout& layout, std::span<double> record) {
  const Inertia<double> inertia(which.moments);
  const StandardJacobi<double> standard_map(inertia);
  const ReducedJacobi<double> reduced_map(inertia);
  for (std::size_t i = 0; i < trajectories_of_unit; ++i) {
    const State<double> initial = initial_value_near(which.first, which.second, first_trajectory + i);
    const DoubleDouble start = inertia.energy(convert<DoubleDouble>(initial.momentum));
    const auto follow = [&](std::size_t method, const auto& algorithm) {
      follow_map(
          initial.momentum, samples, [&](const Vector<double>& y) { return algorithm(y, step)->momentum; },
          [&](std::size_t s, const Vector<double>& y) {
            record[layout.at(i, method, s)] =
                static_cast<double>(inertia.energy(convert<DoubleDouble>(y)) - start);
          });
    };
    follow(standard, standard_map);
    follow(reduced, reduced_map);
    const auto rotate = [&]<Summation summation>(std::integral_constant<Summation, summation>,
                                                 std::size_t method) {
      Rotor<MoserVeselov<double, 10>, summation> rotor(Body<double>(which.moments), initial);
      const DoubleDouble begin = rotor.energy();
      std::int64_t done = 0;
      for (std::size_t s = 0; s < samples.size(); ++s) {
        rotor.advance(step, samples[s] - done);
        done = samples[s];
        record[layout.at(i, method, s)] = static_cast<double>(rotor.energy() - begin);
        stop_if_interrupted();
      }
    };
    rotate(std::integral_constant<Summation, Summation::plain>{}, plain);
    rotate(std::integral_constant<Summation, Summation::compensated>{}, compensated);
  }
}

/// The greatest and the average over the bodies.
struct OverBodies {
  double high = -HUGE_VAL, sum = 0;
  void add(double x) {
    high = std::max(high, x);
    sum += x;
  }
  double average() const { return sum / static_cast<double>(cases.size()); }
};

Findings evaluate(const Records& records, const ErrorLayout& layout, std::size_t units_of_case,
                  const std::vector<std::int64_t>& samples) {
  const std::size_t trajectories = units_of_case * trajectories_of_unit;
  Findings f;
  constexpr std::array shown{standard, reduced, compensated};
  f.figure.columns = static_cast<int>(shown.size());
  TextTable table{"The energy at the end, in units of eps",
                  {"moments", "initial value", "method", "drift a step", "mean in standard errors", "sigma",
                   "power of the time"},
                  {}};
  std::size_t drifting = 0;
  std::array<OverBodies, method_count> exponents, means, sigmas;
  OverBodies gain;
  for (const char* what : {"standard deviation", "mean, without its sign"})
    for (const std::size_t m : shown)
      f.figure.panels.push_back({.title = fmt::format("{}: {}", names[m], what),
                                 .x_label = "steps",
                                 .y_label = "energy error",
                                 .log_x = true,
                                 .log_y = true});
  constexpr std::array colours{Colour::black, Colour::orange, Colour::sky,
                               Colour::green, Colour::blue,   Colour::vermilion};
  for (std::size_t c = 0; c < cases.size(); ++c) {
    const Vector<double>& i = cases[c].moments;
    const std::string body = fmt::format("{}, {}, {}", i[0], i[1], i[2]);
    std::array<ErrorStatistics, method_count> s;
    for (std::size_t m = 0; m < method_count; ++m) {
      s[m] = statistics_of(records, layout, m, c * units_of_case, units_of_case, samples);
      const double mean = s[m].mean_in_standard_errors(trajectories);
      means[m].add(mean);
      sigmas[m].add(s[m].sigma());
      exponents[m].add(s[m].deviation_exponent());
      table.rows.push_back({body, fmt::format("{}, {}", cases[c].first, cases[c].second), names[m],
                            brief(s[m].drift_per_step() / machine_eps), brief(mean), brief(s[m].sigma()),
                            brief(s[m].deviation_exponent())});
    }
    drifting += s[standard].mean_in_standard_errors(trajectories) > 4 ? 1 : 0;
    gain.add(s[compensated].deviation.back() / s[plain].deviation.back() / step);
    for (std::size_t m = 0; m < shown.size(); ++m) {
      const ErrorStatistics& e = s[shown[m]];
      Curve curve{
          .name = body, .style = {.colour = colours[c], .width = 1.5}, .x = e.steps, .y = e.deviation};
      f.figure.panels[m].curves.push_back(curve);
      for (std::size_t k = 0; k < curve.y.size(); ++k) curve.y[k] = std::abs(e.mean[k]);
      f.figure.panels[shown.size() + m].curves.push_back(std::move(curve));
    }
  }
  const std::string similar = "similar for many initial values and moments";
  // The average is below 1/2 where a part of the error does not accumulate; a drift makes the greatest one 1.
  const auto exponents_claim = [&](std::size_t m, double low, double high) {
    const std::string name = names[m];
    f.claims.push_back(between(name + ": power of the time of the deviation, average over the bodies",
                               similar, exponents[m].average(), low, high)
                           .printed(0.4, 0.6, 1.5));
    f.claims.push_back(at_most(name + ": the greatest such power", similar, exponents[m].high, 0.75)
                           .printed_at_most(0.75, 1));
  };
  f.claims.push_back(at_least("jacobi-standard: bodies, of six, whose mean energy drifts", similar,
                              static_cast<double>(drifting), 6)
                         .printed_at_least(6, 1.01));
  f.claims.push_back(at_most("jacobi-reduced: largest mean, in units of its statistical error", similar,
                             means[reduced].high, 4)
                         .printed_at_most(4, 1));
  exponents_claim(reduced, 0.35, 0.6);
  f.claims.push_back(between("jacobi-reduced: largest sigma, relative to 0.11", similar,
                             sigmas[reduced].high / 0.11, 1.5, 4.5)
                         .printed(0.5, 2));
  exponents_claim(plain, 0.4, 0.6);
  exponents_claim(compensated, 0.35, 0.6);
  f.claims.push_back(at_most("dmv10, compensated: largest deviation relative to the standard one, over h",
                             similar, gain.high, 0.6)
                         .printed_at_most(2));
  f.tables.push_back(std::move(table));
  return f;
}

}  // namespace

static Experiment make_vilmart_bodies(Scale scale) {
  const bool quick = scale == Scale::quick;
  const std::size_t units_of_case = (quick ? 40 : 104) / trajectories_of_unit;
  const std::vector<std::int64_t> samples = sample_steps(quick ? 100'000 : 1'000'000);
  const ErrorLayout layout{method_count, samples.size()};
  Experiment e;
  e.name = "vilmart-bodies";
  e.reference = "[Vil08] section 3.1";
  e.title = "The energy of other bodies from other initial values";
  e.setting =
      "The paper says that many other initial values and moments of inertia gave similar results, without "
      "figures. Six of our choice, on both sides of the separatrix, each with initial values close by.";
  e.parameters = {{"step", fmt::format("{}", step)},
                  {"steps", fmt::format("{}", samples.back())},
                  {"trajectories of each body", fmt::format("{}", units_of_case * trajectories_of_unit)}};
  for (const Case& c : cases)
    e.parameters.emplace_back(
        fmt::format("moments {}, {}, {}", c.moments[0], c.moments[1], c.moments[2]),
        fmt::format("initial values ({}, {}) ± 0.01 in either component, uniformly; norm 1", c.first,
                    c.second));
  e.units = cases.size() * units_of_case;
  e.record_size = layout.record_size();
  e.compute = [=](std::size_t unit, std::span<double> record) {
    compute(cases[unit / units_of_case], unit % units_of_case * trajectories_of_unit, samples, layout,
            record);
  };
  e.evaluate = [=](const Records& records) { return evaluate(records, layout, units_of_case, samples); };
  return e;
}

ExperimentEntry vilmart_bodies() {
  return {"vilmart-bodies", "energy of other bodies: drift and random walk", make_vilmart_bodies};
}

}  // namespace polhode::program::experiments
