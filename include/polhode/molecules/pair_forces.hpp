// The forces and torques between one molecule and a pack of others.
#pragma once

#include "polhode/molecules/force_field.hpp"
#include "polhode/molecules/lanes.hpp"

namespace POLHODE_CORE {

/// What a molecule a and a pack of molecules b do to each other, in space.
struct PackOfPairs {
  Vector<Pack> force;  ///< on a; the one on b is the opposite
  Vector<Pack> torque_a, torque_b;
};

/// The interactions of one kind with another, with room for what they need meanwhile.
class PairForces {
 public:
  explicit PairForces(const ForceField& field) : field_(&field) {
    std::size_t most = 0;
    for (const Molecule& kind : field.kinds()) most = std::max(most, kind.offsets().size());
    offset_b_.resize(most);
    force_b_.resize(most);
  }

  /// For a molecule of kind a and a pack of kind b, a <= b: `apart` points from the centres of the second to that of the first,
  /// arm(site, k) and offset(site, k) are the components of the offsets from the centre to a site of a and b.
  template <class Arm, class Offset>
  PackOfPairs operator()(std::size_t a, std::size_t b, const Vector<Pack>& apart, const Arm& arm_of,
                         const Offset& offset_of) {
    const std::vector<SitePair>& pairs = field_->pairs(a, b);
    const std::size_t sites_b = field_->kinds()[b].offsets().size();
    for (std::size_t s = 0; s < sites_b; ++s) {
      for (std::size_t k = 0; k < 3; ++k) offset_b_[s][k] = offset_of(s, k);
      force_b_[s] = {};
    }

    Pack energy;
    Vector<Pack> force, torque_a, torque_b;
    for (std::size_t p = 0; p < pairs.size();) {
      const std::size_t site = pairs[p].a;
      Vector<Pack> arm, force_a;
      for (std::size_t k = 0; k < 3; ++k) arm[k] = arm_of(site, k);
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
    return {force, torque_a, torque_b};
  }

 private:
  const ForceField* field_;
  std::vector<Vector<Pack>> offset_b_, force_b_;
};

}  // namespace POLHODE_CORE
