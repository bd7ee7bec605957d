// Many free bodies at once.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "polhode/batch/shares.hpp"
#include "polhode/batch/state_steps.hpp"
#include "polhode/free_motion/free_rotor.hpp"

namespace polhode {

/// Free bodies that are stepped together by the exact flow, compensated: of one kind or each of its own, each in its own
/// frame and units. The bits are those of FreeRotor<Exact<double>>, for any number of threads.
///
/// The sums stand side by side in memory, as structure of arrays, and stay so between calls. The last parameter of the
/// constructors is for programs that choose the instructions at run time.
class Batch {
 public:
  /// All of one kind. Throws InputError if a state is not one.
  Batch(const Body<double>& body, std::span<const State<double>> states,
        const BatchFunctions& functions = compiled_batch_functions())
      : Batch({&body, 1}, states, functions, true) {}

  /// bodies[i] has states[i]. Throws InputError if a state is not one, or if there are not as many of these as of those.
  Batch(std::span<const Body<double>> bodies, std::span<const State<double>> states,
        const BatchFunctions& functions = compiled_batch_functions())
      : Batch(bodies, states, functions, false) {}

  std::size_t size() const { return units_.size(); }

  /// Steps of one length, of any sign; threads = 0 means as many as the machine has. Fewer are started where they would not
  /// be worth it.
  void steps(double h, std::int64_t count, unsigned threads = 1) {
    if (count <= 0) return;
    const polhode_shared::BatchJob job{kinds_.get(), blocks_.data(), h, count};
    in_shares(blocks_.size(), threads,
              [&](std::size_t first, std::size_t last) { functions_->advance(job, first, last); });
  }

  /// The state of body i in its user's frame and units; the attitude has norm one.
  State<double> state(std::size_t i) const { return rotor(i).state(); }
  State<DoubleDouble> wide_state(std::size_t i) const { return rotor(i).wide_state(); }
  Invariants<DoubleDouble> invariants(std::size_t i) const { return rotor(i).invariants(); }

 private:
  using Block = polhode_shared::BatchBlock;
  using Member = Rotor<double, Summation::compensated>;

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
};

}  // namespace polhode
