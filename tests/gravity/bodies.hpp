// Extended bodies for the tests, and their equations of motion for the reference: other formulas than the library has.
#pragma once

#include <array>

#include "polhode/gravity/extended_bodies.hpp"
#include "reference/extrapolation.hpp"

namespace polhode::test {

using namespace core;

/// Bodies with their states and G.
template <class T = double>
struct Gathering {
  std::vector<ExtendedBody<T>> bodies;
  std::vector<PlacedState<T>> states;
  T constant{1};

  template <class Method = Exact<T>>
  ExtendedBodies<Method> moving(const Scheme& by = scheme("rkn6-14"),
                                const typename Method::Options& options = {}) const {
    return {bodies, states, constant, by, options};
  }
};

/// Numbers of few bits, which every scalar has.
template <class T>
Vector<T> vector(double a, double b, double c) {
  return {{T(a), T(b), T(c)}};
}

/// A triaxial body with a smaller one about it, tumbling, near enough for spins and orbit to change each other.
template <class T = double>
Gathering<T> binary() {
  Gathering<T> g;
  g.bodies = {{.mass = T(1), .body = Body<T>(vector<T>(0.25, 0.3125, 0.375)), .name = "primary"},
              {.mass = T(0.125), .body = Body<T>(vector<T>(0.00390625, 0.0078125, 0.009765625))}};
  g.states = {{vector<T>(-0.25, 0.0, 0.125),
               vector<T>(0.0, -0.0625, 0.03125),
               {vector<T>(0.0625, -0.03125, 0.1875), Quaternion<T>(T(1), T(0.25), T(0), T(0.5))}},
              {vector<T>(2.0, 0.25, 0.0),
               vector<T>(0.0, 0.078125, 0.015625),
               {vector<T>(0.001953125, 0.0, 0.00390625), Quaternion<T>(T(0.5), T(0), T(1), T(-0.25))}}};
  return g;
}

/// The same with a point mass farther out.
template <class T = double>
Gathering<T> three() {
  Gathering<T> g = binary<T>();
  g.bodies.push_back({.mass = T(0.046875), .name = "speck"});  // whose inverse is no number of any scalar
  g.states.push_back({vector<T>(-1.0, 4.5, 0.5), vector<T>(-0.03125, 0.0, 0.0078125), {}});
  g.constant = T(1.25);
  return g;
}

/// The equations of motion for position, momentum, angular momentum and attitude of each body. The quadrupoles are tensors of
/// inertia in space, with their traces; the moments are about the axes of the body in their order.
template <class Q, std::size_t count>
class GravityEquations {
 public:
  static constexpr std::size_t each = 13;
  using Column = std::array<Q, each * count>;

  explicit GravityEquations(const Gathering<Q>& g) : gathering_(g) {}

  Column start() const {
    Column y;
    for (std::size_t i = 0; i < count; ++i) {
      const PlacedState<Q>& s = gathering_.states[i];
      const Quaternion<Q> q = normalized(s.turning.attitude);
      for (std::size_t k = 0; k < 3; ++k) {
        y[each * i + k] = s.position[k];
        y[each * i + 3 + k] = s.momentum[k];
        y[each * i + 6 + k] = s.turning.momentum[k];
      }
      for (std::size_t k = 0; k < 4; ++k) y[each * i + 9 + k] = q[k];
    }
    return y;
  }

  Column rate(const Column& y) const {
    Column dy{};
    for (std::size_t i = 0; i < count; ++i) {
      const Vector<Q> p = part(y, i, 3), m = part(y, i, 6);
      const Quaternion<Q> q(y[each * i + 9], y[each * i + 10], y[each * i + 11], y[each * i + 12]);
      put(dy, i, 0, (Q(1) / gathering_.bodies[i].mass) * p);
      if (!gathering_.bodies[i].body) continue;
      const Vector<Q>& moments = gathering_.bodies[i].body->moments();
      const Vector<Q> w{{m[0] / moments[0], m[1] / moments[1], m[2] / moments[2]}};
      put(dy, i, 6, cross(m, w));
      const Quaternion<Q> dq = q * Quaternion<Q>(Q(0), w);
      for (std::size_t k = 0; k < 4; ++k) dy[each * i + 9 + k] = dq[k] / Q(2);
    }
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t j = 0; j < count; ++j) {
        if (i == j) continue;
        // The mass of j attracts the mass and the quadrupole of i; j is pulled back.
        const Q mass = gathering_.bodies[j].mass, constant = gathering_.constant;
        const Vector<Q> d = part(y, i, 0) - part(y, j, 0);
        const Q r = norm(d), r3 = r * r * r, r5 = r3 * r * r;
        Vector<Q> force =
            (-constant * gathering_.bodies[i].mass * mass / (Q(2) * r3)) * d;  // the other half: j and i
        if (gathering_.bodies[i].body) {
          const Vector<Q>& moments = gathering_.bodies[i].body->moments();
          const Quaternion<Q> q(y[each * i + 9], y[each * i + 10], y[each * i + 11], y[each * i + 12]);
          const Matrix<Q> turn = to_matrix(q);
          const Vector<Q> seen = transpose(turn) * d;
          const Vector<Q> image =
              turn * Vector<Q>{{moments[0] * seen[0], moments[1] * seen[1], moments[2] * seen[2]}};
          const Q trace = moments[0] + moments[1] + moments[2], along = dot(d, image) / (r * r);
          force =
              force - (constant * mass * Q(3) / (Q(2) * r5)) * ((trace - Q(5) * along) * d + Q(2) * image);
          add(dy, i, 6, transpose(turn) * ((Q(3) * constant * mass / r5) * cross(d, image)));
        }
        add(dy, i, 3, force);
        add(dy, j, 3, -force);
      }
    }
    return dy;
  }

  std::vector<PlacedState<Q>> at(const Q& h, int steps) const {
    const Column y = reference::extrapolated(start(), Q(0), h, steps,
                                             [this](const Column& at, const Q&) { return rate(at); });
    std::vector<PlacedState<Q>> states;
    for (std::size_t i = 0; i < count; ++i)
      states.push_back({part(y, i, 0),
                        part(y, i, 3),
                        {part(y, i, 6), normalized(Quaternion<Q>(y[each * i + 9], y[each * i + 10],
                                                                 y[each * i + 11], y[each * i + 12]))}});
    return states;
  }

 private:
  static Vector<Q> part(const Column& y, std::size_t i, std::size_t from) {
    return {{y[each * i + from], y[each * i + from + 1], y[each * i + from + 2]}};
  }
  static void put(Column& y, std::size_t i, std::size_t from, const Vector<Q>& v) {
    for (std::size_t k = 0; k < 3; ++k) y[each * i + from + k] = v[k];
  }
  static void add(Column& y, std::size_t i, std::size_t from, const Vector<Q>& v) {
    for (std::size_t k = 0; k < 3; ++k) y[each * i + from + k] += v[k];
  }

  Gathering<Q> gathering_;
};

/// The largest difference of a component, angular momenta in units of the given ones; attitudes up to their sign.
template <class A, class Q>
double distance(const std::vector<PlacedState<A>>& a, const std::vector<PlacedState<Q>>& b) {
  double worst = 0;
  const auto widen = [&worst](const Q& d) {
    const double e = std::abs(static_cast<double>(d));
    worst = e <= worst ? worst : (std::isnan(e) ? HUGE_VAL : e);
  };
  for (std::size_t i = 0; i < a.size(); ++i) {
    const auto& p = a[i].turning.attitude;
    const auto& q = b[i].turning.attitude;
    Q product(0);
    for (std::size_t k = 0; k < 4; ++k) product += Q(p[k]) * q[k];
    const Q sign = product < Q(0) ? Q(-1) : Q(1);
    Q spin = norm(b[i].turning.momentum);
    if (!(spin > Q(0))) spin = Q(1);
    for (std::size_t k = 0; k < 3; ++k) {
      widen(Q(a[i].position[k]) - b[i].position[k]);
      widen(Q(a[i].momentum[k]) - b[i].momentum[k]);
      widen((Q(a[i].turning.momentum[k]) - b[i].turning.momentum[k]) / spin);
    }
    for (std::size_t k = 0; k < 4; ++k) widen(Q(p[k]) - sign * q[k]);
  }
  return worst;
}

}  // namespace polhode::test
