// A free body in motion: the user's view of a method.
#pragma once

#include <algorithm>
#include <cstdint>

#include "polhode/body/body.hpp"
#include "polhode/free_motion/method.hpp"

namespace polhode {

/// The quantities that a free motion conserves, in the user's units, with the compensation of the state taken into
/// account and in extended precision: measuring must not drown what is measured.
template <Scalar W>
struct Invariants {
  W energy;
  W momentum_norm;
  Vector<W> spatial_momentum;
};

/// A body and its motion: the user's frame and units outside, the principal frame and powers of two inside.
///
/// Throws InputError on construction if the state is not one.
template <Scalar T, Summation summation>
class Rotor {
 public:
  using W = Wide<T>;

  Rotor(const Body<T>& body, const State<T>& initial)
      : Rotor(body, initial, momentum_exponent(initial.momentum)) {}

  /// With a unit of momentum of the caller's choice, 2^exponent, for motions whose momentum will not stay near what it is.
  Rotor(const Body<T>& body, const State<T>& initial, int exponent)
      : body_(body), momentum_exponent_(exponent) {
    examine(initial);
    State<W> s = body.to_principal(initial);
    for (auto& x : s.momentum.c) x = ldexp(x, -momentum_exponent_);
    motion_.assign(s.momentum, s.attitude);
    motion_.settle();
  }

  /// From sums that were saved, with the unit of momentum that they have: 2^exponent.
  Rotor(const Body<T>& body, const Motion<T, summation>& motion, int exponent)
      : body_(body), motion_(motion), momentum_exponent_(exponent) {}

  /// The state in the user's frame; the attitude has norm one.
  State<T> state() const { return convert<T>(wide_state()); }

  /// The same with all that is known of it.
  State<W> wide_state() const {
    State<W> s = body_.to_user(motion_.wide_state());
    for (auto& x : s.momentum.c) x = ldexp(x, momentum_exponent_);
    s.attitude = normalized(s.attitude);
    return s;
  }

  Vector<T> angular_velocity() const {
    Vector<W> w = body_.inertia().angular_velocity(motion_.wide_momentum());
    for (auto& x : w.c) x = ldexp(x, momentum_exponent_ - body_.inertia_exponent());
    return convert<T>(body_.to_user(w));
  }

  Invariants<W> invariants() const {
    const State<W> s = motion_.wide_state();
    Invariants<W> i{
        ldexp(body_.inertia().energy(s.momentum), 2 * momentum_exponent_ - body_.inertia_exponent()),
        ldexp(norm(s.momentum), momentum_exponent_), rotate(s.attitude, s.momentum)};
    for (auto& x : i.spatial_momentum.c) x = ldexp(x, momentum_exponent_);
    return i;
  }

  /// The sums themselves, for saving a run and continuing it bit for bit.
  const Motion<T, summation>& motion() const { return motion_; }
  void restore(const Motion<T, summation>& motion) { motion_ = motion; }

  const Body<T>& body() const { return body_; }
  int momentum_unit() const { return momentum_exponent_; }

  /// A step of the user's units in the inner ones.
  T inner_time(const T& h) const { return ldexp(h, momentum_exponent_ - body_.inertia_exponent()); }

  /// Steps of length h by a method that was made for this body, which the inertia of one body is enough for.
  template <class Method>
  void steps_with(const Method& method, const T& h, std::int64_t count) {
    const T inner = inner_time(h);
    if (moves(inner)) repeat(count, [&](auto& motion) { method.step(motion, inner); });
  }

  /// False for a step so short that nothing moves, and whose inverse might overflow.
  static bool moves(const T& inner) { return !(abs(inner) < T(0x1p-1000)); }

 protected:
  /// step(motion), count times.
  template <class Step>
  void repeat(std::int64_t count, Step&& step) {
    // A step multiplies the norm of the attitude by little more than one where the method is of use.
    constexpr std::int64_t steps_between_settling = 64;
    while (count > 0) {
      const std::int64_t block = std::min<std::int64_t>(count, steps_between_settling);
      for (std::int64_t i = 0; i < block; ++i) step(motion_);
      motion_.settle();
      count -= block;
    }
  }

 private:
  Body<T> body_;
  Motion<T, summation> motion_;
  int momentum_exponent_ = 0;
};

/// A body that rotates freely, stepped by the given method. Each step takes its constants from the momentum it finds, as it
/// would have to under a torque.
template <FreeMotionMethod Method, Summation summation = Summation::compensated>
class FreeRotor : public Rotor<typename Method::Value, summation> {
 public:
  using T = typename Method::Value;

  FreeRotor(const Body<T>& body, const State<T>& initial, const typename Method::Options& options = {})
      : Rotor<T, summation>(body, initial), method_(body.inertia(), options) {}

  /// One step of any length and sign; zero is no step.
  void step(const T& h) { steps(h, 1); }

  void steps(const T& h, std::int64_t count) { this->steps_with(method_, h, count); }

 private:
  Method method_;
};

}  // namespace polhode
