// The named multistep methods. Their tables are made, and checked, by the compiler.
#pragma once

#include <string_view>

#include "polhode/constrained/multistep_table.hpp"

namespace POLHODE_CORE {

struct MultistepMethod {
  std::string_view name;  ///< as in scenario files
  std::string_view summary;
  MultistepTable table;
};

namespace detail {
template <std::size_t n>
consteval MultistepTable multistep_alpha(const std::int64_t (&alpha)[n]) {
  return MultistepTable::from_alpha(alpha);
}
}  // namespace detail

/// Of Quinlan and Tremaine are SY8 to SY14 [QT90], of Quinlan SY8A and SY8B [Qui99]; SY2 is Stormer's. For SY4 and
/// SY6 we know of no published table under these names: rho here is (z - 1)^2 (z^(k-2) + z^(k-4) + ... + 1), the
/// pattern that SY8A continues.
inline constexpr std::array<MultistepMethod, 9> multistep_methods{{
    {"sy2", "Stormer's method on a staggered grid (leapfrog)", detail::multistep_alpha({1, -2, 1})},
    {"sy4", "symmetric multistep method of order 4", detail::multistep_alpha({1, -2, 2, -2, 1})},
    {"sy6", "symmetric multistep method of order 6", detail::multistep_alpha({1, -2, 2, -2, 2, -2, 1})},
    {"sy8", "symmetric multistep method of order 8, Quinlan and Tremaine",
     detail::multistep_alpha({1, -2, 2, -1, 0, -1, 2, -2, 1})},
    {"sy8a", "symmetric multistep method of order 8, Quinlan",
     detail::multistep_alpha({1, -2, 2, -2, 2, -2, 2, -2, 1})},
    {"sy8b", "symmetric multistep method of order 8, Quinlan",
     detail::multistep_alpha({2, 0, 0, -1, -2, -1, 0, 0, 2})},
    {"sy10", "symmetric multistep method of order 10, Quinlan and Tremaine",
     detail::multistep_alpha({1, -1, 1, -1, 1, -2, 1, -1, 1, -1, 1})},
    {"sy12", "symmetric multistep method of order 12, Quinlan and Tremaine",
     detail::multistep_alpha({1, -2, 2, -1, 0, 0, 0, 0, 0, -1, 2, -2, 1})},
    {"sy14", "symmetric multistep method of order 14, Quinlan and Tremaine",
     detail::multistep_alpha({1, -2, 2, -1, 0, 0, 0, 0, 0, 0, 0, -1, 2, -2, 1})},
}};

/// Throws InputError for a name that is not in the list.
constexpr const MultistepTable& multistep_table(std::string_view name) {
  for (const MultistepMethod& method : multistep_methods)
    if (method.name == name) return method.table;
  throw InputError("there is no multistep method '" + std::string(name) + "'");
}

/// The method of [CH13 section 3.2], of order 8 and stable with constraints: roots -0.8, -0.4 and 0.7.
inline constexpr MultistepTable console_hairer_table = [] {
  constexpr std::array<Fraction, 3> roots{Fraction(-4, 5), Fraction(-2, 5), Fraction(7, 10)};
  return MultistepTable::from_roots(roots);
}();
static_assert(console_hairer_table.stable_with_constraints());

}  // namespace POLHODE_CORE

namespace polhode::constrained {
using core::console_hairer_table;
using core::multistep_methods;
using core::multistep_table;
}  // namespace polhode::constrained
