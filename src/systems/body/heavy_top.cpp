// A uniform field that pulls at an arm of the body; the heavy top is a body in it, with a fixed point.
#include "systems/body/driven_body.hpp"
#include "systems/body/field_part.hpp"

namespace polhode::program {

namespace {

std::shared_ptr<const TorquePart> read_uniform_field(const TorqueKind&, Section& section, Scenario&,
                                                     const GivenBody& given) {
  const Field field{.constant = section.nonzero_vector("field")};
  const Vector<double> arm = section.nonzero_vector_or("arm", {0.0, 0.0, 1.0});
  const FieldNames names{
      {"centre_of_mass", 3, 1, "the arm in space, in units of the arm"},
      {"vertical_momentum", 1, 1, "angular momentum in space along the field, user's units"}};
  using Torque = UniformField<double>;
  return std::make_shared<FieldPart<Torque>>(names, Torque(field.constant, arm), field, arm, given.body);
}

std::unique_ptr<Simulation> build_heavy_top(const System& entry, Scenario& scenario) {
  return build_with_torque(entry, scenario, torque_kind("uniform-field"));
}

}  // namespace

namespace torque_entries {
TorqueKind uniform_field() {
  return {.name = "uniform-field",
          .summary = "a uniform field that pulls at an arm fixed in the body",
          .python = "UniformField",
          .keys = {{"field", "the field in space: weight times arm, upwards", true},
                   {"arm", "in the body, from the fixed point to the centre of mass; default [0, 0, 1]"}},
          .read = read_uniform_field};
}
}  // namespace torque_entries

namespace entries {
System heavy_top() {
  return {.name = "heavy-top",
          .summary = "a rigid body with a fixed point under gravity",
          .keys = keys_with_torque("uniform-field"),
          .methods = nearly_free_methods,
          .build = build_heavy_top,
          .torque = "uniform-field"};
}
}  // namespace entries

}  // namespace polhode::program
