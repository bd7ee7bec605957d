// Constants that are written with more digits than a double has.
#pragma once

#include <string_view>

#include "polhode/arithmetic/double_double.hpp"

namespace POLHODE_CORE {

/// The number that a decimal stands for ("-0.0145300417428968183785", up to 60 digits, no exponent), to about the last
/// place of T. Digits beyond what T holds make no harm.
template <Scalar T>
T from_decimal(std::string_view text) {
  using W = Wide<T>;
  W number(0.0), scale(1.0);
  bool fraction = false;
  for (const char c : text) {
    if (c == '.') fraction = true;
    if (c < '0' || c > '9') continue;
    number = number * W(10.0) + W(static_cast<double>(c - '0'));
    if (fraction) scale = scale * W(10.0);
  }
  const W value = number / scale;
  return static_cast<T>(text.starts_with('-') ? -value : value);
}

/// The same in units of 10^-15, rounded towards zero: for checks at compile time.
constexpr long long femto_units(std::string_view text) {
  long long number = 0;
  int places = -1;
  for (const char c : text) {
    if (c == '.') places = 0;
    if (c < '0' || c > '9' || places == 15) continue;
    number = 10 * number + (c - '0');
    if (places >= 0) ++places;
  }
  for (places = places < 0 ? 0 : places; places < 15; ++places) number *= 10;
  return text.starts_with('-') ? -number : number;
}

}  // namespace POLHODE_CORE
