// The axes renamed, so that one set of formulas serves both elliptic regimes and both senses of rotation.
#pragma once

#include "polhode/body/inertia.hpp"

namespace POLHODE_CORE {

/// Renames the principal axes by proper rotations (signed permutations, hence exact) so that the momentum circulates
/// about the positive third axis: A >= B and m3 >= 0, where
///   J1 = a2 m1^2 + a1 m2^2,  J3 = a2 m3^2 + a3 m2^2,  A = a1 J3,  B = a3 J1,  A - B = a2 (a1 m3^2 - a3 m1^2).
template <Scalar W>
class AxisRenaming {
 public:
  template <class T>
  AxisRenaming(const Inertia<T>& inertia, const Vector<W>& m) {
    exchanged_ = W(inertia.a1) * square(m[2]) < W(inertia.a3) * square(m[0]);
    flipped_ = m[exchanged_ ? 0 : 2] < W(0);
  }

  /// The axes 1 and 3 have changed places: the momentum circulates about axis 1.
  bool exchanged() const { return exchanged_; }
  /// It circulates about the negative axis.
  bool flipped() const { return flipped_; }

  /// From the principal frame to the renamed one, and back.
  Vector<W> inward(const Vector<W>& v) const {
    const Vector<W> e = exchanged_ ? exchange(v) : v;
    return flipped_ ? flip(e) : e;
  }
  Vector<W> outward(const Vector<W>& v) const {
    const Vector<W> f = flipped_ ? flip(v) : v;
    return exchanged_ ? exchange(f) : f;
  }

 private:
  /// The turn by pi about axis 2, and the one about the bisector of the axes 1 and 3: each its own inverse.
  static Vector<W> flip(const Vector<W>& v) { return {{-v[0], v[1], -v[2]}}; }
  static Vector<W> exchange(const Vector<W>& v) { return {{v[2], -v[1], v[0]}}; }

  bool exchanged_;
  bool flipped_;
};

/// The constants of the body about the renamed axes. After an exchange the moments descend and a1, a2, a3 are negative;
/// every formula is written so that it holds for both signs.
template <Scalar W>
struct RenamedBody {
  W a1, a2, a3;
  W inverse2, inverse3;  ///< 1/I2 and 1/I3

  template <class T>
  RenamedBody(const AxisRenaming<W>& axes, const Inertia<T>& inertia)
      : a1(axes.exchanged() ? -W(inertia.a3) : W(inertia.a1)),
        a2(axes.exchanged() ? -W(inertia.a2) : W(inertia.a2)),
        a3(axes.exchanged() ? -W(inertia.a1) : W(inertia.a3)),
        inverse2(inertia.inverse[1]),
        inverse3(inertia.inverse[axes.exchanged() ? 0 : 2]) {}
};

}  // namespace POLHODE_CORE
