// What the experiments on known bodies share: angles, attitudes from them, claims whose figures need more than three digits.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "polhode/arithmetic/quaternion.hpp"
#include "reproduce/experiment.hpp"

namespace polhode::program::experiments {

inline double radians(double degrees) { return degrees * std::numbers::pi / 180; }
inline double degrees(double radians) { return radians * 180 / std::numbers::pi; }

/// The attitude of the angles about the axes 3, 1 and 3, in radians, body to space: R3(first) R1(second) R3(third).
inline Quaternion<double> attitude_313(double first, double second, double third) {
  const auto about = [](double angle, std::size_t axis) {
    Quaternion<double> q(std::cos(angle / 2), 0.0, 0.0, 0.0);
    q[axis] = std::sin(angle / 2);
    return q;
  };
  return about(first, 3) * about(second, 1) * about(third, 3);
}

/// The angle between two directions, in radians; right for small ones too.
inline double angle_between(const Vector<double>& a, const Vector<double>& b) {
  return std::atan2(norm(cross(a, b)), dot(a, b));
}

/// The angle of the rotation from one attitude to another, in radians.
inline double angle_between(const Quaternion<double>& p, const Quaternion<double>& q) {
  const Quaternion<double> r = conjugate(p) * q;
  return 2 * std::atan2(norm(r.vector()), std::abs(r[0]));
}

inline Vector<double> direction_of(double longitude, double latitude) {
  return {std::cos(latitude) * std::cos(longitude), std::cos(latitude) * std::sin(longitude),
          std::sin(latitude)};
}

/// A claim whose figure is written as given: three digits are not always enough.
inline Claim written(Claim claim, std::string measured) {
  claim.measured = std::move(measured);
  return claim;
}

/// The value below which this part of the numbers lies, between neighbours in proportion.
inline double quantile(std::vector<double> x, double part) {
  std::sort(x.begin(), x.end());
  const double place = part * static_cast<double>(x.size() - 1);
  const auto low = static_cast<std::size_t>(place);
  const std::size_t high = std::min(low + 1, x.size() - 1);
  return x[low] + (place - static_cast<double>(low)) * (x[high] - x[low]);
}

/// The group of the report that these experiments are in.
inline constexpr const char* known_bodies_group = "Known bodies";

}  // namespace polhode::program::experiments
