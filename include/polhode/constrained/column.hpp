// A column of numbers whose length is known to the compiler, or not.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

#include "polhode/arithmetic/scalar.hpp"

namespace POLHODE_CORE {

/// The length of a column that is known only when the program runs.
inline constexpr std::size_t dynamic_length = std::dynamic_extent;

/// n numbers. A known length lives in the object itself, so that a step allocates nothing; dynamic_length lives in a
/// std::vector. Both are made from their length, begin with zeros, and become a std::span, which is how systems see them.
template <class T, std::size_t n>
class Column {
 public:
  using Storage =
      std::conditional_t<n == dynamic_length, std::vector<T>, std::array<T, n == dynamic_length ? 0 : n>>;

  constexpr Column() : numbers_{} {}
  explicit constexpr Column([[maybe_unused]] std::size_t length) : numbers_{} {
    if constexpr (n == dynamic_length) numbers_.assign(length, T{});
  }

  constexpr std::size_t size() const { return numbers_.size(); }
  constexpr T& operator[](std::size_t i) { return numbers_[i]; }
  constexpr const T& operator[](std::size_t i) const { return numbers_[i]; }
  constexpr auto begin() { return numbers_.begin(); }
  constexpr auto end() { return numbers_.end(); }
  constexpr auto begin() const { return numbers_.begin(); }
  constexpr auto end() const { return numbers_.end(); }
  constexpr std::span<T> span() { return {numbers_.data(), numbers_.size()}; }
  constexpr std::span<const T> span() const { return {numbers_.data(), numbers_.size()}; }
  friend constexpr bool operator==(const Column&, const Column&) = default;

 private:
  Storage numbers_;
};

template <class To, class From, std::size_t n>
constexpr Column<To, n> convert(const Column<From, n>& a) {
  Column<To, n> result(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) result[i] = static_cast<To>(a[i]);
  return result;
}

/// The largest size of an entry; NaN where there is one.
template <class T, std::size_t n>
constexpr T largest(const Column<T, n>& a) {
  T result(0);
  for (const T& x : a)
    if (!(abs(x) <= result)) result = abs(x);
  return result;
}

/// Positions and momenta at one time.
template <class T, std::size_t n>
struct PhasePoint {
  Column<T, n> position;
  Column<T, n> momentum;

  constexpr PhasePoint() = default;
  explicit constexpr PhasePoint(std::size_t dimension) : position(dimension), momentum(dimension) {}
  friend constexpr bool operator==(const PhasePoint&, const PhasePoint&) = default;
};

template <class To, class From, std::size_t n>
constexpr PhasePoint<To, n> convert(const PhasePoint<From, n>& a) {
  PhasePoint<To, n> result;
  result.position = convert<To>(a.position);
  result.momentum = convert<To>(a.momentum);
  return result;
}

}  // namespace POLHODE_CORE

namespace polhode::constrained {
using core::PhasePoint;
}  // namespace polhode::constrained
