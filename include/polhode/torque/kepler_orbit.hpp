// The orbit of a body about a centre of attraction, as a function of time.
#pragma once

#include <concepts>
#include <optional>
#include <vector>

#include "polhode/arithmetic/vector.hpp"
#include "polhode/error.hpp"
#include "polhode/torque/conic.hpp"
#include "polhode/torque/kepler_equation.hpp"
#include "polhode/torque/kick_form.hpp"

namespace POLHODE_CORE {

/// The classical elements, angles in radians. The reference plane is that of the axes 1 and 2 of space, from which the
/// inclination counts; with all angles zero the periapsis lies on axis 1 and the motion is towards axis 2.
///
/// Size and phase are given in one of two ways: an ellipse by its semi-major axis and the mean anomaly at time zero, or any
/// orbit, of any eccentricity, by the distance of its periapsis and the time of it.
template <Scalar T>
struct OrbitElements {
  T semi_major_axis{1};
  T gravitational_parameter{1};
  T eccentricity{0};
  T inclination{0};
  T ascending_node{0};
  T argument_of_periapsis{0};
  T mean_anomaly{0};             ///< at time zero
  std::optional<T> periapsis{};  ///< the least distance, instead of the semi-major axis
  T periapsis_time{0};           ///< instead of the mean anomaly, together with `periapsis`
};

/// Where the body is: unit vectors in space, and the distance in the unit of its orbit.
template <class U>
struct OrbitPoint {
  Vector<U> radial;   ///< from the centre to the body
  Vector<U> forward;  ///< in the plane of the orbit, 90 degrees ahead of the radial direction
  U distance;
};

/// An orbit: ellipse, parabola or hyperbola. Throws InputError if the elements are not of one.
template <Scalar T>
class KeplerOrbit {
 public:
  using W = Wide<T>;

  explicit KeplerOrbit(const OrbitElements<T>& elements)
      : elements_(examined(elements)), conic_(elements.eccentricity) {
    const W d(unit());
    rate_ = sqrt(W(elements.gravitational_parameter) / d) / d;
    mean_motion_ = elements.periapsis ? rate_ * conic_.mean_motion() : rate_;
    const auto [si, ci] = sincos(W(elements.inclination));
    const auto [so, co] = sincos(W(elements.ascending_node));
    const auto [sw, cw] = sincos(W(elements.argument_of_periapsis));
    periapsis_ = {{co * cw - so * sw * ci, so * cw + co * sw * ci, sw * si}};
    normal_ = {{so * si, -(co * si), ci}};
    ahead_ = cross(normal_, periapsis_);
    const W e(elements.eccentricity);
    if (!elements.periapsis) ratio_ = sqrt((W(1) - e) * (W(1) + e));
  }

  const OrbitElements<T>& elements() const { return elements_; }
  /// sqrt(mu/|a|^3) of the semi-major axis a; zero for a parabola.
  const W& mean_motion() const { return mean_motion_; }
  /// The unit d of the distance: the semi-major axis or the periapsis, whichever was given.
  const T& unit() const { return elements_.periapsis ? *elements_.periapsis : elements_.semi_major_axis; }
  /// sqrt(mu/d^3) of that unit.
  const W& rate() const { return rate_; }
  /// The direction of the orbital angular momentum.
  const Vector<W>& normal() const { return normal_; }

  /// The point at a time, in double or in extended precision. The phase is reduced in extended precision: its error would
  /// act like noise in the torque, and grow with the time.
  template <class U>
  OrbitPoint<U> at(const W& time) const {
    const ConicPoint<U> point = elements_.periapsis
                                    ? conic_.template at<U>(rate_ * (time - W(elements_.periapsis_time)))
                                    : on_ellipse<U>(time);
    const U x = point.x / point.distance, y = point.y / point.distance;
    const Vector<U> p = convert<U>(periapsis_), q = convert<U>(ahead_);
    return {x * p + y * q, x * q - y * p, point.distance};
  }

  /// KickForm::source: the numbers that the point at a time follows from.
  std::vector<T> source() const {
    std::vector<T> numbers;
    if (elements_.periapsis) {
      numbers = {T(static_cast<int>(TimeSource::conic)), *elements_.periapsis, elements_.periapsis_time,
                 elements_.gravitational_parameter, elements_.eccentricity};
    } else {
      numbers = {T(static_cast<int>(TimeSource::ellipse)),
                 static_cast<T>(mean_motion_),
                 static_cast<T>(mean_motion_ - W(static_cast<T>(mean_motion_))),
                 elements_.mean_anomaly,
                 elements_.eccentricity,
                 static_cast<T>(ratio_)};
    }
    append_numbers(numbers, convert<T>(periapsis_));
    append_numbers(numbers, convert<T>(ahead_));
    return numbers;
  }

 private:
  static const OrbitElements<T>& examined(const OrbitElements<T>& elements) {
    for (const T& x : {elements.semi_major_axis, elements.gravitational_parameter, elements.eccentricity,
                       elements.inclination, elements.ascending_node, elements.argument_of_periapsis,
                       elements.mean_anomaly, elements.periapsis.value_or(T(1)), elements.periapsis_time})
      if (!isfinite(x)) throw InputError("an element of the orbit is not a finite number");
    if (!(elements.semi_major_axis > T(0))) throw InputError("the semi-major axis is not positive");
    if (!(elements.gravitational_parameter > T(0)))
      throw InputError("the gravitational parameter is not positive");
    if (elements.eccentricity < T(0)) throw InputError("the eccentricity is negative");
    if (elements.periapsis) {
      if (!(*elements.periapsis > T(0))) throw InputError("the distance of the periapsis is not positive");
      if (!(elements.semi_major_axis == T(1)) || !(elements.mean_anomaly == T(0)))
        throw InputError(
            "the orbit is given twice: by its periapsis, and by a semi-major axis or a mean anomaly");
    } else {
      if (!(elements.eccentricity < T(1)))
        throw InputError("the eccentricity is not below 1: the orbit is not an ellipse, give its periapsis");
      if (!(elements.periapsis_time == T(0)))
        throw InputError("the time of the periapsis is given without its distance");
    }
    return elements;
  }

  /// In units of the semi-major axis.
  template <class U>
  ConicPoint<U> on_ellipse(const W& time) const {
    const W turn = W(2) * pi<W>();
    W mean = mean_motion_ * time + W(elements_.mean_anomaly);
    mean -= floor(mean / turn + W(0.5)) * turn;
    const U e(elements_.eccentricity);
    const auto place = [&](const U& s, const U& c) {
      return ConicPoint<U>{c - e, static_cast<U>(ratio_) * s, U(1) - e * c};
    };
    if constexpr (std::same_as<U, double>) {  // as packs of orbits do
      const auto [s, c] = eccentric_direction(static_cast<double>(mean), e);
      return place(s, c);
    } else {
      const auto [s, c] = sincos(eccentric_anomaly(static_cast<U>(mean), e));
      return place(s, c);
    }
  }

  OrbitElements<T> elements_;
  Conic<T> conic_;
  W rate_, mean_motion_;
  W ratio_{0};  // of the axes of the ellipse
  Vector<W> periapsis_, ahead_, normal_;
};

}  // namespace POLHODE_CORE

namespace polhode {
using core::KeplerOrbit;
using core::OrbitElements;
}  // namespace polhode
