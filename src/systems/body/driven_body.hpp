// A rigid body under a torque, by every splitting scheme with every method for the free motion.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "polhode/splitting/own_scheme.hpp"
#include "systems/body/torque_system.hpp"
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

/// The section [method] of systems whose motion is split; `what_for` names them in complaints.
SplittingChoice read_splitting(Scenario& scenario, const std::vector<MethodEntry>& methods,
                               const std::string& what_for);

/// Throws InputError or MotionError if the state is invalid or the torque is not finite.
std::unique_ptr<Simulation> make_driven_body(const Body<double>& body, const State<double>& initial,
                                             const std::shared_ptr<const TorqueSystem>& system, double step,
                                             const SplittingChoice& choice);

/// The rest of a scenario whose body and torque are read: state and method.
std::unique_ptr<Simulation> build_driven_body(Scenario& scenario, const GivenBody& given,
                                              std::shared_ptr<const TorqueSystem> system,
                                              const std::vector<MethodEntry>& methods);

}  // namespace polhode::program
