// Forces and torques between molecules that are near each other, found by cells and shared among threads.
#pragma once

#include <algorithm>
#include <cstring>

#include "polhode/molecules/arrangement.hpp"
#include "polhode/molecules/near_pairs.hpp"
#include "polhode/molecules/pair_forces.hpp"
#include "polhode/stepping/workers.hpp"

namespace POLHODE_CORE {

/// Three numbers side by side, and a zero.
struct PackedTriple {
  static constexpr std::size_t packs = 4 / Pack::width;
  std::array<Pack, packs> parts;

  static PackedTriple load(const double* from) {
    PackedTriple t;
    for (std::size_t i = 0; i < packs; ++i) t.parts[i] = Pack::load(from + i * Pack::width);
    return t;
  }
  void store(double* to) const {
    for (std::size_t i = 0; i < packs; ++i) parts[i].store(to + i * Pack::width);
  }
};

/// The vectors of the lanes of a vector of packs.
inline std::array<PackedTriple, Pack::width> lanes_of(const Vector<Pack>& v) {
  const Pack::Lanes x = v[0].lanes(), y = v[1].lanes(), z = v[2].lanes(), none{};
  std::array<PackedTriple, Pack::width> t;
#if defined(__AVX__)
  const Pack::Lanes xy_even = __builtin_shufflevector(x, y, 0, 4, 2, 6);
  const Pack::Lanes xy_odd = __builtin_shufflevector(x, y, 1, 5, 3, 7);
  const Pack::Lanes z_even = __builtin_shufflevector(z, none, 0, 4, 2, 6);
  const Pack::Lanes z_odd = __builtin_shufflevector(z, none, 1, 5, 3, 7);
  t[0].parts[0] = Pack(static_cast<Pack::Lanes>(__builtin_shufflevector(xy_even, z_even, 0, 1, 4, 5)));
  t[1].parts[0] = Pack(static_cast<Pack::Lanes>(__builtin_shufflevector(xy_odd, z_odd, 0, 1, 4, 5)));
  t[2].parts[0] = Pack(static_cast<Pack::Lanes>(__builtin_shufflevector(xy_even, z_even, 2, 3, 6, 7)));
  t[3].parts[0] = Pack(static_cast<Pack::Lanes>(__builtin_shufflevector(xy_odd, z_odd, 2, 3, 6, 7)));
#else
  t[0].parts = {Pack(static_cast<Pack::Lanes>(__builtin_shufflevector(x, y, 0, 2))),
                Pack(static_cast<Pack::Lanes>(__builtin_shufflevector(z, none, 0, 2)))};
  t[1].parts = {Pack(static_cast<Pack::Lanes>(__builtin_shufflevector(x, y, 1, 3))),
                Pack(static_cast<Pack::Lanes>(__builtin_shufflevector(z, none, 1, 3)))};
#endif
  return t;
}

/// Force, its error and torque of one molecule, as sums that grow.
struct ForceSums {
  static constexpr std::size_t size = 12;
  PackedTriple force, error, torque;

  static ForceSums load(const double* from) {
    return {PackedTriple::load(from), PackedTriple::load(from + 4), PackedTriple::load(from + 8)};
  }
  void store(double* to) const {
    force.store(to);
    error.store(to + 4);
    torque.store(to + 8);
  }
  void add(const PackedTriple& f, const PackedTriple& t) {
    for (std::size_t i = 0; i < PackedTriple::packs; ++i) {
      const auto [value, rest] = two_sum(force.parts[i], f.parts[i]);
      force.parts[i] = value;
      error.parts[i] += rest;
      torque.parts[i] += t.parts[i];
    }
  }
  void subtract(const PackedTriple& f, const PackedTriple& t) {
    PackedTriple opposite;
    for (std::size_t i = 0; i < PackedTriple::packs; ++i) opposite.parts[i] = -f.parts[i];
    add(opposite, t);
  }
  void add(const ForceSums& other) {
    add(other.force, other.torque);
    for (std::size_t i = 0; i < PackedTriple::packs; ++i) error.parts[i] += other.error.parts[i];
  }
};

/// The rows of a grid in blocks. The molecules of a block feel those of the rows around them, and what they do to these is
/// summed up by the block: each has sums of its own for all rows that it touches. So blocks know nothing of each other, and
/// any thread may do any of them.
class CellBlocks {
 public:
  struct Neighbour {
    std::size_t row;
    std::size_t local;  ///< among the rows that the block touches
  };
  struct Share {
    std::size_t block, local;
  };

  /// With several kinds, those of one kind look for those of the next ones in all directions.
  CellBlocks(const CellGrid& grid, bool several_kinds)
      : around_(grid.rows()), forward_(grid.rows()), shares_(grid.rows()) {
    const std::size_t parts_y = parts(grid.count(1)), parts_z = parts(grid.count(2));
    for (std::size_t z = 0; z < parts_z; ++z)
      for (std::size_t y = 0; y < parts_y; ++y)
        add_block(grid, several_kinds, {grid.count(1) * y / parts_y, grid.count(1) * (y + 1) / parts_y},
                  {grid.count(2) * z / parts_z, grid.count(2) * (z + 1) / parts_z});
  }

  std::size_t size() const { return own_.size(); }
  const std::vector<std::size_t>& own(std::size_t block) const { return own_[block]; }
  const std::vector<std::size_t>& touched(std::size_t block) const { return touched_[block]; }
  /// The rows around one, itself the first; half of them come before the others, of each two that lie opposite one.
  std::span<const Neighbour> around(std::size_t row) const { return around_[row]; }
  std::span<const Neighbour> forward(std::size_t row) const { return {around_[row].data(), forward_[row]}; }
  /// The blocks that touch a row, in their order.
  std::span<const Share> shares(std::size_t row) const { return shares_[row]; }

 private:
  struct Range {
    std::size_t first, last;
  };

  /// Small blocks leave no thread without work, large ones have fewer rows to touch for each of their own.
  static std::size_t parts(std::size_t rows) {
    return std::min<std::size_t>(rows, std::max<std::size_t>(5, (rows + 3) / 4));
  }

  void add_block(const CellGrid& grid, bool several_kinds, Range y_range, Range z_range) {
    const std::size_t block = own_.size();
    std::vector<std::size_t>&own = own_.emplace_back(), &touched = touched_.emplace_back();
    const auto local_of = [&](std::size_t row) {
      const auto found = std::find(touched.begin(), touched.end(), row);
      if (found != touched.end()) return static_cast<std::size_t>(found - touched.begin());
      shares_[row].push_back({block, touched.size()});
      touched.push_back(row);
      return touched.size() - 1;
    };
    constexpr std::ptrdiff_t reach = CellGrid::reach;
    for (std::size_t z = z_range.first; z < z_range.last; ++z) {
      for (std::size_t y = y_range.first; y < y_range.last; ++y) {
        const std::size_t row = y + grid.count(1) * z;
        own.push_back(row);
        const auto meet = [&](std::ptrdiff_t dy, std::ptrdiff_t dz) {
          const std::size_t to_y = grid.shifted(1, y, dy), to_z = grid.shifted(2, z, dz);
          const std::size_t other = to_y + grid.count(1) * to_z;
          around_[row].push_back({other, local_of(other)});
        };
        for (const bool ahead : {true, false}) {
          if (!ahead && !several_kinds) break;
          for (std::ptrdiff_t dz = -reach; dz <= reach; ++dz)
            for (std::ptrdiff_t dy = -reach; dy <= reach; ++dy)
              if ((dz > 0 || (dz == 0 && dy >= 0)) == ahead) meet(dy, dz);
          if (ahead) forward_[row] = around_[row].size();
        }
      }
    }
  }

  std::vector<std::vector<std::size_t>> own_, touched_;
  std::vector<std::vector<Neighbour>> around_;
  std::vector<std::size_t> forward_;
  std::vector<std::vector<Share>> shares_;
};

/// Forces by cells. The molecules are sorted anew at every evaluation: the sums and their order depend on
/// where the molecules are, and on nothing that was before.
class CellForces {
 public:
  using Coordinates = std::array<std::vector<double>, 3>;

  CellForces(const ForceField& field, const Arrangement& arrangement)
      : grid_(grid_for(field, field.cutoff(), arrangement.molecules())),
        blocks_(grid_, arrangement.kinds() > 1),
        cell_(arrangement.slots()),
        row_(arrangement.slots()),
        order_(arrangement.kinds()) {
    for (auto& x : centre_) x.resize(arrangement.slots() + Pack::width);
    for (std::size_t kind = 0; kind < arrangement.kinds(); ++kind)
      records_.emplace_back(3 * field.kinds()[kind].offsets().size() * arrangement.padded(kind));
  }

  /// What the molecules do to each other: centres by slot, offsets by kind as SiteForces keeps them.
  void evaluate(const ForceField& field, const Arrangement& arrangement, const Coordinates& centre,
                const std::vector<std::vector<double>>& offsets, Workers* workers) {
    sort(arrangement, centre, offsets, workers);
    lay_out(arrangement);
    share(workers, blocks_.size(), [&](std::size_t block) { attract(field, arrangement, block); });
  }

  /// The sums of a molecule.
  ForceSums sums(const Arrangement& arrangement, std::size_t kind, std::size_t place) const {
    const std::size_t row = row_[arrangement.first(kind) + place];
    ForceSums sums{};
    for (const CellBlocks::Share& share : blocks_.shares(row))
      sums.add(ForceSums::load(
          &sums_[ForceSums::size * (bases_[share.block][share.local * arrangement.kinds() + kind] + place)]));
    return sums;
  }
  std::size_t molecule(std::size_t kind, std::size_t place) const { return order_[kind][place]; }

 private:
  void sort(const Arrangement& arrangement, const Coordinates& centre,
            const std::vector<std::vector<double>>& offsets, Workers* workers) {
    for (std::size_t kind = 0; kind < arrangement.kinds(); ++kind) {
      const std::size_t first = arrangement.first(kind), count = arrangement.count(kind);
      share_range(workers, count, 512, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
          cell_[first + i] = static_cast<std::uint32_t>(
              grid_.cell({{centre[0][first + i], centre[1][first + i], centre[2][first + i]}}));
      });
      order_[kind].sort({&cell_[first], count}, grid_.cells());
      const std::size_t padded = arrangement.padded(kind),
                        numbers = offsets[kind].size() / std::max<std::size_t>(1, padded);
      share_range(workers, count, 512, [&](std::size_t begin, std::size_t end) {
        for (std::size_t place = begin; place < end; ++place) {
          const std::size_t i = order_[kind][place];
          for (std::size_t k = 0; k < 3; ++k) centre_[k][first + place] = centre[k][first + i];
          for (std::size_t n = 0; n < numbers; ++n)
            records_[kind][numbers * place + n] = offsets[kind][n * padded + i];
          row_[first + place] = static_cast<std::uint32_t>(cell_[first + i] / grid_.count(0));
        }
      });
    }
  }

  /// Where the sums of the blocks are.
  void lay_out(const Arrangement& arrangement) {
    std::size_t total = 0;
    bases_.resize(blocks_.size());
    extents_.assign(1, 0);
    for (std::size_t block = 0; block < blocks_.size(); ++block) {
      bases_[block].clear();
      for (const std::size_t row : blocks_.touched(block)) {
        for (std::size_t kind = 0; kind < arrangement.kinds(); ++kind) {
          const std::size_t begin = order_[kind].begin(row * grid_.count(0));
          bases_[block].push_back(total - begin);  // modulo 2^64
          total += order_[kind].begin((row + 1) * grid_.count(0)) - begin;
        }
      }
      extents_.push_back(total);
    }
    if (sums_.size() < ForceSums::size * total) sums_.resize(ForceSums::size * (total + total / 8));
  }

  /// Molecules near one, in a list that grows.
  struct Near {
    std::vector<std::size_t> place, sums;
    std::size_t found = 0;

    void reserve(std::size_t more) {
      if (found + more + Pack::width <= place.size()) return;
      place.resize(2 * (found + more + Pack::width));
      sums.resize(place.size());
    }
  };

  void attract(const ForceField& field, const Arrangement& arrangement, std::size_t block) {
    std::fill(sums_.begin() + static_cast<std::ptrdiff_t>(ForceSums::size * extents_[block]),
              sums_.begin() + static_cast<std::ptrdiff_t>(ForceSums::size * extents_[block + 1]), 0.0);
    PairForces pair_forces(field);
    Near near;
    const std::size_t kinds = arrangement.kinds(), columns = grid_.count(0);
    for (const std::size_t row : blocks_.own(block)) {
      const std::size_t local = blocks_.around(row)[0].local;
      for (std::size_t a = 0; a < kinds; ++a) {
        for (std::size_t x = 0; x < columns; ++x) {
          for (std::size_t i = order_[a].begin(row * columns + x); i < order_[a].begin(row * columns + x + 1);
               ++i) {
            double* const own = &sums_[ForceSums::size * (bases_[block][local * kinds + a] + i)];
            ForceSums sums = ForceSums::load(own);
            for (std::size_t b = a; b < kinds; ++b) {
              if (field.pairs(a, b).empty()) continue;
              find_near(field, arrangement, block, row, x, a, i, b, near);
              attract_near(field, arrangement, a, i, b, near, pair_forces, sums);
            }
            sums.store(own);
          }
        }
      }
    }
  }

  void find_near(const ForceField& field, const Arrangement& arrangement, std::size_t block, std::size_t row,
                 std::size_t x, std::size_t a, std::size_t i, std::size_t b, Near& near) const {
    const std::size_t columns = grid_.count(0), kinds = arrangement.kinds(), reach = CellGrid::reach;
    const std::size_t mine = arrangement.first(a) + i;
    const Vector<double> here{{centre_[0][mine], centre_[1][mine], centre_[2][mine]}};
    near.found = 0;
    for (const CellBlocks::Neighbour& other : a == b ? blocks_.forward(row) : blocks_.around(row)) {
      const std::size_t base = bases_[block][other.local * kinds + b], start = other.row * columns;
      const auto look = [&](std::size_t from, std::size_t to) {
        look_through(field, here, arrangement.first(b), from, to, base, near);
      };
      const auto begin = [&](std::size_t column) { return order_[b].begin(start + column); };
      if (a == b && other.row == row) {
        look(i + 1, begin(std::min(x + reach + 1, columns)));
      } else {
        if (x < reach) look(begin(columns + x - reach), begin(columns));
        look(begin(x < reach ? 0 : x - reach), begin(std::min(x + reach + 1, columns)));
      }
      if (x + reach >= columns) look(begin(0), begin(x + reach + 1 - columns));
    }
  }

  void look_through(const ForceField& field, const Vector<double>& here, std::size_t first, std::size_t from,
                    std::size_t to, std::size_t base, Near& near) const {
    if (from >= to) return;
    near.reserve(to - from);
    const Pack below(std::nextafter(field.switching().square_of_cutoff(), 0.0));
    const bool periodic = field.box().has_value();
    const Vector<double> edge = field.box().value_or(Vector<double>{{1.0, 1.0, 1.0}});
    const Vector<Pack> box = broadcast(edge), inverse = broadcast({{1 / edge[0], 1 / edge[1], 1 / edge[2]}});
    const Vector<Pack> mine = broadcast(here);
    std::size_t* const place = near.place.data();
    std::size_t* const sums = near.sums.data();
    std::size_t found = near.found;
    for (std::size_t j = from; j < to; j += Pack::width) {
      Vector<Pack> d;
      for (std::size_t k = 0; k < 3; ++k) d[k] = mine[k] - Pack::load(&centre_[k][first + j]);
      if (periodic)
        for (std::size_t k = 0; k < 3; ++k) d[k] -= box[k] * nearest_integer(d[k] * inverse[k]);
      const Pack square = dot(d, d);
      // A square that is no number belongs to a molecule that is nowhere: it must be noticed.
      const unsigned far = lanes_within(below, square, Pack(0.0), Pack(0.0));
      const std::size_t present = std::min(Pack::width, to - j);
      for (std::size_t lane = 0; lane < present; ++lane) {
        place[found] = j + lane;
        sums[found] = base + j + lane;
        found += static_cast<std::size_t>((far >> lane & 1U) == 0);
      }
    }
    near.found = found;
  }

  void attract_near(const ForceField& field, const Arrangement& arrangement, std::size_t a, std::size_t i,
                    std::size_t b, Near& near, PairForces& pair_forces, ForceSums& own) {
    const std::size_t found = near.found;
    if (found == 0) return;
    for (std::size_t n = found; n % Pack::width != 0; ++n) {  // what is computed with, but has no effect
      near.place[n] = near.place[found - 1];
      near.sums[n] = near.sums[found - 1];
    }
    const bool periodic = field.box().has_value();
    const Vector<double> edge = field.box().value_or(Vector<double>{{1.0, 1.0, 1.0}});
    const Vector<Pack> box = broadcast(edge), inverse = broadcast({{1 / edge[0], 1 / edge[1], 1 / edge[2]}});
    const std::size_t numbers_a = 3 * field.kinds()[a].offsets().size(),
                      numbers_b = 3 * field.kinds()[b].offsets().size();
    const std::size_t mine = arrangement.first(a) + i, first = arrangement.first(b);
    const double* const arms = &records_[a][numbers_a * i];
    for (std::size_t begin = 0; begin < found; begin += Pack::width) {
      const std::size_t* const place = &near.place[begin];
      Vector<Pack> apart;
      for (std::size_t k = 0; k < 3; ++k)
        apart[k] = Pack(centre_[k][mine]) - gather(&centre_[k][first], place);
      if (periodic)
        for (std::size_t k = 0; k < 3; ++k) apart[k] -= box[k] * nearest_integer(apart[k] * inverse[k]);
      std::array<std::size_t, Pack::width> at;
      for (std::size_t lane = 0; lane < Pack::width; ++lane) at[lane] = numbers_b * place[lane];
      const PackOfPairs pairs = pair_forces(
          a, b, apart, [&](std::size_t site, std::size_t k) { return Pack(arms[3 * site + k]); },
          [&](std::size_t site, std::size_t k) { return gather(&records_[b][3 * site + k], at.data()); });
      const auto force = lanes_of(pairs.force), torque_a = lanes_of(pairs.torque_a),
                 torque_b = lanes_of(pairs.torque_b);
      for (std::size_t lane = 0; lane < std::min(Pack::width, found - begin); ++lane) {
        own.add(force[lane], torque_a[lane]);
        double* const other = &sums_[ForceSums::size * near.sums[begin + lane]];
        ForceSums reaction = ForceSums::load(other);
        reaction.subtract(force[lane], torque_b[lane]);
        reaction.store(other);
      }
    }
  }

  CellGrid grid_;
  CellBlocks blocks_;
  std::vector<std::uint32_t> cell_;  // by slot
  std::vector<std::uint32_t> row_;   // by the place in the order, kind after kind
  std::vector<CellOrder> order_;     // by kind
  Coordinates centre_;               // by the place in the order, kind after kind
  std::vector<std::vector<double>>
      records_;  // by kind: the offsets of a molecule, one place of the order after the other
  std::vector<std::vector<std::size_t>>
      bases_;  // by block, row that it touches and kind: its sums, less the first place of the row
  std::vector<std::size_t> extents_;  // where the sums of a block begin
  std::vector<double> sums_;
};

}  // namespace POLHODE_CORE
