// How the multipliers of a step are found [CH13 sections 2.4 and 2.5].
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "polhode/constrained/constraints.hpp"

namespace POLHODE_CORE {

/// How g is evaluated at the new position, a number next to zero.
enum class ConstraintEvaluation {
  standard,  ///< at the rounded position, in the scalar of the method
  wide,      ///< at the position with its error, in double-double
  rational,  ///< at the position with its error, by the exact value at a neighbouring coarse grid; quadratic g only
  accurate,  ///< rational where g is quadratic, wide elsewhere
};

enum class Stopping {
  convergence,          ///< until the increment is zero or no longer decreases
  tolerance,            ///< until it is at most the tolerance, and it is applied
  tolerance_unapplied,  ///< the same, and it is not: this makes figure 3 of [CH13]
};

struct MultiplierOptions {
  ConstraintEvaluation evaluation = ConstraintEvaluation::accurate;
  Stopping stopping = Stopping::convergence;
  double tolerance = 1e-15;  ///< of the increment, as a shift of the position along M^-1 G^T
  bool closed_form = true;   ///< solve the quadratic equation where each constraint is one sphere
  /// The degree (0 to 3) by which the first guess continues the past multipliers; -1 takes 3, or 1 for the standard
  /// evaluation, whose multipliers are too noisy for more: the guess would amplify the noise, and g could not tell.
  int extrapolation = -1;
  int max_iterations = 50;
};

/// g(q + e) for polynomials of degree two [CH13 section 2.5]. With x the point next to q whose coordinates are integers k_i
/// over a power of two k, and d = (q - x) + e,
///   g(x + d) = g(x) + G(x + d/2) d,
/// which is the paper's sum of three terms for any quadratic g. g(x) comes without rounding error, because its terms are
/// integers over k^2: k leaves the coordinates 24 bits, the squares of their sums and differences at most 52.
template <System S>
requires HasQuadraticConstraints<S>
class RationalConstraint {
 public:
  explicit RationalConstraint(const S& system)
      : coarse_(dimension_of(system)),
        middle_(dimension_of(system)),
        rest_(dimension_of(system)),
        exact_(constraints_of(system)),
        derivative_(system) {}

  /// Takes the point x next to q; it serves for all positions of one step, which differ by far less than 1/k.
  void centre(const S& system, std::span<const double> q) {
    double size = 0.0;
    for (const double x : q) size = std::max(size, std::abs(x));
    const double limit =
        2.0 * std::bit_cast<double>(std::bit_cast<std::uint64_t>(size) & (std::uint64_t{0x7ff} << 52));
    const double shift = limit * 0x1.8p28;  // adding and subtracting it rounds to multiples of limit 2^-24
    for (std::size_t i = 0; i < coarse_.size(); ++i) coarse_[i] = (q[i] + shift) - shift;
    for (std::size_t i = 0; i < exact_.size(); ++i)
      exact_[i] = system.constraint(std::as_const(coarse_).span(), i);
  }

  /// g(q + e) for a position next to the one that was centred at.
  void evaluate(const S& system, std::span<const double> q, std::span<const double> e,
                Multipliers<S, double>& g) {
    for (std::size_t i = 0; i < rest_.size(); ++i) {
      rest_[i] = (q[i] - coarse_[i]) + e[i];
      middle_[i] = coarse_[i] + 0.5 * rest_[i];
    }
    derivative_.evaluate(system, middle_);
    for (std::size_t i = 0; i < g.size(); ++i) g[i] = exact_[i] + derivative_.times(i, rest_);
  }

 private:
  Coordinates<S, double> coarse_, middle_, rest_;
  Multipliers<S, double> exact_;
  ConstraintDerivative<S, double> derivative_;
};

/// The solution x of g_i(y - M^-1 G_i^T x) = 0 next to zero, where g_i is a sphere and G_i its gradient at another point:
/// c - 2 b x + a x^2 = 0. NaN where there is none.
template <System S, class B>
requires HasSpheres<S> B sphere_multiplier(const ConstraintDerivative<S, B>& g, const Mass<S, B>& mass,
                                           std::span<const B> y, std::size_t i, const B& c) {
  const auto row = g.row(i);
  const std::size_t first = g.window(i).first;
  B a(0), b(0);
  for (std::size_t j = 0; j < row.size(); ++j) {
    const B shift = HasDiagonalMass<S> ? row[j] / mass[first + j] : row[j];
    a += shift * shift;
    b += shift * y[first + j];
  }
  const B discriminant = b * b - a * c;
  if (!(discriminant >= B(0)) || !(b > B(0))) return B(std::numeric_limits<double>::quiet_NaN());
  return c / (b + sqrt(discriminant));
}

/// Whether a method in the scalar T can evaluate the constraints by RationalConstraint.
template <System S, class T>
inline constexpr bool rational_possible = std::same_as<T, double>&& HasQuadraticConstraints<S>;

namespace detail {

template <class S, bool possible>
struct RationalOrNothing {
  struct Type {
    explicit Type(const S&) {}
  };
};
template <class S>
struct RationalOrNothing<S, true> {
  using Type = RationalConstraint<S>;
};

}  // namespace detail

/// RationalConstraint, or nothing where it is not possible.
template <System S, class T>
using RationalIfPossible = typename detail::RationalOrNothing<S, rational_possible<S, T>>::Type;

/// The options with the evaluation that is meant. Throws InputError if it does not apply.
template <System S, class T>
MultiplierOptions with_evaluation_for(MultiplierOptions options) {
  if (options.max_iterations < 1) throw InputError("the multipliers need at least one iteration");
  if (!(options.tolerance > 0.0)) throw InputError("the tolerance of the multipliers is not positive");
  if (!std::same_as<T, double>) options.evaluation = ConstraintEvaluation::wide;  // as wide as the scalar
  if (options.evaluation == ConstraintEvaluation::rational && !rational_possible<S, T>)
    throw InputError("the rational evaluation of constraints needs quadratic ones");
  if (options.evaluation == ConstraintEvaluation::accurate)
    options.evaluation =
        rational_possible<S, T> ? ConstraintEvaluation::rational : ConstraintEvaluation::wide;
  return options;
}

}  // namespace POLHODE_CORE

namespace polhode::constrained {
using core::ConstraintEvaluation;
using core::MultiplierOptions;
using core::Stopping;
}  // namespace polhode::constrained
