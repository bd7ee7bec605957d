// A dipole in a uniform field, constant or alternating.
#include "systems/body/driven_body.hpp"
#include "systems/body/field_part.hpp"

namespace polhode::program {

namespace {

Field read_field(Section& section) {
  Field field;
  if (!section.has("swing")) {
    for (const char* key : {"frequency", "phase"})
      if (section.has(key))
        section.fail(key, "is of no use without swing, the alternating part of the field");
    field.constant = section.nonzero_vector("field");
    return field;
  }
  field.swing = section.nonzero_vector("swing");
  if (section.has("field")) {
    field.constant = section.vector("field");
  } else {
    section.note("field", {Array{{0.0}, {0.0}, {0.0}}});
  }
  field.frequency = section.number("frequency");
  field.phase = section.number_or("phase", 0.0);
  return field;
}

std::shared_ptr<const TorquePart> read_dipole(const TorqueKind&, Section& section, Scenario&,
                                              const GivenBody& given) {
  const Vector<double> dipole = section.nonzero_vector("dipole");
  const Field field = read_field(section);
  const FieldNames names{{"dipole_in_space", 3, 1, "the moment of the dipole in space, user's units"},
                         {"field_momentum", 1, 1, "angular momentum in space along the field, user's units"}};
  // The energy of a dipole is -mu.u, that of an arm r.u.
  const auto make = [&]<class Torque>(const Torque& torque) -> std::shared_ptr<const TorquePart> {
    return std::make_shared<FieldPart<Torque>>(names, torque, field, dipole, given.body);
  };
  if (!field.alternates()) return make(UniformField<double>(field.constant, -dipole));
  return make(AlternatingField<double>(field.constant, field.swing, field.frequency, field.phase, -dipole));
}

std::unique_ptr<Simulation> build_dipole(const System& entry, Scenario& scenario) {
  return build_with_torque(entry, scenario, torque_kind("dipole"));
}

}  // namespace

namespace torque_entries {
TorqueKind dipole() {
  return {.name = "dipole",
          .summary = "a uniform field, constant or alternating, that acts on a dipole fixed in the body",
          .python = "Dipole",
          .keys = {{"dipole", "in the body", true},
                   {"field", "u0 of the field u0 + u1 cos(frequency t + phase), in space"},
                   {"swing", "u1 of it"},
                   {"frequency", "of it, in radians a time"},
                   {"phase", "of it, in radians; default 0"}},
          .read = read_dipole};
}
}  // namespace torque_entries

namespace entries {
System dipole() {
  return {.name = "dipole",
          .summary = "a rigid body with a dipole in a uniform field, constant or alternating",
          .keys = keys_with_torque("dipole"),
          .methods = driven_methods,
          .build = build_dipole,
          .torque = "dipole"};
}
}  // namespace entries

}  // namespace polhode::program
