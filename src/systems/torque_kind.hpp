// The entry of a kind of torque, which stands beside its code: what the program knows of it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "systems/system.hpp"

namespace polhode::program {

class TorquePart;
struct GivenBody;

struct TorqueKind {
  std::string name;
  std::string summary;
  std::string python;           ///< the name of its class in Python, whose arguments are the keys
  std::vector<SystemKey> keys;  ///< of [[torque]] beyond kind, or of its table where that is named
  std::string table{};
  std::shared_ptr<const TorquePart> (*read)(const TorqueKind& kind, Section& section, Scenario& scenario,
                                            const GivenBody& given);

  /// Refuses keys of the section that are neither these nor the kind's own.
  void allow_keys(const Section& section, std::vector<std::string> others) const;
};

/// All kinds, in the order in which they are listed.
const std::vector<TorqueKind>& torque_kinds();
const TorqueKind& torque_kind(const std::string& name);

}  // namespace polhode::program
