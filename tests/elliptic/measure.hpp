// What the tests of the elliptic functions share: the measure of errors in ulps, and random arguments.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <random>
#include <string>
#include <utility>

#include "polhode/elliptic/modulus.hpp"
#include "reference/quadruple.hpp"

namespace POLHODE_CORE::elliptic {

using reference::Quad;
using reference::to_quad;

/// Boost's own type, or a build without optimisation, is too slow for all points.
#if defined(__OPTIMIZE__)
inline constexpr int points = reference::quad_is_fast ? 100000 : 5000;
inline constexpr int slowness = 1;
#else
inline constexpr int points = 5000;
inline constexpr int slowness = 10;
#endif

inline double to_double(const Quad& x) { return static_cast<double>(x); }

/// The distance from |scale| to the next larger double.
inline double ulp(double scale) {
  scale = std::abs(scale);
  return std::nextafter(scale, std::numeric_limits<double>::infinity()) - scale;
}

/// The largest error seen, in ulps of a scale, and where it was.
class Worst {
 public:
  explicit Worst(std::string name) : name_(std::move(name)) {}

  /// `allowance` is an error that does not count.
  template <class... Arguments>
  void record(double computed, const Quad& exact, const Quad& scale, double allowance,
              Arguments... arguments) {
    const double error = to_double(Quad(abs(Quad(Quad(computed) - exact)))) - allowance;
    const double ulps = error / ulp(to_double(scale));
    if (ulps <= worst_ || std::isnan(worst_)) return;  // a NaN is recorded, stays, and fails
    worst_ = ulps;
    where_.clear();
    ((where_ += hexadecimal(arguments)), ...);
  }

  /// A measure of zero would say that nothing was measured.
  void expect_below(double bound) const {
    ::testing::Test::RecordProperty(name_, std::to_string(worst_));
    EXPECT_LE(worst_, bound) << name_ << " at" << where_;
    EXPECT_GT(worst_, 0.25) << name_ << ": nothing was measured, or it is too good to be true";
  }

 private:
  static std::string hexadecimal(double x) {
    char text[40];
    std::snprintf(text, sizeof text, " %a", x);
    return text;
  }

  std::string name_;
  double worst_ = 0.0;
  std::string where_;
};

class Random {
 public:
  explicit Random(std::uint64_t seed) : generator_(seed) {}

  // Not the distributions of the standard library, whose numbers differ from one library to another.
  double uniform(double low, double high) {
    return low + (high - low) * (static_cast<double>(generator_() >> 11) * 0x1p-53);
  }
  double log_uniform(double low, double high) { return std::pow(10.0, uniform(low, high)); }
  int integer(int count) { return static_cast<int>(generator_() % static_cast<std::uint64_t>(count)); }

  /// k^2 uniform, k'^2 log-uniform down to 1e-30, or k^2 log-uniform down to 1e-30.
  Modulus<double> modulus() {
    switch (integer(3)) {
      case 0:
        return Modulus<double>::from_squared(uniform(0.0, 1.0));
      case 1:
        return Modulus<double>::from_complement(log_uniform(-30.0, 0.0));
      default:
        return Modulus<double>::from_squared(log_uniform(-30.0, 0.0));
    }
  }

  /// n in [0, 1), near 1, or negative of any size.
  double characteristic() {
    switch (integer(4)) {
      case 0:
        return uniform(0.0, 1.0);
      case 1:
        return 1.0 - log_uniform(-15.0, 0.0);
      default:
        return -log_uniform(-20.0, 20.0);
    }
  }

 private:
  std::mt19937_64 generator_;
};

}  // namespace POLHODE_CORE::elliptic
