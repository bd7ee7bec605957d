// The part that a system under torque adds to a body: the torque, and what there is to see and to conserve.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "polhode/torque/torque.hpp"
#include "systems/body/free_methods.hpp"
#include "systems/body/rigid_body.hpp"

namespace polhode::program {

/// A body under torque at a moment.
struct DrivenView : BodyView {
  DoubleDouble time;
  DoubleDouble potential_energy;

  const DoubleDouble& kinetic_energy() const { return free.energy; }
  DoubleDouble energy() const { return free.energy + potential_energy; }
};

/// The torque on one body, and the quantities of its system. Virtual, so that the methods are compiled once and not
/// once for each torque; a kick with its free motion takes some 120 ns this way, and 115 with the torque's own type.
class TorqueSystem {
 public:
  TorqueSystem() = default;
  TorqueSystem(const TorqueSystem&) = delete;
  TorqueSystem& operator=(const TorqueSystem&) = delete;
  virtual ~TorqueSystem() = default;

  virtual std::string name() const = 0;

  /// In the principal frame of the body, for attitudes of any norm: the functions of AttachedTorque and Conservative.
  virtual Vector<double> torque(const Quaternion<double>& attitude, const DoubleDouble& time) const = 0;
  virtual DoubleDouble potential(const Quaternion<DoubleDouble>& attitude,
                                 const DoubleDouble& time) const = 0;

  /// What follows from the state, beyond what every body has.
  virtual std::vector<Quantity> derived() const = 0;
  virtual void derive(const DrivenView& view, std::vector<double>& numbers) const = 0;

  virtual std::vector<Quantity> invariants() const = 0;
  virtual void measure(const DrivenView& view, std::vector<DoubleDouble>& numbers) const = 0;
};

/// With one of the torques of polhode/torque, attached to the body.
template <class Attached>
class AttachedTorqueSystem : public TorqueSystem {
 public:
  explicit AttachedTorqueSystem(const Attached& attached) : attached_(attached) {}

  Vector<double> torque(const Quaternion<double>& attitude, const DoubleDouble& time) const final {
    return attached_.torque(attitude, time);
  }
  DoubleDouble potential(const Quaternion<DoubleDouble>& attitude, const DoubleDouble& time) const final {
    if constexpr (Conservative<Attached, double>) {
      return attached_.potential(attitude, time);
    } else {
      return std::numeric_limits<double>::quiet_NaN();
    }
  }

 private:
  Attached attached_;
};

}  // namespace polhode::program
