// The attraction of extended bodies to second degree: point masses, and the quadrupole of each in the field of each other's mass.
//
// With d from body j to body i, r = |d|, D = I - tr I/3 of a body, in space, and G:
//
//   V = -G m_i m_j/r + 3 G m_j/(2 r^5) d.D_i d + 3 G m_i/(2 r^5) d.D_j d                    (MacCullagh's formula)
//
// The force on i and the torques are, with u_i = 3 G m_j/r^5 D_i d and u_j the same with i and j exchanged,
//
//   F = a d - u_i - u_j,  a = -G m_i m_j/r^3 + 5 (d.u_i + d.u_j)/(2 r^2),   torque on i: d x u_i,  on j: d x u_j
//
// so that d x F and the torques add up to zero whatever the rounding of a: the angular momentum of the pair stays. To that end F is
// computed from the rounded numbers a, u_i and u_j without another error, and d is the difference of positions in extended precision.
#pragma once

#include <cstdint>

#include "polhode/arithmetic/compensated.hpp"
#include "polhode/gravity/extended_body.hpp"

namespace POLHODE_CORE {

/// The attitude of a body for the attraction, as the matrix of q v q* = |q|^2 Q v: without a division.
template <class U>
struct TurnedAxes {
  Matrix<U> matrix;  ///< body to space, times |q|^2
  U square{};        ///< |q|^4

  TurnedAxes() = default;
  explicit TurnedAxes(const Quaternion<U>& q) {
    const U ww = q[0] * q[0], xx = q[1] * q[1], yy = q[2] * q[2], zz = q[3] * q[3];
    const U xy = q[1] * q[2], xz = q[1] * q[3], yz = q[2] * q[3];
    const U wx = q[0] * q[1], wy = q[0] * q[2], wz = q[0] * q[3];
    matrix = {{(ww + xx) - (yy + zz), U(2) * (xy - wz), U(2) * (xz + wy)},
              {U(2) * (xy + wz), (ww + yy) - (xx + zz), U(2) * (yz - wx)},
              {U(2) * (xz - wy), U(2) * (yz + wx), (ww + zz) - (xx + yy)}};
    const U size = (ww + xx) + (yy + zz);
    square = size * size;
  }

  Vector<U> to_body(const Vector<U>& v) const {
    return {{matrix[0][0] * v[0] + matrix[1][0] * v[1] + matrix[2][0] * v[2],
             matrix[0][1] * v[0] + matrix[1][1] * v[1] + matrix[2][1] * v[2],
             matrix[0][2] * v[0] + matrix[1][2] * v[1] + matrix[2][2] * v[2]}};
  }
  Vector<U> to_space(const Vector<U>& v) const { return matrix * v; }
};

/// What the attraction needs of a body, computed in U.
template <class U>
struct AttractingMass {
  U mass{}, pull{};        ///< m, and 3 G m
  bool extended = false;   ///< whether it has a quadrupole at all
  Vector<U> deviator{};    ///< the eigenvalues of D; differences of moments, which lose no digits
  Vector<U> difference{};  ///< I3 - I2, I1 - I3, I2 - I1

  template <Scalar T>
  AttractingMass(const ExtendedBody<T>& body, const T& constant) {
    using W = Wide<T>;
    mass = U(body.mass);
    pull = static_cast<U>(W(3) * W(constant) * W(body.mass));
    if (!body.body) return;
    const Vector<W> i = convert<W>(body.body->moments());
    const Vector<W> away{{i[2] - i[1], i[0] - i[2], i[1] - i[0]}};
    difference = convert<U>(away);
    deviator = convert<U>(
        Vector<W>{{(away[1] - away[2]) / W(3), (away[2] - away[0]) / W(3), (away[0] - away[1]) / W(3)}});
    extended = !(difference == Vector<U>{});
  }
};

/// The quadrupole of one body in the field of the other's mass.
template <class U>
struct QuadrupoleTerm {
  U strength;        ///< 3 G m/(r^5 |q|^4)
  Vector<U> seen;    ///< |q|^2 d in the axes of the body
  Vector<U> turned;  ///< D seen
  U doubled;         ///< twice the potential energy: d.u

  QuadrupoleTerm(const AttractingMass<U>& body, const TurnedAxes<U>& axes, const U& pull, const Vector<U>& d,
                 const U& fifth)
      : strength(pull / (fifth * axes.square)),
        seen(axes.to_body(d)),
        turned(times(body.deviator, seen)),
        doubled(strength * dot(seen, turned)) {}

  /// On the body, in its axes.
  Vector<U> torque(const AttractingMass<U>& body) const {
    return strength * times(body.difference, {{seen[1] * seen[2], seen[2] * seen[0], seen[0] * seen[1]}});
  }
};

/// Force and torque of one body, as sums that grow: the force in space, in twice the precision; the torque in the body's axes.
template <Scalar T>
struct AttractionSums {
  std::array<Compensated<T>, 3> force{};
  Vector<T> torque{};
};

/// The forces and torques between bodies, pair by pair.
template <Scalar T>
class Attraction {
 public:
  using W = Wide<T>;

  /// Two bodies, the first with the smaller number.
  struct Pair {
    std::size_t first, second;
  };

  Attraction(const std::vector<ExtendedBody<T>>& bodies, const T& constant) : constant_(constant) {
    if (!isfinite(constant) || constant < T(0))
      throw InputError("the gravitational constant is not a finite number from zero on");
    for (const ExtendedBody<T>& body : bodies) {
      masses_.emplace_back(body, constant);
      radii_.push_back(detail::radius_of(body));
    }
    axes_.resize(bodies.size());
    sums_.resize(bodies.size());
  }

  const T& constant() const { return constant_; }
  const std::vector<AttractionSums<T>>& sums() const { return sums_; }
  T least_distance(const Pair& pair) const { return radii_[pair.first] + radii_[pair.second]; }

  /// Computes the sums for bodies at these places: position(i), as an array of Compensated, and attitude(i), asked for where it counts.
  /// Returns the first pair that has met, or whose force is not finite.
  template <class Position, class Attitude>
  std::optional<Pair> evaluate(const Position& position, const Attitude& attitude) {
    for (std::size_t i = 0; i < masses_.size(); ++i) {
      sums_[i] = {};
      if (masses_[i].extended) axes_[i] = TurnedAxes<T>(attitude(i));
    }
    for (std::size_t i = 0; i < masses_.size(); ++i)
      for (std::size_t j = i + 1; j < masses_.size(); ++j)
        if (!attract(i, j, position(i), position(j))) return Pair{i, j};
    return std::nullopt;
  }

 private:
  using Place = std::array<Compensated<T>, 3>;

  bool attract(std::size_t i, std::size_t j, const Place& a, const Place& b) {
    Vector<T> d, rest;
    for (std::size_t k = 0; k < 3; ++k) {
      const auto [value, error] = two_sum(a[k].value, -b[k].value);
      const auto [high, low] = fast_two_sum(value, error + (a[k].error - b[k].error));
      d[k] = high;
      rest[k] = low;
    }
    const T square = dot(d, d), near = radii_[i] + radii_[j];
    if (!(square > near * near)) return false;
    const T cube = square * sqrt(square);
    T along = -(constant_ * masses_[i].mass * masses_[j].mass) / cube;
    std::array<Vector<T>, 2> across{};
    std::array<bool, 2> extended{};
    const auto add_quadrupole = [&](std::size_t which, std::size_t self, std::size_t other) {
      if (!masses_[self].extended) return;
      const QuadrupoleTerm<T> term(masses_[self], axes_[self], masses_[other].pull, d, square * cube);
      extended[which] = true;
      across[which] = term.strength * axes_[self].to_space(term.turned);
      along += T(2.5) * term.doubled / square;
      sums_[self].torque = sums_[self].torque + term.torque(masses_[self]);
    };
    add_quadrupole(0, i, j);
    add_quadrupole(1, j, i);
    bool finite = true;
    for (std::size_t k = 0; k < 3; ++k) {
      const auto [value, error] = two_product(along, d[k]);
      Compensated<T> force{value, error + along * rest[k]};
      for (std::size_t n = 0; n < 2; ++n)
        if (extended[n]) force.add(ErrorFree<T>{-across[n][k], T(0)});
      sums_[i].force[k].add(ErrorFree<T>{force.value, force.error});
      sums_[j].force[k].add(ErrorFree<T>{-force.value, -force.error});
      finite = finite && isfinite(force.value);
    }
    return finite;
  }

  T constant_;
  std::vector<AttractingMass<T>> masses_;
  std::vector<T> radii_;
  std::vector<TurnedAxes<T>> axes_;
  std::vector<AttractionSums<T>> sums_;
};

/// The potential energy of bodies at these states, whose attitudes are those of the principal axes.
template <Scalar T>
Wide<T> attraction_energy(const std::vector<ExtendedBody<T>>& bodies, const T& constant,
                          const std::vector<PlacedState<Wide<T>>>& principal) {
  using W = Wide<T>;
  std::vector<AttractingMass<W>> masses;
  std::vector<TurnedAxes<W>> axes;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    masses.emplace_back(bodies[i], constant);
    axes.emplace_back(principal[i].turning.attitude);
  }
  W energy(0);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    for (std::size_t j = i + 1; j < bodies.size(); ++j) {
      const Vector<W> d = principal[i].position - principal[j].position;
      const W square = dot(d, d), r = sqrt(square), fifth = square * square * r;
      energy -= W(constant) * masses[i].mass * masses[j].mass / r;
      if (masses[i].extended)
        energy += QuadrupoleTerm<W>(masses[i], axes[i], masses[j].pull, d, fifth).doubled / W(2);
      if (masses[j].extended)
        energy += QuadrupoleTerm<W>(masses[j], axes[j], masses[i].pull, d, fifth).doubled / W(2);
    }
  }
  return energy;
}

}  // namespace POLHODE_CORE
