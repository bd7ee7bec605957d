// One key of a scenario that differs from member to member of an ensemble.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scenario/key_path.hpp"
#include "scenario/section.hpp"

namespace polhode::program {

/// An entry of [ensemble.vary]: the key, and one of
///   values = [...], of any type;
///   range = {from, to, scale}, evenly spaced, both ends among them;
///   uniform = {from, to, scale}, normal = {mean, deviation}, random_direction = {norm}, random_rotation = true, drawn.
/// Numbers stand for themselves or, where the key is an array, for each of its entries.
class Variation {
 public:
  /// Throws ScenarioError.
  Variation(const Document& document, const Section& vary, const std::string& key);

  const KeyPath& key() const { return key_; }
  const std::string& distribution() const { return distribution_; }
  /// Whether it is drawn, or has its values in an order.
  bool is_random() const { return is_random_; }
  /// The number of `values`, or the `count` of a range; 0 if neither is given.
  std::size_t count() const { return count_; }

  /// Number `index` of `count` values in order.
  Value in_order(std::size_t index, std::size_t count) const;
  /// What the member draws.
  Value drawn(std::uint64_t seed, std::size_t member) const;

 private:
  void read_values(const Section& table);
  void read_interval(Section table);
  void read_normal(Section table);
  void read_direction(Section table);
  void read_rotation(const Section& table);
  std::vector<double> numbers(const Section& table, const std::string& key) const;
  double between(std::size_t component, double part) const;
  Value shaped(const std::vector<double>& components) const;
  std::size_t components() const { return length_.value_or(1); }

  KeyPath key_;
  std::string distribution_;
  bool is_random_ = false;
  std::size_t count_ = 0;
  std::optional<std::size_t> length_;  ///< of an array; a number has none
  const Value* given_ = nullptr;       ///< what the scenario itself says; used while the entry is read
  std::vector<Value> values_;
  std::vector<double> low_, high_;  ///< the ends of an interval, or mean and deviation
  double norm_ = 1.0;
  bool logarithmic_ = false, integer_ = false;
};

}  // namespace polhode::program
