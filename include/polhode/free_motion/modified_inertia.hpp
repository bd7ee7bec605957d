// The modified moments of inertia with which the discrete Moser-Veselov step is exact.
//
// 1/I~j = s/Ij + delta, where s and delta depend on the step and on the two invariants alone. Their series are those of
// [HV06], in powers of N = h^2 |m|^2/2 and E = h^2 H(m); terms of total degree k are of order h^2k. The symmetric functions of the
// moments that are the coefficients there are written as polynomials in
//   x = 1/I1 + 1/I2 + 1/I3,  y = 1/(I1 I2) + 1/(I2 I3) + 1/(I3 I1),  z = 1/(I1 I2 I3):
// without a division, so that a body is made at once.
#pragma once

#include <array>

#include "polhode/body/inertia.hpp"

namespace POLHODE_CORE {

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
    const auto& r = inertia.inverse;
    const W r12 = r[0] * r[1], x = r[0] + r[1] + r[2], y = r12 + (r[0] + r[1]) * r[2], z = r12 * r[2];
    const W x2 = x * x, x3 = x2 * x, x4 = x2 * x2, y2 = y * y, y3 = y2 * y, y4 = y2 * y2, z2 = z * z,
            z3 = z2 * z;
    const W xy = x * y, xz = x * z, yz = y * z, xyz = xy * z, xz2 = x * z2, yz2 = y * z2, xyz2 = xy * z2;
    const W xy2 = x * y2, xy3 = x * y3, x2y = x2 * y, x2y2 = x2 * y2, x3y = x3 * y, x2z = x2 * z,
            x3z = x3 * z;
    const W x2z2 = x2 * z2, y2z = y2 * z, y3z = y3 * z, xy2z = xy2 * z, x2yz = x2y * z;
    using Term = MultipleOf<W>;
    s_[0][0] = T(1);
    s_[1][0] = quotient(6, Term{1, y});
    s_[0][1] = quotient(3, Term{-1, x});
    s_[2][0] = quotient(30, Term{1, y2}, Term{-3, xz});
    s_[1][1] = quotient(30, Term{-1, xy}, Term{4, z});
    s_[0][2] = quotient(60, Term{2, x2}, Term{-1, y});
    s_[3][0] = quotient(2520, Term{17, y3}, Term{-66, xyz}, Term{100, z2});
    s_[2][1] = quotient(420, Term{-6, xy2}, Term{22, x2z}, Term{-5, yz});
    s_[1][2] = quotient(2520, Term{6, x2y}, Term{41, y2}, Term{-212, xz});
    s_[0][3] = quotient(630, Term{-1, x3}, Term{1, xy}, Term{18, z});
    s_[4][0] = quotient(45360, Term{62, y4}, Term{-342, xy2z}, Term{378, x2z2}, Term{291, yz2});
    s_[3][1] = quotient(22680, Term{-77, xy3}, Term{306, x2yz}, Term{141, y2z}, Term{-1128, xz2});
    s_[2][2] = quotient(7560, Term{26, x2y2}, Term{3, y3}, Term{-102, x3z}, Term{30, xyz}, Term{318, z2});
    s_[1][3] = quotient(11340, Term{-1, x3y}, Term{-66, xy2}, Term{276, x2z}, Term{-207, yz});
    s_[0][4] = quotient(45360, Term{2, x4}, Term{-3, x2y}, Term{153, y2}, Term{-486, xz});

    delta_[1][0] = quotient(3, Term{-1, z});
    delta_[0][1] = quotient(6, Term{1, y});
    delta_[2][0] = quotient(60, Term{-1, yz});
    delta_[1][1] = quotient(60, Term{-1, y2}, Term{8, xz});
    delta_[0][2] = quotient(60, Term{-1, xy}, Term{-6, z});
    delta_[3][0] = quotient(2520, Term{-19, y2z}, Term{72, xz2});
    delta_[2][1] = quotient(1260, Term{1, y3}, Term{-1, xyz}, Term{-88, z2});
    delta_[1][2] = quotient(2520, Term{13, xy2}, Term{-64, x2z}, Term{110, yz});
    delta_[0][3] = quotient(1260, Term{1, x2y}, Term{-13, y2}, Term{30, xz});
    delta_[4][0] = quotient(45360, Term{-61, y3z}, Term{243, xyz2}, Term{-610, z3});
    delta_[3][1] = quotient(45360, Term{-1, y4}, Term{222, xy2z}, Term{-864, x2z2}, Term{684, yz2});
    delta_[2][2] = quotient(7560, Term{-5, xy3}, Term{19, x2yz}, Term{-133, y2z}, Term{356, xz2});
    delta_[1][3] =
        quotient(22680, Term{-15, x2y2}, Term{97, y3}, Term{64, x3z}, Term{-276, xyz}, Term{-648, z2});
    delta_[0][4] = quotient(45360, Term{-1, x3y}, Term{-6, xy2}, Term{-126, x2z}, Term{459, yz});
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

  /// An integer times a number.
  template <class W>
  struct MultipleOf {
    double factor;
    const W& number;
  };

  /// The sum of the terms over an integer, as the nearest T.
  template <class W, class... More>
  static T quotient(double divisor, const MultipleOf<W>& first, const More&... more) {
    if constexpr (std::same_as<W, DoubleDouble>) {
      // As DoubleDouble would do it, but for the renormalisations between the operations.
      double sum = 0.0, rest = 0.0;
      const auto add = [&](const MultipleOf<W>& term) {
        const auto [product, product_error] = two_product(term.number.high(), term.factor);
        const auto [next, error] = two_sum(sum, product);
        rest += error + (product_error + term.number.low() * term.factor);
        sum = next;
      };
      add(first);
      (add(more), ...);
      const DoubleDouble whole = DoubleDouble::sum(sum, rest);
      return static_cast<T>(whole / divisor);
    } else {
      W sum = W(first.factor) * first.number;
      ((sum += W(more.factor) * more.number), ...);
      return static_cast<T>(sum / W(divisor));
    }
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

}  // namespace POLHODE_CORE
