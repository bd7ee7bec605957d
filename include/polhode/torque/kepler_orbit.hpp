// The orbit of a body about a centre of attraction, as a function of time.
#pragma once

#include "polhode/arithmetic/double_double_functions.hpp"
#include "polhode/arithmetic/vector.hpp"
#include "polhode/error.hpp"

namespace polhode::core {

/// The classical elements, angles in radians. The reference plane is that of the axes 1 and 2 of space, from which the
/// inclination counts; with all angles zero the periapsis lies on axis 1 and the motion is towards axis 2.
template <Scalar T>
struct OrbitElements {
  T semi_major_axis{1};
  T gravitational_parameter{1};
  T eccentricity{0};
  T inclination{0};
  T ascending_node{0};
  T argument_of_periapsis{0};
  T mean_anomaly{0};  ///< at time zero
};

/// Where the body is: unit vectors in space and the distance in units of the semi-major axis.
template <class U>
struct OrbitPoint {
  Vector<U> radial;   ///< from the centre to the body
  Vector<U> forward;  ///< in the plane of the orbit, 90 degrees ahead of the radial direction
  U distance;
};

/// An elliptic orbit. Throws InputError if the elements are not of one.
template <Scalar T>
class KeplerOrbit {
 public:
  using W = Wide<T>;

  explicit KeplerOrbit(const OrbitElements<T>& elements) : elements_(elements) {
    for (const T& x : {elements.semi_major_axis, elements.gravitational_parameter, elements.eccentricity,
                       elements.inclination, elements.ascending_node, elements.argument_of_periapsis,
                       elements.mean_anomaly})
      if (!isfinite(x)) throw InputError("an element of the orbit is not a finite number");
    if (!(elements.semi_major_axis > T(0))) throw InputError("the semi-major axis is not positive");
    if (!(elements.gravitational_parameter > T(0)))
      throw InputError("the gravitational parameter is not positive");
    if (elements.eccentricity < T(0)) throw InputError("the eccentricity is negative");
    if (!(elements.eccentricity < T(1)))
      throw InputError("the eccentricity is not below 1: the orbit is not an ellipse");
    const W a(elements.semi_major_axis);
    mean_motion_ = sqrt(W(elements.gravitational_parameter) / a) / a;
    const auto [si, ci] = sincos(W(elements.inclination));
    const auto [so, co] = sincos(W(elements.ascending_node));
    const auto [sw, cw] = sincos(W(elements.argument_of_periapsis));
    periapsis_ = {{co * cw - so * sw * ci, so * cw + co * sw * ci, sw * si}};
    normal_ = {{so * si, -(co * si), ci}};
    ahead_ = cross(normal_, periapsis_);
    const W e(elements.eccentricity);
    ratio_ = sqrt((W(1) - e) * (W(1) + e));
  }

  const OrbitElements<T>& elements() const { return elements_; }
  const W& mean_motion() const { return mean_motion_; }
  /// The direction of the orbital angular momentum.
  const Vector<W>& normal() const { return normal_; }

  /// The point at a time, in double or in extended precision. The mean anomaly is reduced in extended precision: a phase
  /// error would act like noise in the torque, and grow with the time.
  template <class U>
  OrbitPoint<U> at(const W& time) const {
    const W turn = W(2) * pi<W>();
    W mean = mean_motion_ * time + W(elements_.mean_anomaly);
    mean -= floor(mean / turn + W(0.5)) * turn;
    const U e(elements_.eccentricity);
    const auto [s, c] = sincos(eccentric_anomaly(static_cast<U>(mean), e));
    const U distance = U(1) - e * c;
    const U x = (c - e) / distance, y = static_cast<U>(ratio_) * s / distance;
    const Vector<U> p = convert<U>(periapsis_), q = convert<U>(ahead_);
    return {x * p + y * q, x * q - y * p, distance};
  }

 private:
  /// Kepler's equation E - e sin E = M for M in [-pi, pi], by Newton's method. The left side is convex between 0 and pi, so
  /// from min(M + e, pi), which is beyond the root, the method falls to it monotonously for every eccentricity.
  template <class U>
  static U eccentric_anomaly(const U& mean, const U& e) {
    if (e == U(0)) return mean;
    const U size = abs(mean) + e < pi<U>() ? abs(mean) + e : pi<U>();
    U anomaly = mean < U(0) ? -size : size;
    U last(4);
    for (int i = 0; i < 64; ++i) {
      const auto [s, c] = sincos(anomaly);
      const U change = (anomaly - e * s - mean) / (U(1) - e * c);
      if (change == U(0) || (i > 2 && !(abs(change) < last))) break;
      anomaly -= change;
      last = abs(change);
    }
    return anomaly;
  }

  OrbitElements<T> elements_;
  W mean_motion_;
  W ratio_;  // of the axes of the ellipse
  Vector<W> periapsis_, ahead_, normal_;
};

}  // namespace polhode::core

namespace polhode {
using core::KeplerOrbit;
using core::OrbitElements;
}  // namespace polhode
