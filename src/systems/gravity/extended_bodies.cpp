// Extended bodies that attract each other: kind = "extended-bodies", with tables [[body]].
#include "polhode/gravity/extended_bodies.hpp"

#include <algorithm>
#include <limits>

#include "run/stepped.hpp"
#include "systems/body/driven_body.hpp"
#include "systems/body/rigid_body.hpp"
#include "text/text.hpp"

namespace polhode::program {

namespace {

struct GivenBodies {
  std::vector<ExtendedBody<double>> bodies;
  std::vector<PlacedState<double>> states;
  double constant = 0.0;
};

/// A name becomes a part of the names of columns.
std::string read_name(Section& table, std::size_t number, const std::vector<ExtendedBody<double>>& others) {
  const std::string name = table.string_or("name", filled("body{}", number));
  constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  constexpr std::string_view more = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";
  if (name.empty() || letters.find(name[0]) == std::string_view::npos ||
      name.find_first_not_of(more) != std::string::npos)
    table.fail("name", filled("must be letters, digits and underscores, a letter the first, not {}",
                              in_quotes(name)));
  for (std::size_t i = 0; i < others.size(); ++i)
    if (others[i].name == name) table.fail("name", filled("is that of body[{}], too", i));
  return name;
}

/// The momentum along the path.
Vector<double> read_linear_momentum(Section& table, double mass) {
  if (table.has("velocity") && table.has("linear_momentum"))
    table.fail("linear_momentum", "velocity and linear_momentum are both given: leave one of them out");
  if (table.has("linear_momentum")) return table.vector("linear_momentum");
  if (!table.has("velocity")) table.fail("velocity", "is missing: give velocity or linear_momentum");
  const Vector<double> momentum = mass * table.vector("velocity");
  for (const double x : momentum.c)
    if (!std::isfinite(x)) table.fail("velocity", "the momentum that belongs to it is too large");
  return momentum;
}

GivenBodies read_extended_bodies(Scenario& scenario) {
  constexpr std::size_t most = 1000;
  GivenBodies given;
  given.constant = scenario.system().number("gravitational_constant");
  if (given.constant < 0.0) scenario.system().fail("gravitational_constant", "must not be negative");
  std::vector<Section>& tables = scenario.bodies();
  if (tables.empty()) scenario.system().fail("", "there are no bodies: each is a table [[body]]");
  if (tables.size() > most)
    tables[most].fail("", filled("there are {} bodies: at most {} are possible", tables.size(), most));
  for (Section& table : tables) {
    table.allow({"name", "mass", "inertia", "radius", "position", "velocity", "linear_momentum", "momentum",
                 "angular_velocity", "attitude"});
    ExtendedBody<double> body;
    body.name = read_name(table, given.bodies.size() + 1, given.bodies);
    body.mass = table.positive("mass");
    PlacedState<double> state;
    if (table.has("inertia")) {
      const GivenBody rigid = read_body(table, scenario);
      body.body = rigid.body;
      state.turning = read_state(table, scenario, rigid);
    } else {
      for (const char* key : {"momentum", "angular_velocity", "attitude"})
        if (table.has(key)) table.fail(key, "needs inertia: without it the body is a point mass");
    }
    if (table.has("radius")) {
      body.radius = table.number("radius");
      if (*body.radius < 0.0) table.fail("radius", "must not be negative");
    }
    state.position = table.vector("position");
    state.momentum = read_linear_momentum(table, body.mass);
    given.bodies.push_back(body);
    given.states.push_back(state);
  }
  return given;
}

/// The ellipse, or other conic, that two bodies would be on if they were points.
struct OsculatingOrbit {
  double semi_major_axis, eccentricity;

  explicit OsculatingOrbit(const Constellation<double>& now) {
    using W = DoubleDouble;
    const auto velocity = [&](std::size_t i) {
      return (W(1.0) / W(now.bodies()[i].mass)) * now.wide_state(i).momentum;
    };
    const Vector<W> d = now.wide_state(1).position - now.wide_state(0).position,
                    v = velocity(1) - velocity(0);
    const W mu = W(now.constant()) * (W(now.bodies()[0].mass) + W(now.bodies()[1].mass)), r = norm(d);
    semi_major_axis = static_cast<double>(mu / (W(2.0) * mu / r - dot(v, v)));
    eccentricity = static_cast<double>(norm((W(1.0) / mu) * cross(v, cross(d, v)) - (W(1.0) / r) * d));
  }
};

struct ExtendedBodiesView {
  template <class Bodies>
  void look(const Bodies& bodies, Snapshot& snapshot) const {
    const Constellation<double> now = bodies.state();
    for (std::size_t i = 0; i < now.size(); ++i) {
      const PlacedState<double> s = now.state(i);
      append(snapshot.state, s.position.c);
      append(snapshot.state, now.velocity(i).c);
      if (!now.bodies()[i].body) continue;
      append(snapshot.state, s.turning.momentum.c);
      append(snapshot.state, s.turning.attitude.c);
      append(snapshot.derived, now.angular_velocity(i).c);
    }
    if (now.size() > 1) snapshot.derived.push_back(least_distance(now));
    if (now.size() == 2) {
      const OsculatingOrbit orbit(now);
      snapshot.derived.push_back(orbit.semi_major_axis);
      snapshot.derived.push_back(orbit.eccentricity);
    }
    const auto e = now.energies();
    for (const DoubleDouble& part : {e.translational, e.rotational, e.potential})
      snapshot.derived.push_back(static_cast<double>(part));
    snapshot.invariants = {e.total()};
    append(snapshot.invariants, now.momentum().c);
    append(snapshot.invariants, now.angular_momentum().c);
  }

 private:
  static double least_distance(const Constellation<double>& now) {
    double least = std::numeric_limits<double>::infinity();
    std::vector<Vector<DoubleDouble>> places;
    for (std::size_t i = 0; i < now.size(); ++i) {
      places.push_back(now.wide_state(i).position);
      for (std::size_t j = 0; j < i; ++j)
        least = std::min(least, norm(convert<double>(places[i] - places[j])));
    }
    return least;
  }
};

Description description_of(const GivenBodies& given, const SplittingChoice& choice, double step) {
  Description description;
  description.system = "extended-bodies";
  description.method = choice.method;
  description.details = choice.details();
  description.scheme = choice.own;
  description.compensated = true;
  description.step = step;
  for (const ExtendedBody<double>& body : given.bodies) {
    const auto of = [&](const char* what) { return filled("{}_{}", body.name, what); };
    description.state.push_back({of("position"), 3, 1, "of the centre of mass, in space"});
    description.state.push_back({of("velocity"), 3, 1, "of the centre of mass, in space"});
    if (!body.body) continue;
    description.state.push_back(
        {of("momentum"), 3, 1, "angular momentum about the centre, in the body frame"});
    description.state.push_back(
        {of("attitude"), 4, 0, "quaternion from body to space, scalar first, of norm one"});
    description.derived.push_back({of("angular_velocity"), 3, 1, "in the body frame", false});
  }
  if (given.bodies.size() > 1)
    description.derived.push_back({"least_distance", 1, 1, "between the centres of two bodies"});
  if (given.bodies.size() == 2) {
    description.derived.push_back({"semi_major_axis", 1, 1, "of the orbit that two points would be on"});
    description.derived.push_back({"eccentricity", 1, 1, "of that orbit"});
  }
  description.derived.push_back({"translational_energy", 1, 1, "kinetic, user's units"});
  description.derived.push_back({"rotational_energy", 1, 1, "kinetic, user's units"});
  description.derived.push_back({"potential_energy", 1, 1, "user's units"});
  description.invariants = {{"energy", 1, 1, "kinetic and potential, user's units"},
                            {"momentum", 3, 1, "of all bodies together"},
                            {"angular_momentum", 3, 1, "of orbits and spins together, about the origin"}};
  return description;
}

std::vector<MethodEntry> extended_bodies_methods() { return methods_for_many("rkn6-14"); }

template <class Method>
std::unique_ptr<Simulation> simulated_bodies(const GivenBodies& given, const SplittingChoice& choice,
                                             double step, double time,
                                             const typename Method::Options& options) {
  return simulate(description_of(given, choice, step),
                  ExtendedBodies<Method>(given.bodies, given.states, given.constant, *choice.scheme, options,
                                         DoubleDouble(time)),
                  ExtendedBodiesView{});
}

std::unique_ptr<Simulation> build_extended_bodies(const System& entry, Scenario& scenario) {
  entry.allow_keys(scenario.system(), {"kind"});
  scenario.state().allow({"time"});
  const GivenBodies given = read_extended_bodies(scenario);
  const SplittingChoice choice =
      read_splitting_of_many(scenario, extended_bodies_methods(), "extended bodies");
  const double time = read_start_time(scenario);
  return examined(scenario, blaming(scenario.system(), "", [&] {
                    const MethodChoice& free = choice.free.choice;
                    return free.name == "exact"
                               ? simulated_bodies<Exact<double>>(given, choice, scenario.step(), time, {})
                               : simulated_bodies<NamedMethod<double>>(given, choice, scenario.step(), time,
                                                                       free);
                  }));
}

}  // namespace

namespace entries {
System extended_bodies() {
  return {.name = "extended-bodies",
          .summary = "bodies with mass and shape that attract each other: orbits and spins together",
          .keys = {{"gravitational_constant", "G in the units of the bodies", true}},
          .methods = extended_bodies_methods,
          .build = build_extended_bodies,
          .takes_bodies = true};
}
}  // namespace entries

}  // namespace polhode::program
