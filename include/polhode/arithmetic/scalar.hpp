// The scalars over which the core is generic.
//
// One source serves double, DoubleDouble (double_double.hpp), the quadruple types that the tests use as
// their reference, and SIMD packs. Generic code calls elementary functions unqualified: the
// using-declarations below supply those of the standard types, argument-dependent lookup all others.
#pragma once

#include <cmath>
#include <concepts>
#include <limits>
#include <type_traits>

#include "polhode/core.hpp"

// The parts of -ffast-math, as far as the compiler gives them away: GCC by a macro each, Clang by the first two.
#if defined(__FAST_MATH__)
#error "polhode relies on IEEE 754 arithmetic: never compile it with -ffast-math"
#elif defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__
#error "polhode relies on IEEE 754 arithmetic: never compile it with -ffinite-math-only"
#elif defined(__ASSOCIATIVE_MATH__)
#error \
    "polhode relies on IEEE 754 arithmetic: never compile it with -fassociative-math (-funsafe-math-optimizations)"
#elif defined(__RECIPROCAL_MATH__)
#error "polhode relies on IEEE 754 arithmetic: never compile it with -freciprocal-math"
#elif defined(__NO_SIGNED_ZEROS__)
#error "polhode relies on IEEE 754 arithmetic: never compile it with -fno-signed-zeros"
#endif

namespace POLHODE_CORE {

using std::abs;
using std::asin;
using std::atan2;
using std::cos;
using std::floor;
using std::isfinite;
using std::ldexp;
using std::sin;
using std::sqrt;

/// What the kernels of a short step need: the four operations. A pack of numbers (arithmetic/pack.hpp) has them too.
template <class T>
concept Arithmetic = std::copyable<T> && !std::integral<T> && std::constructible_from<T, double> &&
                     requires(const T a, const T b, T c) {
  { a + b } -> std::convertible_to<T>;
  { a - b } -> std::convertible_to<T>;
  { a* b } -> std::convertible_to<T>;
  { a / b } -> std::convertible_to<T>;
  { -a } -> std::convertible_to<T>;
  {c += a};
  {c -= a};
  {c *= a};
  {c /= a};
};

/// A real number type: a field with order, a square root and conversions from double and back.
template <class T>
concept Scalar = Arithmetic<T> && requires(const T a, const T b) {
  { a < b } -> std::convertible_to<bool>;
  { a == b } -> std::convertible_to<bool>;
  { sqrt(a) } -> std::convertible_to<T>;
  static_cast<double>(a);
};

/// What the core needs to know of a scalar beyond its operations.
template <class T>
struct ScalarTraits {
  /// The type in which a result of type T is computed when it must be right in the last place.
  using Wide = T;
  /// The spacing of the numbers next to 1.
  static constexpr T epsilon() { return std::numeric_limits<T>::epsilon(); }
};

template <>
struct ScalarTraits<float> {
  using Wide = double;
  static constexpr float epsilon() { return std::numeric_limits<float>::epsilon(); }
};

template <class T>
using Wide = typename ScalarTraits<T>::Wide;

/// The nearest number of type To.
///
/// GCC 12 takes a double for its own rounding to float where it vectorises neighbours that go to float and back: the way through a volatile
/// number is one that it does not know.
template <class To, class From>
constexpr To rounded(const From& x) {
  if constexpr (std::same_as<To, float> && std::same_as<From, double>) {
    if (!std::is_constant_evaluated()) {
      volatile float result = static_cast<float>(x);
      return result;
    }
  }
  return static_cast<To>(x);
}

/// pi to 200 bits, as the sum of doubles that every wider type adds exactly or to its own precision.
template <Scalar T>
constexpr T pi() {
  return T(3.141592653589793116) +
         (T(1.2246467991473532072e-16) + (T(-2.9947698097183396659e-33) + T(1.1124542208633652815e-49)));
}

template <class T>
constexpr T square(const T& x) {
  return x * x;
}

/// The sign of x as +1 or -1; zero counts as positive, whatever its own sign.
template <Scalar T>
constexpr T sign_of(const T& x) {
  return x < T(0) ? T(-1) : T(1);
}

/// The sine and the cosine of one angle.
template <Scalar T>
struct SineCosine {
  T sin;
  T cos;
};

template <std::floating_point T>
SineCosine<T> sincos(T angle) {
  return {sin(angle), cos(angle)};
}

/// Any other scalar: a type with a faster joint evaluation declares its own non-template overload.
template <Scalar T>
requires(!std::floating_point<T>) SineCosine<T> sincos(const T& angle) { return {sin(angle), cos(angle)}; }

}  // namespace POLHODE_CORE
