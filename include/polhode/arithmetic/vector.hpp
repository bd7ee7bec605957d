// Vectors and matrices of three dimensions: just what the core needs, over any scalar.
#pragma once

#include <array>
#include <cstddef>

#include "polhode/arithmetic/scalar.hpp"

namespace POLHODE_CORE {

template <class T>
struct Vector {
  std::array<T, 3> c{};

  constexpr Vector() = default;
  constexpr Vector(const T& x, const T& y, const T& z) : c{x, y, z} {}
  constexpr Vector(const std::array<T, 3>& components)
      : c(components) {}  // NOLINT(google-explicit-constructor)

  constexpr T& operator[](std::size_t i) { return c[i]; }
  constexpr const T& operator[](std::size_t i) const { return c[i]; }
  friend constexpr bool operator==(const Vector&, const Vector&) = default;

  friend constexpr Vector operator+(const Vector& a, const Vector& b) {
    return {{a[0] + b[0], a[1] + b[1], a[2] + b[2]}};
  }
  friend constexpr Vector operator-(const Vector& a, const Vector& b) {
    return {{a[0] - b[0], a[1] - b[1], a[2] - b[2]}};
  }
  friend constexpr Vector operator-(const Vector& a) { return {{-a[0], -a[1], -a[2]}}; }
  friend constexpr Vector operator*(const T& s, const Vector& a) { return {{s * a[0], s * a[1], s * a[2]}}; }
};

template <class T>
constexpr T dot(const Vector<T>& a, const Vector<T>& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

template <class T>
constexpr Vector<T> cross(const Vector<T>& a, const Vector<T>& b) {
  return {{a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]}};
}

/// Component by component: (a0 b0, a1 b1, a2 b2).
template <class T>
constexpr Vector<T> times(const Vector<T>& a, const Vector<T>& b) {
  return {{a[0] * b[0], a[1] * b[1], a[2] * b[2]}};
}

template <class T>
constexpr T norm(const Vector<T>& a) {
  return sqrt(dot(a, a));
}

template <class To, class From>
constexpr Vector<To> convert(const Vector<From>& a) {
  return {{rounded<To>(a[0]), rounded<To>(a[1]), rounded<To>(a[2])}};
}

/// A 3 by 3 matrix, stored by rows.
template <class T>
struct Matrix {
  std::array<Vector<T>, 3> rows{};

  constexpr Matrix() = default;
  constexpr Matrix(const Vector<T>& a, const Vector<T>& b, const Vector<T>& c) : rows{a, b, c} {}
  constexpr Matrix(const std::array<Vector<T>, 3>& all) : rows(all) {}  // NOLINT(google-explicit-constructor)

  constexpr Vector<T>& operator[](std::size_t i) { return rows[i]; }
  constexpr const Vector<T>& operator[](std::size_t i) const { return rows[i]; }
  friend constexpr bool operator==(const Matrix&, const Matrix&) = default;

  static constexpr Matrix identity() {
    return {{Vector<T>{{T(1), T(0), T(0)}}, Vector<T>{{T(0), T(1), T(0)}}, Vector<T>{{T(0), T(0), T(1)}}}};
  }
  friend constexpr Vector<T> operator*(const Matrix& a, const Vector<T>& v) {
    return {{dot(a[0], v), dot(a[1], v), dot(a[2], v)}};
  }
  friend constexpr Matrix operator*(const Matrix& a, const Matrix& b) {
    const Matrix columns = transpose(b);
    Matrix product;
    for (std::size_t i = 0; i < 3; ++i) product[i] = columns * a[i];
    return product;
  }
};

template <class T>
constexpr Matrix<T> transpose(const Matrix<T>& a) {
  Matrix<T> result;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) result[i][j] = a[j][i];
  return result;
}

template <class T>
constexpr T determinant(const Matrix<T>& a) {
  return dot(a[0], cross(a[1], a[2]));
}

template <class To, class From>
constexpr Matrix<To> convert(const Matrix<From>& a) {
  return {{convert<To>(a[0]), convert<To>(a[1]), convert<To>(a[2])}};
}

}  // namespace POLHODE_CORE

namespace polhode {
using core::convert;
using core::cross;
using core::dot;
using core::Matrix;
using core::norm;
using core::transpose;
using core::Vector;
}  // namespace polhode
