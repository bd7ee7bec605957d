#include "conformance/verdict.hpp"

#include <algorithm>
#include <cmath>

#include "conformance/score.hpp"
#include "text/text.hpp"

namespace polhode::program {

namespace {

std::string percent(double x) {
  return rounded(std::abs(x) < 0.001 ? "%.1g" : "%.2g", 100 * std::abs(x)) + " %";
}

/// The median of an error and its worst, where that is a number.
std::string amounts(const ErrorScore& e, const std::string& when) {
  return filled("{} {} in the median", percent(e.median), when) +
         (std::isfinite(e.worst) ? filled(", {} of {}", percent(e.worst), e.body) : "");
}

/// How much larger the polhode about the stable axis has become: 1 for the exact motion. It is the root of 2 T I_a - L^2, formed from what
/// is beside the axis, so that nothing cancels.
double wobble_growth(const GivenState& s) {
  const auto size = [&](const Vector<double>& w) {
    const auto a = static_cast<std::size_t>(s.body->stable_axis);
    double sum = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      const double moment = s.body->inertia[i];
      sum += moment * std::abs(s.body->inertia[a] - moment) * w[i] * w[i];
    }
    return std::sqrt(sum);
  };
  return size(s.omega) / size(s.body->omega);
}

class Judge {
 public:
  Judge(const ConformanceScore& score, const std::vector<const Measured*>& rows)
      : score_(score), rows_(rows), single_(score.single_precision) {}

  std::vector<std::string> judge() {
    say_blown_up();
    say_recognition();
    say_order();
    say_energy();
    say_momentum();
    say_stable_spin();
    if (single_) say("computes in single precision: the numbers are floats");
    return std::move(said_);
  }

 private:
  const FrequencyScore& coarse() const { return score_.frequencies.front(); }
  std::string when() const {
    return filled("in {} s at {} Hz", coarse().time, rounded("%.6g", coarse().frequency));
  }
  void say(const std::string& sentence) { said_.push_back(sentence); }

  void say_blown_up() {
    std::vector<std::string> bodies;
    for (const Measured* m : rows_)
      if (!m->state->finite()) bodies.emplace_back(m->state->body->name);
    if (!bodies.empty()) say("blows up: not finite " + when() + ": " + joined(bodies));
  }

  void say_recognition() {
    const Recognition& r = score_.recognition;
    if (r.inverse_attitude) say("gives the inverse attitude: q turns space to body, not body to space");
    if (r.omega_in_space) say("gives omega in space, not in the body frame");
    if (r.no_gyroscopic_term) say("has no gyroscopic term: omega in the body does not change");
    if (r.one_newton_step)
      say("takes one step of Newton's method where the equation needs more: omega is that of " + r.velocity);
    else if (!r.velocity.empty() && !r.no_gyroscopic_term)
      say("omega: " + r.velocity);
    if (r.wrong_order)
      say("multiplies the quaternions in the wrong order: omega is of the body, so q+ = q r, not r q");
    else if (!r.attitude.empty() && !r.no_gyroscopic_term)
      say("attitude: " + r.attitude);
    else if (!r.velocity.empty() && r.attitude.empty())
      say("attitude: none of the known formulas");
  }

  void say_order() {
    const double p = score_.order;
    const ErrorScore& e = coarse().attitude;
    if (p == 0)
      say(filled("exact: the attitude is right to rounding, {} rad {} in the median",
                 rounded("%.1e", e.median), when()));
    else if (std::isnan(p))
      say(filled("no order can be seen; the attitude is wrong by {} rad {} in the median",
                 rounded("%.2g", e.median), when()));
    else if (p < 0.3)
      say(filled("does not converge: shorter steps do not lessen the error, {} rad in the median",
                 rounded("%.2g", e.median)));
    else
      say(filled("order {}; the attitude is wrong by {} rad {} in the median", rounded("%.2f", p),
                 rounded("%.2g", e.median), when()));
    if (p > 0.3 && (score_.omega_order > p + 0.5 || score_.omega_order == 0))
      say(filled("omega is better than the attitude: {}",
                 score_.omega_order == 0 ? "exact" : "of order " + rounded("%.2f", score_.omega_order)));
  }

  void say_energy() {
    const double noise = single_ ? 3e-5 : 1e-10;
    int up = 0, down = 0;
    for (const Measured* m : rows_) {
      up += m->energy > noise ? 1 : 0;
      down += m->energy < -noise ? 1 : 0;
    }
    const ErrorScore& e = coarse().energy;
    if (up + down == 0)
      say(filled("keeps the energy to rounding: {} at worst", rounded("%.1e", std::abs(e.worst))));
    else if (std::abs(e.median) <= noise)
      say("keeps the energy well: " + amounts(e, when()));
    else if (down >= 4 * up && down >= 3)
      say("loses energy: " + amounts(e, when()));
    else if (up >= 4 * down && up >= 3)
      say("gains energy: " + amounts(e, when()));
    else
      say(filled("energy errors of both signs, {} at worst ({})", percent(e.worst), e.body));
  }

  void say_momentum() {
    const ErrorScore& e = coarse().momentum;
    if (!(std::abs(e.median) > (single_ ? 1e-4 : 1e-10))) return;
    say("does not keep the momentum in space: " + amounts(e, when()));
  }

  void say_stable_spin() {
    const Measured* worst = nullptr;
    // Rounding to floats adds more than the 1e-8 that the wobble is: what counts then is 1e-4 of the spin.
    double growth = single_ ? 1e4 : 1.02;
    for (const Measured* m : rows_) {
      if (m->state->body->stable_axis < 0 || !m->state->finite()) continue;
      const double g = wobble_growth(*m->state);
      if (g > growth) growth = g, worst = m;
    }
    if (worst != nullptr)
      say(filled("leaves stable spin: the wobble of {} grows by a factor of {} {}", worst->state->body->name,
                 rounded("%.3g", growth), when()));
  }

  const ConformanceScore& score_;
  const std::vector<const Measured*>& rows_;
  bool single_;
  std::vector<std::string> said_;
};

}  // namespace

std::vector<std::string> verdicts(const ConformanceScore& score, const std::vector<const Measured*>& rows) {
  return Judge(score, rows).judge();
}

}  // namespace polhode::program
