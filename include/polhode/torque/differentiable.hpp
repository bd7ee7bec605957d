// The derivatives of torques by the state, as tangent maps need them: of the torques of this library, of potentials, and of a
// user's functions that know their own or are written for any scalar.
#pragma once

#include <concepts>
#include <utility>

#include "polhode/torque/actions.hpp"

namespace POLHODE_CORE {

/// The derivative of an attached torque, where it is known: by its own member, or by dual numbers if it takes attitudes of any
/// scalar. Empty otherwise.
template <Scalar T, class Attached>
typename Actions<T>::KickDerivative derivative_of(const Attached& attached) {
  using Dualed = Quaternion<Dual<T, 3>>;
  if constexpr (requires(const Quaternion<T>& q, const Wide<T>& t) { attached.derivative(q, t); }) {
    return [attached](const Quaternion<T>& q, const Wide<T>& t) { return attached.derivative(q, t); };
  } else if constexpr (requires(const Dualed& q, const Wide<T>& t) { attached.torque(q, t); }) {
    return [attached](const Quaternion<T>& q, const Wide<T>& t) {
      return detail::gradients(attached.torque(detail::turned_by_duals(q), t));
    };
  } else {
    return {};
  }
}

/// The same by the principal moments, where the torque depends on them.
template <Scalar T, class Attached>
typename Actions<T>::KickDerivative by_moments_of(const Attached& attached) {
  if constexpr (requires(const Quaternion<T>& q, const Wide<T>& t) { attached.by_moments(q, t); }) {
    return [attached](const Quaternion<T>& q, const Wide<T>& t) { return attached.by_moments(q, t); };
  } else {
    return {};
  }
}

/// A function of attitude and angular velocity, with or without the time, that knows its derivatives.
template <class F, class T>
concept HasControlDerivative = requires(const F f, const Quaternion<T> q, const Vector<T> w, const T t) {
  { f.derivative(q, w, t) } -> std::convertible_to<ControlSlopes<T>>;
}
|| requires(const F f, const Quaternion<T> q, const Vector<T> w) {
  { f.derivative(q, w) } -> std::convertible_to<ControlSlopes<T>>;
};

namespace detail {

/// A user's function that takes attitudes, and angular velocities, of any scalar.
template <class F>
struct AnyScalarTorque {
  F function;

  template <class... Arguments>
  requires std::invocable<const F&, const Arguments&...>
  auto operator()(const Arguments&... arguments) const { return function(arguments...); }

  template <class T>
      Matrix<T> derivative(const Quaternion<T>&q) const requires std::invocable < const F &,
      const Quaternion<T>
  & > { return gradients(Vector<Dual<T, 3>>(function(turned_by_duals(q)))); }
  template <class T>
      Matrix<T> derivative(const Quaternion<T>&q, const T&time) const requires std::invocable < const F &,
      const Quaternion<T>
  &, const T& > { return gradients(Vector<Dual<T, 3>>(function(turned_by_duals(q), time))); }
  template <class T, class... Time>
      ControlSlopes<T> derivative(const Quaternion<T>&q, const Vector<T>&omega,
                                  const Time&... time) const requires std::invocable < const F &,
      const Quaternion<T>
  &, const Vector<T>&, const Time&... > {
    const auto turned = turned_by_duals(q);
    Quaternion<Dual<T, 6>> attitude;
    for (std::size_t i = 0; i < 4; ++i) {
      const auto& g = turned[i].gradient();
      attitude[i] = Dual<T, 6>(q[i], {g[0], g[1], g[2], T(0), T(0), T(0)});
    }
    Vector<Dual<T, 6>> rate;
    for (std::size_t i = 0; i < 3; ++i) rate[i] = Dual<T, 6>::variable(omega[i], 3 + i);
    const Vector<Dual<T, 6>> found = function(attitude, rate, time...);
    return {gradients(found), gradients(found, 3)};
  }
};

}  // namespace detail

/// A torque with its derivative by dual numbers: a function of (attitude), (attitude, time), (attitude, omega) or (attitude,
/// omega, time) that is written for any scalar,
///   derivatives::differentiable([](const auto& q, double t) { return ...; }).
template <class F>
auto differentiable(F torque) {
  return detail::AnyScalarTorque<F>{std::move(torque)};
}

}  // namespace POLHODE_CORE

namespace polhode::derivatives {
using core::ControlSlopes;
using core::differentiable;
}  // namespace polhode::derivatives
