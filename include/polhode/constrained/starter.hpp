// Starting values: the exact motion at a few grid points, to the last places of the scalar.
#pragma once

#include <optional>
#include <vector>

#include "polhode/constrained/collocation.hpp"
#include "polhode/constrained/multistep_options.hpp"
#include "polhode/constrained/projection.hpp"

namespace POLHODE_CORE {

/// A point of the motion with what multistep methods need there.
template <System S, class T>
struct MotionPoint {
  Coordinates<S, T> position, velocity, acceleration;
  Multipliers<S, T> lambda;
};

/// Follows a motion by extrapolation of the modified midpoint rule [HNW93 section II.9] or by the Gauss method of 8
/// stages, in the scalar T, until its digits are exhausted, with a projection onto the constraints after each step. The
/// multiplier is that of the twice differentiated constraint, which is a differential equation, so no order is lost. The
/// same for every system; slow, but it is called a few times in a run.
template <System S, class T>
class Starter {
 public:
  explicit Starter(Manifold<S, T>& manifold, StartMethod method = StartMethod::extrapolation)
      : manifold_(manifold), method_(method) {
    if (method == StartMethod::gauss) table_.emplace(CollocationTable::gauss(8));
  }

  MotionPoint<S, T> begin(const PhasePointOf<S, T>& point) {
    MotionPoint<S, T> result;
    result.position = point.position;
    result.velocity = point.momentum;
    manifold_.mass().divide(result.velocity);
    accelerate(result);
    return result;
  }

  /// The point at a time h later (or earlier, for h < 0).
  MotionPoint<S, T> step(const MotionPoint<S, T>& from, const T& h, int depth = 0) {
    MotionPoint<S, T> result;
    if (!(method_ == StartMethod::gauss ? collocate(from, h, depth, result) : extrapolate(from, h, result))) {
      if (depth == 12)
        throw InputError("the motion next to the initial value cannot be followed at this step size");
      return step(step(from, h * T(0.5), depth + 1), h * T(0.5), depth + 1);
    }
    PhasePointOf<S, T> point;
    point.position = result.position;
    point.momentum = result.velocity;
    manifold_.mass().multiply(point.momentum);
    if (!manifold_.project_position(point.position) || !manifold_.project_momentum(point))
      throw InputError("the constraints become dependent next to the initial value: G M^-1 G^T is singular");
    return begin(point);
  }

 private:
  static constexpr int columns = 14;
  /// Position and velocity.
  struct Pair {
    Coordinates<S, T> q, v;
  };

  void accelerate(MotionPoint<S, T>& point) {
    if (!manifold_.acceleration(point.position, point.velocity, point.acceleration, point.lambda))
      throw InputError("the constraints are dependent next to the initial value: G M^-1 G^T is singular");
  }

  static void add(Pair& a, const T& factor, const Pair& b) {
    for (std::size_t i = 0; i < a.q.size(); ++i) {
      a.q[i] += factor * b.q[i];
      a.v[i] += factor * b.v[i];
    }
  }
  Pair slope(const Pair& y) {
    Pair result{y.v, y.v};
    Multipliers<S, T> lambda;
    if (!manifold_.acceleration(y.q, y.v, result.v, lambda))
      for (T& x : result.v) x = T(std::numeric_limits<double>::quiet_NaN());
    return result;
  }

  /// The increment of the modified midpoint rule with n (even) steps: an expansion in (h/n)^2.
  Pair midpoint(const Pair& start, const T& h, int n) {
    const T part = h / T(n);
    Pair before = start, now = start;
    add(now, part, slope(start));
    for (int i = 1; i < n; ++i) {
      Pair next = before;
      add(next, T(2) * part, slope(now));
      before = now;
      now = next;
    }
    Pair last = before;  // Gragg's smoothing: half of the two values at the end
    add(last, part, slope(now));
    for (std::size_t i = 0; i < now.q.size(); ++i) {
      now.q[i] = (now.q[i] + last.q[i]) * T(0.5) - start.q[i];
      now.v[i] = (now.v[i] + last.v[i]) * T(0.5) - start.v[i];
    }
    return now;
  }

  bool extrapolate(const MotionPoint<S, T>& from, const T& h, MotionPoint<S, T>& result) {
    const Pair start{from.position, from.velocity};
    std::array<Pair, columns> row;
    const double goal = Starter::goal(), noise = Starter::noise();
    double previous = HUGE_VAL;
    for (int j = 0; j < columns; ++j) {
      Pair value = midpoint(start, h, 2 * (j + 1));
      double change = HUGE_VAL;
      for (int i = 1; i <= j; ++i) {  // Aitken and Neville
        const T ratio = square(T(j + 1) / T(j + 1 - i)) - T(1);
        Pair& old = row[static_cast<std::size_t>(i - 1)];
        Pair next = value;
        for (std::size_t k = 0; k < start.q.size(); ++k) {
          next.q[k] += (value.q[k] - old.q[k]) / ratio;
          next.v[k] += (value.v[k] - old.v[k]) / ratio;
        }
        if (i == j) change = distance(next, old, start);
        old = value;
        value = next;
      }
      row[static_cast<std::size_t>(j)] = value;
      if (!(change == change)) return false;
      // Round-off is reached when the change no longer decreases. Where that is depends on the condition of
      // G M^-1 G^T: a chain of a thousand links loses seven digits, and still has many more than a double.
      if (j >= 2 && (change <= goal || (change <= noise && change >= previous))) {
        add(value, T(1), start);
        result.position = value.q;
        result.velocity = value.v;
        return true;
      }
      previous = change;
    }
    return false;
  }

  /// One step of the Gauss method in two halves, if a whole one agrees with them: by the order 16 the halves are then
  /// right to the last places. What does not agree after two halvings is no error of the method.
  bool collocate(const MotionPoint<S, T>& from, const T& h, int depth, MotionPoint<S, T>& result) {
    const Pair start{from.position, from.velocity};
    Pair whole = start, halves = start;
    if (!gauss_step(whole, h) || !gauss_step(halves, h * T(0.5)) || !gauss_step(halves, h * T(0.5)))
      return false;
    if (!(distance(whole, halves, start) <= (depth < 2 ? 0x1p16 * goal() : noise()))) return false;
    result.position = halves.q;
    result.velocity = halves.v;
    return true;
  }

  /// Stages by fixed-point iteration, until they no longer come nearer.
  bool gauss_step(Pair& y, const T& h) {
    const std::size_t stages = table_->stages(), size = y.q.size();
    std::vector<Pair> slopes(stages, slope(y));
    const auto combined = [&](const auto& coefficient) {  // h sum_j c_j k_j
      Pair sum{Coordinates<S, T>(size), Coordinates<S, T>(size)};
      for (std::size_t j = 0; j < stages; ++j) {
        const DoubleDouble c = coefficient(j);
        add(sum, h * (T(c.high()) + T(c.low())), slopes[j]);
      }
      return sum;
    };
    std::vector<Pair> increments(stages, combined([](std::size_t) { return DoubleDouble(0); }));
    double previous = HUGE_VAL;
    for (int sweep = 0; sweep < 100; ++sweep) {
      double change = 0.0;
      for (std::size_t i = 0; i < stages; ++i) {
        const Pair next = combined([&](std::size_t j) { return table_->position_matrix(i, j); });
        change = worse(change, distance(next, increments[i], y));
        increments[i] = next;
      }
      if (!(change == change)) return false;
      for (std::size_t i = 0; i < stages; ++i) {
        Pair stage = y;
        add(stage, T(1), increments[i]);
        slopes[i] = slope(stage);
      }
      if (change == 0.0 || (change <= noise() && change >= previous)) {
        add(y, T(1), combined([&](std::size_t j) { return table_->weights[j]; }));
        return true;
      }
      if (sweep > 8 && change > previous) return false;
      previous = change;
    }
    return false;
  }

  static double goal() { return 8.0 * static_cast<double>(ScalarTraits<T>::epsilon()); }
  /// What the errors of the functions leave of the increments, which extrapolation makes up to a thousand times larger.
  double noise() const { return std::max(1e7 * goal(), 1e4 * round_off_of(manifold_.system())); }

  static double distance(const Pair& a, const Pair& b, const Pair& scale) {
    double q = 0, v = 0;
    for (std::size_t i = 0; i < a.q.size(); ++i) {
      q = worse(q, static_cast<double>(abs(a.q[i] - b.q[i])));
      v = worse(v, static_cast<double>(abs(a.v[i] - b.v[i])));
    }
    const double q_scale = static_cast<double>(largest(scale.q) + largest(a.q));
    const double v_scale = static_cast<double>(largest(scale.v) + largest(a.v));
    return worse(q > 0 ? q / q_scale : 0.0, v > 0 ? v / v_scale : 0.0);
  }
  static double worse(double a, double b) { return b <= a ? a : b; }

  Manifold<S, T>& manifold_;
  StartMethod method_;
  std::optional<CollocationTable> table_;
};

}  // namespace POLHODE_CORE
