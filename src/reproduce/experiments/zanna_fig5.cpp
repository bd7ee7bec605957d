#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "polhode/free_motion/exact.hpp"
#include "polhode/free_motion/frb.hpp"
#include "polhode/free_motion/rotor.hpp"
#include "reproduce/experiment.hpp"
#include "reproduce/experiments/taylor_reference.hpp"
#include "work/random.hpp"
#include "work/statistics.hpp"

namespace polhode::program::experiments {

namespace {

constexpr double step = 1;
constexpr std::array names{"frb-matrix", "frb-quaternion", "exact (ours)", "semi-exact, 5 Gauss nodes",
                           "semi-exact, Hermite, 5 coefficients"};
enum : std::size_t { matrix, quaternion, exact, gauss, hermite, method_count };

/// Half of the medians that were found of the semi-exact methods.
constexpr std::array lowest_median{1.8e-12, 2.5e-10};

/// x = I1/I3 in (0, 1), y = I2/I3 in (1/2, 1), at the centres of the cells.
struct Grid {
  std::size_t columns, rows;
  std::size_t initial_values;

  double x(std::size_t i) const { return (static_cast<double>(i) + 0.5) / static_cast<double>(columns); }
  double y(std::size_t j) const {
    return 0.5 + 0.5 * (static_cast<double>(j) + 0.5) / static_cast<double>(rows);
  }
  bool inside(std::size_t i, std::size_t j) const { return 1 - y(j) <= x(i) && x(i) < y(j); }
};

/// The 2-norm of the error of momentum and attitude, the latter up to its sign.
template <class Method, Summation summation>
double error_of(const Body<double>& body, const Vector<double>& momentum, const TopState& truth,
                const typename Method::Options& options = {}) {
  Rotor<Method, summation> rotor(body, {momentum, Quaternion<double>()}, options);
  rotor.advance(step, 1);
  const State<double> s = rotor.state();
  double of_momentum = 0, same = 0, opposite = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const double d = static_cast<double>(DoubleDouble(s.momentum[i]) - truth.momentum[i]);
    of_momentum += d * d;
  }
  for (std::size_t i = 0; i < 4; ++i) {
    const double d = static_cast<double>(DoubleDouble(s.attitude[i]) - truth.attitude[i]);
    const double o = static_cast<double>(DoubleDouble(s.attitude[i]) + truth.attitude[i]);
    same += d * d;
    opposite += o * o;
  }
  return std::sqrt(of_momentum + std::min(same, opposite));
}

/// A row of the grid: the average logarithm of the error for each cell and method; not a number outside the triangle.
void compute(std::size_t row, const Grid& grid, std::span<double> record) {
  for (std::size_t i = 0; i < grid.columns; ++i) {
    double* const cell = &record[i * method_count];
    std::fill(cell, cell + method_count, grid.inside(i, row) ? 0.0 : std::nan(""));
    if (!grid.inside(i, row)) continue;
    const Vector<double> moments{{grid.x(i), grid.y(row), 1}};
    const Body<double> body(moments);
    Random random(row * grid.columns + i);
    for (std::size_t k = 0; k < grid.initial_values; ++k) {
      stop_if_interrupted();
      Vector<double> m{{random.uniform(0, 1), random.uniform(0, 1), random.uniform(0, 1)}};
      m = (1 / norm(m)) * m;
      const TopState truth = taylor_reference(moments, m, {}, DoubleDouble(step));
      constexpr auto plain = Summation::plain;
      const std::array errors{
          error_of<FrbMatrix<double>, plain>(body, m, truth),
          error_of<FrbQuaternion<double>, plain>(body, m, truth),
          error_of<Exact<double>, Summation::compensated>(body, m, truth),
          error_of<FrbQuaternion<double>, plain>(body, m, truth, {5, Frame::automatic, 0}),
          error_of<FrbQuaternion<double>, plain>(body, m, truth, {0, Frame::automatic, 5})};
      for (std::size_t method = 0; method < method_count; ++method)
        cell[method] +=
            std::log10(std::max(errors[method], 1e-17)) / static_cast<double>(grid.initial_values);
    }
  }
}

}  // namespace

static Experiment make_zanna_fig5(Scale scale) {
  const Grid grid = scale == Scale::quick ? Grid{50, 25, 5} : Grid{100, 50, 20};
  Experiment e;
  e.name = "zanna-fig5";
  e.reference = "[CZ08] figure 5";
  e.title = "Average error of the exact methods over the triangle of inertias, one step h = 1";
  e.setting =
      "For each point of the triangle, problems with the momentum of norm one in the first octant; the "
      "average of the "
      "decimal logarithm of the error of momentum and attitude. The reference is a Taylor series in "
      "double-double, which, "
      "unlike the paper's, is reliable in the corner of small I₁ too. Added here: our exact flow, and two "
      "semi-exact methods, "
      "by quaternions, whose errors are those of their quadrature.";
  e.parameters = {{"grid", fmt::format("{} by {} cells", grid.columns, grid.rows)},
                  {"initial values at each point", fmt::format("{}", grid.initial_values)},
                  {"step", "1"},
                  {"error", "2-norm of the errors of momentum and unit quaternion"}};
  e.units = grid.rows;
  e.record_size = grid.columns * method_count;
  e.compute = [=](std::size_t unit, std::span<double> record) { compute(unit, grid, record); };
  e.evaluate = [=](const Records& records) {
    Findings f;
    f.figure.columns = 3;
    std::array<std::vector<double>, method_count> values;
    for (std::size_t m = 0; m < method_count; ++m) {
      Panel p{.title = names[m],
              .x_label = "I1/I3",
              .y_label = "I2/I3",
              .x_range = {{0, 1}},
              .y_range = {{0.5, 1}},
              .z_label = "average log10 of the error",
              .z_range = {-16.5, m < gauss ? -14.0 : -4.0},
              .map_cell = 1.0 / static_cast<double>(grid.columns)};
      Curve c{.name = names[m]};
      for (std::size_t j = 0; j < grid.rows; ++j)
        for (std::size_t i = 0; i < grid.columns; ++i)
          if (grid.inside(i, j)) {
            c.x.push_back(grid.x(i));
            c.y.push_back(grid.y(j));
            c.z.push_back(records[j][i * method_count + m]);
            values[m].push_back(c.z.back());
          }
      p.curves = {std::move(c)};
      f.figure.panels.push_back(std::move(p));
    }
    for (std::size_t m = 0; m < method_count; ++m) {
      std::sort(values[m].begin(), values[m].end());
      const double good = static_cast<double>(std::upper_bound(values[m].begin(), values[m].end(), -15.0) -
                                              values[m].begin()) /
                          static_cast<double>(values[m].size());
      const std::string name = names[m];
      const double median = std::pow(10, values[m][values[m].size() / 2]),
                   worst = std::pow(10, values[m].back());
      const std::string median_text = name + ": average error, median over the triangle",
                        worst_text = name + ": the same, worst point of the triangle";
      if (m == exact) {
        // A step beyond half a radian, as this one is everywhere, has a phase in the precision of double (docs/exact-flow.md).
        f.claims.push_back(at_most(median_text, "(not in the paper)", median, 1.3e-16));
        f.claims.push_back(at_most(worst_text, "(not in the paper)", worst, 2.5e-16));
      } else if (m >= gauss) {
        f.claims.push_back(between(median_text, "(not in the paper)", median, lowest_median[m - gauss],
                                   4 * lowest_median[m - gauss]));
      } else {
        f.claims.push_back(at_least(name + ": part of the triangle with an average error of at most 1e-15",
                                    "order of machine accuracy for large portions (read: at least half)",
                                    good, 0.97)
                               .printed_at_least(0.5));
        f.claims.push_back(at_most(median_text, "order of machine accuracy (read: 1e-15)", median, 3e-16)
                               .printed_at_most(1e-15));
        f.claims.push_back(at_most(worst_text, "(not in the paper)", worst, 1e-14));
      }
    }
    return f;
  };
  return e;
}

ExperimentEntry zanna_fig5() {
  return {"zanna-fig5", "exact methods: digits over the triangle of inertias", make_zanna_fig5};
}

}  // namespace polhode::program::experiments
