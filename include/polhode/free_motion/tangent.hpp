// The tangent map of the free motion: how the state after a step changes with the state before it.
//
// docs/tangent-map.md derives it. A change of the state is a pair (dm, xi) of vectors in the body, where xi is the small
// rotation dq = q (0, xi)/2 of the attitude: six numbers, no constraint, nothing that depends on q.
#pragma once

#include <array>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "polhode/body/body.hpp"
#include "polhode/free_motion/closed_form.hpp"
#include "polhode/free_motion/tangent_flow.hpp"
#include "polhode/free_motion/trajectory.hpp"

namespace POLHODE_CORE {

/// A small change of a state: dm, and xi with dq = q (0, xi)/2 (q of norm one), both in the body's frame.
template <Scalar T>
struct Tangent {
  Vector<T> momentum;
  Vector<T> rotation;
  friend constexpr bool operator==(const Tangent&, const Tangent&) = default;
};

/// An n by n matrix, by rows.
template <class T, std::size_t n>
using SquareArray = std::array<std::array<T, n>, n>;

/// The derivative of the state after a step with respect to the state before it:
///   dm+ = momentum_by_momentum dm + momentum_by_rotation xi,   xi+ = rotation_by_momentum dm + rotation_by_rotation xi.
/// Where no torque acts, the momentum after does not depend on the attitude before.
template <Scalar T>
struct TangentMap {
  Matrix<T> momentum_by_momentum = Matrix<T>::identity();
  Matrix<T> rotation_by_momentum{};
  Matrix<T> rotation_by_rotation = Matrix<T>::identity();
  Matrix<T> momentum_by_rotation{};
  friend constexpr bool operator==(const TangentMap&, const TangentMap&) = default;

  Tangent<T> apply(const Tangent<T>& v) const {
    return {momentum_by_momentum * v.momentum + momentum_by_rotation * v.rotation,
            rotation_by_momentum * v.momentum + rotation_by_rotation * v.rotation};
  }

  /// The later map times the earlier one: that of both steps.
  friend TangentMap operator*(const TangentMap& later, const TangentMap& earlier) {
    TangentMap result{later.momentum_by_momentum * earlier.momentum_by_momentum,
                      later.rotation_by_momentum * earlier.momentum_by_momentum,
                      later.rotation_by_rotation * earlier.rotation_by_rotation};
    const Matrix<T> turned = later.rotation_by_rotation * earlier.rotation_by_momentum;
    for (std::size_t i = 0; i < 3; ++i)
      result.rotation_by_momentum[i] = result.rotation_by_momentum[i] + turned[i];
    if (later.momentum_by_rotation == Matrix<T>{} && earlier.momentum_by_rotation == Matrix<T>{})
      return result;
    const Matrix<T> kicked = later.momentum_by_rotation * earlier.rotation_by_momentum,
                    carried = later.rotation_by_momentum * earlier.momentum_by_rotation,
                    before = later.momentum_by_momentum * earlier.momentum_by_rotation,
                    after = later.momentum_by_rotation * earlier.rotation_by_rotation;
    for (std::size_t i = 0; i < 3; ++i) {
      result.momentum_by_momentum[i] = result.momentum_by_momentum[i] + kicked[i];
      result.rotation_by_rotation[i] = result.rotation_by_rotation[i] + carried[i];
      result.momentum_by_rotation[i] = before[i] + after[i];
    }
    return result;
  }

  /// The map as a matrix of six rows, in the order (m, xi).
  SquareArray<T, 6> matrix() const {
    SquareArray<T, 6> result{};
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) {
        result[i][j] = momentum_by_momentum[i][j];
        result[i][j + 3] = momentum_by_rotation[i][j];
        result[i + 3][j] = rotation_by_momentum[i][j];
        result[i + 3][j + 3] = rotation_by_rotation[i][j];
      }
    }
    return result;
  }

  /// The derivative of the seven components (m+, q+) by the seven components (m, q), for the attitudes `before` and `after`
  /// of norm one, of a free motion. Since q+ = q r with r a function of m alone, d(q+)/dq is the product with r = q^-1 q+ from the right,
  /// for every dq; one along q, a change of norm, becomes the same change of q+. d(q+)/dm is q+ (0, d(xi+)/dm)/2.
  SquareArray<T, 7> state_matrix(const Quaternion<T>& before, const Quaternion<T>& after) const {
    SquareArray<T, 7> result{};
    const Quaternion<T> r = conjugate(before) * after;
    for (std::size_t j = 0; j < 3; ++j) {
      for (std::size_t i = 0; i < 3; ++i) result[i][j] = momentum_by_momentum[i][j];
      const Quaternion<T> column = times_vector(
          after,
          Vector<T>{{rotation_by_momentum[0][j], rotation_by_momentum[1][j], rotation_by_momentum[2][j]}});
      for (std::size_t i = 0; i < 4; ++i) result[i + 3][j] = column[i] / T(2);
    }
    for (std::size_t j = 0; j < 4; ++j) {
      Quaternion<T> unit(T(0), T(0), T(0), T(0));
      unit[j] = T(1);
      const Quaternion<T> column = unit * r;
      for (std::size_t i = 0; i < 4; ++i) result[i + 3][j + 3] = column[i];
    }
    return result;
  }
};

template <class To, class From>
TangentMap<To> convert(const TangentMap<From>& map) {
  return {convert<To>(map.momentum_by_momentum), convert<To>(map.rotation_by_momentum),
          convert<To>(map.rotation_by_rotation), convert<To>(map.momentum_by_rotation)};
}

namespace detail {

/// d(xi+)/dm of a step by so small an angle that h^3 does not count: the differences below would leave nothing of it.
/// From xi' = dw + xi x w and dm' = dm x w + m x dw, w = I^-1 m and dw = I^-1 dm.
template <Scalar W>
Matrix<W> small_rotation_by_momentum(const Vector<W>& inverse, const Vector<W>& m, const W& h) {
  const Vector<W> w = times(inverse, m);
  Matrix<W> columns;
  for (std::size_t j = 0; j < 3; ++j) {
    Vector<W> dm{};
    dm[j] = W(1);
    const Vector<W> dw = times(inverse, dm);
    const Vector<W> second = times(inverse, cross(dm, w) + cross(m, dw)) + cross(dw, w);
    columns[j] = h * (dw + (h / W(2)) * second);
  }
  return transpose(columns);
}

/// In the principal frame, m near one.
///
/// Only dm+ needs a computation. Q m is conserved, which gives the part of xi+ across m+; and (m . xi)' = w . dm, the
/// variation of the energy, is a constant of the motion, which gives the part along it. [docs/tangent-map.md]
template <Scalar W, int bits = std::numeric_limits<W>::digits + 2, class T>
TangentMap<W> principal_tangent_map(const Inertia<T>& inertia, const Vector<W>& m, const W& h) {
  TangentMap<W> map;
  if (h == W(0)) return map;
  const W size2 = dot(m, m);
  if (size2 == W(0)) {
    for (std::size_t i = 0; i < 3; ++i) map.rotation_by_momentum[i][i] = h * W(inertia.inverse[i]);
    return map;
  }
  const auto [end, r] = AnyClosedForm<W, bits>(inertia, m).advance(h);
  map.momentum_by_momentum = MomentumTangent<W, bits>(inertia, m).advance(h);
  map.rotation_by_rotation = to_matrix(conjugate(r));
  const Vector<W> inverse = convert<W>(inertia.inverse);
  if (square(h * inverse[0]) * size2 <
      W(std::cbrt(square(static_cast<double>(ScalarTraits<W>::epsilon()))))) {
    map.rotation_by_momentum = small_rotation_by_momentum(inverse, m, h);
    return map;
  }
  const Vector<W> along = (h / size2) * times(inverse, m);
  for (std::size_t j = 0; j < 3; ++j) {
    Vector<W> across;
    for (std::size_t i = 0; i < 3; ++i)
      across[i] = (map.rotation_by_rotation[i][j] - map.momentum_by_momentum[i][j]) / size2;
    const Vector<W> column = cross(end, across) + along[j] * end;
    for (std::size_t i = 0; i < 3; ++i) map.rotation_by_momentum[i][j] = column[i];
  }
  return map;
}

/// The derivatives of the state after the time h by the principal moments, in the same frame and units; r is the rotation.
///
/// Q m is conserved: xi+ x m+ + dm+ = 0. And (m . xi)' = dE + m . d(I^-1) m/2, where dE = m . d(I^-1) m/2 at the
/// beginning is the constant variation of the energy: what is along m+ is an integral of the second kind. [docs/tangent-map.md]
template <Scalar W, int bits = std::numeric_limits<W>::digits + 2, class T>
std::array<Tangent<W>, 3> principal_by_moments(const Inertia<T>& inertia, const Vector<W>& m, const W& h) {
  std::array<Tangent<W>, 3> result{};
  const W size2 = dot(m, m);
  if (h == W(0) || size2 == W(0)) return result;
  const Vector<W> end = AnyClosedForm<W, bits>(inertia, m).advance(h).momentum;
  const auto found = MomentumTangent<W, bits>(inertia, m).by_inverse_moments(h);
  for (std::size_t j = 0; j < 3; ++j) {
    const W by_moment = -square(W(inertia.inverse[j]));
    const Vector<W> dm = by_moment * found.momentum[j];
    const W along = by_moment * (h * square(m[j]) + found.squares[j]) / W(2);
    result[j] = {dm, (W(1) / size2) * (along * end - cross(end, dm))};
  }
  return result;
}

/// axes^T a axes: from the principal frame to the user's.
template <Scalar W>
Matrix<W> seen_from_outside(const Matrix<W>& axes, const Matrix<W>& a) {
  return transpose(axes) * a * axes;
}

/// Takes a power of two out of the map, which makes its largest entry one to two; returns its exponent.
template <Scalar W>
int bring_near_one(TangentMap<W>& map) {
  const std::array<Matrix<W>*, 3> blocks{&map.momentum_by_momentum, &map.rotation_by_momentum,
                                         &map.rotation_by_rotation};
  double largest = 0;
  for (const Matrix<W>* block : blocks)
    for (const auto& row : block->rows)
      for (const auto& x : row.c) largest = std::fmax(largest, std::abs(static_cast<double>(x)));
  if (!(largest > 0) || !std::isfinite(largest)) return 0;
  const int exponent = std::ilogb(largest);
  for (Matrix<W>* block : blocks)
    for (auto& row : block->rows)
      for (auto& x : row.c) x = ldexp(x, -exponent);
  return exponent;
}

/// The logarithm of the largest singular value. The trace of the powers of C = M^T M, squared again and again, tells the
/// largest eigenvalue from all others, equal ones included.
inline double log_spectral_norm(const SquareArray<double, 6>& m) {
  SquareArray<double, 6> c{};
  double largest = 0;
  for (const auto& row : m)
    for (const double x : row) largest = std::fmax(largest, std::abs(x));
  for (std::size_t i = 0; i < 6; ++i)
    for (std::size_t j = 0; j < 6; ++j)
      for (std::size_t k = 0; k < 6; ++k) c[i][j] += (m[k][i] / largest) * (m[k][j] / largest);
  double sum = 0, weight = 0.5;
  for (int squarings = 0; squarings < 56; ++squarings, weight /= 2) {
    double trace = 0;
    for (std::size_t i = 0; i < 6; ++i) trace += c[i][i];
    sum += weight * std::log(trace);
    SquareArray<double, 6> next{};
    for (std::size_t i = 0; i < 6; ++i)
      for (std::size_t j = 0; j < 6; ++j)
        for (std::size_t k = 0; k < 6; ++k) next[i][j] += (c[i][k] / trace) * (c[k][j] / trace);
    c = next;
  }
  return std::log(largest) + sum;
}

}  // namespace detail

namespace detail {

/// In the user's frame and units, to the given accuracy.
template <int bits, Scalar T>
TangentMap<Wide<T>> user_tangent_map(const Body<T>& body, const State<Wide<T>>& state, const Wide<T>& h) {
  using W = Wide<T>;
  examine(state);
  const int exponent = momentum_exponent(state.momentum);
  Vector<W> m = body.to_principal(state.momentum);
  for (auto& x : m.c) x = ldexp(x, -exponent);
  const auto inner =
      principal_tangent_map<W, bits>(body.inertia(), m, ldexp(h, exponent - body.inertia_exponent()));
  TangentMap<W> map{seen_from_outside(body.axes(), inner.momentum_by_momentum),
                    seen_from_outside(body.axes(), inner.rotation_by_momentum),
                    seen_from_outside(body.axes(), inner.rotation_by_rotation)};
  for (auto& row : map.rotation_by_momentum.rows)
    for (auto& x : row.c) x = ldexp(x, -exponent);
  return map;
}

}  // namespace detail

/// The derivative of the state after a free motion of any length h with respect to `state`, in the user's frame and
/// units, right to the last rounding. Throws InputError if the state is invalid.
template <Scalar T>
TangentMap<T> tangent_map(const Body<T>& body, const State<T>& state, const std::type_identity_t<T>& h) {
  using W = Wide<T>;
  // With 64 bits of 53 the rotation would be wrong by 1e-15 after a long stay next to axis 2.
  constexpr int bits =
      std::same_as<T, W> ? std::numeric_limits<W>::digits + 2 : std::numeric_limits<T>::digits + 27;
  return convert<T>(detail::user_tangent_map<bits>(body, convert<W>(state), W(h)));
}

/// The same in the wide type, for a state with all that is known of it, Rotor::wide_state() or Trajectory::wide_at(),
/// and for long products of maps.
template <Scalar T>
TangentMap<Wide<T>> wide_tangent_map(const Body<T>& body, const State<Wide<T>>& state,
                                     const std::type_identity_t<Wide<T>>& h) {
  return detail::user_tangent_map<std::numeric_limits<Wide<T>>::digits + 2>(body, state, h);
}

/// The derivatives of the state after a free motion of any length h with respect to the principal moments, in the order of
/// body.moments(), the axes being kept: changes (dm, xi) in the user's frame and units. Throws InputError if the state is
/// invalid.
template <Scalar T>
std::array<Tangent<T>, 3> by_moments(const Body<T>& body, const State<T>& state,
                                     const std::type_identity_t<T>& h) {
  using W = Wide<T>;
  examine(state);
  const int exponent = momentum_exponent(state.momentum);
  Vector<W> m = body.to_principal(state.momentum);
  for (auto& x : m.c) x = ldexp(x, -exponent);
  const auto inner =
      detail::principal_by_moments<W>(body.inertia(), m, ldexp(W(h), exponent - body.inertia_exponent()));
  std::array<Tangent<T>, 3> result;
  for (std::size_t j = 0; j < 3; ++j) {
    Vector<W> dm = body.to_user(inner[j].momentum), xi = body.to_user(inner[j].rotation);
    for (auto& x : dm.c) x = ldexp(x, exponent - body.inertia_exponent());
    for (auto& x : xi.c) x = ldexp(x, -body.inertia_exponent());
    result[j] = {convert<T>(dm), convert<T>(xi)};
  }
  return result;
}

/// tangent_map() as a matrix of six rows, in the order (m, xi). The cost does not depend on t.
template <Scalar T>
SquareArray<T, 6> state_transition(const Body<T>& body, const State<T>& state,
                                   const std::type_identity_t<T>& t) {
  return tangent_map(body, state, t).matrix();
}

/// The finite-time Lyapunov exponent over `steps` steps: the logarithm of the largest factor by which the motion stretches
/// a change (dm/|m|, xi) of the state, a time. The maps of the steps are multiplied and their product is kept near one, so
/// that no growth is too large. between() is called now and then, and may throw. Throws InputError if the state is invalid, or if
/// there is no time.
template <Scalar T, class Between>
double lyapunov_exponent(const Body<T>& body, const State<T>& state, const std::type_identity_t<T>& step,
                         std::int64_t steps, Between&& between) {
  using W = Wide<T>;
  if (!isfinite(step) || step == T(0) || steps < 1)
    throw InputError("a Lyapunov exponent needs a step that is not zero and at least one of them");
  const Trajectory<T> trajectory(body, state);
  const int exponent = momentum_exponent(state.momentum);
  Vector<T> m = state.momentum;
  for (auto& x : m.c) x = ldexp(x, -exponent);
  const double size = norm(m) > T(0) ? static_cast<double>(norm(m)) : 1.0;
  TangentMap<W> product;
  std::int64_t doublings = 0;  // that were taken out of the product
  for (std::int64_t i = 0; i < steps; ++i) {
    // The state comes from the trajectory, not from the step before: next to an unstable axis errors would grow.
    TangentMap<W> map =
        wide_tangent_map<T>(body, trajectory.wide_at(W(step) * W(static_cast<double>(i))), W(step));
    for (auto& row : map.rotation_by_momentum.rows)
      for (auto& x : row.c) x = ldexp(x, exponent) * W(size);
    product = map * product;
    doublings += detail::bring_near_one(product);
    if (i % 64 == 63) between();
  }
  const double logarithm = detail::log_spectral_norm(convert<double>(product).matrix()) +
                           static_cast<double>(doublings) * 0.69314718055994531;
  return logarithm / (std::abs(static_cast<double>(step)) * static_cast<double>(steps));
}

/// The same, at one go.
template <Scalar T>
double lyapunov_exponent(const Body<T>& body, const State<T>& state, const std::type_identity_t<T>& step,
                         std::int64_t steps) {
  return lyapunov_exponent(body, state, step, steps, [] {});
}

}  // namespace POLHODE_CORE

namespace polhode {
using core::lyapunov_exponent;
using core::state_transition;
using core::tangent_map;
using core::TangentMap;
}  // namespace polhode

namespace polhode::derivatives {
using core::by_moments;
using core::Tangent;
}  // namespace polhode::derivatives
