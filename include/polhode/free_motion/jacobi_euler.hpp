// Euler's equations by Jacobi's elliptic functions as [Vil08] states them: Algorithm 3.1, whose round-off drifts, and
// Algorithm 4.1, whose round-off is a random walk.
//
// The subject of that paper is the rounding of these very formulas, so they are kept as printed, with their
// cancellations; the attitude is carried along as in frb-quaternion. The second elliptic regime, "similar formulas"
// in the paper, is the first with the axes 1 and 3 exchanged. Where a difference has lost half of its digits (next to
// an axis, next to the separatrix, for nearly symmetric bodies), which the paper excludes, the step is frb-quaternion's.
#pragma once

#include <optional>

#include "polhode/free_motion/frb.hpp"

namespace polhode::core {

namespace detail {
/// A quantity of size one that came out as less than this by a difference has lost too many of its digits.
inline constexpr double cancelled = 1e-4;
}  // namespace detail

/// The momentum after a step, and the turns of the amplitude on the way.
template <Scalar T>
struct EulerStep {
  Vector<T> momentum;
  T winding;
};

/// Algorithm 3.1 [Vil08]: the standard implementation.
template <Scalar T>
class StandardJacobi {
 public:
  static constexpr std::string_view name = "jacobi-standard";
  static constexpr std::string_view summary =
      "Jacobi's elliptic functions, Algorithm 3.1 of Vilmart (round-off drifts)";

  explicit StandardJacobi(const Inertia<T>& inertia) : i_(inertia.moments) {}

  /// Nothing if the formulas cancel.
  std::optional<EulerStep<T>> operator()(const Vector<T>& y, const T& h) const {
    const T h2 = y[0] * y[0] / i_[0] + y[1] * y[1] / i_[1] + y[2] * y[2] / i_[2];  // 2 H(y)
    const T c2 = y[0] * y[0] + y[1] * y[1] + y[2] * y[2];                          // 2 C(y)
    const T a1_squared = h2 * i_[2] - c2, a3_squared = c2 - h2 * i_[0];
    const T least = T(detail::cancelled) * c2;
    if (!(a1_squared > least) || !(a3_squared > least)) return std::nullopt;
    if (!(i_[1] - i_[0] > T(detail::cancelled) * i_[2]) || !(i_[2] - i_[1] > T(detail::cancelled) * i_[2]))
      return std::nullopt;
    const T a1 = sqrt(a1_squared), a3 = sqrt(a3_squared);
    const T b1 = sqrt(i_[0] / (i_[2] - i_[0])), b3 = sqrt(i_[2] / (i_[2] - i_[0]));
    const T product = i_[0] * i_[1] * i_[2];
    if ((i_[1] - i_[0]) * (a1 * a1) <= (i_[2] - i_[1]) * (a3 * a3)) {
      const T b2 = sqrt(i_[1] / (i_[2] - i_[1]));
      const T k2 = (i_[1] - i_[0]) / (i_[2] - i_[1]) * (a1 * a1) / (a3 * a3);
      if (T(1) - k2 < T(detail::cancelled)) return std::nullopt;
      const T delta = sign_of(y[2]);
      const auto f = phase(y[1] * b1, y[0] * b2, k2, T(h * delta * sqrt((i_[2] - i_[1]) / product) * a3));
      return EulerStep<T>{{{b1 * a1 * f.cn, b2 * a1 * f.sn, b3 * a3 * delta * f.dn}}, f.winding};
    }
    const T b2 = sqrt(i_[1] / (i_[1] - i_[0]));
    const T k2 = (i_[2] - i_[1]) / (i_[1] - i_[0]) * (a3 * a3) / (a1 * a1);
    if (T(1) - k2 < T(detail::cancelled)) return std::nullopt;
    const T delta = sign_of(y[0]);
    const auto f = phase(y[1] * b3, y[2] * b2, k2, T(h * delta * sqrt((i_[1] - i_[0]) / product) * a1));
    return EulerStep<T>{{{b1 * a1 * delta * f.dn, b2 * a3 * f.sn, b3 * a3 * f.cn}}, f.winding};
  }

 private:
  /// [Vil08 (3)] at u + du, where u is the phase with sn : cn = s : c.
  static PhaseStep<T> phase(const T& s, const T& c, const T& k2, const T& du) {
    const T size = sqrt(s * s + c * c);
    const T sn = s / size, cn = c / size;
    auto f = advance_phase(sn, cn, T(sqrt(T(1) - k2 * sn * sn)), du, elliptic::Modulus<T>{k2, T(1) - k2});
    f.dn = sqrt(T(1) - k2 * f.sn * f.sn);
    return f;
  }

  Vector<T> i_;
};

/// Algorithm 4.1 [Vil08]: two constants, c1 + c2 = 1 to the bit, and the third component from the invariant.
template <Scalar T>
class ReducedJacobi {
 public:
  static constexpr std::string_view name = "jacobi-reduced";
  static constexpr std::string_view summary =
      "Jacobi's elliptic functions, Algorithm 4.1 of Vilmart (random walk)";

  explicit ReducedJacobi(const Inertia<T>& inertia) {
    const Vector<T>& i = inertia.moments;
    c1_ = i[0] * (i[2] - i[1]) / (i[1] * (i[2] - i[0]));
    c2_ = T(1) - c1_;
    c1_ = T(1) - c2_;
    lambda3_ = sqrt((i[2] - i[1]) * (i[2] - i[0]) / (i[0] * i[1])) / i[2];
    lambda1_ = sqrt((i[1] - i[0]) * (i[2] - i[0]) / (i[2] * i[1])) / i[0];
  }

  std::optional<EulerStep<T>> operator()(const Vector<T>& y, const T& h) const {
    const T d1 = y[0] * y[0] + c1_ * y[1] * y[1];  // squares of the paper's d1 and d3
    const T d3 = c2_ * y[1] * y[1] + y[2] * y[2];
    if (c2_ * d1 <= c1_ * d3) return advance<0, 2>(y, d1, d3, c1_, c2_, lambda3_ * h);
    return advance<2, 0>(y, d3, d1, c2_, c1_, lambda1_ * h);
  }

 private:
  /// Component x goes as cn; z is the one about which the momentum circulates.
  template <std::size_t x, std::size_t z>
  static std::optional<EulerStep<T>> advance(const Vector<T>& y, const T& dx, const T& dz, const T& cx,
                                             const T& cz, const T& lambda_h) {
    const T k2 = (cz * dx) / (cx * dz);
    if (!(dx > T(0))) return std::nullopt;  // the momentum rests
    for (const T& difference : {T(T(1) - k2), cx, cz})
      if (!(difference > T(detail::cancelled))) return std::nullopt;
    const T d2 = sqrt(y[x] * y[x] / cx + y[1] * y[1]);
    const T delta = sign_of(y[z]);
    const T root_x = sqrt(dx), root_z = sqrt(dz);
    const auto f = advance_phase(T(y[1] / d2), T(y[x] / root_x), T(abs(y[z]) / root_z),
                                 T(delta * lambda_h * root_z), elliptic::Modulus<T>{k2, T(1) - k2});
    EulerStep<T> step;
    step.momentum[x] = root_x * f.cn;
    step.momentum[1] = d2 * f.sn;
    step.momentum[z] = delta * sqrt(dz - cz * step.momentum[1] * step.momentum[1]);
    step.winding = f.winding;
    return step;
  }

  T c1_, c2_;
  T lambda1_, lambda3_;
};

/// One of these algorithms for the momentum, the attitude as in frb-quaternion.
template <Scalar T, template <class> class Algorithm>
class JacobiEuler {
 public:
  using Value = T;
  using Options = NoOptions;
  static constexpr MethodInfo info{.name = Algorithm<T>::name, .summary = Algorithm<T>::summary};
  /// Whether the algorithm keeps constants of the motion.
  static constexpr bool keeps = requires(const Algorithm<T> a, Vector<T> y, T h, MethodMemory<T> memory) {
    a(y, h, memory);
  };

  explicit JacobiEuler(const Inertia<T>& inertia, const Options& = {})
      : inertia_(inertia), euler_(inertia), substitute_(inertia) {}

  template <class M>
  void step(M& motion, const T& h) const {
    if constexpr (keeps) {
      MethodMemory<T> none{};
      step(motion, h, none);
    } else {
      move(motion, h, euler_(motion.momentum(), h));
    }
  }
  template <class M>
  void step(M& motion, const T& h, MethodMemory<T>& memory) const requires keeps {
    move(motion, h, euler_(motion.momentum(), h, memory));
  }

 private:
  template <class M>
  void move(M& motion, const T& h, const std::optional<EulerStep<T>>& next) const {
    if (!next) return substitute_.step(motion, h);
    const Vector<T> m = motion.momentum();
    const T size = norm(m);
    const AxisRenaming<T> axes(inertia_, m);
    const RenamedBody<T> body(axes, inertia_);
    const Vector<T> start = axes.inward((T(1) / size) * m);
    const Vector<T> end = axes.inward((T(1) / norm(next->momentum)) * next->momentum);
    const Arc<T> arc(body, JacobiSolution<T>(body, start), start, end, h * size,
                     axes.exchanged() == axes.flipped() ? next->winding : -next->winding);
    const Quaternion<T> r =
        arc_rotation<Representation::quaternion>(Frame::automatic, {}, body, arc, start, end);
    motion.assign(next->momentum,
                  normalized(motion.attitude() * Quaternion<T>(r[0], axes.outward(r.vector()))));
  }

  Inertia<T> inertia_;
  Algorithm<T> euler_;
  FrbQuaternion<T> substitute_;
};

template <Scalar T>
using JacobiStandard = JacobiEuler<T, StandardJacobi>;
template <Scalar T>
using JacobiReduced = JacobiEuler<T, ReducedJacobi>;

}  // namespace polhode::core

namespace polhode::methods {
using core::JacobiReduced;
using core::JacobiStandard;
}  // namespace polhode::methods
