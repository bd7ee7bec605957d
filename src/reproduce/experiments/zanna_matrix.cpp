#include <fmt/format.h>

#include <array>
#include <cmath>

#include "polhode/free_motion/frb.hpp"
#include "polhode/free_motion/rotor.hpp"
#include "reproduce/experiment.hpp"
#include "reproduce/experiments/vilmart.hpp"

namespace polhode::program::experiments {

namespace {

constexpr double step = 0.1;
constexpr std::array names{"matrix, products in double", "matrix, products rounded once",
                           "quaternion of norm one"};
constexpr std::array colours{Colour::vermilion, Colour::blue, Colour::black};
enum : std::size_t { product, rounded_once, quaternion, way_count };
enum : std::size_t { orthogonality, momentum, quantity_count };
constexpr std::size_t numbers = std::size_t{way_count} * std::size_t{quantity_count};

std::size_t quantity_of(std::size_t way, std::size_t quantity) { return way * quantity_count + quantity; }

/// The Frobenius norm of Q^T Q - 1.
double loss_of_orthogonality(const Matrix<DoubleDouble>& q) {
  const Matrix<DoubleDouble> product = transpose(q) * q;
  double squares = 0;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      const double x = static_cast<double>(product[i][j] - DoubleDouble(i == j ? 1 : 0));
      squares += x * x;
    }
  return std::sqrt(squares);
}

Matrix<DoubleDouble> wide(const Matrix<double>& m) {
  Matrix<DoubleDouble> result;
  for (std::size_t i = 0; i < 3; ++i) result[i] = convert<DoubleDouble>(m[i]);
  return result;
}

/// Q R with R the rotation r, each row rounded once, as frb_step of the C interface has it.
Matrix<double> turned(const Matrix<double>& q, const Quaternion<double>& r) {
  const Quaternion<DoubleDouble> back = conjugate(convert<DoubleDouble>(r));
  Matrix<double> result;
  for (std::size_t i = 0; i < 3; ++i) result[i] = convert<double>(rotate(back, convert<DoubleDouble>(q[i])));
  return result;
}

void compute(std::size_t unit, const std::vector<std::int64_t>& samples, const ErrorLayout& layout,
             std::span<double> record) {
  const FrbMatrix<double> method{Inertia<double>(water_moments)};
  for (std::size_t i = 0; i < trajectories_of_unit; ++i) {
    const State<double> initial = near_vilmart(unit * trajectories_of_unit + i);
    Vector<double> m = initial.momentum;
    Matrix<double> by_product = Matrix<double>::identity(), once = by_product;
    Quaternion<double> q;
    const auto note = [&](std::size_t way, std::size_t sample, const Matrix<DoubleDouble>& attitude) {
      const Vector<DoubleDouble> spatial = attitude * convert<DoubleDouble>(m);
      double squares = 0;
      for (std::size_t k = 0; k < 3; ++k)
        squares += square(static_cast<double>(spatial[k] - DoubleDouble(initial.momentum[k])));
      record[layout.at(i, quantity_of(way, orthogonality), sample)] = loss_of_orthogonality(attitude);
      record[layout.at(i, quantity_of(way, momentum), sample)] = std::sqrt(squares);
    };
    std::int64_t done = 0;
    for (std::size_t s = 0; s < samples.size(); ++s) {
      for (; done < samples[s]; ++done) {
        const MatrixDisplacement<double> next = method.matrix_displacement(m, step);
        const Quaternion<double> r = method.displacement(m, step).attitude;
        by_product = by_product * next.rotation;
        once = turned(once, r);
        q = normalized(q * r);
        m = next.momentum;
      }
      note(product, s, wide(by_product));
      note(rounded_once, s, wide(once));
      note(quaternion, s, to_matrix(convert<DoubleDouble>(q)));
      stop_if_interrupted();
    }
  }
}

Findings evaluate(const Records& records, const ErrorLayout& layout,
                  const std::vector<std::int64_t>& samples) {
  Findings f;
  f.figure.columns = 2;
  f.figure.panels = {
      {.title = "|Q^T Q - 1|, average", .x_label = "steps", .y_label = "error", .log_x = true, .log_y = true},
      {.title = "|Q m - Q_0 m_0|, average",
       .x_label = "steps",
       .y_label = "error",
       .log_x = true,
       .log_y = true}};
  std::array<ErrorStatistics, numbers> s;
  for (std::size_t way = 0; way < way_count; ++way)
    for (std::size_t quantity = 0; quantity < quantity_count; ++quantity) {
      ErrorStatistics& of = s[quantity_of(way, quantity)];
      of = statistics_of(records, layout, quantity_of(way, quantity), 0, records.units(), samples);
      f.figure.panels[quantity].curves.push_back(
          {.name = names[way], .style = {.colour = colours[way], .width = 2}, .x = of.steps, .y = of.mean});
    }
  const std::string ours = "(not in the paper)";
  const ErrorStatistics &loss = s[quantity_of(product, orthogonality)],
                        &once = s[quantity_of(rounded_once, orthogonality)],
                        &norm_one = s[quantity_of(quaternion, orthogonality)];
  f.claims = {
      between("products in double: the loss of orthogonality grows with this power of the time", ours,
              loss.mean_exponent(), 0.9, 1.1),
      between("products in double: loss of orthogonality a step", ours, loss.drift_per_step() / machine_eps,
              0.9, 1.2, "eps"),
      between("products rounded once: the loss of orthogonality grows with this power of the time", ours,
              once.mean_exponent(), 0.3, 0.7),
      at_most("products rounded once: loss of orthogonality at the end, over eps √N", ours,
              once.mean.back() / (machine_eps * std::sqrt(once.steps.back())), 0.8),
      at_most("quaternion of norm one: largest loss of orthogonality", ours, largest_size(norm_one.largest),
              1e-30),
      at_least(
          "error of Q m with products in double, relative to that with products rounded once", ours,
          s[quantity_of(product, momentum)].mean.back() / s[quantity_of(rounded_once, momentum)].mean.back(),
          10)};
  return f;
}

}  // namespace

static Experiment make_zanna_matrix(Scale scale) {
  const bool quick = scale == Scale::quick;
  const std::size_t trajectories = quick ? 16 : 48;
  const std::vector<std::int64_t> samples = sample_steps(quick ? 10'000 : 300'000);
  const ErrorLayout layout{numbers, samples.size()};
  Experiment e;
  e.name = "zanna-matrix";
  e.reference = "[CZ08] Algorithm 1";
  e.title = "An attitude that is carried as a matrix loses its orthogonality";
  e.setting =
      "Algorithm 1 of the paper updates a 3 by 3 matrix, Q <- Q R with R from (6); the paper does not say "
      "what becomes of Q^T Q = 1. "
      "Three ways to carry the attitude: the product in double, as printed; the product rounded once, as "
      "frb_step of the C interface "
      "has it; a quaternion that is normalised in each step, as frb-matrix has it.";
  e.parameters = {{"moments of inertia", "0.345, 0.653, 1"},
                  {"step", fmt::format("{}", step)},
                  {"steps", fmt::format("{}", samples.back())},
                  {"trajectories", fmt::format("{}", trajectories)},
                  {"initial values", "(0.5, 0.2) ± 0.01 in either component, uniformly; norm 1"}};
  e.units = trajectories / trajectories_of_unit;
  e.record_size = layout.record_size();
  e.compute = [=](std::size_t unit, std::span<double> record) { compute(unit, samples, layout, record); };
  e.evaluate = [=](const Records& records) { return evaluate(records, layout, samples); };
  return e;
}

ExperimentEntry zanna_matrix() {
  return {"zanna-matrix", "the attitude as a matrix: loss of orthogonality", make_zanna_matrix};
}

}  // namespace polhode::program::experiments
