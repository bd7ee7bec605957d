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

#include "polhode/free_motion/tangent.hpp"
#include "polhode/splitting/driven_rotor.hpp"

namespace polhode::core {

/// Small changes of the state that are carried along with it: in the principal frame and the inner unit of momentum.
template <Scalar T>
using Variations = std::vector<Tangent<T>>;

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
    const auto free = [&](const T& length, const W& start) { turn(motion, inertia, driving, length, start); };
    const auto kick = [&](const T& length, const W& time) { this->kick(motion, driving, length, time); };
    for (std::int64_t i = 0; i < count; ++i) {
      if (driving.actions().kicks()) {
        take_steps(stages_, clock, 1, free, kick);
      } else {
        free(clock.step(), clock.time());
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
  void turn(Motion& motion, const Inertia<T>& inertia, const Driving<T>& driving, const T& length,
            const W& start) {
    if (carried_.is_free(driving, length, start)) {
      const T inner = length * driving.time_unit();
      apply(convert<T>(detail::principal_tangent_map<W, bits>(inertia, motion.wide_momentum(), W(inner))));
      return method_->step(motion, inner);
    }
    carried_.in_pieces(motion, driving, length, start, [&](const T& piece) {
      apply(of_piece(motion.momentum(),
                     carried_.with_derivatives(motion, driving, piece * driving.time_unit())));
    });
  }

  /// From the rotation r of a piece and its derivatives: m+ = r^-1 m r, q+ = q r.
  static TangentMap<T> of_piece(const Vector<T>& m, const Quaternion<Dual<T, 3>>& r) {
    Quaternion<T> value;
    for (std::size_t i = 0; i < 4; ++i) value[i] = r[i].value();
    const Vector<T> after = rotate(conjugate(value), m);
    TangentMap<T> map;
    map.rotation_by_rotation = to_matrix(conjugate(value));
    for (std::size_t j = 0; j < 3; ++j) {
      Quaternion<T> change;
      for (std::size_t i = 0; i < 4; ++i) change[i] = r[i].gradient()[j];
      const Vector<T> rotation = (T(2) / norm_squared(value)) * (conjugate(value) * change).vector();
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
    for (Tangent<T>& v : *variations_)
      v.momentum = v.momentum + (slopes.by_momentum * v.momentum + slopes.by_rotation * v.rotation);
  }

  void apply(const TangentMap<T>& map) {
    for (Tangent<T>& v : *variations_) v = map.apply(v);
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
    const Variations<T> before = *variations_;
    try {
      rotor_.advance(step, count);
    } catch (...) {
      *variations_ = before;
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
      const Tangent<T> by_momentum = seen((*variations_)[j], 0),
                       by_rotation = seen((*variations_)[3 + j], unit_);
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
    variations_->assign(6, {});
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j)
        (*variations_)[j].momentum[i] = (*variations_)[3 + j].rotation[i] = axes[i][j];
  }

  /// The changes themselves, six of them, in the principal frame, dm in a power of two near the size of the momentum.
  Variations<T>& variations() { return *variations_; }

 private:
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

}  // namespace polhode::core

namespace polhode {
using core::state_transition;
using core::tangent_map;
}  // namespace polhode

namespace polhode::derivatives {
using core::DrivenTangent;
}  // namespace polhode::derivatives
