// The experiment hyperion: Lyapunov exponents of the rotation from its measured states, and over attitudes at the periapsis.
#include <array>
#include <cstdint>

#include "batch/instruction_set.hpp"
#include "polhode/batch/driven_batch.hpp"
#include "polhode/splitting/driven_tangent.hpp"
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

/// A body and its orbit.
struct Moon {
  std::array<double, 3> moments;
  double eccentricity, mean_anomaly;

  Body<double> body() const { return Body<double>(Vector<double>(moments[0], moments[1], moments[2])); }
  GravityGradient<double> gradient() const {
    return GravityGradient(KeplerOrbit<double>({.eccentricity = eccentricity, .mean_anomaly = mean_anomaly}));
  }
};
struct Start {
  Moon moon;
  State<double> state;
};
Start start_of(const Observed& o, const Moments& m) {
  State<double> s{{}, attitude_313(o.angles[0], o.angles[1], o.angles[2])};
  for (std::size_t k = 0; k < 3; ++k) s.momentum[k] = m.about[k] * o.rate * o.direction[k];
  return {{m.about, o.eccentricity, o.mean_anomaly}, s};
}
/// Spinning about the long axis at the periapsis, which points into a direction of space.
constexpr Moon map_moon{sets[0].about, 0.115, 0};
State<double> map_state(double longitude, double tilt) {
  const double rate = 4.255;
  return {{0, 0, sets[0].about[2] * rate}, attitude_313(longitude, tilt, 0)};
}
/// One turn an orbit about the short axis, a little off the normal of the orbit: the slow motions that the first papers were about.
Start slow_start() {
  return {{sets[0].about, 0.1, 0}, {{0, sets[0].about[1], 0}, attitude_313(0.3, 0.2, 0.1)}};
}
/// A state, and others that no measurement tells from it: their momenta differ in the ninth digit. From `first` on.
std::vector<State<double>> cloud(const State<double>& state, std::size_t first, std::size_t count) {
  constexpr std::array<double, 3> ratios{
      0.8191725133961645, 0.6710436067037893,
      0.5497004779019703};  // the powers of a number, all of them incommensurable
  std::vector<State<double>> all(count, state);
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t k = 0; first + i > 0 && k < 3; ++k) {
      const double turns = static_cast<double>(first + i) * ratios[k];
      all[i].momentum[k] += 1e-9 * (turns - std::floor(turns) - 0.5);
    }
  return all;
}

/// How the exponent is computed.
struct Way {
  double step;
  const char* scheme;
};
constexpr Way standard{0.1, "rkn6-14"}, half_step{0.05, "rkn6-14"}, other_scheme{0.1, "kahan-li-8"};
/// The same time in all ways: as many steps of the standard one as fit best.
std::int64_t steps_of(double orbits, const Way& way) {
  return std::lround(orbits * 2 * std::numbers::pi / standard.step) * std::lround(standard.step / way.step);
}
/// The unit of a change of the momentum, as lyapunov_exponents takes it.
double unit_of(const Vector<double>& m) {
  return std::ldexp(1.0, std::ilogb(std::max({std::abs(m[0]), std::abs(m[1]), std::abs(m[2])})));
}

/// What is seen on the way of a motion and its neighbour.
struct Course {
  std::vector<double> growth;  ///< of the logarithm of the distance, in each of the equal parts
  double largest_tilt = 0;     ///< of the long axis from the momentum
};

/// Motions with a neighbour each at a distance of 1e-7, which is restored again and again. At first they differ in the momentum about the axis
/// of least moment.
std::vector<Course> neighbours(const Moon& moon, std::span<const State<double>> states, const Way& way,
                               double orbits, std::size_t parts) {
  constexpr double distance = 1e-7, between = 1.6;  // radians of the orbit
  const Body<double> body = moon.body();
  const TorqueList<double> gradient(moon.gradient());
  const Scheme& chosen = scheme(way.scheme);
  const Vector<double> long_axis = convert<double>(body.axes()[0]);
  const auto batch_of = [&](std::span<const State<double>> all, const DoubleDouble& time) {
    DrivenBatch batch(body, all, gradient, chosen, {}, time, batch_functions());
    batch.set_threads(1);  // the units of the experiment are what goes in threads
    return batch;
  };
  DrivenBatch motions = batch_of(states, DoubleDouble(0));
  std::vector<State<double>> near(states.begin(), states.end()), far(states.size());
  std::vector<double> unit;
  std::vector<Tangent<double>> change;
  for (const State<double>& s : states) {
    unit.push_back(unit_of(s.momentum));
    change.push_back({distance * unit.back() * long_axis, {0, 0, 0}});
  }
  std::vector<Course> courses(states.size(), {.growth = std::vector<double>(parts)});
  const std::int64_t steps = steps_of(orbits, way), block = std::lround(between / way.step);
  for (std::size_t part = 0; part < parts; ++part) {
    const std::int64_t end = steps * static_cast<std::int64_t>(part + 1) / static_cast<std::int64_t>(parts);
    while (motions.steps_taken() < end) {
      for (std::size_t i = 0; i < near.size(); ++i) {
        const auto& [dm, xi] = change[i];
        far[i] = {near[i].momentum + dm,
                  near[i].attitude * Quaternion<double>(1, xi[0] / 2, xi[1] / 2, xi[2] / 2)};
      }
      DrivenBatch others = batch_of(far, motions.time());
      const std::int64_t count = std::min(block, end - motions.steps_taken());
      motions.advance(way.step, count);
      others.advance(way.step, count);
      near = motions.state();
      far = others.state();
      for (std::size_t i = 0; i < near.size(); ++i) {
        const Quaternion<double> r = conjugate(near[i].attitude) * far[i].attitude;
        auto& [dm, xi] = change[i];
        dm = far[i].momentum - near[i].momentum;
        xi = (r[0] < 0 ? -2.0 : 2.0) * r.vector();
        const double now = std::sqrt(dot(dm, dm) / square_of(unit[i]) + dot(xi, xi));
        dm = (distance / now) * dm;
        xi = (distance / now) * xi;
        courses[i].growth[part] += std::log(now / distance);
        const double cosine = std::abs(dot(near[i].momentum, long_axis)) / norm(near[i].momentum);
        courses[i].largest_tilt =
            std::max(courses[i].largest_tilt, degrees(std::acos(std::min(1.0, cosine))));
      }
      stop_if_interrupted();
    }
  }
  return courses;
}

double exponent_of(const Course& course, double orbits) {
  double sum = 0;
  for (const double x : course.growth) sum += x;
  return sum / (orbits * 2 * std::numbers::pi);
}
double by_neighbours(const Start& start, const Way& way, double orbits) {
  return exponent_of(neighbours(start.moon, {&start.state, 1}, way, orbits, 1)[0], orbits);
}

/// The same from the derivative of the steps: one change of the state, carried by the tangent map.
double by_tangent_map(const Moon& moon, const State<double>& state, const Way& way, double orbits) {
  DrivenTangent<double> run(moon.body(), state, moon.gradient(), scheme(way.scheme), DoubleDouble(0));
  run.changes().resize(1);
  run.changes()[0] = {{1, 0, 0}, {0, 0, 0}};  // as that of the neighbours
  double sum = 0;
  const std::int64_t steps = steps_of(orbits, way);
  for (std::int64_t taken = 0; taken < steps;) {
    const std::int64_t count = std::min<std::int64_t>(16, steps - taken);
    run.advance(way.step, count);
    taken += count;
    Tangent<double>& v = run.changes()[0];
    const double length = std::sqrt(dot(v.momentum, v.momentum) + dot(v.rotation, v.rotation));
    sum += std::log(length);
    v.momentum = (1 / length) * v.momentum;
    v.rotation = (1 / length) * v.rotation;
    stop_if_interrupted();
  }
  return sum / (orbits * 2 * std::numbers::pi);
}

/// A mean, and its standard error.
struct Mean {
  double value = 0, error = 0;
};
Mean mean_of(std::span<const double> x) {
  Mean m;
  for (const double one : x) m.value += one;
  m.value /= static_cast<double>(x.size());
  for (const double one : x) m.error += square_of(one - m.value);
  m.error = std::sqrt(m.error / static_cast<double>(x.size() - 1) / static_cast<double>(x.size()));
  return m;
}

/// The ways to the exponent of the slow motions: by neighbours, and from the derivative.
struct SlowWay {
  const char* name;
  Way way;
  std::size_t members;  ///< of a unit of work
  bool by_tangent_map;
};
constexpr std::array<SlowWay, 4> slow_ways{{{"neighbours", standard, 128, false},
                                            {"half the step", half_step, 128, false},
                                            {"kahan-li-8", other_scheme, 128, false},
                                            {"tangent map", standard, 16, true}}};

struct Plan {
  double orbits, map_orbits, slow_orbits;
  std::size_t members;                                   ///< of a cloud
  std::array<std::size_t, slow_ways.size()> slow_units;  ///< for each way
  std::size_t columns, rows;                             ///< of the map

  static constexpr std::size_t parts = 20, runs = observed.size() * sets.size(),
                               slow_members = slow_ways[0].members;
  static constexpr double check_orbits = 20;
  // The checks of a state: by the standard way, half the step, another scheme, the tangent map.
  static constexpr std::size_t checks = 4;
  // The record of a run: the growth in each part, mean of the members; the exponent's standard error; the largest tilt.
  static constexpr std::size_t error_at = parts, tilt_at = parts + 1, run_record = parts + 2;
  std::size_t check_unit() const { return runs; }
  std::size_t slow_unit(std::size_t way) const {
    std::size_t unit = runs + uncorrected;
    for (std::size_t i = 0; i < way; ++i) unit += slow_units[i];
    return unit;
  }
  std::size_t map_unit() const { return slow_unit(slow_ways.size()); }
  std::size_t units() const { return map_unit() + rows; }
  std::size_t record_size() const { return std::max({run_record, checks, slow_members, columns}); }
};

void compute_run(const Plan& plan, std::size_t unit, std::span<double> record) {
  const Start start = start_of(observed[unit % observed.size()], sets[unit / observed.size()]);
  const std::vector<Course> courses =
      neighbours(start.moon, cloud(start.state, 0, plan.members), standard, plan.orbits, Plan::parts);
  std::vector<double> exponents;
  for (const Course& course : courses) {
    exponents.push_back(exponent_of(course, plan.orbits));
    for (std::size_t part = 0; part < Plan::parts; ++part)
      record[part] += course.growth[part] / static_cast<double>(plan.members);
    record[Plan::tilt_at] = std::max(record[Plan::tilt_at], course.largest_tilt);
  }
  record[Plan::error_at] = mean_of(exponents).error;
}

void compute_slow(const Plan& plan, std::size_t way, std::size_t unit, std::span<double> record) {
  const Start start = slow_start();
  // No way has the motions of another one: their means are to agree by what they are means of.
  const auto states =
      cloud(start.state, (plan.slow_unit(way) + unit) * Plan::slow_members, slow_ways[way].members);
  const SlowWay& how = slow_ways[way];
  if (how.by_tangent_map) {
    for (std::size_t i = 0; i < states.size(); ++i)
      record[i] = by_tangent_map(start.moon, states[i], how.way, plan.slow_orbits);
  } else {
    const std::vector<Course> courses = neighbours(start.moon, states, how.way, plan.slow_orbits, 1);
    for (std::size_t i = 0; i < courses.size(); ++i) record[i] = exponent_of(courses[i], plan.slow_orbits);
  }
}

void compute(const Plan& plan, std::size_t unit, std::span<double> record) {
  std::fill(record.begin(), record.end(), 0.0);
  if (unit < plan.check_unit()) return compute_run(plan, unit, record);
  if (unit < plan.slow_unit(0)) {
    const Start start = start_of(observed[unit - plan.check_unit()], sets[0]);
    constexpr std::array<Way, 3> ways{standard, half_step, other_scheme};
    for (std::size_t i = 0; i < ways.size(); ++i)
      record[i] = by_neighbours(start, ways[i], Plan::check_orbits);
    record[3] = by_tangent_map(start.moon, start.state, standard, Plan::check_orbits);
    return;
  }
  for (std::size_t way = 0; way < slow_ways.size(); ++way)
    if (unit < plan.slow_unit(way + 1)) return compute_slow(plan, way, unit - plan.slow_unit(way), record);
  const double tilt =
      std::numbers::pi * (static_cast<double>(unit - plan.map_unit()) + 0.5) / static_cast<double>(plan.rows);
  std::vector<State<double>> states;
  // The torque does not know the sign of the radial direction: half of the longitudes is enough.
  for (std::size_t i = 0; i < plan.columns; ++i)
    states.push_back(map_state(
        std::numbers::pi * (static_cast<double>(i) + 0.5) / static_cast<double>(plan.columns), tilt));
  const std::vector<Course> courses = neighbours(map_moon, states, standard, plan.map_orbits, 1);
  for (std::size_t i = 0; i < plan.columns; ++i) record[i] = exponent_of(courses[i], plan.map_orbits);
}

/// The exponent of a cloud, from its record.
Mean exponent_in(std::span<const double> record, double orbits) {
  double sum = 0;
  for (std::size_t part = 0; part < Plan::parts; ++part) sum += record[part];
  return {sum / (orbits * 2 * std::numbers::pi), record[Plan::error_at]};
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
      const Mean e = exponent_in(record, plan.orbits);
      value[k][i] = e.value;
      table.rows.push_back(
          {sets[k].name, observed[i].date, fmt::format("{:.5f} ± {:.5f}", e.value, e.error),
           e.value > 2 * regular_value ? fmt::format("{:.0f}", days_of(e.value)) : "regular, or longer",
           fmt::format("{:.0f}", record[Plan::tilt_at])});
    }
  std::array<Mean, slow_ways.size()> slow;
  TextTable slow_table{
      .title = fmt::format("One turn an orbit about the short axis, e = 0.1: exponent over {} orbits",
                           plan.slow_orbits),
      .head = {"way", "motions", "exponent over the mean motion", "Lyapunov time, days"},
      .rows = {}};
  for (std::size_t way = 0; way < slow_ways.size(); ++way) {
    std::vector<double> all;
    for (std::size_t unit = plan.slow_unit(way); unit < plan.slow_unit(way + 1); ++unit) {
      const auto record = records[unit];
      all.insert(all.end(), record.begin(),
                 record.begin() + static_cast<std::ptrdiff_t>(slow_ways[way].members));
    }
    slow[way] = mean_of(all);
    slow_table.rows.push_back({slow_ways[way].name, fmt::format("{}", all.size()),
                               fmt::format("{:.5f} ± {:.5f}", slow[way].value, slow[way].error),
                               fmt::format("{:.1f}", days_of(slow[way].value))});
  }
  // How far a way is from the first one, in standard errors of the difference.
  const auto apart = [&](std::size_t way) {
    return std::abs(slow[way].value - slow[0].value) / std::hypot(slow[way].error, slow[0].error);
  };
  f.tables = {table, slow_table};

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
  // Over ten thousand orbits the means are known to a fifth or a tenth: the bounds are four standard errors away.
  f.claims = {in_days(between("axes as measured: largest exponent of the four states, C least, A middle",
                              "chaotic, Lyapunov time of the order of 100 d (Harbison et al. 2011): 0.034",
                              as_measured, quick ? 0.02 : 0.015, quick ? 0.03 : 0.05)
                          .printed(0.0107, 0.107),
                      as_measured),
              in_days(between("axes as measured: least exponent of the four states, C least, A middle", ours,
                              weakest, quick ? 0.008 : 0.004, quick ? 0.012 : 0.015),
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
              written(between("one turn an orbit about the short axis: exponent", ours, slow[0].value,
                              quick ? 0.13 : 0.145, quick ? 0.16 : 0.152),
                      fmt::format("{:.5f} ± {:.5f}", slow[0].value, slow[0].error)),
              at_most("the same: its standard error, relative", ours, slow[0].error / slow[0].value,
                      quick ? 0.05 : 0.002),
              at_most("the same with half the step: difference over its standard error", ours, apart(1), 4),
              at_most("the same with kahan-li-8", ours, apart(2), 4),
              at_most("the same by the tangent map", ours, apart(3), 4),
              at_most("spin about the long axis at the periapsis: least exponent of the map", ours,
                      *std::min_element(cells.begin(), cells.end()), quick ? 0.03 : 0.01),
              at_least("the same: largest exponent of the map", ours,
                       *std::max_element(cells.begin(), cells.end()), 0.03)};
  return f;
}

Experiment make(Scale scale) {
  const bool quick = scale == Scale::quick;
  const Plan plan = quick ? Plan{.orbits = 100,
                                 .map_orbits = 40,
                                 .slow_orbits = 40,
                                 .members = 4,
                                 .slow_units = {1, 1, 1, 1},
                                 .columns = 12,
                                 .rows = 8}
                          : Plan{.orbits = 10000,
                                 .map_orbits = 200,
                                 .slow_orbits = 100,
                                 .members = 16,
                                 .slow_units = {96, 48, 48, 24},
                                 .columns = 24,
                                 .rows = 16};
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
      "turned by 30 degrees against the shape. From each, and from others that no measurement tells from it "
      "(the momenta differ in the ninth "
      "digit), the rotation is followed with a neighbour at 1e-7; the exponent is the mean over them. "
      "How to read the table of the states "
      "is ours: the third axis, C there, is the one near the spin and so that of the least moment; which of "
      "A and B is greater is not said, and both are tried; "
      "with C as the greatest moment the spin would be about the short axis. Inputs from memory: moments "
      "0.5956 : 0.8595 : 1 (Wisdom et al. 1984). Not modelled: "
      "the change of the orbit by Titan, tides, an inner structure. A finite time has a finite exponent: a "
      "regular motion has log(t)/t. Of a chaotic one the exponent over a finite time is that of the motion "
      "at hand; the mean over many motions of one chaotic zone has digits, and its standard error says how "
      "many. Dashed, and *: axes corrected. The map is for 4.255 turns an "
      "orbit about the long axis at the periapsis.";
  e.parameters = {
      {"states",
       "table 1 of Goldberg and Batygin 2024: angles about the axes 3, 1, 3, angular velocity in the body"},
      {"moments of inertia",
       "0.5956 : 0.8595 : 1 (memory), in three orders; homogeneous ellipsoid of 360 x 266 x 205 km"},
      {"orbit", "ellipse with the eccentricity of each state; period 21.28 d"},
      {"method",
       "splitting, rkn6-14, exact; 63 steps an orbit; the distance is restored after 1.6 "
       "radians of the orbit"},
      {"orbits", fmt::format("{}, with {} motions of each state; map of {} by {}, 4.255 turns an orbit about "
                             "the long axis, e = 0.115: {}",
                             plan.orbits, plan.members, plan.columns, plan.rows, plan.map_orbits)},
      {"slow rotation",
       fmt::format("{} orbits; {}, {}, {} times 128 and {} times 16 motions", plan.slow_orbits,
                   plan.slow_units[0], plan.slow_units[1], plan.slow_units[2], plan.slow_units[3])}};
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
