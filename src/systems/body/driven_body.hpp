// A rigid body under a torque, by every splitting scheme with every method for the free motion.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "polhode/splitting/scheme.hpp"
#include "run/simulation.hpp"
#include "systems/body/free_motion_choice.hpp"
#include "systems/body/torque_system.hpp"

namespace polhode::program {

/// A method by its name, and what it stands for.
struct DrivenChoice {
  std::string method;
  std::optional<Scheme> scheme;  ///< none: the classical Runge-Kutta method
  FreeMotionChoice free;         ///< the other part of the splitting; of rk4, only whether it is compensated
};

/// The methods for bodies under torque. The lists differ in the default of the scheme: one for torques that are small against
/// the motion, as of a fast top, and one for torques of any size.
std::vector<MethodEntry> nearly_free_methods();
std::vector<MethodEntry> driven_methods();

/// Throws InputError or MotionError if the state is not one or the torque is not finite.
std::unique_ptr<Simulation> make_driven_body(const Body<double>& body, const State<double>& initial,
                                             std::shared_ptr<const TorqueSystem> system, double step,
                                             const DrivenChoice& choice);

/// The rest of a scenario whose body and torque are read: state and method.
std::unique_ptr<Simulation> build_driven_body(Scenario& scenario, const GivenBody& given,
                                              std::shared_ptr<const TorqueSystem> system,
                                              const std::vector<MethodEntry>& methods);

/// From scenarios with kind = "heavy-top", "dipole" and "satellite".
std::unique_ptr<Simulation> build_heavy_top(Scenario& scenario);
std::unique_ptr<Simulation> build_dipole(Scenario& scenario);
std::unique_ptr<Simulation> build_satellite(Scenario& scenario);

}  // namespace polhode::program
