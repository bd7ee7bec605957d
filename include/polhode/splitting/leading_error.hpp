// The leading error of a splitting scheme: its order, and its effective error.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "polhode/splitting/brackets.hpp"
#include "polhode/splitting/composition.hpp"

namespace POLHODE_CORE {

/// The error of one step of length h is h^(order + 1) times the sum of the coefficients times brackets of free motion A and
/// kick B, and terms of higher order. "BAAB" is the bracket [B, [A, [A, B]]].
struct LeadingError {
  int order = 2;  ///< for two flows of like size; at most largest_known_order
  std::vector<std::string> brackets{};
  std::vector<double> coefficients{};
  double size = 0.0;  ///< the 2-norm of the coefficients
  /// E_f = kicks * size^(1/order) [CZ08, appendix]: the error at equal cost. None if the order is beyond the largest known.
  std::optional<double> effective{};
  /// How far the conditions of the order are missed, by the digits that the coefficients lack.
  double defect = 0.0;

  static constexpr int largest_known_order = 8;
  /// Conditions that are missed by less count as met: with 15 digits they are missed by 5e-15, with the round-off here.
  static constexpr double tolerance = 1e-12;
};

namespace detail {

/// The logarithm of one step of length one, as a series of brackets of the two flows.
inline WordSeries logarithm_of(const Scheme& scheme, int degree) {
  const std::vector<double> half = half_of<double>(scheme);
  WordSeries step = word_series(degree);
  step[0][0] = 1.0;
  bool kick = scheme.first == core::Part::kick;
  for (std::size_t i = 0; i + 1 < 2 * half.size(); ++i) {
    step = times_flow(step, kick, i < half.size() ? half[i] : half[2 * half.size() - 2 - i]);
    kick = !kick;
  }
  return logarithm(step);
}

}  // namespace detail

/// The order and the leading error of a scheme, from its coefficients alone; `nystrom`: for systems whose kinetic energy is
/// quadratic in the momenta, as that of a body is. There some brackets are zero, and a scheme may have a higher order.
inline LeadingError leading_error(const Scheme& scheme, bool nystrom) {
  constexpr int degree = LeadingError::largest_known_order + 1;
  static const std::vector<BracketBasis> general = bracket_bases(degree, false),
                                         mechanics = bracket_bases(degree, true);
  const WordSeries log = detail::logarithm_of(scheme, degree);
  const std::vector<BracketBasis>& bases = nystrom ? mechanics : general;
  LeadingError error;
  // The scheme is symmetric: the logarithm has brackets of odd degree only.
  for (int order = 2; order <= LeadingError::largest_known_order; order += 2) {
    const auto n = static_cast<std::size_t>(order) + 1;
    std::vector<double> c = bases[n - 1].coefficients(log[n]);
    error.order = order;
    double most = 0.0, size = 0.0;
    for (const double x : c) {
      most = std::max(most, std::abs(x));
      size = std::hypot(size, x);
    }
    if (most <= LeadingError::tolerance) {
      error.defect = std::max(error.defect, most);
      continue;
    }
    error.brackets = bases[n - 1].names();
    error.coefficients = std::move(c);
    error.size = size;
    error.effective = static_cast<double>(scheme.stages()) * std::pow(size, 1.0 / order);
    break;
  }
  return error;
}

/// The same for the systems that the scheme is for.
inline LeadingError leading_error(const Scheme& scheme) { return leading_error(scheme, scheme.nystrom); }

}  // namespace POLHODE_CORE

namespace polhode::splitting {
using core::leading_error;
using core::LeadingError;
}  // namespace polhode::splitting
