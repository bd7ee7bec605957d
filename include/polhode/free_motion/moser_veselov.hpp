// The preprocessed discrete Moser-Veselov algorithm of orders 2 to 10 [HV06, Vil08 section 5].
#pragma once

#include "polhode/free_motion/method.hpp"
#include "polhode/free_motion/modified_inertia.hpp"

namespace POLHODE_CORE {

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
/// current momentum (as a torque would require): whatever their rounding, the step is that of a neighbouring body. Symmetric
/// bodies drift all the same, by about 1e-21 a step of 0.01: there 1 + |c|^2 is one more constant (docs/open-questions.md).
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
    const Vector<T> inverse{{s * inverse_[0] + delta, s * inverse_[1] + delta, s * inverse_[2] + delta}};
    const Vector<T> gaps{{inverse[2] - inverse[1], inverse[0] - inverse[2], inverse[1] - inverse[0]}};
    const Vector<T> y = solve((h / T(2)) * m, inverse, gaps);
    const Vector<T> c = times(inverse, y);
    const Vector<T> increment = (T(4) / (h * (T(1) + dot(c, c)))) * times(gaps, products(y));
    motion.add_momentum(increment);
    motion.add_attitude(times_vector(motion.attitude(), c));
  }

 private:
  /// (y2 y3, y3 y1, y1 y2)
  static Vector<T> products(const Vector<T>& y) { return {{y[1] * y[2], y[2] * y[0], y[0] * y[1]}}; }

  /// The vector c of the Cayley transform [Vil08 section 5], as y_j = I_j c_j with the modified moments I:
  ///   y_j = (1 + |c|^2) h/2 m_j + (1/I_l - 1/I_k) y_k y_l.
  /// So the modified 1/I_j are the only constants. One more that is rounded by itself, such as (I_k - I_l)/I_j, would make the energy
  /// drift.
  ///
  /// By fixed-point iteration until it converges: the increment is zero, or no longer decreases because it is round-off. (In the paper
  /// the test is for growth; equality is included here because two neighbouring numbers can alternate for ever.)
  static Vector<T> solve(const Vector<T>& half, const Vector<T>& inverse, const Vector<T>& gaps) {
    Vector<T> y = half;
    T previous(std::numeric_limits<double>::max());
    for (int i = 0; i < 200; ++i) {  // beyond the step sizes where it contracts it would not end
      const Vector<T> c = times(inverse, y);
      const Vector<T> next = (T(1) + dot(c, c)) * half + times(gaps, products(y));
      const T increment = abs(next[0] - y[0]) + abs(next[1] - y[1]) + abs(next[2] - y[2]);
      y = next;
      if (increment == T(0) || !(increment < previous)) {
        // Where the iteration does not contract there is no step: a number that looks like one would be worse.
        if (increment <= T(1e-6) * (abs(y[0]) + abs(y[1]) + abs(y[2]))) return y;
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

}  // namespace POLHODE_CORE

namespace polhode::methods {
using core::MoserVeselov;
}  // namespace polhode::methods
