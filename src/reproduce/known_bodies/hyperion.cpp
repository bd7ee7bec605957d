// The experiment hyperion: Lyapunov exponents of the rotation from its measured states, and over attitudes at the periapsis.
#include <array>
#include <cstdint>

#include "polhode/splitting/driven_rotor.hpp"
#include "polhode/splitting/lyapunov.hpp"
#include "polhode/torque/gravity_gradient.hpp"
#include "reproduce/known_bodies/known_bodies.hpp"

namespace polhode::program::experiments {

namespace hyperion {

/// A state of the table: eccentricity and mean anomaly, angles about the axes 3, 1, 3 in radians, direction of the angular velocity in the body, and its
/// size over the mean motion, which is the unit of rates here.
struct Observed {
  const char *date, *label;
  double eccentricity, mean_anomaly;
  std::array<double, 3> angles, direction;
  double rate;
};
constexpr std::array<Observed, 7> observed{
    {{"1981-08-23", "1981-08", 0.124, 0.349, {5.676, 0.965, 3.448}, {0.211, -0.019, 0.977}, 4.225},
     {"2005-06-10", "2005-06", 0.115, 5.149, {1.713, 1.148, 1.508}, {0.067, 0.451, 0.890}, 4.433},
     {"2005-08-16", "2005-08", 0.115, 5.969, {0.559, 0.661, 0.587}, {0.162, 0.389, 0.907}, 4.255},
     {"2005-09-25", "2005-09", 0.113, 5.288, {5.734, 0.134, 0.705}, {0.133, 0.411, 0.902}, 4.255},
     {"2005-06-10, axes corrected",
      "2005-06 *",
      0.115,
      5.149,
      {2.055, 0.963, 2.210},
      {-0.010, -0.182, 0.983},
      4.433},
     {"2005-08-16, axes corrected",
      "2005-08 *",
      0.115,
      5.969,
      {1.025, 0.819, 1.112},
      {-0.166, 0.009, 0.986},
      4.255},
     {"2005-09-25, axes corrected",
      "2005-09 *",
      0.113,
      5.288,
      {0.527, 0.393, 0.525},
      {-0.095, 0.157, 0.983},
      4.255}}};
constexpr std::size_t uncorrected = 4;

/// Moments about the axes A, B and C of the table.
struct Moments {
  const char* name;
  std::array<double, 3> about;
};
constexpr double square_of(double x) { return x * x; }
constexpr double ellipsoid_a = 360, ellipsoid_b = 266, ellipsoid_c = 205;  // km
constexpr std::array<Moments, 4> sets{
    {{"0.5956 : 0.8595 : 1 (memory), C least, A middle", {0.8595, 1, 0.5956}},
     {"0.5956 : 0.8595 : 1 (memory), C least, A greatest", {1, 0.8595, 0.5956}},
     {"ellipsoid 360 x 266 x 205 km, C least, A middle",
      {(square_of(ellipsoid_a) + square_of(ellipsoid_c)) / (square_of(ellipsoid_a) + square_of(ellipsoid_b)),
       1,
       (square_of(ellipsoid_b) + square_of(ellipsoid_c)) /
           (square_of(ellipsoid_a) + square_of(ellipsoid_b))}},
     {"0.5956 : 0.8595 : 1 (memory), C greatest", {0.5956, 0.8595, 1}}}};

constexpr double orbital_period = 21.28;  // days
/// The Lyapunov time in days, of an exponent over the mean motion.
double days_of(double exponent) { return orbital_period / (2 * std::numbers::pi * exponent); }

struct Start {
  std::array<double, 3> moments;
  double eccentricity, mean_anomaly;
  State<double> state;

  Body<double> body() const { return Body<double>(Vector<double>(moments[0], moments[1], moments[2])); }
  GravityGradient<double> gradient() const {
    return GravityGradient(KeplerOrbit<double>({.eccentricity = eccentricity, .mean_anomaly = mean_anomaly}));
  }
};
Start start_of(const Observed& o, const Moments& m) {
  State<double> s{{}, attitude_313(o.angles[0], o.angles[1], o.angles[2])};
  for (std::size_t k = 0; k < 3; ++k) s.momentum[k] = m.about[k] * o.rate * o.direction[k];
  return {m.about, o.eccentricity, o.mean_anomaly, s};
}
/// Spinning about the long axis at the periapsis, which points into a direction of space.
Start map_start(double longitude, double tilt) {
  const double rate = 4.255;
  return {sets[0].about, 0.115, 0, {{0, 0, sets[0].about[2] * rate}, attitude_313(longitude, tilt, 0)}};
}

/// How the exponent is computed.
struct Way {
  double step;
  const char* scheme;
};
constexpr Way standard{0.1, "rkn6-14"};
/// The unit of a change of the momentum, as lyapunov_exponents takes it.
double unit_of(const Vector<double>& m) {
  return std::ldexp(1.0, std::ilogb(std::max({std::abs(m[0]), std::abs(m[1]), std::abs(m[2])})));
}

/// What is seen on the way of two neighbours.
struct Course {
  std::vector<double> growth;  ///< of the logarithm of the distance, in each of the equal parts
  double largest_tilt = 0;     ///< of the long axis from the momentum
};

/// Two motions at a distance of 1e-7, which is restored after each 16 steps. At first they differ in the momentum about the axis of least moment.
Course neighbours(const Start& start, const Way& way, std::int64_t steps, std::size_t parts) {
  constexpr double distance = 1e-7;
  constexpr std::int64_t block = 16;
  const Body<double> body = start.body();
  const GravityGradient<double> gradient = start.gradient();
  const Scheme& chosen = scheme(way.scheme);
  const double unit = unit_of(start.state.momentum);
  const Vector<double> long_axis = convert<double>(body.axes()[0]);
  auto rotor = driven(body, start.state, gradient, chosen);
  Vector<double> dm = distance * unit * long_axis, xi{0, 0, 0};
  Course course;
  for (std::size_t part = 0; part < parts; ++part) {
    const std::int64_t end = steps * static_cast<std::int64_t>(part + 1) / static_cast<std::int64_t>(parts);
    double sum = 0;
    while (rotor.steps_taken() < end) {
      const State<double> s = rotor.state();
      course.largest_tilt = std::max(
          course.largest_tilt,
          degrees(std::acos(std::min(1.0, std::abs(dot(s.momentum, long_axis)) / norm(s.momentum)))));
      auto other = driven(
          body,
          State<double>{s.momentum + dm, s.attitude * Quaternion<double>(1, xi[0] / 2, xi[1] / 2, xi[2] / 2)},
          gradient, chosen, rotor.time());
      const std::int64_t count = std::min(block, end - rotor.steps_taken());
      rotor.advance(way.step, count);
      other.advance(way.step, count);
      const auto near = rotor.wide_state(), far = other.wide_state();
      const Quaternion<double> r = convert<double>(conjugate(near.attitude) * far.attitude);
      dm = convert<double>(far.momentum - near.momentum);
      xi = (r[0] < 0 ? -2.0 : 2.0) * r.vector();
      const double now = std::sqrt(dot(dm, dm) / (unit * unit) + dot(xi, xi));
      sum += std::log(now / distance);
      dm = (distance / now) * dm;
      xi = (distance / now) * xi;
    }
    course.growth.push_back(sum);
    stop_if_interrupted();
  }
  return course;
}

double exponent_of(const Course& course, const Way& way, std::int64_t steps) {
  double sum = 0;
  for (const double x : course.growth) sum += x;
  return sum / (way.step * static_cast<double>(steps));
}

/// The same from the derivative of the steps: one change of the state, carried by the tangent map.
double by_tangent_map(const Start& start, const Way& way, std::int64_t steps) {
  DrivenTangent<double> run(start.body(), start.state, start.gradient(), scheme(way.scheme), DoubleDouble(0));
  run.changes()[0] = {{1, 0, 0}, {0, 0, 0}};  // as that of the neighbours
  double sum = 0;
  for (std::int64_t taken = 0; taken < steps;) {
    const std::int64_t count = std::min<std::int64_t>(16, steps - taken);
    run.advance(way.step, count);
    taken += count;
    Tangent<double>& v = run.changes()[0];
    const double length = std::sqrt(dot(v.momentum, v.momentum) + dot(v.rotation, v.rotation));
    sum += std::log(length);
    for (auto& other : run.changes()) {  // all of them by one factor: only the first counts
      other.momentum = (1 / length) * other.momentum;
      other.rotation = (1 / length) * other.rotation;
    }
    stop_if_interrupted();
  }
  return sum / (way.step * static_cast<double>(steps));
}

struct Plan {
  double orbits, map_orbits;
  std::size_t columns, rows;  ///< of the map

  static constexpr std::size_t parts = 20, runs = observed.size() * sets.size();
  static constexpr double check_orbits = 20;
  // The checks of a state: by the standard way, half the step, another scheme, the tangent map.
  static constexpr std::size_t checks = 4;
  std::size_t check_unit() const { return runs; }
  std::size_t map_unit() const { return runs + uncorrected; }
  std::size_t units() const { return map_unit() + rows; }
  std::size_t record_size() const { return std::max({parts + 1, checks, columns}); }
  static std::int64_t steps(double orbits, const Way& way) {
    return std::lround(orbits * 2 * std::numbers::pi / way.step);
  }
};

void compute(const Plan& plan, std::size_t unit, std::span<double> record) {
  std::fill(record.begin(), record.end(), 0.0);
  if (unit < plan.check_unit()) {
    const Course course = neighbours(start_of(observed[unit % observed.size()], sets[unit / observed.size()]),
                                     standard, Plan::steps(plan.orbits, standard), Plan::parts);
    std::copy(course.growth.begin(), course.growth.end(), record.begin());
    record[Plan::parts] = course.largest_tilt;
  } else if (unit < plan.map_unit()) {
    const Start start = start_of(observed[unit - plan.check_unit()], sets[0]);
    constexpr std::array<Way, 3> ways{standard, Way{0.05, "rkn6-14"}, Way{0.1, "kahan-li-8"}};
    for (std::size_t i = 0; i < ways.size(); ++i) {
      const std::int64_t steps =
          Plan::steps(Plan::check_orbits, standard) * std::lround(standard.step / ways[i].step);
      record[i] = exponent_of(neighbours(start, ways[i], steps, 1), ways[i], steps);
    }
    record[3] = by_tangent_map(start, standard, Plan::steps(Plan::check_orbits, standard));
  } else {
    const double tilt = std::numbers::pi * (static_cast<double>(unit - plan.map_unit()) + 0.5) /
                        static_cast<double>(plan.rows);
    const std::int64_t steps = Plan::steps(plan.map_orbits, standard);
    for (std::size_t i = 0; i < plan.columns; ++i) {
      // The torque does not know the sign of the radial direction: half of the longitudes is enough.
      const double longitude =
          std::numbers::pi * (static_cast<double>(i) + 0.5) / static_cast<double>(plan.columns);
      record[i] = exponent_of(neighbours(map_start(longitude, tilt), standard, steps, 1), standard, steps);
    }
  }
}

/// An exponent, and the error of its mean over the parts.
struct Exponent {
  double value, error;
};
Exponent exponent_in(std::span<const double> record, double orbits) {
  const double time = orbits * 2 * std::numbers::pi, part_time = time / static_cast<double>(Plan::parts);
  double sum = 0, squares = 0;
  for (std::size_t i = 0; i < Plan::parts; ++i) sum += record[i];
  const double mean = sum / static_cast<double>(Plan::parts);
  for (std::size_t i = 0; i < Plan::parts; ++i) squares += square_of(record[i] - mean);
  const double count = static_cast<double>(Plan::parts);
  return {sum / time, std::sqrt(squares / (count - 1) / count) / part_time};
}

Findings evaluate(const Records& records, const Plan& plan, bool quick) {
  Findings f;
  f.figure.columns = 2;
  f.figure.panels = {{.title = "Growth of a neighbour's distance",
                      .x_label = "orbits",
                      .y_label = "exponent/mean motion",
                      .log_x = true,
                      .log_y = true},
                     {.title = "Spin about the long axis, by its direction",
                      .x_label = "longitude, half turns",
                      .y_label = "angle to the normal, half turns",
                      .legend = false,
                      .x_range = std::pair{0.0, 1.0},
                      .y_range = std::pair{0.0, 1.0},
                      .z_label = "exponent/mean motion",
                      .z_range = {0, quick ? 0.1 : 0.06},
                      .map_cell = 1 / static_cast<double>(std::min(plan.columns, plan.rows))}};
  constexpr std::array colours{Colour::blue,   Colour::sky,       Colour::green, Colour::black,
                               Colour::orange, Colour::vermilion, Colour::purple};
  for (std::size_t i = 0; i < observed.size(); ++i) {
    Curve c{.name = observed[i].label, .style = {.colour = colours[i], .dashed = i >= uncorrected}};
    double sum = 0;
    for (std::size_t part = 0; part < Plan::parts; ++part) {
      sum += records[i][part];
      const double orbits = plan.orbits * static_cast<double>(part + 1) / static_cast<double>(Plan::parts);
      c.x.push_back(orbits);
      c.y.push_back(sum / (orbits * 2 * std::numbers::pi));
    }
    f.figure.panels[0].curves.push_back(c);
  }
  Curve regular{.name = "log(t)/t", .style = {.colour = Colour::grey, .width = 3}};
  for (std::size_t part = 1; part <= Plan::parts; ++part) {
    const double orbits = plan.orbits * static_cast<double>(part) / static_cast<double>(Plan::parts);
    const double t = orbits * 2 * std::numbers::pi;
    regular.x.push_back(orbits);
    regular.y.push_back(std::log(t) / t);
  }
  f.figure.panels[0].curves.push_back(regular);
  Curve map{.name = "exponent", .style = {.line = false}};
  std::vector<double> cells;
  for (std::size_t row = 0; row < plan.rows; ++row)
    for (std::size_t i = 0; i < plan.columns; ++i) {
      map.x.push_back((static_cast<double>(i) + 0.5) / static_cast<double>(plan.columns));
      map.y.push_back((static_cast<double>(row) + 0.5) / static_cast<double>(plan.rows));
      map.z.push_back(records[plan.map_unit() + row][i]);
      cells.push_back(map.z.back());
    }
  f.figure.panels[1].curves = {map};

  const double time = plan.orbits * 2 * std::numbers::pi, regular_value = std::log(time) / time;
  TextTable table{.title = fmt::format("Exponents over {} orbits; a regular motion has about {:.2g}",
                                       plan.orbits, regular_value),
                  .head = {"moments about the axes of the table", "state", "exponent over the mean motion",
                           "Lyapunov time, days", "largest angle of the long axis to the momentum, degrees"},
                  .rows = {}};
  std::array<std::array<double, observed.size()>, sets.size()> value{};
  for (std::size_t k = 0; k < sets.size(); ++k)
    for (std::size_t i = 0; i < observed.size(); ++i) {
      const auto record = records[k * observed.size() + i];
      const Exponent e = exponent_in(record, plan.orbits);
      value[k][i] = e.value;
      table.rows.push_back(
          {sets[k].name, observed[i].date, fmt::format("{:.5f} ± {:.5f}", e.value, e.error),
           e.value > 2 * regular_value ? fmt::format("{:.0f}", days_of(e.value)) : "regular, or longer",
           fmt::format("{:.0f}", record[Plan::parts])});
    }
  f.tables = {table};

  const auto largest_difference = [&](std::size_t check) {
    double largest = 0;
    for (std::size_t i = 0; i < uncorrected; ++i) {
      const auto record = records[plan.check_unit() + i];
      largest = std::max(largest, std::abs(record[check] / record[0] - 1));
    }
    return largest;
  };
  const auto largest = [&](std::size_t set, std::size_t from, std::size_t to) {
    return *std::max_element(value[set].begin() + static_cast<std::ptrdiff_t>(from),
                             value[set].begin() + static_cast<std::ptrdiff_t>(to));
  };
  const auto least = [&](std::size_t set, std::size_t from, std::size_t to) {
    return *std::min_element(value[set].begin() + static_cast<std::ptrdiff_t>(from),
                             value[set].begin() + static_cast<std::ptrdiff_t>(to));
  };
  const std::string ours = "(not published)";
  const auto in_days = [&](Claim c, double exponent) {
    return written(std::move(c), fmt::format("{:.3g}, or {:.0f} d", exponent, days_of(exponent)));
  };
  const std::size_t all = observed.size();
  const double as_measured = largest(0, 0, uncorrected), corrected = least(0, uncorrected, all),
               weakest = least(0, 0, uncorrected);
  // Over ten thousand orbits a chaotic motion is decided by the last bit of a sine: the bounds of the full size are wide.
  f.claims = {in_days(between("axes as measured: largest exponent of the four states, C least, A middle",
                              "chaotic, Lyapunov time of the order of 100 d (Harbison et al. 2011): 0.034",
                              as_measured, quick ? 0.02 : 0.015, quick ? 0.03 : 0.2)
                          .printed(0.0107, 0.107),
                      as_measured),
              in_days(between("axes as measured: least exponent of the four states, C least, A middle", ours,
                              weakest, quick ? 0.008 : 0.004, quick ? 0.012 : 0.012),
                      weakest),
              in_days(between("axes corrected: least exponent of the three states, C least, A middle",
                              "not chaotic, or far less so (Goldberg and Batygin 2024)", corrected, 0,
                              quick ? 0.012 : 0.001)
                          .printed_as(corrected < 0.012),
                      corrected),
              at_most("half the step: largest relative change of the four exponents over 20 orbits", ours,
                      largest_difference(1), 1e-5),
              at_most("kahan-li-8 in the place of rkn6-14: the same", ours, largest_difference(2), 1e-5),
              at_most("tangent map in the place of neighbours: the same", ours, largest_difference(3), 1e-5),
              at_most("spin about the long axis at the periapsis: least exponent of the map", ours,
                      *std::min_element(cells.begin(), cells.end()), quick ? 0.03 : 0.01),
              at_least("the same: largest exponent of the map", ours,
                       *std::max_element(cells.begin(), cells.end()), 0.03)};
  return f;
}

Experiment make(Scale scale) {
  const bool quick = scale == Scale::quick;
  const Plan plan{quick ? 100.0 : 10000.0, quick ? 40.0 : 200.0, quick ? std::size_t{12} : std::size_t{24},
                  quick ? std::size_t{8} : std::size_t{16}};
  Experiment e;
  e.name = "hyperion";
  e.group = known_bodies_group;
  e.reference =
      "Hyperion: Wisdom, Peale and Mignard 1984; Harbison et al. 2011; Goldberg and Batygin, Astronomy and "
      "Astrophysics 692, A9 (2024)";
  e.title = "Is the rotation of Hyperion chaotic?";
  e.setting =
      "The moon of Saturn turns 4.2 times in an orbit, about an axis near its long one. Four states were "
      "measured, three of them again with the principal axes "
      "turned by 30 degrees against the shape. From each the rotation is followed with a neighbour at 1e-7. "
      "How to read the table of the states "
      "is ours: the third axis, C there, is the one near the spin and so that of the least moment; which of "
      "A and B is greater is not said, and both are tried; "
      "with C as the greatest moment the spin would be about the short axis. Inputs from memory: moments "
      "0.5956 : 0.8595 : 1 (Wisdom et al. 1984). Not modelled: "
      "the change of the orbit by Titan, tides, an inner structure. A finite time has a finite exponent: a "
      "regular motion has log(t)/t. Dashed, and *: axes corrected. The map is for 4.255 turns an "
      "orbit about the long axis at the periapsis.";
  e.parameters = {
      {"states",
       "table 1 of Goldberg and Batygin 2024: angles about the axes 3, 1, 3, angular velocity in the body"},
      {"moments of inertia",
       "0.5956 : 0.8595 : 1 (memory), in three orders; homogeneous ellipsoid of 360 x 266 x 205 km"},
      {"orbit", "ellipse with the eccentricity of each state; period 21.28 d"},
      {"method", "splitting, rkn6-14, exact; 63 steps an orbit; renormalised after 16 steps"},
      {"orbits", fmt::format("{}; map of {} by {}, 4.255 turns an orbit about the long axis, e = 0.115: {}",
                             plan.orbits, plan.columns, plan.rows, plan.map_orbits)}};
  e.units = plan.units();
  e.record_size = plan.record_size();
  e.compute = [=](std::size_t unit, std::span<double> record) { compute(plan, unit, record); };
  e.evaluate = [=](const Records& records) { return evaluate(records, plan, quick); };
  return e;
}

}  // namespace hyperion

ExperimentEntry hyperion_experiment() {
  return {"hyperion", "Lyapunov exponents of the rotation of Hyperion", hyperion::make};
}

}  // namespace polhode::program::experiments
