// A simulation whose steps were taken before, together with those of others.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "run/simulation.hpp"

namespace polhode::program {

/// What a simulation saves after some of its steps.
class SavedSteps {
 public:
  /// In the order of the steps.
  void add(std::int64_t steps, std::vector<std::byte> bytes) { all_.emplace_back(steps, std::move(bytes)); }

  /// The last one after `from` and not after `to`; null if there is none.
  const std::vector<std::byte>* last_within(std::int64_t from, std::int64_t to) const {
    const std::vector<std::byte>* found = nullptr;
    for (auto one = std::lower_bound(all_.begin(), all_.end(), from + 1,
                                     [](const auto&a, std::int64_t steps) { return a.first < steps; });
         one != all_.end() && one->first <= to; ++one)
      found = &one->second;
    return found;
  }

 private:
  std::vector<std::pair<std::int64_t, std::vector<std::byte>>> all_;
};

/// Goes to what was saved when it is looked at, and steps itself only from there on: a step that cannot be taken is noticed then.
class SteppedAhead final : public Simulation {
 public:
  SteppedAhead(Simulation& simulation, const SavedSteps& saved) : simulation_(simulation), saved_(saved) {}

  const Description& description() const override { return simulation_.description(); }
  std::int64_t preparation() const override { return simulation_.preparation(); }
  void prepare(std::int64_t count) override { simulation_.prepare(count); }

  void advance(std::int64_t count) override { put_off_ += count; }
  std::int64_t steps() const override { return simulation_.steps() + put_off_; }
  double time() const override { return now().time(); }
  EvaluationCounts evaluations() const override { return now().evaluations(); }
  std::vector<std::byte> save() const override { return now().save(); }
  void restore(std::span<const std::byte> bytes) override {
    simulation_.restore(bytes);
    put_off_ = 0;
  }
  void look(Snapshot& snapshot) const override { now().look(snapshot); }

 private:
  Simulation& now() const {
    if (put_off_ == 0) return simulation_;
    const std::int64_t target = steps();
    if (const auto* const bytes = saved_.last_within(simulation_.steps(), target)) {
      simulation_.restore(*bytes);
      put_off_ = target - simulation_.steps();
    }
    simulation_.advance(put_off_);
    put_off_ = 0;
    return simulation_;
  }

  Simulation& simulation_;
  const SavedSteps& saved_;
  mutable std::int64_t put_off_ = 0;
};

}  // namespace polhode::program
