// Many free bodies at once.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "polhode/batch/parallel_for.hpp"
#include "polhode/batch/state_steps.hpp"
#include "polhode/body/rotating_body.hpp"
#include "polhode/stepping/bytes.hpp"
#include "polhode/stepping/clock.hpp"
#include "polhode/stepping/stepper.hpp"

namespace polhode::core {

/// Free bodies that are stepped together by the exact flow, compensated: of one kind or each of its own, each in its own
/// frame and units. The bits are those of Rotor<Exact<double>>, for any number of threads.
///
/// The sums stand side by side in memory, as structure of arrays, and stay so between calls. The last parameter of the
/// constructors is for programs that choose the instructions at run time.
class Batch {
 public:
  /// All of one kind. Throws InputError if a state is invalid.
  Batch(const Body<double>& body, std::span<const State<double>> states,
        const BatchFunctions& functions = compiled_batch_functions())
      : Batch({&body, 1}, states, functions, true) {}

  /// bodies[i] has states[i]. Throws InputError if a state is invalid, or if there are not as many of these as of those.
  Batch(std::span<const Body<double>> bodies, std::span<const State<double>> states,
        const BatchFunctions& functions = compiled_batch_functions())
      : Batch(bodies, states, functions, false) {}

  std::size_t size() const { return units_.size(); }

  /// The length of the steps that follow, of either sign.
  void set_step(double step) { clock_.set_step(step); }
  /// The number of threads that may work; 0 means as many as the machine has. Fewer are started where they would not be
  /// worth it.
  void set_threads(unsigned threads) { threads_ = threads; }

  void advance(std::int64_t count = 1) {
    clock_.examine(count);
    if (count == 0) return;
    const polhode_shared::BatchJob job{kinds_.get(), blocks_.data(), clock_.step(), count};
    parallel_for(blocks_.size(), threads_,
                 [&](std::size_t first, std::size_t last) { functions_->advance(job, first, last); });
    clock_.count(count);
  }
  void advance(double step, std::int64_t count) {
    set_step(step);
    advance(count);
  }

  DoubleDouble time() const { return clock_.time(); }
  std::int64_t steps_taken() const { return clock_.steps_taken(); }

  /// The state of body i in its user's frame and units; the attitude has norm one.
  State<double> state(std::size_t i) const { return rotor(i).state(); }
  State<DoubleDouble> wide_state(std::size_t i) const { return rotor(i).wide_state(); }
  Invariants<DoubleDouble> invariants(std::size_t i) const { return rotor(i).invariants(); }
  /// All states.
  std::vector<State<double>> state() const {
    std::vector<State<double>> result;
    result.reserve(size());
    for (std::size_t i = 0; i < size(); ++i) result.push_back(state(i));
    return result;
  }
  /// The energy of all bodies together, which do not know of each other.
  DoubleDouble energy() const {
    DoubleDouble sum = 0.0;
    for (std::size_t i = 0; i < size(); ++i) sum += invariants(i).energy;
    return sum;
  }

  EvaluationCounts evaluations() const { return {}; }

  std::vector<std::byte> save() const {
    detail::ByteWriter writer;
    writer.put(clock_);
    writer.put(std::span(units_));
    writer.put(std::span(blocks_));
    return writer.take();
  }
  void restore(std::span<const std::byte> bytes) {
    const std::size_t size =
        sizeof(clock_) + std::span(units_).size_bytes() + std::span(blocks_).size_bytes();
    detail::ByteReader reader(bytes, size);
    reader.get(clock_);
    reader.get(std::span(units_));
    reader.get(std::span(blocks_));
  }

 private:
  using Block = polhode_shared::BatchBlock;
  using Member = RotatingBody<double, Summation::compensated>;

  Batch(std::span<const Body<double>> bodies, std::span<const State<double>> states,
        const BatchFunctions& functions, bool one_kind)
      : functions_(&functions), bodies_(bodies.begin(), bodies.end()) {
    if (!one_kind && bodies.size() != states.size())
      throw InputError("there are not as many bodies as states");
    units_.reserve(states.size());
    blocks_.resize((states.size() + Block::lanes - 1) / Block::lanes, at_rest());
    for (std::size_t i = 0; i < states.size(); ++i) {
      const Body<double>& body = bodies[one_kind ? 0 : i];
      const Member rotor(body, states[i]);
      units_.push_back(rotor.momentum_unit());
      Block& block = blocks_[i / Block::lanes];
      const std::size_t lane = i % Block::lanes;
      PackSteps::assign_to(block, lane, rotor.motion());
      const int exponent = rotor.momentum_unit() - body.inertia_exponent();
      block.units[0][lane] = std::ldexp(1.0, exponent / 2);
      block.units[1][lane] = std::ldexp(1.0, exponent - exponent / 2);
    }
    if (!states.empty()) kinds_ = make_kinds(functions, bodies);
  }

  static Block at_rest() {
    Block block{};
    for (std::size_t lane = 0; lane < Block::lanes; ++lane)
      PackSteps::assign_to(block, lane, Motion<double, Summation::compensated>(State<double>{}));
    return block;
  }

  Member rotor(std::size_t i) const {
    return {bodies_[bodies_.size() == 1 ? 0 : i],
            PackSteps::motion_of(blocks_[i / Block::lanes], i % Block::lanes), units_[i]};
  }

  const BatchFunctions* functions_;
  std::vector<Body<double>> bodies_;  // one, or one for each state
  std::vector<int> units_;            // of momentum, as exponents of two
  std::vector<Block> blocks_;
  std::shared_ptr<const void> kinds_;
  StepClock<double> clock_;
  unsigned threads_ = 1;
};

}  // namespace polhode::core

namespace polhode {
using core::Batch;
}  // namespace polhode
