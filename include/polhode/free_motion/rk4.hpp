// The classical Runge-Kutta method of order four: the yardstick that is not made for rigid bodies.
#pragma once

#include "polhode/free_motion/method.hpp"

namespace polhode {

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
    const State<T> y{motion.momentum(), motion.attitude()};
    const State<T> k1 = rate(y);
    const State<T> k2 = rate(moved(y, h / T(2), k1));
    const State<T> k3 = rate(moved(y, h / T(2), k2));
    const State<T> k4 = rate(moved(y, h, k3));
    const T sixth = h / T(6);
    motion.add_momentum(sixth * ((k1.momentum + k4.momentum) + T(2) * (k2.momentum + k3.momentum)));
    motion.add_attitude(sixth * ((k1.attitude + k4.attitude) + T(2) * (k2.attitude + k3.attitude)));
  }

 private:
  State<T> rate(const State<T>& y) const {
    const Vector<T> w = times(inverse_, y.momentum);
    return {cross(y.momentum, w), T(0.5) * times_vector(y.attitude, w)};
  }
  static State<T> moved(const State<T>& y, const T& h, const State<T>& k) {
    return {y.momentum + h * k.momentum, y.attitude + h * k.attitude};
  }

  Vector<T> inverse_;
};

}  // namespace polhode
