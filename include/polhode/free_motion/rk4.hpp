// The classical Runge-Kutta method of order four: the yardstick that is not made for rigid bodies.
#pragma once

#include "polhode/free_motion/method.hpp"

namespace POLHODE_CORE {

template <Scalar T>
class RungeKutta4 {
 public:
  using Value = T;
  using Options = NoOptions;
  static constexpr MethodInfo info{.name = "rk4",
                                   .summary = "classical Runge-Kutta method of order 4",
                                   .order = 4,
                                   .increments = true,
                                   .keeps_energy = false,
                                   .keeps_spatial_momentum = false,
                                   .reversible = false};

  explicit RungeKutta4(const Inertia<T>& inertia, const Options& = {})
      : inverse_(convert<T>(inertia.inverse)) {}

  template <class M>
  void step(M& motion, const T& h) const {
    step(motion, h, [](const Quaternion<T>&, double) { return Vector<T>{}; });
  }

  /// Under a torque: torque(attitude, c) is that at the fraction c of the step.
  template <class M, class Torque>
  requires std::invocable < Torque&, const Quaternion<T>
  &, double > void step(M& motion, const T& h, Torque&& torque) const {
    const auto rate = [&](const State<T>& y, double fraction) {
      const Vector<T> w = times(inverse_, y.momentum);
      return State<T>{cross(y.momentum, w) + torque(y.attitude, fraction),
                      T(0.5) * times_vector(y.attitude, w)};
    };
    step_by(motion, h, rate);
  }

  /// Under anything: rate(state, c) is that of the state at the fraction c of the step.
  template <class M, class Rate>
  static void step_by(M& motion, const T& h, Rate&& rate) {
    const State<T> y{motion.momentum(), motion.attitude()};
    const State<T> k1 = rate(y, 0.0);
    const State<T> k2 = rate(moved(y, h / T(2), k1), 0.5);
    const State<T> k3 = rate(moved(y, h / T(2), k2), 0.5);
    const State<T> k4 = rate(moved(y, h, k3), 1.0);
    const T sixth = h / T(6);
    motion.add_momentum(sixth * ((k1.momentum + k4.momentum) + T(2) * (k2.momentum + k3.momentum)));
    motion.add_attitude(sixth * ((k1.attitude + k4.attitude) + T(2) * (k2.attitude + k3.attitude)));
  }

 private:
  static State<T> moved(const State<T>& y, const T& h, const State<T>& k) {
    return {y.momentum + h * k.momentum, y.attitude + h * k.attitude};
  }

  Vector<T> inverse_;
};

}  // namespace POLHODE_CORE

namespace polhode::methods {
using core::RungeKutta4;
}  // namespace polhode::methods
