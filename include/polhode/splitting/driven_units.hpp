// The units in which a body under torque is stepped: powers of two.
#pragma once

#include <algorithm>
#include <cstdlib>

#include "polhode/splitting/driving.hpp"
#include "polhode/torque/actions.hpp"

namespace POLHODE_CORE {

/// The torque from outside on a body that has the momentum, in the user's frame, and the attitude.
template <Scalar T, class Attached>
Vector<T> torque_at(const Attached& torque, const Vector<T>& momentum, const Quaternion<T>& q,
                    const Wide<T>& time) {
  if constexpr (std::same_as<Attached, Actions<T>>) {
    const Vector<Wide<T>> omega = torque.angular_velocity(torque.body().to_principal(momentum), time);
    return torque.torque(q, time) + torque.control(q, convert<T>(omega), time) -
           convert<T>(torque.damping() * omega);
  } else {
    return torque.torque(q, time);
  }
}

/// The unit of momentum as an exponent of two. It should suit the momentum that there is and that the torque will give: a body may
/// start at rest. Throws InputError if the state is invalid, and MotionError if the torque is not finite.
template <Scalar T, class Attached>
int driven_momentum_unit(const Body<T>& body, const State<T>& initial, const Attached& torque,
                         const Wide<T>& start) {
  examine(initial);
  const Quaternion<T> q = convert<T>(body.to_principal(initial).attitude);
  const Vector<T> t = torque_at(torque, initial.momentum, unit_attitude(q), start);
  examine_torque(t, q, start);
  const int from_torque = t == Vector<T>{} ? -2000 : (momentum_exponent(t) + body.inertia_exponent()) / 2;
  const int from_state = initial.momentum == Vector<T>{} ? -2000 : momentum_exponent(initial.momentum);
  int unit = std::max(from_torque, from_state);
  if constexpr (std::same_as<Attached, Actions<T>>) {
    const Vector<T> rotor = convert<T>(torque.rotor_momentum(start));
    if (!(rotor == Vector<T>{})) unit = std::max(unit, momentum_exponent(rotor));
  }
  return unit == -2000 ? body.inertia_exponent() : unit;
}

/// Those of time and of torque, from those of momentum and inertia. Throws InputError where a double has them not.
template <Scalar T>
struct DrivenUnits {
  T time, torque;

  DrivenUnits(int momentum_exponent, int inertia_exponent)
      : time(power_of_two(momentum_exponent - inertia_exponent)),
        torque(power_of_two(inertia_exponent - 2 * momentum_exponent)) {}

 private:
  static T power_of_two(int exponent) {
    if (std::abs(exponent) > 900)
      throw InputError("the units of momentum, inertia and torque are too far from each other for a double");
    return ldexp(T(1), exponent);
  }
};

}  // namespace POLHODE_CORE
