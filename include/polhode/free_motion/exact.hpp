// The exact flow in increment form: explicit, exact for any step, compensated summation throughout.
//
// docs/exact-flow.md derives the formulas and analyses their rounding.
#pragma once

#include "polhode/free_motion/closed_form.hpp"
#include "polhode/free_motion/increment_flow.hpp"
#include "polhode/free_motion/long_step.hpp"
#include "polhode/free_motion/method.hpp"

namespace POLHODE_CORE {

/// Short steps, up to about a sixteenth of a radian, take their constants from short series, steps up to half a radian from
/// polynomials. Longer ones go by Landen's transformation, at a cost that does not depend on the step (LongStep); what that does not
/// take, and every precision above double, by the closed form (ClosedForm) in extended precision.
///
/// A motion without compensation has kernels of its own, which leave out what compensation needs. Of float there is no other; its
/// longer steps are those of double, rounded.
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

  explicit Exact(const Inertia<T>& inertia, const Options& = {})
      : inertia_(inertia), short_(inertia), far_(inertia) {}

  template <class M>
  void step(M& motion, const T& h) const {
    static_assert(!(std::same_as<T, float> && M::compensated),
                  "float is for speed alone: it has no compensated steps");
    const Vector<T> m = motion.momentum();
    const T size2 = dot(m, m);
    if (size2 == T(0)) return;
    const T angle2 = short_.square_angle(size2, h);
    if (angle2 <= limit_) {
      short_.step(motion, size2, h);
    } else if constexpr (std::same_as<T, float>) {
      wide_step(motion, h);
    } else if (angle2 <= T(square(middle_angle))) {
      middle_step(motion, h);
    } else if (!far_step(motion, angle2, h)) {
      closed_form_step(motion, h);
    }
  }

  /// The kernel of the short steps, and the largest square of an angle that it takes.
  const IncrementFlow<T>& increment_flow() const { return short_; }
  const T& square_angle_limit() const { return limit_; }

  /// That of the steps beyond middle_angle, of double.
  const auto& long_step() const { return far_; }

  /// The closed form for any step, with all digits of W.
  template <class M>
  [[gnu::noinline]] void closed_form_step(M& motion, const T& h) const {
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

  struct NoLongStep {
    explicit NoLongStep(const Inertia<T>&) {}
  };
  /// The steps of float that are not short.
  struct OfDouble {
    explicit OfDouble(const Inertia<T>& inertia) : method(Inertia<W>(convert<W>(inertia.moments))) {}
    Exact<W> method;
  };
  using Far =
      typename std::conditional_t<std::same_as<T, double>, std::type_identity<LongStep<T>>,
                                  std::conditional_t<std::same_as<T, float>, std::type_identity<OfDouble>,
                                                     std::type_identity<NoLongStep>>>::type;

  // Out of line: what a longer step keeps in registers shall not drive the short one out of them.
  template <class M>
  [[gnu::noinline]] void middle_step(M& motion, const T& h) const {
    short_.middle_step(motion, h);
  }

  template <class M>
  [[gnu::noinline]] void wide_step(M& motion, const T& h) const {
    Motion<W, Summation::plain> wide(motion.wide_state());
    far_.method.step(wide, W(h));
    motion.assign(wide.momentum(), wide.attitude());
  }

  template <class M>
  [[gnu::noinline]] bool far_step(M& motion, const T& angle2, const T& h) const {
    if constexpr (std::same_as<T, double>) {
      return angle2 <= LongStep<T>::square_angle_limit && far_.step(motion, h);
    } else {
      return false;
    }
  }

  Inertia<T> inertia_;
  IncrementFlow<T> short_;
  [[no_unique_address]] Far far_;
  T limit_ = IncrementFlow<T>::square_angle_limit();
};

}  // namespace POLHODE_CORE

namespace polhode {
using core::Exact;
}  // namespace polhode
