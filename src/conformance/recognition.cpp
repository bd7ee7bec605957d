#include "conformance/recognition.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "conformance/kit.hpp"
#include "polhode/free_motion/engine_formulas.hpp"
#include "polhode/free_motion/rotor.hpp"

namespace polhode::program {

namespace {

enum Velocity : std::size_t {
  constant,
  explicit_euler,
  momentum_kept,
  linearly_implicit,
  implicit_euler_once,
  implicit_euler,
  midpoint_once,
  midpoint,
  exact_velocity,
  velocity_count
};
constexpr std::array<const char*, velocity_count> velocity_names{
    "constant in the body",
    "explicit Euler",
    "explicit Euler with the size of the momentum restored",
    "linearly implicit Euler, m+ = m + h m x omega+",
    "implicit Euler with one step of Newton's method",
    "implicit Euler, solved",
    "the implicit midpoint rule with one step of Newton's method",
    "the implicit midpoint rule, solved",
    "exact"};

enum Turn : std::size_t {
  by_new,
  by_old,
  by_mean,
  linear_new,
  linear_old,
  linear_mean,
  exact_turn,
  turn_count
};
constexpr std::array<const char*, turn_count> turn_names{
    "turned by the new omega",
    "turned by the old omega",
    "turned by the mean omega",
    "moved along its rate with the new omega, then normalised",
    "moved along its rate with the old omega, then normalised",
    "turned by Cayley's map of the mean omega",
    "exact"};

/// A body in its principal frame, stepped by every formula.
class Repeater {
 public:
  Repeater(const KitBody& kit, double frequency, int time)
      : body_(kit.tensor()),
        principal_(body_.moments()),
        equation_(body_.inertia()),
        h_(1 / frequency),
        steps_(std::llround(frequency * time)) {
    const State<DoubleDouble> start =
        body_.to_principal(State<double>{kit.tensor() * kit.omega, kit.attitude});
    momentum_ = convert<double>(start.momentum);
    attitude_ = convert<double>(start.attitude);
    turn_ = convert<double>(body_.turn());
  }

  /// omega at the end, in the body frame, and its attitudes by each turn in the right and in the wrong order.
  struct Ending {
    Vector<double> omega;
    std::array<std::array<Quaternion<double>, 2>, turn_count> attitude;
  };

  Ending ending(Velocity velocity) const {
    Ending e;
    Vector<double> w = omega_of(momentum_);
    State<double> exact{momentum_, attitude_};
    for (auto& pair : e.attitude) pair.fill(attitude_);
    for (long n = 0; n < steps_; ++n) {
      const Quaternion<double> before = exact.attitude;
      exact = step(principal_, exact, h_);
      const Vector<double> next = velocity == exact_velocity ? omega_of(exact.momentum) : moved(velocity, w);
      for (std::size_t t = 0; t < turn_count; ++t) {
        const Quaternion<double> r =
            t == exact_turn ? conjugate(before) * exact.attitude : rotation(static_cast<Turn>(t), w, next);
        auto& [right, wrong] = e.attitude[t];
        right = normalized(right * r);
        wrong = normalized(conjugate(turn_) * r * turn_ * wrong);
      }
      w = next;
    }
    e.omega = convert<double>(body_.to_user(convert<DoubleDouble>(w)));
    for (auto& pair : e.attitude)
      for (Quaternion<double>& q : pair) q = q * turn_;
    return e;
  }

 private:
  Vector<double> omega_of(const Vector<double>& m) const {
    const Vector<double>& i = body_.moments();
    return {m[0] / i[0], m[1] / i[1], m[2] / i[2]};
  }
  Vector<double> momentum_of(const Vector<double>& w) const { return times(body_.moments(), w); }

  Vector<double> moved(Velocity velocity, const Vector<double>& w) const {
    switch (velocity) {
      case explicit_euler:
      case momentum_kept: {
        const Vector<double> m = momentum_of(w), next = m + h_ * cross(m, w);
        const bool keep = velocity == momentum_kept && norm(next) > 0;
        return omega_of(keep ? (norm(m) / norm(next)) * next : next);
      }
      case linearly_implicit: {  // (I - h m x) omega+ = m
        const Vector<double> m = momentum_of(w), hm = h_ * m;
        const Vector<double>& i = body_.moments();
        const Vector<double> a(i[0], hm[2], -hm[1]), b(-hm[2], i[1], hm[0]), c(hm[1], -hm[0], i[2]);
        const Vector<double> bc = cross(b, c);
        return (1 / dot(a, bc)) * (m[0] * bc + m[1] * cross(c, a) + m[2] * cross(a, b));
      }
      case implicit_euler_once:
        return w + equation_.newton(w, w, h_);
      case implicit_euler:
        return equation_.solution(w, h_);
      case midpoint_once:
        return w + 2.0 * equation_.newton(w, w, h_ / 2);
      case midpoint:
        return 2.0 * equation_.solution(w, h_ / 2) - w;
      default:
        return w;
    }
  }

  Quaternion<double> rotation(Turn turn, const Vector<double>& before, const Vector<double>& after) const {
    const Vector<double> mean = 0.5 * (before + after);
    const auto linear = [&](const Vector<double>& w) { return Quaternion<double>(1, (h_ / 2) * w); };
    switch (turn) {
      case by_new:
        return detail::turned({}, after, h_);
      case by_old:
        return detail::turned({}, before, h_);
      case by_mean:
        return detail::turned({}, mean, h_);
      case linear_new:
        return linear(after);
      case linear_old:
        return linear(before);
      default:
        return linear(mean);  // Cayley's map is (1 + a)/(1 - a) of the vector h w/4, and of this direction
    }
  }

  Body<double> body_, principal_;
  detail::GyroscopicEquation<double> equation_;
  double h_;
  long steps_;
  Vector<double> momentum_;
  Quaternion<double> attitude_, turn_;
};

double median(std::vector<double> values) {
  if (values.empty()) return std::numeric_limits<double>::infinity();
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// A given state at the first time, with the exact one.
struct Sample {
  GivenState given;
  KitPoint exact;

  double omega_distance(const Vector<double>& omega) const {
    return norm(given.omega - omega) / norm(given.body->omega);
  }
  double angle(const Quaternion<double>& q) const { return angle_between(given.attitude, q); }
};

/// Those at the lowest frequency and the first time whose omega has moved by then; none if that is not after whole steps.
std::vector<Sample> samples_of(const GivenStates& states) {
  double frequency = std::numeric_limits<double>::infinity();
  for (const GivenState& s : states.rows) frequency = std::min(frequency, s.frequency);
  int time = std::numeric_limits<int>::max();
  for (const GivenState& s : states.rows)
    if (s.frequency <= frequency * (1 + 1e-9)) time = std::min(time, s.time);
  std::vector<Sample> samples;
  const double steps = frequency * time;
  if (!(steps < 1e5) || std::abs(steps - std::round(steps)) > 1e-6 * steps) return samples;
  for (const GivenState& s : states.rows) {
    if (s.frequency > frequency * (1 + 1e-9) || s.time != time || !s.finite()) continue;
    const Sample sample{s, kit_point(*s.body, time)};
    if (norm(sample.exact.omega - s.body->omega) > 0.05 * norm(s.body->omega)) samples.push_back(sample);
  }
  return samples;
}

template <class Distance>
double median_of(const std::vector<Sample>& samples, Distance&& distance) {
  std::vector<double> values;
  for (const Sample& s : samples) values.push_back(distance(s));
  return median(values);
}

/// Frames that are mistaken for each other: found out, and set right for what follows.
void mend_frames(std::vector<Sample>& samples, Recognition& found) {
  const auto angle = [](const Sample& s) { return s.angle(s.exact.attitude); };
  const auto inverse = [](const Sample& s) {
    return angle_between(conjugate(s.given.attitude), s.exact.attitude);
  };
  if (median_of(samples, inverse) < 0.05 * median_of(samples, angle)) {
    found.inverse_attitude = true;
    for (Sample& s : samples) s.given.attitude = conjugate(s.given.attitude);
  }
  const auto in_body = [](const Sample& s) { return rotate(conjugate(s.given.attitude), s.given.omega); };
  if (median_of(samples, [&](const Sample& s) { return s.omega_distance(s.exact.omega); }) >
      20 * median_of(samples, [&](const Sample& s) {
        return norm(in_body(s) - s.exact.omega) / norm(s.exact.omega);
      })) {
    found.omega_in_space = true;
    for (Sample& s : samples) s.given.omega = in_body(s);
  }
}

}  // namespace

double angle_between(const Quaternion<double>& a, const Quaternion<double>& b) {
  const Quaternion<double> d = conjugate(a) * b;
  return 2 * std::atan2(norm(d.vector()), std::abs(d[0]));
}

Recognition recognize(const GivenStates& states) {
  Recognition found;
  std::vector<Sample> samples = samples_of(states);
  if (samples.size() < 3) return found;
  mend_frames(samples, found);
  const double tolerance = states.single_precision ? 3e-4 : 1e-8;
  std::vector<Repeater> repeaters;
  for (const Sample& s : samples) repeaters.emplace_back(*s.given.body, s.given.frequency, s.given.time);

  double best = std::numeric_limits<double>::infinity(), second = best;
  std::vector<Repeater::Ending> endings;
  Velocity velocity = constant;
  for (std::size_t v = 0; v < velocity_count; ++v) {
    std::vector<Repeater::Ending> list;
    std::vector<double> distances;
    for (std::size_t i = 0; i < samples.size(); ++i) {
      list.push_back(repeaters[i].ending(static_cast<Velocity>(v)));
      distances.push_back(samples[i].omega_distance(list.back().omega));
    }
    const double distance = median(distances);
    if (!(distance < best)) {
      second = std::min(second, distance);
      continue;
    }
    second = best, best = distance, velocity = static_cast<Velocity>(v), endings = std::move(list);
  }
  found.velocity_distance = best;
  // The exact omega is not that of a method of high order.
  const double exact_tolerance = states.single_precision ? tolerance : 1e-12;
  if (!(best < (velocity == exact_velocity ? exact_tolerance : tolerance)) || !(best < 0.2 * second))
    return found;
  found.velocity = velocity_names[velocity];
  found.no_gyroscopic_term = velocity == constant;
  found.one_newton_step = velocity == implicit_euler_once || velocity == midpoint_once;

  // With a constant omega all turns are one. The exact one is that of the exact omega only.
  best = std::numeric_limits<double>::infinity();
  for (const std::size_t wrong : {std::size_t{0}, std::size_t{1}})
    for (std::size_t t = 0; t < turn_count; ++t) {
      if (t == exact_turn && velocity != exact_velocity) continue;
      std::vector<double> angles;
      for (std::size_t i = 0; i < samples.size(); ++i)
        angles.push_back(samples[i].angle(endings[i].attitude[t][wrong]));
      const double distance = median(angles);
      if (!(distance < best)) continue;
      best = distance;
      if (!(distance < (t == exact_turn ? exact_tolerance : tolerance))) continue;
      found.attitude = turn_names[t];
      found.wrong_order = wrong == 1;
    }
  found.attitude_distance = best;
  return found;
}

}  // namespace polhode::program
