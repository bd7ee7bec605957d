// The experiment toutatis-1992: the radar attitudes of December 1992 along the free motion of a state published twenty years later.
#include <array>
#include <limits>

#include "polhode/free_motion/spin_state.hpp"
#include "polhode/free_motion/trajectory.hpp"
#include "reproduce/known_bodies/known_bodies.hpp"

namespace polhode::program::experiments {

namespace toutatis {

/// Days of December 1992 (1.0 is the beginning of the first, UTC), angles of the attitude about the axes 3, 1, 3 in degrees, angular velocity in degrees a day,
/// and the angle to our free motion as docs/known-bodies.md lists it, in degrees.
struct RadarAttitude {
  int day, hour, minute;
  std::array<double, 3> angles, omega;
  double listed;

  double time() const { return day + (hour + minute / 60.0) / 24; }
};
constexpr std::array<RadarAttitude, 17> radar{{{2, 21, 40, {122.2, 86.5, 107.0}, {-35.6, 7.2, -97.0}, 8.0},
                                               {3, 19, 30, {86.3, 81.8, 24.5}, {-16.4, -29.1, -91.9}, 7.9},
                                               {4, 18, 10, {47.8, 60.7, 284.0}, {29.1, -23.2, -97.8}, 15.9},
                                               {5, 18, 50, {14.6, 39.4, 207.1}, {33.3, 8.2, -92.2}, 9.4},
                                               {6, 17, 30, {331.3, 23.7, 151.6}, {6.6, 34.5, -95.8}, 2.1},
                                               {7, 17, 20, {222.5, 25.4, 143.9}, {12.8, 25.4, -104.1}, 15.3},
                                               {8, 16, 40, {169.8, 45.5, 106.9}, {-31.1, -21.9, -97.7}, 3.3},
                                               {9, 17, 50, {137.3, 71.3, 22.3}, {11.8, -36.9, -94.9}, 3.5},
                                               {10, 17, 20, {103.1, 85.2, 292.6}, {35.8, -8.9, -97.9}, 3.4},
                                               {11, 9, 40, {77.0, 85.7, 225.5}, {31.0, 17.0, -96.3}, 3.0},
                                               {12, 9, 20, {42.8, 70.2, 133.2}, {-1.3, 37.0, -95.9}, 3.2},
                                               {13, 8, 10, {13.7, 44.4, 51.9}, {-38.3, 17.9, -97.3}, 5.6},
                                               {14, 7, 50, {323.7, 14.0, 0.0}, {-70.5, -30.6, -91.1}, 5.1},
                                               {15, 7, 50, {193.2, 24.4, 21.4}, {22.1, -26.6, -96.6}, 8.4},
                                               {16, 7, 10, {165.1, 46.4, 310.6}, {33.4, -3.4, -93.7}, 8.7},
                                               {17, 6, 49, {130.6, 76.1, 234.9}, {12.6, 33.9, -94.0}, 1.3},
                                               {18, 7, 9, {91.6, 81.6, 142.4}, {-24.3, 29.6, -102.0}, 6.6}}};

constexpr std::array<double, 3> moments{3.0836, 3.235, 1.0};
/// 1992-11-09 17:49:47 UTC in days of December.
constexpr double epoch = 9 - 30 + (17 + (49 + 47 / 60.0) / 60) / 24;
constexpr double zhao_longitude = 180.2, zhao_latitude = -54.75;

constexpr double first_day = 2, last_day = 19;
constexpr std::size_t samples = 511;
double sample_time(std::size_t i) {
  return first_day + (last_day - first_day) * static_cast<double>(i) / static_cast<double>(samples - 1);
}

// The record: numbers, residuals of the attitudes, of the angular velocities, and the long axis over the time.
enum : std::size_t { precession, rotation, long_axis, energy, longitude, latitude, number_count };
constexpr std::size_t attitudes_at = number_count, rates_at = attitudes_at + radar.size(),
                      path_at = rates_at + radar.size(), toutatis_record = path_at + 2 * samples;

struct SkyPlace {
  double longitude, latitude;  // degrees
};
SkyPlace place_of(const Vector<double>& v) {
  const double angle = degrees(std::atan2(v[1], v[0]));
  return {angle < 0 ? angle + 360 : angle, degrees(std::atan2(v[2], std::hypot(v[0], v[1])))};
}
SkyPlace long_axis_of(const Quaternion<double>& q) { return place_of(rotate(q, {0.0, 0.0, 1.0})); }

Quaternion<double> attitude_of(const std::array<double, 3>& a) {
  return attitude_313(radians(a[0]), radians(a[1]), radians(a[2]));
}

void compute(std::span<double> record) {
  const Body<double> body(Vector<double>(moments[0], moments[1], moments[2]));
  const Vector<double> omega(radians(14.51), radians(33.529), radians(-98.709));
  const State<double> state{{moments[0] * omega[0], moments[1] * omega[1], moments[2] * omega[2]},
                            attitude_of({145.498, 65.865, 241.524})};
  const Periods<double> p = periods(body, state.momentum);
  const SkyPlace pole = place_of(rotate(state.attitude, state.momentum));
  record[precession] = p.precession;
  record[rotation] = p.rotation;
  record[long_axis] = p.mode == Mode::long_axis ? 1 : 0;
  record[energy] = p.energy_ratio;
  record[longitude] = pole.longitude;
  record[latitude] = pole.latitude;
  const Trajectory<double> motion(body, state);
  for (std::size_t i = 0; i < radar.size(); ++i) {
    const State<double> s = motion.at(radar[i].time() - epoch);
    record[attitudes_at + i] = degrees(angle_between(s.attitude, attitude_of(radar[i].angles)));
    Vector<double> difference;
    for (std::size_t k = 0; k < 3; ++k)
      difference[k] = degrees(s.momentum[k] / moments[k]) - radar[i].omega[k];
    record[rates_at + i] = norm(difference);
  }
  for (std::size_t i = 0; i < samples; ++i) {
    const SkyPlace axis = long_axis_of(motion.at(sample_time(i) - epoch).attitude);
    record[path_at + 2 * i] = axis.longitude;
    record[path_at + 2 * i + 1] = axis.latitude;
  }
}

Findings evaluate(std::span<const double> record) {
  Findings f;
  f.figure.columns = 2;
  f.figure.panels = {{.title = "Where the long axis points",
                      .x_label = "day of December 1992",
                      .y_label = "angle on the sky, degrees",
                      .x_range = std::pair{2.0, 19.0},
                      .y_range = std::pair{0.0, 360.0}},
                     {.title = "Radar attitudes: angle to the computed one",
                      .x_label = "day of December 1992",
                      .y_label = "degrees",
                      .legend = false,
                      .x_range = std::pair{2.0, 19.0},
                      .y_range = std::pair{0.0, 18.0}}};
  Curve path[2] = {{.name = "longitude, computed", .style = {.colour = Colour::sky, .width = 1.5}},
                   {.name = "latitude, computed", .style = {.colour = Colour::orange, .width = 1.5}}};
  for (std::size_t i = 0; i < samples; ++i)
    for (std::size_t k = 0; k < 2; ++k) {
      const double y = record[path_at + 2 * i + k];
      // A line is interrupted where the longitude passes 360 degrees.
      if (k == 0 && !path[0].y.empty() && std::abs(y - path[0].y.back()) > 180) {
        path[0].x.push_back(std::numeric_limits<double>::quiet_NaN());
        path[0].y.push_back(std::numeric_limits<double>::quiet_NaN());
      }
      path[k].x.push_back(sample_time(i));
      path[k].y.push_back(y);
    }
  Curve seen[2] = {
      {.name = "longitude, radar", .style = {.colour = Colour::blue, .width = 4, .line = false, .mark = 7}},
      {.name = "latitude, radar", .style = {.colour = Colour::vermilion, .line = false, .mark = 5}}};
  Curve residuals{.name = "residual",
                  .style = {.colour = Colour::black, .width = 4, .line = false, .mark = 7}};
  TextTable table{
      .title = "The 17 attitudes: angle to the free motion from 1992-11-09",
      .head = {"December 1992, UTC", "residual, degrees", "angular velocity, residual in degrees a day"},
      .rows = {}};
  std::vector<double> angles, rates;
  double square_sum = 0, from_list = 0;
  for (std::size_t i = 0; i < radar.size(); ++i) {
    const SkyPlace axis = long_axis_of(attitude_of(radar[i].angles));
    for (std::size_t k = 0; k < 2; ++k) {
      seen[k].x.push_back(radar[i].time());
      seen[k].y.push_back(k == 0 ? axis.longitude : axis.latitude);
    }
    const double angle = record[attitudes_at + i];
    residuals.x.push_back(radar[i].time());
    residuals.y.push_back(angle);
    angles.push_back(angle);
    rates.push_back(record[rates_at + i]);
    square_sum += angle * angle;
    from_list = std::max(from_list, std::abs(angle - radar[i].listed));
    table.rows.push_back({fmt::format("{:02} {:02}:{:02}", radar[i].day, radar[i].hour, radar[i].minute),
                          fmt::format("{:.1f}", angle), fmt::format("{:.1f}", record[rates_at + i])});
  }
  for (const Curve& c : {path[0], path[1], seen[0], seen[1]}) f.figure.panels[0].curves.push_back(c);
  f.figure.panels[1].curves = {residuals};
  f.tables = {table};

  const double off =
      degrees(angle_between(direction_of(radians(record[longitude]), radians(record[latitude])),
                            direction_of(radians(zhao_longitude), radians(zhao_latitude))));
  f.claims = {
      at_least("long-axis mode (1: yes)", "long-axis mode (Hudson and Ostro 1995)", record[long_axis], 1)
          .printed_as(record[long_axis] > 0),
      written(between("rotation period, P_psi",
                      "5.38 ± 0.03 d (Zhao et al. 2015); 5.41 d (Hudson and Ostro 1995)", record[rotation],
                      5.3685, 5.3686, "d")
                  .printed(5.35, 5.41),
              fmt::format("{:.4f} d", record[rotation])),
      written(between("precession period, P_phi",
                      "7.40 ± 0.03 d (Zhao et al. 2015); 7.35 d (Hudson and Ostro 1995)", record[precession],
                      7.4116, 7.4117, "d")
                  .printed(7.37, 7.43),
              fmt::format("{:.4f} d", record[precession])),
      written(between("direction of the momentum: angle to the published one",
                      "longitude 180.2, latitude -54.75 degrees (Zhao et al. 2015); no error at hand", off,
                      1.22, 1.24, "degrees")
                  .not_comparable(),
              fmt::format("{:.2f} degrees: ({:.1f}, {:.1f})", off, record[longitude], record[latitude])),
      between("17 attitudes: residual, root of the mean square", "(not published)",
              std::sqrt(square_sum / static_cast<double>(radar.size())), 7.69, 7.705, "degrees"),
      between("17 attitudes: residual, median", "(not published)", quantile(angles, 0.5), 5.6, 5.61,
              "degrees"),
      at_most("17 attitudes: largest difference to the list of docs/known-bodies.md", "(not published)",
              from_list, 0.0501, "degrees"),
      between("17 angular velocities: residual, median", "(not published)", quantile(rates, 0.5), 6.6, 6.62,
              "degrees a day"),
      between("17 angular velocities: how many are off by more than 10 degrees a day: 7 and 14 December",
              "(not published)",
              static_cast<double>(std::count_if(rates.begin(), rates.end(), [](double r) { return r > 10; })),
              2, 2)};
  return f;
}

Experiment make(Scale) {
  Experiment e;
  e.name = "toutatis-1992";
  e.group = known_bodies_group;
  e.reference = "4179 Toutatis: Hudson and Ostro 1995; Takahashi, Busch and Scheeres 2013; Zhao et al. 2015";
  e.title = "The tumbling of Toutatis, from one state to 17 radar attitudes";
  e.setting =
      "Radar saw the asteroid Toutatis on seventeen days of December 1992. One state, that of 9 November "
      "1992 (Takahashi, Busch and "
      "Scheeres 2013, as the tests of the program Principia quote it), is followed freely for 23 to 38 days, "
      "at the cost of one "
      "evaluation each. Not modelled: the tides of the Earth and the Sun, which that state was fitted with, "
      "and the errors of the radar "
      "attitudes, which are of the size of the residuals. The angular velocities of 7 and 14 December, as "
      "published, fit neither their neighbours nor the motion.";
  e.parameters = {{"moments of inertia", "3.0836 : 3.235 : 1 about the axes of the angular velocity"},
                  {"state",
                   "1992-11-09 17:49:47 UTC: angles 145.498, 65.865, 241.524 degrees about the axes 3, 1, 3; "
                   "angular velocity "
                   "14.51, 33.529, -98.709 degrees a day"},
                  {"method", "exact, at any time"}};
  e.units = 1;
  e.record_size = toutatis_record;
  e.compute = [](std::size_t, std::span<double> record) { compute(record); };
  e.evaluate = [](const Records& records) { return evaluate(records[0]); };
  return e;
}

}  // namespace toutatis

ExperimentEntry toutatis_1992() {
  return {"toutatis-1992", "17 radar attitudes of Toutatis along a free motion", toutatis::make};
}

}  // namespace polhode::program::experiments
