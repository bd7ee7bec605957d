// Steps of bodies that stand side by side in a block.
#pragma once

#include <algorithm>
#include <cstdint>

#include "polhode/batch/batch_kinds.hpp"
#include "polhode/batch/block_kernels.hpp"

namespace POLHODE_CORE {

/// The lanes of a block that one pack holds, and their steps: those of Rotor<Exact<T>, summation>, bit for bit.
///
/// The lanes whose step is short go through their kernel together, and so do those whose step is of middle length, and those whose step is
/// long; what these kernels do not take goes by itself, as what is not short in float, and what does not turn stays.
template <class T, Summation summation>
class PackSteps {
 public:
  using Block = BlockOf<T, summation>;
  using Lanes = PackOf<T>;
  using One = Motion<T, summation>;
  static_assert(Block::lanes % Lanes::width == 0);

  /// From the lane `first` of the block on, which is at `place` of the kinds.
  PackSteps(const BatchKinds<T>& kinds, std::size_t place, Block& block, std::size_t first, const Lanes& h)
      : kinds_(kinds), place_(place), block_(block), first_(first), h_(h) {
    // A step so short that nothing moves: RotatingBody::moves. In float there is none.
    if constexpr (std::same_as<T, double>)
      moving_ = Lanes::all_lanes & ~lanes_within(Lanes(-0x1p-1000), h, h, Lanes(0x1.fffffffffffffp-1001));
  }

  /// `count` steps, of which `done` are done: a part of the first block of steps.
  void advance(std::int64_t count, std::int64_t done = 0) {
    const IncrementFlow<Lanes>& kernel = kinds_.kernel(place_);
    for (; count > 0; done = 0) {
      const std::int64_t block = std::min(count, steps_between_looks);
      if (done == 0 && moving_ == Lanes::all_lanes) {
        done = short_steps(kernel, block_, first_, h_, limits_, Lanes::all_lanes, block);
        if constexpr (std::same_as<T, double>) {
          if (done == 0) done = middle_steps(kernel, block_, first_, h_, limits_, Lanes::all_lanes, block);
          if (done == 0) done = far_steps(block_, h_, Lanes::all_lanes, block);
        }
      }
      if (done < block) steps_apart(kernel, block - done);
      keep_in_range();
      count -= block;
    }
  }

  /// One step as a stage of a splitting: that of Exact::step, which moves in however short a step and looks at no norm.
  void stage() requires std::same_as<Block, polhode_shared::CompensatedBlock> {
    const IncrementFlow<Lanes>& kernel = kinds_.kernel(place_);
    if (moving_ == Lanes::all_lanes) [[likely]] {
      Vector<Lanes> m;
      for (std::size_t i = 0; i < 3; ++i) m[i] = Lanes::load(&block_.sums[i][first_]);
      const Lanes size2 = dot(m, m), angle2 = kernel.square_angle(size2, h_);
      if (limits_.shorts(size2, angle2) == Lanes::all_lanes)
        return one_short_step(kernel, block_, first_, h_, size2);
      if (limits_.middles(angle2) == Lanes::all_lanes) return one_middle_step(kernel, block_, first_, h_);
      if (far_steps(block_, h_, Lanes::all_lanes, 1) != 0) return;
    }
    steps_apart(kernel, 1);
    for_each_lane(Lanes::all_lanes & ~moving_, [&](std::size_t lane) { alone(lane, 1); });
  }

  /// Motion::keep_in_range.
  [[gnu::noinline]] void keep_in_range() {
    constexpr std::size_t attitude = One::compensated ? 6 : 3;
    Lanes size(0.0);
    for (std::size_t i = attitude; i < attitude + 4; ++i) {
      const Lanes q = Lanes::load(&block_.sums[i][first_]);
      size += q * q;
    }
    if (all_within(Lanes(0x1p-99), size, size, Lanes(0x1p99))) return;
    for (std::size_t lane = 0; lane < Lanes::width; ++lane) {
      One one = motion(lane);
      one.keep_in_range();
      assign(lane, one);
    }
  }

 private:
  std::int64_t far_steps(Block& block, const Lanes& h, unsigned together, std::int64_t count) const {
    return long_steps(kinds_.kernel(place_), kinds_.long_step(place_), block, first_, h, limits_, together,
                      count);
  }

  /// `count` steps where the lanes have different kinds of them.
  void steps_apart(const IncrementFlow<Lanes>& kernel, std::int64_t count) {
    Vector<Lanes> m;
    for (std::size_t i = 0; i < 3; ++i) m[i] = Lanes::load(&block_.sums[i][first_]);
    const Lanes size2 = dot(m, m), angle2 = kernel.square_angle(size2, h_);
    const unsigned shorts = limits_.shorts(size2, angle2) & moving_;
    steps_together(shorts, count, [&](Block& block, const Lanes& h) {
      return short_steps(kernel, block, first_, h, limits_, shorts, count);
    });
    unsigned others = moving_ & ~shorts;
    if constexpr (std::same_as<T, double>) {
      const unsigned middles = limits_.middles(angle2) & moving_, longs = limits_.longs(angle2) & moving_;
      steps_together(middles, count, [&](Block& block, const Lanes& h) {
        return middle_steps(kernel, block, first_, h, limits_, middles, count);
      });
      steps_together(longs, count,
                     [&](Block& block, const Lanes& h) { return far_steps(block, h, longs, count); });
      others &= ~middles & ~longs;
    }
    for_each_lane(others, [&](std::size_t lane) {
      if (size2[lane] != T(0)) alone(lane, count);
    });
  }

  /// The lanes of one kind. Free motion keeps |m|, but for its rounding errors: a lane whose kind changes goes on alone.
  template <class Steps>
  void steps_together(unsigned together, std::int64_t count, Steps&& steps) {
    if (together == 0) return;
    // The other lanes turn by nothing meanwhile, and raise no floating-point exception.
    Block quiet = block_;
    Lanes h = h_;
    for_each_lane(Lanes::all_lanes & ~together, [&](std::size_t lane) {
      h.set(lane, T(0));
      for (auto& row : quiet.sums) row[first_ + lane] = T(0);
      quiet.sums[0][first_ + lane] = T(1);
    });
    const std::int64_t done = steps(quiet, h);
    for_each_lane(together, [&](std::size_t lane) {
      for (std::size_t row = 0; row < Block::rows; ++row)
        block_.sums[row][first_ + lane] = quiet.sums[row][first_ + lane];
      if (done < count) alone(lane, count - done);
    });
  }

  template <class Visitor>
  static void for_each_lane(unsigned lanes, Visitor&& visit) {
    for (std::size_t lane = 0; lane < Lanes::width; ++lane)
      if ((lanes >> lane & 1U) != 0) visit(lane);
  }

  [[gnu::noinline]] void alone(std::size_t lane, std::int64_t count) {
    One one = motion(lane);
    const Exact<T>& method = kinds_.method(place_ + lane);
    for (std::int64_t i = 0; i < count; ++i) method.step(one, h_[lane]);
    assign(lane, one);
  }

  One motion(std::size_t lane) const { return motion_of(block_, first_ + lane); }
  void assign(std::size_t lane, const One& one) { assign_to(block_, first_ + lane, one); }

 public:
  /// The sums of one lane of a block.
  static One motion_of(const Block& block, std::size_t lane) {
    One one;
    std::size_t row = 0;
    one.visit_with(one, [&](T& x, T) { x = block.sums[row++][lane]; });
    return one;
  }
  static void assign_to(Block& block, std::size_t lane, One one) {
    std::size_t row = 0;
    one.visit_with(one, [&](T& x, T) { block.sums[row++][lane] = x; });
  }

 private:
  const BatchKinds<T>& kinds_;
  std::size_t place_;
  Block& block_;
  std::size_t first_;
  Lanes h_;
  unsigned moving_ = Lanes::all_lanes;
  StepLimits<Lanes> limits_{kinds_.square_angle_limit()};
};

/// BlockFunctions::advance. What is not short is left to PackSteps.
template <class T, Summation summation>
struct AdvanceOfBlocks {
  using Block = BlockOf<T, summation>;
  using Lanes = PackOf<T>;
  using Job = polhode_shared::BatchJob<Block>;

  [[gnu::always_inline]] static void advance(const Job& job, std::size_t first, std::size_t last) {
    const auto& kinds = *static_cast<const BatchKinds<T>*>(job.kinds);
    const StepLimits<Lanes> limits{kinds.square_angle_limit()};
    const Lanes step(job.h);
    for (std::size_t i = first; i < last; ++i) {
      Block& block = job.blocks[i];
#pragma GCC unroll 4
      for (std::size_t lane = 0; lane < Block::lanes; lane += Lanes::width) {
        const std::size_t place = i * Block::lanes + lane;
        const Lanes h = (step * Lanes::load(&block.units[0][lane])) * Lanes::load(&block.units[1][lane]);
        if constexpr (summation == Summation::compensated) {
          // Its state does not fit into the registers: in a function by itself fewer of the constants are moved about.
          PackSteps<T, summation>(kinds, place, block, lane, h).advance(job.count);
        } else {
          const std::int64_t done = block_kernels::ordinary_steps<summation>(
              kinds.kernel(place), block, lane, h, limits, job.count,
              [&] { PackSteps<T, summation>(kinds, place, block, lane, h).keep_in_range(); });
          if (done < job.count) [[unlikely]]
            others(kinds, place, block, lane, h, job.count, done);
        }
      }
    }
  }

 private:
  [[gnu::noinline]] static void others(const BatchKinds<T>& kinds, std::size_t place, Block& block,
                                       std::size_t lane, const Lanes& h, std::int64_t count,
                                       std::int64_t done) {
    const std::int64_t of_block = done % steps_between_looks;
    PackSteps<T, summation>(kinds, place, block, lane, h).advance(count - (done - of_block), of_block);
  }
};

// GCC makes no template flat.
[[gnu::flatten]] inline void advance_blocks(
    const polhode_shared::BatchJob<polhode_shared::CompensatedBlock>& job, std::size_t first,
    std::size_t last) {
  AdvanceOfBlocks<double, Summation::compensated>::advance(job, first, last);
}
[[gnu::flatten]] inline void advance_blocks(const polhode_shared::BatchJob<polhode_shared::PlainBlock>& job,
                                            std::size_t first, std::size_t last) {
  AdvanceOfBlocks<double, Summation::plain>::advance(job, first, last);
}
[[gnu::flatten]] inline void advance_blocks(const polhode_shared::BatchJob<polhode_shared::FloatBlock>& job,
                                            std::size_t first, std::size_t last) {
  AdvanceOfBlocks<float, Summation::plain>::advance(job, first, last);
}

}  // namespace POLHODE_CORE
