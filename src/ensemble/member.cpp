#include "ensemble/member.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <numeric>

#include "ensemble/stepped_ahead.hpp"
#include "polhode/error.hpp"
#include "run/group.hpp"
#include "run/interrupt.hpp"
#include "run/progress.hpp"
#include "scenario/error.hpp"
#include "systems/registry.hpp"
#include "text/text.hpp"
#include "work/work.hpp"

namespace polhode::program {

namespace {

/// A refusal of one member, with its number and values.
[[noreturn]] void refuse(const EnsemblePlan& plan, std::size_t member, const ScenarioError& e) {
  throw ScenarioError(e.source(), e.key(),
                      fmt::format("{} (member {}: {})", e.reason(), member, plan.values_text(member)));
}

struct Built {
  std::unique_ptr<Scenario> scenario;
  std::unique_ptr<Simulation> simulation;
};

Built built(const EnsemblePlan& plan, std::size_t member) {
  try {
    Built result{std::make_unique<Scenario>(plan.member(member)), nullptr};
    result.simulation = build(*result.scenario);
    if (!result.scenario->events().empty() || !result.scenario->output().keys().empty())
      throw ScenarioError(plan.file(), result.scenario->events().empty() ? "output" : "event",
                          "an ensemble has samples, and follows neither events nor times of its own");
    return result;
  } catch (const ScenarioError& e) {
    refuse(plan, member, e);
  }
}

std::size_t size_of(const std::vector<Quantity>& quantities) {
  std::size_t size = 0;
  for (const Quantity& q : quantities) size += q.size;
  return size;
}

/// Where each number of the layout's row stands in the row of a member; -1 if the member does not have it.
std::vector<std::ptrdiff_t> places(const EnsembleLayout& layout, const Description& description) {
  std::vector<std::ptrdiff_t> result;
  const std::vector<Quantity> own = recorded_quantities(description);
  for (const Quantity& wanted : layout.row) {
    std::ptrdiff_t first = 0, found = -1;
    for (const Quantity& q : own) {
      if (q.name == wanted.name && q.size == wanted.size) found = first;
      first += static_cast<std::ptrdiff_t>(q.size);
    }
    for (std::size_t i = 0; i < wanted.size; ++i)
      result.push_back(found < 0 ? -1 : found + static_cast<std::ptrdiff_t>(i));
  }
  return result;
}

void require_same_state(const EnsemblePlan& plan, const EnsembleLayout& layout, const Description& d,
                        std::size_t member) {
  const auto same = [](const Quantity& a, const Quantity& b) { return a.name == b.name && a.size == b.size; };
  const auto& wanted = layout.description.state;
  if (!std::equal(wanted.begin(), wanted.end(), d.state.begin(), d.state.end(), same))
    throw ScenarioError(plan.file(), "ensemble.vary",
                        fmt::format("the state of member {} has other quantities than that of member 0 ({})",
                                    member, plan.values_text(member)));
}

/// Puts the rows of a run into the record.
class RowsOfMember final : public Recorder {
 public:
  RowsOfMember(MemberRecord record, std::vector<std::ptrdiff_t> places, std::size_t rows)
      : record_(record), places_(std::move(places)), rows_(rows) {}

  void record(std::span<const double> row) override {
    put(row, record_.last());
    if (count_ < rows_) put(row, record_.row(count_++));
  }
  std::size_t count() const { return count_; }

 private:
  void put(std::span<const double> row, std::span<double> target) const {
    for (std::size_t i = 0; i < target.size(); ++i)
      target[i] = places_[i] < 0 ? not_a_number : row[static_cast<std::size_t>(places_[i])];
  }

  MemberRecord record_;
  std::vector<std::ptrdiff_t> places_;
  std::size_t rows_, count_ = 0;
};

void stop_before_the_first(const EnsemblePlan& plan) {
  if (InterruptGuard::interrupted())
    throw RunError(plan.file() + ": interrupted before the first member was run");
}

/// The steps of all members, without what is costly about building them.
struct Steps {
  std::int64_t least = std::numeric_limits<std::int64_t>::max(), divisor = 0;
  bool same = true, same_time = true;
};

Steps steps_of(const EnsemblePlan& plan) {
  Steps result;
  std::int64_t first_steps = 0;
  double first_time = 0.0;
  Progress progress(plan.file() + ": examining the members");
  for (std::size_t i = 0; i < plan.members(); ++i) {
    if (i % 64 == 0) {
      stop_before_the_first(plan);
      progress.update(static_cast<double>(i) / static_cast<double>(plan.members()));
    }
    try {
      Scenario scenario(plan.member(i));
      scenario.read_steps();
      const std::int64_t steps = scenario.steps();
      const double time = static_cast<double>(steps) * scenario.step();
      if (i == 0) {
        first_steps = steps;
        first_time = time;
      }
      result.least = std::min(result.least, steps);
      result.divisor = std::gcd(result.divisor, steps);
      result.same = result.same && steps == first_steps;
      result.same_time = result.same_time && std::abs(time - first_time) <= 1e-12 * std::abs(first_time);
    } catch (const ScenarioError& e) {
      refuse(plan, i, e);
    }
  }
  return result;
}

/// A member that is built, run as it is or as another simulation that does the same.
void run_built(const EnsemblePlan& plan, const EnsembleLayout& layout, std::size_t member, const Built& own,
               Simulation& simulation, std::span<double> record,
               const std::function<void(double)>& advanced) {
  const Description& d = simulation.description();
  require_same_state(plan, layout, d, member);
  std::fill(record.begin(), record.end(), not_a_number);
  const MemberRecord numbers(layout, record);
  RowsOfMember rows(numbers, places(layout, d), layout.rows());
  RunOptions options;
  options.steps = own.scenario->steps();
  options.samples = layout.samples;
  options.recorder = &rows;
  options.alone = false;
  options.advanced = advanced;
  const RunResult result = run(simulation, options);
  if (result.ending == Ending::interrupted) throw Interrupted{};

  numbers.ending() = static_cast<double>(result.ending);
  numbers.steps() = static_cast<double>(result.steps);
  numbers.constraint() = result.constraint_max;
  for (std::size_t i = 0; i < layout.description.invariants.size(); ++i)
    for (const InvariantError& e : result.errors)
      if (e.quantity.name == layout.description.invariants[i].name) numbers.largest()[i] = e.max;
  numbers.set_failure(result.failure);
  // A run that stops ends with a row of its last step, which is not that of a sample.
  for (std::size_t k = 0; k < layout.rows(); ++k) {
    const bool reached =
        sample_step(options.steps, layout.samples, static_cast<std::int64_t>(k)) <= result.steps;
    if (!reached || k >= rows.count()) std::fill(numbers.row(k).begin(), numbers.row(k).end(), not_a_number);
  }
}

/// The steps of all members of a group, saved at the samples. Where one of them cannot be taken it ends: each member then finds
/// out by itself how far it comes.
void step_together(StepGroup& group, std::int64_t steps, std::int64_t samples, std::vector<SavedSteps>& saved,
                   const std::function<void(double)>& advanced) {
  constexpr std::int64_t piece = 32;  // short enough that a signal is noticed
  std::int64_t done = 0;
  try {
    for (std::int64_t k = 1; k <= samples; ++k) {
      const std::int64_t target = sample_step(steps, samples, k);
      while (done < target) {
        stop_if_interrupted();
        const std::int64_t count = std::min(piece, target - done);
        group.advance(count);
        done += count;
      }
      for (std::size_t i = 0; i < saved.size(); ++i) saved[i].add(done, group.save(i));
      if (advanced) advanced(static_cast<double>(done) / static_cast<double>(steps));
    }
  } catch (const MotionError&) {
    // What was saved is good.
  }
}

}  // namespace

std::size_t EnsembleLayout::record_size() const {
  return 3 + description.invariants.size() + (rows() + 1) * row_size + MemberRecord::failure_size;
}

std::string MemberRecord::failure() const {
  std::string text(8 * failure_size, '\0');
  std::memcpy(text.data(), record_.data() + record_.size() - failure_size, text.size());
  return text.substr(0, text.find('\0'));
}

void MemberRecord::set_failure(const std::string& text) const {
  std::string padded = text;
  padded.resize(8 * failure_size);
  std::memcpy(record_.data() + record_.size() - failure_size, padded.data(), padded.size());
}

EnsembleLayout layout_of(const EnsemblePlan& plan, std::int64_t every) {
  constexpr auto patience = std::chrono::seconds(5);
  const auto start = std::chrono::steady_clock::now();
  EnsembleLayout layout;
  const auto warn = [&](const Built& member) {
    for (const std::string& w : member.scenario->warnings())
      if (layout.warnings.size() < 5 &&
          std::find(layout.warnings.begin(), layout.warnings.end(), w) == layout.warnings.end())
        layout.warnings.push_back(w);
  };
  {
    const Built first = built(plan, 0);
    layout.description = first.simulation->description();
    warn(first);
  }
  layout.row = recorded_quantities(layout.description);
  layout.row_size = size_of(layout.row);
  const Steps steps = steps_of(plan);
  layout.steps = steps.same ? steps.least : 0;
  layout.samples = std::min(plan.samples(), steps.least);
  if (every > 0) {
    if (!steps.same)
      throw ScenarioError("--every", "",
                          "the members have different numbers of steps: give ensemble.samples");
    if (steps.least % every != 0)
      throw ScenarioError("--every", "",
                          fmt::format("must divide the {} steps of a member, not be {}", steps.least, every));
    layout.samples = steps.least / every;
  }
  // Sample k is at step floor(k steps / samples); without the floor that is at one time for all.
  layout.one_clock = steps.same_time && (steps.same || steps.divisor % layout.samples == 0);
  for (std::size_t i = 1; i < plan.members() && std::chrono::steady_clock::now() - start < patience; ++i) {
    const Built member = built(plan, i);
    require_same_state(plan, layout, member.simulation->description(), i);
    warn(member);
    stop_before_the_first(plan);
  }
  return layout;
}

void run_member(const EnsemblePlan& plan, const EnsembleLayout& layout, std::size_t member,
                std::span<double> record, const std::function<void(double)>& advanced) {
  const Built own = built(plan, member);
  run_built(plan, layout, member, own, *own.simulation, record, advanced);
}

void run_members(const EnsemblePlan& plan, const EnsembleLayout& layout, std::span<const std::size_t> members,
                 std::span<std::vector<double>> records, const std::function<void(double)>& advanced) {
  std::vector<Built> own;
  std::vector<std::shared_ptr<const Groupable>> groupable;
  for (const std::size_t member : members) {
    own.push_back(built(plan, member));
    groupable.push_back(groupable_of(*own.back().simulation));
    stop_if_interrupted();
  }
  const bool alike = std::ranges::all_of(groupable, [](const auto& one) { return one != nullptr; }) &&
                     std::ranges::all_of(own, [&](const Built& one) {
                       return one.scenario->steps() == own[0].scenario->steps();
                     });
  const std::unique_ptr<StepGroup> group = alike ? groupable[0]->group(groupable) : nullptr;
  const double all = static_cast<double>(members.size());
  // Their steps come first, and are most of the work where they go together.
  std::vector<SavedSteps> saved(members.size());
  if (group) step_together(*group, own[0].scenario->steps(), layout.samples, saved, advanced);
  for (std::size_t i = 0; i < members.size(); ++i) {
    const auto part = [&](double done) { advanced((static_cast<double>(i) + done) / all); };
    if (group) {
      SteppedAhead simulation(*own[i].simulation, saved[i]);
      run_built(plan, layout, members[i], own[i], simulation, records[i], {});
    } else {
      run_built(plan, layout, members[i], own[i], *own[i].simulation, records[i], part);
    }
    own[i] = {};
    saved[i] = {};
  }
}

}  // namespace polhode::program
