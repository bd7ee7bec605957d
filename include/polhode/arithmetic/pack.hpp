// A pack of numbers on which the kernels work as on one: SIMD by the compiler's vector types.
//
// Each lane goes through the operations of the scalar kernel in the same order, and contraction is off: it
// ends with the same bits.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstring>

#include "polhode/arithmetic/error_free.hpp"

namespace polhode::core {

/// As wide as the target that is compiled for has registers.
class Pack {
 public:
#if defined(__AVX__)
  static constexpr std::size_t width = 4;
#else
  static constexpr std::size_t width = 2;  // SSE2 and NEON
#endif
  using Lanes [[gnu::vector_size(width * sizeof(double))]] = double;
  /// What a comparison gives: all bits of a lane, or none.
  using Mask = decltype(Lanes{} < Lanes{});

  Pack() : lanes_{} {}
  Pack(double x)
      : lanes_(x - Lanes{}) {}  // NOLINT(google-explicit-constructor): a number is a pack of itself
  explicit Pack(Lanes lanes) : lanes_(lanes) {}

  /// From and to `width` numbers in memory.
  static Pack load(const double* from) {
    Pack result;
    std::memcpy(&result.lanes_, from, sizeof(Lanes));
    return result;
  }
  void store(double* to) const { std::memcpy(to, &lanes_, sizeof(Lanes)); }

  double operator[](std::size_t i) const { return lanes_[i]; }
  void set(std::size_t i, double x) { lanes_[i] = x; }
  Lanes lanes() const { return lanes_; }

  friend Pack operator+(const Pack& a, const Pack& b) { return Pack(a.lanes_ + b.lanes_); }
  friend Pack operator-(const Pack& a, const Pack& b) { return Pack(a.lanes_ - b.lanes_); }
  friend Pack operator*(const Pack& a, const Pack& b) { return Pack(a.lanes_ * b.lanes_); }
  friend Pack operator/(const Pack& a, const Pack& b) { return Pack(a.lanes_ / b.lanes_); }
  friend Pack operator-(const Pack& a) { return Pack(-a.lanes_); }
  Pack& operator+=(const Pack& b) { return *this = *this + b; }
  Pack& operator-=(const Pack& b) { return *this = *this - b; }
  Pack& operator*=(const Pack& b) { return *this = *this * b; }
  Pack& operator/=(const Pack& b) { return *this = *this / b; }

  /// Bit i says whether low < x and y <= high in lane i; never with a NaN.
  friend unsigned lanes_within(const Pack& low, const Pack& x, const Pack& y, const Pack& high) {
    return lanes_of((x.lanes_ > low.lanes_) & (y.lanes_ <= high.lanes_));
  }
  /// Bit i says whether lane i is chosen.
  static unsigned lanes_of(const Mask& mask) {
#if defined(__AVX__)
    return static_cast<unsigned>(__builtin_ia32_movmskpd256(reinterpret_cast<Lanes>(mask)));
#elif defined(__SSE2__)
    return static_cast<unsigned>(__builtin_ia32_movmskpd(reinterpret_cast<Lanes>(mask)));
#else
    return static_cast<unsigned>((mask[0] & 1) | (mask[1] & 2));
#endif
  }
  static constexpr unsigned all_lanes = (1U << width) - 1;
  friend bool all_within(const Pack& low, const Pack& x, const Pack& y, const Pack& high) {
    return lanes_within(low, x, y, high) == all_lanes;
  }

 private:
  Lanes lanes_;
};

static_assert(Arithmetic<Pack>);

template <>
struct ScalarTraits<Pack> {
  using Wide = Pack;
  static Pack epsilon() { return 0x1p-52; }
};

inline Pack sqrt(const Pack& x) {
#if defined(__AVX__)
  return Pack(static_cast<Pack::Lanes>(__builtin_ia32_sqrtpd256(x.lanes())));
#elif defined(__SSE2__)
  return Pack(static_cast<Pack::Lanes>(__builtin_ia32_sqrtpd(x.lanes())));
#else
  Pack result;
  for (std::size_t i = 0; i < Pack::width; ++i) result.set(i, std::sqrt(x[i]));
  return result;
#endif
}

/// The exact product, lane by lane the one of two_product(double, double).
inline ErrorFree<Pack> two_product(const Pack& a, const Pack& b) {
  const Pack product = a * b;
#if defined(__AVX__) && defined(__FMA__)
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
  return {product, ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low};
#endif
}

}  // namespace polhode::core
