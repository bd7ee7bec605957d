// Steps of bodies that stand side by side in a block.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "polhode/arithmetic/pack.hpp"
#include "polhode/batch/functions.hpp"
#include "polhode/free_motion/exact.hpp"
#include "polhode/free_motion/rotor.hpp"

namespace polhode::core {

/// The constants of the bodies of a batch: one for all, or one each. Packs have theirs side by side; lanes without a body
/// repeat the last one.
struct BatchKinds {
  std::vector<IncrementFlow<Pack>> kernels;
  std::vector<LongStep<Pack>> far;  ///< of the long steps
  std::vector<Exact<double>> alone;

  BatchKinds(const double* moments, std::size_t count) {
    alone.reserve(count);
    for (std::size_t i = 0; i < count; ++i)
      alone.emplace_back(
          Inertia<double>(Vector<double>{{moments[3 * i], moments[3 * i + 1], moments[3 * i + 2]}}));
    constexpr std::size_t lanes = polhode_shared::BatchBlock::lanes;
    kernels.resize(count == 1 ? 1 : (count + lanes - 1) / lanes * (lanes / Pack::width));
    far.resize(kernels.size());
    for (std::size_t i = 0; i < kernels.size() * Pack::width; ++i) {
      const Exact<double>& one = alone[std::min(i, count - 1)];
      const auto set = [lane = i % Pack::width](Pack& pack, double x) { pack.set(lane, x); };
      kernels[i / Pack::width].visit_with(one.increment_flow(), set);
      far[i / Pack::width].visit_with(one.long_step(), set);
    }
  }

  const IncrementFlow<Pack>& kernel(std::size_t first_body) const {
    return kernels[kernels.size() == 1 ? 0 : first_body / Pack::width];
  }
  const LongStep<Pack>& long_step(std::size_t first_body) const {
    return far[far.size() == 1 ? 0 : first_body / Pack::width];
  }
  const Exact<double>& method(std::size_t body) const { return alone[alone.size() == 1 ? 0 : body]; }
};

/// The lanes of a block that one pack holds, and their steps: those of Rotor<Exact<double>>, bit for bit.
///
/// The lanes whose step is short go through their kernel together, and so do those whose step is of middle length, and those whose step is
/// long; what these kernels do not take goes by itself, and what does not turn stays.
class PackSteps {
 public:
  using Block = polhode_shared::BatchBlock;
  static_assert(Block::lanes % Pack::width == 0);

  /// From the lane `first` of the block on, which is the body `body` of the kinds.
  PackSteps(const BatchKinds& kinds, std::size_t body, Block& block, std::size_t first, const Pack& h)
      : kinds_(kinds), body_(body), block_(block), first_(first), h_(h) {
    // A step so short that nothing moves: Rotor::moves.
    moving_ = Pack::all_lanes & ~lanes_within(Pack(-0x1p-1000), h, h, Pack(0x1.fffffffffffffp-1001));
  }

  void advance(std::int64_t count) {
    const IncrementFlow<Pack>& kernel = kinds_.kernel(body_);
    while (count > 0) {
      const std::int64_t block = std::min<std::int64_t>(count, 64);  // as Rotor does it
      std::int64_t done = 0;
      if (moving_ == Pack::all_lanes) {
        const auto [of_short, of_middle] = limits_;
        done = short_steps(kernel, block_, first_, h_, of_short, of_middle, Pack::all_lanes, block);
        if (done == 0)
          done = middle_steps(kernel, block_, first_, h_, of_short, of_middle, Pack::all_lanes, block);
        if (done == 0) done = long_steps(block_, h_, Pack::all_lanes, block);
      }
      if (done < block) steps_apart(kernel, block - done);
      keep_in_range();
      count -= block;
    }
  }

 private:
  using Sums = Motion<Pack, Summation::compensated>;
  using One = Motion<double, Summation::compensated>;

  /// The largest squares of angles of short steps and of middle ones.
  struct Limits {
    Pack of_short, of_middle;
  };

  template <StepLength length>
  static unsigned lanes_of(const Pack& size2, const Pack& angle2, const Limits& limits) {
    return length == StepLength::short_step ? lanes_within(Pack(0.0), size2, angle2, limits.of_short)
                                            : lanes_within(limits.of_short, angle2, angle2, limits.of_middle);
  }

  /// As many steps as are of that length in the lanes `together`, at most `count`.
  template <StepLength length>
  [[gnu::always_inline]] static std::int64_t kernel_steps(const IncrementFlow<Pack>& kernel, Block& block,
                                                          std::size_t first, const Pack h,
                                                          const Limits& limits, unsigned together,
                                                          std::int64_t count) {
    Sums sums;
    std::size_t row = 0;
    sums.visit_with(sums, [&](Pack& x, const Pack&) { x = Pack::load(&block.sums[row++][first]); });
    std::int64_t done = 0;
    for (; done < count; ++done) {
      const Vector<Pack> m = sums.momentum();
      const Pack size2 = dot(m, m);
      if ((lanes_of<length>(size2, kernel.square_angle(size2, h), limits) & together) != together) break;
      if constexpr (length == StepLength::short_step) {
        kernel.step(sums, size2, h);
      } else {
        kernel.middle_step(sums, h);
      }
    }
    row = 0;
    if (done > 0) sums.visit_with(sums, [&](Pack& x, const Pack&) { x.store(&block.sums[row++][first]); });
    return done;
  }

  // Flat, because the registers are to hold the state: what is not inlined costs more than what it computes. GCC makes no
  // template flat.
  [[gnu::flatten, gnu::noinline]] static std::int64_t short_steps(const IncrementFlow<Pack>& kernel,
                                                                  Block& block, std::size_t first,
                                                                  const Pack h, const Pack of_short,
                                                                  const Pack of_middle, unsigned together,
                                                                  std::int64_t count) {
    return kernel_steps<StepLength::short_step>(kernel, block, first, h, {of_short, of_middle}, together,
                                                count);
  }
  [[gnu::flatten, gnu::noinline]] static std::int64_t middle_steps(const IncrementFlow<Pack>& kernel,
                                                                   Block& block, std::size_t first,
                                                                   const Pack h, const Pack of_short,
                                                                   const Pack of_middle, unsigned together,
                                                                   std::int64_t count) {
    return kernel_steps<StepLength::middle_step>(kernel, block, first, h, {of_short, of_middle}, together,
                                                 count);
  }

  /// As many long steps as the lanes `together` have, at most `count`. A lane that LongStep does not take makes an end; the closed form is
  /// for one body.
  [[gnu::noinline]] std::int64_t long_steps(Block& block, const Pack& h, unsigned together,
                                            std::int64_t count) const {
    const IncrementFlow<Pack>& kernel = kinds_.kernel(body_);
    const LongStep<Pack>& far = kinds_.long_step(body_);
    const Pack most(LongStep<Pack>::square_angle_limit);
    Sums sums;
    std::size_t row = 0;
    sums.visit_with(sums, [&](Pack& x, const Pack&) { x = Pack::load(&block.sums[row++][first_]); });
    std::int64_t done = 0;
    for (; done < count; ++done) {
      const Vector<Pack> m = sums.momentum();
      const Pack angle2 = kernel.square_angle(dot(m, m), h);
      if ((lanes_within(limits_.of_middle, angle2, angle2, most) & together) != together) break;
      const Sums before = sums;
      if ((long_step(far, sums, h) & together) == together) continue;
      sums = before;
      break;
    }
    row = 0;
    if (done > 0) sums.visit_with(sums, [&](Pack& x, const Pack&) { x.store(&block.sums[row++][first_]); });
    return done;
  }
  [[gnu::flatten, gnu::noinline]] static unsigned long_step(const LongStep<Pack>& far, Sums& sums,
                                                            const Pack& h) {
    return Pack::lanes_of(far.step(sums, h));
  }

  /// `count` steps where the lanes have different kinds of them.
  void steps_apart(const IncrementFlow<Pack>& kernel, std::int64_t count) {
    Vector<Pack> m;
    for (std::size_t i = 0; i < 3; ++i) m[i] = Pack::load(&block_.sums[i][first_]);
    const Pack size2 = dot(m, m), angle2 = kernel.square_angle(size2, h_);
    const unsigned shorts = lanes_of<StepLength::short_step>(size2, angle2, limits_) & moving_;
    const unsigned middles = lanes_of<StepLength::middle_step>(size2, angle2, limits_) & moving_;
    const unsigned longs =
        lanes_within(limits_.of_middle, angle2, angle2, Pack(LongStep<Pack>::square_angle_limit)) & moving_;
    const Pack &of_short = limits_.of_short, &of_middle = limits_.of_middle;
    steps_together(shorts, count, [&](Block& block, const Pack& h) {
      return short_steps(kernel, block, first_, h, of_short, of_middle, shorts, count);
    });
    steps_together(middles, count, [&](Block& block, const Pack& h) {
      return middle_steps(kernel, block, first_, h, of_short, of_middle, middles, count);
    });
    steps_together(longs, count,
                   [&](Block& block, const Pack& h) { return long_steps(block, h, longs, count); });
    for_each_lane(moving_ & ~shorts & ~middles & ~longs, [&](std::size_t lane) {
      if (size2[lane] != 0.0) alone(lane, count);
    });
  }

  /// The lanes of one kind. Free motion keeps |m|, but for its rounding errors: a lane whose kind changes goes on alone.
  template <class Steps>
  void steps_together(unsigned together, std::int64_t count, Steps&& steps) {
    if (together == 0) return;
    // The other lanes turn by nothing meanwhile, and raise no floating-point exception.
    Block quiet = block_;
    Pack h = h_;
    for_each_lane(Pack::all_lanes & ~together, [&](std::size_t lane) {
      h.set(lane, 0.0);
      for (auto& row : quiet.sums) row[first_ + lane] = 0.0;
      quiet.sums[0][first_ + lane] = 1.0;
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
    for (std::size_t lane = 0; lane < Pack::width; ++lane)
      if ((lanes >> lane & 1U) != 0) visit(lane);
  }

  [[gnu::noinline]] void alone(std::size_t lane, std::int64_t count) {
    One one = motion(lane);
    const Exact<double>& method = kinds_.method(body_ + lane);
    for (std::int64_t i = 0; i < count; ++i) method.step(one, h_[lane]);
    assign(lane, one);
  }

  /// Motion::keep_in_range.
  void keep_in_range() {
    Pack size(0.0);
    for (std::size_t i = 6; i < 10; ++i) {
      const Pack q = Pack::load(&block_.sums[i][first_]);
      size += q * q;
    }
    if (all_within(Pack(0x1p-99), size, size, Pack(0x1p99))) return;
    for (std::size_t lane = 0; lane < Pack::width; ++lane) {
      One one = motion(lane);
      one.keep_in_range();
      assign(lane, one);
    }
  }

  One motion(std::size_t lane) const { return motion_of(block_, first_ + lane); }
  void assign(std::size_t lane, const One& one) { assign_to(block_, first_ + lane, one); }

 public:
  /// The sums of one lane of a block.
  static One motion_of(const Block& block, std::size_t lane) {
    One one;
    std::size_t row = 0;
    one.visit_with(one, [&](double& x, double) { x = block.sums[row++][lane]; });
    return one;
  }
  static void assign_to(Block& block, std::size_t lane, One one) {
    std::size_t row = 0;
    one.visit_with(one, [&](double& x, double) { block.sums[row++][lane] = x; });
  }

 private:
  const BatchKinds& kinds_;
  std::size_t body_;
  Block& block_;
  std::size_t first_;
  Pack h_;
  unsigned moving_;
  Limits limits_{kinds_.alone.front().square_angle_limit(), square(middle_angle)};
};

/// BatchFunctions::advance.
inline void advance_blocks(const polhode_shared::BatchJob& job, std::size_t first, std::size_t last) {
  const auto& kinds = *static_cast<const BatchKinds*>(job.kinds);
  for (std::size_t i = first; i < last; ++i) {
    polhode_shared::BatchBlock& block = job.blocks[i];
    for (std::size_t lane = 0; lane < block.lanes; lane += Pack::width) {
      const Pack h = (Pack(job.h) * Pack::load(&block.units[0][lane])) * Pack::load(&block.units[1][lane]);
      PackSteps(kinds, i * block.lanes + lane, block, lane, h).advance(job.count);
    }
  }
}

}  // namespace polhode::core
