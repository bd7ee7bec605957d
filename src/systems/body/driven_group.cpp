// Steps of many bodies under torque together, as a batch.
#include <memory>
#include <vector>

#include "batch/instruction_set.hpp"
#include "polhode/batch/driven_batch.hpp"
#include "systems/body/driven_body.hpp"

namespace polhode::program {

namespace {

class DrivenGroup final : public StepGroup {
 public:
  explicit DrivenGroup(DrivenBatch batch) : batch_(std::move(batch)) {}

  void advance(std::int64_t count) override { batch_.advance(count); }
  std::vector<std::byte> save(std::size_t simulation) const override { return batch_.save(simulation); }

 private:
  DrivenBatch batch_;
};

class GroupableBody final : public Groupable {
 public:
  explicit GroupableBody(DrivenSetup setup) : setup_(std::move(setup)) {}

  const DrivenSetup& setup() const { return setup_; }

  std::unique_ptr<StepGroup> group(std::span<const std::shared_ptr<const Groupable>> all) const override {
    std::vector<Body<double>> bodies;
    std::vector<State<double>> states;
    std::vector<TorqueList<double>> torques;
    for (const auto& one : all) {
      const auto* const other = dynamic_cast<const GroupableBody*>(one.get());
      if (other == nullptr || !goes_with(other->setup_)) return nullptr;
      bodies.push_back(other->setup_.driven.body);
      states.push_back(other->setup_.driven.initial);
      torques.push_back(list_of_parts(other->setup_.driven.parts));
    }
    try {
      DrivenBatch batch(bodies, states, torques, setup_.scheme, {}, DoubleDouble(setup_.driven.time),
                        batch_functions());
      batch.set_step(setup_.step);
      return std::make_unique<DrivenGroup>(std::move(batch));
    } catch (const InputError&) {
      return nullptr;  // things of other kinds act on one of them
    }
  }

 private:
  bool goes_with(const DrivenSetup& other) const {
    const Scheme &mine = setup_.scheme, &theirs = other.scheme;
    return other.step == setup_.step && other.driven.time == setup_.driven.time &&
           mine.first == theirs.first && mine.order == theirs.order &&
           half_of<DoubleDouble>(mine) == half_of<DoubleDouble>(theirs);
  }

  DrivenSetup setup_;
};

}  // namespace

std::shared_ptr<const Groupable> driven_groupable(const DrivenBody& driven, double step,
                                                  const SplittingChoice& choice) {
  if (!choice.scheme || choice.free.choice.name != "exact" || !choice.free.compensated) return nullptr;
  return std::make_shared<GroupableBody>(DrivenSetup{driven, step, *choice.scheme});
}

const DrivenSetup* driven_setup(const Simulation& simulation) {
  const auto* const body = dynamic_cast<const GroupableBody*>(groupable_of(simulation).get());
  return body == nullptr ? nullptr : &body->setup();
}

}  // namespace polhode::program
