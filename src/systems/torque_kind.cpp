#include "systems/torque_kind.hpp"

#include <stdexcept>

// One line a kind: the function that returns it, in the order in which they are listed.
#ifndef POLHODE_TORQUES
#define POLHODE_TORQUES(ENTRY) \
  ENTRY(uniform_field)         \
  ENTRY(dipole)                \
  ENTRY(gravity_gradient)      \
  ENTRY(attracting_body)       \
  ENTRY(constant)              \
  ENTRY(damping)               \
  ENTRY(wheels)                \
  ENTRY(dissipation)
#endif

namespace polhode::program {

namespace torque_entries {
#define POLHODE_DECLARE(name) TorqueKind name();
POLHODE_TORQUES(POLHODE_DECLARE)
#undef POLHODE_DECLARE
}  // namespace torque_entries

const std::vector<TorqueKind>& torque_kinds() {
#define POLHODE_CALL(name) torque_entries::name(),
  static const std::vector<TorqueKind> table{POLHODE_TORQUES(POLHODE_CALL)};
#undef POLHODE_CALL
  return table;
}

const TorqueKind& torque_kind(const std::string& name) {
  for (const TorqueKind& kind : torque_kinds())
    if (kind.name == name) return kind;
  throw std::logic_error("there is no torque " + name);
}

void TorqueKind::allow_keys(const Section& section, std::vector<std::string> others) const {
  for (const SystemKey& key : keys) others.push_back(key.name);
  section.allow(others);
}

}  // namespace polhode::program
