// The torque of a user, and the torque as the library sees it.
//
// A user's torque is anything that can be called with the attitude, or with the attitude and the time, and returns the torque
// in the body: a lambda is enough. The attitude is a unit quaternion from body to space, the frame is the user's.
// If it also has a member potential(attitude) or potential(attitude, time), there is an energy to look at. Where only the
// potential is known, from_potential() finds the torque.
//
// Inside, a body is seen in its principal frame, and its attitude has any norm. What is attached to a body is a torque of
// that kind; the torques of this folder attach themselves, without the change of frame at every call.
#pragma once

#include <array>
#include <concepts>
#include <string>
#include <utility>

#include "polhode/arithmetic/dual.hpp"
#include "polhode/body/body.hpp"
#include "polhode/torque/kick_form.hpp"

namespace POLHODE_CORE {

/// A torque in the principal frame of a body, for attitudes of any norm and times in extended precision, so that the phase
/// of what is periodic in time is right after a million periods.
template <class F, class T>
concept AttachedTorque = requires(const F f, const Quaternion<T> q, const Wide<T> time) {
  { f.torque(q, time) } -> std::convertible_to<Vector<T>>;
};

/// An attached torque that has a potential, in any precision up to the widest.
template <class F, class T>
concept Conservative = requires(const F f, const Quaternion<Wide<T>> q, const Wide<T> time) {
  { f.potential(q, time) } -> std::convertible_to<Wide<T>>;
};

/// A torque that knows how to attach itself to a body.
template <class F, class T>
concept SelfAttaching = requires(const F f, const Body<T> body) {
  f.attached(body);
};

/// A user's torque in the user's frame, of attitude and time or of the attitude alone.
template <class F, class T>
concept UserTorque = requires(const F f, const Quaternion<T> q, const T t) {
  { f(q, t) } -> std::convertible_to<Vector<T>>;
}
|| requires(const F f, const Quaternion<T> q) {
  { f(q) } -> std::convertible_to<Vector<T>>;
};

/// Anything that can act on a body: a torque of this library, or a function of (attitude, time) or of the attitude alone
/// that returns the torque in the body frame as a Vector<T>.
template <class F, class T>
concept TorqueOn = SelfAttaching<F, T> || UserTorque<F, T>;

/// A function of the attitude, or of attitude and time, that knows its derivative by a small rotation xi of the body,
/// dq = q (0, xi)/2: column j is that about the axis j of the user's frame.
template <class F, class T>
concept HasDerivative = requires(const F f, const Quaternion<T> q, const T t) {
  { f.derivative(q, t) } -> std::convertible_to<Matrix<T>>;
}
|| requires(const F f, const Quaternion<T> q) {
  { f.derivative(q) } -> std::convertible_to<Matrix<T>>;
};

namespace detail {

/// Calls f with the attitude and, if it takes one, the time.
template <class F, class Q, class T>
auto call_at(const F& f, const Q& q, const T& time) {
  if constexpr (requires { f(q, time); }) {
    return f(q, time);
  } else {
    return f(q);
  }
}

/// The attitude q (1, xi/2) with its derivatives by a small rotation xi of the body.
template <class T>
Quaternion<Dual<T, 3>> turned_by_duals(const Quaternion<T>& q) {
  std::array<Quaternion<T>, 3> rate;
  for (std::size_t i = 0; i < 3; ++i) {
    Vector<T> axis{};
    axis[i] = T(0.5);
    rate[i] = times_vector(q, axis);
  }
  Quaternion<Dual<T, 3>> turned;
  for (std::size_t i = 0; i < 4; ++i) turned[i] = Dual<T, 3>(q[i], {rate[0][i], rate[1][i], rate[2][i]});
  return turned;
}

/// Row i: the derivatives of component i, in the directions from `first` on.
template <class T, std::size_t n>
Matrix<T> gradients(const Vector<Dual<T, n>>& v, std::size_t first = 0) {
  Matrix<T> result;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) result[i][j] = v[i].gradient()[first + j];
  return result;
}

template <class F>
auto potential_of(const F& f) {
  return [&f](const auto& q, const auto&... time) -> decltype(f.potential(q, time...)) {
    return f.potential(q, time...);
  };
}

/// A user's torque on a given body: it sees a unit quaternion of its own frame.
template <Scalar T, class F>
class AttachedUserTorque {
 public:
  using W = Wide<T>;

  AttachedUserTorque(F torque, const Body<T>& body)
      : user_(std::move(torque)),
        axes_(convert<T>(body.axes())),
        turn_(convert<T>(body.turn())),
        wide_turn_(body.turn()),
        turned_(!(body.axes() == Matrix<W>::identity())) {}

  Vector<T> torque(const Quaternion<T>& q, const W& time) const {
    const Quaternion<T> unit = normalized(q);
    if (!turned_) return call_at(user_, unit, static_cast<T>(time));
    return axes_ * Vector<T>(call_at(user_, unit * turn_, static_cast<T>(time)));
  }

  /// By a small rotation, where the user's function has a member derivative(attitude) or derivative(attitude, time).
  Matrix<T> derivative(const Quaternion<T>& q, const W& time) const requires HasDerivative<F, T> {
    const auto at = [this, &time](const Quaternion<T>& u) -> Matrix<T> {
      if constexpr (requires { user_.derivative(u, static_cast<T>(time)); }) {
        return user_.derivative(u, static_cast<T>(time));
      } else {
        return user_.derivative(u);
      }
    };
    const Quaternion<T> unit = normalized(q);
    return turned_ ? axes_ * at(unit * turn_) * transpose(axes_) : at(unit);
  }

  /// Of a function that knows what it computes.
  KickForm<T> form() const requires(requires(const F& f, const Matrix<T>& axes, const Quaternion<T>& turn) {
    f.form(axes, turn, true);
  }) {
    return user_.form(axes_, turn_, turned_);
  }

  /// In the widest precision that the user's function takes.
  W potential(const Quaternion<W>& q, const W& time) const requires(
      requires(const F& f, const Quaternion<T>& u) { f.potential(u); } ||
      requires(const F& f, const Quaternion<T>& u, const T& t) { f.potential(u, t); }) {
    const Quaternion<W> unit = normalized(turned_ ? q * wide_turn_ : q);
    const auto potential = potential_of(user_);
    if constexpr (
        requires { potential(unit, time); } || requires { potential(unit); }) {
      return W(call_at(potential, unit, time));
    } else {
      return W(call_at(potential, convert<T>(unit), static_cast<T>(time)));
    }
  }

 private:
  F user_;
  Matrix<T> axes_;
  Quaternion<T> turn_;
  Quaternion<W> wide_turn_;
  bool turned_;
};

/// The torque that belongs to a potential: minus its derivative with respect to a small rotation in the body.
template <class V>
struct PotentialTorque {
  V energy;

  template <class Q, class... Time>
  auto potential(const Q& q, const Time&... time) const -> decltype(energy(q, time...)) {
    return energy(q, time...);
  }

  template <class T, class... Time>
  auto operator()(const Quaternion<T>& q, const Time&... time) const
      -> decltype(energy(std::declval<Quaternion<Dual<T, 3>>>(), time...), Vector<T>()) {
    const Dual<T, 3> value = energy(turned_by_duals(q), time...);
    return {{-value.gradient()[0], -value.gradient()[1], -value.gradient()[2]}};
  }

  /// Of the torque, by a small rotation.
  template <class T, class... Time>
      Matrix<T> derivative(const Quaternion<T>&q,
                           const Time&... time) const requires std::invocable < const V &,
      const Quaternion<Dual<T, 3>>
  &, const Time&... > { return gradients((*this)(turned_by_duals(q), time...)); }
};

}  // namespace detail

/// The torque of a potential energy: a function of the attitude, or of attitude and time, that takes any scalar, as
/// [](const auto& q) { return rotate(q, {0, 0, 1})[2]; } does with the vectors of q's own type.
template <class V>
auto from_potential(V energy) {
  return detail::PotentialTorque<V>{std::move(energy)};
}

/// A torque that depends on the attitude alone and is computed for all components at once.
template <class F, class T>
concept TorqueInLanes = requires(const F& f, const FourLanes<T>& q) {
  { f.torque_components(q) } -> std::same_as<ThreeLanes<T>>;
};

/// The torque as the principal frame of the body sees it.
template <Scalar T, TorqueOn<T> F>
auto attach(const F& torque, const Body<T>& body) {
  if constexpr (SelfAttaching<F, T>) {
    return torque.attached(body);
  } else {
    return detail::AttachedUserTorque<T, F>(torque, body);
  }
}

}  // namespace POLHODE_CORE

namespace polhode {
using core::from_potential;
using core::TorqueOn;
}  // namespace polhode
