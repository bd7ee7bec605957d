// A rigid body as its user describes it.
//
// The user's frame is what goes in and comes out. Inside, the axes are the principal ones with ascending moments, and
// the units of inertia and momentum are powers of two chosen so that the numbers are near one: no units are
// too large or too small, and the change of units is exact. (The largest moment is near one; in float the smallest is, so that no power
// of its inverse overflows.)
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <string>

#include "polhode/body/diagonalize.hpp"
#include "polhode/body/inertia.hpp"
#include "polhode/body/motion.hpp"
#include "polhode/error.hpp"

namespace POLHODE_CORE {

template <Scalar T = double>
class Body {
 public:
  using W = Wide<T>;

  /// Moments about the axes of the user's frame, in any order. Throws InputError.
  explicit Body(const Vector<T>& moments) : Body(moments, Matrix<W>::identity()) {}

  /// The inertia tensor in the user's frame: symmetric, positive definite. Throws InputError.
  explicit Body(const Matrix<T>& tensor) : Body(examined(tensor)) {}

  /// The principal moments in ascending order, in the user's units.
  const Vector<T>& moments() const { return moments_; }

  /// The principal axes in the user's frame, as rows, right-handed.
  const Matrix<W>& axes() const { return axes_; }
  /// The same as a rotation: axes() v = turn() v turn()^-1.
  const Quaternion<W>& turn() const { return turn_; }

  /// The moments in the inner unit, 2^inertia_exponent() of the user's.
  const Inertia<T>& inertia() const { return inertia_; }
  int inertia_exponent() const { return exponent_; }

  /// False for moments that no distribution of mass has: I1 + I2 < I3. Such bodies are accepted: their equations
  /// are as good as any, and the literature's water molecule (0.345, 0.653, 1) is one of them.
  /// Rounding is forgiven: 0.1, 0.7 and 0.8 are the moments of a plane body.
  bool obeys_triangle_inequality() const {
    return !(W(moments_[0]) + W(moments_[1]) <
             W(moments_[2]) * (W(1) - W(4) * W(ScalarTraits<T>::epsilon())));
  }

  /// A sentence on what is doubtful about the body, or nothing.
  std::string warning() const {
    if (obeys_triangle_inequality()) return {};
    return "the moments of inertia break the triangle inequality I1 + I2 >= I3: no distribution of mass has "
           "them";
  }

  /// From the user's frame to the principal one, without change of units.
  template <class U>
  State<W> to_principal(const State<U>& s) const {
    Quaternion<W> attitude = convert<W>(s.attitude);
    scale_into_range(attitude.c);  // its norm has no meaning
    return {to_principal(s.momentum), attitude * conjugate(turn_)};
  }
  State<W> to_user(const State<W>& s) const { return {transpose(axes_) * s.momentum, s.attitude * turn_}; }
  Vector<W> to_user(const Vector<W>& v) const { return transpose(axes_) * v; }
  template <class U>
  Vector<W> to_principal(const Vector<U>& v) const {
    Vector<W> w = convert<W>(v);
    const int exponent = scale_into_range(w.c);
    w = axes_ * w;
    if (exponent != 0)
      for (W& x : w.c) x = ldexp(x, exponent);
    return w;
  }

 private:
  /// Numbers divided by a power of two, whose exponent is returned, where their products would leave the numbers of double: they then
  /// would depend on whether there is a fused multiply-add.
  template <std::size_t n>
  static int scale_into_range(std::array<W, n>& numbers) {
    double largest = 0.0;
    for (const W& x : numbers) largest = std::max(largest, std::abs(static_cast<double>(x)));
    if ((largest > 0x1p-500 && largest < 0x1p500) || !(largest > 0.0) || !std::isfinite(largest)) return 0;
    const int exponent = std::ilogb(largest);
    for (W& x : numbers) x = ldexp(x, -exponent);
    return exponent;
  }

  struct Principal {
    Vector<T> moments;
    Matrix<W> axes;
  };

  Body(const Vector<T>& moments, const Matrix<W>& axes) : Body(sorted(moments, axes)) {}
  explicit Body(const Principal& p)
      : moments_(p.moments),
        axes_(p.axes),
        turn_(normalized(from_matrix(p.axes))),
        exponent_(std::ilogb(static_cast<double>(p.moments[std::same_as<T, float> ? 0 : 2]))),
        inertia_(scaled(p.moments, exponent_)) {}

  static Vector<T> scaled(const Vector<T>& moments, int exponent) {
    Vector<T> result = moments;
    for (auto& i : result.c) i = ldexp(i, -exponent);
    if (!(result[0] > T(0x1p-100)) || !(result[2] < T(0x1p101)))
      throw InputError("the moments of inertia differ by a factor of more than 1e30");
    return result;
  }

  static Principal sorted(const Vector<T>& moments, const Matrix<W>& axes) {
    for (const auto& i : moments.c) {
      if (!isfinite(i)) throw InputError("a moment of inertia is not a finite number");
      if (!(i > T(0))) throw InputError("a moment of inertia is not positive");
    }
    std::array<std::size_t, 3> order{0, 1, 2};
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t i, std::size_t j) { return moments[i] < moments[j]; });
    Principal p{{{moments[order[0]], moments[order[1]], moments[order[2]]}},
                {{axes[order[0]], axes[order[1]], axes[order[2]]}}};
    if (determinant(p.axes) < W(0)) p.axes[2] = -p.axes[2];
    return p;
  }

  static Principal examined(const Matrix<T>& tensor) {
    T largest(0);
    for (const auto& row : tensor.rows) {
      for (const auto& x : row.c) {
        if (!isfinite(x)) throw InputError("an entry of the inertia tensor is not a finite number");
        if (largest < abs(x)) largest = abs(x);
      }
    }
    if (!(largest > T(0))) throw InputError("the inertia tensor is zero");
    const int exponent = std::ilogb(static_cast<double>(largest));
    Matrix<W> symmetric;
    bool diagonal = true;
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) {
        // Entries that come from a computation may differ in their last digits.
        if (abs(tensor[i][j] - tensor[j][i]) > T(64) * ScalarTraits<T>::epsilon() * largest)
          throw InputError("the inertia tensor is not symmetric");
        symmetric[i][j] = (ldexp(W(tensor[i][j]), -exponent) + ldexp(W(tensor[j][i]), -exponent)) / W(2);
        diagonal = diagonal && (i == j || symmetric[i][j] == W(0));
      }
    }
    if (diagonal) return sorted({{tensor[0][0], tensor[1][1], tensor[2][2]}}, Matrix<W>::identity());
    const auto [values, axes] = diagonalize(symmetric);
    Vector<T> moments;
    bool positive = true;
    for (std::size_t i = 0; i < 3; ++i) {
      positive = positive && values[i] > W(0);
      moments[i] = static_cast<T>(ldexp(values[i], exponent));
    }
    // A moment of zero comes out as a rounding error of either sign. What tells it from a small one is the determinant
    // in units of the diagonal's product, which grading does not change.
    const W diagonal_product = symmetric[0][0] * symmetric[1][1] * symmetric[2][2];
    if (!positive ||
        !(values[0] * values[1] * values[2] > W(16384) * ScalarTraits<W>::epsilon() * diagonal_product))
      throw InputError("the inertia tensor is not positive definite");
    return sorted(moments, axes);
  }

  Vector<T> moments_;
  Matrix<W> axes_;
  Quaternion<W> turn_;
  int exponent_;
  Inertia<T> inertia_;
};

// So that Body({1, 2.5, 3}) is a body of doubles.
Body(const Vector<double>&)->Body<double>;
Body(const Matrix<double>&)->Body<double>;

/// Throws InputError unless the state is one that a body can have.
template <Scalar T>
void examine(const State<T>& s) {
  for (const auto& x : s.momentum.c)
    if (!isfinite(x)) throw InputError("a component of the momentum is not a finite number");
  bool nonzero = false;
  for (const auto& x : s.attitude.c) {
    if (!isfinite(x)) throw InputError("a component of the attitude is not a finite number");
    nonzero = nonzero || !(x == T(0));
  }
  if (!nonzero) throw InputError("the attitude is the zero quaternion");
}

/// The attitude at norm one, whatever its norm was.
template <Scalar T>
Quaternion<T> unit_attitude(const Quaternion<T>& q) {
  T largest(0);
  for (const auto& x : q.c)
    if (largest < abs(x)) largest = abs(x);
  const int exponent = std::ilogb(static_cast<double>(largest));
  Quaternion<T> scaled = q;
  for (auto& x : scaled.c) x = ldexp(x, -exponent);
  return normalized(scaled);
}

/// The power of two that serves as the inner unit of momentum.
template <Scalar T>
int momentum_exponent(const Vector<T>& m) {
  T largest(0);
  for (const auto& x : m.c)
    if (largest < abs(x)) largest = abs(x);
  return largest > T(0) ? std::ilogb(static_cast<double>(largest)) : 0;
}

/// An attitude given as a matrix, body to space. Throws InputError unless it is a rotation.
template <Scalar T>
Quaternion<T> attitude_from_matrix(const Matrix<T>& r) {
  const Matrix<T> product = r * transpose(r);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      if (!(abs(product[i][j] - T(i == j ? 1 : 0)) < T(1e-6)))
        throw InputError("the attitude matrix is not orthogonal");
  if (!(determinant(r) > T(0))) throw InputError("the attitude matrix is a reflection, not a rotation");
  return normalized(from_matrix(r));
}

}  // namespace POLHODE_CORE

namespace polhode {
using core::attitude_from_matrix;
using core::Body;
}  // namespace polhode
