// A body with mass and shape among others that attract it.
#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "polhode/body/body.hpp"

namespace POLHODE_CORE {

/// A rigid body as gravity knows it, to second degree: its mass and its moments of inertia. Without moments it is a point mass.
///
///   ExtendedBody<double>{.mass = 2.0, .body = Body({0.1, 0.12, 0.15}), .name = "moon"}
template <Scalar T = double>
struct ExtendedBody {
  T mass{};
  std::optional<Body<T>> body{};  ///< none: a point mass
  std::string name{};             ///< for messages
  /// Bodies whose centres come nearer to each other than the sum of their radii have met, and their motion ends. Unless it is given,
  /// the radius is that of the mass in the mean square, sqrt(tr I/2/mass): no body is smaller.
  std::optional<T> radius{};
};

/// Where an extended body is and how it moves: centre of mass and momentum in space; angular momentum about the centre in the axes
/// of the body, and attitude.
template <class T = double>
struct PlacedState {
  Vector<T> position{};
  Vector<T> momentum{};
  State<T> turning{};
  friend constexpr bool operator==(const PlacedState&, const PlacedState&) = default;
};

template <class To, class From>
constexpr PlacedState<To> convert(const PlacedState<From>& s) {
  return {convert<To>(s.position), convert<To>(s.momentum), convert<To>(s.turning)};
}

namespace detail {

/// "body 2 (moon)", or "body 2" if it has no name.
template <Scalar T>
std::string called(const std::vector<ExtendedBody<T>>& bodies, std::size_t i) {
  const std::string number = "body[" + std::to_string(i) + "]";
  return bodies[i].name.empty() ? number : number + " (" + bodies[i].name + ")";
}

template <Scalar T>
T radius_of(const ExtendedBody<T>& body) {
  if (body.radius) return *body.radius;
  if (!body.body) return T(0);
  const Vector<T>& i = body.body->moments();
  return sqrt((i[0] / body.mass + i[1] / body.mass + i[2] / body.mass) / T(2));
}

/// Throws InputError unless these can be bodies.
template <Scalar T>
void examine(const std::vector<ExtendedBody<T>>& bodies) {
  if (bodies.empty()) throw InputError("there are no bodies");
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const auto refuse = [&](const char* reason) { throw InputError(called(bodies, i) + ": " + reason); };
    if (!isfinite(bodies[i].mass) || !(bodies[i].mass > T(0))) refuse("the mass is not a positive number");
    if (bodies[i].radius && (!isfinite(*bodies[i].radius) || *bodies[i].radius < T(0)))
      refuse("the radius is not a finite number from zero on");
    if (!isfinite(radius_of(bodies[i]))) refuse("the moments of inertia are too large for the mass");
  }
}

/// Throws InputError unless the bodies can be in these states.
template <Scalar T>
void examine(const std::vector<ExtendedBody<T>>& bodies, const std::vector<PlacedState<T>>& states) {
  if (states.size() != bodies.size()) throw InputError("there are not as many states as bodies");
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const auto refuse = [&](const std::string& reason) {
      throw InputError(called(bodies, i) + ": " + reason);
    };
    for (const Vector<T>& v : {states[i].position, states[i].momentum})
      for (const T& x : v.c)
        if (!isfinite(x)) refuse("a component of the position or the momentum is not a finite number");
    try {
      core::examine(states[i].turning);
    } catch (const InputError& e) {
      refuse(e.what());
    }
    if (!bodies[i].body && !(states[i].turning.momentum == Vector<T>{}))
      refuse("a point mass has no momentum to turn");
  }
}

}  // namespace detail

}  // namespace POLHODE_CORE

namespace polhode::gravity {
using core::ExtendedBody;
using core::PlacedState;
}  // namespace polhode::gravity
