// The adapter: any stepper of the core as a simulation.
#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "polhode/stepping/stepper.hpp"
#include "run/simulation.hpp"

namespace polhode::program {

/// Steps before the beginning: take(stepper, count) in parts, and finish(stepper) after the last of them.
template <class S>
struct Preparation {
  std::int64_t steps = 0;
  std::function<void(S& stepper, std::int64_t count)> take{};
  std::function<void(S& stepper)> finish{};
};

/// A stepper with a view, which says what there is to see of it: look(stepper, snapshot) and, for systems with atoms,
/// atoms(stepper, frame).
template <Stepper S, class View>
class SteppedSimulation final : public Simulation {
 public:
  SteppedSimulation(Description description, S stepper, View view, Preparation<S> preparation)
      : description_(std::move(description)),
        stepper_(std::move(stepper)),
        view_(std::move(view)),
        preparation_(std::move(preparation)) {}

  const Description& description() const override { return description_; }

  std::int64_t preparation() const override { return preparation_.steps; }
  void prepare(std::int64_t count) override {
    preparation_.take(stepper_, count);
    preparation_.steps -= count;
    if (preparation_.steps == 0) preparation_.finish(stepper_);
  }

  void advance(std::int64_t count) override { stepper_.advance(count); }
  std::int64_t steps() const override { return stepper_.steps_taken(); }
  double time() const override { return static_cast<double>(stepper_.time()); }
  EvaluationCounts evaluations() const override { return stepper_.evaluations(); }
  std::vector<std::byte> save() const override { return stepper_.save(); }
  void restore(std::span<const std::byte> bytes) override { stepper_.restore(bytes); }

  void look(Snapshot& snapshot) const override { look(stepper_, snapshot); }
  bool is_free() const override { return FreeStepper<S>; }
  void look_ahead(double length, Snapshot& snapshot) const override {
    if constexpr (FreeStepper<S>) {
      S stepper = stepper_;
      stepper.advance(length, 1);
      look(stepper, snapshot);
    }
  }
  void advance_by(double length) override {
    if constexpr (FreeStepper<S>) stepper_.advance(length, 1);
  }
  bool atoms(AtomFrame& frame) const override {
    if constexpr (requires { view_.atoms(stepper_, frame); }) {
      view_.atoms(stepper_, frame);
      return true;
    } else {
      return false;
    }
  }

 private:
  void look(const S& stepper, Snapshot& snapshot) const {
    snapshot.state.clear();
    snapshot.derived.clear();
    snapshot.invariants.clear();
    view_.look(stepper, snapshot);
  }

  Description description_;
  S stepper_;
  View view_;
  Preparation<S> preparation_;
};

/// The step of the description is set where the stepper leaves it free.
template <Stepper S, class View>
std::unique_ptr<Simulation> simulate(Description description, S stepper, View view,
                                     Preparation<S> preparation = {}) {
  if constexpr (FreeStepper<S>) stepper.set_step(description.step);
  return std::make_unique<SteppedSimulation<S, View>>(std::move(description), std::move(stepper),
                                                      std::move(view), std::move(preparation));
}

}  // namespace polhode::program
