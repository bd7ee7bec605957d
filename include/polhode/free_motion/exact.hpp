// The exact flow in increment form: explicit, exact for any step, compensated summation throughout.
//
// docs/exact-flow.md derives the formulas and analyses their rounding.
#pragma once

#include "polhode/free_motion/method.hpp"
#include "polhode/free_motion/orbit.hpp"
#include "polhode/free_motion/short_flow.hpp"

namespace polhode {

/// Short steps, up to about a fifteenth of a radian, take the increments of the momentum in their backward-exact form
/// and the attitude from the series of s and delta. Steps up to about a radian are 2, 4, 8 or 16 short ones, with
/// compensation inside. Longer ones take the closed form of Orbit in extended precision, whose only rounding
/// that counts is the last.
template <Scalar T>
class Exact {
 public:
  using Value = T;
  using Options = NoOptions;
  using W = Wide<T>;
  static constexpr MethodInfo info{.name = "exact",
                                   .summary = "exact flow in increment form, for any step",
                                   .order = 0,
                                   .increments = true};

  explicit Exact(const Inertia<T>& inertia, const Options& = {}) : inertia_(inertia), short_(inertia) {}

  template <class M>
  void step(M& motion, const T& h) const {
    const Vector<T> m = motion.momentum();
    const T size2 = dot(m, m);
    if (size2 == T(0)) return;
    const T angle2 = short_.square_angle(size2, h);
    if (angle2 <= limit_) {
      short_.step(motion, m, size2, h);
    } else if (angle2 <= T(most_short_steps * most_short_steps) * limit_) {
      several_short_steps(motion, angle2, h);
    } else {
      long_step(motion, h);
    }
  }

  /// The kernel of the short steps, and the largest square of an angle that it takes.
  const ShortFlow<T>& short_flow() const { return short_; }
  const T& square_angle_limit() const { return limit_; }

  /// The closed form for any step.
  template <class M>
  void long_step(M& motion, const T& h) const {
    const auto move = [&](const auto& orbit) {
      const auto d = orbit.advance(W(h));
      motion.assign(d.momentum, motion.wide_attitude() * d.rotation);
    };
    // Each doubling doubles the error of a slow oscillation: over many revolutions all digits of W are needed.
    const Vector<T> m = motion.momentum();
    if (short_.square_angle(dot(m, m), h) < T(0x1p16)) {
      move(Orbit<W, bits>(inertia_, motion.wide_momentum()));
    } else {
      move(Orbit<W>(inertia_, motion.wide_momentum()));
    }
  }

 private:
  static constexpr int bits =
      std::same_as<T, W> ? std::numeric_limits<W>::digits + 2 : std::numeric_limits<T>::digits + 11;

  static constexpr double most_short_steps = 16;

  template <class M>
  void several_short_steps(M& motion, const T& angle2, const T& h) const {
    int count = 2;  // powers of two: they divide the step exactly
    while (T(static_cast<double>(count * count)) * limit_ < angle2) count *= 2;
    const T part = h / T(count);
    Motion<T, Summation::compensated> inner;
    inner.assign(motion.wide_momentum(), motion.wide_attitude());
    for (int i = 0; i < count; ++i) {
      const Vector<T> m = inner.momentum();
      short_.step(inner, m, dot(m, m), part);
    }
    motion.assign(inner.wide_momentum(), inner.wide_attitude());
  }

  Inertia<T> inertia_;
  ShortFlow<T> short_;
  T limit_ = ShortFlow<T>::square_angle_limit();
};

}  // namespace polhode
