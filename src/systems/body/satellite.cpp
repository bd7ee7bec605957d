// The gravity gradient of a centre of attraction; a satellite is a body in orbit that it turns.
#include <array>
#include <cmath>
#include <utility>

#include "polhode/torque/gravity_gradient.hpp"
#include "systems/body/driven_body.hpp"
#include "text/text.hpp"

namespace polhode::program {

namespace {

using Gradient = GravityGradient<double>;

class GradientPart final : public AttachedPart<Gradient> {
 public:
  explicit GradientPart(const Gradient& gradient)
      : AttachedPart(gradient), circular_(gradient.orbit().elements().eccentricity == 0.0) {}

  Energy energy() const override { return Energy::changed; }

  std::vector<Quantity> derived() const override {
    const std::string frame =
        ", radians: the orbital frame (radial, forward, normal) is turned by the pitch about its axis 3, "
        "then by the "
        "roll about axis 2, then by the yaw about axis 1 to become that of the body";
    return {{"roll", 1, 1, "about the forward direction" + frame},
            {"pitch", 1, 1, "about the normal of the orbit" + frame},
            {"yaw", 1, 1, "about the radial direction" + frame}};
  }
  void derive(const DrivenView& view, std::vector<double>& numbers) const override {
    const OrbitPoint<DoubleDouble> point = torque().orbit().at<DoubleDouble>(view.time);
    const std::array frame{point.radial, point.forward, torque().orbit().normal()};
    const Matrix<DoubleDouble> attitude = to_matrix(view.state.attitude);
    const auto relative = [&](std::size_t i, std::size_t j) {
      return static_cast<double>(dot(frame[i], {{attitude[0][j], attitude[1][j], attitude[2][j]}}));
    };
    const double roll = std::atan2(-relative(2, 0), std::hypot(relative(0, 0), relative(1, 0)));
    numbers.push_back(roll);
    numbers.push_back(std::atan2(relative(1, 0), relative(0, 0)));
    numbers.push_back(std::atan2(relative(2, 1), relative(2, 2)));
  }

  /// On an ellipse nothing is conserved.
  std::vector<Quantity> invariants(bool) const override {
    if (!circular_) return {};
    return {{"jacobi_integral", 1, 1, "energy in the frame that turns with the orbit, user's units"}};
  }
  void measure(const DrivenView& view, bool, std::vector<DoubleDouble>& numbers) const override {
    if (circular_) numbers.push_back(torque().jacobi_integral(view.energy(), view.free.spatial_momentum));
  }

 private:
  bool circular_;
};

/// Size, time scale and phase of an orbit of any eccentricity: its periapsis, and the centre's strength.
void read_from_periapsis(Section& orbit, OrbitElements<double>& elements) {
  for (const char* key : {"mean_motion", "semi_major_axis", "mean_anomaly"})
    if (orbit.has(key)) orbit.fail(key, "is given together with periapsis: leave one of them out");
  elements.periapsis = orbit.positive("periapsis");
  elements.gravitational_parameter = orbit.positive("gravitational_parameter");
  elements.periapsis_time = orbit.number_or("periapsis_time", 0.0);
}

/// The size and the time scale of an ellipse: its axis and the centre's strength, or the mean motion for unit axis.
void read_scale(Section& orbit, OrbitElements<double>& elements) {
  if (orbit.has("periapsis")) return read_from_periapsis(orbit, elements);
  if (orbit.has("periapsis_time"))
    orbit.fail("periapsis_time", "is of no use without periapsis, the least distance");
  const bool axis = orbit.has("semi_major_axis"), centre = orbit.has("gravitational_parameter");
  if (orbit.has("mean_motion")) {
    if (axis || centre)
      orbit.fail("mean_motion",
                 "is given together with semi_major_axis or gravitational_parameter, from which it follows");
    const double n = orbit.positive("mean_motion");
    elements.gravitational_parameter = n * n;
    if (!std::isnormal(elements.gravitational_parameter))
      orbit.fail("mean_motion", "is too large or too small: its square is no number");
  } else if (axis || centre) {
    elements.semi_major_axis = orbit.positive("semi_major_axis");
    elements.gravitational_parameter = orbit.positive("gravitational_parameter");
  } else {
    orbit.note("mean_motion", {1.0});
  }
}

/// Angles beyond a revolution are degrees where radians are meant.
void warn_of_degrees(Scenario& scenario, const Section& orbit, const char* key, double angle) {
  constexpr double revolution = 6.2831853071795862;
  if (std::abs(angle) > revolution)
    scenario.warn(filled("{}.{} is {}: angles are in radians, and this is more than a revolution",
                         orbit.name(), key, angle));
}

std::shared_ptr<const TorquePart> read_gravity_gradient(const TorqueKind& kind, Section& section,
                                                        Scenario& scenario, const GivenBody&) {
  OrbitElements<double> elements;
  Section orbit = section.table("orbit");
  kind.allow_keys(orbit, {});
  read_scale(orbit, elements);
  elements.eccentricity = orbit.number_or("eccentricity", elements.eccentricity);
  const std::array<std::pair<const char*, double*>, 4> angles{
      {{"inclination", &elements.inclination},
       {"ascending_node", &elements.ascending_node},
       {"argument_of_periapsis", &elements.argument_of_periapsis},
       {"mean_anomaly", &elements.mean_anomaly}}};
  for (const auto& [key, angle] : angles) {
    if (elements.periapsis && angle == &elements.mean_anomaly) continue;
    *angle = orbit.number_or(key, *angle);
    warn_of_degrees(scenario, orbit, key, *angle);
  }
  // The scale was examined above: what an orbit can still refuse is its shape.
  const KeplerOrbit<double> path =
      blaming(orbit, "eccentricity", [&] { return KeplerOrbit<double>(elements); });
  section.note("orbit", {orbit.noted()});
  return std::make_shared<GradientPart>(Gradient(path));
}

std::unique_ptr<Simulation> build_satellite(const System& entry, Scenario& scenario) {
  return build_with_torque(entry, scenario, torque_kind("gravity-gradient"));
}

}  // namespace

namespace torque_entries {
TorqueKind gravity_gradient() {
  return {.name = "gravity-gradient",
          .summary = "the gravity gradient of a centre of attraction about which the body is in orbit",
          .python = "GravityGradient",
          .keys = {{"mean_motion", "of the orbit; default 1"},
                   {"semi_major_axis", "instead, together with gravitational_parameter"},
                   {"gravitational_parameter", "of the centre"},
                   {"periapsis", "the least distance, instead, for orbits of any eccentricity"},
                   {"periapsis_time", "of the periapsis; default 0"},
                   {"eccentricity", "default 0, a circle; 1 and above with periapsis"},
                   {"inclination", "in radians, as all angles; default 0"},
                   {"ascending_node", "default 0"},
                   {"argument_of_periapsis", "default 0"},
                   {"mean_anomaly", "at the time 0; default 0"}},
          .table = "orbit",
          .read = read_gravity_gradient};
}
}  // namespace torque_entries

namespace entries {
System satellite() {
  return {.name = "satellite",
          .summary = "a rigid body in a Kepler orbit, turned by the gravity gradient",
          .keys = keys_with_torque("gravity-gradient"),
          .methods = driven_methods,
          .build = build_satellite,
          .torque = "gravity-gradient"};
}
}  // namespace entries

}  // namespace polhode::program
