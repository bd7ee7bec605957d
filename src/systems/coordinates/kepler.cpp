// One body about a fixed centre.
#include "polhode/constrained/systems/kepler.hpp"
#include "systems/coordinates/motion.hpp"

namespace polhode::program {

namespace {

/// Of the standard initial value: an orbit that is given by its state has an eccentricity of its own.
double read_eccentricity(Section& system, const Section& state) {
  constexpr const char* key = "eccentricity";
  const bool given = state.has("position") || state.has("momentum");
  if (!system.has(key)) {
    constexpr double otherwise = systems::Kepler{}.eccentricity;
    if (!given) system.note(key, {otherwise});
    return otherwise;
  }
  if (given) system.fail(key, "the orbit is given by [state]: leave one of them out");
  const double e = system.number(key);
  if (!(e >= 0.0 && e < 1.0))
    system.fail(key, "must be at least 0 and less than 1, not " + description(system.value(key)));
  return e;
}

std::unique_ptr<Simulation> build_kepler(const System& entry, Scenario& scenario) {
  entry.allow_keys(scenario.system(), {"kind"});
  scenario.state().allow({"position", "momentum"});
  const CoordinateSystem<systems::Kepler> system{
      .name = entry.name,
      .system = {read_eccentricity(scenario.system(), scenario.state())},
      .invariants = {{"angular_momentum", 1, 1, "user's units"},
                     {"eccentricity_vector", 2, 1, "from the centre to the pericentre"}},
      .measure = [](const PhasePoint<DoubleDouble, 2>& point, std::vector<DoubleDouble>& numbers) {
        const auto &q = point.position, &p = point.momentum;
        const DoubleDouble momentum = systems::Kepler::angular_momentum(point);
        const DoubleDouble r = sqrt(q[0] * q[0] + q[1] * q[1]);
        numbers.insert(numbers.end(), {momentum, p[1] * momentum - q[0] / r, -(p[0] * momentum) - q[1] / r});
      }};
  return build_motion_of(scenario, system, read_point(scenario.state(), system.system));
}

}  // namespace

namespace entries {
System kepler() {
  return {"kepler",
          "one body in the plane about a fixed centre",
          {{"eccentricity", "of the standard initial value; default 0.2"}},
          unconstrained_methods,
          build_kepler};
}
}  // namespace entries

}  // namespace polhode::program
