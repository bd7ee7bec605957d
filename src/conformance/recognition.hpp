// Recognition: which formula a program has, found by repeating its first unit of time with each of those that are known.
#pragma once

#include <string>

#include "conformance/given_states.hpp"

namespace polhode::program {

struct Recognition {
  /// What it does with omega, and with the attitude; empty where it is none of the known ones.
  std::string velocity;
  std::string attitude;
  bool no_gyroscopic_term = false;
  bool one_newton_step = false;
  bool wrong_order = false;       ///< of the quaternion's product
  bool inverse_attitude = false;  ///< q is from space to body
  bool omega_in_space = false;    ///< omega is that of space
  double velocity_distance = 0;   ///< the median over the bodies, relative
  double attitude_distance = 0;   ///< the same in rad
};

/// Of the states at the lowest frequency, at the first time.
Recognition recognize(const GivenStates& states);

/// The angle between two attitudes of any norm, in rad.
double angle_between(const Quaternion<double>& a, const Quaternion<double>& b);

}  // namespace polhode::program
