// The experiment periods-67p-1i: which motions, and which bodies, go with periods that were seen in light curves and images.
#include <array>
#include <limits>

#include "polhode/free_motion/spin_state.hpp"
#include "reproduce/known_bodies/known_bodies.hpp"

namespace polhode::program::experiments {

namespace inverse {

constexpr double not_there = std::numeric_limits<double>::quiet_NaN();

/// E/E0 of the motion with these periods, or no number where there is none.
double energy_of(const Vector<double>& moments, double precession, double rotation, Mode mode) {
  try {
    const Body<double> body(moments);
    return periods(body, momentum_with_periods(body, precession, rotation, mode)).energy_ratio;
  } catch (const InputError&) {
    return not_there;
  }
}

/// The least quotient rotation/precession of a mode.
double least_of(const Vector<double>& moments, Mode mode) {
  std::array<double, 3> i = moments.c;
  std::sort(i.begin(), i.end());
  return core::detail::least_quotient(core::detail::SpinBody<double>(i), mode);
}

// 67P: hours.
constexpr double comet_rotation = 12.4043;
constexpr std::array<double, 2> comet_slow{257, 276};
const Vector<double> comet_moments{0.13, 0.23, 0.25};
/// The period in the body whose line in space, 1/12.4 + 1/P, differs by the slow one from 2/12.4: an alias of attitudes that are known once a turn.
double beat(double slow) { return 1 / (1 / comet_rotation - 1 / slow); }

// 1I: hours. The rotations are those of the paper's abstract.
constexpr double precession_1i = 8.67, second_1i = 3.74, second_1i_error = 0.11;
struct Candidate {
  double rotation;
  int precessions, rotations;  ///< the second period is the line of so many of each
};
constexpr std::array<Candidate, 3> candidates{{{6.58, 1, 1}, {13.15, 1, 2}, {54.48, 2, 2}}};

/// The moments of a homogeneous ellipsoid with the axes 1, b, c.
Vector<double> ellipsoid(double b, double c) { return {b * b + c * c, 1 + c * c, 1 + b * b}; }

// The record: E/E0 over elongated ellipsoids with c/b = 0.9 and a/b from 1 to 10, for each candidate in both modes.
constexpr std::size_t shapes = 181;
double elongation(std::size_t i) {
  return 1.05 + 8.95 * static_cast<double>(i) / static_cast<double>(shapes - 1);
}
constexpr double flatness = 0.9;
constexpr std::size_t record_size = 2 * candidates.size() * shapes;

void compute(std::span<double> record) {
  for (std::size_t k = 0; k < candidates.size(); ++k)
    for (std::size_t mode = 0; mode < 2; ++mode)
      for (std::size_t i = 0; i < shapes; ++i) {
        const double b = 1 / elongation(i);
        const double e = energy_of(ellipsoid(b, flatness * b), precession_1i, candidates[k].rotation,
                                   mode == 0 ? Mode::short_axis : Mode::long_axis);
        record[(2 * k + mode) * shapes + i] = std::isnan(e) ? 0 : e;
      }
}

/// The elongation of the ellipsoid whose least quotient in the mode is the one given, or the largest in reach.
double elongation_of(double quotient, Mode mode, double flat) {
  double low = 1 + 1e-9, high = 1e6;
  const auto excess = [&](double a) { return least_of(ellipsoid(1 / a, flat / a), mode) - quotient; };
  const bool rising = excess(high) > excess(low);
  for (int i = 0; i < 200; ++i) {
    const double middle = std::sqrt(low * high);
    ((excess(middle) > 0) == rising ? high : low) = middle;
  }
  return low;
}

Findings evaluate(std::span<const double> record) {
  Findings f;
  f.figure.columns = 1;
  Panel panel{.title = "1I/'Oumuamua: the energy that its periods ask for, by its shape",
              .x_label = "longest over middle axis of an ellipsoid, the shortest 0.9 of the middle one",
              .y_label = "E/E0 - 1",
              .log_y = true,
              .x_range = std::pair{1.0, 10.0},
              .y_range = std::pair{1e-4, 100.0}};
  constexpr std::array colours{Colour::blue, Colour::green, Colour::vermilion};
  for (std::size_t k = 0; k < candidates.size(); ++k)
    for (std::size_t mode = 0; mode < 2; ++mode) {
      Curve c{.name = fmt::format("{} h, {}", candidates[k].rotation, mode == 0 ? "short-axis" : "long-axis"),
              .style = {.colour = colours[k], .width = 2, .dashed = mode == 0}};
      for (std::size_t i = 0; i < shapes; ++i)
        if (record[(2 * k + mode) * shapes + i] > 0) {
          c.x.push_back(elongation(i));
          c.y.push_back(record[(2 * k + mode) * shapes + i] - 1);
        }
      if (!c.x.empty()) panel.curves.push_back(c);
    }
  Curve most{.name = "most that the shape allows, I3/I1", .style = {.colour = Colour::grey}};
  for (std::size_t i = 0; i < shapes; ++i) {
    const double b = 1 / elongation(i);
    const Vector<double> m = ellipsoid(b, flatness * b);
    most.x.push_back(elongation(i));
    most.y.push_back(m[2] / m[0] - 1);
  }
  panel.curves.push_back(most);
  f.figure.panels = {panel};

  const double least = least_of(comet_moments, Mode::short_axis);
  const double slow_energy = energy_of(comet_moments, comet_rotation, comet_slow[1], Mode::short_axis);
  const double swing = 1 / (1 / comet_rotation + 1 / (least * comet_rotation));
  const auto exists = [](double e) { return std::isnan(e) ? 0.0 : 1.0; };
  double worst_line = 0;
  for (const Candidate& c : candidates)
    worst_line = std::max(
        worst_line, std::abs(1 / (c.precessions / precession_1i + c.rotations / c.rotation) - second_1i));
  double worst_trip = 0;
  for (const Candidate& c : candidates)
    for (const Mode mode : {Mode::short_axis, Mode::long_axis}) {
      const Vector<double> m = ellipsoid(1.0 / 6, 0.9 / 6);
      if (std::isnan(energy_of(m, precession_1i, c.rotation, mode))) continue;
      const Body<double> body(m);
      const Periods<double> p = periods(body, momentum_with_periods(body, precession_1i, c.rotation, mode));
      worst_trip = std::max(
          {worst_trip, std::abs(p.precession / precession_1i - 1), std::abs(p.rotation / c.rotation - 1)});
    }
  double low = 0.1, high = 1;  // the least quotient rises with c/b
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (least_of(ellipsoid(1.0 / 6, middle / 6), Mode::short_axis) * precession_1i > 54.48 ? high : low) =
        middle;
  }
  const double round_cross_section = low;
  const std::string ours = "(not published)";
  f.claims = {
      between("67P: least period of the axis in the body, with 12.4043 h and the moments 0.13, 0.23, 0.25",
              ours, least * comet_rotation, 43.7, 43.9, "h"),
      between("67P: the corresponding revolution of the short axis about the momentum", ours, swing, 9.6, 9.7,
              "h"),
      between("67P: E/E0 if 276 h were the rotation period itself: on the separatrix it is 0.25/0.23 = 1.087",
              ours, slow_energy, 1.0865, 1.087),
      between("67P: period in the body of which 257 h is an alias, at one look a turn", ours,
              beat(comet_slow[0]), 13.02, 13.04, "h"),
      between("67P: period in the body of which 276 h is an alias, at one look a turn", ours,
              beat(comet_slow[1]), 12.98, 12.99, "h"),
      at_most("67P: whether the moments 0.13, 0.23, 0.25 have a motion with that alias (0: none)", ours,
              exists(energy_of(comet_moments, comet_rotation, beat(comet_slow[1]), Mode::short_axis)) +
                  exists(energy_of(comet_moments, comet_rotation, beat(comet_slow[0]), Mode::short_axis)),
              0),
      at_most("1I: 3.74 h as a line of precession and each of the rotations 6.58, 13.15, 54.48 h: largest "
              "difference",
              "3.74 ± 0.11 h", worst_line, 0.01, "h")
          .printed_at_most(second_1i_error),
      between("1I: shortest over middle axis of a long body (6 : 1) with 54.48 h near its least energy, "
              "short-axis",
              "cigar-shaped, if close to its lowest energy", round_cross_section, 0.97, 0.98)
          .printed_as(round_cross_section > 0.9),
      at_most("1I: longest over middle axis of a flat body (c/b = 0.2) with 54.48 h near its most energy, "
              "long-axis",
              "an extremely oblate spheroid, if close to its highest energy",
              elongation_of(54.48 / precession_1i, Mode::long_axis, 0.2), 1.2)
          .printed_as(elongation_of(54.48 / precession_1i, Mode::long_axis, 0.2) < 1.2),
      at_most("1I: periods, state, periods, for an ellipsoid 6 : 1 : 0.9: largest relative difference", ours,
              worst_trip, 1e-14)};
  return f;
}

Experiment make(Scale) {
  Experiment e;
  e.name = "periods-67p-1i";
  e.group = known_bodies_group;
  e.reference =
      "67P/Churyumov-Gerasimenko: Astronomy and Astrophysics 590, A46 (2016); 1I/'Oumuamua: Belton et al. "
      "2018";
  e.title = "From periods to motions: comet 67P and 1I/'Oumuamua";
  e.setting =
      "The inverse problem: two periods were seen, which motion is it? For 67P the axis wanders with 257 or "
      "276 h while it turns in 12.4 h. As a rotation period "
      "that would be a motion close to the separatrix, not a small precession; so it must be an alias of a "
      "shorter period, and then "
      "the published moments (homogeneous) have no such motion: others are needed. That it is an alias at "
      "one look a turn is our reading. 1I has 8.67 h and "
      "3.74 h; the paper's rotations are those of which 3.74 h is a line, and whether a shape can have them, "
      "and with which energy, is what the "
      "figure shows. Not modelled: outgassing, shapes other than ellipsoids, the errors of the periods.";
  e.parameters = {{"67P", "12.4043 ± 0.0007 h; 257 ± 12 and 276 ± 12 h; moments 0.13, 0.23, 0.25 M R^2"},
                  {"1I", "8.67 ± 0.34 h, 3.74 ± 0.11 h; rotations 6.58, 13.15, 54.48 h"},
                  {"method", "closed form"}};
  e.units = 1;
  e.record_size = record_size;
  e.compute = [](std::size_t, std::span<double> record) { compute(record); };
  e.evaluate = [](const Records& records) { return evaluate(records[0]); };
  return e;
}

}  // namespace inverse

ExperimentEntry periods_67p_1i() {
  return {"periods-67p-1i", "motions with the periods of 67P and of 1I/'Oumuamua", inverse::make};
}

}  // namespace polhode::program::experiments
