// The heavy top: a body with a fixed point in a uniform field.
#include "systems/body/field_system.hpp"

namespace polhode::program {

namespace {

std::unique_ptr<Simulation> build_heavy_top(const System& entry, Scenario& scenario) {
  Section& system = scenario.system();
  entry.allow_keys(system, {"kind"});
  const GivenBody given = read_body(scenario);
  const Field field{.constant = system.nonzero_vector("field")};
  const Vector<double> arm = system.nonzero_vector_or("arm", {0.0, 0.0, 1.0});
  const FieldNames names{
      entry.name,
      {"centre_of_mass", 3, 1, "the arm in space, in units of the arm"},
      {"vertical_momentum", 1, 1, "angular momentum in space along the field, user's units"}};
  using Torque = UniformField<double>;
  return build_driven_body(
      scenario, given,
      std::make_shared<FieldSystem<Torque>>(names, Torque(field.constant, arm).attached(given.body), field,
                                            arm, given.body),
      nearly_free_methods());
}

}  // namespace

namespace entries {
System heavy_top() {
  return {.name = "heavy-top",
          .summary = "a rigid body with a fixed point under gravity",
          .keys = {inertia_key(),
                   {"field", "the field in space: weight times arm, upwards", true},
                   {"arm", "in the body, from the fixed point to the centre of mass; default [0, 0, 1]"}},
          .methods = nearly_free_methods,
          .build = build_heavy_top,
          .torque = TorqueClass{"UniformField"}};
}
}  // namespace entries

}  // namespace polhode::program
