// A body on which everything acts, as the library takes it, and as equations of motion for the reference.
#pragma once

#include <array>

#include "polhode/splitting/driven_rotor.hpp"
#include "polhode/torque/uniform_field.hpp"
#include "reference/extrapolation.hpp"

namespace polhode::reference {

using namespace core;

/// What acts, one bit each.
enum Action : unsigned {
  kick = 1,          ///< B: a torque of the attitude, and one of attitude and time
  damping = 2,       ///< D: relative to a medium that turns
  control = 4,       ///< K: a torque of attitude, angular velocity and time
  wheels = 8,        ///< W: a constant, and a function of time
  dissipation = 16,  ///< inside the body
  inertia = 32,      ///< changing with time
  all_actions = 63
};

/// The same numbers for the library and for the reference; products of powers of two with small integers are exact in any scalar.
template <class T>
struct DrivenSystem {
  unsigned actions = 0;

  static Vector<T> vector(double a, double b, double c) { return {T(a), T(b), T(c)}; }
  static Vector<T> moments() { return vector(1.0, 1.375, 2.0); }
  static State<T> start() {
    return {vector(0.5, -0.75, 0.875), normalized(Quaternion<T>(T(0.5), T(-0.125), T(0.75), T(0.25)))};
  }
  static Vector<T> field_in_space() { return vector(0.125, -0.25, 0.625); }
  static Vector<T> arm() { return vector(0.25, 0.125, 1.0); }
  static Matrix<T> damping_matrix() {
    return {vector(0.3125, 0.125, 0.0), vector(0.125, 0.25, 0.0625), vector(0.0, 0.0625, 0.125)};
  }
  static Vector<T> medium() { return vector(0.125, 0.25, -0.125); }
  static Vector<T> rotor() { return vector(0.25, -0.1875, 0.375); }
  static Vector<T> motor_at(const T& t) { return {T(0.125) * sin(t), T(0.1875) * sin(T(2) * t), T(0.0625)}; }
  static T dissipation_coefficient() { return T(0.75); }
  static Matrix<T> tensor_at(const T& t) {
    const T s = sin(t) / T(8);
    return {{T(1) + s, s, T(0)}, {s, T(1.375), T(0.0625)}, {T(0), T(0.0625), T(2) - T(2) * s}};
  }
  static Vector<T> alternating_at(const Quaternion<T>& q, const T& t) {
    return sin(T(1.5) * t) * cross(rotate(conjugate(q), vector(0.75, 0.125, 0.0)), arm());
  }
  static Vector<T> control_at(const Quaternion<T>& q, const Vector<T>& w, const T& t) {
    return {T(-0.1875) * w[0] * w[1] + T(0.125) * q[1] * q[0],
            T(0.125) * w[2] * w[2] * w[0] - T(0.125) * w[1], T(-0.25) * w[2] + T(0.125) * sin(t)};
  }

  TorqueList<T> list() const {
    TorqueList<T> all;
    if (actions & kick) {
      all.add(UniformField<T>(field_in_space(), arm()));
      all.add([](const Quaternion<T>& q, const T& t) { return alternating_at(q, t); });
    }
    if (actions & damping) all.add(Damping<T>(damping_matrix(), medium()));
    if (actions & control)
      all.add([](const Quaternion<T>& q, const Vector<T>& w, const T& t) { return control_at(q, w, t); });
    if (actions & wheels) all.add(Wheels<T>(rotor())).add(Wheels<T>([](const T& t) { return motor_at(t); }));
    if (actions & dissipation) all.add(Dissipation<T>(dissipation_coefficient()));
    if (actions & inertia) all.add(ChangingInertia<T>([](const T& t) { return tensor_at(t); }));
    return all;
  }

  /// The equations of motion, for (m, q) in one column.
  std::array<T, 7> rate(const std::array<T, 7>& y, const T& t) const {
    const Vector<T> m(y[0], y[1], y[2]);
    const Quaternion<T> q(y[3], y[4], y[5], y[6]);
    Vector<T> p = m;
    if (actions & wheels) p = p - rotor() - motor_at(t);
    Matrix<T> i;
    for (std::size_t k = 0; k < 3; ++k) i[k][k] = moments()[k];
    if (actions & inertia) i = tensor_at(t);
    const T det = dot(i[0], cross(i[1], i[2]));  // Cramer's rule, the tensor being symmetric
    const Vector<T> w = (T(1) / det) * Vector<T>(dot(p, cross(i[1], i[2])), dot(p, cross(i[2], i[0])),
                                                 dot(p, cross(i[0], i[1])));
    Vector<T> turning = w;
    if (actions & dissipation) turning = turning + dissipation_coefficient() * cross(m, w);
    Vector<T> change = cross(m, turning);
    if (actions & kick)
      change = change + cross(rotate(conjugate(q), field_in_space()), arm()) + alternating_at(q, t);
    if (actions & damping) change = change - damping_matrix() * (w - rotate(conjugate(q), medium()));
    if (actions & control) change = change + control_at(normalized(q), w, t);
    const Quaternion<T> dq = q * Quaternion<T>(T(0), turning);
    return {change[0], change[1], change[2], dq[0] / T(2), dq[1] / T(2), dq[2] / T(2), dq[3] / T(2)};
  }

  /// The reference at a time, from a start at another.
  State<T> at_end(const T& begin, const T& h, int steps) const {
    const State<T> s = start();
    std::array<T, 7> y{s.momentum[0], s.momentum[1], s.momentum[2], s.attitude[0],
                       s.attitude[1], s.attitude[2], s.attitude[3]};
    y = extrapolated(y, begin, h, steps,
                     [this](const std::array<T, 7>& at, const T& t) { return rate(at, t); });
    return {{y[0], y[1], y[2]}, normalized(Quaternion<T>(y[3], y[4], y[5], y[6]))};
  }

  template <class Integrator>
  DrivenRotor<Integrator, TorqueList<T>> rotor_by(const Integrator& integrator, const Wide<T>& begin) const {
    return {Body<T>(moments()), start(), list(), integrator, begin};
  }
};

}  // namespace polhode::reference
