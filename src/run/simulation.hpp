// Simulation: a motion of any system by any method, as the runner sees it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "polhode/arithmetic/double_double.hpp"
#include "polhode/stepping/evaluations.hpp"
#include "run/atoms.hpp"

namespace polhode::program {

/// A named number or vector of numbers.
struct Quantity {
  std::string name;
  std::size_t size = 1;
  int first_index = 1;  ///< of its components: momentum_1, but attitude_0
  std::string meaning;  ///< with its unit
  bool summary = true;  ///< whether its final value belongs to the summary of a run, or to the rows only
  bool vector = false;  ///< whether it is a vector also where its size is one

  bool is_number() const { return size == 1 && !vector; }
};

/// What is found of a splitting scheme that has no name, from its coefficients.
struct SchemeFigures {
  int order = 2;
  bool nystrom = false;  ///< whether the order needs kinetic energy that is quadratic in the momenta
  std::int64_t stages = 0;
  std::optional<double> effective_error{};  ///< none: not known, the order is that or higher
  std::optional<double>
      effective_error_nystrom{};  ///< the same where kinetic energy is quadratic in the momenta
};

/// What a simulation is, and the layout of what it shows.
struct Description {
  std::string system;
  std::string method;
  std::string details;  ///< of the method, where its name does not say all: "aba-8-6-4 with exact"
  std::optional<SchemeFigures> scheme{};  ///< of a splitting by coefficients that the scenario gives
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

class Simulation {
 public:
  Simulation() = default;
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;
  virtual ~Simulation() = default;

  virtual const Description& description() const = 0;

  /// The steps that are to be taken before the beginning, such as an equilibration: the runner takes them, in parts, before
  /// it looks for the first time. They do not count as steps of the motion.
  virtual std::int64_t preparation() const { return 0; }
  virtual void prepare([[maybe_unused]] std::int64_t count) {}

  /// The contract is that of polhode::Stepper: how the steps are divided among the calls makes no difference, to the last
  /// bit; if one of them cannot be taken, none has been, and MotionError says why.
  virtual void advance(std::int64_t count) = 0;
  virtual std::int64_t steps() const = 0;
  virtual double time() const = 0;
  virtual EvaluationCounts evaluations() const = 0;
  virtual std::vector<std::byte> save() const = 0;
  virtual void restore(std::span<const std::byte> bytes) = 0;

  /// Into an existing snapshot, whose memory is used again. Throws MotionError if the last step cannot be completed.
  virtual void look(Snapshot& snapshot) const = 0;
  Snapshot look() const {
    Snapshot result;
    look(result);
    return result;
  }

  /// Whether steps may have any length. Only then there are the two functions that follow.
  virtual bool is_free() const { return false; }
  /// What there is to see after one step of that length from here. Nothing moves.
  virtual void look_ahead([[maybe_unused]] double length, [[maybe_unused]] Snapshot& snapshot) const {}
  /// One step of that length. Those that follow have it, too.
  virtual void advance_by([[maybe_unused]] double length) {}

  /// The atoms at this moment, into a frame whose memory is used again; false for a system that has none.
  virtual bool atoms([[maybe_unused]] AtomFrame& frame) const { return false; }
};

}  // namespace polhode::program
