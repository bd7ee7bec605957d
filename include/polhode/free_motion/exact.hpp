// The exact flow in increment form: explicit, exact for any step, compensated summation throughout.
//
// docs/exact-flow.md derives the formulas and analyses their rounding.
#pragma once

#include "polhode/free_motion/closed_form.hpp"
#include "polhode/free_motion/increment_flow.hpp"
#include "polhode/free_motion/method.hpp"

namespace polhode::core {

/// Short steps, up to about a sixteenth of a radian, take their constants from short series, steps up to half a radian from
/// polynomials; those up to four radians are 2, 4 or 8 of these, with compensation inside. Longer ones take the closed
/// form of ClosedForm in extended precision, whose only rounding that counts is the last.
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
      short_.step(motion, size2, h);
    } else if (angle2 <= T(square(middle_angle))) {
      middle_step(motion, size2, h);
    } else if (angle2 <= T(square(most_pieces * middle_angle))) {
      several_steps(motion, size2, angle2, h);
    } else {
      long_step(motion, h);
    }
  }

  /// The kernel of the short steps, and the largest square of an angle that it takes.
  const IncrementFlow<T>& increment_flow() const { return short_; }
  const T& square_angle_limit() const { return limit_; }

  /// The closed form for any step.
  template <class M>
  [[gnu::noinline]] void long_step(M& motion, const T& h) const {
    const auto move = [&](const auto& solution) {
      const auto d = solution.advance(W(h));
      motion.assign(d.momentum, motion.wide_attitude() * d.rotation);
    };
    // Each doubling doubles the error of a slow oscillation: over many revolutions all digits of W are needed.
    const Vector<T> m = motion.momentum();
    if (short_.square_angle(dot(m, m), h) < T(0x1p16)) {
      move(AnyClosedForm<W, bits>(inertia_, motion.wide_momentum()));
    } else {
      move(AnyClosedForm<W>(inertia_, motion.wide_momentum()));
    }
  }

 private:
  static constexpr int bits =
      std::same_as<T, W> ? std::numeric_limits<W>::digits + 2 : std::numeric_limits<T>::digits + 11;

  static constexpr double most_pieces = 8;

  // Out of line: what a longer step keeps in registers shall not drive the short one out of them.
  template <class M>
  [[gnu::noinline]] void middle_step(M& motion, const T& size2, const T& h) const {
    short_.middle_step(motion, size2, h);
  }

  template <class M>
  [[gnu::noinline]] void several_steps(M& motion, const T& size2, const T& angle2, const T& h) const {
    double count = 2;  // powers of two: they divide the step exactly
    while (T(square(count * middle_angle)) < angle2) count *= 2;
    const auto pieces = [&](auto& sums) {
      for (double i = 0; i < count; ++i) middle_step(sums, size2, h / T(count));
    };
    if constexpr (M::compensated) {
      pieces(motion);
    } else {
      Motion<T, Summation::compensated> inner;
      inner.assign(motion.wide_momentum(), motion.wide_attitude());
      pieces(inner);
      motion.assign(inner.wide_momentum(), inner.wide_attitude());
    }
  }

  Inertia<T> inertia_;
  IncrementFlow<T> short_;
  T limit_ = IncrementFlow<T>::square_angle_limit();
};

}  // namespace polhode::core

namespace polhode {
using core::Exact;
}  // namespace polhode
