// Forces and torques between the sites of many molecules, in packs of pairs of molecules.
#pragma once

#include <memory>
#include <span>

#include "polhode/molecules/cell_forces.hpp"

namespace POLHODE_CORE {

/// How the molecules that feel each other are found.
enum class PairSearch { all_pairs, cells };

/// The forces on the centres of mass and the torques about them, in space.
///
/// The force between two molecules is computed once, and the same number is added to the one and
/// subtracted from the other, in sums of twice the precision: the total of all forces is zero far below the last place
/// of any of them, and the total momentum is what it was. The order of the additions is that of the molecules or, where these are
/// found by cells, that of the cells, whatever the width of a pack and the number of threads.
class SiteForces {
 public:
  SiteForces(const std::shared_ptr<const ForceField>& field, const Arrangement& arrangement)
      : SiteForces(field, arrangement,
                   cells_pay(*field, field->cutoff(), arrangement.molecules()) ? PairSearch::cells
                                                                               : PairSearch::all_pairs) {}
  /// Cells need a cutoff that fits the box.
  SiteForces(std::shared_ptr<const ForceField> field, const Arrangement& arrangement, PairSearch search)
      : field_(std::move(field)),
        arrangement_(arrangement),
        centre_(arrays()),
        force_(arrays()),
        error_(arrays()),
        torque_(arrays()),
        pair_forces_(*field_) {
    for (std::size_t kind = 0; kind < arrangement_.kinds(); ++kind)
      offsets_.emplace_back(3 * field_->kinds()[kind].offsets().size() * arrangement_.padded(kind));
    if (search == PairSearch::cells) {
      by_cells_.emplace(*field_, arrangement_);
      return;
    }
    for (auto& x : apart_) x.resize(arrangement_.slots() + Pack::width);
    index_.resize(arrangement_.slots() + Pack::width);
  }

  /// Whether molecules are looked for by cells, and threads can share them.
  bool by_cells() const { return by_cells_.has_value(); }

  /// The places of the molecules of one pack.
  void place(std::size_t kind, std::size_t slot, const Vector<Pack>& centre,
             const Quaternion<Pack>& attitude) {
    const Matrix<Pack> turn = to_matrix(attitude);
    for (std::size_t k = 0; k < 3; ++k) centre[k].store(&centre_[k][slot]);
    const std::size_t padded = arrangement_.padded(kind), local = slot - arrangement_.first(kind);
    const auto& sites = field_->kinds()[kind].offsets();
    for (std::size_t s = 0; s < sites.size(); ++s) {
      const Vector<Pack> offset = turn * broadcast(sites[s]);
      for (std::size_t k = 0; k < 3; ++k) offset[k].store(&offsets_[kind][(3 * s + k) * padded + local]);
    }
  }

  /// The forces for the places given, by the workers if there are some. False if one of them is not a finite number.
  bool evaluate(Workers* workers = nullptr) {
    if (by_cells_) {
      by_cells_->evaluate(*field_, arrangement_, centre_, offsets_, workers);
      for (std::size_t kind = 0; kind < arrangement_.kinds(); ++kind)
        share_range(workers, arrangement_.count(kind), 256,
                    [&](std::size_t first, std::size_t last) { collect(kind, first, last); });
    } else {
      attract_all();
    }
    Pack defect;  // x - x is zero, or no number
    for (std::size_t slot = 0; slot < arrangement_.slots(); slot += Pack::width) {
      for (std::size_t k = 0; k < 3; ++k) {
        const Pack f = force(k, slot), t = torque(k, slot), x = Pack::load(&centre_[k][slot]);
        defect += (f - f) + (t - t) +
                  (x - x);  // where a molecule that is nowhere has no neighbours, no force tells
      }
    }
    for (std::size_t lane = 0; lane < Pack::width; ++lane)
      if (!(defect[lane] == 0.0)) return false;
    return true;
  }

  Pack force(std::size_t k, std::size_t slot) const { return Pack::load(&force_[k][slot]); }
  Pack force_error(std::size_t k, std::size_t slot) const { return Pack::load(&error_[k][slot]); }
  Pack torque(std::size_t k, std::size_t slot) const { return Pack::load(&torque_[k][slot]); }

 private:
  using Coordinates = std::array<std::vector<double>, 3>;

  Coordinates arrays() const {
    const std::vector<double> zeros(arrangement_.slots());
    return {zeros, zeros, zeros};
  }

  /// The sums of the cells, in the order of the molecules.
  void collect(std::size_t kind, std::size_t first, std::size_t last) {
    for (std::size_t place = first; place < last; ++place) {
      const std::size_t slot = arrangement_.first(kind) + by_cells_->molecule(kind, place);
      std::array<double, ForceSums::size> sums;
      by_cells_->sums(arrangement_, kind, place).store(sums.data());
      for (std::size_t k = 0; k < 3; ++k) {
        force_[k][slot] = sums[k];
        error_[k][slot] = sums[4 + k];
        torque_[k][slot] = sums[8 + k];
      }
    }
  }

  void attract_all() {
    for (std::size_t k = 0; k < 3; ++k) {
      std::fill(force_[k].begin(), force_[k].end(), 0.0);
      std::fill(error_[k].begin(), error_[k].end(), 0.0);
      std::fill(torque_[k].begin(), torque_[k].end(), 0.0);
    }
    for (std::size_t a = 0; a < arrangement_.kinds(); ++a)
      for (std::size_t i = 0; i < arrangement_.count(a); ++i)
        for (std::size_t b = a; b < arrangement_.kinds(); ++b) attract(a, i, b);
  }

  /// The molecules of kind b that the i-th of kind a feels; of its own kind, those after it.
  std::size_t find_near(std::size_t a, std::size_t i, std::size_t b) {
    const std::size_t mine = arrangement_.first(a) + i, first = arrangement_.first(b);
    const std::size_t start = a == b ? i + 1 : 0, count = arrangement_.count(b);
    const Pack x(centre_[0][mine]), y(centre_[1][mine]), z(centre_[2][mine]);
    const double limit = field_->switching().square_of_cutoff();
    const bool periodic = field_->box().has_value();
    const Vector<double> edge = field_->box().value_or(Vector<double>{{1.0, 1.0, 1.0}});
    const Vector<Pack> box = broadcast(edge), inverse = broadcast({{1 / edge[0], 1 / edge[1], 1 / edge[2]}});
    std::size_t found = 0;
    for (std::size_t j = start / Pack::width * Pack::width; j < count; j += Pack::width) {
      Vector<Pack> d{{x - Pack::load(&centre_[0][first + j]), y - Pack::load(&centre_[1][first + j]),
                      z - Pack::load(&centre_[2][first + j])}};
      if (periodic)
        for (std::size_t k = 0; k < 3; ++k) d[k] -= box[k] * nearest_integer(d[k] * inverse[k]);
      const Pack square = dot(d, d);
      const std::size_t begin = j < start ? start - j : 0, end = std::min(Pack::width, count - j);
      for (std::size_t lane = begin; lane < end; ++lane) {
        for (std::size_t k = 0; k < 3; ++k) apart_[k][found] = d[k][lane];
        index_[found] = j + lane;
        // A square that is no number belongs to a molecule that is nowhere: it must be noticed.
        found += static_cast<std::size_t>(!(square[lane] >= limit));
      }
    }
    // The last pack is filled up with what has no effect but must be computed with.
    for (std::size_t n = found; found > 0 && n % Pack::width != 0; ++n) {
      for (auto& component : apart_) component[n] = component[found - 1];
      index_[n] = index_[found - 1];
    }
    return found;
  }

  void attract(std::size_t a, std::size_t i, std::size_t b) {
    const std::size_t found = field_->pairs(a, b).empty() ? 0 : find_near(a, i, b);
    for (std::size_t begin = 0; begin < found; begin += Pack::width)
      attract_pack(a, i, b, begin, std::min(Pack::width, found - begin));
  }

  void attract_pack(std::size_t a, std::size_t i, std::size_t b, std::size_t begin, std::size_t present) {
    const Vector<Pack> apart{
        {Pack::load(&apart_[0][begin]), Pack::load(&apart_[1][begin]), Pack::load(&apart_[2][begin])}};
    const std::size_t* const index = &index_[begin];
    const std::size_t padded_a = arrangement_.padded(a), padded_b = arrangement_.padded(b);
    const auto [force, torque_a, torque_b] = pair_forces_(
        a, b, apart,
        [&](std::size_t site, std::size_t k) { return Pack(offsets_[a][(3 * site + k) * padded_a + i]); },
        [&](std::size_t site, std::size_t k) {
          return gather(&offsets_[b][(3 * site + k) * padded_b], index);
        });
    spread(arrangement_.first(a) + i, arrangement_.first(b), index, present, force, torque_a, torque_b);
  }

  void spread(std::size_t mine, std::size_t first, const std::size_t* index, std::size_t present,
              const Vector<Pack>& force, const Vector<Pack>& torque_a, const Vector<Pack>& torque_b) {
    for (std::size_t k = 0; k < 3; ++k) {
      ErrorFree<double> sum{force_[k][mine], error_[k][mine]};
      double torque = torque_[k][mine];
      for (std::size_t lane = 0; lane < present; ++lane) {
        const std::size_t other = first + index[lane];
        add(sum, force[k][lane]);
        ErrorFree<double> reaction{force_[k][other], error_[k][other]};
        add(reaction, -force[k][lane]);
        force_[k][other] = reaction.value;
        error_[k][other] = reaction.error;
        torque += torque_a[k][lane];
        torque_[k][other] += torque_b[k][lane];
      }
      force_[k][mine] = sum.value;
      error_[k][mine] = sum.error;
      torque_[k][mine] = torque;
    }
  }

  static void add(ErrorFree<double>& sum, double x) {
    const auto [value, error] = two_sum(sum.value, x);
    sum = {value, sum.error + error};
  }

  std::shared_ptr<const ForceField> field_;
  Arrangement arrangement_;
  Coordinates centre_, force_, error_, torque_;  // by slot
  std::vector<std::vector<double>>
      offsets_;                     // by kind; of a site and a coordinate, one molecule after the other
  Coordinates apart_;               // of the molecules near one: the vector to it from theirs,
  std::vector<std::size_t> index_;  // and which they are
  PairForces pair_forces_;
  std::optional<CellForces> by_cells_;
};

}  // namespace POLHODE_CORE
