// Choices without a branch: of a number, and lane by lane of a pack.
#pragma once

#include <utility>

#include "polhode/arithmetic/pack.hpp"

namespace POLHODE_CORE {

template <Scalar T>
bool is_less(const T& a, const T& b) {
  return a < b;
}
template <Scalar T>
bool is_at_most(const T& a, const T& b) {
  return a <= b;
}
inline bool both(bool a, bool b) { return a && b; }
inline bool either(bool a, bool b) { return a || b; }
inline bool none_of(bool a) { return !a; }
inline bool any_lane(bool a) { return a; }
inline double select(bool condition, double a, double b) { return condition ? a : b; }
template <class T>
T select(bool condition, const T& a, const T& b) {
  return condition ? a : b;
}

#if defined(POLHODE_PACKS_OF_AVX512)
inline Pack::Mask is_less(const Pack& a, const Pack& b) {
  return _mm512_cmp_pd_mask(a.lanes(), b.lanes(), _CMP_LT_OS);
}
inline Pack::Mask is_at_most(const Pack& a, const Pack& b) {
  return _mm512_cmp_pd_mask(a.lanes(), b.lanes(), _CMP_LE_OS);
}
inline Pack select(Pack::Mask condition, const Pack& a, const Pack& b) {
  return Pack(static_cast<Pack::Lanes>(_mm512_mask_blend_pd(condition, b.lanes(), a.lanes())));
}
#else
inline Pack::Mask is_less(const Pack& a, const Pack& b) { return a.lanes() < b.lanes(); }
inline Pack::Mask is_at_most(const Pack& a, const Pack& b) { return a.lanes() <= b.lanes(); }
inline Pack select(const Pack::Mask& condition, const Pack& a, const Pack& b) {
  return Pack(condition ? a.lanes() : b.lanes());
}
#endif
inline Pack::Mask both(const Pack::Mask& a, const Pack::Mask& b) { return static_cast<Pack::Mask>(a & b); }
inline Pack::Mask either(const Pack::Mask& a, const Pack::Mask& b) { return static_cast<Pack::Mask>(a | b); }
inline Pack::Mask none_of(const Pack::Mask& a) { return static_cast<Pack::Mask>(~a); }
inline bool any_lane(const Pack::Mask& a) { return Pack::lanes_of(a) != 0; }

/// What a comparison of two T gives.
template <class T>
using MaskOf = decltype(is_less(T{}, T{}));

/// Component by component, by one condition.
template <class C, class Mask, std::size_t... i>
[[gnu::always_inline]] inline C select_components(const Mask& condition, const C& a, const C& b,
                                                  std::index_sequence<i...>) {
  return C(select(condition, a[i], b[i])...);
}

}  // namespace POLHODE_CORE
