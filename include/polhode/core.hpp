// The namespace of the core, POLHODE_CORE: polhode::core, and in it one that is named after the instructions of the compiler's flags.
//
// How wide a vector is, and so how large a body's state is, depends on these flags. Two sources of one program with different flags
// (-mavx2 for one of them, say) would have types and functions of the same names and of different layouts, and the linker keeps
// one of each name. So they have different names: both work side by side, and one that is handed an object of the other is not linked.
// In the code both are polhode::core, as `inline` says.
#pragma once

#if defined(POLHODE_PACKS_OF_AVX512)
#define POLHODE_CORE polhode::core::inline with_avx512_packs
#elif defined(__AVX512F__) && defined(__FMA__)
#define POLHODE_CORE polhode::core::inline with_avx512
#elif defined(__AVX2__) && defined(__FMA__)
#define POLHODE_CORE polhode::core::inline with_avx2_fma
#elif defined(__AVX2__)
#define POLHODE_CORE polhode::core::inline with_avx2
#elif defined(__AVX__) && defined(__FMA__)
#define POLHODE_CORE polhode::core::inline with_avx_fma
#elif defined(__AVX__)
#define POLHODE_CORE polhode::core::inline with_avx
#else
#define POLHODE_CORE polhode::core::inline with_least
#endif
