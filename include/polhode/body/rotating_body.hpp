// A body and its motion: the user's frame and units outside, the principal frame and powers of two inside.
#pragma once

#include <algorithm>
#include <cstdint>

#include "polhode/body/body.hpp"

namespace POLHODE_CORE {

/// The quantities that a free motion conserves, in the user's units, with the compensation of the state taken into
/// account and in extended precision: measuring must not drown what is measured.
template <Scalar W>
struct Invariants {
  W energy;
  W momentum_norm;
  Vector<W> spatial_momentum;

  friend Invariants operator-(const Invariants& a, const Invariants& b) {
    return {a.energy - b.energy, a.momentum_norm - b.momentum_norm, a.spatial_momentum - b.spatial_momentum};
  }
};

/// A body at a moment, as the sums that carry it from step to step. Throws InputError on construction if the state is
/// invalid.
template <Scalar T, Summation summation>
class RotatingBody {
 public:
  using W = Wide<T>;
  using Sums = Motion<T, summation>;

  RotatingBody(const Body<T>& body, const State<T>& initial)
      : RotatingBody(body, initial, momentum_exponent(initial.momentum)) {}

  /// With a unit of momentum of the caller's choice, 2^exponent, for motions whose momentum will not stay near what it is.
  RotatingBody(const Body<T>& body, const State<T>& initial, int exponent)
      : body_(body), momentum_exponent_(exponent) {
    examine(initial);
    State<W> s = body.to_principal(initial);
    for (auto& x : s.momentum.c) x = ldexp(x, -momentum_exponent_);
    motion_.assign(s.momentum, s.attitude);
    motion_.keep_in_range();
  }

  /// From sums that were saved, with the unit of momentum that they have: 2^exponent.
  RotatingBody(const Body<T>& body, const Sums& motion, int exponent)
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

  const Body<T>& body() const { return body_; }
  /// The sums themselves, in the principal frame and the inner unit of momentum, 2^momentum_unit().
  const Sums& motion() const { return motion_; }
  int momentum_unit() const { return momentum_exponent_; }
  void assign(const Sums& motion) { motion_ = motion; }
  void assign(const Sums& motion, int exponent) {
    motion_ = motion;
    momentum_exponent_ = exponent;
  }

  /// A step of the user's units in the inner ones.
  T inner_time(const T& h) const { return ldexp(h, momentum_exponent_ - body_.inertia_exponent()); }

  /// False for a step so short that nothing moves, and whose inverse might overflow.
  static bool moves(const T& inner) { return !(abs(inner) < T(0x1p-1000)); }

  /// Steps of length h by a method that was made for the inertia of this body; memory: that of the method, if it has one.
  template <class Method, class... Memory>
  void advance_with(const Method& method, const T& h, std::int64_t count, Memory&... memory) {
    const T inner = inner_time(h);
    if (!moves(inner)) return;
    in_blocks(count, [&](Sums& motion, std::int64_t block) {
      if constexpr (requires { method.repeat(motion, inner, block, memory...); }) {
        method.repeat(motion, inner, block, memory...);
      } else {
        for (std::int64_t i = 0; i < block; ++i) method.step(motion, inner, memory...);
      }
    });
  }

  /// advance(motion, n) for blocks of n steps that add up to the count. Between them the norm of the attitude is brought
  /// back: a step multiplies it by little more than one where the method is of use.
  template <class Advance>
  void in_blocks(std::int64_t count, Advance&& advance) {
    constexpr std::int64_t largest_block = 64;
    while (count > 0) {
      const std::int64_t block = std::min(count, largest_block);
      advance(motion_, block);
      motion_.keep_in_range();
      count -= block;
    }
  }

 private:
  Body<T> body_;
  Sums motion_;
  int momentum_exponent_ = 0;
};

}  // namespace POLHODE_CORE

namespace polhode {
using core::Invariants;
}  // namespace polhode
