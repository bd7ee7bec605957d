// The moving frames in which the attitude is integrated [CZ08 sections 1.3 and 1.4].
//
// A frame takes the unit momentum m to the third axis: P m = e3. Between two of them the attitude turns by a
// rotation about that axis: Q -> Q P0^T Y(psi) P1, or in quaternions q -> q p0^-1 y(psi) p1.
#pragma once

#include "polhode/arithmetic/quaternion.hpp"
#include "polhode/free_motion/axis_renaming.hpp"

namespace POLHODE_CORE {

enum class Frame {
  automatic,          ///< the paper's choice: smallest_rotation for quaternions, derivative for matrices
  smallest_rotation,  ///< section 1.4 (1), after Kosenko
  derivative,         ///< section 1.3 and 1.4 (2): the first axis is the derivative of m
  azimuthal           ///< section 1.4 (3), after van Zon and Schofield: the first axis is m x e3
};

/// The first axis of the frame, a unit vector orthogonal to m.
template <Scalar T>
Vector<T> first_axis(Frame frame, const RenamedBody<T>& body, const Vector<T>& m) {
  if (frame == Frame::smallest_rotation) {
    const T factor = m[0] / (T(1) + m[2]);
    return {{T(1) - m[0] * factor, -m[1] * factor, -m[0]}};
  }
  Vector<T> v = frame == Frame::derivative
                    ? Vector<T>{{-body.a1 * m[1] * m[2], body.a2 * m[0] * m[2], -body.a3 * m[0] * m[1]}}
                    : Vector<T>{{m[1], -m[0], T(0)}};
  T largest(0);
  for (const auto& x : v.c)
    if (largest < abs(x)) largest = abs(x);
  for (auto& x : v.c) x /= largest;  // its square may vanish otherwise
  return (T(1) / norm(v)) * v;
}

/// P, with the first axis, m x (first axis) and m as its rows.
template <Scalar T>
Matrix<T> frame_matrix(Frame frame, const RenamedBody<T>& body, const Vector<T>& m) {
  const Vector<T> v = first_axis(frame, body, m);
  return {{v, cross(m, v), m}};
}

/// The quaternion of P; m3 >= 0.
template <Scalar T>
Quaternion<T> frame_quaternion(Frame frame, const RenamedBody<T>& body, const Vector<T>& m) {
  const T scale = T(1) / sqrt(T(2) * (T(1) + m[2]));
  const Quaternion<T> smallest = scale * Quaternion<T>(T(1) + m[2], m[1], -m[0], T(0));
  if (frame == Frame::smallest_rotation) return smallest;
  // The first axis as the smallest rotation sees it, (cos chi, sin chi, 0); then turn it by -chi.
  const Vector<T> v = first_axis(frame, body, m);
  const T shift = v[2] / (T(1) + m[2]);
  const T c = v[0] - m[0] * shift, s = v[1] - m[1] * shift;
  T half_cos, half_sin;
  if (c < T(0)) {
    half_sin = sqrt((T(1) - c) / T(2));
    half_cos = s / (T(2) * half_sin);
  } else {
    half_cos = sqrt((T(1) + c) / T(2));
    half_sin = s / (T(2) * half_cos);
  }
  return Quaternion<T>(half_cos, T(0), T(0), -half_sin) * smallest;
}

}  // namespace POLHODE_CORE
