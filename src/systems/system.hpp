// The entry of a system, which stands beside its code: what the program knows of it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "run/simulation.hpp"
#include "scenario/method_entry.hpp"
#include "scenario/scenario.hpp"

namespace polhode::program {

/// A key of [system], for those who list and describe systems.
struct SystemKey {
  std::string name;
  std::string meaning;
  bool required = false;
};

struct System {
  std::string name;
  std::string summary;
  std::vector<SystemKey> keys;  ///< of [system] beyond kind
  std::vector<MethodEntry> (*methods)();
  std::unique_ptr<Simulation> (*build)(const System& system, Scenario& scenario);
  std::string torque{};        ///< the kind of torque that the system is a short form of
  bool takes_torques = false;  ///< whether it has tables [[torque]]
  bool takes_bodies = false;   ///< whether it has tables [[body]]

  /// Refuses keys of the section that are neither these nor the system's own.
  void allow_keys(const Section& section, std::vector<std::string> others) const;
};

/// A simulation with a warning if an invariant is too large for a double.
std::unique_ptr<Simulation> examined(Scenario& scenario, std::unique_ptr<Simulation> simulation);

}  // namespace polhode::program
