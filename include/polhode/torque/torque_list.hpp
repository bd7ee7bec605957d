// Several torques on one body, of all kinds.
#pragma once

#include <functional>
#include <type_traits>
#include <utility>
#include <vector>

#include "polhode/torque/damping.hpp"
#include "polhode/torque/differentiable.hpp"
#include "polhode/torque/inside.hpp"

namespace POLHODE_CORE {

/// A user's torque that depends on the angular velocity: f(attitude, omega, time), or f(attitude, omega), in the user's frame.
template <class F, class T>
concept VelocityTorque = requires(const F f, const Quaternion<T> q, const Vector<T> omega, const T t) {
  { f(q, omega, t) } -> std::convertible_to<Vector<T>>;
}
|| requires(const F f, const Quaternion<T> q, const Vector<T> omega) {
  { f(q, omega) } -> std::convertible_to<Vector<T>>;
};

/// What enters the equations of motion by itself: Damping, Wheels and their like.
template <class F, class T>
concept Acting = requires(const F f, Actions<T> actions) {
  f.act(actions);
};

/// Anything that can be in a list.
template <class F, class T>
concept ListedTorque = Acting<F, T> || TorqueOn<F, T> || VelocityTorque<F, T>;

/// Torques on one body, of all kinds, known when the program is compiled or added when it runs:
///   TorqueList torques(GravityGradient(orbit), Damping(0.01), Wheels({0.0, 0.0, 0.2}));
///   torques.add([](const Quaternion<double>& q, const Vector<double>& omega, double t) { ... });
/// They act together; their order makes no difference beyond rounding. A torque that the list holds is a copy.
template <Scalar T = double>
class TorqueList {
 public:
  using W = Wide<T>;

  TorqueList() = default;
  template <class... F>
  requires(sizeof...(F) > 0 && !(sizeof...(F) == 1 &&
                                 (std::same_as<TorqueList, F> && ...))) explicit TorqueList(const F&... all) {
    (add(all), ...);
  }

  template <class F>
  TorqueList& add(const F& torque) {
    static_assert(ListedTorque<F, T>,
                  "polhode: this is not a torque: write [](const Quaternion<T>& attitude, T time) { return "
                  "Vector<T>(...); } or [](const Quaternion<T>& attitude, const Vector<T>& omega, T time) "
                  "{ return Vector<T>(...); } (the time may be left out), or take UniformField, "
                  "AlternatingField, GravityGradient, from_potential, or one of torques::Damping, Wheels, "
                  "Dissipation, ChangingInertia, MovingMasses");
    if constexpr (Acting<F, T>) {
      acting_.push_back([torque](Actions<T>& actions) { torque.act(actions); });
    } else if constexpr (TorqueOn<F, T>) {
      acting_.push_back([torque](Actions<T>& actions) {
        const auto attached = attach(torque, actions.body());
        std::function<KickForm<T>()> form;
        if constexpr (requires { attached.form(); }) form = [attached] { return attached.form(); };
        actions.add_kick(
            [attached](const Quaternion<T>& q, const W& t) -> Vector<T> { return attached.torque(q, t); },
            derivative_of<T>(attached), by_moments_of<T>(attached), std::move(form));
        if constexpr (Conservative<std::decay_t<decltype(attached)>, T>)
          actions.add_potential(
              [attached](const Quaternion<W>& q, const W& t) { return W(attached.potential(q, t)); });
      });
    } else if constexpr (VelocityTorque<F, T>) {
      acting_.push_back([torque](Actions<T>& actions) {
        actions.add_control(in_principal_frame(torque, actions.body()),
                            derivative_in_principal_frame(torque, actions.body()));
      });
    }
    return *this;
  }

  std::size_t size() const { return acting_.size(); }

  void act(Actions<T>& actions) const {
    for (const auto& one : acting_) one(actions);
  }
  Actions<T> attached(const Body<T>& body) const {
    Actions<T> actions(body);
    act(actions);
    return actions;
  }

 private:
  template <class F>
  static typename Actions<T>::Control in_principal_frame(const F& torque, const Body<T>& body) {
    const bool turned = !(body.axes() == Matrix<W>::identity());
    return [torque, turned, axes = convert<T>(body.axes()), back = convert<T>(transpose(body.axes())),
            turn = convert<T>(body.turn())](const Quaternion<T>& q, const Vector<T>& omega, const W& time) {
      const auto call = [&](const Quaternion<T>& attitude, const Vector<T>& rate) -> Vector<T> {
        if constexpr (requires { torque(attitude, rate, static_cast<T>(time)); }) {
          return torque(attitude, rate, static_cast<T>(time));
        } else {
          return torque(attitude, rate);
        }
      };
      const Quaternion<T> unit = normalized(q);
      return turned ? axes * call(unit * turn, back * omega) : call(unit, omega);
    };
  }

  template <class F>
  static typename Actions<T>::ControlDerivative derivative_in_principal_frame(const F& torque,
                                                                              const Body<T>& body) {
    if constexpr (!HasControlDerivative<F, T>) {
      return {};
    } else {
      return [torque, axes = convert<T>(body.axes()), back = convert<T>(transpose(body.axes())),
              turn = convert<T>(body.turn())](const Quaternion<T>& q, const Vector<T>& omega, const W& time) {
        const Quaternion<T> attitude = normalized(q) * turn;
        ControlSlopes<T> found;
        if constexpr (requires { torque.derivative(attitude, omega, static_cast<T>(time)); }) {
          found = torque.derivative(attitude, back * omega, static_cast<T>(time));
        } else {
          found = torque.derivative(attitude, back * omega);
        }
        return ControlSlopes<T>{axes * found.by_rotation * back, axes * found.by_rate * back};
      };
    }
  }

  std::vector<std::function<void(Actions<T>&)>> acting_;
};

template <class... F>
TorqueList(const F&...) -> TorqueList<double>;

}  // namespace POLHODE_CORE

namespace polhode::torques {
using core::TorqueList;
}  // namespace polhode::torques
