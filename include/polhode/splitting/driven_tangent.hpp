// The tangent map of a body on which anything acts: that of the exact free motion, or of the motion with wheels, times
// those of the kicks, stage by stage.
//
// It is the derivative of the steps that `driven` takes, by any scheme, not of the motion that they approximate: a
// splitting of a Hamiltonian system has a symplectic one. docs/tangent-map.md derives it.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "polhode/free_motion/tangent.hpp"
#include "polhode/splitting/driven_rotor.hpp"

namespace POLHODE_CORE {

/// Small changes of the state that are carried along with it, in the principal frame and the inner unit of momentum: any number of
/// them that begin somewhere, and behind them one for each parameter, which begins with zero.
template <Scalar T>
struct Variations {
  std::vector<Tangent<T>> changes;
  std::vector<std::shared_ptr<const Parameter<T>>> parameters;

  Tangent<T>& of_parameter(std::size_t i) { return changes[changes.size() - parameters.size() + i]; }
  bool follow_moments() const {
    for (const auto& parameter : parameters)
      if (!(parameter->moments() == Vector<T>{})) return true;
    return false;
  }
};

/// Splitting<Exact<T>> with variations that it carries along. After each call the state is synchronized.
template <Scalar T>
class TangentSplitting {
 public:
  using Value = T;
  using W = Wide<T>;

  TangentSplitting(const Scheme& scheme, std::shared_ptr<Variations<T>> variations)
      : splitting_(scheme), momentum_flow_(scheme.order), variations_(std::move(variations)) {}

  template <class Motion>
  void advance(Motion& motion, const Inertia<T>& inertia, const T&, SplittingClock<T>& clock,
               std::int64_t count, const Driving<T>& driving) {
    if (!driving.actions().is_differentiable())
      throw InputError(
          "the derivative of a torque is not known: write the function for any scalar and give it as "
          "derivatives::differentiable(f), or give it a member derivative(attitude, time)");
    if (!method_) method_.emplace(inertia);
    if (stages_.list().empty() || !(stages_.step() == clock.step()))
      stages_ = Stages<T>(splitting_.scheme(), clock.step());
    for (std::int64_t i = 0; i < count; ++i) {
      if (driving.actions().kicks()) {
        take_split(motion, inertia, driving, clock);
      } else {
        if (parameters_kick()) {  // the variations by split steps beside the whole one of the body
          Motion beside = motion;
          SplittingClock<T> its_clock = clock;
          take_split(beside, inertia, driving, its_clock);
          synchronize(beside, inertia, T(1), its_clock, driving);
          carried_.step(motion, *method_, driving, clock.step(), clock.time());
        } else {
          turn(motion, inertia, driving, clock.step(), clock.time());
        }
        clock.count(1);
      }
      motion.keep_in_range();
    }
    synchronize(motion, inertia, T(1), clock, driving);
  }

  template <class Motion>
  void synchronize(Motion& motion, const Inertia<T>& inertia, const T&, SplittingClock<T>& clock,
                   const Driving<T>& driving) {
    core::synchronize(
        stages_, clock,
        [&](const T& length, const W& start) { turn(motion, inertia, driving, length, start); },
        [&](const T& length, const W& time) { this->kick(motion, driving, length, time); });
  }

  int order(const Inertia<T>& inertia, const Actions<T>& actions) const {
    return splitting_.order(inertia, actions);
  }
  void examine(const Inertia<T>& inertia, const Actions<T>& actions, const Vector<T>& momentum,
               const T& step) const {
    splitting_.examine(inertia, actions, momentum, step);
  }

 private:
  /// With what is known of the state beyond its last digit, the map is right to its own.
  static constexpr int bits =
      std::same_as<T, W> ? std::numeric_limits<W>::digits + 2 : std::numeric_limits<T>::digits + 11;

  template <class Motion>
  void take_split(Motion& motion, const Inertia<T>& inertia, const Driving<T>& driving,
                  SplittingClock<T>& clock) {
    take_steps(
        stages_, clock, 1,
        [&](const T& length, const W& start) { turn(motion, inertia, driving, length, start); },
        [&](const T& length, const W& time) { kick(motion, driving, length, time); });
  }
  bool parameters_kick() const {
    for (const auto& parameter : variations_->parameters)
      if (parameter->kicks()) return true;
    return false;
  }

  template <class Motion>
  void turn(Motion& motion, const Inertia<T>& inertia, const Driving<T>& driving, const T& length,
            const W& start) {
    const auto& parameters = variations_->parameters;
    if (carried_.is_free(driving, length, start) && !turns(start)) {
      const T inner = length * driving.time_unit();
      const Vector<W> m = motion.wide_momentum();
      apply(convert<T>(detail::principal_tangent_map<W, bits>(inertia, m, W(inner))));
      if (variations_->follow_moments()) {
        const auto by_moments = detail::principal_by_moments<W, bits>(inertia, m, W(inner));
        for (std::size_t i = 0; i < parameters.size(); ++i) {
          const Vector<T> moments = driving.moments_by(*parameters[i]);
          for (std::size_t j = 0; j < 3; ++j)
            add(variations_->of_parameter(i), moments[j] * convert<T>(by_moments[j].momentum),
                moments[j] * convert<T>(by_moments[j].rotation));
        }
      }
      return method_->step(motion, inner);
    }
    carried_.in_pieces(motion, driving, length, start, [&](const T& piece, const W& time) {
      const Vector<T> m = motion.momentum();
      apply(of_piece(m, carried_.with_derivatives(motion, driving, piece)));
      for (std::size_t i = 0; i < parameters.size(); ++i) {
        const auto r = carried_.with_derivatives(motion, driving, piece, time, *parameters[i]);
        const Quaternion<T> value(r[0].value(), r[1].value(), r[2].value(), r[3].value());
        const Vector<T> rotation = rotation_of(r, value, 0);
        add(variations_->of_parameter(i), cross(rotate(conjugate(value), m), rotation), rotation);
      }
    });
  }

  /// Whether a parameter turns the body where nothing else than its free motion does: that of a wheel that stands still.
  bool turns(const W& start) const {
    for (const auto& parameter : variations_->parameters)
      if (!(parameter->rotor_momentum(start) == Vector<W>{}) || !(parameter->dissipation() == T(0)))
        return true;
    return false;
  }

  static void add(Tangent<T>& v, const Vector<T>& momentum, const Vector<T>& rotation) {
    v.momentum = v.momentum + momentum;
    v.rotation = v.rotation + rotation;
  }

  /// The small rotation of q r that belongs to the derivative j of r: 2 r^-1 dr.
  template <class U>
  static Vector<T> rotation_of(const Quaternion<U>& r, const Quaternion<T>& value, std::size_t j) {
    Quaternion<T> change;
    for (std::size_t i = 0; i < 4; ++i) change[i] = r[i].gradient()[j];
    return (T(2) / norm_squared(value)) * (conjugate(value) * change).vector();
  }

  /// From the rotation r of a piece and its derivatives: m+ = r^-1 m r, q+ = q r.
  static TangentMap<T> of_piece(const Vector<T>& m, const Quaternion<Dual<T, 3>>& r) {
    const Quaternion<T> value(r[0].value(), r[1].value(), r[2].value(), r[3].value());
    const Vector<T> after = rotate(conjugate(value), m);
    TangentMap<T> map;
    map.rotation_by_rotation = to_matrix(conjugate(value));
    for (std::size_t j = 0; j < 3; ++j) {
      const Vector<T> rotation = rotation_of(r, value, j);
      const Vector<T> moved = cross(after, rotation);
      for (std::size_t i = 0; i < 3; ++i) {
        map.rotation_by_momentum[i][j] = rotation[i];
        map.momentum_by_momentum[i][j] = map.rotation_by_rotation[i][j] + moved[i];
      }
    }
    return map;
  }

  template <class Motion>
  void kick(Motion& motion, const Driving<T>& driving, const T& length, const W& time) {
    const Motion before = motion;
    momentum_flow_.step(motion, driving, length, time);
    const auto slopes = momentum_flow_.derivative(before, driving, length, time);
    for (Tangent<T>& v : variations_->changes)
      v.momentum = v.momentum + (slopes.by_momentum * v.momentum + slopes.by_rotation * v.rotation);
    for (std::size_t i = 0; i < variations_->parameters.size(); ++i) {
      Tangent<T>& v = variations_->of_parameter(i);
      v.momentum =
          v.momentum + momentum_flow_.derivative(before, driving, length, time, *variations_->parameters[i]);
    }
  }

  void apply(const TangentMap<T>& map) {
    for (Tangent<T>& v : variations_->changes) v = map.apply(v);
  }

  Splitting<Exact<T>> splitting_;
  std::optional<Exact<T>> method_;
  Stages<T> stages_;
  CarriedMotion<T> carried_;
  MomentumFlow<T> momentum_flow_;
  std::shared_ptr<Variations<T>> variations_;
};

/// A body under torque with the derivative of its state: steps as those of driven(body, state, torque, scheme, start), bit for
/// bit where they are taken in one call. Throws InputError if a torque does not know its derivative.
///
/// A change of the state is (dm, xi) as in TangentMap, in the user's frame and units.
template <Scalar T>
class DrivenTangent {
 public:
  using W = Wide<T>;
  using Rotor = DrivenRotor<TangentSplitting<T>, TorqueList<T>>;

  template <class Torque>
  DrivenTangent(const Body<T>& body, const State<T>& initial, const Torque& torque, const Scheme& scheme,
                const W& start = W(0))
      : body_(body),
        variations_(std::make_shared<Variations<T>>()),
        rotor_(body, initial, listed(torque), TangentSplitting<T>(scheme, variations_), start),
        unit_(rotor_.synchronized().momentum_unit()) {
    reset();
  }
  DrivenTangent(const DrivenTangent&) = delete;
  DrivenTangent& operator=(const DrivenTangent&) = delete;

  /// Throws MotionError if a torque is not finite; nothing has moved then.
  void advance(const T& step, std::int64_t count) {
    const std::vector<Tangent<T>> before = variations_->changes;
    try {
      rotor_.advance(step, count);
    } catch (...) {
      variations_->changes = before;
      throw;
    }
  }

  W time() const { return rotor_.time(); }
  State<T> state() const { return rotor_.state(); }
  State<W> wide_state() const { return rotor_.wide_state(); }
  const Rotor& rotor() const { return rotor_; }

  /// The derivative of the state by that at the beginning, or at the last reset().
  TangentMap<T> map() const {
    TangentMap<T> result;
    for (std::size_t j = 0; j < 3; ++j) {
      const Tangent<T> by_momentum = seen(variations_->changes[j], 0),
                       by_rotation = seen(variations_->changes[3 + j], unit_);
      for (std::size_t i = 0; i < 3; ++i) {
        result.momentum_by_momentum[i][j] = by_momentum.momentum[i];
        result.rotation_by_momentum[i][j] = ldexp(by_momentum.rotation[i], -unit_);
        result.momentum_by_rotation[i][j] = by_rotation.momentum[i];
        result.rotation_by_rotation[i][j] = by_rotation.rotation[i];
      }
    }
    return result;
  }
  /// The derivative begins anew, from the state that there is now.
  void reset() {
    const Matrix<T> axes = convert<T>(body_.axes());
    variations_->changes.assign(6 + variations_->parameters.size(), {});
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j)
        variations_->changes[j].momentum[i] = variations_->changes[3 + j].rotation[i] = axes[i][j];
  }

  /// From now on, the derivatives by the three principal moments too, in the order of body.moments(), the axes being kept.
  void follow_moments() {
    for (std::size_t i = 0; i < 3; ++i) add(std::make_shared<MomentParameter<T>>(rotor_.torque(), i));
  }
  /// From now on, that by a number too that what acts depends on: make(value) is the torque for a value of it. It is called
  /// here, for values next to the given one.
  template <class Make>
  void follow(const T& value, const Make& make) {
    add(std::make_shared<DifferenceParameter<T>>(
        [&](const T& at) { return listed(make(at)).attached(body_); }, value));
  }
  /// The derivatives by what is followed, in the order of the calls: changes (dm, xi) in the user's frame and units.
  std::vector<Tangent<T>> by_parameters() const {
    std::vector<Tangent<T>> result;
    for (std::size_t i = 0; i < variations_->parameters.size(); ++i)
      result.push_back(seen(variations_->of_parameter(i), unit_));
    return result;
  }

  /// The changes themselves, six of them unless parameters are followed, in the principal frame, dm in a power of two near the size of the momentum.
  std::vector<Tangent<T>>& changes() { return variations_->changes; }

 private:
  void add(std::shared_ptr<const Parameter<T>> parameter) {
    variations_->parameters.push_back(std::move(parameter));
    variations_->changes.emplace_back();
  }

  template <class Torque>
  static TorqueList<T> listed(const Torque& torque) {
    if constexpr (std::same_as<Torque, TorqueList<T>>) {
      return torque;
    } else {
      return TorqueList<T>(torque);
    }
  }

  Tangent<T> seen(const Tangent<T>& v, int exponent) const {
    const Matrix<T> back = convert<T>(transpose(body_.axes()));
    Tangent<T> result{back * v.momentum, back * v.rotation};
    for (T& x : result.momentum.c) x = ldexp(x, exponent);
    return result;
  }

  Body<T> body_;
  std::shared_ptr<Variations<T>> variations_;
  Rotor rotor_;
  int unit_;
};

/// The derivative of the state after `steps` steps of a body under torque, those of driven(body, state, torque, scheme, start),
/// with respect to `state`. Throws InputError if a torque does not know its derivative.
template <Scalar T, class Torque>
TangentMap<T> tangent_map(const Body<T>& body, const State<std::type_identity_t<T>>& state,
                          const Torque& torque, const Scheme& scheme, const std::type_identity_t<T>& step,
                          std::int64_t steps = 1, const Wide<std::type_identity_t<T>>& start = Wide<T>(0)) {
  DrivenTangent<T> run(body, state, torque, scheme, start);
  run.advance(step, steps);
  return run.map();
}

/// The same as a matrix of six rows, in the order (m, xi).
template <Scalar T, class Torque>
SquareArray<T, 6> state_transition(const Body<T>& body, const State<std::type_identity_t<T>>& state,
                                   const Torque& torque, const Scheme& scheme,
                                   const std::type_identity_t<T>& step, std::int64_t steps = 1,
                                   const Wide<std::type_identity_t<T>>& start = Wide<T>(0)) {
  return tangent_map(body, state, torque, scheme, step, steps, start).matrix();
}

}  // namespace POLHODE_CORE

namespace polhode {
using core::state_transition;
using core::tangent_map;
}  // namespace polhode

namespace polhode::derivatives {
using core::DrivenTangent;
}  // namespace polhode::derivatives
