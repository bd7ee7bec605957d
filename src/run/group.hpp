// Simulations whose steps can be taken together with those of others.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "run/simulation.hpp"

namespace polhode::program {

/// Steps of several simulations that are taken together.
class StepGroup {
 public:
  StepGroup() = default;
  StepGroup(const StepGroup&) = delete;
  StepGroup& operator=(const StepGroup&) = delete;
  virtual ~StepGroup() = default;

  /// Of all; the contract is that of Simulation::advance.
  virtual void advance(std::int64_t count) = 0;
  /// What the simulation saves after as many steps.
  virtual std::vector<std::byte> save(std::size_t simulation) const = 0;
};

/// What a simulation is made of, for steps together with others of its sort.
class Groupable {
 public:
  Groupable() = default;
  Groupable(const Groupable&) = delete;
  Groupable& operator=(const Groupable&) = delete;
  virtual ~Groupable() = default;

  /// All of them, this one among them, from their beginnings; null if they cannot go together.
  virtual std::unique_ptr<StepGroup> group(std::span<const std::shared_ptr<const Groupable>> all) const = 0;
};

/// A simulation that knows what it is made of.
class GroupableSimulation final : public Simulation {
 public:
  GroupableSimulation(std::unique_ptr<Simulation> simulation, std::shared_ptr<const Groupable> groupable)
      : simulation_(std::move(simulation)), groupable_(std::move(groupable)) {}

  const std::shared_ptr<const Groupable>& groupable() const { return groupable_; }

  const Description& description() const override { return simulation_->description(); }
  std::int64_t preparation() const override { return simulation_->preparation(); }
  void prepare(std::int64_t count) override { simulation_->prepare(count); }
  void advance(std::int64_t count) override { simulation_->advance(count); }
  std::int64_t steps() const override { return simulation_->steps(); }
  double time() const override { return simulation_->time(); }
  EvaluationCounts evaluations() const override { return simulation_->evaluations(); }
  std::vector<std::byte> save() const override { return simulation_->save(); }
  void restore(std::span<const std::byte> bytes) override { simulation_->restore(bytes); }
  void look(Snapshot& snapshot) const override { simulation_->look(snapshot); }
  bool is_free() const override { return simulation_->is_free(); }
  void look_ahead(double length, Snapshot& snapshot) const override {
    simulation_->look_ahead(length, snapshot);
  }
  void advance_by(double length) override { simulation_->advance_by(length); }
  bool atoms(AtomFrame& frame) const override { return simulation_->atoms(frame); }

 private:
  std::unique_ptr<Simulation> simulation_;
  std::shared_ptr<const Groupable> groupable_;
};

/// Null if it does not know.
inline std::shared_ptr<const Groupable> groupable_of(const Simulation& simulation) {
  const auto* const known = dynamic_cast<const GroupableSimulation*>(&simulation);
  return known == nullptr ? nullptr : known->groupable();
}

}  // namespace polhode::program
