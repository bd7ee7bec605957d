// The power of the time with which an error grows.
#pragma once

#include <cmath>
#include <span>

namespace polhode::reference {

/// Fits log(size) = a + b log(time) by least squares and returns b.
inline double growth(std::span<const double> times, std::span<const double> sizes) {
  double x = 0, y = 0, xx = 0, xy = 0;
  const auto count = static_cast<double>(times.size());
  for (std::size_t i = 0; i < times.size(); ++i) {
    const double u = std::log(times[i]), v = std::log(sizes[i]);
    x += u;
    y += v;
    xx += u * u;
    xy += u * v;
  }
  return (count * xy - x * y) / (count * xx - x * x);
}

}  // namespace polhode::reference
