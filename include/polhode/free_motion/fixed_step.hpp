// The exact flow at a constant step: what depends on the invariants alone is computed once.
#pragma once

#include "polhode/free_motion/exact.hpp"
#include "polhode/free_motion/free_rotor.hpp"

namespace polhode {

/// Steps of one length along one free motion.
///
/// c and d of the step are not simply kept: the map with constant c and d amplifies a deviation of the invariants by
/// exp((lambda h)^2) a step. Their deviation is instead followed to first order, which makes the map conserve what it finds,
/// like the one that computes them anew.
template <Scalar T>
class FixedStepFlow {
 public:
  FixedStepFlow(const Inertia<T>& inertia, const Vector<T>& momentum, const T& h)
      : exact_(inertia), h_(h), size2_(dot(momentum, momentum)) {
    const T angle2 = exact_.short_flow().square_angle(size2_, h);
    if (!(size2_ > T(0)) || !(angle2 <= exact_.square_angle_limit())) return;
    short_ = true;
    scale_ = exact_.short_flow().scale(momentum, size2_, h);
    const auto [p, r] = ShortFlow<T>::square_sines(scale_, momentum, Vector<T>{});
    c_ = Followed(p);
    e_ = Followed(r);
    half_inverse_ = T(0.5) / size2_;
  }

  template <class M>
  void step(M& motion) const {
    if (!short_) return exact_.step(motion, h_);
    const Vector<T> m = motion.momentum();
    const auto [p, r] = ShortFlow<T>::square_sines(scale_, m, motion.momentum_error());
    exact_.short_flow().move(motion, m, scale_, c_(p), e_(r), size2_, half_inverse_, h_);
  }

 private:
  /// 1 - sqrt(1 - p) next to a given p.
  class Followed {
   public:
    Followed() = default;
    explicit Followed(const ErrorFree<T>& p)
        : p_(p), value_(ShortFlow<T>::versine(p)), slope_(T(0.5) / (T(1) - value_.value)) {}
    ErrorFree<T> operator()(const ErrorFree<T>& p) const {
      return {value_.value, value_.error + slope_ * ((p.value - p_.value) + (p.error - p_.error))};
    }

   private:
    ErrorFree<T> p_{}, value_{};
    T slope_{};
  };

  Exact<T> exact_;
  T h_;
  T size2_;
  bool short_ = false;
  typename ShortFlow<T>::Scale scale_{};
  Followed c_, e_;
  T half_inverse_{};
};

/// A body that rotates freely, in steps of one length: about three quarters of the cost of
/// FreeRotor<Exact<T>>.
template <Scalar T, Summation summation = Summation::compensated>
class FixedStepRotor : public Rotor<T, summation> {
 public:
  FixedStepRotor(const Body<T>& body, const State<T>& initial, const T& h)
      : Rotor<T, summation>(body, initial),
        flow_(body.inertia(), this->motion().momentum(), this->inner_time(h)),
        moves_(this->moves(this->inner_time(h))) {}

  void steps(std::int64_t count) {
    if (moves_) this->repeat(count, [&](auto& motion) { flow_.step(motion); });
  }

 private:
  FixedStepFlow<T> flow_;
  bool moves_;
};

}  // namespace polhode
