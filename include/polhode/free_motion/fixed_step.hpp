// The exact flow at a constant step: what depends on the invariants alone is computed once.
#pragma once

#include "polhode/free_motion/exact.hpp"
#include "polhode/free_motion/rotor.hpp"

namespace POLHODE_CORE {

/// Steps of one length along one free motion. With constants that stay the same the map of StepConstants keeps two
/// quantities of its own, next to the energy and the size of the momentum: whatever the rounding of the constants,
/// nothing drifts, and nothing has to be followed.
template <Scalar T>
class FixedStepFlow {
 public:
  using W = Wide<T>;

  FixedStepFlow(const Inertia<T>& inertia, const Vector<W>& momentum, const T& h) : exact_(inertia), h_(h) {
    const W size2 = dot(momentum, momentum);
    if (!(size2 > W(0))) return;
    T angle2 = exact_.increment_flow().square_angle(static_cast<T>(size2), h), piece = h;
    // One radian is the limit of the series, whose precision is that of W. Halves are exact.
    for (; angle2 > T(1) && pieces_ < most_pieces; pieces_ *= 2) {
      angle2 *= T(0.25);
      piece *= T(0.5);
    }
    if (!(angle2 <= T(1))) return;
    length_ = angle2 <= exact_.square_angle_limit() ? Length::short_step : Length::middle_step;
    const ThreeLanes<W> b(-inertia.a1, inertia.a2, -inertia.a3), inverse(inertia.inverse.c);
    const auto c = step_corrections<terms_of_extended_precision>(b, inverse, components(momentum), W(piece));
    const W u = W(piece) / W(2);
    for (std::size_t i = 0; i < 3; ++i) {
      StepBody<T>::set(constants_.swing, i, W(b[i] * u * (W(1) + c.swing[i])));
      StepBody<T>::set(constants_.turn, i, W(u / W(2) * (inverse[i] * (W(1) + c.stretch) + c.shift)));
    }
  }

  template <class M>
  void step(M& motion) const {
    switch (length_) {
      case Length::short_step:
        return IncrementFlow<T>::template advance<StepLength::short_step>(motion, constants_);
      case Length::middle_step:
        if (!M::compensated && pieces_ > 1) return exact_.closed_form_step(motion, h_);
        for (int i = 0; i < pieces_; ++i)
          IncrementFlow<T>::template advance<StepLength::middle_step>(motion, constants_);
        return;
      case Length::any:
        return exact_.closed_form_step(motion, h_);
    }
  }

 private:
  enum class Length { short_step, middle_step, any };

  /// Beyond sixteen radians the closed form is as fast.
  static constexpr int most_pieces = 16;

  Exact<T> exact_;
  T h_;
  Length length_ = Length::any;
  int pieces_ = 1;
  StepConstants<T> constants_{};
};

/// A body that rotates freely, in steps of one length: about two thirds of the cost of Rotor<Exact<T>>. Throws InputError on
/// construction if the state is invalid or the step is not a finite number.
template <Scalar T = double, Summation summation = Summation::compensated>
class FixedStepRotor : public FreeRotor<T, summation> {
 public:
  FixedStepRotor(const Body<T>& body, const State<T>& initial, const T& step)
      : FreeRotor<T, summation>(body, initial),
        flow_(body.inertia(), this->now_.motion().wide_momentum(), this->now_.inner_time(examined(step))),
        moves_(this->now_.moves(this->now_.inner_time(step))) {
    this->clock_.set_step(step);
  }

  void advance(std::int64_t count = 1) {
    this->clock_.examine(count);
    if (moves_)
      this->now_.in_blocks(count, [&](auto& motion, std::int64_t block) {
        for (std::int64_t i = 0; i < block; ++i) flow_.step(motion);
      });
    this->clock_.count(count);
  }

 private:
  static const T& examined(const T& step) {
    if (!isfinite(step)) throw InputError("the step is not a finite number");
    return step;
  }

  FixedStepFlow<T> flow_;
  bool moves_;
};

template <Scalar T>
FixedStepRotor(const Body<T>&, const State<std::type_identity_t<T>>&, const std::type_identity_t<T>&)
    -> FixedStepRotor<T>;

}  // namespace POLHODE_CORE

namespace polhode {
using core::FixedStepRotor;
}  // namespace polhode
