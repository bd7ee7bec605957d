// One member of an ensemble, run into a record of numbers.
#pragma once

#include <limits>
#include <span>

#include "ensemble/plan.hpp"
#include "run/runner.hpp"

namespace polhode::program {

/// The place of a number that a record or its statistics do not have.
inline constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// What all members record, and at which of their steps.
struct EnsembleLayout {
  Description description;    ///< of the first member
  std::vector<Quantity> row;  ///< the time, then what member 0 records
  std::size_t row_size = 0;
  std::int64_t samples = 0;  ///< after the first
  std::int64_t steps = 0;    ///< of each member; 0 if they differ
  bool one_clock = true;     ///< whether sample k is at the same time for all members, to rounding
  std::vector<std::string> warnings;

  std::size_t rows() const { return static_cast<std::size_t>(samples) + 1; }
  std::size_t record_size() const;
};

/// The numbers of a record, by name. A row that a member did not come to is NaN.
class MemberRecord {
 public:
  MemberRecord(const EnsembleLayout& layout, std::span<double> record) : layout_(&layout), record_(record) {}

  double& ending() const { return record_[0]; }  ///< an Ending
  double& steps() const { return record_[1]; }   ///< that were taken
  double& constraint() const { return record_[2]; }
  /// The largest size of each error, in the order of the description's invariants.
  std::span<double> largest() const { return record_.subspan(3, layout_->description.invariants.size()); }
  std::span<double> last() const {
    return record_.subspan(rows_begin() - layout_->row_size, layout_->row_size);
  }
  std::span<double> row(std::size_t k) const {
    return record_.subspan(rows_begin() + k * layout_->row_size, layout_->row_size);
  }
  /// Why it stopped, if it did; cut off where it is long.
  std::string failure() const;
  void set_failure(const std::string& text) const;

  static constexpr std::size_t failure_size = 32;  ///< numbers, of eight characters each

 private:
  std::size_t rows_begin() const { return 3 + layout_->description.invariants.size() + layout_->row_size; }

  const EnsembleLayout* layout_;
  std::span<double> record_;
};

/// Examines the members and says what they have in common. `every` (0: not given) counts steps instead of the plan's samples.
/// All are built, unless that takes longer than a few seconds; the rest is then examined when its turn comes.
/// Throws ScenarioError, which names the member.
EnsembleLayout layout_of(const EnsemblePlan& plan, std::int64_t every);

/// Runs a member. Throws ScenarioError as above, and Interrupted. `advanced` is told which part of it is done.
void run_member(const EnsemblePlan& plan, const EnsembleLayout& layout, std::size_t member,
                std::span<double> record, const std::function<void(double)>& advanced = {});

/// Several of them, whose steps are taken together where their system can do that: the records are the same.
void run_members(const EnsemblePlan& plan, const EnsembleLayout& layout, std::span<const std::size_t> members,
                 std::span<std::vector<double>> records, const std::function<void(double)>& advanced = {});

}  // namespace polhode::program
