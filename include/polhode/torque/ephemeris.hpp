// An ephemeris: positions of a body at given times, and between them by polynomials.
//
// In each interval of the table the position is the polynomial through the nearest points, as many before the interval as
// after it where the table has them. With positions alone it is the one of Lagrange, with velocities that of Hermite, both in
// barycentric form; the order is the number of points, or twice that. At the points the pieces meet: continuous with
// positions alone, with a continuous velocity where velocities are given.
#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "polhode/arithmetic/double_double_functions.hpp"
#include "polhode/arithmetic/vector.hpp"
#include "polhode/error.hpp"
#include "polhode/torque/kick_form.hpp"

namespace POLHODE_CORE {

/// Copies share the table.
template <Scalar T = double>
class Ephemeris {
 public:
  using W = Wide<T>;

  /// Positions at times that increase; each position in an interval is of this many points, an even number. Throws
  /// InputError.
  Ephemeris(std::vector<T> times, std::vector<Vector<T>> positions, int points = 8)
      : Ephemeris(std::move(times), std::move(positions), {}, points, false) {}
  /// The same with velocities.
  Ephemeris(std::vector<T> times, std::vector<Vector<T>> positions, std::vector<Vector<T>> velocities,
            int points = 4)
      : Ephemeris(std::move(times), std::move(positions), std::move(velocities), points, true) {}

  /// The power of the spacing of the table that the error goes with.
  int order() const { return static_cast<int>(table_->points) * (table_->velocities.empty() ? 1 : 2); }
  std::size_t size() const { return table_->times.size(); }
  const T& first_time() const { return table_->times.front(); }
  const T& last_time() const { return table_->times.back(); }
  const std::vector<T>& times() const { return table_->times; }
  const std::vector<Vector<T>>& positions() const { return table_->positions; }
  /// Empty where there are none.
  const std::vector<Vector<T>>& velocities() const { return table_->velocities; }

  /// The position at a time, in double or in extended precision. Throws MotionError outside of the table by more than what times of a
  /// run may miss its end by: the rounding errors of a time that was added up, 1e-12 of the greatest time of the table, and 1e-9 of
  /// the table's length, as of a step.
  template <class U>
  Vector<U> at(const W& time) const {
    const Table& t = *table_;
    const W slack = W(std::max(
        {T(1e-12) * abs(first_time()), T(1e-12) * abs(last_time()), T(1e-9) * (last_time() - first_time())}));
    if (!(time >= W(first_time()) - slack && time <= W(last_time()) + slack))
      throw MotionError("the ephemeris has no position at time " + digits_of(static_cast<double>(time)) +
                        ": it is from " + digits_of(static_cast<double>(first_time())) + " to " +
                        digits_of(static_cast<double>(last_time())));
    const auto after = std::upper_bound(t.times.begin() + 1, t.times.end() - 1, time,
                                        [](const W& x, const T& y) { return x < W(y); });
    const auto interval = static_cast<std::size_t>(after - t.times.begin()) - 1;
    const std::size_t first = t.first_point(interval);
    const Weight* weights = &t.weights[interval * t.points];
    const T nearest = T(1e-100) * (last_time() - first_time());
    // From one of the positions, so that the rounding of the sums is one of differences.
    const Vector<U> base = convert<U>(t.positions[interval]);
    Vector<U> numerator{};
    U denominator(0);
    for (std::size_t j = 0; j < t.points; ++j) {
      const std::size_t i = first + j;
      const U distance = static_cast<U>(time - W(t.times[i]));
      // On the point, or so near that the square of the pole would not be a number.
      if (abs(distance) <= U(nearest)) return convert<U>(t.positions[i]);
      const U pole = U(1) / distance;
      const U weight = U(weights[j].value) * pole;
      const Vector<U> step = convert<U>(t.positions[i]) - base;
      if (t.velocities.empty()) {
        numerator = numerator + weight * step;
        denominator += weight;
      } else {
        const U factor = weight * (pole - U(weights[j].slope));
        numerator = numerator + factor * step + weight * convert<U>(t.velocities[i]);
        denominator += factor;
      }
    }
    return base + (U(1) / denominator) * numerator;
  }

  /// KickForm::source: copies have the same.
  std::vector<T> source() const {
    const auto address = reinterpret_cast<std::uintptr_t>(table_.get());
    return {T(static_cast<int>(TimeSource::ephemeris)), T(static_cast<double>(address >> 32)),
            T(static_cast<double>(address & 0xffffffffU))};
  }

 private:
  /// Of a point in an interval: 1/prod(t_j - t_k) up to a common factor, squared where there are velocities; and
  /// 2 sum 1/(t_j - t_k).
  struct Weight {
    T value;
    T slope;
  };
  struct Table {
    std::vector<T> times;
    std::vector<Vector<T>> positions, velocities;
    std::size_t points;
    std::vector<Weight> weights{};  // those of the first interval, those of the second, ...

    /// Of the polynomial in an interval.
    std::size_t first_point(std::size_t interval) const {
      const std::size_t before = points / 2 - 1;
      return std::min(interval < before ? 0 : interval - before, times.size() - points);
    }
    Weight weight(std::size_t first, std::size_t j) const {
      const W length = W(times[first + points - 1]) - W(times[first]);
      W product(1), sum(0);
      for (std::size_t k = 0; k < points; ++k) {
        if (k == j) continue;
        const W difference = W(times[first + j]) - W(times[first + k]);
        product *= difference / length;
        sum += W(2) / difference;
      }
      return {static_cast<T>(W(1) / (velocities.empty() ? product : product * product)), static_cast<T>(sum)};
    }
  };

  Ephemeris(std::vector<T> times, std::vector<Vector<T>> positions, std::vector<Vector<T>> velocities,
            int points, bool has_velocities) {
    examine(times, positions, velocities, points, has_velocities);
    Table table{std::move(times), std::move(positions), std::move(velocities),
                static_cast<std::size_t>(points)};
    table.weights.reserve((table.times.size() - 1) * table.points);
    for (std::size_t interval = 0; interval + 1 < table.times.size(); ++interval)
      for (std::size_t j = 0; j < table.points; ++j)
        table.weights.push_back(table.weight(table.first_point(interval), j));
    table_ = std::make_shared<const Table>(std::move(table));
  }

  static void examine(const std::vector<T>& times, const std::vector<Vector<T>>& positions,
                      const std::vector<Vector<T>>& velocities, int points, bool has_velocities) {
    using std::to_string;
    if (points < 2 || points > 16 || points % 2 != 0)
      throw InputError("the number of points of an ephemeris must be even, from 2 to 16, not " +
                       to_string(points));
    const std::size_t size = times.size();
    if (positions.size() != size || (has_velocities && velocities.size() != size))
      throw InputError("an ephemeris of " + to_string(size) + " times has " + to_string(positions.size()) +
                       " positions" +
                       (has_velocities ? " and " + to_string(velocities.size()) + " velocities" : ""));
    if (size < static_cast<std::size_t>(points))
      throw InputError("an ephemeris of " + to_string(size) + " rows is too short: it is interpolated by " +
                       to_string(points) + " points");
    const auto finite = [](const Vector<T>& v) { return isfinite(v[0]) && isfinite(v[1]) && isfinite(v[2]); };
    for (std::size_t i = 0; i < size; ++i) {
      if (!isfinite(times[i]) || !finite(positions[i]) || (has_velocities && !finite(velocities[i])))
        throw InputError("row " + to_string(i + 1) + " of the ephemeris has a number that is not finite");
      if (i > 0 && !(times[i - 1] < times[i]))
        throw InputError("the times of an ephemeris must increase: in row " + to_string(i + 1) + ", " +
                         digits_of(static_cast<double>(times[i])) + " follows " +
                         digits_of(static_cast<double>(times[i - 1])));
    }
  }

  std::shared_ptr<const Table> table_;
};

Ephemeris(std::vector<double>, std::vector<Vector<double>>)->Ephemeris<double>;
Ephemeris(std::vector<double>, std::vector<Vector<double>>, int)->Ephemeris<double>;
Ephemeris(std::vector<double>, std::vector<Vector<double>>, std::vector<Vector<double>>)->Ephemeris<double>;
Ephemeris(std::vector<double>, std::vector<Vector<double>>, std::vector<Vector<double>>, int)
    ->Ephemeris<double>;

}  // namespace POLHODE_CORE

namespace polhode::torques {
using core::Ephemeris;
}  // namespace polhode::torques
