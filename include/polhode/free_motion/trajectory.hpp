// The free motion as a function of time.
#pragma once

#include "polhode/body/body.hpp"
#include "polhode/free_motion/closed_form.hpp"
#include "polhode/free_motion/spin_state.hpp"

namespace POLHODE_CORE {

/// A free motion that can be evaluated at any time, at a cost that does not depend on it: the phase is reduced modulo the
/// period in extended precision, so that the result is right to the last digit even after millions of periods.
///
/// Throws InputError on construction if the state is invalid.
template <Scalar T>
class Trajectory {
 public:
  using W = Wide<T>;

  /// The motion that passes through `initial` at the time zero.
  Trajectory(const Body<T>& body, const State<T>& initial)
      : Trajectory(body, initial, exponent_of(initial)) {}

  /// The state at the time t in the user's frame and units; the attitude has norm one.
  State<T> at(const T& t) const { return convert<T>(wide_at(W(t))); }
  State<W> wide_at(const W& t) const {
    // A time that is infinite in inner units alone is a long one; one that is no number has no state.
    const auto d =
        solution_.advance(isfinite(t) ? ldexp(t, momentum_exponent_ - body_.inertia_exponent()) : W(t - t));
    State<W> s = body_.to_user(State<W>{d.momentum, attitude_ * d.rotation});
    for (auto& x : s.momentum.c) x = ldexp(x, momentum_exponent_);
    return s;
  }

  /// The period of the momentum in the body; infinite where there is none.
  T period() const {
    const W p = solution_.period();
    return isfinite(p) ? static_cast<T>(ldexp(p, body_.inertia_exponent() - momentum_exponent_))
                       : static_cast<T>(p);
  }

  /// The time of a mean revolution of the axis of least moment about the momentum, and the axis that the momentum
  /// circulates about (spin_state.hpp).
  T precession_period() const { return periods(body_, momentum_).precession; }
  Mode mode() const { return periods(body_, momentum_).mode; }

 private:
  Trajectory(const Body<T>& body, const State<T>& initial, int momentum_exponent)
      : body_(body),
        momentum_(initial.momentum),
        momentum_exponent_(momentum_exponent),
        attitude_(unit_attitude(body.to_principal(initial).attitude)),
        solution_(body.inertia(), inner_momentum(body, initial, momentum_exponent)) {}

  static int exponent_of(const State<T>& s) {
    examine(s);
    return momentum_exponent(s.momentum);
  }
  static Vector<W> inner_momentum(const Body<T>& body, const State<T>& s, int exponent) {
    Vector<W> m = body.to_principal(s.momentum);
    for (auto& x : m.c) x = ldexp(x, -exponent);
    return m;
  }

  Body<T> body_;
  Vector<T> momentum_;
  int momentum_exponent_;
  Quaternion<W> attitude_;
  AnyClosedForm<W> solution_;
};

}  // namespace POLHODE_CORE

namespace polhode {
using core::Trajectory;
}  // namespace polhode
