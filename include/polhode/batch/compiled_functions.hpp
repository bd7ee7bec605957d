// The batch for the instructions that this is compiled for.
#pragma once

#include <memory>

#include "polhode/batch/states.hpp"

namespace polhode::core {

using polhode_shared::BatchFunctions;

inline const BatchFunctions& compiled_batch_functions() {
  static constexpr BatchFunctions functions {
#if defined(__AVX2__) && defined(__FMA__)
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
    .make_kinds = [](const double* moments, std::size_t count) -> void* {
      return std::make_unique<BatchKinds>(moments, count).release();
    },
    .free_kinds = [](void* kinds) { delete static_cast<BatchKinds*>(kinds); }, .advance = advance_blocks,
    .advance_states = [](const polhode_shared::StatesJob& job, std::size_t first, std::size_t last,
                         bool* left) { StatePacks(job).advance(first, last, left); }
  };
  return functions;
}

}  // namespace polhode::core
