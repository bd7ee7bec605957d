// The quadruple precision that serves as the tests' reference.
//
// GCC has libquadmath (link with -lquadmath; no -fext-numeric-literals needed for what is used here). Under
// -std=c++20 without extensions Boost does not convert __float128 itself, hence expm1 and its like do not compile;
// everything that polhode::core::Scalar and the elementary functions of the core need does. POLHODE_HAVE_QUADMATH, which
// the build defines where it has put quadmath.h on the path, selects it for Clang too.
//
// Elsewhere Boost's binary type of 50 digits is used, some ten times slower. Not the one of 113 bits: Boost 1.74 reduces
// the angle of its sine and cosine with no digits to spare, so that next to odd multiples of pi/2 the cosine is
// right to 1e-34 absolutely, but only to 1e-18 of itself.
#pragma once

#include "polhode/arithmetic/double_double.hpp"

#if defined(POLHODE_HAVE_QUADMATH) || (defined(__GNUC__) && !defined(__clang__))
#include <boost/multiprecision/float128.hpp>
#else
#include <boost/multiprecision/cpp_bin_float.hpp>
#endif

namespace polhode::reference {

using namespace core;

#if defined(POLHODE_HAVE_QUADMATH) || (defined(__GNUC__) && !defined(__clang__))
using Quad = boost::multiprecision::float128;
inline constexpr bool quad_is_fast = true;
#else
using Quad =
    boost::multiprecision::number<boost::multiprecision::cpp_bin_float<50>, boost::multiprecision::et_off>;
inline constexpr bool quad_is_fast = false;
#endif

inline Quad to_quad(double x) { return Quad(x); }
inline Quad to_quad(const DoubleDouble& x) { return Quad(x.high()) + Quad(x.low()); }

/// The nearest DoubleDouble.
inline DoubleDouble to_double_double(const Quad& x) {
  const double high = static_cast<double>(x);
  return DoubleDouble::sum(high, static_cast<double>(Quad(x - Quad(high))));
}

}  // namespace polhode::reference

// ScalarTraits needs nothing: Wide is Quad itself, epsilon() is that of std::numeric_limits.
static_assert(polhode::core::Scalar<polhode::reference::Quad>);
