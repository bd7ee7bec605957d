// The last grid points of a multistep method.
#pragma once

#include <bit>
#include <cstddef>

#include "polhode/constrained/multistep_kernel.hpp"

namespace POLHODE_CORE {

/// Rings of positions, velocities, accelerations and multipliers, as values with errors, and of second sums and
/// corrections where the form has them. The velocity with the index j is that between the grid points j and j + 1. The
/// index of a grid point may be negative.
template <class B>
class MultistepMemory {
 public:
  enum Ring { positions, velocities, accelerations, multipliers, second_sums, corrections };

  MultistepMemory(int points, std::size_t dimension, std::size_t constraints, bool summed)
      : slots_(std::bit_ceil(static_cast<std::size_t>(points))),
        dimension_(filled_up(dimension)),
        constraints_(filled_up(constraints)),
        numbers_(2 * slots_ * ((summed ? 5 : 3) * dimension_ + constraints_), B(0)) {}

  PairPointer<B> at(Ring ring, std::int64_t index) const {
    const B* value = numbers_.data() + offset(ring, index);
    return {value, value + slots_ * width(ring)};
  }
  template <std::size_t n>
  void write(Ring ring, std::int64_t index, const PairColumn<B, n>& x) {
    B* value = numbers_.data() + offset(ring, index);
    B* error = value + slots_ * width(ring);
    for (std::size_t i = 0; i < x.value.size(); ++i) {
      value[i] = x.value[i];
      error[i] = x.error[i];
    }
  }

  /// All of the rings, for saving and restoring.
  std::span<B> numbers() { return numbers_; }
  std::span<const B> numbers() const { return numbers_; }

  std::int64_t head = 0;  ///< the index of the newest position

 private:
  std::size_t width(Ring ring) const { return ring == multipliers ? constraints_ : dimension_; }
  std::size_t offset(Ring ring, std::int64_t index) const {
    const std::size_t slot = static_cast<std::size_t>(index) & (slots_ - 1);
    const std::size_t before = static_cast<std::size_t>(ring) * dimension_;
    return 2 * slots_ * (ring > multipliers ? before - dimension_ + constraints_ : before) +
           slot * width(ring);
  }

  std::size_t slots_, dimension_, constraints_;
  std::vector<B> numbers_;
};

}  // namespace POLHODE_CORE
