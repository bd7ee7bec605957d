// Kepler's problem on the sphere.
#include "polhode/constrained/systems/two_body_sphere.hpp"
#include "systems/coordinates/motion.hpp"

namespace polhode::program {

namespace {

using Sphere = systems::TwoBodySphere;

constexpr std::array<const char*, 4> angle_keys{"phi", "theta", "phi_rate", "theta_rate"};

/// By angles, of which a double is as good as any other number, or in coordinates, which doubles hit only nearly.
PhasePointOf<Sphere, DoubleDouble> read_bodies(Section& state) {
  state.allow({"position", "momentum", "phi", "theta", "phi_rate", "theta_rate"});
  const bool angles =
      std::any_of(angle_keys.begin(), angle_keys.end(), [&](const char* key) { return state.has(key); });
  if (!angles) return read_point(state, Sphere{});
  for (const char* key : {"position", "momentum"})
    if (state.has(key)) state.fail(key, "is given beside angles: leave one of them out");
  std::array<std::array<double, 2>, 4> given{};
  for (std::size_t i = 0; i < 4; ++i) {
    const std::vector<double> pair = state.numbers(angle_keys[i], 2);
    given[i] = {pair[0], pair[1]};
  }
  return Sphere::from_angles(given[0], given[1], given[2], given[3]);
}

std::unique_ptr<Simulation> build_two_body_sphere(const System& entry, Scenario& scenario) {
  entry.allow_keys(scenario.system(), {"kind"});
  const CoordinateSystem<Sphere> system{
      .name = entry.name,
      .system = {},
      .invariants = {{"angular_momentum", 3, 1, "of both bodies about the centre, user's units"}},
      .measure = append_angular_momentum<6>};
  return build_motion_of(scenario, system, read_bodies(scenario.state()));
}

}  // namespace

namespace entries {
System two_body_sphere() {
  return {"two-body-sphere",
          "two bodies on a sphere that attract each other",
          {},
          constrained_methods,
          build_two_body_sphere};
}
}  // namespace entries

}  // namespace polhode::program
