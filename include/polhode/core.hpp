// The namespace of the core, POLHODE_CORE: polhode::core, and in it two that are named after the instructions of the compiler's flags.
//
// How wide a vector is, and so how large a body's state is, depends on these flags. Two sources of one program with different flags
// (-mavx2 for one of them, say) would have types and functions of the same names and of different layouts, and the linker keeps
// one of each name. So they have different names, and both work side by side. A function that takes an object of the one is not found by the
// other; a type of the user's own that holds such an object has to be compiled with the same flags everywhere. In the code both are
// polhode::core, as `inline` says.
#pragma once

#if defined(POLHODE_PACKS_OF_AVX512)
#define POLHODE_VECTORS packs_of_avx512
#elif defined(__AVX512F__)
#define POLHODE_VECTORS with_avx512
#elif defined(__AVX2__)
#define POLHODE_VECTORS with_avx2
#elif defined(__AVX__)
#define POLHODE_VECTORS with_avx
#else
#define POLHODE_VECTORS with_least_vectors
#endif

#if defined(__FMA__)
#define POLHODE_PRODUCTS with_fma
#elif defined(__FP_FAST_FMA) || defined(__ARM_FEATURE_FMA)
#define POLHODE_PRODUCTS with_other_fma
#else
#define POLHODE_PRODUCTS without_fma
#endif

#define POLHODE_CORE polhode::core::inline POLHODE_VECTORS::inline POLHODE_PRODUCTS
