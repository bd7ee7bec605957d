// A dipole in a uniform field, constant or alternating.
#include "systems/body/field_system.hpp"

namespace polhode::program {

namespace {

Field read_field(Section& system) {
  Field field;
  if (!system.has("swing")) {
    for (const char* key : {"frequency", "phase"})
      if (system.has(key)) system.fail(key, "is of no use without swing, the alternating part of the field");
    field.constant = system.nonzero_vector("field");
    return field;
  }
  field.swing = system.nonzero_vector("swing");
  if (system.has("field")) {
    field.constant = system.vector("field");
  } else {
    system.note("field", {Array{{0.0}, {0.0}, {0.0}}});
  }
  field.frequency = system.number("frequency");
  field.phase = system.number_or("phase", 0.0);
  return field;
}

std::unique_ptr<Simulation> build_dipole(const System& entry, Scenario& scenario) {
  Section& system = scenario.system();
  entry.allow_keys(system, {"kind"});
  const GivenBody given = read_body(scenario);
  const Vector<double> dipole = system.nonzero_vector("dipole");
  const Field field = read_field(system);
  const FieldNames names{entry.name,
                         {"dipole_in_space", 3, 1, "the moment of the dipole in space, user's units"},
                         {"field_momentum", 1, 1, "angular momentum in space along the field, user's units"}};
  // The energy of a dipole is -mu.u, that of an arm r.u.
  const auto make = [&]<class Torque>(const Torque& torque) {
    return build_driven_body(
        scenario, given,
        std::make_shared<FieldSystem<Torque>>(names, torque.attached(given.body), field, dipole, given.body),
        driven_methods());
  };
  if (!field.alternates()) return make(UniformField<double>(field.constant, -dipole));
  return make(AlternatingField<double>(field.constant, field.swing, field.frequency, field.phase, -dipole));
}

}  // namespace

namespace entries {
System dipole() {
  return {.name = "dipole",
          .summary = "a rigid body with a dipole in a uniform field, constant or alternating",
          .keys = {inertia_key(),
                   {"dipole", "in the body", true},
                   {"field", "u0 of the field u0 + u1 cos(frequency t + phase), in space"},
                   {"swing", "u1 of it"},
                   {"frequency", "of it, in radians a time"},
                   {"phase", "of it, in radians; default 0"}},
          .methods = driven_methods,
          .build = build_dipole,
          .torque = TorqueClass{"Dipole"}};
}
}  // namespace entries

}  // namespace polhode::program
