// Onto the manifold g(q) = 0, G(q) M^-1 p = 0 [CH13 (2)].
#pragma once

#include <sstream>

#include "polhode/constrained/constraints.hpp"

namespace POLHODE_CORE {

/// How far a point is from the manifold: the largest |g_i(q)| and the largest |(G M^-1 p)_i|.
template <class T>
struct Residual {
  T position{};
  T velocity{};
};

/// Evaluations and projections at single points, in the scalar T: for starting, for output, and for measuring.
template <System S, class T>
class Manifold {
 public:
  explicit Manifold(const S& system)
      : system_(system), mass_(system), derivative_(system), gram_(system, derivative_) {}

  const S& system() const { return system_; }
  const Mass<S, T>& mass() const { return mass_; }
  std::size_t dimension() const { return dimension_of(system_); }

  Multipliers<S, T> constraint([[maybe_unused]] const Coordinates<S, T>& q) const {
    Multipliers<S, T> g(derivative_.size());
    if constexpr (HasConstraints<S>)
      for (std::size_t i = 0; i < g.size(); ++i) g[i] = system_.constraint(q.span(), i);
    return g;
  }

  Residual<T> residual(const PhasePointOf<S, T>& point) {
    Coordinates<S, T> v = point.momentum;
    mass_.divide(v);
    derivative_.evaluate(system_, point.position);
    Residual<T> result{largest(constraint(point.position)), T(0)};
    for (std::size_t i = 0; i < derivative_.size(); ++i) {
      const T size = abs(derivative_.times(i, v));
      if (!(size <= result.velocity)) result.velocity = size;
    }
    return result;
  }

  /// The nearest solution of g(q) = 0 in the metric of the mass, by Newton's method; false when it does not converge or
  /// G M^-1 G^T is singular on the way.
  bool project_position(Coordinates<S, T>& q) {
    if (derivative_.size() == 0) return true;
    T previous(0);
    for (int i = 0; i < 50; ++i) {
      derivative_.evaluate(system_, q);
      if (!gram_.factor(derivative_, mass_)) return false;
      Multipliers<S, T> mu = constraint(q);
      const T size = largest(mu);
      if (size == T(0)) return true;
      // Newton's method at least halves it until round-off; small coordinates have finer last places to wander in.
      if (i > 0 && !(size < T(0.5) * previous)) {
        const double last_place =
            std::max(static_cast<double>(ScalarTraits<T>::epsilon()), round_off_of(system_));
        return size <= T(1e4 * last_place) * (T(1) + largest(q));
      }
      previous = size;
      gram_.solve(mu);
      Coordinates<S, T> shift = derivative_.transposed_times(mu, q.size());
      mass_.divide(shift);
      for (std::size_t j = 0; j < q.size(); ++j) q[j] -= shift[j];
    }
    return false;
  }

  /// p - G^T mu with G M^-1 (p - G^T mu) = 0: the second half of [CH13 (7)]. Twice, because the first time leaves
  /// the round-off of the part that is removed.
  bool project_momentum(PhasePointOf<S, T>& point) {
    if (derivative_.size() == 0) return true;
    derivative_.evaluate(system_, point.position);
    if (!gram_.factor(derivative_, mass_)) return false;
    for (int pass = 0; pass < 2; ++pass) {
      Coordinates<S, T> v = point.momentum;
      mass_.divide(v);
      Multipliers<S, T> mu(derivative_.size());
      for (std::size_t i = 0; i < mu.size(); ++i) mu[i] = derivative_.times(i, v);
      gram_.solve(mu);
      const Coordinates<S, T> along = derivative_.transposed_times(mu, v.size());
      for (std::size_t j = 0; j < v.size(); ++j) point.momentum[j] -= along[j];
    }
    return true;
  }

  /// The acceleration M^-1 (f - G^T lambda) and the multiplier of the motion through a point of the manifold with the
  /// velocity v: the constraint twice differentiated is G q'' + v^T g'' v = 0. False where that has no solution.
  bool acceleration(const Coordinates<S, T>& q, [[maybe_unused]] const Coordinates<S, T>& v,
                    Coordinates<S, T>& a, Multipliers<S, T>& lambda) {
    a = Coordinates<S, T>(q.size());
    force(system_, q, a);
    if constexpr (HasConstraints<S>) {
      derivative_.evaluate(system_, q);
      if (!gram_.factor(derivative_, mass_)) return false;
      Coordinates<S, T> free = a;
      mass_.divide(free);
      lambda = Multipliers<S, T>(derivative_.size());
      for (std::size_t i = 0; i < lambda.size(); ++i)
        lambda[i] = derivative_.times(i, free) + curvature(system_, q.span(), v.span(), i);
      gram_.solve(lambda);
      const Coordinates<S, T> along = derivative_.transposed_times(lambda, q.size());
      for (std::size_t j = 0; j < q.size(); ++j) a[j] -= along[j];
    }
    mass_.divide(a);
    return true;
  }

 private:
  S system_;
  Mass<S, T> mass_;
  ConstraintDerivative<S, T> derivative_;
  GramFactor<S, T> gram_;
};

/// A point that is nearly on the manifold, put onto it; one whose constraints are missed by more than the tolerance is
/// refused, because it is then no rounding error but another problem.
template <System S, class T>
PhasePointOf<S, T> consistent(Manifold<S, T>& manifold, PhasePointOf<S, T> point, double tolerance = 1e-8) {
  for (std::size_t i = 0; i < manifold.dimension(); ++i)
    if (!isfinite(point.position[i]) || !isfinite(point.momentum[i]))
      throw InputError("a coordinate or a momentum of the initial value is not finite");
  const Residual<T> residual = manifold.residual(point);
  const auto refuse = [&](const char* what, const T& size) {
    std::ostringstream text;
    text << "the initial value does not satisfy the constraints: " << what << " is "
         << static_cast<double>(size) << ", and at most " << tolerance << " is put right";
    throw InputError(text.str());
  };
  if (!(residual.position <= T(tolerance))) refuse("|g(q)|", residual.position);
  if (!(residual.velocity <= T(tolerance))) refuse("|G M^-1 p|", residual.velocity);
  if (!manifold.project_position(point.position) || !manifold.project_momentum(point))
    throw InputError("the constraints are dependent at the initial value: G M^-1 G^T is singular");
  return point;
}

}  // namespace POLHODE_CORE
