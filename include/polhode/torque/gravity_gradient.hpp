// The torque of a centre of attraction on a body in orbit about it.
#pragma once

#include "polhode/torque/kepler_orbit.hpp"
#include "polhode/torque/torque.hpp"

namespace polhode::core {

/// The leading term of the attraction's variation over the body: with the radial direction n seen from the body,
/// the torque is 3 mu/r^3 n x I n and the potential 3 mu/(2 r^3) (n.I n - tr I/3). The attitude does not act back on the
/// orbit.
template <Scalar T>
class GravityGradient {
 public:
  using W = Wide<T>;

  explicit GravityGradient(const KeplerOrbit<T>& orbit) : orbit_(orbit) {
    strength_ = W(3) * square(orbit.mean_motion());
  }

  const KeplerOrbit<T>& orbit() const { return orbit_; }

  class Attached {
   public:
    Attached(const GravityGradient& gradient, const Vector<T>& moments)
        : orbit_(gradient.orbit_), strength_(gradient.strength_), moments_(convert<W>(moments)) {
      // Differences of moments, not moments: a torque of a nearly spherical body keeps its digits.
      const auto& i = moments_;
      scaled_ = convert<T>(
          Vector<W>{{strength_ * (i[2] - i[1]), strength_ * (i[0] - i[2]), strength_ * (i[1] - i[0])}});
    }

    Vector<T> torque(const Quaternion<T>& q, const W& time) const {
      const OrbitPoint<T> point = orbit_.template at<T>(time);
      const Vector<T> n = rotate(conjugate(q), point.radial);
      const T factor = T(1) / (point.distance * point.distance * point.distance);
      return factor * times(scaled_, {{n[1] * n[2], n[2] * n[0], n[0] * n[1]}});
    }

    W potential(const Quaternion<W>& q, const W& time) const {
      const OrbitPoint<W> point = orbit_.template at<W>(time);
      const Vector<W> n = rotate(conjugate(q), point.radial);
      const W mean = (moments_[0] + moments_[1] + moments_[2]) / W(3);
      const W quadrupole = dot(times(moments_, n), n) - mean;
      return strength_ * quadrupole / (W(2) * point.distance * square(point.distance));
    }

   private:
    KeplerOrbit<T> orbit_;
    W strength_;
    Vector<W> moments_;
    Vector<T> scaled_;
  };

  Attached attached(const Body<T>& body) const { return {*this, body.moments()}; }

  /// On a circular orbit, H - n (Q m).(orbit normal) is conserved: the energy in the frame that turns with the orbit. Given
  /// the energy, and the momentum in space.
  W jacobi_integral(const W& energy, const Vector<W>& spatial_momentum) const {
    return energy - orbit_.mean_motion() * dot(orbit_.normal(), spatial_momentum);
  }

 private:
  KeplerOrbit<T> orbit_;
  W strength_;  // 3 mu/a^3
};

}  // namespace polhode::core

namespace polhode {
using core::GravityGradient;
}  // namespace polhode
