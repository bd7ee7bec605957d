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
#include "polhode/splitting/damped_schemes.hpp"
#include "polhode/splitting/driven_units.hpp"
#include "polhode/splitting/driving.hpp"
#include "polhode/splitting/own_scheme.hpp"
#include "polhode/stepping/bytes.hpp"
#include "polhode/stepping/stepper.hpp"
#include "polhode/torque/torque_list.hpp"

namespace POLHODE_CORE {

/// A splitting of the motion into the free one, by the given method, and the kick of the torque.
///
/// Free motions of adjacent stages are joined only where the method is exact: two steps of another one are not a step of
/// twice the length. Kicks are joined always.
template <FreeMotionMethod Method>
class Splitting {
 public:
  using Value = typename Method::Value;
  using T = Value;
  using W = Wide<T>;

  explicit Splitting(const Scheme& scheme = core::scheme("strang"),
                     const typename Method::Options& options = {})
      : scheme_(scheme), options_(options), momentum_flow_(scheme_->order) {}

  const Scheme& scheme() const { return scheme_; }

  /// Of the steps, for what acts; 0: exact.
  template <class Attached>
  int order(const Inertia<T>& inertia, const Attached& attached) const {
    const int of_method = Method(inertia, options_).info.order;
    int order = scheme_->order;
    if constexpr (std::same_as<Attached, Actions<T>>) {
      if (!attached.kicks()) return of_method;
      order = order_of(scheme(), attached);
    }
    return of_method == 0 ? order : std::min(order, of_method);
  }

  /// Throws InputError if the method or the scheme is not for what acts. A step of zero is not known yet.
  void examine(const Inertia<T>& inertia, const Actions<T>& actions, const Vector<T>& momentum,
               const T& step) const {
    const MethodInfo info = Method(inertia, options_).info;
    if (actions.carries() && info.order != 0)
      throw InputError("with wheels, dissipation or changing inertia the free motion must be exact, not " +
                       std::string(info.name));
    const double backward = backward_damping(actions, momentum, step);
    if (backward > most_backward)
      throw InputError("the scheme " + std::string(scheme_->name) +
                       " runs the damping backwards for a part of the step, over " +
                       std::to_string(backward) +
                       " of its decay time: take a shorter step, or strang or aba-8-2");
  }

  /// How long a step runs the damping backwards, in units of its decay time. Nothing in steps that go back themselves.
  double backward_damping(const Actions<T>& actions, const Vector<T>& momentum, const T& step) const {
    if (!(step > T(0))) return 0;
    const BackwardLengths lengths(scheme_);
    const DampingRates<T> rates(actions, momentum);
    return -static_cast<double>(step) * (lengths.kicks * rates.damping + lengths.free * rates.dissipation);
  }

  /// For steps of that length: what a copy would otherwise do anew each time.
  void prepare(const Inertia<T>& inertia, const T& step) {
    if (!method_) method_.emplace(inertia, options_);
    if (stages_.list().empty() || !(stages_.step() == step)) stages_ = Stages<T>(scheme_, step);
  }

  /// Steps of clock.step(). The torque is a function of the attitude and the time, in inner units, or a Driving.
  template <class Motion, class TorqueAt>
  void advance(Motion& motion, const Inertia<T>& inertia, const T& time_unit, SplittingClock<T>& clock,
               std::int64_t count, TorqueAt&& torque) {
    prepare(inertia, clock.step());
    if constexpr (is_driving<TorqueAt>) {
      if (!torque.actions().kicks()) {  // one flow, and nothing to be split
        for (std::int64_t i = 0; i < count; ++i) {
          carried_.step(motion, *method_, torque, clock.step(), clock.time());
          motion.keep_in_range();
          clock.count(1);
        }
        return;
      }
    }
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
  static constexpr double most_backward = 0.5;

  bool joins() const { return method_->info.order == 0 || scheme_->first == Part::kick; }

  template <class TorqueAt>
  static constexpr bool is_driving = std::same_as<std::remove_cvref_t<TorqueAt>, Driving<T>>;

  template <class Motion, class TorqueAt>
  auto flows(Motion& motion, const T& time_unit, TorqueAt& torque) {
    if constexpr (is_driving<TorqueAt>) {
      return std::pair{
          [&](const T& length, const W& start) { carried_.step(motion, *method_, torque, length, start); },
          [&](const T& length, const W& time) { momentum_flow_.step(motion, torque, length, time); }};
    } else {
      return std::pair{
          [&](const T& length) { method_->step(motion, length * time_unit); },
          [&](const T& length, const W& time) {
            if constexpr (requires { torque(motion.attitude_components(), time); }) {
              motion.add_momentum((length * time_unit) * torque(motion.attitude_components(), time));
            } else {
              motion.add_momentum((length * time_unit) * torque(motion.attitude(), time));
            }
          }};
    }
  }

  OwnScheme scheme_;
  typename Method::Options options_;
  std::optional<Method> method_;
  Stages<T> stages_;
  CarriedMotion<T> carried_;
  MomentumFlow<T> momentum_flow_;
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
      if constexpr (std::same_as<std::remove_cvref_t<TorqueAt>, Driving<T>>) {
        RungeKutta4<T>::step_by(motion, step * time_unit, [&](const State<T>& y, double fraction) {
          return torque.rate(y, start + Wide<T>(fraction) * Wide<T>(step));
        });
      } else {
        method.step(motion, step * time_unit, [&](const Quaternion<T>& q, double fraction) {
          return torque(q, start + Wide<T>(fraction) * Wide<T>(step));
        });
      }
      clock.count(1);
      motion.keep_in_range();
    }
  }

  template <class Motion, class TorqueAt>
  void synchronize(Motion&, const Inertia<T>&, const T&, SplittingClock<T>&, TorqueAt&&) {}

  template <class Attached>
  int order(const Inertia<T>&, const Attached&) const {
    return RungeKutta4<T>::info.order;
  }
  void examine(const Inertia<T>&, const Actions<T>&, const Vector<T>&, const T&) const {}
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
        now_(body, initial, driven_momentum_unit(body, initial, torque_, start)),
        clock_(start) {
    set_units();
    examine_step(T(0));
  }

  /// The length of the steps that follow, of either sign; zero moves nothing. Throws MotionError if the last step cannot be
  /// completed.
  void set_step(const T& step) {
    clock_.examine_step(step);
    if (!(step == clock_.step())) {
      examine_step(step);
      synchronize();
    }
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
      integrator_.advance(motion, now_.body().inertia(), time_unit_, clock, count, acting(evaluations));
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
  Vector<T> angular_velocity() const { return angular_velocity_of(synchronized()); }
  Vector<T> angular_velocity_of(const RotatingBody<T, summation>& body) const {
    if constexpr (acts_in_all_ways)
      if (torque_.carries())
        return convert<T>(body.body().to_user(torque_.angular_velocity(user_momentum(body), time())));
    return body.angular_velocity();
  }

  /// The body at the end of the last step.
  RotatingBody<T, summation> synchronized() const {
    RotatingBody<T, summation> result = now_;
    if (clock_.put_off != 0) {
      Sums motion = now_.motion();
      SplittingClock<T> clock = clock_;
      Integrator integrator = integrator_;
      std::int64_t evaluations = 0;
      integrator.synchronize(motion, now_.body().inertia(), time_unit_, clock, acting(evaluations));
      result.assign(motion);
    }
    return result;
  }

  /// Kinetic and potential energy, in extended precision.
  W energy() const requires Conservative<Attached, T> { return energy_of(synchronized()); }
  W energy_of(const RotatingBody<T, summation>& body) const requires Conservative<Attached, T> {
    return kinetic_energy_of(body) + potential_of(body);
  }
  /// Without what wheels have beside the body.
  W kinetic_energy_of(const RotatingBody<T, summation>& body) const {
    if constexpr (acts_in_all_ways)
      if (torque_.carries()) return torque_.kinetic_energy(user_momentum(body), time());
    return body.invariants().energy;
  }
  W potential_of(const RotatingBody<T, summation>& body) const requires Conservative<Attached, T> {
    return torque_.potential(body.motion().wide_attitude(), time());
  }
  /// The torque from outside at this moment, in the user's frame.
  Vector<T> torque_on(const RotatingBody<T, summation>& body) const {
    return convert<T>(body.body().to_user(convert<W>(
        torque_at(torque_, body.state().momentum, unit_attitude(body.motion().attitude()), time()))));
  }

  /// The order of the steps, for what acts on the body; 0: exact.
  int order() const { return integrator_.order(now_.body().inertia(), torque_); }
  /// What acts, in the principal frame of the body.
  const Attached& torque() const { return torque_; }

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
    if constexpr (requires { integrator_.prepare(now_.body().inertia(), clock_.step()); })
      if (clock_.put_off != 0) integrator_.prepare(now_.body().inertia(), clock_.step());
  }

 private:
  static constexpr bool acts_in_all_ways = std::same_as<Attached, Actions<T>>;

  void examine_step(const T& step) const {
    if constexpr (acts_in_all_ways)
      integrator_.examine(now_.body().inertia(), torque_, convert<T>(user_momentum(now_)), step);
  }

  /// The momentum in the principal frame and the user's unit.
  static Vector<W> user_momentum(const RotatingBody<T, summation>& body) {
    Vector<W> m = body.motion().wide_momentum();
    for (W& x : m.c) x = ldexp(x, body.momentum_unit());
    return m;
  }

  void set_units() {
    const DrivenUnits<T> units(now_.momentum_unit(), now_.body().inertia_exponent());
    time_unit_ = units.time;
    torque_unit_ = units.torque;
  }

  void synchronize() {
    if (clock_.put_off == 0) return;
    Sums motion = now_.motion();
    SplittingClock<T> clock = clock_;
    std::int64_t evaluations = 0;
    integrator_.synchronize(motion, now_.body().inertia(), time_unit_, clock, acting(evaluations));
    now_.assign(motion);
    clock_ = clock;
  }

  /// What acts, in inner units: of time, so that a kick is inner time times the torque.
  auto acting(std::int64_t& evaluations) const {
    if constexpr (acts_in_all_ways) {
      return Driving<T>(torque_, time_unit_, torque_unit_, now_.momentum_unit(),
                        now_.body().inertia_exponent(), evaluations);
    } else {
      return InnerTorque{*this, evaluations};
    }
  }

  /// In inner units, of an attitude.
  struct InnerTorque {
    const DrivenRotor& rotor;
    std::int64_t& evaluations;

    Vector<T> operator()(const Quaternion<T>& q, const W& time) const {
      ++evaluations;
      const Vector<T> t = rotor.torque_.torque(q, time);
      examine_torque(t, q, time);
      return rotor.torque_unit_ * t;
    }
    ThreeLanes<T> operator()(const FourLanes<T>& q, const W& time) const requires TorqueInLanes<Attached, T> {
      ++evaluations;
      const ThreeLanes<T> t = rotor.torque_.torque_components(q);
      if (!isfinite(sum(t)))
        examine_torque(Vector<T>{{t[0], t[1], t[2]}}, Quaternion<T>(q[0], q[1], q[2], q[3]), time);
      return rotor.torque_unit_ * t;
    }
  };

  Attached torque_;
  Integrator integrator_;
  RotatingBody<T, summation> now_;
  SplittingClock<T> clock_;
  T time_unit_{}, torque_unit_{};
  std::int64_t evaluations_ = 0;
};

namespace detail {

/// What driven() makes of a torque: itself, if it depends on attitude and time only, or a list with it.
template <Scalar T, class Torque>
auto as_driving(const Torque& torque) {
  static_assert(
      ListedTorque<Torque, T> || std::same_as<Torque, TorqueList<T>>,
      "polhode: this is not a torque: write [](const Quaternion<T>& attitude, T time) { return "
      "Vector<T>(...); } or [](const Quaternion<T>& attitude, const Vector<T>& omega, T time) { return "
      "Vector<T>(...); } (the time may be left out), or take UniformField, AlternatingField, "
      "GravityGradient, "
      "from_potential, one of torques::Damping, Wheels, Dissipation, ChangingInertia, MovingMasses, or "
      "several "
      "of them in a torques::TorqueList");
  if constexpr (TorqueOn<Torque, T>) {
    return torque;
  } else if constexpr (ListedTorque<Torque, T>) {
    return TorqueList<T>(torque);
  }
}

template <Scalar T, class Torque>
OwnScheme scheme_for(const Body<T>& body, const Torque& torque) {
  if constexpr (std::same_as<Torque, TorqueList<T>>) {
    return default_scheme(torque.attached(body));
  } else {
    return scheme("strang");
  }
}

}  // namespace detail

/// A body under a torque by a splitting scheme, with the exact free motion:
///   auto top = driven(body, {.momentum = {0.0, 0.1, 5.0}}, UniformField({0.0, 0.0, 1.0}), scheme("aba-8-6-4"));
/// or with another method, as a type, driven<MoserVeselov<double, 10>>(...), or by its name, driven(..., {"dmv10"}). Several
/// torques are a TorqueList. The last argument is the time at the beginning. Without a scheme it is strang for a torque of
/// attitude and time, and what default_scheme says otherwise.
template <class Method = void, Scalar T, class Torque>
auto driven(const Body<T>& body, const State<std::type_identity_t<T>>& initial, const Torque& torque,
            const Scheme& scheme, const Wide<std::type_identity_t<T>>& start = Wide<T>(0)) {
  const auto driving = detail::as_driving<T>(torque);
  using Free = std::conditional_t<std::is_void_v<Method>, Exact<T>, Method>;
  return DrivenRotor<Splitting<Free>, std::remove_const_t<decltype(driving)>>(body, initial, driving,
                                                                              Splitting<Free>(scheme), start);
}
template <class Method = void, Scalar T, class Torque>
auto driven(const Body<T>& body, const State<std::type_identity_t<T>>& initial, const Torque& torque) {
  const auto driving = detail::as_driving<T>(torque);
  return driven<Method>(body, initial, driving, detail::scheme_for(body, driving));
}
template <Scalar T, class Torque>
auto driven(const Body<T>& body, const State<std::type_identity_t<T>>& initial, const Torque& torque,
            const Scheme& scheme, const MethodChoice& method,
            const Wide<std::type_identity_t<T>>& start = Wide<T>(0)) {
  const auto driving = detail::as_driving<T>(torque);
  using Free = Splitting<NamedMethod<T>>;
  return DrivenRotor<Free, std::remove_const_t<decltype(driving)>>(body, initial, driving,
                                                                   Free(scheme, method), start);
}

}  // namespace POLHODE_CORE

namespace polhode {
using core::driven;
using core::DrivenRotor;
using core::Splitting;
}  // namespace polhode

namespace polhode::methods {
using core::RungeKutta;
}  // namespace polhode::methods

namespace polhode::torques {
using core::default_scheme;
}  // namespace polhode::torques
