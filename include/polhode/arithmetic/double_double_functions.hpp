// The elementary functions of DoubleDouble that the core needs.
//
// Sine and cosine: reduction by pi/2 in three parts (161 bits), then by pi/32 with a table, then a Taylor
// polynomial; right to about 2^-102 for arguments up to 2^50, and to 2^-158 of the argument up to 2^100. The inverse functions correct the one of double by
// one Newton step, which squares its error. Exponential: reduction by ln 2 in three parts, then by 64, a Taylor polynomial of
// exp(x) - 1, and six doublings of that.
#pragma once

#include <array>

#include "polhode/arithmetic/double_double.hpp"

namespace POLHODE_CORE {

namespace detail {

/// sin and cos of j pi/32, j = 0..8.
inline constexpr std::array<SineCosine<DoubleDouble>, 9> sine_table{{
    {{0.0, 0.0}, {1.0, 0.0}},
    {{0.0980171403295606, -1.634582362244256e-18}, {0.9951847266721969, -4.248691367830441e-17}},
    {{0.19509032201612828, -7.991079068461731e-18}, {0.9807852804032304, 1.8546939997825006e-17}},
    {{0.2902846772544624, -1.892797870777425e-17}, {0.9569403357322088, 4.05538698618757e-17}},
    {{0.3826834323650898, -1.0050772696461588e-17}, {0.9238795325112867, 1.7645047084336677e-17}},
    {{0.47139673682599764, 6.516678136069013e-18}, {0.881921264348355, -1.9843248405890562e-17}},
    {{0.5555702330196022, 4.709410940561677e-17}, {0.8314696123025452, 1.4073856984728024e-18}},
    {{0.6343932841636455, 1.0420901929280035e-17}, {0.773010453362737, -3.256590703364977e-17}},
    {{0.7071067811865476, -4.833646656726457e-17}, {0.7071067811865476, -4.833646656726457e-17}},
}};

/// 1/n! for n = 3..19.
inline constexpr std::array<DoubleDouble, 17> inverse_factorial{{
    {0.16666666666666666, 9.25185853854297e-18},
    {0.041666666666666664, 2.3129646346357427e-18},
    {0.008333333333333333, 1.1564823173178714e-19},
    {0.001388888888888889, -5.300543954373577e-20},
    {0.0001984126984126984, 1.7209558293420705e-22},
    {2.48015873015873e-05, 2.1511947866775882e-23},
    {2.7557319223985893e-06, -1.858393274046472e-22},
    {2.755731922398589e-07, 2.3767714622250297e-23},
    {2.505210838544172e-08, -1.448814070935912e-24},
    {2.08767569878681e-09, -1.20734505911326e-25},
    {1.6059043836821613e-10, 1.2585294588752098e-26},
    {1.1470745597729725e-11, 2.0655512752830745e-28},
    {7.647163731819816e-13, 7.03872877733453e-30},
    {4.779477332387385e-14, 4.399205485834081e-31},
    {2.8114572543455206e-15, 1.6508842730861433e-31},
    {1.5619206968586225e-16, 1.1910679660273754e-32},
    {8.22063524662433e-18, 2.2141894119604265e-34},
}};

/// sin and cos of |x| <= pi/64 by their Taylor polynomials to x^19 and x^18.
inline SineCosine<DoubleDouble> sincos_taylor(const DoubleDouble& x) {
  const DoubleDouble y = -(x * x);
  DoubleDouble s = inverse_factorial[16];
  DoubleDouble c = inverse_factorial[15];
  for (std::size_t n = 17; n >= 3; n -= 2) s = s * y + inverse_factorial[n - 3];
  for (std::size_t n = 16; n >= 4; n -= 2) c = c * y + inverse_factorial[n - 3];
  return {x + x * (s * y), DoubleDouble(1.0) + y * (0.5 + c * y)};
}

}  // namespace detail

namespace detail {

/// The same to 2^-64 only: what follows the leading terms is small enough for double.
inline SineCosine<DoubleDouble> sincos_taylor_short(const DoubleDouble& x) {
  const DoubleDouble y = x * x;
  const double z = -y.high();
  const double s = 1.0 / 6 + z * (1.0 / 120 + z * (1.0 / 5040 + z * (1.0 / 362880)));
  const double c = 1.0 / 24 + z * (1.0 / 720 + z * (1.0 / 40320 + z * (1.0 / 3628800)));
  return {x + x.high() * (s * z), DoubleDouble(1.0) - y * 0.5 + z * (c * z)};
}

template <class Taylor>
SineCosine<DoubleDouble> sincos(const DoubleDouble& angle, Taylor taylor) {
  DoubleDouble x = angle;
  double quadrant = 0.0;
  // Once, but for angles beyond 2^46: there the nearest quarter turn may be missed by a few.
  do {
    const double quarters = std::nearbyint(x.high() * 0.6366197723675814);  // 2/pi
    if (quarters == 0.0) break;
    quadrant += quarters - 4.0 * std::floor(0.25 * quarters);
    for (const double part : {1.5707963267948966, 6.123233995736766e-17, -1.4973849048591698e-33})
      x -= DoubleDouble::product(quarters, part);
  } while (std::abs(x.high()) > 0.8);
  const double j = std::nearbyint(x.high() * 10.185916357881302);  // 32/pi
  x -= DoubleDouble::product(j, 0.09817477042468103) + j * 3.827021247335479e-18;
  const auto [s, c] = taylor(x);
  const auto& entry = sine_table[static_cast<std::size_t>(std::abs(j))];
  const DoubleDouble table_sin = j < 0 ? -entry.sin : entry.sin;
  const DoubleDouble sine = table_sin * c + entry.cos * s;
  const DoubleDouble cosine = entry.cos * c - table_sin * s;
  switch (static_cast<int>(quadrant) & 3) {
    case 0:
      return {sine, cosine};
    case 1:
      return {cosine, -sine};
    case 2:
      return {-sine, -cosine};
    default:
      return {-cosine, sine};
  }
}

}  // namespace detail

inline SineCosine<DoubleDouble> sincos(const DoubleDouble& angle) {
  if (!(std::abs(angle.high()) < 0x1p100)) {  // no digit left to reduce, or no number
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    return {nan, nan};
  }
  return detail::sincos(angle, detail::sincos_taylor);
}

/// The sine and the cosine to an absolute error of about 2^-64, in half the time: enough where the result is rounded to
/// double after a few operations.
inline SineCosine<DoubleDouble> sincos_short(const DoubleDouble& angle) {
  if (!(std::abs(angle.high()) < 0x1p100)) return sincos(angle);
  return detail::sincos(angle, detail::sincos_taylor_short);
}

inline DoubleDouble sin(const DoubleDouble& angle) { return sincos(angle).sin; }
inline DoubleDouble cos(const DoubleDouble& angle) { return sincos(angle).cos; }

inline DoubleDouble atan2(const DoubleDouble& y, const DoubleDouble& x) {
  const double first = std::atan2(y.high(), x.high());
  if (y == DoubleDouble(0.0) && x >= DoubleDouble(0.0)) return first;
  // sin(angle - first), a number of the size of double's epsilon; its cube is beyond the last place.
  const auto [s, c] = sincos(DoubleDouble(first));
  return first + (y * c - x * s) / sqrt(x * x + y * y);
}

inline DoubleDouble asin(const DoubleDouble& x) { return atan2(x, sqrt((1.0 - x) * (1.0 + x))); }

inline DoubleDouble exp(const DoubleDouble& x) {
  if (!(std::abs(x.high()) < 700.0))
    return std::exp(x.high());  // next to the ends of the range, and no number
  const double powers = std::nearbyint(x.high() * 1.4426950408889634);
  DoubleDouble y = x;
  for (const double part : {0.6931471805599453, 2.3190468138462996e-17, 5.707708438416212e-34})
    y -= DoubleDouble::product(powers, part);
  y = ldexp(y, -6);
  // To y^12: the next term is below 2^-110 of y.
  DoubleDouble series = detail::inverse_factorial[9];
  for (std::size_t n = 11; n >= 3; --n) series = series * y + detail::inverse_factorial[n - 3];
  DoubleDouble less_one = y + y * (y * (0.5 + y * series));
  for (int i = 0; i < 6; ++i) less_one = 2.0 * less_one + less_one * less_one;
  return ldexp(1.0 + less_one, static_cast<int>(powers));
}

}  // namespace POLHODE_CORE
