// The batch for the instructions that this is compiled for.
#pragma once

#include <memory>

#include "polhode/batch/control_packs.hpp"
#include "polhode/batch/driven_packs.hpp"
#include "polhode/batch/states.hpp"

namespace POLHODE_CORE {

using polhode_shared::BatchFunctions;

template <class T, Summation summation>
constexpr auto block_functions() {
  using Kinds = BatchKinds<T>;
  using Block = BlockOf<T, summation>;
  return polhode_shared::BlockFunctions<Block>{
      .make_kinds = [](const polhode_shared::BatchKindList<T>& list) -> void* {
        return std::make_unique<Kinds>(list).release();
      },
      .free_kinds = [](void* kinds) { delete static_cast<Kinds*>(kinds); },
      .advance = advance_blocks};
}

inline const BatchFunctions& compiled_batch_functions() {
  static constexpr BatchFunctions functions {
#if defined(POLHODE_PACKS_OF_AVX512)
    .name = "avx512",
#elif defined(__AVX2__) && defined(__FMA__)
    .name = "avx2",
#elif defined(__AVX__)
    .name = "avx",
#elif defined(__SSE2__)
    .name = "sse2",
#elif defined(__ARM_NEON)
    .name = "neon",
#else
    .name = "plain",
#endif
    .compensated = block_functions<double, Summation::compensated>(),
    .plain = block_functions<double, Summation::plain>(),
    .of_float = block_functions<float, Summation::plain>(),
    .advance_states = [](const polhode_shared::StatesJob& job, std::size_t first, std::size_t last,
                         bool* left) { StatePacks(job).advance(first, last, left); },
    .advance_driven = [](const polhode_shared::DrivenJob& job, std::size_t first,
                         std::size_t last) { DrivenPacks(job).advance(first, last); },
    .show_attitudes = [](const polhode_shared::ShowJob& job, std::size_t first,
                         std::size_t last) { show_attitudes(job, first, last); },
    .pass_controls = [](const polhode_shared::ControlJob& job, std::size_t first, std::size_t last) {
      ControlPacks(job).pass(first, last);
    }
  };
  return functions;
}

}  // namespace POLHODE_CORE
