// Many free bodies at once.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "polhode/batch/body_kinds.hpp"
#include "polhode/batch/state_steps.hpp"
#include "polhode/body/rotating_body.hpp"
#include "polhode/stepping/bytes.hpp"
#include "polhode/stepping/clock.hpp"
#include "polhode/stepping/stepper.hpp"
#include "polhode/stepping/workers.hpp"

namespace POLHODE_CORE {

/// Free bodies that are stepped together by the exact flow: of one kind or each of its own, each in its own frame and
/// units. The bits are those of Rotor<Exact<T>, summation>, for any number of threads.
///
/// The sums stand side by side in memory, as structure of arrays, and stay so between calls; bodies of one kind stand together and
/// share their constants. The last parameter of the constructors is for programs that choose the instructions at run time.
template <class T, Summation summation>
class BatchOf {
 public:
  using W = Wide<T>;

  /// All of one kind. Throws InputError if a state is invalid.
  BatchOf(const Body<T>& body, std::span<const State<T>> states,
          const BatchFunctions& functions = compiled_batch_functions())
      : functions_(&select(functions)), bodies_{body} {
    fill(states);
    if (!states.empty()) make_kinds();
  }

  /// bodies[i] has states[i]. Throws InputError if a state is invalid, or if there are not as many of these as of those.
  BatchOf(std::span<const Body<T>> bodies, std::span<const State<T>> states,
          const BatchFunctions& functions = compiled_batch_functions())
      : functions_(&select(functions)) {
    if (bodies.size() != states.size()) throw InputError("there are not as many bodies as states");
    const BodyKinds<T> kinds(bodies);
    bodies_ = kinds.different();
    if (bodies_.size() > 1) {
      places_ = kinds.places();
      kind_at_ = kinds.kind_at(Block::lanes);
    }
    fill(states);
    if (!states.empty()) make_kinds();
  }

  std::size_t size() const { return units_.size(); }

  /// The length of the steps that follow, of either sign.
  void set_step(T step) { clock_.set_step(step); }
  /// The number of threads that may work; 0 means as many as the machine has. They are started by the first call that has work for them, and
  /// wait for the next one.
  void set_threads(unsigned threads) {
    if (threads != threads_) workers_.reset();
    threads_ = threads;
  }

  void advance(std::int64_t count = 1) {
    clock_.examine(count);
    if (count > 0 && !blocks_.empty()) advance_all(count);
    clock_.count(count);
  }
  void advance(T step, std::int64_t count) {
    set_step(step);
    advance(count);
  }

  W time() const { return clock_.time(); }
  std::int64_t steps_taken() const { return clock_.steps_taken(); }

  /// The state of body i in its user's frame and units; the attitude has norm one.
  State<T> state(std::size_t i) const { return rotor(i).state(); }
  State<W> wide_state(std::size_t i) const { return rotor(i).wide_state(); }
  Invariants<W> invariants(std::size_t i) const { return rotor(i).invariants(); }
  Vector<T> angular_velocity(std::size_t i) const { return rotor(i).angular_velocity(); }
  /// All states.
  std::vector<State<T>> state() const {
    std::vector<State<T>> result;
    result.reserve(size());
    for (std::size_t i = 0; i < size(); ++i) result.push_back(state(i));
    return result;
  }
  /// The energy of all bodies together, which do not know of each other.
  W energy() const {
    W sum(0.0);
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
  using Block = BlockOf<T, summation>;
  using Functions = polhode_shared::BlockFunctions<Block>;
  using Steps = PackSteps<T, summation>;
  using Member = RotatingBody<T, summation>;

  static const Functions& select(const BatchFunctions& functions) {
    if constexpr (std::same_as<T, float>) {
      return functions.of_float;
    } else if constexpr (summation == Summation::plain) {
      return functions.plain;
    } else {
      return functions.compensated;
    }
  }

  void fill(std::span<const State<T>> states) {
    units_.reserve(states.size());
    blocks_.resize((states.size() + Block::lanes - 1) / Block::lanes, at_rest());
    for (std::size_t i = 0; i < states.size(); ++i) {
      const Body<T>& body = body_of(i);
      const Member member(body, states[i]);
      units_.push_back(member.momentum_unit());
      Block& block = blocks_[place(i) / Block::lanes];
      const std::size_t lane = place(i) % Block::lanes;
      Steps::assign_to(block, lane, member.motion());
      const int exponent = member.momentum_unit() - body.inertia_exponent();
      block.units[0][lane] = std::ldexp(T(1), exponent / 2);
      block.units[1][lane] = std::ldexp(T(1), exponent - exponent / 2);
    }
  }

  void advance_all(std::int64_t count) {
    const polhode_shared::BatchJob<Block> job{kinds_.get(), blocks_.data(), clock_.step(), count};
    // A piece is worth it from about 20 microseconds on.
    const std::size_t piece =
        static_cast<std::size_t>(std::max<std::int64_t>(1, 2048 / std::min<std::int64_t>(count, 2048))) /
            Block::lanes +
        1;
    if (threads_ != 1 && blocks_.size() > piece && !workers_) workers_ = std::make_shared<Workers>(threads_);
    share_range(workers_.get(), blocks_.size(), piece,
                [&](std::size_t first, std::size_t last) { functions_->advance(job, first, last); });
  }

  void make_kinds() {
    std::vector<T> moments;
    moments.reserve(3 * bodies_.size());
    for (const Body<T>& body : bodies_)
      for (const T x : body.inertia().moments.c) moments.push_back(x);
    kinds_ = {functions_->make_kinds({moments.data(), bodies_.size(),
                                      kind_at_.empty() ? nullptr : kind_at_.data(), kind_at_.size()}),
              functions_->free_kinds};
  }

  static Block at_rest() {
    Block block{};
    for (std::size_t lane = 0; lane < Block::lanes; ++lane)
      Steps::assign_to(block, lane, Motion<T, summation>(State<T>{}));
    return block;
  }

  std::size_t place(std::size_t i) const { return places_.empty() ? i : places_[i]; }
  const Body<T>& body_of(std::size_t i) const { return bodies_[kind_at_.empty() ? 0 : kind_at_[place(i)]]; }

  Member rotor(std::size_t i) const {
    const std::size_t at = place(i);
    return {body_of(i), Steps::motion_of(blocks_[at / Block::lanes], at % Block::lanes), units_[i]};
  }

  const Functions* functions_;
  std::vector<Body<T>> bodies_;  // those that differ
  std::vector<std::uint32_t>
      places_;  // where each body stands, and what stands at each place; empty where there is one kind
  std::vector<std::uint32_t> kind_at_;
  std::vector<int> units_;  // of momentum, as exponents of two
  std::vector<Block> blocks_;
  std::shared_ptr<const void> kinds_;
  std::shared_ptr<Workers> workers_;  // copies share them; who comes second works alone
  StepClock<T> clock_;
  unsigned threads_ = 1;
};

/// With compensation: the bits of Rotor<Exact<double>>.
using Batch = BatchOf<double, Summation::compensated>;

/// Without it, of double or float, for speed alone: the bits of Rotor<Exact<T>, Summation::plain>.
template <class T = double>
using PlainBatch = BatchOf<T, Summation::plain>;

}  // namespace POLHODE_CORE

namespace polhode {
using core::Batch;
using core::PlainBatch;
}  // namespace polhode
