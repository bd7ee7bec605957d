// A motion that can be stepped, looked at, and put back: what the runner sees of any system and any method.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "polhode/arithmetic/double_double.hpp"

namespace polhode::program {

/// A named number or vector of numbers.
struct Quantity {
  std::string name;
  std::size_t size = 1;
  int first_index = 1;  ///< of its components: momentum_1, but attitude_0
  std::string meaning;  ///< with its unit
  bool summary = true;  ///< whether its final value belongs to the summary of a run, or to the rows only
};

/// What a simulation is, and the layout of what it shows.
struct Description {
  std::string system;
  std::string method;
  std::string details;  ///< of the method, where its name does not say all: "aba-8-6-4 with exact"
  bool compensated = false;
  double step = 0.0;
  std::vector<Quantity> state;       ///< recorded at every sample
  std::vector<Quantity> derived;     ///< follows from the state; recorded after everything else
  std::vector<Quantity> invariants;  ///< what the motion conserves
};

/// The numbers of the quantities, one after the other.
struct Snapshot {
  std::vector<double> state;
  std::vector<double> derived;
  std::vector<DoubleDouble> invariants;  ///< in extended precision: measuring must not drown what is measured
  double constraint = 0.0;               ///< how far the constraints are missed
};

/// Everything that the future of a simulation depends on.
struct Checkpoint {
  std::int64_t steps = 0;
  std::vector<std::byte> motion;
};

/// What the steps so far have asked for.
struct Evaluations {
  std::int64_t force = 0;
  std::int64_t constraint = 0;
};

class Simulation {
 public:
  Simulation() = default;
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;
  virtual ~Simulation() = default;

  virtual const Description& description() const = 0;

  /// How the steps are divided among the calls makes no difference, to the last bit. Throws MotionError if one of the
  /// steps cannot be taken; then none has been.
  void advance(std::int64_t count) {
    move(count);
    steps_ += count;
  }
  std::int64_t steps() const { return steps_; }
  double time() const { return static_cast<double>(steps_) * description().step; }

  /// Into an existing snapshot, whose memory is used again. Throws MotionError if the last step cannot be completed.
  virtual void look(Snapshot& snapshot) const = 0;
  Snapshot look() const {
    Snapshot result;
    look(result);
    return result;
  }

  /// A simulation that counts keeps the counts in its checkpoints, because steps are rehearsed for their time.
  virtual Evaluations evaluations() const { return {}; }

  /// A simulation continued from a checkpoint gives the same bits as one that was never interrupted.
  Checkpoint save() const { return {steps_, motion_bytes()}; }
  void restore(const Checkpoint& checkpoint) {
    take_motion_bytes(checkpoint.motion);
    steps_ = checkpoint.steps;
  }

 private:
  virtual void move(std::int64_t count) = 0;
  virtual std::vector<std::byte> motion_bytes() const = 0;
  virtual void take_motion_bytes(const std::vector<std::byte>& bytes) = 0;

  std::int64_t steps_ = 0;
};

}  // namespace polhode::program
