// Cells of space, and molecules in the order of the cells that they are in.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "polhode/arithmetic/vector.hpp"

namespace POLHODE_CORE {

/// A grid of cells over a periodic box, or over free space, where a cell stands for all those that are a number of grids
/// away. A row is the cells of the same y and z; rows are numbered by y first.
class CellGrid {
 public:
  /// So many cells to either side hold all that is within the range of a point.
  static constexpr std::size_t reach = 2;
  /// The fewest cells along an edge: with fewer, a cell would be met on both sides.
  static constexpr std::size_t fewest = 2 * reach + 1;

  /// Cells for a range, in a box that has room for the fewest; not more of them than some molecules are worth.
  static CellGrid in_box(const Vector<double>& edges, double range, std::size_t molecules) {
    CellGrid grid;
    for (std::size_t k = 0; k < 3; ++k) {
      grid.inverse_[k] = 1.0 / edges[k];
      grid.count_[k] = static_cast<std::size_t>(std::min(whole_cells(edges[k], range), worth(molecules)));
    }
    return grid;
  }
  static CellGrid in_free_space(double range, std::size_t molecules) {
    CellGrid grid;
    for (std::size_t k = 0; k < 3; ++k) {
      grid.count_[k] = static_cast<std::size_t>(worth(molecules));
      grid.inverse_[k] = slack / (static_cast<double>(grid.count_[k]) * range / reach);
    }
    return grid;
  }

  /// Whether a box has room for the fewest cells.
  static bool fits(const Vector<double>& edges, double range) {
    bool all = true;
    for (std::size_t k = 0; k < 3; ++k) all = all && whole_cells(edges[k], range) >= fewest;
    return all;
  }

  std::size_t count(std::size_t axis) const { return count_[axis]; }
  std::size_t rows() const { return count_[1] * count_[2]; }
  std::size_t cells() const { return count_[0] * rows(); }

  /// The cell of a point. One that is nowhere has a cell, too.
  std::size_t cell(const Vector<double>& x) const {
    return along(0, x[0]) + count_[0] * (along(1, x[1]) + count_[1] * along(2, x[2]));
  }

  /// The place `shift` further along an axis, up to a whole edge.
  std::size_t shifted(std::size_t axis, std::size_t at, std::ptrdiff_t shift) const {
    const auto n = static_cast<std::ptrdiff_t>(count_[axis]);
    return static_cast<std::size_t>((static_cast<std::ptrdiff_t>(at) + shift + n) % n);
  }

 private:
  /// Cells are longer than they need to be by more than the rounding errors of a place in them.
  static constexpr double slack = 1.0 - 1e-6;

  static double whole_cells(double edge, double range) { return std::floor(slack * edge / (range / reach)); }
  static double worth(std::size_t molecules) {
    return std::max<double>(fewest, std::floor(std::cbrt(static_cast<double>(molecules))));
  }

  std::size_t along(std::size_t k, double x) const {
    double part = x * inverse_[k];
    part -= std::floor(part);
    const double cell = part * static_cast<double>(count_[k]);
    return cell >= 1.0 ? std::min(static_cast<std::size_t>(cell), count_[k] - 1) : 0;
  }

  std::array<std::size_t, 3> count_{1, 1, 1};
  Vector<double> inverse_{};
};

/// The numbers of points, sorted by their cells; those of a cell stay in their order.
class CellOrder {
 public:
  void sort(std::span<const std::uint32_t> cells, std::size_t count) {
    start_.assign(count + 1, 0);
    order_.resize(cells.size());
    for (const std::uint32_t cell : cells) ++start_[cell];
    std::uint32_t sum = 0;
    for (std::uint32_t& s : start_) sum += std::exchange(s, sum);
    for (std::size_t i = 0; i < cells.size(); ++i) order_[start_[cells[i]]++] = static_cast<std::uint32_t>(i);
    for (std::size_t cell = count; cell > 0; --cell) start_[cell] = start_[cell - 1];
    start_[0] = 0;
  }
  /// Where the points of a cell begin in the order; those of the last cell end at begin(cells).
  std::size_t begin(std::size_t cell) const { return start_[cell]; }
  /// The point at a place of the order.
  std::size_t operator[](std::size_t place) const { return order_[place]; }

 private:
  std::vector<std::uint32_t> start_, order_;
};

}  // namespace POLHODE_CORE
