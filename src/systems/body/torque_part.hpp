// The things that act on a body, as a scenario gives them: each acts, and says what there is to see and to conserve of it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "polhode/torque/torque_list.hpp"
#include "systems/body/free_methods.hpp"
#include "systems/body/rigid_body.hpp"
#include "systems/torque_kind.hpp"

namespace polhode::program {

/// A body under torque at a moment.
struct DrivenView : BodyView {
  DoubleDouble time;
  DoubleDouble kinetic_energy;  ///< without that of wheels relative to the body
  DoubleDouble potential_energy;

  DoubleDouble energy() const { return kinetic_energy + potential_energy; }
};

/// One of the things that act on a body. Virtual, so that the methods are compiled once and not once for each torque.
class TorquePart {
 public:
  TorquePart() = default;
  TorquePart(const TorquePart&) = delete;
  TorquePart& operator=(const TorquePart&) = delete;
  virtual ~TorquePart() = default;

  /// Enters the equations of motion. This object outlives them.
  virtual void act(Actions<double>& actions) const = 0;

  /// What it means for the energy: a potential that does not change in time, or nothing, keeps it. Without one that is known
  /// (a function that has none), the energy cannot even be said.
  enum class Energy { kept, changed, unknown };
  virtual Energy energy() const = 0;
  /// Whether it acts inside the body, and keeps the momentum in space: wheels, dissipation.
  virtual bool is_inside() const { return false; }

  /// What follows from the state, beyond what every body has.
  virtual std::vector<Quantity> derived() const { return {}; }
  virtual void derive(const DrivenView&, std::vector<double>&) const {}

  /// What is conserved beside the energy where nothing acts from outside but this; `wheels`: whether something acts inside.
  virtual std::vector<Quantity> invariants([[maybe_unused]] bool wheels) const { return {}; }
  virtual void measure(const DrivenView&, [[maybe_unused]] bool wheels, std::vector<DoubleDouble>&) const {}
};

/// The parts of one body.
using TorqueParts = std::vector<std::shared_ptr<const TorquePart>>;

/// A part of the program as a torque of the core.
struct SharedPart {
  std::shared_ptr<const TorquePart> part;

  void act(Actions<double>& actions) const { part->act(actions); }
};

TorqueList<double> list_of_parts(const TorqueParts& parts);

/// What there is to see and to conserve of several parts together.
class ActingView {
 public:
  explicit ActingView(TorqueParts parts);

  std::vector<Quantity> derived() const;
  void derive(const DrivenView& view, std::vector<double>& numbers) const;
  std::vector<Quantity> invariants() const;
  void measure(const DrivenView& view, std::vector<DoubleDouble>& numbers) const;

  /// Whether all potentials are known.
  bool knows_energy() const { return knows_energy_; }

 private:
  TorqueParts parts_;
  bool keeps_energy_ = true, knows_energy_ = true;
  bool wheels_ = false;
  std::shared_ptr<const TorquePart> only_;  ///< the one that acts from outside, where there is only one
  bool from_outside_ = false;
};

/// A torque of the core that attaches itself to a body, as a part.
template <class Torque>
class AttachedPart : public TorquePart {
 public:
  explicit AttachedPart(const Torque& torque) : torque_(torque) {}

  void act(Actions<double>& actions) const final { TorqueList<double>(torque_).act(actions); }

 protected:
  const Torque& torque() const { return torque_; }

 private:
  Torque torque_;
};

}  // namespace polhode::program
