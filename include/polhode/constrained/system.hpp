// A mechanical system in coordinates: H = p M^-1 p/2 + U(q), g(q) = 0 [CH13 (1)].
//
// A system is any class with the members below, each a template over the scalar, because the library evaluates them in
// double, in double-double and with dual numbers. `q` is a std::span<const T>, i a std::size_t.
//
//   dimension     a constant `static constexpr std::size_t dimension`, or a function dimension()
//   constraints   likewise; left out, there are none
//   mass          mass(i) -> double, a diagonal matrix; mass(i, j) -> double, a positive definite one; left out, 1.
//                 Constants of a system are doubles, hence the same numbers in every precision.
//   potential     potential(q) -> T
//   force         force(q, f): writes -dU/dq into the std::span<T> f. Left out, it is the potential's by dual numbers;
//                 without a potential it need not come from one, and there is no energy.
//   constraint    constraint(q, i) -> T, the function g_i
//   gradient      gradient(q, i, row): writes dg_i/dq into the std::span<T> row, over the window of i. Left out,
//                 it is the constraint's by dual numbers.
//   curvature     curvature(q, v, i) -> T, which is v g_i''(q) v. Left out, it is the constraint's by dual numbers.
//   round_off     round_off() -> double, the relative size of the errors of force and constraints where they have fewer
//                 digits than the scalar: tables, functions of another language. Left out, they have all of its digits.
//   window        window(i) -> Window, the coordinates that g_i depends on; left out, all of them. Derivatives are
//                 stored, and their Gram matrix is factored, only within the windows: a chain costs O(n) a step.
//   quadratic     `static constexpr bool quadratic = true`: every g_i is a polynomial of degree two, whose coefficients in
//                 front of coordinates are small integers (the constant may be any).
//   spheres       `static constexpr bool spheres = true`: g_i is the sum of q_j^2 over its window minus a constant, no two
//                 windows overlap, and the mass is diagonal: the multiplier has a closed form.
#pragma once

#include "polhode/arithmetic/double_double.hpp"
#include "polhode/constrained/column.hpp"

namespace POLHODE_CORE {

/// Coordinates first, first + 1, ..., first + count - 1.
struct Window {
  std::size_t first = 0;
  std::size_t count = 0;
  constexpr std::size_t end() const { return first + count; }
  friend constexpr bool operator==(const Window&, const Window&) = default;
};

namespace detail {
template <class S>
concept HasFixedDimension = requires {
  typename std::integral_constant<std::size_t, S::dimension>;
};
template <class S>
concept HasDynamicDimension = requires(const S s) {
  { s.dimension() } -> std::convertible_to<std::size_t>;
};
template <class S>
concept HasFixedConstraints = requires {
  typename std::integral_constant<std::size_t, S::constraints>;
};
template <class S>
concept HasDynamicConstraints = requires(const S s) {
  { s.constraints() } -> std::convertible_to<std::size_t>;
};
template <class S, class T>
concept HasForceOf = requires(const S s, std::span<const T> q, std::span<T> f) {
  s.force(q, f);
};
template <class S, class T>
concept HasPotentialOf = requires(const S s, std::span<const T> q) {
  { s.potential(q) } -> std::convertible_to<T>;
};
template <class S, class T>
concept HasConstraintOf = requires(const S s, std::span<const T> q, std::size_t i) {
  { s.constraint(q, i) } -> std::convertible_to<T>;
};
}  // namespace detail

template <class S>
concept HasDiagonalMass = requires(const S s, std::size_t i) {
  { s.mass(i) } -> std::convertible_to<double>;
};
template <class S>
concept HasMassMatrix = requires(const S s, std::size_t i) {
  { s.mass(i, i) } -> std::convertible_to<double>;
};
template <class S>
concept HasForce = detail::HasForceOf<S, double>;
template <class S>
concept HasPotential = detail::HasPotentialOf<S, double>;
template <class S>
concept HasConstraints = detail::HasFixedConstraints<S> || detail::HasDynamicConstraints<S>;
template <class S>
concept HasGradient = requires(const S s, std::span<const double> q, std::size_t i, std::span<double> row) {
  s.gradient(q, i, row);
};
template <class S>
concept HasCurvature = requires(const S s, std::span<const DoubleDouble> q, std::size_t i) {
  { s.curvature(q, q, i) } -> std::convertible_to<DoubleDouble>;
};
template <class S>
concept HasRoundOff = requires(const S s) {
  { s.round_off() } -> std::convertible_to<double>;
};
template <class S>
concept HasWindow = requires(const S s, std::size_t i) {
  { s.window(i) } -> std::convertible_to<Window>;
};
template <class S>
concept HasQuadraticConstraints = requires {
  requires S::quadratic;
}
|| requires { requires S::spheres; };
template <class S>
concept HasSpheres = requires {
  requires S::spheres;
};

/// Whether the members fit together; the list is at the head of this file.
template <class S>
concept System = std::copyable<S> &&(detail::HasFixedDimension<S> || detail::HasDynamicDimension<S>)&&(
    HasForce<S> || HasPotential<S>)&&(!HasConstraints<S> || (detail::HasConstraintOf<S, double> &&
                                                             detail::HasConstraintOf<S, DoubleDouble>));

/// The dimension where the compiler knows it, or dynamic_length.
template <class S>
inline constexpr std::size_t fixed_dimension = [] {
  if constexpr (detail::HasFixedDimension<S>)
    return std::size_t{S::dimension};
  else
    return dynamic_length;
}();

/// The number of constraints, in the same manner.
template <class S>
inline constexpr std::size_t fixed_constraints = [] {
  if constexpr (detail::HasFixedConstraints<S>)
    return std::size_t{S::constraints};
  else
    return HasConstraints<S> ? dynamic_length : std::size_t{0};
}();

template <System S>
constexpr std::size_t dimension_of(const S& system) {
  if constexpr (detail::HasFixedDimension<S>)
    return S::dimension;
  else
    return system.dimension();
}

template <System S>
constexpr std::size_t constraints_of(const S& system) {
  if constexpr (detail::HasFixedConstraints<S>)
    return S::constraints;
  else if constexpr (detail::HasDynamicConstraints<S>)
    return system.constraints();
  else
    return 0;
}

template <System S>
constexpr Window window_of(const S& system, std::size_t i) {
  if constexpr (HasWindow<S>)
    return system.window(i);
  else
    return {0, dimension_of(system)};
}

/// What the system says of the relative errors of its functions; 0 where they have all digits of the scalar.
template <System S>
constexpr double round_off_of([[maybe_unused]] const S& system) {
  if constexpr (HasRoundOff<S>)
    return system.round_off();
  else
    return 0.0;
}

/// Positions, momenta and forces of the system S.
template <System S, class T>
using Coordinates = Column<T, fixed_dimension<S>>;

/// Multipliers and values of the constraints of the system S.
template <System S, class T>
using Multipliers = Column<T, fixed_constraints<S>>;

template <System S, class T>
using PhasePointOf = PhasePoint<T, fixed_dimension<S>>;

}  // namespace POLHODE_CORE

namespace polhode::constrained {
using core::Coordinates;
using core::PhasePointOf;
using core::System;
using core::Window;
}  // namespace polhode::constrained
