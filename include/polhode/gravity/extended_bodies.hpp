// Extended bodies in motion: orbits and attitudes together, by any splitting scheme.
#pragma once

#include <algorithm>
#include <sstream>

#include "polhode/body/rotating_body.hpp"
#include "polhode/free_motion/exact.hpp"
#include "polhode/free_motion/named_method.hpp"
#include "polhode/gravity/constellation.hpp"
#include "polhode/splitting/trial_steps.hpp"

namespace POLHODE_CORE {

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
class ExtendedBodies
    : public TrialSteps<ExtendedBodies<Method>, typename Method::Value, PlacedSums<typename Method::Value>> {
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
      : Steps(scheme), now_(first(bodies, states, constant)), attraction_(bodies, constant) {
    clock_ = SplittingClock<T>(start);
    for (const ExtendedBody<T>& body : bodies) {
      methods_.push_back(body.body ? std::optional<Method>(std::in_place, body.body->inertia(), options)
                                   : std::nullopt);
      if (methods_.back()) order_ = methods_.back()->info.order;
      inverse_masses_.push_back(W(1) / W(body.mass));
    }
    choose_units(states, constant);
  }

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

 private:
  using Steps = TrialSteps<ExtendedBodies, T, PlacedSums<T>>;
  friend Steps;
  using Steps::clock_, Steps::order_, Steps::scheme_, Steps::trial_;

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

  // What TrialSteps asks for.
  std::vector<PlacedSums<T>>& sums() { return now_.sums(); }
  const std::vector<PlacedSums<T>>& sums() const { return now_.sums(); }
  void keep_in_range() {
    for (PlacedSums<T>& body : trial_) body.turning.keep_in_range();
  }
  void write_sums(detail::ByteWriter& writer) const { writer.put(std::span<const PlacedSums<T>>(sums())); }
  void read_sums(detail::ByteReader& reader) { reader.get(std::span<PlacedSums<T>>(sums())); }

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
    if (const auto pair = evaluate())
      throw MotionError(complaint(*pair, " at time " + digits_of(static_cast<double>(time))));
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

  Constellation<T> now_;
  Attraction<T> attraction_;
  std::vector<std::optional<Method>> methods_;  // of the rotation; none: a point mass
  std::vector<W> inverse_masses_;
};

}  // namespace POLHODE_CORE

namespace polhode::gravity {
using core::ExtendedBodies;
}  // namespace polhode::gravity
