// The common part of figures 1 and 2 of [Vil08]: an ensemble of water molecules near one initial value.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "polhode/body/body.hpp"
#include "reproduce/experiment.hpp"
#include "work/random.hpp"
#include "work/statistics.hpp"

namespace polhode::program::experiments {

inline constexpr double machine_eps = 0x1p-52;
inline constexpr Vector<double> water_moments{{0.345, 0.653, 1.0}};
/// Trajectories of one unit of work: a few packs of the batch kernel.
inline constexpr std::size_t trajectories_of_unit = 8;

/// An initial value of norm one whose first two components are next to these, off by up to 0.01.
inline State<double> initial_value_near(double first, double second, std::size_t trajectory) {
  Random random(trajectory);
  const double y1 = first + random.uniform(-0.01, 0.01), y2 = second + random.uniform(-0.01, 0.01);
  return {{{y1, y2, std::sqrt(1 - y1 * y1 - y2 * y2)}}, Quaternion<double>()};
}

/// Next to [Vil08 (4)].
inline State<double> near_vilmart(std::size_t trajectory) { return initial_value_near(0.5, 0.2, trajectory); }

/// After which steps there is a sample: a hundred times at equal distances, and before the first of them at equal ratios.
inline std::vector<std::int64_t> sample_steps(std::int64_t steps) {
  std::vector<std::int64_t> result;
  for (std::int64_t early = 64; early < steps / 100; early *= 2) result.push_back(early);
  for (std::int64_t i = 1; i <= 100; ++i) result.push_back(steps * i / 100);
  return result;
}

/// Follows one trajectory under a map of the momentum: at each sample note(sample, momentum).
template <class Map, class Note>
void follow_map(Vector<double> y, const std::vector<std::int64_t>& samples, Map&& map, Note&& note) {
  std::int64_t done = 0;
  for (std::size_t s = 0; s < samples.size(); ++s) {
    for (; done < samples[s]; ++done) y = map(y);
    note(s, y);
    stop_if_interrupted();
  }
}

/// C(y) = |y|^2/2.
inline DoubleDouble casimir(const Vector<DoubleDouble>& y) { return dot(y, y) / DoubleDouble(2); }

/// Some errors of some trajectories at the sample times, as a record keeps them.
struct ErrorLayout {
  std::size_t quantities;
  std::size_t samples;

  std::size_t record_size() const { return trajectories_of_unit * quantities * samples; }
  std::size_t at(std::size_t trajectory, std::size_t quantity, std::size_t sample) const {
    return (trajectory * quantities + quantity) * samples + sample;
  }
};

/// The errors of one quantity over many trajectories.
struct ErrorStatistics {
  std::vector<double> steps, mean, deviation, largest;
  /// The deviation without the twentieth part of the trajectories that is farthest from the mean.
  std::vector<double> spread;

  double drift_per_step() const { return mean.back() / steps.back(); }
  double sigma() const { return deviation.back() / (machine_eps * std::sqrt(steps.back())); }
  double deviation_exponent() const { return growth_exponent(tail(steps), tail(deviation)); }
  double mean_exponent() const { return growth_exponent(tail(steps), tail(mean)); }
  double spread_exponent() const { return growth_exponent(tail(steps), tail(spread)); }
  /// The mean in units of what chance makes of it.
  double mean_in_standard_errors(std::size_t trajectories) const {
    return std::abs(mean.back()) / (deviation.back() / std::sqrt(static_cast<double>(trajectories)));
  }

 private:
  /// From a tenth of the time on.
  static std::span<const double> tail(const std::vector<double>& v) { return std::span(v).last(91); }
};

inline ErrorStatistics statistics_of(const Records& records, const ErrorLayout& layout, std::size_t quantity,
                                     std::size_t first_unit, std::size_t units,
                                     const std::vector<std::int64_t>& steps) {
  ErrorStatistics result;
  std::vector<double> sample(units * trajectories_of_unit);
  for (std::size_t s = 0; s < steps.size(); ++s) {
    for (std::size_t i = 0; i < sample.size(); ++i)
      sample[i] =
          records[first_unit + i / trajectories_of_unit][layout.at(i % trajectories_of_unit, quantity, s)];
    const Moments m = moments_of(sample);
    result.steps.push_back(static_cast<double>(steps[s]));
    result.mean.push_back(m.mean);
    result.deviation.push_back(m.deviation);
    result.largest.push_back(largest_size(sample));
    std::sort(sample.begin(), sample.end(),
              [&](double x, double y) { return std::abs(x - m.mean) < std::abs(y - m.mean); });
    result.spread.push_back(
        moments_of(std::span(sample).first(sample.size() - sample.size() / 20)).deviation);
  }
  return result;
}

/// The panel of one quantity as the paper draws it: trajectories faint, mean and standard deviation bold.
Panel ensemble_panel(const std::string& title, const Records& records, const ErrorLayout& layout,
                     std::size_t quantity, const ErrorStatistics& statistics, double step,
                     std::size_t trajectories);

/// y = y0 (x/x0)^exponent, dashed.
Curve guide(const std::string& name, double x0, double y0, double x1, double exponent);

}  // namespace polhode::program::experiments
