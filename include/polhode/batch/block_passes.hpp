// Passes over the blocks of a batch that are put off until somebody looks at what they leave.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "polhode/core.hpp"

namespace POLHODE_CORE {

/// They are made together, some blocks at a time, which stay in the cache meanwhile: many bodies are more than it holds.
class BlockPasses {
 public:
  using Work = std::function<void(std::size_t first, std::size_t last)>;

  explicit BlockPasses(std::size_t blocks) : blocks_(blocks) {}

  /// `examine` is called when the passes are made, and may throw.
  void add(Work work, std::function<void()> examine = {}) {
    passes_.push_back({std::move(work), std::move(examine)});
  }
  /// Blocks whose number is then not zero wait here until `settle` is done, which is called if there are some.
  void hold(std::span<const std::uint8_t> numbers, std::function<void()> settle) {
    held_from_ = passes_.size();
    numbers_ = numbers;
    settle_ = std::move(settle);
  }

  /// threads(count, piece, work) shares work(first, last) among threads.
  template <class Threads>
  void make(const Threads& threads) {
    if (passes_.empty()) return;
    threads(blocks_, blocks_at_once, [&](std::size_t first, std::size_t last) {
      for (std::size_t some = first; some < last; some += blocks_at_once)
        make_some(some, std::min(last, some + blocks_at_once));
    });
    for (const Pass& pass : passes_)
      if (pass.examine) pass.examine();
    std::vector<std::size_t> held;
    for (std::size_t i = 0; i < numbers_.size(); ++i)
      if (numbers_[i] != 0) held.push_back(i);
    if (!held.empty()) {
      settle_();
      threads(held.size(), blocks_at_once, [&](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i)
          for (std::size_t k = held_from_; k < passes_.size(); ++k) passes_[k].work(held[i], held[i] + 1);
      });
      for (std::size_t k = held_from_; k < passes_.size(); ++k)
        if (passes_[k].examine) passes_[k].examine();
    }
    *this = BlockPasses(blocks_);
  }

 private:
  static constexpr std::size_t blocks_at_once = 64;
  struct Pass {
    Work work;
    std::function<void()> examine;
  };

  void make_some(std::size_t first, std::size_t last) const {
    for (std::size_t k = 0; k < passes_.size(); ++k) {
      if (k < held_from_ || numbers_.empty()) {
        passes_[k].work(first, last);
        continue;
      }
      for (std::size_t i = first; i < last;) {
        std::size_t end = i;
        while (end < last && numbers_[end] == 0) ++end;
        if (end > i) passes_[k].work(i, end);
        i = end + 1;
      }
    }
  }

  std::size_t blocks_;
  std::vector<Pass> passes_;
  std::size_t held_from_ = 0;
  std::span<const std::uint8_t> numbers_;
  std::function<void()> settle_;
};

}  // namespace POLHODE_CORE
