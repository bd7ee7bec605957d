// A pack of numbers on which the kernels work as on one: SIMD by the compiler's vector types.
//
// Packs of 64 bytes are those of the object that the program chooses at run time (POLHODE_PACKS_OF_AVX512, cmake/PolhodeBatch.cmake);
// elsewhere they have 32 even where there is AVX-512.
//
// Each lane goes through the operations of the scalar kernel in the same order, and contraction is off: it
// ends with the same bits.
#pragma once

#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstring>

#if defined(POLHODE_PACKS_OF_AVX512)
#include <immintrin.h>
#endif

#include "polhode/arithmetic/error_free.hpp"

namespace POLHODE_CORE {

namespace detail {

/// The register of a pack. (GCC takes no attribute that depends on a parameter.)
template <class T>
struct WideRegister {};
#if defined(POLHODE_PACKS_OF_AVX512)
template <>
struct WideRegister<double> {
  using Lanes [[gnu::vector_size(64)]] = double;
};
template <>
struct WideRegister<float> {
  using Lanes [[gnu::vector_size(64)]] = float;
};
#elif defined(__AVX__)
template <>
struct WideRegister<double> {
  using Lanes [[gnu::vector_size(32)]] = double;
};
template <>
struct WideRegister<float> {
  using Lanes [[gnu::vector_size(32)]] = float;
};
#else  // SSE2 and NEON
template <>
struct WideRegister<double> {
  using Lanes [[gnu::vector_size(16)]] = double;
};
template <>
struct WideRegister<float> {
  using Lanes [[gnu::vector_size(16)]] = float;
};
#endif

}  // namespace detail

/// As wide as its register.
template <std::floating_point T>
class PackOf {
 public:
  using Number = T;
  using Lanes = typename detail::WideRegister<T>::Lanes;
  static constexpr std::size_t width = sizeof(Lanes) / sizeof(T);
#if defined(POLHODE_PACKS_OF_AVX512)
  /// What a comparison gives: a bit for each lane.
  using Mask = std::conditional_t<std::same_as<T, double>, __mmask8, __mmask16>;
#else
  /// What a comparison gives: all bits of a lane, or none.
  using Mask = decltype(Lanes{} < Lanes{});
#endif

  PackOf() : lanes_{} {}
  PackOf(double x)
      : lanes_(static_cast<T>(x) - Lanes{}) {
  }  // NOLINT(google-explicit-constructor): a number is a pack of itself
  explicit PackOf(Lanes lanes) : lanes_(lanes) {}

  /// From and to `width` numbers in memory.
  static PackOf load(const T* from) {
    PackOf result;
    std::memcpy(&result.lanes_, from, sizeof(Lanes));
    return result;
  }
  void store(T* to) const { std::memcpy(to, &lanes_, sizeof(Lanes)); }

  T operator[](std::size_t i) const { return lanes_[i]; }
  void set(std::size_t i, T x) { lanes_[i] = x; }
  Lanes lanes() const { return lanes_; }

  friend PackOf operator+(const PackOf& a, const PackOf& b) { return PackOf(a.lanes_ + b.lanes_); }
  friend PackOf operator-(const PackOf& a, const PackOf& b) { return PackOf(a.lanes_ - b.lanes_); }
  friend PackOf operator*(const PackOf& a, const PackOf& b) { return PackOf(a.lanes_ * b.lanes_); }
  friend PackOf operator/(const PackOf& a, const PackOf& b) { return PackOf(a.lanes_ / b.lanes_); }
  friend PackOf operator-(const PackOf& a) { return PackOf(-a.lanes_); }
  PackOf& operator+=(const PackOf& b) { return *this = *this + b; }
  PackOf& operator-=(const PackOf& b) { return *this = *this - b; }
  PackOf& operator*=(const PackOf& b) { return *this = *this * b; }
  PackOf& operator/=(const PackOf& b) { return *this = *this / b; }

  /// Bit i says whether low < x and y <= high in lane i; never with a NaN.
  friend unsigned lanes_within(const PackOf& low, const PackOf& x, const PackOf& y, const PackOf& high) {
#if defined(POLHODE_PACKS_OF_AVX512)
    if constexpr (std::same_as<T, double>)
      return static_cast<unsigned>(_mm512_cmp_pd_mask(low.lanes_, x.lanes_, _CMP_LT_OS) &
                                   _mm512_cmp_pd_mask(y.lanes_, high.lanes_, _CMP_LE_OS));
    else
      return static_cast<unsigned>(_mm512_cmp_ps_mask(low.lanes_, x.lanes_, _CMP_LT_OS) &
                                   _mm512_cmp_ps_mask(y.lanes_, high.lanes_, _CMP_LE_OS));
#else
    return lanes_of((x.lanes_ > low.lanes_) & (y.lanes_ <= high.lanes_));
#endif
  }
  /// Bit i says whether lane i is chosen.
  static unsigned lanes_of(const Mask& mask) {
#if defined(POLHODE_PACKS_OF_AVX512)
    return mask;
#elif defined(__AVX__)
    if constexpr (std::same_as<T, double>)
      return static_cast<unsigned>(__builtin_ia32_movmskpd256(reinterpret_cast<Lanes>(mask)));
    else
      return static_cast<unsigned>(__builtin_ia32_movmskps256(reinterpret_cast<Lanes>(mask)));
#elif defined(__SSE2__)
    if constexpr (std::same_as<T, double>)
      return static_cast<unsigned>(__builtin_ia32_movmskpd(reinterpret_cast<Lanes>(mask)));
    else
      return static_cast<unsigned>(__builtin_ia32_movmskps(reinterpret_cast<Lanes>(mask)));
#else
    unsigned result = 0;
    for (std::size_t i = 0; i < width; ++i) result |= static_cast<unsigned>(mask[i] != 0) << i;
    return result;
#endif
  }
  static constexpr unsigned all_lanes = (1U << width) - 1;
  friend bool all_within(const PackOf& low, const PackOf& x, const PackOf& y, const PackOf& high) {
    return lanes_within(low, x, y, high) == all_lanes;
  }

  friend PackOf sqrt(const PackOf& x) {
#if defined(POLHODE_PACKS_OF_AVX512)
    if constexpr (std::same_as<T, double>)
      return PackOf(static_cast<Lanes>(_mm512_maskz_sqrt_pd(0xff, x.lanes_)));
    else
      return PackOf(static_cast<Lanes>(_mm512_maskz_sqrt_ps(0xffff, x.lanes_)));
#elif defined(__AVX__)
    if constexpr (std::same_as<T, double>)
      return PackOf(static_cast<Lanes>(__builtin_ia32_sqrtpd256(x.lanes_)));
    else
      return PackOf(static_cast<Lanes>(__builtin_ia32_sqrtps256(x.lanes_)));
#elif defined(__SSE2__)
    if constexpr (std::same_as<T, double>)
      return PackOf(static_cast<Lanes>(__builtin_ia32_sqrtpd(x.lanes_)));
    else
      return PackOf(static_cast<Lanes>(__builtin_ia32_sqrtps(x.lanes_)));
#else
    PackOf result;
    for (std::size_t i = 0; i < width; ++i) result.set(i, std::sqrt(x[i]));
    return result;
#endif
  }

 private:
  Lanes lanes_;
};

using Pack = PackOf<double>;

static_assert(Arithmetic<Pack> && Arithmetic<PackOf<float>>);

template <class T>
struct ScalarTraits<PackOf<T>> {
  using Wide = PackOf<T>;
  static PackOf<T> epsilon() { return std::numeric_limits<T>::epsilon(); }
};

/// The exact product, lane by lane the one of two_product(double, double).
inline ErrorFree<Pack> two_product(const Pack& a, const Pack& b) {
  const Pack product = a * b;
#if defined(POLHODE_PACKS_OF_AVX512)
  return {product, Pack(static_cast<Pack::Lanes>(_mm512_fmsub_pd(a.lanes(), b.lanes(), product.lanes())))};
#elif defined(__AVX__) && defined(__FMA__)
  return {product,
          Pack(static_cast<Pack::Lanes>(__builtin_ia32_vfmaddpd256(a.lanes(), b.lanes(), -product.lanes())))};
#elif defined(__ARM_FEATURE_FMA)
  // The compilers make one instruction of the two.
  return {product,
          Pack(Pack::Lanes{__builtin_fma(a[0], b[0], -product[0]), __builtin_fma(a[1], b[1], -product[1])})};
#else
  const auto split = [](const Pack& x) {
    const Pack scaled = Pack(134217729.0) * x;
    const Pack high = scaled - (scaled - x);
    return ErrorFree<Pack>{high, x - high};
  };
  const auto [a_high, a_low] = split(a);
  const auto [b_high, b_low] = split(b);
  Pack error = ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low;
  const unsigned doubted = errors_in_doubt(a.lanes(), b.lanes(), product.lanes(), error.lanes());
  if (doubted != 0) [[unlikely]]
    for (std::size_t i = 0; i < Pack::width; ++i)
      if ((doubted >> i & 1) != 0) error.set(i, rounded_error_of_product(a[i], b[i], product[i]));
  return {product, error};
#endif
}

}  // namespace POLHODE_CORE
