// The preprocessed discrete Moser-Veselov algorithm of orders 2 to 10 [HV06, Vil08 section 5].
#pragma once

#include "polhode/free_motion/method.hpp"
#include "polhode/free_motion/modified_inertia.hpp"

namespace polhode::core {

namespace detail {
constexpr std::string_view moser_veselov_name(int order) {
  switch (order) {
    case 2:
      return "dmv2";
    case 4:
      return "dmv4";
    case 6:
      return "dmv6";
    case 8:
      return "dmv8";
    default:
      return "dmv10";
  }
}
}  // namespace detail

/// The only constants that enter a step are the three modified moments, recomputed from the invariants of the
/// current momentum (as a torque would require): whatever their rounding, the step is that of a neighbouring body.
template <Scalar T, int order_>
class MoserVeselov {
 public:
  static_assert(order_ >= 2 && order_ <= 10 && order_ % 2 == 0);
  using Value = T;
  using Options = NoOptions;
  static constexpr MethodInfo info{.name = detail::moser_veselov_name(order_),
                                   .summary = "preprocessed discrete Moser-Veselov algorithm, quaternions",
                                   .order = order_,
                                   .increments = true};

  explicit MoserVeselov(const Inertia<T>& inertia, const Options& = {})
      : inverse_(convert<T>(inertia.inverse)), series_(inertia) {}

  template <class M>
  void step(M& motion, const T& h) const {
    const Vector<T> m = motion.momentum();
    const T h2 = h * h;
    const T n = h2 * dot(m, m) / T(2);
    const T e = h2 * dot(m, times(inverse_, m)) / T(2);
    const auto [s, delta] = series_.template operator()<order_ / 2 - 1>(n, e);
    const T i1 = T(1) / (s * inverse_[0] + delta);
    const T i2 = T(1) / (s * inverse_[1] + delta);
    const T i3 = T(1) / (s * inverse_[2] + delta);
    const T half = h / T(2);
    const Vector<T> linear{{half * m[0] / i1, half * m[1] / i2, half * m[2] / i3}};
    const Vector<T> coupling{{(i2 - i3) / i1, (i3 - i1) / i2, (i1 - i2) / i3}};
    const Vector<T> c = solve(linear, coupling);
    const T factor = T(4) / (h * (T(1) + dot(c, c)));
    const Vector<T> increment{{factor * ((i2 - i3) * c[1] * c[2]), factor * ((i3 - i1) * c[2] * c[0]),
                               factor * ((i1 - i2) * c[0] * c[1])}};
    motion.add_momentum(increment);
    motion.add_attitude(times_vector(motion.attitude(), c));
  }

 private:
  /// The vector of the Cayley transform, c = (1 + |c|^2) linear + coupling (c2 c3, c3 c1, c1 c2), by fixed-point
  /// iteration until it converges: the increment is zero, or no longer decreases because it is round-off
  /// [Vil08 section 5]. (There the test is for growth; equality is included here because two
  /// neighbouring numbers can alternate for ever.)
  static Vector<T> solve(const Vector<T>& linear, const Vector<T>& coupling) {
    Vector<T> c = linear;
    T previous(std::numeric_limits<double>::max());
    for (int i = 0; i < 200; ++i) {  // beyond the step sizes where it contracts it would not end
      const T a = T(1) + dot(c, c);
      const Vector<T> next{{a * linear[0] + coupling[0] * (c[1] * c[2]),
                            a * linear[1] + coupling[1] * (c[2] * c[0]),
                            a * linear[2] + coupling[2] * (c[0] * c[1])}};
      const T increment = abs(next[0] - c[0]) + abs(next[1] - c[1]) + abs(next[2] - c[2]);
      c = next;
      if (increment == T(0) || !(increment < previous)) {
        // Where the iteration does not contract there is no step: a number that looks like one would be worse.
        const T size = abs(c[0]) + abs(c[1]) + abs(c[2]);
        if (increment <= T(1e-6) * size) return c;
        break;
      }
      previous = increment;
    }
    const T nothing(std::numeric_limits<double>::quiet_NaN());
    return {{nothing, nothing, nothing}};
  }

  Vector<T> inverse_;
  ModifiedInertiaSeries<T> series_;
};

}  // namespace polhode::core

namespace polhode::methods {
using core::MoserVeselov;
}  // namespace polhode::methods
