// The order and the effective error of schemes, from their coefficients alone.
#include "polhode/splitting/leading_error.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "polhode/splitting/own_scheme.hpp"

namespace polhode {

using namespace core;
namespace {

constexpr std::size_t size = 6;
using Square = std::array<std::array<double, size>, size>;

Square product(const Square& a, const Square& b) {
  Square result{};
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t k = 0; k < size; ++k)
      for (std::size_t j = 0; j < size; ++j) result[i][j] += a[i][k] * b[k][j];
  return result;
}

void add(Square& target, double factor, const Square& a) {
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t j = 0; j < size; ++j) target[i][j] += factor * a[i][j];
}

double largest(const Square& a) {
  double result = 0.0;
  for (const auto& row : a)
    for (const double x : row) result = std::max(result, std::abs(x));
  return result;
}

/// A polynomial in the step whose coefficients are matrices, from the power zero on.
using Polynomial = std::vector<Square>;

Polynomial exponential(const Square& a, std::size_t degree) {
  Square power{};
  for (std::size_t i = 0; i < size; ++i) power[i][i] = 1.0;
  Polynomial result{power};
  for (std::size_t k = 1; k <= degree; ++k) {
    Square next{};
    add(next, 1.0 / static_cast<double>(k), product(power, a));
    result.push_back(power = next);
  }
  return result;
}

Polynomial product(const Polynomial& a, const Polynomial& b) {
  Polynomial result(a.size());
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; i + j < a.size(); ++j) add(result[i + j], 1.0, product(a[i], b[j]));
  return result;
}

/// The bracket that the name stands for, "BAAB" for [B, [A, [A, B]]].
Square bracket(const std::string& name, const Square& a, const Square& b) {
  Square result = name.back() == 'A' ? a : b;
  for (std::size_t i = name.size() - 1; i-- > 0;) {
    const Square& letter = name[i] == 'A' ? a : b;
    Square next = product(letter, result);
    add(next, -1.0, product(result, letter));
    result = next;
  }
  return result;
}

/// Numbers from -0.5 to 0.5 without a pattern.
double some(int& count) {
  ++count;
  return std::fmod(count * count * std::numbers::phi, 1.0) - 0.5;
}

/// The error of one step of linear flows, in the power order + 1, without what the brackets say of it; the unit is the largest
/// bracket.
double missed(const Scheme& scheme, const LeadingError& error, const Square& a, const Square& b) {
  const auto degree = static_cast<std::size_t>(error.order) + 1;
  const std::vector<double> half = half_of<double>(scheme);
  Polynomial step = exponential(Square{}, degree);
  bool kick = scheme.first == Part::kick;
  for (std::size_t i = 0; i + 1 < 2 * half.size(); ++i) {
    Square scaled{};
    add(scaled, half[i < half.size() ? i : 2 * half.size() - 2 - i], kick ? b : a);
    step = product(step, exponential(scaled, degree));
    kick = !kick;
  }
  Square sum = a;
  add(sum, 1.0, b);
  Square rest = step[degree];
  add(rest, -1.0, exponential(sum, degree)[degree]);
  double unit = 0.0;
  for (std::size_t i = 0; i < error.brackets.size(); ++i) {
    const Square e = bracket(error.brackets[i], a, b);
    unit = std::max(unit, largest(e));
    add(rest, -error.coefficients[i], e);
  }
  return largest(rest) / unit;
}

TEST(LeadingError, HasTheOrderOfEveryScheme) {
  for (const Scheme& scheme : schemes) {
    const LeadingError error = leading_error(scheme);
    EXPECT_EQ(error.order, scheme.order) << scheme.name;
    EXPECT_LT(error.defect, 1e-14)
        << scheme.name;  // measured 5.4e-15, at 26 digits: the round-off of long sums
  }
}

TEST(LeadingError, NystromOrderIsHigherFromSixOn) {
  for (const Scheme& scheme : schemes)
    EXPECT_EQ(leading_error(scheme, false).order,
              scheme.name == "rkn6-11" || scheme.name == "rkn6-14" ? 4 : scheme.order)
        << scheme.name;
}

TEST(LeadingError, OfStrangIsExact) {
  const LeadingError kicks_outside = leading_error(scheme("strang"));
  EXPECT_EQ(kicks_outside.brackets, (std::vector<std::string>{"BAB", "AAB"}));
  EXPECT_NEAR(kicks_outside.coefficients[0], 1.0 / 24, 1e-16);
  EXPECT_NEAR(kicks_outside.coefficients[1], 1.0 / 12, 1e-16);
  EXPECT_NEAR(*kicks_outside.effective, std::sqrt(std::sqrt(5.0) / 24), 1e-15);
  const LeadingError kicks_inside = leading_error(OwnScheme({0.5}, {}));  // free, kick, nothing, kick, free
  EXPECT_NEAR(kicks_inside.coefficients[0], -1.0 / 12, 1e-16);
  EXPECT_NEAR(kicks_inside.coefficients[1], -1.0 / 24, 1e-16);
}

TEST(LeadingError, OfOneKickIsThatOfTheQuadrature) {
  // What is linear in the kick: the kicks are the weights of a quadrature, the free motions lead to its nodes. For yoshida-4 this
  // is (w (1 - w)^4/8 - 1/80)/24 with w = 1.3512...
  for (const Scheme& scheme : schemes) {
    const LeadingError error = leading_error(scheme);
    double moment = 0.0;
    const Stages<double> stages(scheme, 1.0);
    for (const auto& stage : stages.list())
      if (stage.part == Part::kick)
        moment += stage.length * std::pow(static_cast<double>(stage.time) - 0.5, error.order);
    const double expected =
        (moment - std::pow(0.5, error.order) / (error.order + 1)) / std::tgamma(error.order + 1);
    const std::string name = std::string(static_cast<std::size_t>(error.order), 'A') + "B";
    const auto found = std::find(error.brackets.begin(), error.brackets.end(), name);
    ASSERT_NE(found, error.brackets.end());
    EXPECT_NEAR(error.coefficients[static_cast<std::size_t>(found - error.brackets.begin())], expected, 2e-16)
        << scheme.name;
  }
}

TEST(LeadingError, IsThatOfLinearFlows) {
  int count = 0;
  Square a{}, b{};
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < size; ++j) {
      a[i][j] = some(count);
      b[i][j] = some(count);
    }
  }
  for (const Scheme& scheme : schemes) {
    LeadingError error = leading_error(scheme, false);
    // Measured 9e-16, and 5e-15 for order 8: the sums have terms a thousand times as large.
    EXPECT_LT(missed(scheme, error, a, b), error.order < 8 ? 2e-15 : 1e-14) << scheme.name;
    error.coefficients.front() += 1e-12;
    EXPECT_GT(missed(scheme, error, a, b), 3e-14) << scheme.name;
  }
}

TEST(LeadingError, OfNystromIsThatOfOscillators) {
  // q' = M p, p' = K q.
  int count = 0;
  Square a{}, b{};
  for (std::size_t i = 0; i < size / 2; ++i) {
    for (std::size_t j = 0; j < size / 2; ++j) {
      a[i][j + size / 2] = some(count);
      b[i + size / 2][j] = some(count);
    }
  }
  for (const Scheme& scheme : schemes)
    EXPECT_LT(missed(scheme, leading_error(scheme, true), a, b), scheme.order < 8 ? 1e-14 : 1e-13)
        << scheme.name;  // measured 5e-15 and 6e-14
}

TEST(LeadingError, EffectiveErrorIsThePublishedOne) {
  // [CZ08, appendix] prints 0.63 for rkn6-14. The basis and the algebra decide: brackets of Lyndon words give 0.68, the free algebra
  // has order 4.
  EXPECT_NEAR(*leading_error(scheme("rkn6-14")).effective, 0.63, 0.005);
  const std::map<std::string, double> known{
      {"strang", 0.3052},     {"yoshida-4", 1.3352},     {"suzuki-4", 0.9773},      {"mclachlan-4", 0.6227},
      {"rkn4-6", 0.2911},     {"blanes-moan-4", 0.5593}, {"yoshida-6", 2.5140},     {"kahan-li-6", 2.2914},
      {"rkn6-11", 0.7834},    {"rkn6-14", 0.6282},       {"blanes-moan-6", 1.1181}, {"mclachlan-8", 3.9258},
      {"kahan-li-8", 3.2907}, {"aba-6-2", 0.2252},       {"aba-8-2", 0.2331},       {"aba-10-4", 0.7073},
      {"aba-8-6-4", 0.6734},  {"aba-10-6-4", 0.6452}};
  EXPECT_EQ(known.size(), schemes.size());
  for (const auto& [name, effective] : known)
    EXPECT_NEAR(*leading_error(scheme(name)).effective, effective, 6e-5) << name;
}

TEST(LeadingError, BracketsAreAsManyAsThereAre) {
  // Witt's formula; and the dimensions of the algebra of kinetic and potential energy, McLachlan 1995.
  const std::vector<std::size_t> free{2, 1, 2, 3, 6, 9, 18, 30, 56, 99, 186},
      mechanics{2, 1, 2, 2, 4, 5, 10, 14, 25, 39, 69};
  const auto sizes = [](bool quadratic) {
    std::vector<std::size_t> result;
    for (const BracketBasis& basis : bracket_bases(11, quadratic)) result.push_back(basis.names().size());
    return result;
  };
  EXPECT_EQ(sizes(false), free);
  EXPECT_EQ(sizes(true), mechanics);
}

/// The weights of Strang steps: five times the same composition, the middle one backwards, has two orders more [Suz90].
std::vector<double> five_times(const std::vector<double>& weights, int order) {
  const double outer = 1.0 / (4.0 - std::pow(4.0, 1.0 / (order + 1)));
  std::vector<double> result;
  for (const double factor : {outer, outer, 1.0 - 4.0 * outer, outer, outer})
    for (const double w : weights) result.push_back(factor * w);
  return result;
}

OwnScheme of_strang_steps(const std::vector<double>& weights) {
  std::vector<double> a, b;
  for (std::size_t i = 0; i < weights.size() / 2; ++i) {
    a.push_back(((i == 0 ? 0.0 : weights[i - 1]) + weights[i]) / 2);
    b.push_back(weights[i]);
  }
  return {a, b};
}

TEST(LeadingError, KnowsOrdersUpToEight) {
  std::vector<double> weights{1.0};
  for (const int order : {4, 6, 8}) {
    weights = five_times(weights, order - 2);
    const LeadingError error = leading_error(of_strang_steps(weights));
    EXPECT_EQ(error.order, order);
    EXPECT_TRUE(error.effective.has_value());
  }
  const LeadingError beyond = leading_error(of_strang_steps(five_times(weights, 8)));
  EXPECT_EQ(beyond.order, 8);
  EXPECT_FALSE(beyond.effective.has_value());
  EXPECT_TRUE(beyond.coefficients.empty());
}

}  // namespace
}  // namespace polhode
