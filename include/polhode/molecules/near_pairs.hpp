// Pairs of molecules that are near each other, in the order of the molecules.
#pragma once

#include "polhode/molecules/cells.hpp"
#include "polhode/molecules/force_field.hpp"

namespace POLHODE_CORE {

/// Whether cells find the molecules within a range faster than a look at all pairs: for many molecules, and a range that is
/// short against the box.
inline bool cells_pay(const ForceField& field, double range, std::size_t molecules) {
  constexpr std::size_t few = 200;
  return molecules >= few && isfinite(range) && (!field.box() || CellGrid::fits(*field.box(), range));
}

inline CellGrid grid_for(const ForceField& field, double range, std::size_t molecules) {
  return field.box() ? CellGrid::in_box(*field.box(), range, molecules)
                     : CellGrid::in_free_space(range, molecules);
}

/// Calls visit(i, j), i < j, in the order of i and then of j, for all pairs of centres that are not further apart than the range,
/// and perhaps for others.
template <class Visit>
void for_each_near_pair(const ForceField& field, double range, std::span<const Vector<double>> centres,
                        const Visit& visit) {
  if (!cells_pay(field, range, centres.size())) {
    for (std::size_t i = 0; i < centres.size(); ++i)
      for (std::size_t j = i + 1; j < centres.size(); ++j) visit(i, j);
    return;
  }
  const CellGrid grid = grid_for(field, range, centres.size());
  std::vector<std::uint32_t> cells;
  for (const auto& x : centres) cells.push_back(static_cast<std::uint32_t>(grid.cell(x)));
  CellOrder order;
  order.sort(cells, grid.cells());

  const double limit = range * range * (1.0 + 1e-6);  // the rounding errors of a distance count for nothing
  constexpr std::ptrdiff_t reach = CellGrid::reach, side = 2 * reach + 1;
  std::vector<std::size_t> near;
  for (std::size_t i = 0; i < centres.size(); ++i) {
    const std::size_t cell = cells[i], row = cell / grid.count(0);
    const std::array<std::size_t, 3> at{cell % grid.count(0), row % grid.count(1), row / grid.count(1)};
    near.clear();
    for (std::ptrdiff_t n = 0; n < side * side * side; ++n) {
      const std::size_t x = grid.shifted(0, at[0], n % side - reach),
                        y = grid.shifted(1, at[1], n / side % side - reach),
                        z = grid.shifted(2, at[2], n / (side * side) - reach);
      const std::size_t other = x + grid.count(0) * (y + grid.count(1) * z);
      for (std::size_t place = order.begin(other); place < order.begin(other + 1); ++place) {
        const std::size_t j = order[place];
        if (j <= i) continue;
        const Vector<double> apart = field.nearest(centres[i] - centres[j]);
        if (!(dot(apart, apart) > limit)) near.push_back(j);
      }
    }
    std::sort(near.begin(), near.end());
    for (const std::size_t j : near) visit(i, j);
  }
}

}  // namespace POLHODE_CORE
