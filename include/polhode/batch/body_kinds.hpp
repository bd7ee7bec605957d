// Which of many bodies are alike.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "polhode/body/body.hpp"

namespace POLHODE_CORE {

/// Bodies by their kind: alike are those with the same moments about the same axes. Places are numbered so that bodies of
/// one kind stand together, and kinds in the order in which they come first: bodies that all differ stay in their order, and what
/// goes through them goes through memory from its beginning to its end.
template <class T>
class BodyKinds {
 public:
  explicit BodyKinds(std::span<const Body<T>> bodies) : order_(bodies.size()), kinds_(bodies.size()) {
    std::vector<std::uint32_t> sorted(bodies.size());
    std::iota(sorted.begin(), sorted.end(), 0U);
    std::stable_sort(sorted.begin(), sorted.end(),
                     [&](std::uint32_t i, std::uint32_t j) { return is_before(bodies[i], bodies[j]); });
    // For each body the first one of its kind.
    std::vector<std::uint32_t> first_of(bodies.size());
    for (std::size_t i = 0; i < sorted.size(); ++i) {
      const bool is_new = i == 0 || is_before(bodies[sorted[i - 1]], bodies[sorted[i]]);
      first_of[sorted[i]] = is_new ? sorted[i] : first_of[sorted[i - 1]];
    }
    std::iota(order_.begin(), order_.end(), 0U);
    std::stable_sort(order_.begin(), order_.end(),
                     [&](std::uint32_t i, std::uint32_t j) { return first_of[i] < first_of[j]; });
    for (std::size_t place = 0; place < order_.size(); ++place) {
      if (first_of[order_[place]] == order_[place]) different_.push_back(bodies[order_[place]]);
      kinds_[place] = static_cast<std::uint32_t>(different_.size() - 1);
    }
  }

  const std::vector<Body<T>>& different() const { return different_; }

  /// The place of each body.
  std::vector<std::uint32_t> places() const {
    std::vector<std::uint32_t> result(order_.size());
    for (std::size_t place = 0; place < order_.size(); ++place)
      result[order_[place]] = static_cast<std::uint32_t>(place);
    return result;
  }

  /// The kind at each place. Their number is made a multiple of `lanes`: the last kind fills what is left.
  std::vector<std::uint32_t> kind_at(std::size_t lanes) const {
    std::vector<std::uint32_t> result = kinds_;
    if (!result.empty()) result.resize((result.size() + lanes - 1) / lanes * lanes, result.back());
    return result;
  }

 private:
  static bool is_before(const Body<T>& a, const Body<T>& b) {
    if (a.moments().c != b.moments().c) return a.moments().c < b.moments().c;
    for (std::size_t i = 0; i < 9; ++i) {
      const Wide<T>&x = a.axes()[i / 3][i % 3], &y = b.axes()[i / 3][i % 3];
      if (!(x == y)) return x < y;
    }
    return false;
  }

  std::vector<std::uint32_t> order_;  // the body at each place, and its kind
  std::vector<std::uint32_t> kinds_;
  std::vector<Body<T>> different_;
};

}  // namespace POLHODE_CORE
