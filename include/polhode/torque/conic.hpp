// The motion on a conic of any eccentricity about its focus: Kepler's equation, solved to the last digits.
//
// Units are the distance of the periapsis and the gravitational parameter; the time counts from the periapsis. With
// alpha = 1 - e and the universal functions U_n(s) = s^n (1/n! - alpha s^2/(n+2)! + ...), the anomaly s obeys
//   s + e U_3(s) = time,
// and the position is x = 1 - U_2, y = sqrt(1 + e) U_1 at the distance r = 1 + e U_2. No sum here loses digits to a
// difference, whatever e is: ellipses, the parabola and hyperbolas are one. Where alpha s^2 is large, s sqrt(alpha) is the
// eccentric anomaly E, or s sqrt(-alpha) the hyperbolic one, and the functions are elementary.
//
// The last change of Newton's method is not added to the anomaly but carried to the position by the derivative: far out on a
// hyperbola the position needs more digits of the anomaly than a number has.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <type_traits>

#include "polhode/arithmetic/double_double_functions.hpp"

namespace POLHODE_CORE {

/// A point in the plane of the conic, the periapsis on the first axis.
template <class U>
struct ConicPoint {
  U x;
  U y;
  U distance;
};

/// An anomaly, and the change that is known beyond its last digit.
template <class U>
struct Anomaly {
  U value;
  U change;
};

namespace detail {

/// c_2(z) = 1/2! - z/4! + ... and c_3(z) = 1/3! - z/5! + ..., for sizes of z up to that of `stumpff_end`.
template <class U>
struct Stumpff {
  U two;
  U three;
};

inline constexpr double stumpff_end = 6.25;

template <class U>
class StumpffSeries {
 public:
  StumpffSeries() {
    U factorial(2);
    double size = 1.0;
    const double enough = 0.05 * static_cast<double>(std::numeric_limits<U>::epsilon());
    for (; terms_ < even_.size() && size > enough; ++terms_) {
      const U n(2 * static_cast<double>(terms_) + 3);
      even_[terms_] = U(1) / factorial;
      odd_[terms_] = even_[terms_] / n;
      factorial *= n * (n + U(1));
      size *= stumpff_end / static_cast<double>(n * (n + U(1)));
    }
  }

  Stumpff<U> operator()(const U& z) const {
    std::size_t i = terms_ - 1;
    Stumpff<U> sum{even_[i], odd_[i]};
    while (i-- > 0) sum = {even_[i] - z * sum.two, odd_[i] - z * sum.three};
    return sum;
  }

 private:
  std::array<U, 24> even_{}, odd_{};
  std::size_t terms_ = 0;
};

template <class U>
Stumpff<U> stumpff(const U& z) {
  static const StumpffSeries<U> series;
  return series(z);
}

/// sinh and cosh, not next to zero.
template <class U>
SineCosine<U> hyperbolic(const U& x) {
  using std::exp;
  const U grown = exp(x), fallen = U(1) / grown;
  return {(grown - fallen) / U(2), (grown + fallen) / U(2)};
}

}  // namespace detail

template <Scalar T>
class Conic {
 public:
  using W = Wide<T>;

  /// The eccentricity is finite and not negative.
  explicit Conic(const T& eccentricity)
      : eccentricity_(eccentricity),
        alpha_(W(1) - W(eccentricity)),
        root_(sqrt(abs(alpha_))),
        mean_motion_(root_ * abs(alpha_)),
        speed_(sqrt(W(1) + W(eccentricity))) {
    const auto e = static_cast<double>(eccentricity), beta = std::abs(static_cast<double>(alpha_));
    // The time of the anomaly where the series end, by E - sin E or sinh H - H: at 3/2, and at 5/2, because E - e sin E
    // and e sinh H - H would lose digits to a difference before.
    const double last = is_ellipse() ? 1.5 : 2.5;
    const double excess = is_ellipse() ? 0.5025050133959456 : 3.5502044810397876;
    series_end_ = beta > 0.0 ? (last * beta + e * excess) / (beta * std::sqrt(beta)) : HUGE_VAL;
    largest_ = last / std::sqrt(beta);
  }

  bool is_ellipse() const { return alpha_ > W(0); }
  bool is_hyperbola() const { return alpha_ < W(0); }
  /// sqrt(mu/|a|^3) of the semi-major axis a; zero for the parabola.
  const W& mean_motion() const { return mean_motion_; }

  /// The point at a time. Of an ellipse the time is reduced to half a period about the periapsis.
  template <class U>
  ConicPoint<U> at(const W& time) const {
    const W reduced = reduce(time);
    const W size = abs(reduced);
    ConicPoint<U> point = is_series(size) ? series_point(series_anomaly<U>(size))
                          : is_ellipse()  ? elliptic_point(elliptic_anomaly<U>(mean_motion_ * size))
                                          : hyperbolic_point(hyperbolic_anomaly<U>(mean_motion_ * size));
    if (reduced < W(0)) point.y = -point.y;
    return point;
  }

  /// Whether at this time the anomaly is s; otherwise it is E or H.
  bool is_series(const W& size) const { return static_cast<double>(size) <= series_end_; }

  /// The anomalies, for times that are not negative: s of the time, E and H of the mean anomaly.
  template <class U>
  Anomaly<U> series_anomaly(const W& time) const {
    const U e(eccentricity_), alpha(alpha_);
    const auto equation = [&](const U& s) {
      const U square = s * s;
      const auto [two, three] = detail::stumpff<U>(alpha * square);
      return Anomaly<U>{static_cast<U>(W(s) - time) + e * (s * square * three), U(1) + e * (square * two)};
    };
    if constexpr (std::is_same_v<U, double>) {
      // The left side is convex: from beyond the root the method falls to it. s < time, and U_3 > 0.1488 s^3.
      const double t(time), beyond = std::min(t, std::cbrt(6.73 * t / e));
      return newton<true>(std::min(beyond, largest_), equation);
    } else {
      return newton<true>(refined<U>(series_anomaly<double>(time)), equation);
    }
  }
  template <class U>
  Anomaly<U> elliptic_anomaly(const W& mean) const {
    const U e(eccentricity_);
    const auto equation = [&](const U& anomaly) {
      const auto [s, c] = sincos(anomaly);
      return Anomaly<U>{static_cast<U>(W(anomaly) - mean) - e * s, U(1) - e * c};
    };
    if constexpr (std::is_same_v<U, double>) {
      return newton<false>(std::min(static_cast<double>(mean) + e, pi<double>()), equation);
    } else {
      return newton<false>(refined<U>(elliptic_anomaly<double>(mean)), equation);
    }
  }
  template <class U>
  Anomaly<U> hyperbolic_anomaly(const W& mean) const {
    const U e(eccentricity_);
    const auto equation = [&](const U& anomaly) {
      const auto [s, c] = detail::hyperbolic(anomaly);
      return Anomaly<U>{e * s - static_cast<U>(W(anomaly) + mean), e * c - U(1)};
    };
    if constexpr (std::is_same_v<U, double>) {
      const double m(mean), first = std::max(2.5, std::asinh(m / e));
      return newton<false>(std::asinh((m + first) / e), equation);
    } else {
      return newton<false>(refined<U>(hyperbolic_anomaly<double>(mean)), equation);
    }
  }

 private:
  W reduce(const W& time) const {
    if (!is_ellipse()) return time;
    const W mean = mean_motion_ * time, turn = W(2) * pi<W>();
    const W revolutions = floor(mean / turn + W(0.5));
    return revolutions == W(0) ? time : (mean - revolutions * turn) / mean_motion_;
  }

  template <class U>
  static U refined(const Anomaly<double>& rough) {
    return U(rough.value) + U(rough.change);
  }

  /// Newton's method up to a change whose square does not matter: relative to s, whose powers are in the position, but not
  /// to H, whose exponential is. The equation gives residual and slope.
  template <bool relative, class U, class Equation>
  static Anomaly<U> newton(const U& start, const Equation& equation) {
    const U enough = U(std::numeric_limits<U>::epsilon()) / U(256);
    U anomaly = start;
    for (int i = 0;; ++i) {
      const auto [residual, slope] = equation(anomaly);
      const U change = -residual / slope;
      const U size = relative ? anomaly : U(1);
      if (!(change * change > enough * (size * size)) || i == 60) return {anomaly, change};
      anomaly += change;
    }
  }

  template <class U>
  ConicPoint<U> point_of(const U& one, const U& two) const {
    return {U(1) - two, static_cast<U>(speed_) * one, U(1) + U(eccentricity_) * two};
  }
  template <class U>
  ConicPoint<U> series_point(const Anomaly<U>& s) const {
    const U square = s.value * s.value, alpha(alpha_), z = alpha * square;
    const auto [c2, c3] = detail::stumpff<U>(z);
    const U two = square * c2, one = s.value - s.value * (z * c3), zero = U(1) - alpha * two;
    return point_of<U>(one + s.change * zero, two + s.change * one);
  }
  template <class U>
  ConicPoint<U> elliptic_point(const Anomaly<U>& anomaly) const {
    const auto [s, c] = sincos(anomaly.value);
    const U sine = s + anomaly.change * c, less = (U(1) - c) + anomaly.change * s;
    return point_of<U>(sine / static_cast<U>(root_), less / static_cast<U>(alpha_));
  }
  template <class U>
  ConicPoint<U> hyperbolic_point(const Anomaly<U>& anomaly) const {
    const auto [s, c] = detail::hyperbolic(anomaly.value);
    const U sine = s + anomaly.change * c, more = (c - U(1)) + anomaly.change * s;
    return point_of<U>(sine / static_cast<U>(root_), -more / static_cast<U>(alpha_));
  }

  T eccentricity_;
  W alpha_;            // 1 - e
  W root_;             // of its size
  W mean_motion_;      // in these units
  W speed_;            // at the periapsis
  double series_end_;  // the last time for the series, and the anomaly there
  double largest_;
};

}  // namespace POLHODE_CORE
