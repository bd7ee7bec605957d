// A uniform field that pulls at an arm fixed in the body: the heavy top, the dipole.
#pragma once

#include <array>

#include "polhode/arithmetic/double_double_functions.hpp"
#include "polhode/arithmetic/lanes.hpp"
#include "polhode/torque/torque.hpp"

namespace POLHODE_CORE {

/// The potential u.r, where r is fixed in the body and u = Q^T u0 is the field seen from it. The torque is u x r.
///
/// The heavy top of [CZ08 section 4.3] and [CS06] has r = e3 and u0 = m g l times the upward vertical. For a
/// dipole mu, r = -mu.
template <Scalar T = double>
class UniformField {
 public:
  using W = Wide<T>;

  /// The field in space, the arm in the body; without an arm, that of the heavy top of the papers.
  explicit UniformField(const Vector<T>& field) : UniformField(field, {T(0), T(0), T(1)}) {}
  UniformField(const Vector<T>& field, const Vector<T>& arm) : field_(field), arm_(arm) {
    for (std::size_t i = 0; i < 3; ++i)
      if (!isfinite(field[i]) || !isfinite(arm[i]))
        throw InputError("a component of the field or of its arm is not a finite number");
  }

  UniformField attached(const Body<T>& body) const {
    return UniformField(field_, convert<T>(body.to_principal(arm_)));
  }

  /// For attitudes of any scalar, dual numbers among them.
  template <class U>
  Vector<U> torque(const Quaternion<U>& q, const W&) const {
    return cross(seen(q), convert<U>(arm_));
  }
  W potential(const Quaternion<W>& q, const W&) const { return dot(seen(q), convert<W>(arm_)); }

  /// torque() of an attitude whose components stand in a register, with the same operations.
  ThreeLanes<T> torque_components(const FourLanes<T>& q) const {
    using V = ThreeLanes<T>;
    const V v = components(field_), arm = components(arm_), u(-q[1], -q[2], -q[3]);
    const FourLanes<T> squares = q * q;
    const T along = T(2) * sum(u * v), of_vector = (squares[1] + squares[2]) + squares[3];
    const T size = ((squares[0] + squares[1]) + squares[2]) + squares[3];
    const V sum_of_parts = ((squares[0] - of_vector) * v + along * u) + (T(2) * q[0]) * cross(u, v);
    return cross(sum_of_parts / V(size), arm);
  }

  KickForm<T> form() const {
    KickForm<T> form{.kind = KickKind::uniform_field};
    append_numbers(form.numbers, field_);
    append_numbers(form.numbers, arm_);
    return form;
  }

  /// The field seen from the body.
  template <class U>
  Vector<U> seen(const Quaternion<U>& q) const {
    return rotate(conjugate(q), convert<U>(field_));
  }

 private:
  Vector<T> field_;
  Vector<T> arm_;
};

UniformField(const Vector<double>&)->UniformField<double>;
UniformField(const Vector<double>&, const Vector<double>&)->UniformField<double>;

/// The same with a field that changes in time: u0 + u1 cos(frequency t + phase). Energy is exchanged with what drives it.
template <Scalar T>
class AlternatingField {
 public:
  using W = Wide<T>;

  AlternatingField(const Vector<T>& field, const Vector<T>& swing, const T& frequency, const T& phase,
                   const Vector<T>& arm)
      : mean_(field, arm), swing_(swing, arm), frequency_(frequency), phase_(phase) {
    if (!isfinite(frequency) || !isfinite(phase))
      throw InputError("the frequency or the phase of the field is not a finite number");
  }

  AlternatingField attached(const Body<T>& body) const {
    AlternatingField result = *this;
    result.mean_ = mean_.attached(body);
    result.swing_ = swing_.attached(body);
    return result;
  }

  template <class U>
  Vector<U> torque(const Quaternion<U>& q, const W& time) const {
    return mean_.torque(q, time) + U(static_cast<T>(factor(time))) * swing_.torque(q, time);
  }
  W potential(const Quaternion<W>& q, const W& time) const {
    return mean_.potential(q, time) + factor(time) * swing_.potential(q, time);
  }

  KickForm<T> form() const {
    KickForm<T> form{.kind = KickKind::alternating_field, .numbers = mean_.form().numbers};
    const std::vector<T> swing = swing_.form().numbers;
    form.numbers.insert(form.numbers.end(), swing.begin(), swing.end());
    form.of_time = [self = *this](const W& time) {
      return std::array<T, 4>{static_cast<T>(self.factor(time))};
    };
    form.source = {T(static_cast<int>(TimeSource::oscillation)), frequency_, phase_};
    return form;
  }

 private:
  W factor(const W& time) const { return cos(W(frequency_) * time + W(phase_)); }

  UniformField<T> mean_;
  UniformField<T> swing_;
  T frequency_;
  T phase_;
};

}  // namespace POLHODE_CORE

namespace polhode {
using core::AlternatingField;
using core::UniformField;
}  // namespace polhode
