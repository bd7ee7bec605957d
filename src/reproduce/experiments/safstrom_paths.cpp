// Figures 6 and 7 of [CS06]: energy and path of a heavy top for three steps.
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "reproduce/experiment.hpp"
#include "reproduce/experiments/projection.hpp"
#include "reproduce/experiments/top.hpp"
#include "work/statistics.hpp"

namespace polhode::program::experiments {

namespace {

constexpr Top top{{{1, 5, 6}}, {{10, 10, 10}}, true};
constexpr double end = 100;
constexpr std::array step_sizes{0.01, 0.05, 0.1};
constexpr std::array methods{"sej", "mr", "aba-8-6-4", "strang-exact"};
enum : std::size_t { sej, mr, aba, strang_exact };
/// The true path comes from aba-8-6-4 with a hundredth of the largest step, whose energy is right to 2e-15.
constexpr double true_step = 0.001;
constexpr std::int64_t samples = 10000;
/// Paths on the unit sphere that are nowhere farther than this apart have the same shape, others have not.
constexpr double other_shape = 0.5;
constexpr std::size_t true_path = methods.size() * step_sizes.size();
/// One more unit: as many steps of 0.01 forward as back, which is nothing for a symmetric method.
constexpr std::size_t there_and_back = true_path + 1;
constexpr std::int64_t steps_there = 1000;

std::size_t unit_of(std::size_t method, std::size_t step) { return method * step_sizes.size() + step; }
std::size_t points_of(std::size_t step) {
  return static_cast<std::size_t>(std::lround(end / step_sizes[step]));
}

/// The distance from the beginning, for each method, and for RK4, which is not symmetric.
void compute_there_and_back(std::span<double> record) {
  for (std::size_t m = 0; m <= methods.size(); ++m) {
    const auto motion = make_top_motion(m < methods.size() ? methods[m] : "rk4", top);
    const Vector<double> w = motion->angular_velocity(), u = motion->vertical();
    motion->advance(step_sizes[0], steps_there);
    motion->advance(-step_sizes[0], steps_there);
    record[m] = std::hypot(norm(motion->angular_velocity() - w), norm(motion->vertical() - u));
  }
}

/// Energy error and vertical after each step.
void compute(std::size_t unit, std::span<double> record) {
  if (unit == there_and_back) return compute_there_and_back(record);
  const bool truth = unit == true_path;
  const double h = truth ? true_step : step_sizes[unit % step_sizes.size()];
  const std::int64_t stride = truth ? std::lround(end / true_step) / samples : 1;
  const std::size_t count = truth ? samples : points_of(unit % step_sizes.size());
  const auto motion = make_top_motion(truth ? "aba-8-6-4" : methods[unit / step_sizes.size()], top);
  for (std::size_t i = 0; i < count; ++i) {
    motion->advance(h, stride);
    const Vector<double> u = motion->vertical();
    record[4 * i] = motion->energy_error();
    for (std::size_t j = 0; j < 3; ++j) record[4 * i + 1 + j] = u[j];
    if (i % 1000 == 0) stop_if_interrupted();
  }
}

Vector<double> vertical(std::span<const double> record, std::size_t i) {
  return {{record[4 * i + 1], record[4 * i + 2], record[4 * i + 3]}};
}

double largest_energy_error(std::span<const double> record, std::size_t count) {
  double largest = 0;
  for (std::size_t i = 0; i < count; ++i) largest = std::max(largest, std::abs(record[4 * i]));
  return largest;
}

/// How far a point of the path is from the true path, wherever that passes: the largest such distance. The phase along the
/// path does not count, its shape does.
double distance_from_truth(std::span<const double> record, std::size_t count, std::span<const double> truth) {
  double largest = 0;
  const std::size_t stride = std::max<std::size_t>(1, count / 1000);
  for (std::size_t i = 0; i < count; i += stride) {
    const Vector<double> p = vertical(record, i);
    double nearest = 4;
    Vector<double> a = vertical(truth, 0);
    for (std::size_t j = 1; j < static_cast<std::size_t>(samples); ++j) {
      const Vector<double> b = vertical(truth, j), way = b - a, from = p - a;
      const double t = std::clamp(dot(from, way) / dot(way, way), 0.0, 1.0);
      const Vector<double> gap = from - t * way;
      nearest = std::min(nearest, dot(gap, gap));
      a = b;
    }
    largest = std::max(largest, std::sqrt(nearest));
  }
  return largest;
}

double lowest(std::span<const double> record, std::size_t count) {
  double low = 1;
  for (std::size_t i = 0; i < count; ++i) low = std::min(low, record[4 * i + 3]);
  return low;
}

Figure figure_of(const Records& records, std::size_t method) {
  Figure figure{.columns = 3};
  for (std::size_t s = 0; s < step_sizes.size(); ++s) {
    Panel p{.title = fmt::format("{}, h = {}", methods[method], step_sizes[s]),
            .x_label = "time",
            .y_label = "energy error"};
    for (const std::size_t m : {method, std::size_t{strang_exact}, std::size_t{aba}}) {
      if (m == strang_exact && method != sej) continue;
      Curve c{.name = methods[m], .style = method_style(methods[m])};
      c.style.width = m == aba ? 1.5 : 0.6;
      const std::size_t stride = std::max<std::size_t>(1, points_of(s) / 2500);
      for (std::size_t i = 0; i < points_of(s); i += stride) {
        c.x.push_back(static_cast<double>(i + 1) * step_sizes[s]);
        c.y.push_back(records[unit_of(m, s)][4 * i]);
      }
      p.curves.push_back(std::move(c));
    }
    figure.panels.push_back(std::move(p));
  }
  const Projection view(25, 20);
  for (std::size_t s = 0; s < step_sizes.size(); ++s) {
    Panel p{.title = fmt::format("path of the centre of mass, h = {}", step_sizes[s]),
            .x_label = "",
            .y_label = "",
            .equal_axes = true,
            .legend = false,
            .x_range = {{-1.05, 1.05}},
            .y_range = {{-1.05, 1.05}}};
    Curve c{.name = methods[method], .style = method_style(methods[method])};
    c.style.width = 0.35;
    view.append(c, {{0, 0, 1}});
    for (std::size_t i = 0; i < points_of(s); ++i) view.append(c, vertical(records[unit_of(method, s)], i));
    p.curves = {sphere_outline(), std::move(c)};
    figure.panels.push_back(std::move(p));
  }
  return figure;
}

Experiment path_experiment(std::size_t method) {
  Experiment e;
  e.name = method == sej ? "safstrom-fig6" : "safstrom-fig7";
  e.reference = method == sej ? "[CS06] figure 6" : "[CS06] figure 7";
  e.title = fmt::format("Heavy top by {}: energy and path for three steps", method == sej ? "SEJ" : "MR");
  e.setting =
      "The centre of mass is drawn as in the paper, by u = Qᵀu₀, seen from one side of the unit sphere. What "
      "is asked of a "
      "path is its shape: how far its points are from the true path, wherever that passes. Added here: SEJ "
      "with "
      "the exact attitude, and aba-8-6-4.";
  e.parameters = {{"moments of inertia", "1, 5, 6"},
                  {"angular velocity", "10, 10, 10"},
                  {"interval", "[0, 100]"},
                  {"steps", "0.01, 0.05, 0.1"},
                  {"methods", fmt::format("{}", fmt::join(methods, ", "))},
                  {"true path", "aba-8-6-4 with h = 0.001"},
                  {"there and back", fmt::format("{} steps of 0.01 each way", steps_there)}};
  e.units = there_and_back + 1;
  e.record_size = 4 * static_cast<std::size_t>(samples);
  e.compute = compute;
  return e;
}

}  // namespace

namespace {

/// Largest energy error with a step, relative to that with another step or by another method.
double energy_ratio(const Records& records, std::size_t method, std::size_t step, std::size_t other_method,
                    std::size_t other_step) {
  return largest_energy_error(records[unit_of(method, step)], points_of(step)) /
         largest_energy_error(records[unit_of(other_method, other_step)], points_of(other_step));
}

}  // namespace

static Experiment make_safstrom_fig6(Scale) {
  Experiment e = path_experiment(sej);
  e.evaluate = [](const Records& records) {
    Findings f;
    f.figure = figure_of(records, sej);
    constexpr std::array distances{0.01, 0.06, 0.28}, ratios{0.13, 0.09, 0.0027};
    constexpr std::array growths{26.4, 5.28};
    for (std::size_t s = 0; s < step_sizes.size(); ++s)
      f.claims.push_back(
          at_most(fmt::format("SEJ, h = {}: distance of the path from the true one", step_sizes[s]),
                  "the same qualitative behaviour",
                  distance_from_truth(records[unit_of(sej, s)], points_of(s), records[true_path]),
                  distances[s])
              .printed_at_most(other_shape, 1));
    for (std::size_t s = 0; s < step_sizes.size(); ++s) {
      const Claim c = at_most(fmt::format("h = {}: energy error of SEJ relative to MR's", step_sizes[s]),
                              s == 0 ? "a factor 1e-1 smaller" : "consistently smaller",
                              energy_ratio(records, sej, s, mr, s), ratios[s]);
      f.claims.push_back(s == 0 ? c.printed(0.05, 0.2) : c.printed_at_most(1, 1));
    }
    for (std::size_t s = 1; s < step_sizes.size(); ++s)
      f.claims.push_back(between(fmt::format("SEJ: energy error with h = {} relative to that with h = {}",
                                             step_sizes[s], step_sizes[s - 1]),
                                 "the amplitude increases", energy_ratio(records, sej, s, sej, s - 1),
                                 0.95 * growths[s - 1], 1.05 * growths[s - 1])
                             .printed_at_least(1, 1));
    f.claims.push_back(at_most("SEJ: distance from the beginning after 1000 steps forward and 1000 back",
                               "symmetric", records[there_and_back][sej], 2e-14)
                           .printed_at_most(1e-12, 1));
    f.claims.push_back(at_least("RK4: the same, a method that is not symmetric", "(not printed)",
                                records[there_and_back][methods.size()], 1e-5));
    f.claims.push_back(between("SEJ with the exact attitude (ours), h = 0.01: energy error relative to SEJ's",
                               "(not in the paper)", energy_ratio(records, strang_exact, 0, sej, 0), 0.8,
                               0.83));
    f.claims.push_back(at_most("aba-8-6-4 (ours), h = 0.1: energy error relative to SEJ's with h = 0.01",
                               "(not in the paper)", energy_ratio(records, aba, 2, sej, 0), 0.02));
    return f;
  };
  return e;
}

static Experiment make_safstrom_fig7(Scale) {
  Experiment e = path_experiment(mr);
  e.evaluate = [](const Records& records) {
    Findings f;
    f.figure = figure_of(records, mr);
    const auto distance = [&](std::size_t s) {
      return distance_from_truth(records[unit_of(mr, s)], points_of(s), records[true_path]);
    };
    double squares = 0, largest = 0, to_ten = 0;
    for (std::size_t i = 0; i < points_of(0); ++i) {
      const Vector<double> gap = vertical(records[unit_of(sej, 0)], i) - vertical(records[unit_of(mr, 0)], i);
      squares += dot(gap, gap);
      largest = std::max(largest, norm(gap));
      if (i < points_of(0) / 10) to_ten = largest;
    }
    f.claims = {at_most("MR, h = 0.01: distance of the path from the true one", "similar to SEJ's",
                        distance(0), 0.015)
                    .printed_at_most(0.1, 1),
                between("h = 0.01: |u_SEJ - u_MR|, root of the mean square over the interval", "O(1e-1)",
                        std::sqrt(squares / static_cast<double>(points_of(0))), 0.32, 0.36)
                    .printed(0.1, 1),
                at_least("MR, h = 0.1: distance of the path from the true one", "completely different",
                         distance(2), 1.1)
                    .printed_at_least(other_shape, 1),
                at_most("MR, h = 0.1: lowest u3, where the true path does not go below -0.246",
                        "completely different", lowest(records[unit_of(mr, 2)], points_of(2)), -0.99)
                    .printed_as(lowest(records[unit_of(mr, 2)], points_of(2)) < -0.5),
                between("MR: energy error with h = 0.05 relative to that with h = 0.01",
                        "the amplitude increases", energy_ratio(records, mr, 1, mr, 0), 38, 41)
                    .printed_at_least(1, 1),
                between("MR: energy error with h = 0.1 relative to that with h = 0.05",
                        "the amplitude increases", energy_ratio(records, mr, 2, mr, 1), 170, 185)
                    .printed_at_least(1, 1),
                between("h = 0.01: |u_SEJ - u_MR|, the largest over [0, 100]", "(the norm is not named)",
                        largest, 0.9, 1),
                between("h = 0.01: |u_SEJ - u_MR|, the largest over [0, 10]", "(the norm is not named)",
                        to_ten, 0.095, 0.105),
                between("the lowest u3 of the true path", "(not in the paper)",
                        lowest(records[true_path], samples), -0.247, -0.245)};
    return f;
  };
  return e;
}

ExperimentEntry safstrom_fig6() {
  return {"safstrom-fig6", "heavy top by SEJ: energy and path for three steps", make_safstrom_fig6};
}

ExperimentEntry safstrom_fig7() {
  return {"safstrom-fig7", "heavy top by MR: energy and path for three steps", make_safstrom_fig7};
}

}  // namespace polhode::program::experiments
