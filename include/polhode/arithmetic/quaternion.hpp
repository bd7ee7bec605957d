// Quaternions: scalar part first, Hamilton's product. As an attitude, q turns body coordinates into space
// coordinates, v -> q v q^-1; the norm need not be one (the rotation does not depend on it).
#pragma once

#include "polhode/arithmetic/vector.hpp"

namespace POLHODE_CORE {

template <class T>
struct Quaternion {
  std::array<T, 4> c{T(1), T(0), T(0), T(0)};

  constexpr Quaternion() = default;
  constexpr Quaternion(const T& w, const T& x, const T& y, const T& z) : c{w, x, y, z} {}
  constexpr Quaternion(const T& scalar, const Vector<T>& v) : c{scalar, v[0], v[1], v[2]} {}

  constexpr T& operator[](std::size_t i) { return c[i]; }
  constexpr const T& operator[](std::size_t i) const { return c[i]; }
  constexpr Vector<T> vector() const { return {{c[1], c[2], c[3]}}; }
  friend constexpr bool operator==(const Quaternion&, const Quaternion&) = default;

  friend constexpr Quaternion operator+(const Quaternion& a, const Quaternion& b) {
    return {a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3]};
  }
  friend constexpr Quaternion operator-(const Quaternion& a, const Quaternion& b) {
    return {a[0] - b[0], a[1] - b[1], a[2] - b[2], a[3] - b[3]};
  }
  friend constexpr Quaternion operator*(const T& s, const Quaternion& a) {
    return {s * a[0], s * a[1], s * a[2], s * a[3]};
  }
  friend constexpr Quaternion operator*(const Quaternion& a, const Quaternion& b) {
    return {a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
            a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
            a[0] * b[2] + a[2] * b[0] + a[3] * b[1] - a[1] * b[3],
            a[0] * b[3] + a[3] * b[0] + a[1] * b[2] - a[2] * b[1]};
  }
};

/// q (0, v): the product with a vector, as increments of an attitude need it.
template <class T>
constexpr Quaternion<T> times_vector(const Quaternion<T>& q, const Vector<T>& v) {
  return {-(q[1] * v[0] + q[2] * v[1] + q[3] * v[2]), q[0] * v[0] + (q[2] * v[2] - q[3] * v[1]),
          q[0] * v[1] + (q[3] * v[0] - q[1] * v[2]), q[0] * v[2] + (q[1] * v[1] - q[2] * v[0])};
}

template <class T>
constexpr Quaternion<T> conjugate(const Quaternion<T>& q) {
  return {q[0], -q[1], -q[2], -q[3]};
}

template <class T>
constexpr T norm_squared(const Quaternion<T>& q) {
  return q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
}

template <class T>
constexpr Quaternion<T> normalized(const Quaternion<T>& q) {
  return (T(1) / sqrt(norm_squared(q))) * q;
}

template <class To, class From>
constexpr Quaternion<To> convert(const Quaternion<From>& q) {
  return {rounded<To>(q[0]), rounded<To>(q[1]), rounded<To>(q[2]), rounded<To>(q[3])};
}

/// q v q^-1 for any nonzero q: body coordinates to space coordinates.
///
/// Homogeneous in q, with one division at the end. The shorter form v + (2/|q|^2) (...) rounds 2/|q|^2, which hardly changes
/// along a motion: its error adds a multiple of v itself to every result, and a torque that is computed so is not that of any
/// potential: the energy drifts. Here the error of the norm is a factor of the whole, and does no harm.
template <class T>
constexpr Vector<T> rotate(const Quaternion<T>& q, const Vector<T>& v) {
  const Vector<T> u = q.vector();
  const T along = T(2) * dot(u, v), scale = q[0] * q[0] - dot(u, u), twice = T(2) * q[0];
  const Vector<T> sum = scale * v + along * u + twice * cross(u, v);
  const T size = norm_squared(q);
  return {{sum[0] / size, sum[1] / size, sum[2] / size}};
}

/// The rotation matrix of q, body to space, for any nonzero q.
template <class T>
constexpr Matrix<T> to_matrix(const Quaternion<T>& q) {
  Matrix<T> result;
  for (std::size_t j = 0; j < 3; ++j) {
    Vector<T> axis{};
    axis[j] = T(1);
    const Vector<T> column = rotate(q, axis);
    for (std::size_t i = 0; i < 3; ++i) result[i][j] = column[i];
  }
  return result;
}

/// A quaternion of the rotation matrix r, from its largest component, so that nothing cancels. Not
/// normalised beyond what r is.
template <class T>
constexpr Quaternion<T> from_matrix(const Matrix<T>& r) {
  const T trace = r[0][0] + r[1][1] + r[2][2];
  const std::array<T, 4> four_squares{T(1) + trace, T(1) + T(2) * r[0][0] - trace,
                                      T(1) + T(2) * r[1][1] - trace, T(1) + T(2) * r[2][2] - trace};
  std::size_t largest = 0;
  for (std::size_t i = 1; i < 4; ++i)
    if (four_squares[largest] < four_squares[i]) largest = i;
  const T root = sqrt(four_squares[largest]);  // twice the largest component
  const T scale = T(1) / (T(2) * root);
  const T x = r[2][1] - r[1][2], y = r[0][2] - r[2][0], z = r[1][0] - r[0][1];
  const T xy = r[1][0] + r[0][1], xz = r[2][0] + r[0][2], yz = r[2][1] + r[1][2];
  const T half = root / T(2);
  switch (largest) {
    case 0:
      return {half, x * scale, y * scale, z * scale};
    case 1:
      return {x * scale, half, xy * scale, xz * scale};
    case 2:
      return {y * scale, xy * scale, half, yz * scale};
    default:
      return {z * scale, xz * scale, yz * scale, half};
  }
}

}  // namespace POLHODE_CORE

namespace polhode {
using core::conjugate;
using core::convert;
using core::normalized;
using core::Quaternion;
using core::rotate;
using core::to_matrix;
}  // namespace polhode
