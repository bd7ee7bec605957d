// The torque of a centre of attraction on a body: on an orbit about it, or along a table of positions.
#pragma once

#include <type_traits>

#include "polhode/torque/ephemeris.hpp"
#include "polhode/torque/kepler_orbit.hpp"
#include "polhode/torque/torque.hpp"

namespace POLHODE_CORE {

/// The leading term of the attraction's variation over the body: with the radial direction n seen from the body,
/// the torque is 3 mu/r^3 n x I n and the potential 3 mu/(2 r^3) (n.I n - tr I/3). The attitude does not act back on the
/// orbit. Several centres are several of these in a TorqueList.
///
/// The path of the body about the centre, or of the centre about the body, is a KeplerOrbit or an Ephemeris. Throws InputError.
template <Scalar T, class Path = KeplerOrbit<T>>
class GravityGradient {
 public:
  using W = Wide<T>;
  static constexpr bool is_kepler = std::is_same_v<Path, KeplerOrbit<T>>;

  explicit GravityGradient(const Path& orbit) requires is_kepler : orbit_(orbit) {
    strength_ = W(3) * square(orbit.rate());
  }
  /// In the units of the table.
  GravityGradient(const Path& positions, const T& gravitational_parameter) requires(!is_kepler)
      : orbit_(positions), strength_(W(3) * W(gravitational_parameter)) {
    if (!(gravitational_parameter > T(0)) || !isfinite(gravitational_parameter))
      throw InputError("the gravitational parameter is not a positive number");
  }

  const Path& orbit() const { return orbit_; }

  class Attached {
   public:
    Attached(const GravityGradient& gradient, const Vector<T>& moments)
        : orbit_(gradient.orbit_), strength_(gradient.strength_), moments_(convert<W>(moments)) {
      // Differences of moments, not moments: a torque of a nearly spherical body keeps its digits.
      const auto& i = moments_;
      scaled_ = convert<T>(
          Vector<W>{{strength_ * (i[2] - i[1]), strength_ * (i[0] - i[2]), strength_ * (i[1] - i[0])}});
    }

    /// For attitudes of any scalar, dual numbers among them.
    template <class U>
    Vector<U> torque(const Quaternion<U>& q, const W& time) const {
      const auto [radial, distance] = place<T>(time);
      const Vector<U> n = rotate(conjugate(q), convert<U>(radial));
      const T factor = T(1) / (distance * distance * distance);
      return U(factor) * times(convert<U>(scaled_), {{n[1] * n[2], n[2] * n[0], n[0] * n[1]}});
    }

    /// The derivative of the torque by the principal moments.
    Matrix<T> by_moments(const Quaternion<T>& q, const W& time) const {
      const auto [radial, distance] = place<T>(time);
      const Vector<T> n = rotate(conjugate(q), radial);
      const T factor = static_cast<T>(strength_) / (distance * distance * distance);
      const Vector<T> b = factor * Vector<T>{{n[1] * n[2], n[2] * n[0], n[0] * n[1]}};
      return {{T(0), -b[0], b[0]}, {b[1], T(0), -b[1]}, {-b[2], b[2], T(0)}};
    }

    W potential(const Quaternion<W>& q, const W& time) const {
      const auto [radial, distance] = place<W>(time);
      const Vector<W> n = rotate(conjugate(q), radial);
      const W mean = (moments_[0] + moments_[1] + moments_[2]) / W(3);
      const W quadrupole = dot(times(moments_, n), n) - mean;
      return strength_ * quadrupole / (W(2) * distance * square(distance));
    }

    KickForm<T> form() const {
      KickForm<T> form{.kind = KickKind::gravity_gradient};
      append_numbers(form.numbers, scaled_);
      form.of_time = [self = *this](const W& time) {
        const auto [radial, distance] = self.template place<T>(time);
        return std::array<T, 4>{radial[0], radial[1], radial[2], distance};
      };
      form.source = orbit_.source();
      return form;
    }

   private:
    template <class U>
    struct Place {
      Vector<U> radial;
      U distance;
    };
    template <class U>
    Place<U> place(const W& time) const {
      if constexpr (is_kepler) {
        const OrbitPoint<U> point = orbit_.template at<U>(time);
        return {point.radial, point.distance};
      } else {
        const Vector<U> position = orbit_.template at<U>(time);
        const U distance = norm(position);
        return {(U(1) / distance) * position, distance};
      }
    }

    Path orbit_;
    W strength_;
    Vector<W> moments_;
    Vector<T> scaled_;
  };

  Attached attached(const Body<T>& body) const { return {*this, body.moments()}; }

  /// On a circular orbit, H - n (Q m).(orbit normal) is conserved: the energy in the frame that turns with the orbit. Given
  /// the energy, and the momentum in space.
  W jacobi_integral(const W& energy, const Vector<W>& spatial_momentum) const requires is_kepler {
    return energy - orbit_.mean_motion() * dot(orbit_.normal(), spatial_momentum);
  }

 private:
  Path orbit_;
  W strength_;  // 3 mu/d^3 of the unit d of the distance
};

template <Scalar T>
GravityGradient(const KeplerOrbit<T>&) -> GravityGradient<T>;
template <Scalar T>
GravityGradient(const Ephemeris<T>&, T) -> GravityGradient<T, Ephemeris<T>>;

}  // namespace POLHODE_CORE

namespace polhode {
using core::GravityGradient;
}  // namespace polhode
