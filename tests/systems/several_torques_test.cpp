// Bodies with several torques in the program, and runs that are watched: times of one's own, and events.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "polhode/arithmetic/quaternion.hpp"
#include "polhode/torque/kepler_orbit.hpp"
#include "scenario/error.hpp"
#include "systems/watching.hpp"
#include "tests/systems/driven_scenario.hpp"
#include "text/text.hpp"

namespace polhode::program {

using namespace core;
namespace {

/// A scenario from its text.
class Written {
 public:
  explicit Written(const std::string& text)
      : scenario_(parse_document(text, "written.toml", {})),
        simulation_(build(scenario_)),
        watch_(read_watch(scenario_, *simulation_)) {}

  Simulation& simulation() { return *simulation_; }
  Scenario& scenario() { return scenario_; }
  RunResult run(Recorder* rows = nullptr) {
    return program::run(*simulation_, {.steps = scenario_.steps(),
                                       .every = 1,
                                       .recorder = rows,
                                       .title = {},
                                       .watch = watch_.is_empty() ? nullptr : &watch_});
  }

 private:
  Scenario scenario_;
  std::unique_ptr<Simulation> simulation_;
  Watch watch_;
};

const std::string method = "[method]\nname = \"splitting\"\nstep = 0.05\nsteps = 200\n";

std::string driven(const std::string& torques, const std::string& state = "momentum = [0.3, -0.4, 0.9]") {
  return "[system]\nkind = \"driven-body\"\ninertia = [1.0, 1.5, 2.0]\n" + torques + "[state]\n" + state +
         "\n" + method;
}

TEST(SeveralTorques, AShortFormIsTheSameToTheBit) {
  const std::string state =
      "[state]\nmomentum = [0.3, -0.4, 0.9]\n[method]\nname = \"splitting\"\nscheme = \"aba-8-6-4\"\nstep = "
      "0.05\nsteps = 200\n";
  const auto end = [&](const std::string& system) {
    Written written(system + state);
    return written.run().last.state;
  };
  EXPECT_EQ(end("[system]\nkind = \"heavy-top\"\ninertia = [1.0, 1.5, 2.0]\nfield = [0.1, 0.0, 1.0]\n"),
            end("[system]\nkind = \"driven-body\"\ninertia = [1.0, 1.5, 2.0]\n[[torque]]\nkind = "
                "\"uniform-field\"\n"
                "field = [0.1, 0.0, 1.0]\n"));
  EXPECT_EQ(end("[system]\nkind = \"satellite\"\ninertia = [1.0, 1.5, 2.0]\norbit = { mean_motion = 0.7, "
                "eccentricity = 0.1 }\n"),
            end("[system]\nkind = \"driven-body\"\ninertia = [1.0, 1.5, 2.0]\n[[torque]]\nkind = "
                "\"gravity-gradient\"\norbit = { mean_motion = 0.7, eccentricity = 0.1 }\n"));
}

TEST(SeveralTorques, FollowTheirClosedForms) {
  // A sphere: the momentum falls as an exponential in a medium at rest.
  Written damped(
      "[system]\nkind = \"driven-body\"\ninertia = [2.0, 2.0, 2.0]\n[[torque]]\nkind = \"damping\"\n"
      "coefficient = 0.3\n[state]\nmomentum = [0.3, -0.4, 0.9]\n" +
      method);
  const RunResult result = damped.run();
  const double factor = std::exp(-0.3 / 2.0 * 10.0);
  EXPECT_NEAR(result.last.state[0], 0.3 * factor, 1e-16);
  EXPECT_NEAR(result.last.state[2], 0.9 * factor, 2e-16);
  // A constant torque in space adds to the momentum in space.
  Written pushed(
      driven("[[torque]]\nkind = \"constant\"\ntorque = [0.01, 0.02, -0.03]\nframe = \"space\"\n"));
  const Snapshot end = pushed.run().last;
  const Quaternion<double> q{end.state[3], end.state[4], end.state[5], end.state[6]};
  const Vector<double> m = rotate(q, Vector<double>{{end.state[0], end.state[1], end.state[2]}});
  EXPECT_NEAR(m[0], 0.3 + 0.1, 1e-14);
  EXPECT_NEAR(m[1], -0.4 + 0.2, 1e-14);
  EXPECT_NEAR(m[2], 0.9 - 0.3, 1e-14);
}

TEST(SeveralTorques, KnowWhatIsConserved) {
  using Names = std::vector<std::string>;
  const auto conserved = [](const std::string& torques) {
    Written written(driven(torques));
    Names names;
    for (const Quantity& q : written.simulation().description().invariants) names.push_back(q.name);
    return names;
  };
  const std::string field = "[[torque]]\nkind = \"uniform-field\"\nfield = [0.0, 0.0, 1.0]\n";
  const std::string wheels = "[[torque]]\nkind = \"wheels\"\nmomentum = [0.1, 0.2, 0.3]\n";
  const std::string damping = "[[torque]]\nkind = \"damping\"\ncoefficient = 0.1\n";
  const std::string inside = "[[torque]]\nkind = \"dissipation\"\ncoefficient = 0.1\n";
  EXPECT_EQ(conserved(""), (Names{"energy", "momentum_norm", "spatial_momentum"}));
  EXPECT_EQ(conserved(wheels), (Names{"energy", "momentum_norm", "spatial_momentum"}));
  EXPECT_EQ(conserved(inside), (Names{"momentum_norm", "spatial_momentum"}));
  EXPECT_EQ(conserved(field), (Names{"energy", "vertical_momentum"}));
  EXPECT_EQ(conserved(field + wheels), (Names{"energy", "vertical_momentum"}));
  EXPECT_EQ(conserved(field + field), Names{"energy"});
  EXPECT_EQ(conserved(field + damping), Names{});
  EXPECT_EQ(conserved(damping), Names{});
  // And that it is: measured 3e-16 and 2e-16.
  Written top(driven(field + wheels));
  const RunResult result = top.run();
  EXPECT_LT(largest_error(result, "vertical_momentum"), 2e-15);
  EXPECT_LT(largest_error(result, "energy"), 1e-9);
}

TEST(SeveralTorques, MomentumIsTheTotalOne) {
  Written written(driven("[[torque]]\nkind = \"wheels\"\nmomentum = [0.1, 0.2, 0.3]\n",
                         "angular_velocity = [0.3, -0.4, 0.5]"));
  const Snapshot now = written.simulation().look();
  EXPECT_NEAR(now.state[0], 0.3 + 0.1, 1e-16);
  EXPECT_NEAR(now.state[1], -0.6 + 0.2, 1e-16);
  EXPECT_NEAR(now.state[2], 1.0 + 0.3, 3e-16);
  EXPECT_NEAR(now.derived[1], -0.4, 1e-16);  // of the body alone
}

TEST(SeveralTorques, TheScenarioAsRunIsAScenarioAgain) {
  Written written(driven("[[torque]]\nkind = \"damping\"\ncoefficient = [0.1, 0.2, 0.3]\n[[torque]]\nkind = "
                         "\"gravity-gradient\"\norbit = { mean_motion = 0.5 }\n",
                         "momentum = [0.3, -0.4, 0.9]\ntime = 2.5") +
                  "[output]\ntimes = [3.0, 4.0]\n[[event]]\nquantity = \"pitch\"\n");
  EXPECT_EQ(written.simulation().time(), 2.5);
  Written again(written.scenario().text());
  EXPECT_EQ(again.scenario().text(), written.scenario().text());
  EXPECT_EQ(again.run().last.state, written.run().last.state);
}

TEST(SeveralTorques, OrbitsOfAnyEccentricityAndTables) {
  const auto end = [](const std::string& torque) {
    Written written(driven("[[torque]]\n" + torque));
    return written.run().last.state;
  };
  // An ellipse in two ways, and a flyby on a hyperbola as a table of its positions.
  const std::vector<double> one =
      end("kind = \"gravity-gradient\"\norbit = { semi_major_axis = 2.0, gravitational_parameter = 3.0, "
          "eccentricity = 0.25 }\n");
  const std::vector<double> other = end(
      "kind = \"gravity-gradient\"\norbit = { periapsis = 1.5, gravitational_parameter = 3.0, eccentricity = "
      "0.25 }\n");
  for (std::size_t i = 0; i < one.size(); ++i) EXPECT_NEAR(one[i], other[i], 2e-15);
  const KeplerOrbit<double> orbit({.gravitational_parameter = 3.0,
                                   .eccentricity = 1.5,
                                   .inclination = 0.3,
                                   .periapsis = 1.5,
                                   .periapsis_time = 4.0});
  std::string times, positions;
  for (int i = -10; i <= 260; ++i) {
    const double time = 0.05 * i;
    const auto point = orbit.at<double>(DoubleDouble(time));
    times += (times.empty() ? "" : ", ") + shortest(time);
    positions += (positions.empty() ? "[" : ", [");
    for (std::size_t k = 0; k < 3; ++k)
      positions += (k == 0 ? "" : ", ") + shortest(1.5 * point.distance * point.radial[k]);
    positions += "]";
  }
  const std::vector<double> flyby = end(
      "kind = \"gravity-gradient\"\norbit = { periapsis = 1.5, gravitational_parameter = 3.0, eccentricity = "
      "1.5, inclination = 0.3, periapsis_time = 4.0 }\n");
  const std::vector<double> table =
      end("kind = \"attracting-body\"\ngravitational_parameter = 3.0\ntimes = [" + times +
          "]\npositions = [" + positions + "]\n");
  // Interpolation of order 8: 1.3e-8 with rows twice as far apart.
  for (std::size_t i = 0; i < flyby.size(); ++i) EXPECT_NEAR(flyby[i], table[i], 2e-10);
}

void expect_complaint(const std::string& text, const std::string& sentence) {
  try {
    Written written(text);
    ADD_FAILURE() << "no complaint that " << sentence;
  } catch (const InputError& e) {
    EXPECT_NE(std::string(e.what()).find(sentence), std::string::npos) << e.what();
  }
}

TEST(SeveralTorques, Complaints) {
  const auto torque = [](const std::string& keys) { return driven("[[torque]]\n" + keys); };
  expect_complaint(torque("kind = \"dampin\"\n"),
                   "torque[0].kind: there is no torque \"dampin\"; did you mean \"damping\"?");
  expect_complaint(torque("coefficient = 1\n"), "torque[0].kind: is missing");
  expect_complaint(torque("kind = \"damping\"\n"), "torque[0].coefficient: is missing");
  expect_complaint(torque("kind = \"damping\"\ncoefficient = -1\n"),
                   "torque[0].coefficient: a coefficient of the damping is negative");
  expect_complaint(torque("kind = \"damping\"\ncoefficient = [[1, 0, 0], [0, -2, 0], [0, 0, 1]]\n"),
                   "torque[0].coefficient: the matrix of the damping is not positive semidefinite");
  expect_complaint(torque("kind = \"damping\"\ncoefficient = 1\nmedum = [0, 0, 1]\n"),
                   "torque[0].medum: there is no such key; did you mean \"medium\"?");
  expect_complaint(torque("kind = \"wheels\"\nmomentum = [0, 0]\n"),
                   "torque[0].momentum: must be an array of 3 numbers");
  expect_complaint(torque("kind = \"constant\"\ntorque = [0, 0, 1]\nframe = \"orbit\"\n"),
                   "torque[0].frame: must be \"body\" or \"space\"");
  expect_complaint(torque("kind = \"gravity-gradient\"\norbit = { eccentrcity = 0.1 }\n"),
                   "torque[0].orbit.eccentrcity: there is no such key; did you mean \"eccentricity\"?");
  expect_complaint(torque("kind = \"gravity-gradient\"\norbit = { eccentricity = 1.5 }\n"),
                   "torque[0].orbit.eccentricity: the eccentricity is not below 1");
  expect_complaint(torque("kind = \"gravity-gradient\"\norbit = { periapsis = 2.0, mean_motion = 1.0 }\n"),
                   "torque[0].orbit.mean_motion: is given together with periapsis");
  expect_complaint(torque("kind = \"attracting-body\"\ngravitational_parameter = 1.0\n"),
                   "torque[0].table: is missing: give table, or times and positions");
  expect_complaint(
      torque("kind = \"attracting-body\"\ngravitational_parameter = 1.0\ntable = \"none.csv\"\n"),
      "none.csv");
  expect_complaint(torque("kind = \"attracting-body\"\ngravitational_parameter = 1.0\ntimes = [0, 1]\n"
                          "positions = [[1, 0, 0], [1, 0]]\n"),
                   "torque[0].positions: entry [1] must be an array of 3 numbers");
  expect_complaint(torque("kind = \"attracting-body\"\ngravitational_parameter = 1.0\ntimes = [0, 1]\n"
                          "positions = [[1, 0, 0], [1, 0, 0]]\n"),
                   "torque[0].positions: an ephemeris of 2 rows is too short");
  expect_complaint("torque = 3\n" + driven(""), "torque: must be an array of tables, not 3");
  expect_complaint(
      "[system]\nkind = \"free-body\"\ninertia = [1, 2, 3]\n[[torque]]\nkind = "
      "\"damping\"\n[state]\nmomentum = [1, 0, 0]\n[method]\nname = "
      "\"exact\"\nstep = 1\nsteps = 1\n",
      "torque[0]: a system of kind \"free-body\" has no tables [[torque]]");
  // A step that would let the damping blow up in the backward stages of a scheme.
  const std::string strong = torque("kind = \"damping\"\ncoefficient = 1000.0\n");
  Written positive(strong);  // aba-8-2 by itself
  expect_complaint(strong + "scheme = \"aba-8-6-4\"\n",
                   "method: the scheme aba-8-6-4 runs the damping backwards");
  expect_complaint(
      torque("kind = \"wheels\"\nmomentum = [0, 0, 1]\n") + "free = \"dmv10\"\n",
      "method: with wheels, dissipation or changing inertia the free motion must be exact, not dmv10");
}

TEST(Watching, RowsAtTimesOfOnesOwn) {
  const std::string body =
      "[system]\nkind = \"free-body\"\ninertia = [1.0, 1.5, 2.0]\n[state]\nmomentum = [0.3, -0.4, 0.9]\n";
  Written written(
      body +
      "[method]\nname = \"exact\"\nstep = 0.5\nsteps = 20\n[output]\ntimes = [0.0, 0.3, 0.5, 0.7, 10.0]\n");
  Rows rows;
  const RunResult result = written.run(&rows);
  EXPECT_EQ(result.ending, Ending::completed);
  ASSERT_EQ(rows.rows.size(), 5U);
  for (const std::size_t i : {0, 1, 2, 3, 4}) {
    const double time = (std::array{0.0, 0.3, 0.5, 0.7, 10.0})[i];
    EXPECT_EQ(rows.rows[i][0], time);
    if (time == 0.0) continue;
    Written single(body + "[method]\nname = \"exact\"\nsteps = 1\nduration = " + std::to_string(time) + "\n");
    const std::vector<double> expected = single.run().last.state;
    for (std::size_t k = 0; k < expected.size(); ++k)
      EXPECT_NEAR(rows.rows[i][k + 1], expected[k], 4e-15) << time;
  }
}

TEST(Watching, EventsAreFoundToTheLastPlace) {
  // A symmetric body: the momentum across the axis turns at a constant rate in the body.
  const double rate = 0.9 * (1.0 / 1.0 - 1.0 / 2.0);
  const auto run = [](const std::string& event) {
    Written written(
        "[system]\nkind = \"free-body\"\ninertia = [1.0, 1.0, 2.0]\n[state]\nmomentum = [0.3, 0.0, "
        "0.9]\n[method]\nname = "
        "\"exact\"\nstep = 0.37\nsteps = 100\n[[event]]\nquantity = \"momentum_1\"\n" +
        event);
    return written.run();
  };
  const RunResult both = run("");
  ASSERT_EQ(both.events.size(), static_cast<std::size_t>(37.0 * rate / std::numbers::pi + 0.5));
  for (std::size_t i = 0; i < both.events.size(); ++i) {
    const double expected = (static_cast<double>(i) + 0.5) * std::numbers::pi / rate;
    EXPECT_NEAR(both.events[i].time, expected, 1e-14 * expected) << i;
  }
  const RunResult rising = run("direction = 1\n"), falling = run("direction = -1\n");
  EXPECT_EQ(rising.events.size() + falling.events.size(), both.events.size());
  EXPECT_EQ(falling.events.front().time, both.events.front().time);
  const RunResult last = run("direction = 1\nterminal = true\n");
  EXPECT_EQ(last.ending, Ending::event);
  EXPECT_EQ(last.time, both.events[1].time);
  EXPECT_EQ(last.events.size(), 1U);
  EXPECT_NEAR(last.last.state[0], 0.0, 1e-15);
}

TEST(Watching, Complaints) {
  const std::string body = driven("");
  expect_complaint(body + "[[event]]\nvalue = 1\n", "event[0].quantity: is missing");
  expect_complaint(body + "[[event]]\nquantity = \"momentum\"\n",
                   "event[0].quantity: there is no quantity \"momentum\"; did you mean \"momentum_1\"?");
  expect_complaint(body + "[[event]]\nquantity = \"momentum_1\"\ndirection = 2\n",
                   "event[0].direction: must be -1, 0 or 1, not 2");
  expect_complaint(body + "[output]\ntimes = [1.0, 0.5]\n", "output.times: entry [1] is 0.5");
  expect_complaint(body + "[output]\ntimes = [1.0, 10.5]\n",
                   "output.times: entry [1] is 10.5: the run ends at 10");
  expect_complaint(body + "[output]\ntime = [1.0]\n",
                   "output.time: there is no such key; did you mean \"times\"?");
  expect_complaint(
      "[system]\nkind = \"pendulum\"\n[method]\nname = \"sy8\"\nstep = 0.01\nsteps = 10\n[output]\ntimes = "
      "[0.05]\n",
      "method.name: the steps of \"sy8\" have one length");
}

}  // namespace
}  // namespace polhode::program
