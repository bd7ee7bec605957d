// The principal moments of inertia and the constants of free rotation that follow from them.
#pragma once

#include "polhode/arithmetic/double_double.hpp"
#include "polhode/arithmetic/vector.hpp"

namespace POLHODE_CORE {

/// Principal moments I1 <= I2 <= I3, taken as exact numbers, with
///   a1 = 1/I2 - 1/I3,  a3 = 1/I1 - 1/I2,  a2 = a1 + a3,
/// for which  m1' = -a1 m2 m3,  m2' = a2 m1 m3,  m3' = -a3 m1 m2.  The differences are formed from differences
/// of the moments in Wide<T>, so that nearly symmetric bodies lose nothing.
///
/// Checks nothing: Body (body.hpp) is the place where input is examined, ordered and scaled.
template <Scalar T>
struct Inertia {
  using W = Wide<T>;

  Vector<T> moments;
  Vector<W> inverse;  ///< 1/Ij
  W a1, a2, a3;

  explicit Inertia(const Vector<T>& sorted) : moments(sorted) {
    const Vector<W> i = convert<W>(sorted);
    for (std::size_t j = 0; j < 3; ++j) inverse[j] = W(1) / i[j];
    a1 = (i[2] - i[1]) / (i[1] * i[2]);
    a3 = (i[1] - i[0]) / (i[0] * i[1]);
    a2 = a1 + a3;
  }

  /// The kinetic energy of the body momentum m.
  template <class U>
  U energy(const Vector<U>& m) const {
    return (m[0] * m[0] / U(moments[0]) + m[1] * m[1] / U(moments[1]) + m[2] * m[2] / U(moments[2])) / U(2);
  }

  template <class U>
  Vector<U> angular_velocity(const Vector<U>& m) const {
    return {{m[0] / U(moments[0]), m[1] / U(moments[1]), m[2] / U(moments[2])}};
  }
};

}  // namespace POLHODE_CORE
