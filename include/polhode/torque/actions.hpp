// What acts on a body and in it, of all kinds, together: torques, damping, wheels, dissipation inside, changing inertia.
//
// With the total momentum m in the body, the rotor momentum l(t), p = m - l and omega = I(t)^-1 p, the motion is
//   m' = m x Omega + b(q, t) - C (omega - omega_f) + k(q, omega, t),     q' = q (0, Omega)/2,
//   Omega = omega + d m x omega.
// Here b are the torques of attitude and time, C is the damping relative to a medium that turns with omega_f, k are the torques
// that depend on omega, and d is the dissipation inside the body. All that turns q goes with the free motion, the rest with the
// kicks (splitting/driving.hpp).
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "polhode/body/body.hpp"
#include "polhode/torque/kick_form.hpp"
#include "polhode/torque/torque.hpp"

namespace POLHODE_CORE {

/// The derivatives of a torque f(q, omega, t): by a small rotation xi of the body, dq = q (0, xi)/2, and by omega.
template <class T>
struct ControlSlopes {
  Matrix<T> by_rotation{};
  Matrix<T> by_rate{};
};

/// All of it in the principal frame of a body and in the user's units.
template <Scalar T>
class Actions {
 public:
  using W = Wide<T>;
  using Kick = std::function<Vector<T>(const Quaternion<T>&, const W&)>;
  using Potential = std::function<W(const Quaternion<W>&, const W&)>;
  using Control = std::function<Vector<T>(const Quaternion<T>&, const Vector<T>&, const W&)>;
  using VectorOfTime = std::function<Vector<W>(const W&)>;
  using TensorOfTime = std::function<Matrix<W>(const W&)>;
  /// The derivative of a kick by a small rotation xi of the body, dq = q (0, xi)/2.
  using KickDerivative = std::function<Matrix<T>(const Quaternion<T>&, const W&)>;
  using ControlDerivative = std::function<ControlSlopes<T>(const Quaternion<T>&, const Vector<T>&, const W&)>;

  explicit Actions(const Body<T>& body) : body_(body) {
    for (std::size_t i = 0; i < 3; ++i) inertia_[i][i] = W(body.moments()[i]);
  }

  /// The derivatives are needed by tangent maps alone; kicks without them are kicks all the same. `by_moments`: by the principal
  /// moments, where the torque depends on them. The form says what the kick computes, for a batch; without one the kick is asked for body by
  /// body.
  void add_kick(Kick kick, KickDerivative derivative = {}, KickDerivative by_moments = {},
                std::function<KickForm<T>()> form = {}) {
    kicks_.push_back(std::move(kick));
    kick_derivatives_.push_back(std::move(derivative));
    if (by_moments) moment_derivatives_.push_back(std::move(by_moments));
    forms_.push_back(std::move(form));
  }
  void add_potential(Potential potential) { potentials_.push_back(std::move(potential)); }
  void add_control(Control control, ControlDerivative derivative = {}) {
    controls_.push_back(std::move(control));
    control_derivatives_.push_back(std::move(derivative));
  }
  /// The matrix in the principal frame; the medium turns with `rate` in space.
  void add_damping(const Matrix<W>& c, const Vector<T>& rate) {
    for (std::size_t i = 0; i < 3; ++i) damping_[i] = damping_[i] + c[i];
    if (!(rate == Vector<T>{})) {
      const Matrix<T> rounded = convert<T>(c);
      add_kick(
          [rounded, rate](const Quaternion<T>& q, const W&) { return rounded * rotate(conjugate(q), rate); },
          [rounded, rate](const Quaternion<T>& q, const W&) {  // the rate seen from the body turns by u x xi
            const Vector<T> u = rotate(conjugate(q), rate);
            return rounded * Matrix<T>({T(0), -u[2], u[1]}, {u[2], T(0), -u[0]}, {-u[1], u[0], T(0)});
          },
          {},
          [rounded, rate] {
            KickForm<T> form{.kind = KickKind::medium};
            append_numbers(form.numbers, rounded);
            append_numbers(form.numbers, rate);
            return form;
          });
    }
  }
  void add_rotor(const Vector<W>& momentum) { rotor_ = rotor_ + momentum; }
  void add_rotor(VectorOfTime momentum) { rotors_.push_back(std::move(momentum)); }
  void add_dissipation(const T& coefficient) { dissipation_ += coefficient; }
  /// A tensor that takes the place of the body's, or is added to it.
  void replace_inertia(TensorOfTime tensor) {
    if (replaced_) throw InputError("the inertia of a body is given twice as a function of time");
    replaced_ = std::move(tensor);
  }
  void add_inertia(TensorOfTime tensor) { added_.push_back(std::move(tensor)); }

  const Body<T>& body() const { return body_; }
  bool has_kicks() const { return !kicks_.empty(); }
  bool has_controls() const { return !controls_.empty(); }
  bool is_damped() const { return !(damping_ == Matrix<W>{}); }
  bool has_rotor() const { return !(rotor_ == Vector<W>{}) || !rotors_.empty(); }
  bool rotor_changes() const { return !rotors_.empty(); }
  bool dissipates() const { return !(dissipation_ == T(0)); }
  bool inertia_changes() const { return replaced_ || !added_.empty(); }
  /// Whether anything changes the momentum at a fixed attitude.
  bool kicks() const { return has_kicks() || has_controls() || is_damped(); }
  /// Whether the free motion is another one.
  bool carries() const { return has_rotor() || dissipates() || inertia_changes(); }
  /// Whether there are kicks of the attitude alone, and a kinetic energy that is quadratic in the momentum, as schemes of Nystrom
  /// type need.
  bool is_nystrom() const { return !has_controls() && !is_damped() && !dissipates(); }

  /// b(q, t): the torques of attitude and time.
  Vector<T> torque(const Quaternion<T>& q, const W& time) const {
    if (kicks_.empty()) return {};
    Vector<T> sum = kicks_.front()(q, time);
    for (std::size_t i = 1; i < kicks_.size(); ++i) sum = sum + kicks_[i](q, time);
    return sum;
  }
  /// The torques of attitude and time one by one.
  std::size_t kick_count() const { return kicks_.size(); }
  Vector<T> kick(std::size_t i, const Quaternion<T>& q, const W& time) const { return kicks_[i](q, time); }
  KickForm<T> kick_form(std::size_t i) const { return forms_[i] ? forms_[i]() : KickForm<T>{}; }
  /// k(q, omega, t).
  Vector<T> control(const Quaternion<T>& q, const Vector<T>& omega, const W& time) const {
    if (controls_.empty()) return {};
    Vector<T> sum = controls_.front()(q, omega, time);
    for (std::size_t i = 1; i < controls_.size(); ++i) sum = sum + controls_[i](q, omega, time);
    return sum;
  }
  /// Whether the derivatives of all torques are known.
  bool is_differentiable() const {
    for (const auto& derivative : kick_derivatives_)
      if (!derivative) return false;
    for (const auto& derivative : control_derivatives_)
      if (!derivative) return false;
    return true;
  }
  /// The derivative of torque() by a small rotation.
  Matrix<T> torque_derivative(const Quaternion<T>& q, const W& time) const {
    return sum_of(kick_derivatives_, q, time);
  }
  /// The derivative of torque() by the principal moments.
  Matrix<T> torque_by_moments(const Quaternion<T>& q, const W& time) const {
    return sum_of(moment_derivatives_, q, time);
  }
  /// Whether the inertia is that of the body, with or without something that is added to it.
  bool has_body_inertia() const { return !replaced_; }
  ControlSlopes<T> control_derivative(const Quaternion<T>& q, const Vector<T>& omega, const W& time) const {
    ControlSlopes<T> sum;
    for (const auto& derivative : control_derivatives_) {
      const ControlSlopes<T> one = derivative(q, omega, time);
      for (std::size_t i = 0; i < 3; ++i) {
        sum.by_rotation[i] = sum.by_rotation[i] + one.by_rotation[i];
        sum.by_rate[i] = sum.by_rate[i] + one.by_rate[i];
      }
    }
    return sum;
  }
  /// The sum of the potentials that are known.
  W potential(const Quaternion<W>& q, const W& time) const {
    W sum(0);
    for (const Potential& potential : potentials_) sum += potential(q, time);
    return sum;
  }
  const Matrix<W>& damping() const { return damping_; }
  const T& dissipation() const { return dissipation_; }
  Vector<W> rotor_momentum(const W& time) const {
    Vector<W> sum = rotor_;
    for (const VectorOfTime& rotor : rotors_) sum = sum + rotor(time);
    return sum;
  }
  Matrix<W> inertia(const W& time) const {
    Matrix<W> sum = replaced_ ? replaced_(time) : inertia_;
    for (const TensorOfTime& tensor : added_) {
      const Matrix<W> more = tensor(time);
      for (std::size_t i = 0; i < 3; ++i) sum[i] = sum[i] + more[i];
    }
    return sum;
  }

  /// I(t)^-1. Throws MotionError unless the tensor is positive definite.
  Matrix<W> inverse_inertia(const W& time) const {
    if (!inertia_changes()) {
      Matrix<W> inverse;
      for (std::size_t i = 0; i < 3; ++i) inverse[i][i] = W(1) / inertia_[i][i];
      return inverse;
    }
    const Matrix<W> a = inertia(time);
    const Matrix<W> cofactors{cross(a[1], a[2]), cross(a[2], a[0]), cross(a[0], a[1])};
    const W determinant = dot(a[0], cofactors[0]);
    if (!(a[0][0] > W(0)) || !(cofactors[2][2] > W(0)) || !(determinant > W(0)))
      throw MotionError("the inertia at time " + digits_of(static_cast<double>(time)) +
                        " is not positive definite");
    Matrix<W> inverse = transpose(cofactors);
    for (auto& row : inverse.rows) row = (W(1) / determinant) * row;
    return inverse;
  }

  /// The angular velocity of the body that has the total momentum m.
  Vector<W> angular_velocity(const Vector<W>& m, const W& time) const {
    return inverse_inertia(time) * (m - rotor_momentum(time));
  }
  /// The kinetic energy of the body, without what the wheels have beside it: constant for a gyrostat.
  W kinetic_energy(const Vector<W>& m, const W& time) const {
    return dot(m - rotor_momentum(time), angular_velocity(m, time)) / W(2);
  }

 private:
  static Matrix<T> sum_of(const std::vector<KickDerivative>& all, const Quaternion<T>& q, const W& time) {
    Matrix<T> sum{};
    for (const KickDerivative& derivative : all) {
      const Matrix<T> one = derivative(q, time);
      for (std::size_t i = 0; i < 3; ++i) sum[i] = sum[i] + one[i];
    }
    return sum;
  }

  Body<T> body_;
  Matrix<W> inertia_{};
  std::vector<Kick> kicks_;
  std::vector<std::function<KickForm<T>()>> forms_;  // of the kicks
  std::vector<Potential> potentials_;
  std::vector<Control> controls_;
  std::vector<KickDerivative> kick_derivatives_, moment_derivatives_;
  std::vector<ControlDerivative> control_derivatives_;
  Matrix<W> damping_{};
  Vector<W> rotor_{};
  std::vector<VectorOfTime> rotors_;
  T dissipation_{0};
  TensorOfTime replaced_;
  std::vector<TensorOfTime> added_;
};

}  // namespace POLHODE_CORE
