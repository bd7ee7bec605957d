// A constant torque, in the body or in space.
#pragma once

#include "polhode/torque/torque.hpp"

namespace POLHODE_CORE {

/// In the user's frame, or in space. Throws InputError.
template <Scalar T = double>
class ConstantTorque {
 public:
  explicit ConstantTorque(const Vector<T>& torque, bool in_space = false)
      : torque_(torque), in_space_(in_space) {
    for (const T& x : torque.c)
      if (!isfinite(x)) throw InputError("a component of the torque is not a finite number");
  }

  Vector<T> operator()(const Quaternion<T>& q) const {
    return in_space_ ? rotate(conjugate(q), torque_) : torque_;
  }

  /// By a small rotation xi of the body, which turns a vector u of space by u x xi.
  Matrix<T> derivative(const Quaternion<T>& q) const {
    if (!in_space_) return {};
    const Vector<T> u = rotate(conjugate(q), torque_);
    return Matrix<T>({T(0), -u[2], u[1]}, {u[2], T(0), -u[0]}, {-u[1], u[0], T(0)});
  }

  /// As a body with these axes has it.
  KickForm<T> form(const Matrix<T>& axes, const Quaternion<T>& turn, bool turned) const {
    KickForm<T> form{.kind = in_space_ ? KickKind::fixed_in_space : KickKind::fixed};
    append_numbers(form.numbers, in_space_ || !turned ? torque_ : axes * torque_);
    if (!in_space_) return form;
    append_numbers(form.numbers, axes);
    form.numbers.insert(form.numbers.end(), turn.c.begin(), turn.c.end());
    form.numbers.push_back(turned ? T(1) : T(0));
    return form;
  }

 private:
  Vector<T> torque_;
  bool in_space_;
};

ConstantTorque(const Vector<double>&)->ConstantTorque<double>;
ConstantTorque(const Vector<double>&, bool)->ConstantTorque<double>;

}  // namespace POLHODE_CORE

namespace polhode::torques {
using core::ConstantTorque;
}  // namespace polhode::torques
