// Forces and torques between the sites of many molecules, in packs of pairs of molecules.
#pragma once

#include <memory>
#include <span>

#include "polhode/molecules/force_field.hpp"
#include "polhode/molecules/lanes.hpp"

namespace polhode::core {

/// Where a number of molecules of each kind is kept: kind by kind, each from the beginning of a pack on.
class Arrangement {
 public:
  explicit Arrangement(std::vector<std::size_t> counts) : counts_(std::move(counts)) {
    for (const std::size_t count : counts_) {
      first_.push_back(slots_);
      numbers_.push_back(molecules_);
      slots_ += (count + Pack::width - 1) / Pack::width * Pack::width;
      molecules_ += count;
    }
  }
  std::size_t kinds() const { return counts_.size(); }
  std::size_t count(std::size_t kind) const { return counts_[kind]; }
  /// The first slot of a kind; a multiple of the width of a pack.
  std::size_t first(std::size_t kind) const { return first_[kind]; }
  std::size_t padded(std::size_t kind) const {
    return (kind + 1 < first_.size() ? first_[kind + 1] : slots_) - first_[kind];
  }
  /// The number of molecules of the kinds before.
  std::size_t before(std::size_t kind) const { return numbers_[kind]; }
  std::size_t slots() const { return slots_; }
  std::size_t molecules() const { return molecules_; }

 private:
  std::vector<std::size_t> counts_, first_, numbers_;
  std::size_t slots_ = 0, molecules_ = 0;
};

/// The forces on the centres of mass and the torques about them, in space.
///
/// The force between two molecules is computed once, and the same number is added to the one and
/// subtracted from the other, in sums of twice the precision: the total of all forces is zero far below the last place
/// of any of them, and the total momentum is what it was. The order of the additions is that of the molecules,
/// whatever the width of a pack.
class SiteForces {
 public:
  SiteForces(std::shared_ptr<const ForceField> field, const Arrangement& arrangement)
      : field_(std::move(field)),
        arrangement_(arrangement),
        centre_(arrays()),
        force_(arrays()),
        error_(arrays()),
        torque_(arrays()) {
    std::size_t most = 0;
    for (std::size_t kind = 0; kind < arrangement_.kinds(); ++kind) {
      const std::size_t sites = field_->kinds()[kind].offsets().size();
      most = std::max(most, sites);
      offsets_.emplace_back(3 * sites * arrangement_.padded(kind));
    }
    for (auto& x : apart_) x.resize(arrangement_.slots() + Pack::width);
    index_.resize(arrangement_.slots() + Pack::width);
    offset_b_.resize(most);
    force_b_.resize(most);
  }

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

  /// The forces for the places given. False if one of them is not a finite number.
  bool evaluate() {
    for (std::size_t k = 0; k < 3; ++k) {
      std::fill(force_[k].begin(), force_[k].end(), 0.0);
      std::fill(error_[k].begin(), error_[k].end(), 0.0);
      std::fill(torque_[k].begin(), torque_[k].end(), 0.0);
    }
    for (std::size_t a = 0; a < arrangement_.kinds(); ++a)
      for (std::size_t i = 0; i < arrangement_.count(a); ++i)
        for (std::size_t b = a; b < arrangement_.kinds(); ++b) attract(a, i, b);
    Pack defect;  // x - x is zero, or no number
    for (std::size_t slot = 0; slot < arrangement_.slots(); slot += Pack::width) {
      for (std::size_t k = 0; k < 3; ++k) {
        const Pack f = force(k, slot), t = torque(k, slot);
        defect += (f - f) + (t - t);
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
    const std::vector<SitePair>& pairs = field_->pairs(a, b);
    const std::size_t found = pairs.empty() ? 0 : find_near(a, i, b);
    for (std::size_t begin = 0; begin < found; begin += Pack::width)
      attract_pack(a, i, b, pairs, begin, std::min(Pack::width, found - begin));
  }

  void attract_pack(std::size_t a, std::size_t i, std::size_t b, const std::vector<SitePair>& pairs,
                    std::size_t begin, std::size_t present) {
    const Vector<Pack> apart{
        {Pack::load(&apart_[0][begin]), Pack::load(&apart_[1][begin]), Pack::load(&apart_[2][begin])}};
    const std::size_t* const index = &index_[begin];
    const std::size_t sites_b = field_->kinds()[b].offsets().size();
    const std::size_t padded_a = arrangement_.padded(a), padded_b = arrangement_.padded(b);
    for (std::size_t s = 0; s < sites_b; ++s) {
      for (std::size_t k = 0; k < 3; ++k)
        offset_b_[s][k] = gather(&offsets_[b][(3 * s + k) * padded_b], index);
      force_b_[s] = {};
    }

    Pack energy;
    Vector<Pack> force, torque_a, torque_b;
    for (std::size_t p = 0; p < pairs.size();) {
      const std::size_t site = pairs[p].a;
      Vector<Pack> arm, force_a;
      for (std::size_t k = 0; k < 3; ++k) arm[k] = Pack(offsets_[a][(3 * site + k) * padded_a + i]);
      const Vector<Pack> from = apart + arm;
      for (; p < pairs.size() && pairs[p].a == site; ++p) {
        const SitePair& pair = pairs[p];
        const Vector<Pack> d = from - offset_b_[pair.b];
        const Pack inverse2 = Pack(1.0) / dot(d, d);
        Pack strength;
        if (!(pair.charge == 0.0)) {
          strength = Pack(pair.charge) * sqrt(inverse2);
          energy += strength;
        }
        if (pair.epsilon4 > 0.0) {
          const Pack s2 = Pack(pair.sigma2) * inverse2, s6 = s2 * s2 * s2, depth = Pack(pair.epsilon4) * s6;
          energy += depth * (s6 - Pack(1.0));
          strength += depth * (Pack(12.0) * s6 - Pack(6.0));
        }
        const Vector<Pack> f = (strength * inverse2) * d;
        force_a = force_a + f;
        force_b_[pair.b] = force_b_[pair.b] + f;
      }
      force = force + force_a;
      torque_a = torque_a + cross(arm, force_a);
    }
    for (std::size_t s = 0; s < sites_b; ++s) torque_b = torque_b - cross(offset_b_[s], force_b_[s]);

    if (field_->has_cutoff()) {
      const Switching& switching = field_->switching();
      const Pack t = clamped_to_unit((dot(apart, apart) - Pack(switching.from2())) * Pack(switching.scale()));
      const Pack factor = Switching::value(t);
      const Pack central = Pack(-2.0 * switching.scale()) * (Switching::slope(t) * energy);
      force = factor * force + central * apart;
      torque_a = factor * torque_a;
      torque_b = factor * torque_b;
    }
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
  std::vector<Vector<Pack>> offset_b_, force_b_;
};

}  // namespace polhode::core
