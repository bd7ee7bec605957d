// A body that a torque acts on: the user's view of a splitting method.
#pragma once

#include <algorithm>
#include <optional>
#include <string>

#include "polhode/free_motion/exact.hpp"
#include "polhode/free_motion/free_rotor.hpp"
#include "polhode/free_motion/rk4.hpp"
#include "polhode/splitting/composition.hpp"
#include "polhode/splitting/schemes.hpp"
#include "polhode/torque/torque.hpp"

namespace polhode {

/// A splitting of the motion into the free one, by the given method, and the kick of the torque.
///
/// Free motions of adjacent stages are joined only where the method is exact: two steps of another one are not a step of
/// twice the length. Kicks are joined always.
template <FreeMotionMethod Method>
class Splitting {
 public:
  using Value = typename Method::Value;
  using T = Value;

  explicit Splitting(const Scheme& scheme = *find_scheme("strang"),
                     const typename Method::Options& options = {})
      : scheme_(scheme), options_(options) {}

  template <class Motion, class TorqueAt>
  void run(Motion& motion, const Inertia<T>& inertia, const T& time_unit, Standing<T>& standing,
           const T& step, std::int64_t count, TorqueAt&& torque) {
    prepare(inertia, step);
    const auto [free, kick] = flows(motion, time_unit, torque);
    // The norm of the attitude grows by little more than a factor of one a step.
    for (std::int64_t i = 0; i < count; ++i) {
      polhode::run(stages_, standing, 1, free, kick);
      if (!joins()) polhode::settle(stages_, standing, free, kick);
      motion.settle();
    }
  }

  /// The stage that run() left to be joined with the next step's first.
  template <class Motion, class TorqueAt>
  void settle(Motion& motion, const Inertia<T>& inertia, const T& time_unit, Standing<T>& standing,
              const T& step, TorqueAt&& torque) {
    prepare(inertia, step);
    const auto [free, kick] = flows(motion, time_unit, torque);
    polhode::settle(stages_, standing, free, kick);
  }

 private:
  bool joins() const { return Method::info.order == 0 || scheme_.first == Part::kick; }

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

  Scheme scheme_;
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
  void run(Motion& motion, const Inertia<T>& inertia, const T& time_unit, Standing<T>& standing,
           const T& step, std::int64_t count, TorqueAt&& torque) {
    const RungeKutta4<T> method(inertia);
    for (std::int64_t i = 0; i < count; ++i) {
      const Wide<T> start = time_of(standing, step);
      method.step(motion, step * time_unit, [&](const Quaternion<T>& q, double fraction) {
        return torque(q, start + Wide<T>(fraction) * Wide<T>(step));
      });
      ++standing.steps;
      motion.settle();
    }
  }

  template <class Motion, class TorqueAt>
  void settle(Motion&, const Inertia<T>&, const T&, Standing<T>&, const T&, TorqueAt&&) {}
};

/// A body under a torque. Throws InputError on construction if the state is not one.
///
/// Neighbouring stages of two steps are joined: state() and energy() complete the last step on a copy, and how the steps
/// are divided among the calls makes no difference to the last bit.
template <class Integrator, class Torque, Summation summation = Summation::compensated>
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
        rotor_(body, initial, momentum_unit(body, initial, torque_, start)),
        standing_{.origin = start},
        time_unit_(power_of_two(rotor_.momentum_unit() - body.inertia_exponent())),
        torque_unit_(power_of_two(body.inertia_exponent() - 2 * rotor_.momentum_unit())) {}

  /// Throws MotionError if the torque is not finite; nothing has moved then.
  void steps(const T& h, std::int64_t count) {
    if (count <= 0 || h == T(0)) return;
    Sums motion = rotor_.motion();
    Standing<T> standing = standing_;
    if (!(h == step_)) {
      settle(motion, standing);
      standing.origin = time_of(standing, step_);
      standing.steps = 0;
    }
    std::int64_t evaluations = evaluations_;
    integrator_.run(motion, rotor_.body().inertia(), time_unit_, standing, h, count, counted(evaluations));
    rotor_.restore(motion);
    standing_ = standing;
    step_ = h;
    evaluations_ = evaluations;
  }
  void step(const T& h) { steps(h, 1); }

  W time() const { return time_of(standing_, step_); }
  State<T> state() const { return settled().state(); }
  State<W> wide_state() const { return settled().wide_state(); }
  Vector<T> angular_velocity() const { return settled().angular_velocity(); }

  /// The body at the end of the last step.
  Rotor<T, summation> settled() const {
    Rotor<T, summation> result = rotor_;
    if (standing_.owing) {
      Sums motion = rotor_.motion();
      Standing<T> standing = standing_;
      Integrator integrator = integrator_;
      std::int64_t evaluations = 0;
      integrator.settle(motion, rotor_.body().inertia(), time_unit_, standing, step_, counted(evaluations));
      result.restore(motion);
    }
    return result;
  }

  /// Kinetic and potential energy, in extended precision.
  W energy() const requires Conservative<Attached, T> { return energy_of(settled()); }
  W energy_of(const Rotor<T, summation>& rotor) const requires Conservative<Attached, T> {
    return rotor.invariants().energy + torque_.potential(rotor.motion().wide_attitude(), time());
  }

  /// How often the torque was asked for.
  std::int64_t evaluations() const { return evaluations_; }

  /// What a run depends on beyond what it was made from, for saving it and continuing it bit for bit.
  struct Saved {
    Sums motion;
    Standing<T> standing;
    T step;
    std::int64_t evaluations;
  };
  Saved save() const { return {rotor_.motion(), standing_, step_, evaluations_}; }
  void restore(const Saved& saved) {
    rotor_.restore(saved.motion);
    standing_ = saved.standing;
    step_ = saved.step;
    evaluations_ = saved.evaluations;
  }

 private:
  /// The unit should suit the momentum that there is and that the torque will give: a body may start at rest.
  static int momentum_unit(const Body<T>& body, const State<T>& initial, const Attached& torque,
                           const W& start) {
    examine(initial);
    const Quaternion<T> q = convert<T>(body.to_principal(initial).attitude);
    const Vector<T> t = torque.torque(unit_attitude(q), start);
    examine_torque(t, start);
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

  static void examine_torque(const Vector<T>& t, const W& time) {
    if (!isfinite(t[0] + t[1] + t[2]))
      throw MotionError("the torque at time " + std::to_string(static_cast<double>(time)) +
                        " is not a finite number");
  }

  void settle(Sums& motion, Standing<T>& standing) {
    if (standing.owing) {
      std::int64_t evaluations = 0;
      integrator_.settle(motion, rotor_.body().inertia(), time_unit_, standing, step_, counted(evaluations));
    }
  }

  /// The torque in inner units: of time, so that a kick is inner time times this.
  auto counted(std::int64_t& evaluations) const {
    return [this, &evaluations](const Quaternion<T>& q, const W& time) {
      ++evaluations;
      const Vector<T> t = torque_.torque(q, time);
      examine_torque(t, time);
      return torque_unit_ * t;
    };
  }

  Attached torque_;
  Integrator integrator_;
  Rotor<T, summation> rotor_;
  Standing<T> standing_;
  T step_{};
  T time_unit_, torque_unit_;
  std::int64_t evaluations_ = 0;
};

/// A body under a torque by a splitting scheme: the exact free motion unless another method is named.
template <template <class> class Method = Exact, Scalar T, class Torque>
auto driven(const Body<T>& body, const State<T>& initial, const Torque& torque,
            const Scheme& scheme = *find_scheme("strang")) {
  return DrivenRotor<Splitting<Method<T>>, Torque>(body, initial, torque, Splitting<Method<T>>(scheme));
}

}  // namespace polhode
