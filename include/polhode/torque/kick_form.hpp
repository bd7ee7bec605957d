// What a kick computes, as numbers: a batch computes it from these for many bodies at once.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <vector>

#include "polhode/arithmetic/double_double.hpp"
#include "polhode/arithmetic/vector.hpp"

namespace POLHODE_CORE {

/// The torques of attitude and time that are computed for a pack of bodies. batch/driven_kicks.hpp has the formulas, with the
/// operations of the torques themselves.
enum class KickKind : int {
  other,              ///< none of them: a function of one body
  fixed,              ///< torque in the principal frame (3)
  uniform_field,      ///< field in space (3), arm (3)
  alternating_field,  ///< the same of the mean field and of the swing (12); of the time: the factor of the swing
  gravity_gradient,  ///< scaled differences of moments (3); of the time: radial direction and distance
  ellipse_gradient,  ///< the same, and the numbers of KickForm::source that an ellipse has
  fixed_in_space,    ///< torque (3), axes (9) and turn (4) of the body, whether it is turned (1)
  medium,            ///< damping (9), angular velocity of the medium in space (3)
  of_arrays  ///< axes (9) of the body, whether it is turned (1); of the time: the torque in the user's frame
};

/// The kick of one body.
template <Scalar T>
struct KickForm {
  using W = Wide<T>;

  KickKind kind = KickKind::other;
  std::vector<T> numbers{};
  /// What depends on the time alone, if anything does. Bodies with the same numbers here have it in common.
  std::function<std::array<T, 4>(const W&)> of_time{};
  std::vector<T> source{};
};

/// The first number of KickForm::source says what the others are. Of an ellipse: mean motion (2), mean anomaly at time zero,
/// eccentricity, ratio of the axes, directions of the periapsis (3) and ahead of it (3).
enum class TimeSource : int { ellipse = 1, conic, ephemeris, oscillation };

template <class T>
void append_numbers(std::vector<T>& numbers, const Vector<T>& v) {
  numbers.insert(numbers.end(), v.c.begin(), v.c.end());
}
template <class T>
void append_numbers(std::vector<T>& numbers, const Matrix<T>& m) {
  for (const Vector<T>& row : m.rows) append_numbers(numbers, row);
}

}  // namespace POLHODE_CORE
