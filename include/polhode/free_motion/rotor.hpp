// A body that rotates freely.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "polhode/body/rotating_body.hpp"
#include "polhode/free_motion/exact.hpp"
#include "polhode/free_motion/named_method.hpp"
#include "polhode/stepping/bytes.hpp"
#include "polhode/stepping/clock.hpp"
#include "polhode/stepping/stepper.hpp"

namespace POLHODE_CORE {

/// What rotors of the free body have in common: the body in motion, its beginning, and the time.
template <Scalar T, Summation summation>
class FreeRotor {
 public:
  using Value = T;
  using W = Wide<T>;

  FreeRotor(const Body<T>& body, const State<T>& initial, const W& start = W(0))
      : now_(body, initial), clock_(start), initial_(now_) {}

  W time() const { return clock_.time(); }
  std::int64_t steps_taken() const { return clock_.steps_taken(); }

  /// In the user's frame and units; the attitude has norm one.
  State<T> state() const { return now_.state(); }
  /// The same with all that is known of it.
  State<W> wide_state() const { return now_.wide_state(); }
  /// In the body frame.
  Vector<T> angular_velocity() const { return now_.angular_velocity(); }

  W energy() const { return now_.invariants().energy; }
  Invariants<W> invariants() const { return now_.invariants(); }
  /// The invariants minus those of the beginning.
  Invariants<W> errors() const { return now_.invariants() - initial_.invariants(); }

  /// A free motion asks for no force.
  EvaluationCounts evaluations() const { return {}; }

  std::vector<std::byte> save() const {
    return detail::bytes_of(now_.motion(), std::int64_t{now_.momentum_unit()}, clock_);
  }
  void restore(std::span<const std::byte> bytes) {
    Motion<T, summation> motion;
    std::int64_t unit = 0;
    detail::get_all(bytes, motion, unit, clock_);
    now_.assign(motion, static_cast<int>(unit));
  }

  const Body<T>& body() const { return now_.body(); }
  /// The body at this moment, with its sums.
  const RotatingBody<T, summation>& rotating_body() const { return now_; }

 protected:
  RotatingBody<T, summation> now_;
  StepClock<T> clock_;

 private:
  RotatingBody<T, summation> initial_;
};

/// A body that rotates freely, by the exact flow unless another method is named. Each step takes its constants from the
/// momentum that it finds, as it would have to under a torque.
///
///   Rotor rotor(Body({1.0, 2.0, 3.0}), {.momentum = {0.1, 2.0, 0.1}});
///   rotor.advance(0.01, 1000);
///
/// Throws InputError on construction if the state is invalid.
template <FreeMotionMethod Method = Exact<double>,
          Summation summation = usual_summation<typename Method::Value>>
class Rotor : public FreeRotor<typename Method::Value, summation> {
 public:
  using T = typename Method::Value;

  /// `start` is the time at the beginning.
  Rotor(const Body<T>& body, const State<T>& initial, const typename Method::Options& options = {},
        const Wide<T>& start = Wide<T>(0))
      : FreeRotor<T, summation>(body, initial, start), method_(body.inertia(), options) {}

  /// The length of the steps that follow, of either sign; zero moves nothing.
  void set_step(const T& step) { this->clock_.set_step(step); }

  void advance(std::int64_t count = 1) {
    this->clock_.examine(count);
    if constexpr (MethodWithMemory<Method>) {
      this->now_.advance_with(method_, this->clock_.step(), count, memory_);
    } else {
      this->now_.advance_with(method_, this->clock_.step(), count);
    }
    this->clock_.count(count);
  }
  void advance(const T& step, std::int64_t count) {
    set_step(step);
    advance(count);
  }

  std::vector<std::byte> save() const {
    std::vector<std::byte> bytes = Base::save();
    if constexpr (MethodWithMemory<Method>) {
      const auto more = detail::bytes_of(memory_);
      bytes.insert(bytes.end(), more.begin(), more.end());
    }
    return bytes;
  }
  void restore(std::span<const std::byte> bytes) {
    if constexpr (MethodWithMemory<Method>) {
      if (bytes.size() > sizeof memory_) {
        Base::restore(bytes.first(bytes.size() - sizeof memory_));
        detail::get_all(bytes.last(sizeof memory_), memory_);
        return;
      }
    }
    Base::restore(bytes);
  }

  const Method& method() const { return method_; }

 private:
  using Base = FreeRotor<T, summation>;
  struct NoMemory {};

  Method method_;
  [[no_unique_address]] std::conditional_t<MethodWithMemory<Method>, MethodMemory<T>, NoMemory> memory_{};
};

template <Scalar T>
Rotor(const Body<T>&, const State<std::type_identity_t<T>>&) -> Rotor<Exact<T>>;
template <Scalar T>
Rotor(const Body<T>&, const State<std::type_identity_t<T>>&, const MethodChoice&) -> Rotor<NamedMethod<T>>;

/// The state after one step of the exact flow, of any length.
template <Scalar T>
State<T> step(const Body<T>& body, const State<std::type_identity_t<T>>& state,
              const std::type_identity_t<T>& length) {
  Rotor<Exact<T>> rotor(body, state);
  rotor.advance(length, 1);
  return rotor.state();
}

}  // namespace POLHODE_CORE

namespace polhode {
using core::Rotor;
using core::step;
}  // namespace polhode
