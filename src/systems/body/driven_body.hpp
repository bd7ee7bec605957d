// A rigid body on which anything acts, by every splitting scheme with every method for the free motion.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "polhode/splitting/own_scheme.hpp"
#include "run/group.hpp"
#include "systems/body/torque_part.hpp"
#include "systems/system.hpp"

namespace polhode::program {

/// The methods for bodies under torque. The lists differ in the default of the scheme: one for torques that are small against
/// the motion, as of a fast top, and one for torques of any size.
std::vector<MethodEntry> nearly_free_methods();
std::vector<MethodEntry> driven_methods();

/// A splitting as a scenario gives it: the scheme, and the method for the free motion.
struct SplittingChoice {
  std::string method;                  ///< its name in the scenario
  std::optional<OwnScheme> scheme;     ///< none: the classical Runge-Kutta method
  FreeMethod free;                     ///< of rk4, only whether it is compensated
  std::optional<SchemeFigures> own{};  ///< of a scheme that is the scenario's own

  /// "aba-8-6-4 with exact", where the name of the method does not say it.
  std::string details() const;
};

/// The section [method] of systems whose motion is split; `what_for` names them in complaints. `otherwise` chooses the scheme
/// where none is named, if it is not that of the list: it is called when the step is known.
SplittingChoice read_splitting(Scenario& scenario, const std::vector<MethodEntry>& methods,
                               const std::string& what_for,
                               const std::function<const Scheme&()>& otherwise = {});

/// The methods of systems of many bodies, and their section [method]: without rk4, and with sums that are always compensated.
std::vector<MethodEntry> methods_for_many(const std::string& default_scheme);
SplittingChoice read_splitting_of_many(Scenario& scenario, const std::vector<MethodEntry>& methods,
                                       const std::string& what_for);

/// A body with what acts on it, and where its motion begins.
struct DrivenBody {
  std::string system;  ///< its name
  Body<double> body;
  State<double> initial;
  TorqueParts parts;
  double time = 0.0;          ///< at the beginning
  bool shows_torque = false;  ///< whether the torque is one of the quantities to see
};

/// The parts as a torque of the core.
TorqueList<double> list_of(const TorqueParts& parts);

/// Throws InputError or MotionError if the state is invalid, the torque is not finite, or the scheme is not for what acts.
std::unique_ptr<Simulation> make_driven_body(const DrivenBody& driven, double step,
                                             const SplittingChoice& choice);

/// For steps of many such bodies together; null where the method is one that they have not.
std::shared_ptr<const Groupable> driven_groupable(const DrivenBody& driven, double step,
                                                  const SplittingChoice& choice);

/// What such a body was made of.
struct DrivenSetup {
  DrivenBody driven;
  double step = 0.0;
  OwnScheme scheme;
};
/// Nothing if the simulation is another one.
const DrivenSetup* driven_setup(const Simulation& simulation);

/// A system that is one torque: its keys stand in [system].
std::unique_ptr<Simulation> build_with_torque(const System& entry, Scenario& scenario,
                                              const TorqueKind& kind);
/// The keys of such a system.
std::vector<SystemKey> keys_with_torque(const std::string& kind);

/// Reads a part that is not one of torque_kinds(): null if it is of no such kind.
using OtherParts = std::function<std::shared_ptr<const TorquePart>(const std::string& kind, Section& section,
                                                                   const GivenBody&)>;

/// A body with what acts on it, and how it is moved.
struct DrivenMotion {
  DrivenBody driven;
  SplittingChoice choice;
};

/// kind = "driven-body", with tables [[torque]]: read, and not yet built; and built.
DrivenMotion read_driven_motion(Scenario& scenario, const OtherParts& others);
std::unique_ptr<Simulation> build_driven_body(Scenario& scenario, const OtherParts& others);

}  // namespace polhode::program
