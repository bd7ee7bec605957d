// Steps of many bodies that act on each other, by a splitting scheme.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "polhode/splitting/composition.hpp"
#include "polhode/splitting/own_scheme.hpp"
#include "polhode/stepping/bytes.hpp"
#include "polhode/stepping/stepper.hpp"

namespace POLHODE_CORE {

/// What a System of bodies has as a stepper. The steps are taken on a copy of its sums, trial_, so that a failure leaves what was.
///
/// The System is a friend of its own base, and has: sums(), the vector of Sums that it is; move(length) and kick(length, time), the two
/// flows of trial_; keep_in_range(), which looks at the norms of the attitudes there; write_sums and read_sums, for bytes.
///
/// Neighbouring stages of two steps are joined: looking synchronizes a copy, and how the steps are divided among the calls makes no
/// difference to the last bit.
template <class System, Scalar T, class Sums>
class TrialSteps {
 public:
  using W = Wide<T>;

  /// The length of the steps that follow, of either sign; zero moves nothing. Throws MotionError if the last step cannot be
  /// completed.
  void set_step(const T& step) {
    clock_.examine_step(step);
    if (!(step == clock_.step())) synchronize_now();
    clock_.set_step(step);
    prepare();
  }

  /// Throws MotionError where a force is not finite or the system refuses it; nothing has moved then.
  void advance(std::int64_t count = 1) {
    clock_.examine(count);
    if (count == 0) return;
    trial_ = system().sums();
    SplittingClock<T> clock = clock_;
    const std::int64_t evaluations = evaluations_;
    try {
      const auto [free, kick] = flows();
      for (std::int64_t i = 0; i < count; ++i) {
        if (clock.step() == T(0)) {
          clock.count(1);
          continue;
        }
        take_steps(stages_, clock, 1, free, kick);
        if (!joins()) synchronize(stages_, clock, free, kick);
        if (clock.steps_taken() % steps_between_rescaling == 0) system().keep_in_range();
      }
    } catch (const MotionError&) {
      evaluations_ = evaluations;
      throw;
    }
    system().sums().swap(trial_);
    clock_ = clock;
  }
  void advance(const T& step, std::int64_t count) {
    clock_.examine_step(step);
    examine_count(count);
    if (count == 0) return;
    if (step == clock_.step()) {
      set_step(step);
      return advance(count);
    }
    // All or none: what a change of the step synchronizes is taken back with the steps.
    const std::vector<std::byte> before = save();
    try {
      set_step(step);
      advance(count);
    } catch (...) {
      restore(before);
      throw;
    }
  }

  W time() const { return clock_.time(); }
  std::int64_t steps_taken() const { return clock_.steps_taken(); }

  /// How often the forces were asked for.
  EvaluationCounts evaluations() const { return {evaluations_, 0}; }

  std::vector<std::byte> save() const {
    detail::ByteWriter writer;
    writer.put(clock_);
    writer.put(evaluations_);
    system().write_sums(writer);
    return writer.take();
  }
  void restore(std::span<const std::byte> bytes) {
    detail::ByteReader reader(bytes, save().size());
    reader.get(clock_);
    reader.get(evaluations_);
    system().read_sums(reader);
    prepare();
  }

 protected:
  explicit TrialSteps(const Scheme& scheme) : scheme_(scheme) {}

  /// Completes the last step.
  void synchronize_now() {
    if (clock_.put_off == 0) return;
    trial_ = system().sums();
    SplittingClock<T> clock = clock_;
    const auto [free, kick] = flows();
    synchronize(stages_, clock, free, kick);
    system().sums().swap(trial_);
    clock_ = clock;
  }

  OwnScheme scheme_;
  std::vector<Sums> trial_;
  int order_ = 0;  // of the method of the rotation; 0: exact
  SplittingClock<T> clock_;
  std::int64_t evaluations_ = 0;

 private:
  /// The norm of an attitude grows by little more than a factor of one in a stage.
  static constexpr std::int64_t steps_between_rescaling = 64;

  System& system() { return static_cast<System&>(*this); }
  const System& system() const { return static_cast<const System&>(*this); }

  void prepare() {
    const T& step = clock_.step();
    if (!(step == T(0)) && (stages_.list().empty() || !(stages_.step() == step)))
      stages_ = Stages<T>(scheme_, step);
  }
  bool joins() const { return order_ == 0 || scheme_->first == Part::kick; }
  auto flows() {
    return std::pair{[this](const T& length) { system().move(length); },
                     [this](const T& length, const W& time) {
                       ++evaluations_;
                       system().kick(length, time);
                     }};
  }

  Stages<T> stages_;
};

}  // namespace POLHODE_CORE
