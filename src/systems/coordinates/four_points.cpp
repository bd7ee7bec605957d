// The free rigid body as four points with six rods, beside the exact flow of kind = "free-body".
#include "polhode/constrained/systems/four_points.hpp"
#include "systems/coordinates/motion.hpp"

namespace polhode::program {

namespace {

using Points = systems::FourPoints;
using Point = PhasePointOf<Points, DoubleDouble>;

Vector<double> read_moments(Section& system) {
  if (system.has("inertia")) {
    if (system.is_nested("inertia"))
      system.fail("inertia", "must be the three principal moments: a tensor is for kind = \"free-body\"");
    return system.vector("inertia");
  }
  system.note("inertia", {Array{{0.345}, {0.653}, {0.9}}});
  return {{0.345, 0.653, 0.9}};
}

Points four_points(Section& system) {
  const Vector<double> moments = read_moments(system);
  try {
    return Points(moments);
  } catch (const InputError& e) {
    system.fail("inertia", e.what());
  }
}

Quaternion<DoubleDouble> read_attitude(Section& state) {
  if (!state.has("attitude")) {
    state.note("attitude", {Array{{1.0}, {0.0}, {0.0}, {0.0}}});
    return {};
  }
  const std::vector<double> c = state.numbers("attitude", 4);
  Quaternion<DoubleDouble> q;
  for (std::size_t i = 0; i < 4; ++i) q[i] = c[i];
  const double size = static_cast<double>(norm_squared(q));
  if (!(std::abs(size - 1.0) < 1e-6)) state.fail("attitude", "is not a quaternion of norm one");
  return normalized(q);  // in double-double: the rods are to have their lengths to all places
}

/// As of a free body, body_momentum and attitude, or in the coordinates of the four points.
Point read_body_or_points(Section& state, const Points& system) {
  state.allow({"position", "momentum", "body_momentum", "attitude"});
  if (!state.has("body_momentum")) {
    if (state.has("attitude")) state.fail("body_momentum", "is missing: attitude is given");
    return read_point(state, system);
  }
  for (const char* key : {"position", "momentum"})
    if (state.has(key)) state.fail(key, "is given beside body_momentum: leave one of them out");
  const std::vector<double> m = state.numbers("body_momentum", 3);
  return system.state(Vector<DoubleDouble>{{m[0], m[1], m[2]}}, read_attitude(state));
}

/// The momentum in the body, and the attitude, as a free body has them.
void derive(const Points& system, const Point& point, std::vector<double>& numbers) {
  const Matrix<DoubleDouble> attitude = system.attitude(point);
  const Vector<DoubleDouble> momentum = Points::spatial_momentum(point);
  for (std::size_t j = 0; j < 3; ++j) {
    DoubleDouble sum = 0.0;
    for (std::size_t i = 0; i < 3; ++i) sum += attitude[i][j] * momentum[i];
    numbers.push_back(static_cast<double>(sum));
  }
  const Quaternion<DoubleDouble> q = normalized(from_matrix(attitude));
  for (std::size_t i = 0; i < 4; ++i) numbers.push_back(static_cast<double>(q[i]));
}

std::unique_ptr<Simulation> build_four_points(const System& entry, Scenario& scenario) {
  entry.allow_keys(scenario.system(), {"kind"});
  const CoordinateSystem<Points> system{
      .name = entry.name,
      .system = four_points(scenario.system()),
      .invariants = {{"spatial_momentum", 3, 1, "angular momentum in space, user's units"}},
      .measure = append_angular_momentum<12>,
      .derived = {{"body_momentum", 3, 1, "angular momentum in the body, user's units"},
                  {"attitude", 4, 0, "unit quaternion, scalar first, body to space"}},
      .derive = derive};
  return build_motion_of(scenario, system, read_body_or_points(scenario.state(), system.system));
}

}  // namespace

namespace entries {
System four_points() {
  return {"four-points",
          "the free rigid body as four points with six rods",
          {{"inertia", "the three principal moments; default [0.345, 0.653, 0.9]"}},
          constrained_methods,
          build_four_points};
}
}  // namespace entries

}  // namespace polhode::program
