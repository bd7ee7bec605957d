// A body that a torque acts on: the user's view of a splitting method.
#pragma once

#include <algorithm>
#include <optional>
#include <string>

#include "polhode/body/rotating_body.hpp"
#include "polhode/free_motion/exact.hpp"
#include "polhode/free_motion/named_method.hpp"
#include "polhode/free_motion/rk4.hpp"
#include "polhode/splitting/composition.hpp"
#include "polhode/splitting/own_scheme.hpp"
#include "polhode/stepping/bytes.hpp"
#include "polhode/stepping/stepper.hpp"
#include "polhode/torque/torque.hpp"

namespace polhode::core {

/// A splitting of the motion into the free one, by the given method, and the kick of the torque.
///
/// Free motions of adjacent stages are joined only where the method is exact: two steps of another one are not a step of
/// twice the length. Kicks are joined always.
template <FreeMotionMethod Method>
class Splitting {
 public:
  using Value = typename Method::Value;
  using T = Value;

  explicit Splitting(const Scheme& scheme = core::scheme("strang"),
                     const typename Method::Options& options = {})
      : scheme_(scheme), options_(options) {}

  /// Steps of clock.step(). The torque is a function of the attitude and the time, in inner units.
  template <class Motion, class TorqueAt>
  void advance(Motion& motion, const Inertia<T>& inertia, const T& time_unit, SplittingClock<T>& clock,
               std::int64_t count, TorqueAt&& torque) {
    prepare(inertia, clock.step());
    const auto [free, kick] = flows(motion, time_unit, torque);
    // The norm of the attitude grows by little more than a factor of one a step.
    for (std::int64_t i = 0; i < count; ++i) {
      take_steps(stages_, clock, 1, free, kick);
      if (!joins()) core::synchronize(stages_, clock, free, kick);
      motion.keep_in_range();
    }
  }

  /// The stage that advance() put off.
  template <class Motion, class TorqueAt>
  void synchronize(Motion& motion, const Inertia<T>& inertia, const T& time_unit, SplittingClock<T>& clock,
                   TorqueAt&& torque) {
    prepare(inertia, clock.step());
    const auto [free, kick] = flows(motion, time_unit, torque);
    core::synchronize(stages_, clock, free, kick);
  }

 private:
  bool joins() const { return method_->info.order == 0 || scheme_->first == Part::kick; }

  void prepare(const Inertia<T>& inertia, const T& step) {
    if (!method_) method_.emplace(inertia, options_);
    if (stages_.list().empty() || !(stages_.step() == step)) stages_ = Stages<T>(scheme_, step);
  }

  template <class Motion, class TorqueAt>
  auto flows(Motion& motion, const T& time_unit, TorqueAt& torque) const {
    return std::pair{[&](const T& length) { method_->step(motion, length * time_unit); },
                     [&](const T& length, const Wide<T>& time) {
                       motion.add_momentum((length * time_unit) * torque(motion.attitude(), time));
                     }};
  }

  OwnScheme scheme_;
  typename Method::Options options_;
  std::optional<Method> method_;
  Stages<T> stages_;
};

/// The classical Runge-Kutta method in place of a splitting.
template <Scalar T>
class RungeKutta {
 public:
  using Value = T;

  template <class Motion, class TorqueAt>
  void advance(Motion& motion, const Inertia<T>& inertia, const T& time_unit, SplittingClock<T>& clock,
               std::int64_t count, TorqueAt&& torque) {
    const RungeKutta4<T> method(inertia);
    const T step = clock.step();
    for (std::int64_t i = 0; i < count; ++i) {
      const Wide<T> start = clock.time();
      method.step(motion, step * time_unit, [&](const Quaternion<T>& q, double fraction) {
        return torque(q, start + Wide<T>(fraction) * Wide<T>(step));
      });
      clock.count(1);
      motion.keep_in_range();
    }
  }

  template <class Motion, class TorqueAt>
  void synchronize(Motion&, const Inertia<T>&, const T&, SplittingClock<T>&, TorqueAt&&) {}
};

/// A body under a torque. Throws InputError on construction if the state is invalid.
///
/// Neighbouring stages of two steps are joined: state() and energy() synchronize a copy, and how the steps are divided
/// among the calls makes no difference to the last bit.
template <class Integrator, class Torque, Summation summation = Summation::compensated>
requires TorqueOn<Torque, typename Integrator::Value>
class DrivenRotor {
 public:
  using T = typename Integrator::Value;
  using W = Wide<T>;
  using Sums = Motion<T, summation>;
  using Attached = decltype(attach(std::declval<const Torque&>(), std::declval<const Body<T>&>()));

  DrivenRotor(const Body<T>& body, const State<T>& initial, const Torque& torque,
              const Integrator& integrator = Integrator(), const W& start = W(0))
      : torque_(attach(torque, body)),
        integrator_(integrator),
        now_(body, initial, momentum_unit(body, initial, torque_, start)),
        clock_(start) {
    set_units();
  }

  /// The length of the steps that follow, of either sign; zero moves nothing. Throws MotionError if the last step cannot be
  /// completed.
  void set_step(const T& step) {
    clock_.examine_step(step);
    if (!(step == clock_.step())) synchronize();
    clock_.set_step(step);
  }

  /// Throws MotionError if the torque is not finite; nothing has moved then.
  void advance(std::int64_t count = 1) {
    clock_.examine(count);
    if (count == 0) return;
    Sums motion = now_.motion();
    SplittingClock<T> clock = clock_;
    std::int64_t evaluations = evaluations_;
    if (clock.step() == T(0)) {
      clock.count(count);
    } else {
      integrator_.advance(motion, now_.body().inertia(), time_unit_, clock, count, counted(evaluations));
    }
    now_.assign(motion);
    clock_ = clock;
    evaluations_ = evaluations;
  }
  void advance(const T& step, std::int64_t count) {
    clock_.examine_step(step);
    examine_count(count);
    if (count == 0) return;
    if (step == clock_.step()) {
      clock_.set_step(step);
      return advance(count);
    }
    // All or none: what a change of the step synchronizes is taken back with the steps.
    const RotatingBody<T, summation> now = now_;
    const SplittingClock<T> clock = clock_;
    try {
      set_step(step);
      advance(count);
    } catch (...) {
      now_ = now;
      clock_ = clock;
      throw;
    }
  }

  W time() const { return clock_.time(); }
  std::int64_t steps_taken() const { return clock_.steps_taken(); }
  State<T> state() const { return synchronized().state(); }
  State<W> wide_state() const { return synchronized().wide_state(); }
  Vector<T> angular_velocity() const { return synchronized().angular_velocity(); }

  /// The body at the end of the last step.
  RotatingBody<T, summation> synchronized() const {
    RotatingBody<T, summation> result = now_;
    if (clock_.put_off != 0) {
      Sums motion = now_.motion();
      SplittingClock<T> clock = clock_;
      Integrator integrator = integrator_;
      std::int64_t evaluations = 0;
      integrator.synchronize(motion, now_.body().inertia(), time_unit_, clock, counted(evaluations));
      result.assign(motion);
    }
    return result;
  }

  /// Kinetic and potential energy, in extended precision.
  W energy() const requires Conservative<Attached, T> { return energy_of(synchronized()); }
  W energy_of(const RotatingBody<T, summation>& body) const requires Conservative<Attached, T> {
    return body.invariants().energy + torque_.potential(body.motion().wide_attitude(), time());
  }

  /// How often the torque was asked for.
  EvaluationCounts evaluations() const { return {evaluations_, 0}; }

  std::vector<std::byte> save() const {
    return detail::bytes_of(now_.motion(), std::int64_t{now_.momentum_unit()}, clock_, evaluations_);
  }
  void restore(std::span<const std::byte> bytes) {
    Sums motion;
    std::int64_t unit = 0;
    detail::get_all(bytes, motion, unit, clock_, evaluations_);
    now_.assign(motion, static_cast<int>(unit));
    set_units();
  }

 private:
  /// The unit should suit the momentum that there is and that the torque will give: a body may start at rest.
  static int momentum_unit(const Body<T>& body, const State<T>& initial, const Attached& torque,
                           const W& start) {
    examine(initial);
    const Quaternion<T> q = convert<T>(body.to_principal(initial).attitude);
    const Vector<T> t = torque.torque(unit_attitude(q), start);
    examine_torque(t, q, start);
    const int from_torque = t == Vector<T>{} ? -2000 : (momentum_exponent(t) + body.inertia_exponent()) / 2;
    const int from_state = initial.momentum == Vector<T>{} ? -2000 : momentum_exponent(initial.momentum);
    const int unit = std::max(from_torque, from_state);
    return unit == -2000 ? body.inertia_exponent() : unit;
  }

  static T power_of_two(int exponent) {
    if (std::abs(exponent) > 900)
      throw InputError("the units of momentum, inertia and torque are too far from each other for a double");
    return ldexp(T(1), exponent);
  }

  /// A method that fails at a step too long for it leaves an attitude that is no number: not the torque's fault.
  static void examine_torque(const Vector<T>& t, const Quaternion<T>& q, const W& time) {
    if (!isfinite(t[0] + t[1] + t[2]))
      throw MotionError((isfinite(norm_squared(q)) ? "the torque at time " : "the state at time ") +
                        std::to_string(static_cast<double>(time)) + " is not a finite number");
  }

  void set_units() {
    time_unit_ = power_of_two(now_.momentum_unit() - now_.body().inertia_exponent());
    torque_unit_ = power_of_two(now_.body().inertia_exponent() - 2 * now_.momentum_unit());
  }

  void synchronize() {
    if (clock_.put_off == 0) return;
    Sums motion = now_.motion();
    SplittingClock<T> clock = clock_;
    std::int64_t evaluations = 0;
    integrator_.synchronize(motion, now_.body().inertia(), time_unit_, clock, counted(evaluations));
    now_.assign(motion);
    clock_ = clock;
  }

  /// The torque in inner units: of time, so that a kick is inner time times this.
  auto counted(std::int64_t& evaluations) const {
    return [this, &evaluations](const Quaternion<T>& q, const W& time) {
      ++evaluations;
      const Vector<T> t = torque_.torque(q, time);
      examine_torque(t, q, time);
      return torque_unit_ * t;
    };
  }

  Attached torque_;
  Integrator integrator_;
  RotatingBody<T, summation> now_;
  SplittingClock<T> clock_;
  T time_unit_{}, torque_unit_{};
  std::int64_t evaluations_ = 0;
};

/// A body under a torque by a splitting scheme, with the exact free motion:
///   auto top = driven(body, {.momentum = {0.0, 0.1, 5.0}}, UniformField({0.0, 0.0, 1.0}), scheme("aba-8-6-4"));
/// or with another method, as a type, driven<MoserVeselov<double, 10>>(...), or by its name, driven(..., {"dmv10"}).
template <class Method = void, Scalar T, class Torque>
auto driven(const Body<T>& body, const State<std::type_identity_t<T>>& initial, const Torque& torque,
            const Scheme& scheme = core::scheme("strang")) {
  static_assert(
      TorqueOn<Torque, T>,
      "polhode: this is not a torque: write [](const Quaternion<T>& attitude, T time) { return "
      "Vector<T>(...); } "
      "(the time may be left out), or take UniformField, AlternatingField, GravityGradient, from_potential");
  using Free = std::conditional_t<std::is_void_v<Method>, Exact<T>, Method>;
  return DrivenRotor<Splitting<Free>, Torque>(body, initial, torque, Splitting<Free>(scheme));
}
template <Scalar T, class Torque>
auto driven(const Body<T>& body, const State<std::type_identity_t<T>>& initial, const Torque& torque,
            const Scheme& scheme, const MethodChoice& method) {
  static_assert(
      TorqueOn<Torque, T>,
      "polhode: this is not a torque: write [](const Quaternion<T>& attitude, T time) { return "
      "Vector<T>(...); } "
      "(the time may be left out), or take UniformField, AlternatingField, GravityGradient, from_potential");
  using Free = Splitting<NamedMethod<T>>;
  return DrivenRotor<Free, Torque>(body, initial, torque, Free(scheme, method));
}

}  // namespace polhode::core

namespace polhode {
using core::driven;
using core::DrivenRotor;
using core::Splitting;
}  // namespace polhode

namespace polhode::methods {
using core::RungeKutta;
}  // namespace polhode::methods
