// Explicit symmetric multistep methods for q'' = a(q), as data: everything follows from the polynomial rho.
//
//   sum_j alpha_j q_{n+j} = h^2 sum_j beta_j a_{n+j}                                        [CH13 (4)]
//
// sigma is the polynomial of degree below k for which rho(z)/log(z)^2 - sigma(z) vanishes to the order k at z = 1; for
// a symmetric rho of even degree k it is symmetric too, the method is explicit, and its order is k.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "polhode/constrained/exact_integer.hpp"

namespace POLHODE_CORE {

/// The coefficients of one method, integers with two common denominators [CH13 section 2.2]. A table that exists is
/// symmetric, stable and of the order k: what is not does not become one.
class MultistepTable {
 public:
  static constexpr int max_steps = 16;

  /// From alpha_0, ..., alpha_k: integers, up to a common factor.
  static constexpr MultistepTable from_alpha(std::span<const std::int64_t> alpha) {
    Polynomial rho{};
    if (alpha.size() < 3 || alpha.size() > rho.size())
      throw InputError("a multistep method has 2 to 16 steps");
    for (std::size_t j = 0; j < alpha.size(); ++j) rho[j] = alpha[j];
    return MultistepTable(rho, static_cast<int>(alpha.size()) - 1);
  }

  /// From rho(z) = (z - 1)^2 prod_j (z^2 + 2 a_j z + 1) [CH13 section 3.2].
  static constexpr MultistepTable from_roots(std::span<const Fraction> roots) {
    Polynomial rho{1, -2, 1};
    if (roots.size() > 7) throw InputError("a multistep method has at most 7 roots");
    for (std::size_t j = 0; j < roots.size(); ++j) {
      if (!(Fraction(-1) < roots[j] && roots[j] < Fraction(1)))
        throw InputError("root [" + std::to_string(j) +
                         "] is not between -1 and 1: z^2 + 2 a z + 1 would have a zero off "
                         "the unit circle, or a double one");
      if (std::find(roots.begin(), roots.begin() + static_cast<std::ptrdiff_t>(j), roots[j]) !=
          roots.begin() + static_cast<std::ptrdiff_t>(j))
        throw InputError("root [" + std::to_string(j) + "] appears twice: the method would be unstable");
      rho = times(rho, {roots[j].denominator(), roots[j].numerator() * 2, roots[j].denominator()});
    }
    return MultistepTable(rho, 2 * static_cast<int>(roots.size()) + 2);
  }
  static MultistepTable from_roots(std::span<const double> roots) {
    std::vector<Fraction> fractions;
    for (const double a : roots) fractions.push_back(Fraction::decimal(a));
    return from_roots(fractions);
  }

  constexpr int steps() const { return steps_; }
  constexpr int order() const { return steps_; }
  /// alpha_scale() alpha_j, where alpha_k = 1.
  constexpr std::int64_t alpha(int j) const { return alpha_[index(j)]; }
  /// alpha_scale() times the coefficient j of rho(z)/(z - 1), where the last is 1 and the first -1.
  constexpr std::int64_t hat_alpha(int j) const { return hat_alpha_[index(j)]; }
  constexpr std::int64_t alpha_scale() const { return alpha_[index(steps_)]; }
  /// beta_scale() beta_j.
  constexpr std::int64_t beta(int j) const { return beta_[index(j)]; }
  constexpr std::int64_t beta_scale() const { return beta_scale_; }
  /// Whether the nonzero zeros of sigma, too, lie on the unit circle and are simple. With constraints the positions are
  /// given by g(q) = 0, and the equation is one for the multipliers, with sigma in the place of rho [CHL13]: where this
  /// fails they grow exponentially, whatever the step size. SY8 and its like fail.
  constexpr bool stable_with_constraints() const { return stable_with_constraints_; }
  friend constexpr bool operator==(const MultistepTable&, const MultistepTable&) = default;

 private:
  using Polynomial = std::array<ExactInteger, max_steps + 1>;
  using Integers = std::array<std::int64_t, max_steps + 1>;

  static constexpr std::size_t index(int j) { return static_cast<std::size_t>(j); }

  constexpr MultistepTable(Polynomial rho, int k) : steps_(k) {
    ExactInteger common = 0;
    for (const ExactInteger& c : rho) common = gcd(common, c);
    if (common == 0) throw InputError("rho is zero");
    if (rho[index(k)] < 0) common = -common;
    for (ExactInteger& c : rho) c = c / common;
    check_symmetry(rho, k);
    const Polynomial hat = divided(rho, k), inner = divided(hat, k - 1);
    if (!simple_on_circle(inner, k - 2))
      throw InputError(
          "rho has zeros off the unit circle, or multiple ones besides 1: the method would be unstable");
    const auto [sigma, scale] = sigma_of(rho, k);
    check_order(rho, sigma, scale, k);
    Polynomial sigma_over_z{};
    for (int j = 1; j < k; ++j) sigma_over_z[index(j - 1)] = sigma[index(j)];
    stable_with_constraints_ = simple_on_circle(sigma_over_z, k - 2);
    for (int j = 0; j <= k; ++j) {
      alpha_[index(j)] = rho[index(j)].exact_in_double();
      hat_alpha_[index(j)] = hat[index(j)].exact_in_double();
      beta_[index(j)] = sigma[index(j)].exact_in_double();
    }
    beta_scale_ = scale.exact_in_double();
  }

  static constexpr Polynomial times(const Polynomial& a, const std::array<ExactInteger, 3>& b) {
    Polynomial product{};
    for (std::size_t i = 0; i < a.size(); ++i)
      for (std::size_t j = 0; j < 3; ++j)
        if (a[i] != 0 && b[j] != 0) product[i + j] += a[i] * b[j];
    return product;
  }

  /// a(z)/(z - 1) for a polynomial of the degree n.
  static constexpr Polynomial divided(const Polynomial& a, int n) {
    Polynomial quotient{};
    ExactInteger carry = 0;
    for (int j = n; j >= 1; --j) quotient[index(j - 1)] = carry = carry + a[index(j)];
    if (carry + a[0] != 0)
      throw InputError("1 is not a double zero of rho: the method would not be consistent");
    return quotient;
  }

  static constexpr void check_symmetry(const Polynomial& rho, int k) {
    if (k % 2 != 0) throw InputError("rho has an odd degree");
    for (int j = 0; j <= k; ++j)
      if (rho[index(j)] != rho[index(k - j)]) throw InputError("the coefficients of rho are not symmetric");
    if (rho[index(k)] == 0) throw InputError("the last coefficient of rho is zero");
  }

  /// Whether all zeros of a symmetric polynomial of the even degree n lie on the unit circle and are simple: with
  /// y = z + 1/z it is a polynomial of half the degree in y, which has that many changes of sign in (-2, 2).
  static constexpr bool simple_on_circle(const Polynomial& a, int n) {
    SignChanges count(a, n / 2);
    return count.between_ends() == n / 2;
  }
  /// Counts the changes of sign on a grid of 2^12 cells, and leaves out the points that a bound of the slope makes
  /// needless: the compiler, which does this for every source that includes the named methods, is slow at it.
  class SignChanges {
   public:
    constexpr SignChanges(const Polynomial& a, int half) : half_(half) {
      for (int j = 0; j <= half; ++j) {
        coefficients_[index(j)] = coefficient(a, half + j);
        // The derivative of z^j + z^-j by y is at most j^2 for y in (-2, 2).
        slope_ += (coefficients_[index(j)] < 0 ? -coefficients_[index(j)] : coefficients_[index(j)]) * j * j;
      }
    }
    /// Those between -2 and 2; -1 if an end is a zero.
    constexpr int between_ends() {
      const double left = value(-2.0), right = value(2.0);
      if (left == 0.0 || right == 0.0) return -1;
      last_ = left;
      walk(-2.0, left, 2.0, right, 12);
      return changes_;
    }

   private:
    constexpr double value(double y) const {  // z^-half a(z) by Chebyshev's recursion for z^j + z^-j
      double previous = 2.0, current = y, sum = coefficients_[0];
      for (int j = 1; j <= half_; ++j) {
        sum += coefficients_[index(j)] * current;
        const double next = y * current - previous;
        previous = current;
        current = next;
      }
      return sum;
    }
    constexpr void walk(double from, double left, double to, double right, int halvings) {
      const bool no_zero = (left > 0.0 && right > 0.0 && left + right > slope_ * (to - from)) ||
                           (left < 0.0 && right < 0.0 && left + right < -slope_ * (to - from));
      if (halvings > 0 && !no_zero) {
        const double middle = (from + to) / 2, between = value(middle);
        walk(from, left, middle, between, halvings - 1);
        walk(middle, between, to, right, halvings - 1);
        return;
      }
      if (right == 0.0) return;
      if ((right < 0.0) != (last_ < 0.0)) ++changes_;
      last_ = right;
    }

    std::array<double, max_steps / 2 + 1> coefficients_{};
    double slope_ = 0.0, last_ = 0.0;
    int half_, changes_ = 0;
  };
  static constexpr double coefficient(const Polynomial& a, int j) {
    return static_cast<double>(a[index(j)].exact_in_double());
  }

  struct Scaled {
    Polynomial numerators{};
    ExactInteger scale;
  };

  /// The series (x/log(1 + x))^2 = c_0 + c_1 x + ..., over a common denominator.
  static constexpr Scaled inverse_square_logarithm(int k) {
    std::array<Fraction, max_steps> inverse{}, squared{};
    ExactInteger scale = 1;
    for (int n = 0; n < k; ++n) {  // log(1 + x)/x = sum (-x)^n/(n + 1)
      inverse[index(n)] = n == 0 ? 1 : 0;
      for (int i = 1; i <= n; ++i)
        inverse[index(n)] -= inverse[index(n - i)] * Fraction(i % 2 == 0 ? 1 : -1, i + 1);
    }
    for (int n = 0; n < k; ++n) {
      for (int i = 0; i <= n; ++i) squared[index(n)] += inverse[index(i)] * inverse[index(n - i)];
      scale = lcm(scale, squared[index(n)].denominator());
    }
    Scaled result{{}, scale};
    for (int n = 0; n < k; ++n)
      result.numerators[index(n)] = squared[index(n)].numerator() * (scale / squared[index(n)].denominator());
    return result;
  }

  /// b(x) = a(1 + x), or a(x - 1) for the sign -1.
  static constexpr Polynomial shifted(Polynomial a, int n, int sign) {
    for (int i = 0; i < n; ++i)
      for (int j = n - 1; j >= i; --j) a[index(j)] += a[index(j + 1)] * sign;
    return a;
  }

  static constexpr Scaled sigma_of(const Polynomial& rho, int k) {
    const Polynomial shift = shifted(rho, k, 1);  // x^2 (r_0 + r_1 x + ...)
    const Scaled series = inverse_square_logarithm(k);
    Polynomial product{};
    for (int n = 0; n < k; ++n)
      for (int i = 0; i <= n && i <= k - 2; ++i)
        product[index(n)] += shift[index(i + 2)] * series.numerators[index(n - i)];
    Scaled sigma{shifted(product, k - 1, -1), series.scale * rho[index(k)]};
    ExactInteger common = sigma.scale;
    for (const ExactInteger& c : sigma.numerators) common = gcd(common, c);
    for (ExactInteger& c : sigma.numerators) c = c / common;
    sigma.scale = sigma.scale / common;
    return sigma;
  }

  /// Exact for all polynomials of degree k + 1: sum alpha_j j^m = m (m - 1) sum beta_j j^(m - 2).
  static constexpr void check_order(const Polynomial& rho, const Polynomial& sigma, const ExactInteger& scale,
                                    int k) {
    if (sigma[0] != 0 || sigma[index(k)] != 0) throw InputError("the method is not explicit");
    for (int j = 0; j <= k; ++j)
      if (sigma[index(j)] != sigma[index(k - j)])
        throw InputError("the coefficients of sigma are not symmetric");
    for (int m = 0; m <= k + 1; ++m) {
      ExactInteger left = 0, right = 0;
      for (int j = 0; j <= k; ++j) {
        left += rho[index(j)] * centred_power(2 * j - k, m);
        if (m >= 2) right += sigma[index(j)] * centred_power(2 * j - k, m - 2) * (4 * m * (m - 1));
      }
      if (left * scale != right * rho[index(k)])
        throw InputError("the method does not have the order of its steps");
    }
  }
  static constexpr ExactInteger centred_power(int base, int exponent) {
    ExactInteger result = 1;
    for (int i = 0; i < exponent; ++i) result *= base;
    return result;
  }

  int steps_;
  Integers alpha_{}, hat_alpha_{}, beta_{};
  std::int64_t beta_scale_ = 1;
  bool stable_with_constraints_ = false;
};

/// The coefficients hat delta of [CH13 (7)]: the velocity at a grid point from 2 l ones on the staggered grid, to order 2 l.
class MomentumTable {
 public:
  static constexpr int max_half_width = 8;

  explicit constexpr MomentumTable(int half_width) : half_width_(half_width) {
    if (half_width < 1 || half_width > max_half_width)
      throw InputError("the momentum formula takes l from 1 to 8");
    std::array<Fraction, 2 * max_half_width> values{};
    ExactInteger scale = 1;
    Fraction sum = 0;
    // delta_j = (-1)^(j+1) (l!)^2/(j (l-j)! (l+j)!) is antisymmetric, and hat delta_{j-1} the sum of those from j on.
    for (int j = half_width; j >= 1; --j) {
      Fraction delta(j % 2 == 0 ? -1 : 1, j);
      for (int i = 1; i <= j; ++i) delta = delta * Fraction(half_width - j + i, half_width + i);
      sum += delta;
      values[static_cast<std::size_t>(half_width + j - 1)] =
          values[static_cast<std::size_t>(half_width - j)] = sum;
      scale = lcm(scale, sum.denominator());
    }
    for (int j = 0; j < 2 * half_width; ++j) {
      const Fraction& value = values[static_cast<std::size_t>(j)];
      numerators_[static_cast<std::size_t>(j)] =
          (value.numerator() * (scale / value.denominator())).exact_in_double();
    }
    scale_ = scale.exact_in_double();
  }

  constexpr int half_width() const { return half_width_; }
  /// scale() hat delta_j for j = -l, ..., l - 1.
  constexpr std::int64_t operator[](int j) const {
    return numerators_[static_cast<std::size_t>(j + half_width_)];
  }
  /// scale() delta_j for j = -l, ..., l, of [CH13 (5)] times h.
  constexpr std::int64_t delta(int j) const {
    const std::int64_t left = j > -half_width_ ? (*this)[j - 1] : 0;
    return left - (j < half_width_ ? (*this)[j] : 0);
  }
  constexpr std::int64_t scale() const { return scale_; }

 private:
  int half_width_;
  std::array<std::int64_t, 2 * max_half_width> numerators_{};
  std::int64_t scale_ = 1;
};

}  // namespace POLHODE_CORE

namespace polhode::constrained {
using core::MultistepTable;
}  // namespace polhode::constrained
