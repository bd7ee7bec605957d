// The modified moments of inertia with which the discrete Moser-Veselov step is exact.
//
// 1/I~j = s/Ij + delta, where s and delta depend on the step and on the two invariants alone. Their series
// are those of [HV06], with the body's symmetric functions as coefficients:
//   D = I1 I2 I3,  Sk = sum Ij^k,  Rk = sum Ij^-k,
//   Tab = (I1^a + I2^a)/I3^b + (I2^a + I3^a)/I1^b + (I3^a + I1^a)/I2^b,
// in powers of N = h^2 |m|^2/2 and E = h^2 H(m). Terms of total degree k are of order h^2k.
#pragma once

#include <array>

#include "polhode/body/inertia.hpp"

namespace polhode::core {

template <Arithmetic T>
struct ModifiedInertia {
  T s;
  T delta;
};

/// The series to total degree 4, that is to h^8.
template <Arithmetic T>
class ModifiedInertiaSeries {
 public:
  static constexpr int highest_degree = 4;

  ModifiedInertiaSeries() = default;
  template <std::same_as<T> U>
  explicit ModifiedInertiaSeries(const Inertia<U>& inertia) {
    using W = Wide<T>;
    const Vector<W> i = convert<W>(inertia.moments);
    const auto& r = inertia.inverse;
    const auto power = [](const W& x, int n) {
      W result(1);
      for (; n > 0; --n) result *= x;
      return result;
    };
    const auto sum = [&](const Vector<W>& v, int k) {
      return power(v[0], k) + power(v[1], k) + power(v[2], k);
    };
    const auto mixed = [&](int a, int b) {
      const W i1 = power(i[0], a), i2 = power(i[1], a), i3 = power(i[2], a);
      return (i1 + i2) * power(r[2], b) + (i2 + i3) * power(r[0], b) + (i3 + i1) * power(r[1], b);
    };
    const W d = i[0] * i[1] * i[2], d2 = d * d, d3 = d2 * d, d4 = d3 * d;
    const W s1 = sum(i, 1), s2 = sum(i, 2), s3 = sum(i, 3), s4 = sum(i, 4);
    const W r1 = sum(r, 1), r2 = sum(r, 2), r3 = sum(r, 3), r4 = sum(r, 4);
    const W t11 = mixed(1, 1), t12 = mixed(1, 2), t13 = mixed(1, 3);
    const W t21 = mixed(2, 1), t22 = mixed(2, 2), t31 = mixed(3, 1);

    set(s_, 0, 0, W(1));
    set(s_, 1, 0, s1 / (W(6) * d));
    set(s_, 0, 1, -r1 / W(3));
    set(s_, 2, 0, (s2 / d - r1) / (W(30) * d));
    set(s_, 1, 1, (W(1) - t11) / (W(30) * d));
    set(s_, 0, 2, (W(3) * s1 / d + W(2) * r2) / W(60));
    set(s_, 3, 0, (W(4) * d + W(17) * s3 - W(15) * d * t11) / (W(2520) * d3));
    set(s_, 2, 1, (W(9) * s1 + W(10) * d * r2 - W(6) * t21) / (W(420) * d2));
    set(s_, 1, 2, (W(6) * d * t12 - W(100) * d * r1 + W(53) * s2) / (W(2520) * d2));
    set(s_, 0, 3, (W(15) - d * r3 - W(2) * t11) / (W(630) * d));
    set(s_, 4, 0, (W(62) * s4 - W(94) * d * t21 + W(66) * d2 * r2 + W(81) * d * s1) / (W(45360) * d4));
    set(s_, 3, 1, (W(-77) * t31 + W(75) * d * t12 + W(214) * s2 - W(240) * d * r1) / (W(22680) * d3));
    set(s_, 2, 2,
        (W(26) * d * t22 + W(55) * s3 + W(204) * d - W(50) * d2 * r3 - W(59) * d * t11) / (W(7560) * d3));
    set(s_, 1, 3, (W(137) * d * r2 - d * t13 + W(3) * s1 - W(69) * t21) / (W(11340) * d2));
    set(s_, 0, 4, (W(2) * d2 * r4 + W(5) * d * t12 - W(171) * d * r1 + W(159) * s2) / (W(45360) * d2));

    set(delta_, 1, 0, W(-1) / (W(3) * d));
    set(delta_, 0, 1, s1 / (W(6) * d));
    set(delta_, 2, 0, -s1 / (W(60) * d2));
    set(delta_, 1, 1, r1 / (W(10) * d) - s2 / (W(60) * d2));
    set(delta_, 0, 2, -(W(9) + t11) / (W(60) * d));
    set(delta_, 3, 0, (W(34) * d * r1 - W(19) * s2) / (W(2520) * d3));
    set(delta_, 2, 1, (s3 + W(2) * d * t11 - W(85) * d) / (W(1260) * d3));
    set(delta_, 1, 2, (W(47) * s1 + W(13) * t21 - W(38) * d * r2) / (W(2520) * d2));
    set(delta_, 0, 3, (W(9) * d * r1 + d * t12 - W(11) * s2) / (W(1260) * d2));
    set(delta_, 4, 0, (W(60) * d * t11 - W(61) * s3 - W(247) * d) / (W(45360) * d4));
    set(delta_, 3, 1, (W(54) * d * s1 - s4 + W(218) * d * t21 - W(426) * d2 * r2) / (W(45360) * d4));
    set(delta_, 2, 2, (W(125) * d * r1 - W(5) * t31 - W(130) * s2 + W(4) * d * t12) / (W(7560) * d3));
    set(delta_, 1, 3,
        (W(67) * s3 - W(735) * d - W(15) * d * t22 + W(87) * d * t11 + W(34) * d2 * r3) / (W(22680) * d3));
    set(delta_, 0, 4, (W(165) * s1 - d * t13 - W(9) * t21 - W(145) * d * r2) / (W(45360) * d2));
  }

  /// Calls visit(a, b) for each constant of this object and its like of another one.
  template <class Other, class Visitor>
  void visit_with(const Other& other, Visitor&& visit) {
    for (std::size_t i = 0; i <= highest_degree; ++i) {
      for (std::size_t j = 0; i + j <= highest_degree; ++j) {
        visit(s_[i][j], other.s_[i][j]);
        visit(delta_[i][j], other.delta_[i][j]);
      }
    }
  }

  /// The coefficients of N^i E^j.
  const T& s(std::size_t i, std::size_t j) const { return s_[i][j]; }
  const T& delta(std::size_t i, std::size_t j) const { return delta_[i][j]; }

  /// The terms of total degree at most `degree`: a method of order 2 (degree + 1).
  template <int degree = highest_degree>
  ModifiedInertia<T> operator()(const T& n, const T& e) const {
    static_assert(degree >= 0 && degree <= highest_degree);
    return {horner<degree>(s_, n, e), horner<degree>(delta_, n, e)};
  }

 private:
  template <Arithmetic U>
  friend class ModifiedInertiaSeries;

  /// coefficient[i][j] belongs to N^i E^j.
  using Table = std::array<std::array<T, highest_degree + 1>, highest_degree + 1>;

  template <class W>
  static void set(Table& table, std::size_t i, std::size_t j, const W& value) {
    table[i][j] = static_cast<T>(value);
  }

  template <int degree>
  static T horner(const Table& table, const T& n, const T& e) {
    T outer(0);
    for (int i = degree; i >= 0; --i) {
      const auto& row = table[static_cast<std::size_t>(i)];
      T inner = row[static_cast<std::size_t>(degree - i)];
      for (int j = degree - i - 1; j >= 0; --j) inner = inner * e + row[static_cast<std::size_t>(j)];
      outer = i == degree ? inner : outer * n + inner;
    }
    return outer;
  }

  Table s_{};
  Table delta_{};
};

}  // namespace polhode::core
