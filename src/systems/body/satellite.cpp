// A rigid body in orbit about a centre of attraction, turned by the gravity gradient.
#include <array>
#include <cmath>
#include <utility>

#include "polhode/torque/gravity_gradient.hpp"
#include "systems/body/driven_body.hpp"

namespace polhode::program {

namespace {

using Gradient = GravityGradient<double>;

class Satellite final : public AttachedTorqueSystem<Gradient::Attached> {
 public:
  Satellite(const Gradient& gradient, const Body<double>& body)
      : AttachedTorqueSystem(gradient.attached(body)),
        gradient_(gradient),
        circular_(gradient.orbit().elements().eccentricity == 0.0) {}

  std::string name() const override { return "satellite"; }

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
    const OrbitPoint<DoubleDouble> point = gradient_.orbit().at<DoubleDouble>(view.time);
    const std::array frame{point.radial, point.forward, gradient_.orbit().normal()};
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
  std::vector<Quantity> invariants() const override {
    if (!circular_) return {};
    return {{"jacobi_integral", 1, 1, "energy in the frame that turns with the orbit, user's units"}};
  }
  void measure(const DrivenView& view, std::vector<DoubleDouble>& numbers) const override {
    if (circular_) numbers.push_back(gradient_.jacobi_integral(view.energy(), view.free.spatial_momentum));
  }

 private:
  Gradient gradient_;
  bool circular_;
};

double read_positive(Section& section, const char* key) {
  const double value = section.number(key);
  if (!(value > 0.0)) section.fail(key, "must be positive, not " + description(section.value(key)));
  return value;
}

/// The size and the time scale of the orbit: its axis and the centre's strength, or the mean motion for unit axis.
void read_scale(Section& orbit, OrbitElements<double>& elements) {
  const bool axis = orbit.has("semi_major_axis"), centre = orbit.has("gravitational_parameter");
  if (orbit.has("mean_motion")) {
    if (axis || centre)
      orbit.fail("mean_motion",
                 "is given together with semi_major_axis or gravitational_parameter, from which it follows");
    const double n = read_positive(orbit, "mean_motion");
    elements.gravitational_parameter = n * n;
    if (!std::isnormal(elements.gravitational_parameter))
      orbit.fail("mean_motion", "is too large or too small: its square is no number");
  } else if (axis || centre) {
    elements.semi_major_axis = read_positive(orbit, "semi_major_axis");
    elements.gravitational_parameter = read_positive(orbit, "gravitational_parameter");
  } else {
    orbit.note("mean_motion", {1.0});
  }
}

OrbitElements<double> read_orbit(Section& system) {
  OrbitElements<double> elements;
  Section orbit = system.table("orbit");
  orbit.allow({"semi_major_axis", "gravitational_parameter", "mean_motion", "eccentricity", "inclination",
               "ascending_node", "argument_of_periapsis", "mean_anomaly"});
  read_scale(orbit, elements);
  const std::array<std::pair<const char*, double*>, 5> others{
      {{"eccentricity", &elements.eccentricity},
       {"inclination", &elements.inclination},
       {"ascending_node", &elements.ascending_node},
       {"argument_of_periapsis", &elements.argument_of_periapsis},
       {"mean_anomaly", &elements.mean_anomaly}}};
  for (const auto& [key, element] : others) {
    if (orbit.has(key)) {
      *element = orbit.number(key);
    } else {
      orbit.note(key, {*element});
    }
  }
  // The scale was examined above: what an orbit can still refuse is its shape.
  blaming(orbit, "eccentricity", [&] { return KeplerOrbit<double>(elements); });
  system.note("orbit", {orbit.noted()});
  return elements;
}

}  // namespace

std::unique_ptr<Simulation> build_satellite(Scenario& scenario) {
  Section& system = scenario.system();
  system.allow({"kind", "inertia", "orbit"});
  const GivenBody given = read_body(scenario);
  const Gradient gradient{KeplerOrbit<double>(read_orbit(system))};
  return build_driven_body(scenario, given, std::make_shared<Satellite>(gradient, given.body),
                           driven_methods());
}

}  // namespace polhode::program
