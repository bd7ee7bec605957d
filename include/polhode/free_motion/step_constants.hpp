// The constants that a step of the exact flow takes from the invariants and from its length: six numbers, in closed form.
//
// docs/exact-flow.md derives the formulas.
#pragma once

#include <array>

#include "polhode/arithmetic/lanes.hpp"
#include "polhode/body/inertia.hpp"

namespace POLHODE_CORE {

/// The exact step, with (i, j, k) any cyclic order of the axes:
///   dm_i = swing_i (2 m_j m_k + m_k dm_j + m_j dm_k),    w = turn (m + m+) component by component,
/// where the attitude turns by an angle of which w is half the sine, about the axis of w. With their errors, which stay the
/// same from step to step and would add up.
template <Arithmetic T>
struct StepConstants {
  ErrorFree<ThreeLanes<T>> swing;
  ErrorFree<ThreeLanes<T>> turn;
};

/// The same without their errors.
template <Arithmetic T>
struct PlainStepConstants {
  ThreeLanes<T> swing;
  ThreeLanes<T> turn;
};

/// How the constants differ from those of an infinitesimal step of h = 2 u:
///   swing_i = b_i u (1 + swing_i'),  b = (-a1, a2, -a3),    turn_i = u/2 (1/I_i (1 + stretch) + shift).
/// These are small, so that their own rounding errors are beyond the last place of the constants.
template <Arithmetic T>
struct StepCorrections {
  ThreeLanes<T> swing;
  T stretch;
  T shift;
};

/// The body as the constants need it: 1/I_i and b_i, with their errors.
template <Arithmetic T>
struct StepBody {
  ErrorFree<ThreeLanes<T>> inverse{};
  ErrorFree<ThreeLanes<T>> b{};

  StepBody() = default;
  template <std::same_as<T> U>
  explicit StepBody(const Inertia<U>& inertia) {
    const Vector<Wide<T>> rates{{-inertia.a1, inertia.a2, -inertia.a3}};
    for (std::size_t i = 0; i < 3; ++i) {
      set(inverse, i, inertia.inverse[i]);
      set(b, i, rates[i]);
    }
  }

  [[gnu::always_inline]] StepConstants<T> constants(const StepCorrections<T>& c, const T& h) const {
    const T u = h * T(0.5), quarter = h * T(0.25);
    const auto [swing, swing_error] = two_product(b.value, ThreeLanes<T>(u));
    const auto [turn, turn_error] = two_product(inverse.value, ThreeLanes<T>(quarter));
    return {fast_two_sum(swing, swing * c.swing + (swing_error + u * b.error)),
            fast_two_sum(turn, (c.stretch * turn + ThreeLanes<T>(quarter * c.shift)) +
                                   (turn_error + quarter * inverse.error))};
  }

  [[gnu::always_inline]] PlainStepConstants<T> plain_constants(const StepCorrections<T>& c,
                                                               const T& h) const {
    const T u = h * T(0.5), quarter = h * T(0.25);
    const ThreeLanes<T> swing = u * b.value, turn = quarter * inverse.value;
    return {swing + swing * c.swing, turn + (c.stretch * turn + ThreeLanes<T>(quarter * c.shift))};
  }

  /// J1 and |m|^2 of a momentum with its compensation, each the nearest number to what a pair gives. Of a free motion they are
  /// the same bits in every step, and so is what is computed from them.
  struct Invariants {
    T j1, size2;
  };
  [[gnu::always_inline]] Invariants invariants(const ThreeLanes<T>& m, const ThreeLanes<T>& m_error) const {
    using V = FourLanes<T>;
    const ErrorFree<ThreeLanes<T>> product = two_product(m, m);
    const ThreeLanes<T>& square = product.value;
    const ThreeLanes<T> square_low = product.error + (m + m) * m_error;
    const T zero(0), one(1);
    const auto term = [&](std::size_t i, const T& factor, const T& factor_low) {
      const V both(factor, one, zero, zero), both_low(factor_low, zero, zero, zero);
      const auto [value, error] = two_product(both, V(square[i]));
      return ErrorFree<V>{value, error + (both * V(square_low[i]) + both_low * V(square[i]))};
    };
    const auto [x, x_low] = term(0, b.value[1], b.error[1]);
    const auto [y, y_low] = term(1, -b.value[0], -b.error[0]);
    const auto [xy, xy_error] = two_sum(x, y);
    const V z(zero, square[2], zero, zero), z_low(zero, square_low[2], zero, zero);
    const auto [sum, sum_error] = two_sum(xy, z);
    const V result = sum + ((xy_error + sum_error) + ((x_low + y_low) + z_low));
    return {result[0], result[1]};
  }

  [[gnu::always_inline]] Invariants plain_invariants(const ThreeLanes<T>& m) const {
    const ThreeLanes<T> mm = m * m;
    return {b.value[1] * mm[0] - b.value[0] * mm[1], sum(mm)};
  }

  template <class W>
  static void set(ErrorFree<ThreeLanes<T>>& numbers, std::size_t i, const W& x) {
    const T value = static_cast<T>(x);
    numbers.value.set(i, value);
    numbers.error.set(i, static_cast<T>(x - W(value)));
  }
};

/// Enough for 31 and for 34 digits and a radian.
inline constexpr int terms_of_extended_precision = 40;

/// The corrections in closed form, by the recursion of the power series of S^2; m is not zero.
///
/// With u = h/2, y = S(u)^2 and Q = int_0^u S^2/(1 - rho S^2) dt, rho = J1 J3/|m|^2:
///   S/(c d) = 2 y/y',   half the twist at the symmetric phase = (2 T u + (a3 m1^2 - a1 m3^2) rho Q)/|m|.
template <int terms, Scalar T>
StepCorrections<T> step_corrections(const ThreeLanes<T>& b, const ThreeLanes<T>& inverse,
                                    const ThreeLanes<T>& m, const T& h) {
  const auto over = [](const T& x, int divisor) { return x / T(divisor); };
  const T u = h * T(0.5);
  const ThreeLanes<T> mm = m * m;
  const T j1 = u * (b[1] * mm[0] - b[0] * mm[1]), j3 = u * (b[1] * mm[2] - b[2] * mm[1]);
  const T a = -(u * b[0] * j3), b3 = -(u * b[2] * j1);  // A u^2 and B u^2
  const T size2 = sum(mm), twice_energy = sum(mm * inverse), per_size = T(1) / size2;
  const T rho = j1 * j3 * per_size;
  const T linear = T(-4) * (a + b3), quadratic = T(6) * (a * b3);

  // y'' = 2 - 4 (A + B) y + 6 A B y^2 and z = y/(1 - rho y), in powers of t^2 with t = u: y[k] belongs to u^2k.
  std::array<T, terms + 1> y, z;
  y[1] = z[1] = T(1);
  T sum_y(0), sum_ky(0), sum_excess(0);  // of y, k y and (k-1) y, the first term left out
  T integral = over(T(1), 3);
  for (int k = 1; k < terms; ++k) {
    T squares(0), product(0);
    for (int i = 1; 2 * i < k; ++i) squares += y[i] * y[k - i];
    squares += squares;
    if (k % 2 == 0) squares += square(y[k / 2]);
    for (int i = 1; i <= k; ++i) product += y[i] * z[k + 1 - i];
    y[k + 1] = over(linear * y[k] + quadratic * squares, (2 * k + 1) * (2 * k + 2));
    z[k + 1] = y[k + 1] + rho * product;
    sum_y += y[k + 1];
    sum_ky += T(k + 1) * y[k + 1];
    sum_excess += T(k) * y[k + 1];
    integral += over(z[k + 1], 2 * k + 3);
  }
  const T y_whole = T(1) + sum_y;
  const T tau = -(sum_excess / (T(1) + sum_ky));  // S/(c d u) - 1
  const T w = y_whole + y_whole * tau;
  const T eta = rho * y_whole;  // (m2/|m|)^2 at the end of the symmetric step

  const T area = rho * (b[0] * mm[2] - b[2] * mm[0]) * integral;
  const T rate = twice_energy + area;
  const T t = T(4) * ((u * rate) * (u * rate) * per_size);  // the square of the twist
  T sine(1), cosine(1);                                     // 1 - sin(x)/x and 1 - cos(x) by their series
  for (int k = terms; k > 1; --k) {
    sine = T(1) - over(t, 2 * k * (2 * k + 1)) * sine;
    cosine = T(1) - over(t, (2 * k - 1) * 2 * k) * cosine;
  }
  const T lag = over(t, 6) * sine, sine2 = T(0.25) * t * cosine;
  const T along = tau - (sine2 + tau * sine2);
  const T across = eta + along * eta;
  return {ThreeLanes<T>(tau - b3 * w, tau, tau - a * w), along - across,
          per_size * (area - lag * rate - along * twice_energy) + across * inverse[1]};
}

}  // namespace POLHODE_CORE
