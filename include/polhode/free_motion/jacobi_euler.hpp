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

namespace POLHODE_CORE {

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

/// Algorithm 3.1 [Vil08]: the standard implementation, with constants of the type C and all products with them in it. The elliptic
/// functions are those of T.
template <Scalar T, Scalar C>
class StandardJacobiWith {
 public:
  explicit StandardJacobiWith(const Inertia<T>& inertia) : i_(convert<C>(inertia.moments)) {
    const C gap = i_[2] - i_[0], gap1 = i_[1] - i_[0], gap3 = i_[2] - i_[1];
    const C product = i_[0] * i_[1] * i_[2];
    b1_ = sqrt(i_[0] / gap);
    b3_ = sqrt(i_[2] / gap);
    first_ = {sqrt(i_[1] / gap3), gap1 / gap3, sqrt(gap3 / product)};
    second_ = {sqrt(i_[1] / gap1), gap3 / gap1, sqrt(gap1 / product)};
    const C least = C(detail::cancelled) * i_[2];
    nearly_symmetric_ = !(gap1 > least) || !(gap3 > least);
  }

  /// Nothing if the formulas cancel.
  std::optional<EulerStep<T>> operator()(const Vector<T>& momentum, const T& h) const {
    const Vector<C> y = convert<C>(momentum);
    const C h2 = y[0] * y[0] / i_[0] + y[1] * y[1] / i_[1] + y[2] * y[2] / i_[2];  // 2 H(y)
    const C c2 = y[0] * y[0] + y[1] * y[1] + y[2] * y[2];                          // 2 C(y)
    const C a1_squared = h2 * i_[2] - c2, a3_squared = c2 - h2 * i_[0];
    const C least = C(detail::cancelled) * c2;
    if (!(a1_squared > least) || !(a3_squared > least) || nearly_symmetric_) return std::nullopt;
    const C a1 = sqrt(a1_squared), a3 = sqrt(a3_squared);
    if ((i_[1] - i_[0]) * (a1 * a1) <= (i_[2] - i_[1]) * (a3 * a3)) {
      const C k2 = first_.b0 * (a1 * a1) / (a3 * a3);
      if (C(1) - k2 < C(detail::cancelled)) return std::nullopt;
      const C delta = sign_of(y[2]);
      const Phase f = phase(y[1] * b1_, y[0] * first_.b2, k2, C(h) * delta * first_.rate * a3);
      return EulerStep<T>{
          {{rounded(b1_ * a1 * f.cn), rounded(first_.b2 * a1 * f.sn), rounded(b3_ * a3 * delta * f.dn)}},
          f.winding};
    }
    const C k2 = second_.b0 * (a3 * a3) / (a1 * a1);
    if (C(1) - k2 < C(detail::cancelled)) return std::nullopt;
    const C delta = sign_of(y[0]);
    const Phase f = phase(y[1] * b3_, y[2] * second_.b2, k2, C(h) * delta * second_.rate * a1);
    return EulerStep<T>{
        {{rounded(b1_ * a1 * delta * f.dn), rounded(second_.b2 * a3 * f.sn), rounded(b3_ * a3 * f.cn)}},
        f.winding};
  }

 private:
  /// The constants of a regime: circulation about axis 3 in the first one, about axis 1 in the second.
  struct Regime {
    C b2, b0, rate;
  };
  struct Phase {
    C sn, cn, dn;
    T winding;
  };

  static T rounded(const C& x) { return static_cast<T>(x); }

  /// [Vil08 (3)] at u + du, where u is the phase with sn : cn = s : c.
  static Phase phase(const C& wide_s, const C& wide_c, const C& k2, const C& du) {
    const T s = rounded(wide_s), c = rounded(wide_c), m = rounded(k2);
    const T size = sqrt(s * s + c * c);
    const T sn = s / size, cn = c / size;
    const auto f = advance_phase(sn, cn, T(sqrt(T(1) - m * sn * sn)), rounded(du),
                                 elliptic::Modulus<T>{m, rounded(C(1) - k2)});
    return {C(f.sn), C(f.cn), sqrt(C(1) - k2 * C(f.sn) * C(f.sn)), f.winding};
  }

  Vector<C> i_;
  C b1_, b3_;
  Regime first_, second_;
  bool nearly_symmetric_;
};

template <Scalar T>
class StandardJacobi : public StandardJacobiWith<T, T> {
 public:
  static constexpr std::string_view name = "jacobi-standard";
  static constexpr std::string_view summary =
      "Jacobi's elliptic functions, Algorithm 3.1 of Vilmart (round-off drifts)";
  using Quadruple = StandardJacobiWith<T, Wide<T>>;
  using StandardJacobiWith<T, T>::StandardJacobiWith;
};

/// Algorithm 4.1 [Vil08]: two constants, c1 + c2 = 1 to the bit, and the third component from the invariant.
template <Scalar T, Scalar C>
class ReducedJacobiWith {
 public:
  explicit ReducedJacobiWith(const Inertia<T>& inertia) {
    const Vector<C> i = convert<C>(inertia.moments);
    c1_ = i[0] * (i[2] - i[1]) / (i[1] * (i[2] - i[0]));
    c2_ = C(1) - c1_;
    c1_ = C(1) - c2_;
    lambda3_ = sqrt((i[2] - i[1]) * (i[2] - i[0]) / (i[0] * i[1])) / i[2];
    lambda1_ = sqrt((i[1] - i[0]) * (i[2] - i[0]) / (i[2] * i[1])) / i[0];
  }

  std::optional<EulerStep<T>> operator()(const Vector<T>& momentum, const T& h) const {
    const Vector<C> y = convert<C>(momentum);
    const C d1 = y[0] * y[0] + c1_ * y[1] * y[1];  // squares of the paper's d1 and d3
    const C d3 = c2_ * y[1] * y[1] + y[2] * y[2];
    if (c2_ * d1 <= c1_ * d3) return advance<0, 2>(y, d1, d3, c1_, c2_, lambda3_ * C(h));
    return advance<2, 0>(y, d3, d1, c2_, c1_, lambda1_ * C(h));
  }

 private:
  static T rounded(const C& x) { return static_cast<T>(x); }

  /// Component x goes as cn; z is the one about which the momentum circulates.
  template <std::size_t x, std::size_t z>
  static std::optional<EulerStep<T>> advance(const Vector<C>& y, const C& dx, const C& dz, const C& cx,
                                             const C& cz, const C& lambda_h) {
    const C k2 = (cz * dx) / (cx * dz);
    if (!(dx > C(0))) return std::nullopt;  // the momentum rests
    for (const C& difference : {C(C(1) - k2), cx, cz})
      if (!(difference > C(detail::cancelled))) return std::nullopt;
    const C d2 = sqrt(y[x] * y[x] / cx + y[1] * y[1]);
    const C delta = sign_of(y[z]);
    const C root_x = sqrt(dx), root_z = sqrt(dz);
    const auto f = advance_phase(rounded(y[1] / d2), rounded(y[x] / root_x), rounded(abs(y[z]) / root_z),
                                 rounded(delta * lambda_h * root_z),
                                 elliptic::Modulus<T>{rounded(k2), rounded(C(1) - k2)});
    EulerStep<T> step;
    step.momentum[x] = rounded(root_x * C(f.cn));
    step.momentum[1] = rounded(d2 * C(f.sn));
    const C second(step.momentum[1]);
    step.momentum[z] = rounded(delta * sqrt(dz - cz * second * second));
    step.winding = f.winding;
    return step;
  }

  C c1_, c2_;
  C lambda1_, lambda3_;
};

template <Scalar T>
class ReducedJacobi : public ReducedJacobiWith<T, T> {
 public:
  static constexpr std::string_view name = "jacobi-reduced";
  static constexpr std::string_view summary =
      "Jacobi's elliptic functions, Algorithm 4.1 of Vilmart (random walk)";
  using Quadruple = ReducedJacobiWith<T, Wide<T>>;
  using ReducedJacobiWith<T, T>::ReducedJacobiWith;
};

/// Options of the algorithms that have constants of the body.
struct JacobiOptions {
  /// The constants in twice the precision of the scalar, and so all products with them: the "first idea" of [Vil08 section 3.1]. The
  /// elliptic functions and the state keep the scalar's precision.
  bool quadruple_constants = false;
};

namespace detail {
/// The options of an algorithm for the momentum, as a base of its method.
template <class Algorithm>
struct JacobiOptionsOf {
  using Options = NoOptions;
  using Quadruple = Algorithm;
};
template <class Algorithm>
requires requires { typename Algorithm::Quadruple; }
struct JacobiOptionsOf<Algorithm> {
  using Options = JacobiOptions;
  using Quadruple = typename Algorithm::Quadruple;
  static constexpr std::array<OptionEntry<JacobiOptions>, 1> option_list{
      {{{"quadruple_constants", "1: constants, and products with them, in quadruple precision", 0, 1, 0},
        [](JacobiOptions& options, int value) { options.quadruple_constants = value != 0; }}}};
};
}  // namespace detail

/// One of these algorithms for the momentum, the attitude as in frb-quaternion.
template <Scalar T, template <class> class Algorithm>
class JacobiEuler : public detail::JacobiOptionsOf<Algorithm<T>> {
  using Choice = detail::JacobiOptionsOf<Algorithm<T>>;

 public:
  using Value = T;
  using Options = typename Choice::Options;
  static constexpr MethodInfo info{.name = Algorithm<T>::name, .summary = Algorithm<T>::summary};
  /// Whether the algorithm keeps constants of the motion.
  static constexpr bool keeps = requires(const Algorithm<T> a, Vector<T> y, T h, MethodMemory<T> memory) {
    a(y, h, memory);
  };
  /// Whether its constants may be in quadruple precision.
  static constexpr bool chooses = std::same_as<Options, JacobiOptions>;

  explicit JacobiEuler(const Inertia<T>& inertia, const Options& options = {})
      : inertia_(inertia), euler_(inertia), wide_(inertia), substitute_(inertia) {
    if constexpr (chooses) quadruple_ = options.quadruple_constants;
  }

  template <class M>
  void step(M& motion, const T& h) const {
    if constexpr (keeps) {
      MethodMemory<T> none{};
      step(motion, h, none);
    } else {
      move(motion, h, momentum_after(motion.momentum(), h));
    }
  }
  template <class M>
  void step(M& motion, const T& h, MethodMemory<T>& memory) const requires keeps {
    move(motion, h, euler_(motion.momentum(), h, memory));
  }

 private:
  std::optional<EulerStep<T>> momentum_after(const Vector<T>& m, const T& h) const {
    if constexpr (chooses)
      if (quadruple_) return wide_(m, h);
    return euler_(m, h);
  }

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
  typename Choice::Quadruple wide_;
  bool quadruple_ = false;
  FrbQuaternion<T> substitute_;
};

template <Scalar T>
using JacobiStandard = JacobiEuler<T, StandardJacobi>;
template <Scalar T>
using JacobiReduced = JacobiEuler<T, ReducedJacobi>;

}  // namespace POLHODE_CORE

namespace polhode::methods {
using core::JacobiOptions;
using core::JacobiReduced;
using core::JacobiStandard;
}  // namespace polhode::methods
