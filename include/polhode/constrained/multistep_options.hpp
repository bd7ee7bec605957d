// Options of symmetric multistep methods beside their form: what [CH13] mentions and improves on, to be compared.
#pragma once

#include "polhode/core.hpp"

namespace POLHODE_CORE {

/// Which sums carry their rounding errors, of the forms compensated (the two equations of [CH13 (6)]) and summed (the
/// second sum and the first).
enum class Compensation {
  none,
  position,  ///< the sum that ends in the position alone: of marginal effect, says [CH13 section 2.3]
  momentum,  ///< the sum that ends in the momentum alone
  both,
};

/// How the momentum at a grid point is computed. No step depends on it.
enum class MomentumFormula {
  wide,       ///< [CH13 (7)] in the wide scalar, with the errors that the form carries
  staggered,  ///< [CH13 (7)] in the scalar of the method, from values
  differences,  ///< [CH13 (5)] in the scalar of the method, from values: the rounding errors of positions over h
};

/// How the starting values are computed, always in the wide scalar until its digits are exhausted.
enum class StartMethod {
  extrapolation,  ///< of the modified midpoint rule
  gauss,          ///< the implicit Runge-Kutta method of Gauss with 8 stages, of order 16
};

struct MultistepOptions {
  Compensation compensation = Compensation::both;
  MomentumFormula momentum = MomentumFormula::wide;
  StartMethod start = StartMethod::extrapolation;
};

}  // namespace POLHODE_CORE

namespace polhode::constrained {
using core::Compensation;
using core::MomentumFormula;
using core::MultistepOptions;
using core::StartMethod;
}  // namespace polhode::constrained
