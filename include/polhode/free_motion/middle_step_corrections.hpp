// The corrections of a step of up to half a radian in double precision, without a branch.
//
// docs/exact-flow.md derives the formulas.
#pragma once

#include "polhode/free_motion/step_constants.hpp"

namespace POLHODE_CORE {

/// The largest angle of a step that is taken in one piece, in radians. Its error grows with the third power of the angle.
inline constexpr double middle_angle = 0.5;

namespace middle_fit {

/// Polynomials in e1 = a + b and e2 = a b, where a and b are A u^2 and B u^2; row j has the coefficients of e2^j e1^i.
/// Nearest for 0 <= e1 <= 1/16 and 0 <= e2 <= e1^2/4 in the sense of Chebyshev, by scripts/fit-middle-step: a series would
/// have twice as many.
///
/// (S/u)^2, to 3e-18.
inline constexpr std::array<double, 8> y0{1.0,
                                          -0.3333333333333331,
                                          0.04444444444443661,
                                          -0.003174603175654874,
                                          0.00014109352319937682,
                                          -4.2759511135558605e-06,
                                          8.720995008003808e-08,
                                          7.932745247957132e-08};
inline constexpr std::array<double, 6> y1{0.19999999999962637,   -0.08571428566169757,
                                          0.01714285509725684,   -0.00215485825758545,
                                          0.0001916196277573373, -1.4526671115117996e-05};
inline constexpr std::array<double, 4> y2{0.026666662500364816, -0.014660599525053036, 0.003915894626866513,
                                          -0.0006312166769332579};
inline constexpr std::array<double, 2> y3{0.0030738037730675253, -0.001983196360464314};

/// S/(c d u) - 1, to 2e-18.
inline constexpr std::array<double, 9> tau0{0.0,
                                            0.33333333333333326,
                                            0.13333333333336758,
                                            0.05396825396245539,
                                            0.021869489007236266,
                                            0.008863214178855362,
                                            0.0035926953699295825,
                                            0.001447070680934582,
                                            0.0006624418797240363};
inline constexpr std::array<double, 7> tau1{
    -0.40000000000014374,  -0.20952380949647428,  -0.12063492337680398, -0.06202967067238133,
    -0.030538190764295196, -0.014472520368376608, -0.007602617916222504};
inline constexpr std::array<double, 5> tau2{0.1333333356886214, 0.10632010861042449, 0.07595253774907827,
                                            0.04668581066279873, 0.029993619863629112};
inline constexpr std::array<double, 3> tau3{-0.04513180048258497, -0.047798428670182976,
                                            -0.04481592979046011};
inline constexpr double tau4 = 0.016565109366392917;

/// Polynomials at x, by halves (Estrin's scheme), so that few operations wait for each other.
template <class V>
class PolynomialsAt {
 public:
  [[gnu::always_inline]] explicit PolynomialsAt(const V& x) : powers_{x, x * x} {
    powers_[2] = powers_[1] * powers_[1];
    powers_[3] = powers_[2] * powers_[2];
  }

  template <class C, std::size_t size>
  [[gnu::always_inline]] V operator()(const std::array<C, size>& c) const {
    return value<0, size>(c);
  }

 private:
  template <std::size_t first, std::size_t count, class C, std::size_t size>
  [[gnu::always_inline]] V value(const std::array<C, size>& c) const {
    if constexpr (count == 1) {
      return V(c[first]);
    } else {
      constexpr std::size_t level = count > 8 ? 3 : count > 4 ? 2 : count > 2 ? 1 : 0;
      constexpr std::size_t half = std::size_t{1} << level;
      return value<first, half>(c) + powers_[level] * value<first + half, count - half>(c);
    }
  }

  std::array<V, 4> powers_;  // x, x^2, x^4, x^8
};

template <class V>
[[gnu::always_inline]] inline V y(const V& e1, const V& e2) {
  const PolynomialsAt<V> p(e1);
  return (p(y0) + e2 * p(y1)) + (e2 * e2) * (p(y2) + e2 * p(y3));
}

/// Up to four polynomials at one x, the longest first. For a number they stand side by side in the lanes of a register; those
/// that are filled up with zeros keep their bits.
template <class T, std::size_t size, std::size_t... others>
[[gnu::always_inline]] inline FourLanes<T> side_by_side(const T& x, const std::array<double, size>& first,
                                                        const std::array<double, others>&... rest) {
  if constexpr (std::same_as<T, double>) {
    std::array<FourLanes<double>, size> columns;
    for (std::size_t i = 0; i < size; ++i) {
      std::array<double, 4> column{first[i]};
      std::size_t lane = 0;
      ((column[++lane] = i < others ? rest[i < others ? i : 0] : 0.0), ...);
      columns[i] = FourLanes<double>(column);
    }
    return PolynomialsAt<FourLanes<double>>(FourLanes<double>(x))(columns);
  } else {
    const PolynomialsAt<T> at_x(x);
    FourLanes<T> result;
    result.set(0, at_x(first));
    std::size_t lane = 0;
    (result.set(++lane, at_x(rest)), ...);
    return result;
  }
}

template <class T>
[[gnu::always_inline]] inline T tau(const T& e1, const T& e2) {
  const FourLanes<T> p = side_by_side(e1, tau0, tau1, tau2, tau3);
  const T e2e2 = e2 * e2;
  return (p[0] + e2 * p[1]) + e2e2 * ((p[2] + e2 * p[3]) + e2e2 * T(tau4));
}

/// The formula of Lobatto with eight nodes in [-1, 1] for an even function: squares and fourth powers of the nodes above
/// zero, and the weights times the squares.
inline constexpr std::array<double, 4> squares{0.043806162614589333, 0.35010910470801354, 0.759930886523551,
                                               1.0};
inline constexpr std::array<double, 4> fourth_powers{0.001918979883015844, 0.12257638519944677,
                                                     0.5774949522924702, 1.0};
inline constexpr std::array<double, 4> weights{0.018068237030636692, 0.11943016046098673, 0.1601206501274242,
                                               0.03571428571428571};

/// 6 (1 - sin(x)/x)/x^2 and 2 (1 - cos(x))/x^2 by powers of x^2, up to half a radian.
inline constexpr std::array<double, 7> lag{1.0,           -1.0 / 20,         1.0 / 840,         -1.0 / 60480,
                                           1.0 / 6652800, -1.0 / 1037836800, 1.0 / 217945728000};
inline constexpr std::array<double, 7> half_chord{
    1.0, -1.0 / 12, 1.0 / 360, -1.0 / 20160, 1.0 / 1814400, -1.0 / 239500800, 1.0 / 43589145600};

}  // namespace middle_fit

/// As step_corrections() of StepConstants, for an angle of middle_angle at most, from the invariants of StepBody alone: what is
/// left of their rounding is another body or another time, and makes nothing drift.
///
/// The integral Q is a sum over the values of S^2 at four times, of which the last is the end of the step.
template <Arithmetic T>
[[gnu::always_inline]] inline StepCorrections<T> middle_corrections(
    const ThreeLanes<T>& b, const ThreeLanes<T>& inverse, const typename StepBody<T>::Invariants& of,
    const T& h) {
  using V = FourLanes<T>;
  const auto constant = [](const std::array<double, 4>& c) { return V(T(c[0]), T(c[1]), T(c[2]), T(c[3])); };
  const T u = h * T(0.5), per_size = T(1) / of.size2;
  const T j1 = u * of.j1, j3 = u * (b[1] * of.size2 - of.j1);
  const T a = -(u * b[0] * j3), b3 = -(u * b[2] * j1);  // A u^2 and B u^2
  const T e1 = a + b3, e2 = a * b3, rho = j1 * j3 * per_size;
  const T twice_energy = of.j1 + of.size2 * inverse[2];

  const V t2 = constant(middle_fit::squares);
  const V y = middle_fit::y(e1 * t2, e2 * constant(middle_fit::fourth_powers));
  const V terms = (constant(middle_fit::weights) * y) / (V(T(1)) - (rho * t2) * y);
  const T integral = (terms[0] + terms[1]) + (terms[2] + terms[3]);
  const T tau = middle_fit::tau(e1, e2);
  const T w = y[3] + y[3] * tau;
  const T eta = rho * y[3];  // (m2/|m|)^2 at the end of the symmetric step

  const T area = rho * (b[0] * of.size2 + of.j1) * integral;  // a3 m1^2 - a1 m3^2 = J1 - a1 |m|^2
  const T rate = twice_energy + area;
  const T t = T(4) * ((u * rate) * (u * rate) * per_size);  // the square of the twist
  const V at_t = middle_fit::side_by_side(t, middle_fit::lag, middle_fit::half_chord);
  const T lag = t * (T(1.0 / 6) * at_t[0]), sine2 = (T(0.25) * t) * at_t[1];
  const T along = tau - (sine2 + tau * sine2);
  const T across = eta + along * eta;
  return {ThreeLanes<T>(tau - b3 * w, tau, tau - a * w), along - across,
          per_size * (area - lag * rate - along * twice_energy) + across * inverse[1]};
}

}  // namespace POLHODE_CORE
