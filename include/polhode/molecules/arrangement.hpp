// Where a number of molecules of each kind is kept.
#pragma once

#include <utility>
#include <vector>

#include "polhode/arithmetic/pack.hpp"

namespace POLHODE_CORE {

/// Kind by kind, each from the beginning of a pack on.
class Arrangement {
 public:
  explicit Arrangement(std::vector<std::size_t> counts) : counts_(std::move(counts)) {
    for (const std::size_t count : counts_) {
      first_.push_back(slots_);
      numbers_.push_back(molecules_);
      slots_ += (count + Pack::width - 1) / Pack::width * Pack::width;
      molecules_ += count;
    }
  }
  std::size_t kinds() const { return counts_.size(); }
  std::size_t count(std::size_t kind) const { return counts_[kind]; }
  /// The first slot of a kind; a multiple of the width of a pack.
  std::size_t first(std::size_t kind) const { return first_[kind]; }
  std::size_t padded(std::size_t kind) const {
    return (kind + 1 < first_.size() ? first_[kind + 1] : slots_) - first_[kind];
  }
  /// The number of molecules of the kinds before.
  std::size_t before(std::size_t kind) const { return numbers_[kind]; }
  std::size_t slots() const { return slots_; }
  std::size_t molecules() const { return molecules_; }

 private:
  std::vector<std::size_t> counts_, first_, numbers_;
  std::size_t slots_ = 0, molecules_ = 0;
};

}  // namespace POLHODE_CORE
