// The operations that forces ask of a pack beyond the four. Each lane has the bits of the operation on a double.
#pragma once

#include "polhode/arithmetic/pack.hpp"
#include "polhode/arithmetic/quaternion.hpp"

namespace POLHODE_CORE {

/// x, but not below 0 nor above 1.
inline Pack clamped_to_unit(const Pack& x) {
  const Pack::Lanes zero{}, one = Pack(1.0).lanes();
  const Pack::Lanes raised = x.lanes() < zero ? zero : x.lanes();
  return Pack(raised > one ? one : raised);
}

/// The integer next to x, by the rounding of an addition; for |x| < 2^51.
inline Pack nearest_integer(const Pack& x) {
  const Pack shift(0x1.8p52);
  return (x + shift) - shift;
}

/// from[index[0]], from[index[1]], ...
inline Pack gather(const double* from, const std::size_t* index) {
  // In one expression: lanes that are stored one by one and loaded as one wait for each other.
#if defined(__AVX__)
  return Pack(Pack::Lanes{from[index[0]], from[index[1]], from[index[2]], from[index[3]]});
#else
  return Pack(Pack::Lanes{from[index[0]], from[index[1]]});
#endif
}

inline Vector<Pack> broadcast(const Vector<double>& v) { return {{Pack(v[0]), Pack(v[1]), Pack(v[2])}}; }

}  // namespace POLHODE_CORE
