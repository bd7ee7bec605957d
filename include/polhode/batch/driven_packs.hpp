// Stages of bodies under torque that stand side by side in blocks.
#pragma once

#include <cstdint>

#include "polhode/arithmetic/compensated.hpp"
#include "polhode/batch/carried_pack.hpp"
#include "polhode/batch/pack_steps.hpp"

namespace POLHODE_CORE {

/// BatchFunctions::advance_driven: the flows of Splitting<Exact<double>>, bit for bit.
class DrivenPacks {
 public:
  using Job = polhode_shared::DrivenJob;
  using Block = polhode_shared::CompensatedBlock;
  using Stage = polhode_shared::DrivenStage;

  explicit DrivenPacks(const Job& job)
      : job_(job), kinds_(*static_cast<const BatchKinds<double>*>(job.kinds)) {}

  void advance(std::size_t first, std::size_t last) const {
    for (std::size_t i = first; i < last; ++i) {
      if (job_.failures[i] != 0) continue;
      if (job_.from != nullptr) job_.blocks[i] = job_.from[i];
      for (std::size_t stage = 0; stage < job_.stage_count; ++stage) {
        if (job_.stages[stage].is_kick) {
          if (!kick(stage, i)) break;
        } else {
          move(stage, i);
        }
        if (job_.stages[stage].ends_step) keep_in_range(i);
      }
    }
  }

 private:
  using Steps = PackSteps<double, Summation::compensated>;
  static constexpr std::size_t lanes = Block::lanes;

  void move(std::size_t stage, std::size_t i) const {
    if (job_.carry != nullptr) {
      if (job_.carried.numbers == nullptr || !carry(stage, i)) job_.carry(job_.context, stage, i);
      return;
    }
    for (std::size_t lane = 0; lane < lanes; lane += Pack::width) move_freely(stage, job_.blocks[i], i, lane);
  }

  void move_freely(std::size_t stage, Block& block, std::size_t i, std::size_t lane) const {
    const Pack h = Pack(job_.stages[stage].length) * Pack::load(&block.units[0][lane]);
    Steps(kinds_, i * lanes + lane, block, lane, h).stage();
  }

  /// Whether it could be done: not where a pack has bodies that are carried beside others, or a step is refused. Nothing has moved then.
  bool carry(std::size_t stage, std::size_t i) const {
    Block block = job_.blocks[i];
    for (std::size_t lane = 0; lane < lanes; lane += Pack::width) {
      const CarriedPack pack(job_, i, block, lane);
      if (pack.is_free()) {
        move_freely(stage, block, i, lane);
      } else if (!pack.is_carried() || !pack.step(job_.stages[stage].length)) {
        return false;
      }
    }
    job_.blocks[i] = block;
    return true;
  }

  void keep_in_range(std::size_t i) const {
    for (std::size_t lane = 0; lane < lanes; lane += Pack::width)
      Steps(kinds_, i * lanes + lane, job_.blocks[i], lane, Pack(1.0)).keep_in_range();
  }

  /// False where a torque is not finite: nothing of the block has moved then.
  bool kick(std::size_t stage, std::size_t i) const {
    Block& block = job_.blocks[i];
    alignas(64) double torques[3][lanes] = {};
    for (std::size_t k = 0; k < job_.kick_count; ++k) add_torques(stage, i, k, torques);
    std::uint64_t bad = 0;
    for (std::size_t lane = 0; lane < lanes; lane += Pack::width) {
      const Vector<Pack> t = loaded(torques, lane);
      const Pack sum = (t[0] + t[1]) + t[2], zero = sum - sum;
      bad |= std::uint64_t{lanes_within(Pack(-1.0), zero, zero, Pack(1.0)) ^ Pack::all_lanes} << lane;
      const Pack unit = Pack::load(&block.units[1][lane]);
      for (std::size_t k = 0; k < 3; ++k) (unit * t[k]).store(&torques[k][lane]);
    }
    if (bad != 0) [[unlikely]] {
      job_.failures[i] = stage << lanes | bad;
      return false;
    }
    if (job_.finish != nullptr) {
      job_.finish(job_.context, stage, i, torques[0]);
      return true;
    }
    for (std::size_t lane = 0; lane < lanes; lane += Pack::width) add(stage, i, lane, loaded(torques, lane));
    return true;
  }

  static Vector<Pack> loaded(const double (&t)[3][lanes], std::size_t lane) {
    return {Pack::load(&t[0][lane]), Pack::load(&t[1][lane]), Pack::load(&t[2][lane])};
  }

  /// Those of one kick, in the order of Actions::torque. What has no pack is asked for once, for all lanes of the block.
  void add_torques(std::size_t stage, std::size_t i, std::size_t kick, double (&torques)[3][lanes]) const {
    const Block& block = job_.blocks[i];
    const bool is_asked = static_cast<KickKind>(job_.kicks[kick].kind) == KickKind::other;
    double asked[3][lanes];
    if (is_asked) job_.ask(job_.context, stage, i, kick, block.sums[6], asked[0]);
    for (std::size_t lane = 0; lane < lanes; lane += Pack::width) {
      Quaternion<Pack> q;
      for (std::size_t k = 0; k < 4; ++k) q[k] = Pack::load(&block.sums[6 + k][lane]);
      const Vector<Pack> one = is_asked
                                   ? loaded(asked, lane)
                                   : driven_kicks::torque_of(job_.kicks[kick], stage, job_.stages[stage].time,
                                                             i * lanes + lane, q);
      const Vector<Pack> sum = kick == 0 ? one : loaded(torques, lane) + one;
      for (std::size_t k = 0; k < 3; ++k) sum[k].store(&torques[k][lane]);
    }
  }

  /// MomentumFlow::step without torques of the angular velocity.
  [[gnu::flatten]] void add(std::size_t stage, std::size_t i, std::size_t lane,
                            const Vector<Pack>& torque) const {
    Block& block = job_.blocks[i];
    const Pack inner = Pack(job_.stages[stage].length) * Pack::load(&block.units[0][lane]);
    Vector<Pack> change = inner * torque;
    if (job_.relaxations != nullptr) {
      const KickRows rows(job_.relaxations[job_.stages[stage].relaxation], i * lanes + lane);
      Vector<Pack> m;
      for (std::size_t k = 0; k < 3; ++k) m[k] = Pack::load(&block.sums[k][lane]);
      if (job_.carried.numbers != nullptr) m = CarriedPack(job_, i, block, lane).relative_momentum();
      change = driven_kicks::chosen(rows.number(18), rows.matrix(0) * m + rows.matrix(9) * change, change);
    }
    for (std::size_t k = 0; k < 3; ++k) {
      Compensated<Pack> sum{Pack::load(&block.sums[k][lane]), Pack::load(&block.sums[3 + k][lane])};
      sum.add(change[k]);
      sum.value.store(&block.sums[k][lane]);
      sum.error.store(&block.sums[3 + k][lane]);
    }
  }

  const Job& job_;
  const BatchKinds<double>& kinds_;
};

/// BatchFunctions::show_attitudes: what AttachedUserTorque shows.
inline void show_attitudes(const polhode_shared::ShowJob& job, std::size_t first, std::size_t last) {
  constexpr std::size_t lanes = polhode_shared::CompensatedBlock::lanes;
  for (std::size_t i = first; i < last; ++i) {
    fetch_rows(job.blocks, i, last, {6, 8});
    for (std::size_t lane = 0; lane < lanes; lane += Pack::width) {
      Quaternion<Pack> q;
      for (std::size_t k = 0; k < 4; ++k) q[k] = Pack::load(&job.blocks[i].sums[6 + k][lane]);
      const KickRows rows(job.turns, i * lanes + lane);
      const Quaternion<Pack> unit = normalized(q);
      const Quaternion<Pack> shown = driven_kicks::chosen(rows.number(4), unit * rows.quaternion(0), unit);
      for (std::size_t k = 0; k < Pack::width; ++k)
        for (std::size_t c = 0; c < 4; ++c)
          job.attitudes[4 * std::size_t{job.body_at[i * lanes + lane + k]} + c] = shown[c][k];
    }
  }
}

}  // namespace POLHODE_CORE
