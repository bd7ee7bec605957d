// What moves inside a body: wheels, dissipation, masses. None of it changes the momentum in space.
#pragma once

#include <concepts>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "polhode/torque/actions.hpp"

namespace POLHODE_CORE {

namespace detail {

template <Scalar T>
void examine_finite(const Vector<T>& v, const char* sentence) {
  for (const T& x : v.c)
    if (!isfinite(x)) throw InputError(sentence);
}

/// A user's vector at a time. Throws MotionError if it is not finite.
template <Scalar T>
Vector<T> finite_at(const std::function<Vector<T>(T)>& function, const Wide<T>& time, const char* what) {
  const Vector<T> v = function(static_cast<T>(time));
  if (!isfinite(v[0] + v[1] + v[2]))
    throw MotionError(std::string(what) + " at time " + digits_of(static_cast<double>(time)) +
                      " is not a finite number");
  return v;
}

}  // namespace detail

/// The momentum of wheels relative to the body, or of any rotor that is symmetric about its axis: a constant, or a function of
/// time, in the user's frame. The body is a gyrostat then; its momentum is the total one, that of the wheels included. A motor
/// that speeds a wheel up changes this function and nothing else. Throws InputError.
template <Scalar T = double>
class Wheels {
 public:
  using W = Wide<T>;
  using Function = std::function<Vector<T>(T)>;

  explicit Wheels(const Vector<T>& momentum) : constant_(momentum) {
    detail::examine_finite(momentum, "the momentum of the wheels is not a finite number");
  }
  explicit Wheels(Function momentum) : function_(std::move(momentum)) {
    if (!function_) throw InputError("the momentum of the wheels is an empty function");
  }

  void act(Actions<T>& actions) const {
    if (!function_) return actions.add_rotor(actions.body().to_principal(constant_));
    actions.add_rotor([function = function_, axes = actions.body().axes()](const W& time) {
      return axes * convert<W>(detail::finite_at(function, time, "the momentum of the wheels"));
    });
  }

 private:
  Vector<T> constant_{};
  Function function_;
};

Wheels(const Vector<double>&)->Wheels<double>;
template <std::invocable<double> F>
Wheels(F) -> Wheels<double>;

/// Dissipation inside the body, of fuel or flexible parts: the body turns by d m x omega besides, which keeps the momentum in
/// space and takes the energy d |m x omega|^2 in a unit of time. It ends about the axis of the largest moment. d is the
/// inverse of a momentum. Throws InputError.
template <Scalar T = double>
class Dissipation {
 public:
  explicit Dissipation(const T& coefficient) : coefficient_(coefficient) {
    if (!isfinite(coefficient)) throw InputError("the coefficient of the dissipation is not a finite number");
    if (coefficient < T(0)) throw InputError("the coefficient of the dissipation is negative");
  }

  void act(Actions<T>& actions) const { actions.add_dissipation(coefficient_); }

 private:
  T coefficient_;
};

/// An inertia tensor that changes with time, in the user's frame, in place of the body's. Where parts move relative to the
/// body, their momentum relative to it is that of Wheels.
template <Scalar T = double>
class ChangingInertia {
 public:
  using W = Wide<T>;
  using Function = std::function<Matrix<T>(T)>;

  explicit ChangingInertia(Function tensor) : tensor_(std::move(tensor)) {
    if (!tensor_) throw InputError("the inertia is an empty function");
  }

  void act(Actions<T>& actions) const {
    actions.replace_inertia([tensor = tensor_, axes = actions.body().axes()](const W& time) {
      return axes * convert<W>(tensor(static_cast<T>(time))) * transpose(axes);
    });
  }

 private:
  Function tensor_;
};

template <std::invocable<double> F>
ChangingInertia(F) -> ChangingInertia<double>;

/// A point mass that moves in the body: where it is and how fast, in the user's frame, from the centre of mass of the rest.
template <Scalar T = double>
struct MovingMass {
  T mass{};
  std::function<Vector<T>(T)> position;
  std::function<Vector<T>(T)> velocity;
};

/// Masses that move in a body of given mass: their inertia about the common centre of mass is added to the body's, and their
/// momentum relative to it is that of a wheel. Throws InputError.
template <Scalar T = double>
class MovingMasses {
 public:
  using W = Wide<T>;

  MovingMasses(const T& body_mass, std::vector<MovingMass<T>> masses) : masses_(std::move(masses)) {
    total_ = W(body_mass);
    bool valid = isfinite(body_mass) && body_mass > T(0);
    for (const MovingMass<T>& part : masses_) {
      total_ += W(part.mass);
      valid = valid && isfinite(part.mass) && part.mass > T(0);
      if (!part.position || !part.velocity)
        throw InputError("a moving mass needs a function for its position and one for its velocity");
    }
    if (!valid) throw InputError("a mass is not positive and finite");
  }

  void act(Actions<T>& actions) const {
    const Matrix<W> axes = actions.body().axes();
    actions.add_rotor([self = *this, axes](const W& time) {
      Vector<W> sum{}, first{}, moving{};
      for (const MovingMass<T>& part : self.masses_) {
        const W mass(part.mass);
        const Vector<W> r = mass * self.at(part.position, time), v = self.at(part.velocity, time);
        sum = sum + cross(r, v);
        first = first + r;
        moving = moving + mass * v;
      }
      return axes * (sum - (W(1) / self.total_) * cross(first, moving));
    });
    actions.add_inertia([self = *this, axes](const W& time) {
      Matrix<W> sum{};
      Vector<W> first{};
      const auto add = [&sum](const W& weight, const Vector<W>& r) {
        for (std::size_t i = 0; i < 3; ++i) {
          sum[i] = sum[i] - (weight * r[i]) * r;
          sum[i][i] += weight * dot(r, r);
        }
      };
      for (const MovingMass<T>& part : self.masses_) {
        const Vector<W> r = self.at(part.position, time);
        add(W(part.mass), r);
        first = first + W(part.mass) * r;
      }
      add(W(-1) / self.total_, first);
      return axes * sum * transpose(axes);
    });
  }

 private:
  static Vector<W> at(const std::function<Vector<T>(T)>& function, const W& time) {
    return convert<W>(detail::finite_at(function, time, "the position or velocity of a moving mass"));
  }

  W total_;
  std::vector<MovingMass<T>> masses_;
};

}  // namespace POLHODE_CORE

namespace polhode::torques {
using core::ChangingInertia;
using core::Dissipation;
using core::MovingMass;
using core::MovingMasses;
using core::Wheels;
}  // namespace polhode::torques
