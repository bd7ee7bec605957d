// The common tools of experiments and ensembles: statistics of an ensemble, the clock.
#pragma once

#include <chrono>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

namespace polhode::program {

struct Moments {
  double mean = 0, deviation = 0;
};

inline Moments moments_of(std::span<const double> sample) {
  const double n = static_cast<double>(sample.size());
  const double mean = std::accumulate(sample.begin(), sample.end(), 0.0) / n;
  double squares = 0;
  for (const double x : sample) squares += (x - mean) * (x - mean);
  return {mean, std::sqrt(squares / std::max(n - 1, 1.0))};
}

/// The exponent p of y ~ x^p, by least squares over the logarithms.
inline double growth_exponent(std::span<const double> x, std::span<const double> y) {
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  const double n = static_cast<double>(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double a = std::log(x[i]), b = std::log(std::abs(y[i]));
    sx += a;
    sy += b;
    sxx += a * a;
    sxy += a * b;
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

inline double largest_size(std::span<const double> values) {
  double largest = 0;
  for (const double x : values) {
    if (std::isnan(x)) return x;
    largest = std::max(largest, std::abs(x));
  }
  return largest;
}

/// The smallest time of a piece of work, in seconds: the machine may have others to serve. prepare() is not counted.
template <class Prepare, class Work>
double smallest_seconds(int most, double budget, Prepare&& prepare, Work&& work) {
  using Clock = std::chrono::steady_clock;
  double best = std::numeric_limits<double>::infinity(), total = 0;
  for (int i = 0; i < most && (i < 3 || total < budget); ++i) {
    auto subject = prepare();
    const auto start = Clock::now();
    work(subject);
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    best = std::min(best, seconds);
    total += seconds;
  }
  return best;
}

}  // namespace polhode::program
