// Brackets of two vector fields: bases of the free Lie algebra, and of the one of mechanics.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "polhode/core.hpp"

namespace POLHODE_CORE {

/// A homogeneous polynomial of degree n in two letters that do not commute, A and B: a coefficient for each of the 2^n words.
/// The bits of an index are the letters of its word, 0 for A, the first letter in the highest place.
using Words = std::vector<double>;

/// A series of such polynomials, of degree 0, 1, 2 and so on.
using WordSeries = std::vector<Words>;

namespace detail {

inline WordSeries word_series(int degree) {
  WordSeries result;
  for (int n = 0; n <= degree; ++n) result.emplace_back(std::size_t{1} << n, 0.0);
  return result;
}

/// target += factor a b
inline void add_product(Words& target, double factor, const Words& a, const Words& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] == 0.0) continue;
    for (std::size_t j = 0; j < b.size(); ++j) target[i * b.size() + j] += factor * a[i] * b[j];
  }
}

inline Words bracket(const Words& a, const Words& b) {
  Words result(a.size() * b.size(), 0.0);
  add_product(result, 1.0, a, b);
  add_product(result, -1.0, b, a);
  return result;
}

/// series exp(length X) for the letter X.
inline WordSeries times_flow(const WordSeries& series, bool letter, double length) {
  WordSeries result = series;
  for (std::size_t n = 0; n < series.size(); ++n) {
    double factor = 1.0;
    for (std::size_t k = 1; n + k < series.size(); ++k) {
      factor *= length / static_cast<double>(k);
      const std::size_t tail = letter ? (std::size_t{1} << k) - 1 : 0;
      for (std::size_t i = 0; i < series[n].size(); ++i)
        result[n + k][(i << k) + tail] += factor * series[n][i];
    }
  }
  return result;
}

/// The logarithm of a series that begins with one.
inline WordSeries logarithm(const WordSeries& series) {
  const int degree = static_cast<int>(series.size()) - 1;
  WordSeries result = word_series(degree), power = word_series(degree);
  power[0][0] = 1.0;
  for (int k = 1; k <= degree; ++k) {
    WordSeries next = word_series(degree);
    for (std::size_t i = 0; i < power.size(); ++i)
      for (std::size_t j = 1; i + j < power.size(); ++j) add_product(next[i + j], 1.0, power[i], series[j]);
    power = std::move(next);
    const double factor = (k % 2 == 1 ? 1.0 : -1.0) / k;
    for (std::size_t n = 0; n < power.size(); ++n)
      for (std::size_t i = 0; i < power[n].size(); ++i) result[n][i] += factor * power[n][i];
  }
  return result;
}

/// The words of Lyndon, less than all that they end with: their coefficients determine a sum of brackets.
inline std::vector<std::uint32_t> lyndon_words(int degree) {
  std::vector<std::uint32_t> result;
  for (std::uint32_t word = 0; word < (1u << degree); ++word) {
    bool least = true;
    for (int end = 1; end < degree && least; ++end) {
      const std::uint32_t ending = word & ((1u << end) - 1), beginning = word >> (degree - end);
      least = beginning < ending;
    }
    if (least) result.push_back(word);
  }
  return result;
}

/// Vectors that are independent of each other, as an echelon.
class Echelon {
 public:
  /// Takes the vector in if it is independent of those that are there.
  bool take(std::vector<double> v) {
    double size = 0.0;
    for (const double x : v) size = std::max(size, std::abs(x));
    for (const auto& [pivot, row] : rows_) {
      const double factor = v[pivot] / row[pivot];
      if (factor == 0.0) continue;
      for (std::size_t i = 0; i < v.size(); ++i) v[i] -= factor * row[i];
      v[pivot] = 0.0;
    }
    const auto largest =
        std::max_element(v.begin(), v.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
    // The entries are small integers: what is left of a dependent vector is rounding.
    if (largest == v.end() || !(std::abs(*largest) > 1e-6 * size)) return false;
    const auto pivot = static_cast<std::size_t>(largest - v.begin());
    rows_.emplace_back(pivot, std::move(v));
    return true;
  }

 private:
  std::vector<std::pair<std::size_t, std::vector<double>>> rows_;
};

}  // namespace detail

/// The brackets of one degree that are independent of each other.
///
/// The bracket "BAAB" is [B, [A, [A, B]]]. Those of degree n are [B, E] and then [A, E] for each E of degree n - 1, without
/// those that depend on the ones before. With this basis the effective error that [CZ08] prints comes out.
///
/// The Lie algebra is the free one, or that of mechanics, where A is a kinetic energy quadratic in the momenta and B a
/// potential. There the bracket of m times A and n times B is a polynomial of degree m - n + 1 in the momenta, and zero
/// where that is negative.
class BracketBasis {
 public:
  BracketBasis(int degree, std::vector<std::string> names, const std::vector<Words>& brackets,
               const std::vector<Words>& zeros)
      : words_(detail::lyndon_words(degree)), names_(std::move(names)) {
    for (const Words& bracket : brackets) columns_.push_back(coordinates(bracket));
    for (const Words& zero : zeros) columns_.push_back(coordinates(zero));
  }

  const std::vector<std::string>& names() const { return names_; }

  /// The coefficients of a sum of brackets in this basis.
  std::vector<double> coefficients(const Words& sum) const {
    const std::size_t n = columns_.size();
    std::vector<double> x = coordinates(sum);
    std::vector<std::vector<double>> rows(n, std::vector<double>(n));
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) rows[i][j] = columns_[j][i];
    for (std::size_t k = 0; k < n; ++k) {
      std::size_t pivot = k;
      for (std::size_t i = k + 1; i < n; ++i)
        if (std::abs(rows[i][k]) > std::abs(rows[pivot][k])) pivot = i;
      std::swap(rows[k], rows[pivot]);
      std::swap(x[k], x[pivot]);
      for (std::size_t i = k + 1; i < n; ++i) {
        const double factor = rows[i][k] / rows[k][k];
        if (factor == 0.0) continue;
        for (std::size_t j = k; j < n; ++j) rows[i][j] -= factor * rows[k][j];
        x[i] -= factor * x[k];
      }
    }
    for (std::size_t k = n; k-- > 0;) {
      for (std::size_t j = k + 1; j < n; ++j) x[k] -= rows[k][j] * x[j];
      x[k] /= rows[k][k];
    }
    x.resize(names_.size());
    return x;
  }

 private:
  std::vector<double> coordinates(const Words& sum) const {
    std::vector<double> result;
    for (const std::uint32_t word : words_) result.push_back(sum[word]);
    return result;
  }

  std::vector<std::uint32_t> words_;
  std::vector<std::string> names_;
  std::vector<std::vector<double>> columns_;  ///< of the brackets, then of what is zero
};

/// The bases of the degrees 1, 2, ..., `degree`.
inline std::vector<BracketBasis> bracket_bases(int degree, bool mechanics) {
  const std::vector<Words> letters{{1.0, 0.0}, {0.0, 1.0}};
  struct Named {
    std::string name;
    Words words;
  };
  // The brackets of the free algebra beside those of the other: they tell what is zero there.
  std::vector<Named> free{{"A", letters[0]}, {"B", letters[1]}}, chosen = free;
  std::vector<Words> zeros;
  std::vector<BracketBasis> bases{BracketBasis(1, {"A", "B"}, letters, {})};
  for (int n = 2; n <= degree; ++n) {
    const std::vector<std::uint32_t> lyndon = detail::lyndon_words(n);
    const auto take = [&](detail::Echelon& echelon, const Words& words) {
      std::vector<double> coordinates;
      for (const std::uint32_t word : lyndon) coordinates.push_back(words[word]);
      return echelon.take(std::move(coordinates));
    };
    const auto extended = [&](detail::Echelon& echelon, const std::vector<Named>& shorter) {
      std::vector<Named> result;
      for (const std::size_t letter : {std::size_t{1}, std::size_t{0}}) {
        for (const Named& e : shorter) {
          if (n == 2 && letter == 1) continue;  // [A, B], not [B, A]
          Words words = detail::bracket(letters[letter], e.words);
          if (take(echelon, words)) result.push_back({"AB"[letter] + e.name, std::move(words)});
        }
      }
      return result;
    };
    detail::Echelon echelon;
    free = extended(echelon, free);
    echelon = {};
    std::vector<Words> vanishing;
    const auto vanish = [&](Words words) {
      if (take(echelon, words)) vanishing.push_back(std::move(words));
    };
    if (mechanics) {
      for (const Words& zero : zeros)
        for (const Words& letter : letters) vanish(detail::bracket(letter, zero));
      for (const Named& e : free)
        if (2 * std::count(e.name.begin(), e.name.end(), 'B') > n + 1) vanish(e.words);
    }
    zeros = std::move(vanishing);
    chosen = mechanics ? extended(echelon, chosen) : free;
    std::vector<std::string> names;
    std::vector<Words> brackets;
    for (const Named& e : chosen) {
      names.push_back(e.name);
      brackets.push_back(e.words);
    }
    bases.emplace_back(n, std::move(names), brackets, zeros);
  }
  return bases;
}

}  // namespace POLHODE_CORE
