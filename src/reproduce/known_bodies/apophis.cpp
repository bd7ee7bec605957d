// The experiment apophis-2029: what the flyby of the Earth does to the spin of Apophis, for all phases and directions that it may have.
#include <array>
#include <cstdint>

#include "polhode/free_motion/spin_state.hpp"
#include "polhode/free_motion/trajectory.hpp"
#include "polhode/splitting/driven_rotor.hpp"
#include "polhode/torque/gravity_gradient.hpp"
#include "reproduce/known_bodies/known_bodies.hpp"
#include "work/random.hpp"

namespace polhode::program::experiments {

namespace apophis {

// Hours and kilometres. Moments, distance and excess are from memory.
constexpr double precession = 27.374, precession_error = 0.001, rotation = 262.2, rotation_error = 0.1;
constexpr double earth = 398600.4418 * 3600 * 3600, periapsis = 38000, excess = 5.8 * 3600;
const double eccentricity = 1 + periapsis * excess * excess / earth;
const Vector<double> moments{0.61, 0.965, 1.0};

/// How the flyby is integrated: from `span` hours before the closest approach to as many after it.
struct Way {
  double step, span;
  const char* scheme;
};
constexpr Way standard{0.5, 24, "rkn6-14"};
constexpr std::array ways{standard, Way{0.25, 24, "rkn6-14"}, Way{0.5, 24, "aba-8-6-4"},
                          Way{0.5, 96, "rkn6-14"}};
enum : std::size_t { plain, half_step, other_scheme, longer, way_count };

struct Before {
  State<double> state;  ///< at the closest approach, if there were no Earth
};
// A member's numbers after the flyby: effective rate 2T/|m| and size of the momentum over those before, angle between the momenta in degrees, E/E0, whether the
// mode is the short axis's, the precession in hours.
enum : std::size_t { rate, size, turn, energy, is_short, new_precession, number_count };
using Numbers = std::array<double, number_count>;

double twice_energy(const Vector<double>& m) {
  return m[0] * m[0] / moments[0] + m[1] * m[1] / moments[1] + m[2] * m[2] / moments[2];
}

auto asteroid(const State<double>& at_closest, const Way& way) {
  const Body<double> body(moments);
  const KeplerOrbit<double> orbit(
      {.gravitational_parameter = earth, .eccentricity = eccentricity, .periapsis = periapsis});
  const State<double> start = Trajectory<double>(body, at_closest).at(-way.span);
  return driven(body, start, GravityGradient(orbit), scheme(way.scheme), DoubleDouble(-way.span));
}

Numbers flyby(const State<double>& at_closest, const Way& way) {
  auto rotor = asteroid(at_closest, way);
  rotor.advance(way.step, static_cast<std::int64_t>(std::lround(2 * way.span / way.step)));
  const State<double> s = rotor.state();
  const Vector<double>& m = at_closest.momentum;
  const Periods<double> p = periods(Body<double>(moments), s.momentum);
  const double ratio = norm(s.momentum) / norm(m);
  return {twice_energy(s.momentum) / twice_energy(m) / ratio,
          ratio,
          degrees(angle_between(rotate(at_closest.attitude, m), rotate(s.attitude, s.momentum))),
          p.energy_ratio,
          p.mode == Mode::short_axis ? 1.0 : 0.0,
          p.precession};
}

/// The momentum with the given periods, at a phase in turns of the rotation.
Vector<double> momentum_at(double precession_period, double rotation_period, double phase) {
  const Body<double> body(moments);
  const Vector<double> m = momentum_with_periods(body, precession_period, rotation_period, Mode::short_axis);
  return Trajectory<double>(body, {m, {}}).at(phase * rotation_period).momentum;
}

/// Member i: periods with their published errors, any phase, any attitude: so any direction of the momentum, which is not published with the orbit.
State<double> member(std::size_t i) {
  Random random(mixed(0x41706f70686973 + i));
  const auto normal_pair = [&] {
    const double r = std::sqrt(-2 * std::log(1 - random.uniform(0, 1)));
    const double angle = random.uniform(0, 2 * std::numbers::pi);
    return std::array{r * std::cos(angle), r * std::sin(angle)};
  };
  const auto errors = normal_pair();
  const double phase = random.uniform(0, 1);
  const auto a = normal_pair(), b = normal_pair();
  return {
      momentum_at(precession + precession_error * errors[0], rotation + rotation_error * errors[1], phase),
      normalized(Quaternion<double>(a[0], a[1], b[0], b[1]))};
}

/// The momentum in the plane of the orbit, across the direction of the periapsis; the phase in turns, the angle of the long axis about it in radians.
State<double> map_state(double phase, double azimuth) {
  const Vector<double> m = momentum_at(precession, rotation, phase), along = (1 / norm(m)) * m;
  const Vector<double> across = Vector<double>{1, 0, 0} - along[0] * along;
  const Vector<double> x = (1 / norm(across)) * across;
  const Matrix<double> frame(x, cross(along, x),
                             along);  // the momentum on axis 3, the long axis in the plane of 1 and 3
  const Quaternion<double> upright = normalized(from_matrix(frame));
  const Quaternion<double> about(std::cos(azimuth / 2), 0.0, 0.0, std::sin(azimuth / 2));
  const Quaternion<double> tilt(std::sqrt(0.5), -std::sqrt(0.5), 0.0, 0.0);  // axis 3 to axis 2
  return {m, tilt * (about * upright)};
}

// Units: members of the ensemble, rows of the map, members by each of the ways, and the checks.
struct Plan {
  std::size_t members, cells, checked;  ///< cells: of the map, in each direction
  static constexpr std::size_t of_unit = 50;

  std::size_t member_units() const { return members / of_unit; }
  std::size_t check_unit() const { return member_units() + cells; }
  std::size_t units() const { return check_unit() + 1; }
  // The checks: the largest difference of rate, energy and turn by each way; the way back; the balance of the momentum; what changes after the end.
  static constexpr std::size_t back_at = 3 * (way_count - 1), balance_at = back_at + 1, tail_at = back_at + 2,
                               checks = back_at + 3;
  std::size_t record_size() const { return std::max({of_unit, cells, checks}) * number_count; }
};

/// The state is where it was after the way there and back, in units of its own size.
double way_back(const State<double>& at_closest) {
  auto rotor = asteroid(at_closest, standard);
  const State<double> before = rotor.state();
  const auto steps = static_cast<std::int64_t>(2 * standard.span / standard.step);
  rotor.advance(standard.step, steps);
  rotor.advance(-standard.step, steps);
  const State<double> after = rotor.state();
  return std::max(norm(after.momentum - before.momentum) / norm(before.momentum),
                  angle_between(after.attitude, before.attitude));
}

/// The change of the momentum in space, less the integral of the torque in space by Simpson's rule at the ends and middles of steps; in units of the momentum.
double balance(const State<double>& at_closest) {
  constexpr double step = 0.05;
  auto rotor = asteroid(at_closest, {step, standard.span, standard.scheme});
  const Body<double> body(moments);
  const KeplerOrbit<double> orbit(
      {.gravitational_parameter = earth, .eccentricity = eccentricity, .periapsis = periapsis});
  const auto torque = GravityGradient(orbit).attached(body);
  const auto in_space = [&] {
    const State<double> s = rotor.state();
    return rotate(s.attitude, torque.torque(s.attitude, rotor.time()));
  };
  const Vector<double> before = rotate(rotor.state().attitude, rotor.state().momentum);
  Vector<double> sum = in_space();
  const auto steps = static_cast<std::int64_t>(std::lround(2 * standard.span / step));
  for (std::int64_t i = 1; i <= steps; ++i) {
    rotor.advance(step, 1);
    sum = sum + (i == steps ? 1.0 : i % 2 == 1 ? 4.0 : 2.0) * in_space();
  }
  const Vector<double> after = rotate(rotor.state().attitude, rotor.state().momentum);
  return norm(after - before - (step / 3) * sum) / norm(before);
}

void compute_checks(const Plan& plan, std::span<double> record) {
  for (std::size_t i = 0; i < plan.checked; ++i) {
    const State<double> s = member(i);
    const Numbers reference = flyby(s, ways[plain]);
    for (std::size_t way = 1; way < way_count; ++way) {
      const Numbers other = flyby(s, ways[way]);
      constexpr std::array compared{rate, energy, turn};
      for (std::size_t k = 0; k < compared.size(); ++k) {
        double& largest = record[3 * (way - 1) + k];
        largest = std::max(largest, std::abs(other[compared[k]] - reference[compared[k]]));
      }
    }
    if (i >= 20) continue;
    record[Plan::back_at] = std::max(record[Plan::back_at], way_back(s));
    record[Plan::balance_at] = std::max(record[Plan::balance_at], balance(s));
    stop_if_interrupted();
  }
}

void compute(const Plan& plan, std::size_t unit, std::span<double> record) {
  std::fill(record.begin(), record.end(), 0.0);
  if (unit == plan.check_unit()) return compute_checks(plan, record);
  const bool map = unit >= plan.member_units();
  const double cells = static_cast<double>(plan.cells);
  for (std::size_t i = 0; i < (map ? plan.cells : Plan::of_unit); ++i) {
    const double phase = (static_cast<double>(unit - (map ? plan.member_units() : 0)) + 0.5) / cells;
    const State<double> s =
        map ? map_state(phase, 2 * std::numbers::pi * (static_cast<double>(i) + 0.5) / cells)
            : member(unit * Plan::of_unit + i);
    const Numbers n = flyby(s, standard);
    std::copy(n.begin(), n.end(), record.begin() + static_cast<std::ptrdiff_t>(i * number_count));
  }
  stop_if_interrupted();
}

/// The part of the numbers below each of them: a curve from 0 to 1.
Curve distribution(std::string name, std::vector<double> x, Colour colour) {
  std::sort(x.begin(), x.end());
  Curve c{.name = std::move(name), .style = {.colour = colour, .width = 2}};
  const std::size_t every = std::max<std::size_t>(1, x.size() / 400);
  for (std::size_t i = 0; i < x.size(); i += every) {
    c.x.push_back(x[i]);
    c.y.push_back((static_cast<double>(i) + 0.5) / static_cast<double>(x.size()));
  }
  return c;
}

Findings evaluate(const Records& records, const Plan& plan) {
  const auto column = [&](std::size_t which, std::size_t count) {
    std::vector<double> x;
    for (std::size_t i = 0; i < count; ++i)
      x.push_back(records[i / Plan::of_unit][i % Plan::of_unit * number_count + which]);
    return x;
  };
  const auto part = [](const std::vector<double>& x, auto&& condition) {
    return static_cast<double>(std::count_if(x.begin(), x.end(), condition)) / static_cast<double>(x.size());
  };
  const auto rates = column(rate, plan.members), turns = column(turn, plan.members),
             energies = column(energy, plan.members), modes = column(is_short, plan.members);
  Findings f;
  f.figure.columns = 3;
  f.figure.panels = {{.title = "Spin rate after the flyby over that before",
                      .x_label = "quotient",
                      .y_label = "part of the members below",
                      .legend = false,
                      .curves = {distribution("rate", rates, Colour::blue)},
                      .x_range = std::pair{0.4, 1.8}},
                     {.title = "How far the pole moves",
                      .x_label = "degrees",
                      .y_label = "part of the members below",
                      .legend = false,
                      .curves = {distribution("turn", turns, Colour::vermilion)}},
                     {.title = "Momentum in the plane of the orbit",
                      .x_label = "angle of the long axis, turns",
                      .y_label = "phase of the rotation, turns",
                      .legend = false,
                      .x_range = std::pair{0.0, 1.0},
                      .y_range = std::pair{0.0, 1.0},
                      .z_label = "spin rate, after/before",
                      .z_range = {0.4, 1.8},
                      .map_cell = 1 / static_cast<double>(plan.cells)}};
  Curve map{.name = "rate", .style = {.line = false}};
  double least = 1e9, largest = 0;
  for (std::size_t row = 0; row < plan.cells; ++row)
    for (std::size_t i = 0; i < plan.cells; ++i) {
      const double z = records[plan.member_units() + row][i * number_count + rate];
      map.x.push_back((static_cast<double>(i) + 0.5) / static_cast<double>(plan.cells));
      map.y.push_back((static_cast<double>(row) + 0.5) / static_cast<double>(plan.cells));
      map.z.push_back(z);
      least = std::min(least, z);
      largest = std::max(largest, z);
    }
  f.figure.panels[2].curves = {map};

  const auto above = [](double bound) { return [bound](double x) { return x >= bound; }; };
  const auto below = [](double bound) { return [bound](double x) { return x <= bound; }; };
  const double members = static_cast<double>(plan.members);
  const std::string ours = "(not published)";
  const double halves = std::abs(part(column(turn, plan.members / 2), above(10)) - part(turns, above(10)));
  const std::span<const double> checks = records[plan.check_unit()];
  const Body<double> body(moments);
  const auto free_energy = [&](Mode mode) {
    return periods(body, momentum_with_periods(body, precession, rotation, mode)).energy_ratio;
  };
  const double short_energy = free_energy(Mode::short_axis);
  f.claims = {
      written(between("before: E/E0 in the short-axis mode (moments from memory)", "1.024 ± 0.013",
                      short_energy, 1.0284, 1.0285)
                  .printed(1.011, 1.037),
              fmt::format("{:.4f}", short_energy)),
      written(between("before: E/E0 of the other motion with these periods, in the long-axis mode",
                      "(not the published mode)", free_energy(Mode::long_axis), 1.0426, 1.0427),
              fmt::format("{:.4f}", free_energy(Mode::long_axis))),
      at_most("after: least quotient of the spin rates",
              "the effective spin rate could halve (Benson et al. 2023)",
              *std::min_element(rates.begin(), rates.end()), 0.56)
          .printed_at_most(0.5),
      at_least("after: largest quotient of the spin rates", "or double",
               *std::max_element(rates.begin(), rates.end()), 1.55)
          .printed_at_least(2),
      between("after: part of the members whose rate is at most 0.6 of that before", ours,
              part(rates, below(0.6)), 0.005, 0.04),
      between("after: part of the members whose rate is at least 1.5 of that before", ours,
              part(rates, above(1.5)), 0.005, 0.05),
      between("after: part of the members whose pole has moved by at least 10 degrees",
              "the pole moves by at least 10 degrees, for the direction that it has", part(turns, above(10)),
              0.48, 0.59)
          .not_comparable(),
      between("after: how far the pole has moved, median", ours, quantile(turns, 0.5), 9.5, 11.8, "degrees"),
      between("after: part of the members in the short-axis mode", ours, part(modes, above(0.5)), 0.79, 0.88),
      between("after: E/E0, median", ours, quantile(energies, 0.5), 1.02, 1.05),
      between("one direction of the momentum: largest over least quotient of the rates, over the phases",
              ours, largest / least, 2.2, 2.8),
      at_most("half the step: largest change of the quotient of the rates", ours, checks[0], 1e-9),
      at_most("half the step: largest change of the angle of the pole", ours, checks[2], 1e-7, "degrees"),
      at_most("aba-8-6-4 in the place of rkn6-14: largest change of the quotient of the rates", ours,
              checks[3], 1e-7),
      at_most("192 h in the place of 48 h: largest change of the quotient of the rates", ours, checks[6],
              2e-3),
      at_most(
          "half of the members: change of the part whose pole moves by 10 degrees, in its statistical errors",
          ours, halves / std::max(1e-9, std::sqrt(part(turns, above(10)) * part(turns, below(10)) / members)),
          3),
      at_most("flyby and back: largest distance from the beginning", ours, checks[Plan::back_at], 5e-15),
      at_most("momentum in space less the integral of the torque, over the momentum", ours,
              checks[Plan::balance_at], 1e-11)};
  return f;
}

Experiment make(Scale scale) {
  const bool quick = scale == Scale::quick;
  const Plan plan{quick ? std::size_t{1000} : std::size_t{10000}, quick ? std::size_t{24} : std::size_t{60},
                  quick ? std::size_t{60} : std::size_t{500}};
  Experiment e;
  e.name = "apophis-2029";
  e.group = known_bodies_group;
  e.reference =
      "99942 Apophis: Astronomy and Astrophysics 709, A278 (2026); Pravec et al. 2014; Benson et al. 2023";
  e.title = "The flyby of the Earth and the spin of Apophis";
  e.setting =
      "On 13 April 2029 the asteroid Apophis passes the Earth at six radii, within three hours, while it "
      "turns once in a day: what the tide does depends on how it is "
      "turned then, which nobody can tell today. Members have the published periods with their errors, any "
      "phase and any attitude, "
      "so any direction of the momentum with respect to the orbit. The map has one direction: there the "
      "angle of the long axis about the momentum at the closest "
      "approach decides, and the phase of the slow rotation hardly matters. Inputs from memory: moments 0.61 "
      ": 0.965 : 1 (Pravec et al. 2014), closest approach 38 000 km, hyperbolic "
      "excess 5.8 km/s. Not modelled: the published direction of the momentum, the shape beyond its moments, "
      "the "
      "Moon and the Sun, dissipation, and that the asteroid may reshape.";
  e.parameters = {
      {"periods", "27.374 ± 0.001 h, 262.2 ± 0.1 h, short-axis mode"},
      {"moments of inertia", "0.61 : 0.965 : 1 (memory)"},
      {"orbit", fmt::format("hyperbola, periapsis 38000 km, excess 5.8 km/s (memory): eccentricity {:.3f}",
                            eccentricity)},
      {"time", "from 24 h before the closest approach to 24 h after it"},
      {"method", "splitting, rkn6-14, exact; 0.5 h"},
      {"members", fmt::format("{}; map {} by {}; {} for the checks", plan.members, plan.cells, plan.cells,
                              plan.checked)}};
  e.units = plan.units();
  e.record_size = plan.record_size();
  e.compute = [=](std::size_t unit, std::span<double> record) { compute(plan, unit, record); };
  e.evaluate = [=](const Records& records) { return evaluate(records, plan); };
  return e;
}

}  // namespace apophis

ExperimentEntry apophis_2029() {
  return {"apophis-2029", "the spin of Apophis after its flyby of the Earth", apophis::make};
}

}  // namespace polhode::program::experiments
