// Blocks of bodies: the sums that carry them, side by side. Plain numbers, as in functions.hpp.
#pragma once

#include <cstddef>

namespace polhode_shared {

/// The sums of some bodies side by side, in their principal frames and inner units: a row for each number, a lane for each
/// body. As many lanes as the widest register takes, and whole cache lines: threads share none.
///
/// A lane without a body is one at rest.
template <class T, std::size_t row_count>
struct alignas(64) BatchBlock {
  using Number = T;
  static constexpr std::size_t lanes = 64 / sizeof(T);
  static constexpr std::size_t rows = row_count;

  T sums[rows][lanes];
  /// Two factors that make an inner time of a time: one would not hold every power of two.
  T units[2][lanes];
};

/// Momentum, its compensation, attitude, its compensation.
using CompensatedBlock = BatchBlock<double, 14>;
/// Momentum and attitude.
using PlainBlock = BatchBlock<double, 7>;
using FloatBlock = BatchBlock<float, 7>;

}  // namespace polhode_shared
