// The kernels of the free motion over the lanes of a block, for runs of steps of one length.
#pragma once

#include <algorithm>
#include <cstdint>

#include "polhode/arithmetic/pack.hpp"
#include "polhode/batch/functions.hpp"
#include "polhode/free_motion/increment_flow.hpp"
#include "polhode/free_motion/long_step.hpp"

namespace POLHODE_CORE {

/// The largest squares of angles of short steps, of middle ones, and of long ones; bit i says which a lane makes.
template <class Lanes>
struct StepLimits {
  Lanes of_short;
  Lanes of_middle{square(middle_angle)};
  Lanes of_long{LongStep<Pack>::square_angle_limit};

  unsigned shorts(const Lanes& size2, const Lanes& angle2) const {
    return lanes_within(Lanes(0.0), size2, angle2, of_short);
  }
  unsigned middles(const Lanes& angle2) const { return lanes_within(of_short, angle2, angle2, of_middle); }
  unsigned longs(const Lanes& angle2) const { return lanes_within(of_middle, angle2, angle2, of_long); }
};

/// After so many steps the norms of the attitudes are looked at: RotatingBody::in_blocks.
inline constexpr std::int64_t steps_between_looks = 64;

namespace block_kernels {

template <class Sums, class Block>
[[gnu::always_inline]] inline void load(Sums& sums, const Block& block, std::size_t first) {
  using Lanes = typename Sums::Value;
  std::size_t row = 0;
  sums.visit_with(sums, [&](Lanes& x, const Lanes&) { x = Lanes::load(&block.sums[row++][first]); });
}
template <class Sums, class Block>
[[gnu::always_inline]] inline void store(Sums& sums, Block& block, std::size_t first) {
  using Lanes = typename Sums::Value;
  std::size_t row = 0;
  sums.visit_with(sums, [&](Lanes& x, const Lanes&) { x.store(&block.sums[row++][first]); });
}

/// As many steps as are of that length in the lanes `together`, at most `count`.
template <StepLength length, Summation summation, class Block, class Lanes>
[[gnu::always_inline]] inline std::int64_t steps(const IncrementFlow<Lanes>& kernel, Block& block,
                                                 std::size_t first, const Lanes h,
                                                 const StepLimits<Lanes>& limits, unsigned together,
                                                 std::int64_t count) {
  Motion<Lanes, summation> sums;
  load(sums, block, first);
  std::int64_t done = 0;
  for (; done < count; ++done) {
    const Vector<Lanes> m = sums.momentum();
    const Lanes size2 = dot(m, m), angle2 = kernel.square_angle(size2, h);
    if constexpr (length == StepLength::short_step) {
      if ((limits.shorts(size2, angle2) & together) != together) break;
      kernel.step(sums, size2, h);
    } else {
      if ((limits.middles(angle2) & together) != together) break;
      kernel.middle_step(sums, h);
    }
  }
  if (done > 0) store(sums, block, first);
  return done;
}

/// As many steps as are short in all lanes, and of no extraordinary size, at most `count`. settle() brings the attitudes of the block
/// back to norms near one.
template <Summation summation, class Block, class Lanes, class Settle>
[[gnu::always_inline]] inline std::int64_t ordinary_steps(const IncrementFlow<Lanes>& kernel, Block& block,
                                                          std::size_t first, const Lanes& h,
                                                          const StepLimits<Lanes>& limits, std::int64_t count,
                                                          const Settle& settle) {
  Motion<Lanes, summation> sums;
  load(sums, block, first);
  std::int64_t done = 0;
  const auto as_far_as = [&](std::int64_t end) {
    for (; done < end; ++done) {
      const Vector<Lanes> m = sums.momentum();
      const Lanes size2 = dot(m, m), angle2 = kernel.square_angle(size2, h);
      if (!all_within(Lanes(0.0), angle2, angle2, limits.of_short)) [[unlikely]]
        return false;
      kernel.step(sums, size2, h);
    }
    return true;
  };
  while (done < count && as_far_as(std::min(count, done + steps_between_looks))) {
    const Lanes norm2 = norm_squared(sums.attitude());
    if (all_within(Lanes(0x1p-99), norm2, norm2, Lanes(0x1p99))) [[likely]]
      continue;
    store(sums, block, first);
    settle();
    load(sums, block, first);
  }
  if (done > 0) store(sums, block, first);
  return done;
}

// Flat, because the registers are to hold the state: what is not inlined costs more than what it computes. GCC makes no
// template flat: hence the functions from here on.
[[gnu::flatten, gnu::noinline]] inline unsigned long_step(const LongStep<Pack>& far,
                                                          Motion<Pack, Summation::compensated>& sums,
                                                          const Pack& h) {
  return Pack::lanes_of(far.step(sums, h));
}
[[gnu::flatten, gnu::noinline]] inline unsigned long_step(const LongStep<Pack>& far,
                                                          Motion<Pack, Summation::plain>& sums,
                                                          const Pack& h) {
  return Pack::lanes_of(far.step(sums, h));
}

}  // namespace block_kernels

[[gnu::flatten, gnu::noinline]] inline std::int64_t short_steps(const IncrementFlow<Pack>& kernel,
                                                                polhode_shared::CompensatedBlock& block,
                                                                std::size_t first, const Pack h,
                                                                const StepLimits<Pack> limits,
                                                                unsigned together, std::int64_t count) {
  return block_kernels::steps<StepLength::short_step, Summation::compensated>(kernel, block, first, h, limits,
                                                                              together, count);
}
[[gnu::flatten, gnu::noinline]] inline std::int64_t short_steps(const IncrementFlow<Pack>& kernel,
                                                                polhode_shared::PlainBlock& block,
                                                                std::size_t first, const Pack h,
                                                                const StepLimits<Pack> limits,
                                                                unsigned together, std::int64_t count) {
  return block_kernels::steps<StepLength::short_step, Summation::plain>(kernel, block, first, h, limits,
                                                                        together, count);
}
[[gnu::flatten, gnu::noinline]] inline std::int64_t short_steps(const IncrementFlow<PackOf<float>>& kernel,
                                                                polhode_shared::FloatBlock& block,
                                                                std::size_t first, const PackOf<float> h,
                                                                const StepLimits<PackOf<float>> limits,
                                                                unsigned together, std::int64_t count) {
  return block_kernels::steps<StepLength::short_step, Summation::plain>(kernel, block, first, h, limits,
                                                                        together, count);
}

[[gnu::flatten, gnu::noinline]] inline std::int64_t middle_steps(const IncrementFlow<Pack>& kernel,
                                                                 polhode_shared::CompensatedBlock& block,
                                                                 std::size_t first, const Pack h,
                                                                 const StepLimits<Pack> limits,
                                                                 unsigned together, std::int64_t count) {
  return block_kernels::steps<StepLength::middle_step, Summation::compensated>(kernel, block, first, h,
                                                                               limits, together, count);
}
[[gnu::flatten, gnu::noinline]] inline std::int64_t middle_steps(const IncrementFlow<Pack>& kernel,
                                                                 polhode_shared::PlainBlock& block,
                                                                 std::size_t first, const Pack h,
                                                                 const StepLimits<Pack> limits,
                                                                 unsigned together, std::int64_t count) {
  return block_kernels::steps<StepLength::middle_step, Summation::plain>(kernel, block, first, h, limits,
                                                                         together, count);
}

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wunknown-attributes"  // noclone
#endif
/// One step of that length in all lanes. No clones: GCC does not make them flat.
[[gnu::flatten, gnu::noinline, gnu::noclone]] inline void one_short_step(
    const IncrementFlow<Pack>& kernel, polhode_shared::CompensatedBlock& block, std::size_t first,
    const Pack h, const Pack size2) {
  Motion<Pack, Summation::compensated> sums;
  block_kernels::load(sums, block, first);
  kernel.step(sums, size2, h);
  block_kernels::store(sums, block, first);
}
[[gnu::flatten, gnu::noinline, gnu::noclone]] inline void one_middle_step(
    const IncrementFlow<Pack>& kernel, polhode_shared::CompensatedBlock& block, std::size_t first,
    const Pack h) {
  Motion<Pack, Summation::compensated> sums;
  block_kernels::load(sums, block, first);
  kernel.middle_step(sums, h);
  block_kernels::store(sums, block, first);
}
#if defined(__clang__)
#pragma clang diagnostic pop
#endif

/// As many long steps as the lanes `together` have, at most `count`. A lane that LongStep does not take makes an end; the closed form is
/// for one body.
template <class Block>
[[gnu::noinline]] std::int64_t long_steps(const IncrementFlow<Pack>& kernel, const LongStep<Pack>& far,
                                          Block& block, std::size_t first, const Pack& h,
                                          const StepLimits<Pack>& limits, unsigned together,
                                          std::int64_t count) {
  using Sums = Motion<Pack, std::same_as<Block, polhode_shared::PlainBlock> ? Summation::plain
                                                                            : Summation::compensated>;
  Sums sums;
  block_kernels::load(sums, block, first);
  std::int64_t done = 0;
  for (; done < count; ++done) {
    const Vector<Pack> m = sums.momentum();
    if ((limits.longs(kernel.square_angle(dot(m, m), h)) & together) != together) break;
    const Sums before = sums;
    if ((block_kernels::long_step(far, sums, h) & together) == together) continue;
    sums = before;
    break;
  }
  if (done > 0) block_kernels::store(sums, block, first);
  return done;
}

}  // namespace POLHODE_CORE
