// Extended bodies in motion: orbits and attitudes together, by any splitting scheme.
#pragma once

#include <algorithm>
#include <sstream>

#include "polhode/body/rotating_body.hpp"
#include "polhode/free_motion/exact.hpp"
#include "polhode/free_motion/named_method.hpp"
#include "polhode/gravity/constellation.hpp"
#include "polhode/splitting/composition.hpp"
#include "polhode/splitting/own_scheme.hpp"
#include "polhode/stepping/bytes.hpp"
#include "polhode/stepping/stepper.hpp"

namespace polhode::core {

/// Extended bodies that attract each other, so that spins act back on orbits. One flow moves every body as if it were alone, along a
/// line and by the exact rotation (or another method for the free body); the other one is the kick of the forces and torques
/// [TW94]. Total momentum and angular momentum stay, to round-off, whatever the step.
///
///   gravity::ExtendedBodies pair(bodies, states, 6.674e-11, scheme("rkn6-14"));
///   pair.advance(60.0, 1000);
///
/// Neighbouring stages of two steps are joined: state() synchronizes a copy, and how the steps are divided among the calls makes
/// no difference to the last bit.
template <FreeMotionMethod Method = Exact<double>>
class ExtendedBodies {
 public:
  using T = typename Method::Value;
  using W = Wide<T>;
  using Options = typename Method::Options;
  using Bodies = std::vector<ExtendedBody<T>>;
  using States = std::vector<PlacedState<T>>;
  static_assert(!std::same_as<T, float>, "float is for speed alone: it has no compensated steps");

  /// constant: G in the units of the rest. start: the time at the beginning. Throws InputError if a body or a state is invalid, or
  /// bodies have met already.
  ExtendedBodies(const Bodies& bodies, const States& states, const T& constant = T(1),
                 const Scheme& scheme = core::scheme("rkn6-14"), const Options& options = {},
                 const W& start = W(0))
      : scheme_(scheme), now_(first(bodies, states, constant)), attraction_(bodies, constant), clock_(start) {
    for (const ExtendedBody<T>& body : bodies) {
      methods_.push_back(body.body ? std::optional<Method>(std::in_place, body.body->inertia(), options)
                                   : std::nullopt);
      if (methods_.back()) order_ = methods_.back()->info.order;
      inverse_masses_.push_back(W(1) / W(body.mass));
    }
    choose_units(states, constant);
  }

  /// The length of the steps that follow, of either sign; zero moves nothing. Throws MotionError if the last step cannot be
  /// completed.
  void set_step(const T& step) {
    clock_.examine_step(step);
    if (!(step == clock_.step())) synchronize_now();
    clock_.set_step(step);
    prepare();
  }

  /// Throws MotionError where bodies meet, or a force is not finite; nothing has moved then.
  void advance(std::int64_t count = 1) {
    clock_.examine(count);
    if (count == 0) return;
    trial_ = now_.sums();
    SplittingClock<T> clock = clock_;
    const std::int64_t evaluations = evaluations_;
    try {
      const auto [free, kick] = flows();
      for (std::int64_t i = 0; i < count; ++i) {
        if (clock.step() == T(0)) {
          clock.count(1);
          continue;
        }
        take_steps(stages_, clock, 1, free, kick);
        if (!joins()) synchronize(stages_, clock, free, kick);
        if (clock.steps_taken() % steps_between_rescaling == 0)
          for (PlacedSums<T>& body : trial_) body.turning.keep_in_range();
      }
    } catch (const MotionError&) {
      evaluations_ = evaluations;
      throw;
    }
    now_.sums().swap(trial_);
    clock_ = clock;
  }
  void advance(const T& step, std::int64_t count) {
    clock_.examine_step(step);
    examine_count(count);
    if (count == 0) return;
    if (step == clock_.step()) {
      set_step(step);
      return advance(count);
    }
    // All or none: what a change of the step synchronizes is taken back with the steps.
    const std::vector<std::byte> before = save();
    try {
      set_step(step);
      advance(count);
    } catch (...) {
      restore(before);
      throw;
    }
  }

  W time() const { return clock_.time(); }
  std::int64_t steps_taken() const { return clock_.steps_taken(); }
  /// Of the steps.
  int order() const { return order_ == 0 ? scheme_->order : std::min(order_, scheme_->order); }

  /// The bodies at the end of the last step. Throws MotionError if it needs a force where bodies have met.
  Constellation<T> state() const {
    if (clock_.put_off == 0) return now_;
    ExtendedBodies copy = *this;
    copy.synchronize_now();
    return copy.now_;
  }
  W energy() const { return state().energies().total(); }

  /// How often the forces were asked for.
  EvaluationCounts evaluations() const { return {evaluations_, 0}; }

  std::vector<std::byte> save() const {
    detail::ByteWriter writer;
    writer.put(clock_);
    writer.put(evaluations_);
    writer.put(std::span<const PlacedSums<T>>(now_.sums()));
    return writer.take();
  }
  void restore(std::span<const std::byte> bytes) {
    detail::ByteReader reader(bytes,
                              sizeof clock_ + sizeof evaluations_ + sizeof(PlacedSums<T>) * now_.size());
    reader.get(clock_);
    reader.get(evaluations_);
    reader.get(std::span<PlacedSums<T>>(now_.sums()));
    prepare();
  }

 private:
  /// The norm of an attitude grows by little more than a factor of one in a stage.
  static constexpr std::int64_t steps_between_rescaling = 64;

  static Constellation<T> first(const Bodies& bodies, const States& states, const T& constant) {
    detail::examine(bodies);
    detail::examine(bodies, states);
    return {std::make_shared<const Bodies>(bodies), constant, std::vector<int>(bodies.size()), states};
  }

  /// Units that suit the momentum that there is, and that the torques will give: bodies may start at rest.
  void choose_units(const States& states, const T& constant) {
    trial_ = now_.sums();
    if (const auto pair = evaluate()) throw InputError(complaint(*pair, ""));
    std::vector<int> units(states.size());
    for (std::size_t i = 0; i < states.size(); ++i) {
      if (!methods_[i]) continue;
      const int inertia = now_.bodies()[i].body->inertia_exponent();
      const Vector<T>&m = states[i].turning.momentum, &torque = attraction_.sums()[i].torque;
      int unit = -2000;
      if (!(m == Vector<T>{})) unit = std::max(unit, momentum_exponent(m));
      if (!(torque == Vector<T>{})) unit = std::max(unit, (momentum_exponent(torque) + inertia) / 2);
      units[i] = unit == -2000 ? inertia : unit;
      if (std::abs(units[i] - inertia) > 900)
        throw InputError(detail::called(now_.bodies(), i) +
                         ": the units of momentum, inertia and torque are too far from each other");
    }
    now_ = Constellation<T>(std::make_shared<const Bodies>(now_.bodies()), constant, units, states);
  }

  void prepare() {
    const T& step = clock_.step();
    if (!(step == T(0)) && (stages_.list().empty() || !(stages_.step() == step)))
      stages_ = Stages<T>(scheme_, step);
  }

  bool joins() const { return order_ == 0 || scheme_->first == Part::kick; }

  /// The two flows, on the sums of trial_.
  auto flows() {
    return std::pair{[this](const T& length) { move(length); },
                     [this](const T& length, const W& time) { kick(length, time); }};
  }

  void move(const T& length) {
    for (std::size_t i = 0; i < trial_.size(); ++i) {
      PlacedSums<T>& body = trial_[i];
      const W rate = inverse_masses_[i] * W(length);
      const T high = static_cast<T>(rate), low = static_cast<T>(rate - W(high));
      for (std::size_t k = 0; k < 3; ++k) {
        const auto [value, error] = two_product(high, body.momentum[k].value);
        body.position[k].add(
            ErrorFree<T>{value, error + (high * body.momentum[k].error + low * body.momentum[k].value)});
      }
      if (methods_[i]) {
        const T inner = ldexp(length, now_.momentum_unit(i) - now_.bodies()[i].body->inertia_exponent());
        if (RotatingBody<T, Summation::compensated>::moves(inner)) methods_[i]->step(body.turning, inner);
      }
    }
  }

  void kick(const T& length, const W& time) {
    ++evaluations_;
    if (const auto pair = evaluate())
      throw MotionError(complaint(*pair, " at time " + std::to_string(static_cast<double>(time))));
    for (std::size_t i = 0; i < trial_.size(); ++i) {
      const AttractionSums<T>& sums = attraction_.sums()[i];
      for (std::size_t k = 0; k < 3; ++k) {
        const auto [value, error] = two_product(length, sums.force[k].value);
        trial_[i].momentum[k].add(ErrorFree<T>{value, error + length * sums.force[k].error});
      }
      if (!methods_[i]) continue;
      const T inner = ldexp(length, -now_.momentum_unit(i));
      trial_[i].turning.add_momentum(std::array<ErrorFree<T>, 3>{two_product(inner, sums.torque[0]),
                                                                 two_product(inner, sums.torque[1]),
                                                                 two_product(inner, sums.torque[2])});
    }
  }

  auto evaluate() {
    return attraction_.evaluate(
        [this](std::size_t i) -> const auto& { return trial_[i].position; },
        [this](std::size_t i) { return trial_[i].turning.attitude(); });
  }

  /// What is wrong with a pair, where trial_ is now.
  std::string complaint(const typename Attraction<T>::Pair& pair, const std::string& when) const {
    Vector<T> d;
    for (std::size_t k = 0; k < 3; ++k)
      d[k] = trial_[pair.first].position[k].value - trial_[pair.second].position[k].value;
    const std::string both =
        detail::called(now_.bodies(), pair.first) + " and " + detail::called(now_.bodies(), pair.second);
    const T least = attraction_.least_distance(pair);
    if (norm(d) > least) return "the force between " + both + when + " is not a finite number";
    std::ostringstream text;
    text << both << " meet" << when << ": their centres are " << static_cast<double>(norm(d))
         << " apart, and their radii add up to " << static_cast<double>(least);
    return text.str();
  }

  void synchronize_now() {
    if (clock_.put_off == 0) return;
    trial_ = now_.sums();
    SplittingClock<T> clock = clock_;
    const auto [free, kick] = flows();
    synchronize(stages_, clock, free, kick);
    now_.sums().swap(trial_);
    clock_ = clock;
  }

  OwnScheme scheme_;
  Constellation<T> now_;
  std::vector<PlacedSums<T>> trial_;  // where steps are taken, so that a failure leaves what was
  Attraction<T> attraction_;
  std::vector<std::optional<Method>> methods_;  // of the rotation; none: a point mass
  std::vector<W> inverse_masses_;
  int order_ = 0;  // of the method of the rotation; 0: exact
  Stages<T> stages_;
  SplittingClock<T> clock_;
  std::int64_t evaluations_ = 0;
};

}  // namespace polhode::core

namespace polhode::gravity {
using core::ExtendedBodies;
}  // namespace polhode::gravity
