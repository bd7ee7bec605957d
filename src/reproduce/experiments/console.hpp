// The common part of the experiments of [CH13]: energy errors of an ensemble over a long time, on logarithmic axes.
#pragma once

#include <array>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "reproduce/experiment.hpp"
#include "work/statistics.hpp"

namespace polhode::program::experiments {

/// Sample times at equal ratios, ten a decade, in steps.
std::vector<std::int64_t> logarithmic_samples(std::int64_t first, std::int64_t last);

/// One way to integrate: writes the energy errors of one trajectory at the samples and returns the evaluations of g.
struct Variant {
  std::string name;
  Style style;
  std::function<double(std::size_t trajectory, const std::vector<std::int64_t>& samples,
                       std::span<double> errors)>
      run;
};

/// The root mean square over the trajectories, and how it grows.
struct Growth {
  std::vector<double> time, size;
  double evaluations_per_step = 0;
  std::size_t trajectories = 1;

  double largest() const { return largest_size(size); }
  /// The power of the time, from the middle of the logarithmic axis on.
  double exponent() const {
    const std::size_t half = time.size() / 2;
    return growth_exponent(std::span(time).subspan(half), std::span(size).subspan(half));
  }
  /// The same over the last factor of 20.
  double late_exponent() const { return growth_exponent(std::span(time).last(14), std::span(size).last(14)); }
  /// Twice the standard deviation of exponent() for as many random walks, sampled alike: found by simulation, to a tenth.
  double scatter_of_walks() const {
    const double decades = std::log10(time.back() / time[time.size() / 2]);
    return 2 * 0.48 / (std::sqrt(static_cast<double>(trajectories)) * decades);
  }
};

/// The power of the time with which an error grows: as printed where it is a random walk's, 1/2, as far as so few trajectories tell.
Claim grows_as_walk(const std::string& what, const std::string& paper, const Growth& growth, double low,
                    double high);
/// The same where the paper says "not worse than" that.
Claim grows_no_worse_than_walk(const std::string& what, const std::string& paper, const Growth& growth,
                               double high);

struct ConsoleSetting {
  double step;
  std::int64_t steps;
  std::size_t trajectories;
  std::vector<Variant> variants;
  /// Numbers beside the curves, which have a unit of their own: the time of each variant relative to the first, say; may be empty.
  std::function<std::vector<double>()> further;
  std::size_t further_count = 0;
  std::string further_head{};  ///< of the table, where there is one of these numbers for each variant
  std::function<std::vector<Claim>(const std::vector<Growth>&, const std::vector<double>& further)> judge;
};

/// Fills in units, records and evaluation.
void prepare(Experiment& experiment, const ConsoleSetting& setting);

/// Energy errors of a motion that can advance() and knows its energy().
template <class Motion>
double energy_growth(Motion&& motion, const std::vector<std::int64_t>& samples, std::span<double> errors) {
  const auto start = motion.energy();
  std::int64_t done = 0;
  for (std::size_t s = 0; s < samples.size(); ++s) {
    while (done < samples[s]) {
      const std::int64_t part = std::min<std::int64_t>(samples[s] - done, 100'000);
      motion.advance(part);
      done += part;
      stop_if_interrupted();
    }
    errors[s] = static_cast<double>(motion.energy() - start);
  }
  return static_cast<double>(motion.evaluations().constraint);
}

}  // namespace polhode::program::experiments
