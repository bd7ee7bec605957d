// A splitting scheme: data.
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "polhode/arithmetic/decimal.hpp"

namespace POLHODE_CORE {

/// The two flows that are composed: the free motion (drift) and the kick of the torque.
enum class Part { free, kick };

/// A symmetric splitting scheme.
///
/// The coefficients are those of the first half, free and kick in turn, up to and with the middle one. An empty text stands
/// for what consistency leaves: the lengths of either flow add up to one step. So the sums are right to the last place
/// of any scalar, whatever the number of published digits.
struct Scheme {
  std::string_view name;
  std::string_view summary;
  std::string_view source;  ///< key of docs/references.md
  int order = 2;            ///< in the step, for two flows of like size
  /// Where the kick is eps times smaller than the free motion, the error is eps h^p1 + eps^2 h^p2 + eps^3 h^p3; zeros
  /// where the scheme was not made for that.
  std::array<int, 3> generalised{};
  /// Whether the order needs kinetic energy that is quadratic in the momenta (Runge-Kutta-Nystrom).
  bool nystrom = false;
  Part first = Part::free;
  /// Whether the coefficients are the weights of Strang steps, of which the scheme is a composition.
  bool of_strang_steps = false;
  std::span<const std::string_view> coefficients{};

  /// The number of free motions and kicks of one step in a long run, where the last and the first stage are one.
  constexpr std::size_t stages() const {
    return of_strang_steps ? 2 * coefficients.size() - 1 : coefficients.size() - 1;
  }
};

namespace detail {

/// Whether exactly one coefficient of each flow is left to consistency, and the others are numbers below 2.
constexpr bool well_formed(const Scheme& s) {
  std::array<int, 2> left_out{};
  for (std::size_t i = 0; i < s.coefficients.size(); ++i) {
    const std::string_view text = s.coefficients[i];
    if (text.empty()) ++left_out[s.of_strang_steps ? 0 : i % 2];
    const long long value = femto_units(text);
    if (value >= 2'000'000'000'000'000 || value <= -2'000'000'000'000'000) return false;
  }
  return s.of_strang_steps ? left_out == std::array<int, 2>{1, 0} && s.coefficients.back().empty()
                           : left_out == std::array<int, 2>{1, 1};
}

}  // namespace detail

}  // namespace POLHODE_CORE

namespace polhode {
using core::Scheme;
}  // namespace polhode
