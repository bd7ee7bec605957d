// The modulus of elliptic functions, as the pair (k^2, k'^2) with k^2 + k'^2 = 1.
//
// Near the separatrix of a motion k^2 rounds to 1 while k'^2 = 1e-30 still says everything; near a steady rotation
// it is the other way round. Neither is computed from the other in here: whoever makes a modulus knows both.
#pragma once

#include "polhode/arithmetic/scalar.hpp"

namespace POLHODE_CORE::elliptic {

/// (k^2, k'^2), both in [0, 1]. The smaller of the two is taken as exact, the larger one as its rounded complement.
template <Scalar T>
struct Modulus {
  T squared{};
  T complement{1};

  static constexpr Modulus from_squared(const T& k2) { return {k2, T(1) - k2}; }
  static constexpr Modulus from_complement(const T& k2c) { return {T(1) - k2c, k2c}; }

  /// The same modulus in a wider type: the larger member is made anew, so that the sum is 1 there too.
  template <Scalar U>
  constexpr Modulus<U> to() const {
    return squared < complement ? Modulus<U>::from_squared(U(squared))
                                : Modulus<U>::from_complement(U(complement));
  }
};

}  // namespace POLHODE_CORE::elliptic

namespace polhode {
namespace elliptic = core::elliptic;
}  // namespace polhode
