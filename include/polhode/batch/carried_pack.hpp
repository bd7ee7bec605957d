// A pack of bodies with wheels or dissipation that do not change with time.
#pragma once

#include <algorithm>
#include <cstddef>

#include "polhode/arithmetic/wide_pack.hpp"
#include "polhode/batch/driven_kicks.hpp"
#include "polhode/splitting/carried_turn.hpp"

namespace POLHODE_CORE {

/// CarriedMotion::step of some lanes of a block, bit for bit.
class CarriedPack {
 public:
  using Job = polhode_shared::DrivenJob;
  using Block = polhode_shared::CompensatedBlock;

  /// The block i, or a copy of it.
  CarriedPack(const Job& job, std::size_t i, Block& block, std::size_t lane)
      : rows_(job.carried, i * Block::lanes + lane), gauss_(job.gauss), block_(block), lane_(lane) {}

  /// Whether all lanes are, or none.
  bool is_carried() const { return carried_lanes() == Pack::all_lanes; }
  bool is_free() const { return carried_lanes() == 0; }

  /// False where CarriedMotion throws; the lanes may have moved then.
  [[gnu::flatten, gnu::noinline]] bool step(double length) const {
    Sums sums{block_, lane_, {}};
    const Pack unit = Pack::load(&block_.units[0][lane_]), dissipation = rows_.number(9), none(0.0);
    carried::Node<Pack> node{
        {rotor(0).high(), rotor(1).high(), rotor(2).high()},
        {{rows_.number(6), none, none}, {none, rows_.number(7), none}, {none, none, rows_.number(8)}}};
    const Pack angle =
        carried::largest_rate(sums.momentum(), node, dissipation) * (Pack(std::abs(length)) * unit);
    Pack pieces;
    double most = 0;
    for (std::size_t k = 0; k < Pack::width; ++k) {
      const double one = angle[k];
      if (!carried::can_be_divided(one)) return false;
      pieces.set(k, carried::pieces(one));
      most = std::max(most, pieces[k]);
    }
    const Pack inner = (Pack(length) / pieces) * unit;
    const auto node_at = [&](std::size_t) -> const carried::Node<Pack>& { return node; };
    const GaussNumbers<double> method(gauss_.stages, gauss_.nodes, gauss_.weights, gauss_.matrix);
    for (double i = 0; i < most; ++i) {
      sums.open = is_less(Pack(i), pieces);
      node.relative = relative(sums);
      const Pack::Mask done = carried::turn<Pack, WidePack>(sums, method, node_at, dissipation,
                                                            is_less(none, dissipation), inner, sums.open);
      if (Pack::lanes_of(done) != Pack::lanes_of(sums.open)) return false;
    }
    return true;
  }

  /// MomentumFlow::relative.
  Vector<Pack> relative_momentum() const {
    const Sums sums{block_, lane_, {}};
    return driven_kicks::chosen(rows_.number(11), relative(sums), sums.momentum());
  }

 private:
  /// What Motion is for one body; the open lanes are assigned.
  struct Sums {
    Block& block;
    std::size_t lane;
    Pack::Mask open;

    Vector<Pack> momentum() const { return {value(0), value(1), value(2)}; }
    Vector<WidePack> wide_momentum() const { return {wide(0, 3), wide(1, 4), wide(2, 5)}; }
    Quaternion<WidePack> wide_attitude() const {
      return {wide(6, 10), wide(7, 11), wide(8, 12), wide(9, 13)};
    }
    void assign(const Vector<WidePack>& m, const Quaternion<WidePack>& q) {
      for (std::size_t k = 0; k < 3; ++k) assign(m[k], k, 3 + k);
      for (std::size_t k = 0; k < 4; ++k) assign(q[k], 6 + k, 10 + k);
    }

   private:
    Pack value(std::size_t row) const { return Pack::load(&block.sums[row][lane]); }
    WidePack wide(std::size_t high, std::size_t low) const {
      return WidePack(value(high)) + WidePack(value(low));
    }
    void assign(const WidePack& x, std::size_t high, std::size_t low) {
      select(open, x.high(), value(high)).store(&block.sums[high][lane]);
      // As Motion::assign leaves the sign of a zero.
      select(open, x.low() + Pack(0.0), value(low)).store(&block.sums[low][lane]);
    }
  };

  unsigned carried_lanes() const {
    const Pack is_carried = rows_.number(10);
    return lanes_within(Pack(0.0), is_carried, is_carried, Pack(1.0));
  }
  WidePack rotor(std::size_t k) const { return rows_.wide(2 * k); }
  Vector<Pack> relative(const Sums& sums) const {
    const Vector<WidePack> m = sums.wide_momentum();
    return {(m[0] - rotor(0)).high(), (m[1] - rotor(1)).high(), (m[2] - rotor(2)).high()};
  }

  KickRows rows_;
  const polhode_shared::DrivenGauss& gauss_;
  Block& block_;
  std::size_t lane_;
};

}  // namespace POLHODE_CORE
