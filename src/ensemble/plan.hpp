// A scenario with an [ensemble] table: how many members, and what differs between them.
#pragma once

#include "ensemble/variation.hpp"

namespace polhode::program {

/// Member i is a scenario that depends on the file and on i alone.
///
/// combine = "together" (the default): `members` of them; values and ranges go along with the members, one after the other.
/// combine = "grid": every combination of the values and ranges, `repeat` times; of the keys in their alphabetical order the
/// last goes fastest, and repetitions faster still. What is random each member draws for itself in both.
class EnsemblePlan {
 public:
  /// Throws ScenarioError.
  explicit EnsemblePlan(Document document);

  const std::string& file() const { return document_.name; }
  std::size_t members() const { return members_; }
  std::int64_t seed() const { return seed_; }
  std::int64_t samples() const { return samples_; }  ///< wanted, after the first
  const std::vector<Variation>& variations() const { return variations_; }

  Value value(const Variation& variation, std::size_t member) const;
  /// The member's scenario, as a file would say it.
  Document member(std::size_t member) const;
  /// What the member's keys are, for messages: `state.momentum = [1.0, 0.0, 0.0]`.
  std::string values_text(std::size_t member) const;
  /// Whether this key is one of those that vary.
  bool varies(std::string_view key) const;
  /// The whole of it, --set included, in TOML.
  std::string text() const;

 private:
  void read_together(Section& section);
  void read_grid(Section& section);
  void read_seed_and_samples(Section& section);

  Document document_;  ///< with [ensemble]
  Document base_;      ///< without it
  std::vector<Variation> variations_;
  bool grid_ = false;
  std::size_t members_ = 0, repeat_ = 1;
  std::int64_t seed_ = 1, samples_ = 100;
};

}  // namespace polhode::program
