// How far two states are apart.
#pragma once

#include <algorithm>
#include <cmath>

#include "polhode/arithmetic/double_double.hpp"
#include "polhode/body/motion.hpp"

namespace polhode::reference {

using namespace core;

/// The largest difference of a component; NaN counts as infinite.
template <class A, class B>
double momentum_error(const Vector<A>& a, const Vector<B>& b) {
  double worst = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const double e = std::abs(static_cast<double>(B(a[i]) - b[i]));
    worst = e <= worst ? worst : (std::isnan(e) ? HUGE_VAL : e);
  }
  return worst;
}

/// The same for attitudes, which q and -q both stand for.
template <class A, class B>
double attitude_error(const Quaternion<A>& a, const Quaternion<B>& b) {
  double same = 0, opposite = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    const double d = std::abs(static_cast<double>(B(a[i]) - b[i]));
    const double s = std::abs(static_cast<double>(B(a[i]) + b[i]));
    if (std::isnan(d) || std::isnan(s)) return HUGE_VAL;
    same = std::max(same, d);
    opposite = std::max(opposite, s);
  }
  return std::min(same, opposite);
}

template <class A, class B>
double state_error(const State<A>& a, const State<B>& b) {
  return std::max(momentum_error(a.momentum, b.momentum), attitude_error(a.attitude, b.attitude));
}

/// With the sign of the quaternion, for methods that follow the continuous motion.
template <class A, class B>
double signed_attitude_error(const Quaternion<A>& a, const Quaternion<B>& b) {
  double worst = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    const double e = std::abs(static_cast<double>(B(a[i]) - b[i]));
    worst = e <= worst ? worst : (std::isnan(e) ? HUGE_VAL : e);
  }
  return worst;
}

}  // namespace polhode::reference
