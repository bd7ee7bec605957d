// The free motion in the words of astronomers: precession and rotation periods, mode, energy above the least; and the way back.
//
// Precession is the mean revolution of the axis of least moment about the momentum, rotation the period of the momentum in the body, in both
// modes. docs/known-bodies.md derives the formulas.
#pragma once

#include <array>
#include <cmath>
#include <string>

#include "polhode/arithmetic/dual.hpp"
#include "polhode/body/body.hpp"
#include "polhode/elliptic/legendre.hpp"

namespace POLHODE_CORE {

/// The axis that the momentum circulates about in the body: that of the greatest moment, or that of the least. Undecided on the
/// separatrix, for a sphere, and without a momentum.
enum class Mode { short_axis, long_axis, undecided };

/// "short-axis", "long-axis" or "undecided".
inline std::string name_of(Mode mode) {
  return mode == Mode::short_axis ? "short-axis" : mode == Mode::long_axis ? "long-axis" : "undecided";
}

/// The periods of a free motion, infinite where there are none, and its energy over the least that its momentum allows, |m|^2/(2 I3).
template <Scalar T>
struct Periods {
  Mode mode = Mode::undecided;
  T precession, rotation, energy_ratio;
};

namespace detail {

/// The constants of Inertia, over a scalar that may have derivatives with respect to the moments.
template <Scalar S>
struct SpinBody {
  std::array<S, 3> inverse;
  S a1, a2, a3, greatest;

  explicit SpinBody(const std::array<S, 3>& i)
      : inverse{S(1) / i[0], S(1) / i[1], S(1) / i[2]},
        a1((i[2] - i[1]) / (i[1] * i[2])),
        a2((i[2] - i[0]) / (i[0] * i[2])),
        a3((i[1] - i[0]) / (i[0] * i[1])),
        greatest(i[2]) {}
};

/// A motion up to its phase: the squares, over |m|^2, of the components of the momentum when it is nearest to the middle axis, `near` along that
/// axis and `off` along the one that it circulates about; the third is zero. Their sum is one. On the separatrix `off` is zero; neither
/// loses digits next to it or next to a steady rotation.
template <Scalar S>
struct SpinOrbit {
  Mode mode;
  S near, off;
};

/// The periods of a momentum of the size one. With J1 = 2T - 1/I3 and J3 = 1/I1 - 2T, the axis of least moment goes round the momentum at the rate
///   1/I3 + a2 n s^2/(1 + n s^2),   s = sn(lambda t),   n = J1/J3 or a1/a3,   lambda^2 = a1 J3 or a3 J1,
/// in the short-axis and in the long-axis mode; its mean is a quotient of two complete integrals of positive terms.
template <Scalar S>
Periods<S> periods_of(const SpinBody<S>& b, const SpinOrbit<S>& orbit) {
  const bool is_short = orbit.mode == Mode::short_axis;
  const S& about =
      is_short ? b.a1
               : b.a3;  // the differences of the axis that the momentum circulates about, and of the other
  const S& other = is_short ? b.a3 : b.a1;
  const S larger = other + about * orbit.off;  // J3 or J1
  const S smaller = about * orbit.near;        // J1 or J3
  const S k1 = sqrt(b.a2 * orbit.off / larger);
  const S n = is_short ? smaller / larger : b.a1 / b.a3;
  if (!(k1 > S(0)))  // so near to the separatrix that no number tells it from there
    return {orbit.mode, S(2) * pi<S>() / b.inverse[1], S(std::numeric_limits<double>::infinity()),
            S(1) + b.greatest * (is_short ? smaller : larger)};
  const S first = elliptic::detail::bulirsch_cel<S>(k1, S(1), S(1), S(1));
  const S third = elliptic::detail::bulirsch_cel<S>(k1, S(1) + n, S(0), S(1));
  const S rate = b.inverse[2] + b.a2 * n * third / first;
  return {orbit.mode, S(2) * pi<S>() / rate, S(4) * first / sqrt(about * larger),
          S(1) + b.greatest * (is_short ? smaller : larger)};
}

template <Scalar S>
SpinOrbit<S> orbit_of(const SpinBody<S>& b, const std::array<S, 3>& m) {
  const S x = m[0] * m[0], y = m[1] * m[1], z = m[2] * m[2], whole = x + y + z;
  if (!(whole > S(0))) return {Mode::undecided, S(0), S(1)};
  const S difference = b.a1 * z - b.a3 * x;
  if (difference > S(0))
    return {Mode::short_axis, (b.a2 * x + b.a1 * y) / (b.a1 * whole), difference / (b.a1 * whole)};
  if (difference < S(0))
    return {Mode::long_axis, (b.a2 * z + b.a3 * y) / (b.a3 * whole), -difference / (b.a3 * whole)};
  return {Mode::undecided, S(1), S(0)};
}

/// The periods of a body with the moments i, in ascending order, and the momentum m in the principal frame.
template <Scalar S>
Periods<S> periods_of(const std::array<S, 3>& i, const std::array<S, 3>& m) {
  using std::sqrt;
  const SpinBody<S> body(i);
  const S size = sqrt(m[0] * m[0] + m[1] * m[1] + m[2] * m[2]);
  const SpinOrbit<S> orbit = orbit_of(body, m);
  const S infinite(std::numeric_limits<double>::infinity());
  if (!(size > S(0))) return {Mode::undecided, infinite, infinite, S(1)};
  if (orbit.mode == Mode::undecided)  // the momentum rests, or comes to rest, on the middle axis
    return {orbit.mode, S(2) * pi<S>() / (size * body.inverse[1]), infinite, body.greatest * body.inverse[1]};
  Periods<S> p = periods_of(body, orbit);
  p.precession /= size;
  p.rotation /= size;
  return p;
}

/// The quotient rotation/precession that a steady rotation about the axis of the mode has in the limit: the least of the mode. Infinite where the
/// mode does not exist.
inline double least_quotient(const SpinBody<double>& b, Mode mode) {
  const double about = mode == Mode::short_axis ? b.a1 : b.a3;
  if (!(about > 0)) return std::numeric_limits<double>::infinity();
  const double root = std::sqrt(about * b.a2);
  return mode == Mode::short_axis ? b.inverse[2] / root : b.inverse[0] / root - 1;
}

/// -log(off) of the motion with a quotient of its periods, by Newton's method within a bracket: the quotient rises with it, linearly at both
/// ends.
inline double orbit_with_quotient(const Vector<double>& moments, Mode mode, double quotient) {
  using D = Dual<double, 1>;
  const SpinBody<D> body({D(moments[0]), D(moments[1]), D(moments[2])});
  const auto excess = [&](double depth) {
    // near = 1 - off, without its difference.
    const double off = std::exp(-depth);
    const Periods<D> p = periods_of(body, SpinOrbit<D>{mode, D(-std::expm1(-depth), {off}), D(off, {-off})});
    return p.rotation / p.precession - D(quotient);
  };
  constexpr double deepest = 690;
  double low = 0, high = 1;
  while (excess(high).value() < 0) {
    low = high;
    high *= 2;
    if (high > deepest) throw InputError("the periods belong to a motion too near to the separatrix");
  }
  double depth = 0.5 * (low + high);
  for (int count = 0; count < 100; ++count) {
    const D f = excess(depth);
    (f.value() < 0 ? low : high) = depth;
    const double next = depth - f.value() / f.gradient()[0];
    const double chosen = next > low && next < high ? next : 0.5 * (low + high);
    if (std::abs(chosen - depth) <= 1e-16 * depth || chosen == depth) break;
    depth = chosen;
  }
  return depth;
}

}  // namespace detail

/// The periods, the mode and E/E0 of the free motion of a body.
///
/// Throws InputError if the momentum is not finite.
template <Scalar T>
Periods<T> periods(const Body<T>& body, const Vector<T>& momentum) {
  using W = Wide<T>;
  examine(State<T>{momentum, {}});
  const int exponent = momentum_exponent(momentum), inner = body.inertia_exponent();
  Vector<W> m = body.to_principal(momentum);
  std::array<W, 3> moments;
  for (std::size_t j = 0; j < 3; ++j) {
    m[j] = ldexp(m[j], -exponent);
    moments[j] = W(body.inertia().moments[j]);
  }
  const Periods<W> p = detail::periods_of<W>(moments, m.c);
  const auto outward = [&](const W& x) {
    return isfinite(x) ? static_cast<T>(ldexp(x, inner - exponent)) : static_cast<T>(x);
  };
  return {p.mode, outward(p.precession), outward(p.rotation), static_cast<T>(p.energy_ratio)};
}

/// The momentum, in the user's frame, of a body that has the given periods: that phase of the motion at which it is nearest to the
/// middle axis. There a double holds the periods to the last digit, however near to the separatrix they are.
///
/// Two motions may have the same periods, one of each mode. `undecided` takes the only one there is. Throws InputError if there
/// is none, or, with `undecided`, two of them.
inline Vector<double> momentum_with_periods(const Body<double>& body, double precession, double rotation,
                                            Mode mode = Mode::undecided) {
  for (const double period : {precession, rotation})
    if (!(period > 0) || !std::isfinite(period)) throw InputError("a period is not a positive number");
  const Vector<double>& i = body.inertia().moments;
  const detail::SpinBody<double> b({i[0], i[1], i[2]});
  const double quotient = rotation / precession;
  const auto possible = [&](Mode m) { return quotient >= detail::least_quotient(b, m) * (1 - 1e-15); };
  const bool has_short = possible(Mode::short_axis), has_long = possible(Mode::long_axis);
  if (mode == Mode::undecided) {
    if (has_short && has_long)
      throw InputError(
          "the periods belong to two motions, one of each mode: name the mode, short-axis or long-axis");
    if (!has_short && !has_long) throw InputError("no motion of this body has these periods, in either mode");
    mode = has_short ? Mode::short_axis : Mode::long_axis;
  } else if (!possible(mode)) {
    throw InputError("no motion of this body has these periods in the " + name_of(mode) + " mode");
  }
  const double depth =
      quotient <= detail::least_quotient(b, mode) ? 0 : detail::orbit_with_quotient(i, mode, quotient);
  const detail::SpinOrbit<double> orbit{mode, -std::expm1(-depth), std::exp(-depth)};
  // In two steps, so that no size of the periods leaves the numbers of double.
  const double size =
      std::ldexp(detail::periods_of(b, orbit).precession / precession, body.inertia_exponent());
  if (!(size > 0) || !std::isfinite(size))
    throw InputError("the momentum of a motion with these periods is not a number of double");
  Vector<DoubleDouble> m{{0.0, std::sqrt(orbit.near) * size, std::sqrt(orbit.off) * size}};
  if (mode == Mode::long_axis) std::swap(m[0], m[2]);
  return convert<double>(body.to_user(m));
}

/// How precession, rotation and E/E0 change with the principal moments, in ascending order, and with the momentum in the principal frame: rows of six
/// derivatives. Next to the separatrix, and for symmetric bodies, they may be infinite or no numbers.
inline std::array<std::array<double, 6>, 3> period_derivatives(const Body<double>& body,
                                                               const Vector<double>& momentum) {
  using D = Dual<double, 6>;
  examine(State<double>{momentum, {}});
  // In units near to one: the squares of the momentum are numbers of double.
  const int exponent = momentum_exponent(momentum), inner = body.inertia_exponent();
  const Vector<DoubleDouble> m = body.to_principal(momentum);
  std::array<D, 3> moments, components;
  for (std::size_t j = 0; j < 3; ++j) {
    moments[j] = D::variable(body.inertia().moments[j], j);
    components[j] = D::variable(static_cast<double>(ldexp(m[j], -exponent)), 3 + j);
  }
  const Periods<D> p = detail::periods_of<D>(moments, components);
  std::array<std::array<double, 6>, 3> result{p.precession.gradient(), p.rotation.gradient(),
                                              p.energy_ratio.gradient()};
  for (std::size_t row = 0; row < 3; ++row) {
    const int outward = row < 2 ? inner - exponent : 0;
    for (std::size_t j = 0; j < 6; ++j)
      result[row][j] = std::ldexp(result[row][j], outward - (j < 3 ? inner : exponent));
  }
  return result;
}

}  // namespace POLHODE_CORE

namespace polhode::spin {
using core::Mode;
using core::momentum_with_periods;
using core::period_derivatives;
using core::Periods;
using core::periods;
}  // namespace polhode::spin
