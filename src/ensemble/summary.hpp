// The summary of an ensemble, for a person and for a program.
#pragma once

#include "ensemble/statistics.hpp"

namespace polhode::program {

/// One component of the error of an invariant, over the members.
struct ErrorOverMembers {
  std::string name;                 ///< "energy", "spatial_momentum_1"
  EnsembleStatistics::Moments end;  ///< at the last sample
  double largest = 0;               ///< the largest size at the last sample
  double growth = 0;  ///< the exponent of time in the growth of the rms; NaN where there is none

  /// Near 1 for an error with a direction, 1/sqrt(members) for one by chance.
  double mean_to_rms() const;
};

struct EnsembleSummary {
  std::size_t completed = 0;
  std::vector<ErrorOverMembers> errors;
  /// For each invariant, the largest size at any look of any member; and that of the constraints.
  std::vector<double> max;
  double constraint_max = 0;
  double time = 0;  ///< of the last sample; NaN if the members differ
  /// The members that did not come to their end: the first of them in words.
  std::vector<std::string> failures;
  /// Of a small ensemble: the errors at the end of each member, a column for each invariant.
  std::vector<std::vector<double>> table;
};

/// Follows the members one after the other, and at the end sums up.
class EnsembleSummarizer {
 public:
  explicit EnsembleSummarizer(const EnsemblePlan& plan, const EnsembleLayout& layout);
  void add(std::size_t member, const MemberRecord& record);
  EnsembleSummary summary(const EnsembleStatistics& statistics) const;

 private:
  const EnsemblePlan* plan_;
  const EnsembleLayout* layout_;
  EnsembleSummary found_;
  std::vector<double> times_;
};

std::string ensemble_text(const EnsemblePlan& plan, const EnsembleLayout& layout,
                          const EnsembleSummary& summary);
std::string ensemble_json(const EnsemblePlan& plan, const EnsembleLayout& layout,
                          const EnsembleSummary& summary);

}  // namespace polhode::program
