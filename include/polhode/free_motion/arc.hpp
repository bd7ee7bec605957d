// A stretch of free motion in Jacobi's elliptic functions, and the angle by which a frame turns along it.
#pragma once

#include <array>

#include "polhode/arithmetic/gauss_legendre.hpp"
#include "polhode/arithmetic/hermite_rule.hpp"
#include "polhode/elliptic/abel.hpp"
#include "polhode/elliptic/jacobi.hpp"
#include "polhode/elliptic/legendre.hpp"
#include "polhode/free_motion/axis_renaming.hpp"

namespace POLHODE_CORE {

/// Jacobi's solution of Euler's equations through a unit momentum, about the renamed axes of AxisRenaming
/// [CZ08 section 1.2]:
///   m1 = x0 cn(u),  m2 = y0 sn(u),  m3 = z0 dn(u),  u = lambda (t - t0).
/// The differences 1 - 2 T Ij of the paper, which cancel, appear as J1 and J3, which do not.
template <Scalar T>
struct JacobiSolution {
  T j1, j3;
  T x0, y0, z0;
  T lambda;
  elliptic::Modulus<T> modulus;

  JacobiSolution(const RenamedBody<T>& body, const Vector<T>& m)
      : j1(body.a2 * square(m[0]) + body.a1 * square(m[1])),
        j3(body.a2 * square(m[2]) + body.a3 * square(m[1])),
        x0(sqrt(j1 / body.a2)),
        y0(sqrt(j1 / body.a1)),
        z0(sqrt(j3 / body.a2)),
        lambda(sign_of(body.a2) * sqrt(body.a1 * j3)) {
    const T whole = body.a1 * j3;
    modulus = {(body.a3 * j1) / whole, body.a2 * (body.a1 * square(m[2]) - body.a3 * square(m[0])) / whole};
  }

  /// sn, cn and dn at the phase of m.
  elliptic::JacobiFunctions<T> phase(const Vector<T>& m) const { return {m[1] / y0, m[0] / x0, m[2] / z0}; }
};

/// Jacobi's functions after a step of the argument, and how often the amplitude went round on the way.
template <Scalar T>
struct PhaseStep {
  T sn, cn, dn;
  T winding;  ///< whole turns beyond the smaller arc
};

/// The phase (sn, cn, dn) advanced by du.
template <Scalar T>
PhaseStep<T> advance_phase(const T& sn, const T& cn, const T& dn, const T& du,
                           const elliptic::Modulus<T>& modulus) {
  const T sign =
      cn < T(0) ? T(-1) : T(1);  // behind the quarter period: take the phase from half a period later
  const T u = elliptic::incomplete_first(sign * sn, sign * cn, dn) + du;
  const auto f = elliptic::jacobi(u, modulus);
  T winding(0);
  if (abs(du) > T(1.5)) {  // otherwise less than a quarter period, K >= pi/2
    const T turn = T(2) * pi<T>();
    const T principal = atan2(f.sn, f.cn);
    winding = floor((elliptic::am(u, modulus) - principal) / turn + T(0.5));
    const T arc = principal - atan2(sign * sn, sign * cn);
    if (arc > pi<T>()) winding += T(1);
    if (arc < -pi<T>()) winding -= T(1);
  }
  return {sign * f.sn, sign * f.cn, f.dn, winding};
}

/// How the integral of the third kind is computed: exactly, by Carlson, where both rules are empty.
template <Scalar T>
struct ThirdKindRule {
  static constexpr int most = 10;  ///< of the nodes, and of the Taylor coefficients at each end

  Quadrature<T> gauss;     ///< over the amplitude, Legendre's form [CZ08 (20)]
  HermiteRule<T> hermite;  ///< over the argument, as van Zon and Schofield do [CZ08 section 3.3]
};

/// The Taylor coefficients of 1/(1 - n sn^2 u) at a phase; nc = 1 - n. y = sn^2 obeys y'' = 2 - 4 (1 + k^2) y + 6 k^2 y^2.
template <Scalar T>
std::array<T, ThirdKindRule<T>::most> third_kind_series(const elliptic::JacobiFunctions<T>& f,
                                                        const elliptic::Modulus<T>& modulus, const T& n,
                                                        const T& nc, std::size_t count) {
  std::array<T, ThirdKindRule<T>::most> y{}, result{};
  y[0] = f.sn * f.sn;
  y[1] = T(2) * f.sn * f.cn * f.dn;
  const T linear = T(4) * (T(1) + modulus.squared), square_term = T(6) * modulus.squared;
  for (std::size_t j = 2; j < count; ++j) {
    T products(0);
    for (std::size_t i = 0; i + 2 <= j; ++i) products += y[i] * y[j - 2 - i];
    y[j] = ((j == 2 ? T(2) : T(0)) - linear * y[j - 2] + square_term * products) /
           T(static_cast<double>(j * (j - 1)));
  }
  result[0] = T(1) / (f.cn * f.cn + nc * y[0]);  // 1 - n sn^2 without cancellation
  for (std::size_t j = 1; j < count; ++j) {
    T products(0);
    for (std::size_t i = 1; i <= j; ++i) products += y[i] * result[j - i];
    result[j] = n * result[0] * products;
  }
  return result;
}

/// The stretch between two momenta of one solution.
template <Scalar T>
class Arc {
 public:
  /// `winding`: whole turns of the amplitude between start and end beyond the smaller arc.
  Arc(const RenamedBody<T>& body, const JacobiSolution<T>& solution, const Vector<T>& start,
      const Vector<T>& end, const T& time, const T& winding)
      : body_(body),
        solution_(solution),
        m0_(start),
        m1_(end),
        start_(solution.phase(start)),
        end_(solution.phase(end)),
        time_(time) {
    if (start_.cn <
        T(0)) {  // the origin of the amplitude moves by half a turn, so that it starts within a quarter
      for (auto* f : {&start_, &end_}) {
        f->sn = -f->sn;
        f->cn = -f->cn;
      }
    }
    phi0_ = atan2(start_.sn, start_.cn);
    phi1_ = atan2(end_.sn, end_.cn);
    const T arc = phi1_ - phi0_;
    T turns = winding;
    if (arc > pi<T>()) turns -= T(1);
    if (arc < -pi<T>()) turns += T(1);
    phi1_ += turns * (T(2) * pi<T>());
    // From the sign of cn, not from the angle: it decides also where the angle is a quarter turn to the last bit.
    half_turns_ = T(2) * turns;
    if (end_.cn < T(0)) half_turns_ += end_.sn < T(0) ? T(-1) : T(1);
  }

  /// The angle psi of the frame of smallest rotation to the third axis [CZ08 (16)].
  T smallest_rotation_angle(const ThirdKindRule<T>& rule) const {
    return azimuthal_angle(rule) - (azimuth(phi1_, end_) - azimuth(phi0_, start_));
  }

  /// That of the frame whose first axis is m x e3 [CZ08 section 1.4 (3)]; n = -a3/a1 here.
  T azimuthal_angle(const ThirdKindRule<T>& rule) const {
    if (slow()) return time_ * body_.inverse3 + short_arc();
    const T n = -body_.a3 / body_.a1;
    return time_ * body_.inverse3 + body_.a2 / solution_.lambda * third(rule, n, T(1) - n);
  }

  /// That of the frame whose first axis is the derivative of m [CZ08 (9)]; n = a3/J3 here, and the factor of the
  /// integral, printed as Delta2/I2, is 1/I2 - 2 T with its sign.
  T derivative_angle(const ThirdKindRule<T>& rule) const {
    const T n = body_.a3 / solution_.j3;
    const T gap = solution_.lambda * solution_.lambda * solution_.modulus.complement / body_.a2;  // 1/I2 - 2T
    const T rate = body_.inverse3 + solution_.j1;                                                 // 2T
    return time_ * rate + gap / solution_.lambda * third(rule, n, gap / solution_.j3);
  }

 private:
  /// The azimuth of the momentum about the third axis, continuous along the motion: near the amplitude.
  T azimuth(const T& phi, const elliptic::JacobiFunctions<T>& f) const {
    const T x = solution_.x0 * f.cn, y = solution_.y0 * f.sn;
    return phi + atan2(y * f.cn - x * f.sn, x * f.cn + y * f.sn);
  }

  /// A short arc of a slow oscillation, |lambda| << a2 (a nearly symmetric body, or the neighbourhood of the
  /// intermediate axis): there the difference of two integrals, times a2/lambda, would lose most digits.
  bool slow() const {
    const T du = solution_.lambda * time_;
    return T(8) * abs(solution_.lambda) < abs(body_.a2) &&
           du * du < T(elliptic::detail::abel_series_limit(std::numeric_limits<T>::digits));
  }

  /// a2 times the integral of dt/(1 - m3^2) (1 - m3^2 relative to its least value) by the addition theorem of the
  /// integral of the third kind: the one from zero, and an arctangent in the momenta at both ends.
  T short_arc() const {
    const elliptic::AbelModuli<T> moduli{body_.a1 * solution_.j3, body_.a3 * solution_.j1, T(0)};
    const auto [s, c, d] = elliptic::detail::abel_series<T>(moduli, time_);
    const T ns2 = body_.a3 * solution_.j3 * s * s;
    const T third = time_ - ns2 / T(3) * s * elliptic::rj(c * c, d * d, T(1), T(1) + ns2);
    const T factor = body_.a3 * s * m0_[1];
    return body_.a2 * third -
           atan2(factor * m1_[1], square(m1_[0]) + square(m1_[1]) - factor * m1_[0] * m1_[2]);
  }

  /// phi1 - phi0; a short one from the phases at both ends, which have its digits even where the angles have none of them.
  T amplitude_arc() const {
    const T arc = phi1_ - phi0_;
    if (abs(arc) > T(1)) return arc;
    return atan2(end_.sn * start_.cn - end_.cn * start_.sn, end_.cn * start_.cn + end_.sn * start_.sn);
  }

  /// Pi(phi1) - Pi(phi0) for the characteristic n; nc = 1 - n.
  T third(const ThirdKindRule<T>& rule, const T& n, const T& nc) const {
    if (!rule.hermite.weights.empty()) return third_by_hermite(rule.hermite, n, nc);
    if (!rule.gauss.nodes.empty()) {
      T sum(0);
      const T arc = amplitude_arc();
      const T unit =
          square(start_.cn) + nc * square(start_.sn);  // next to the middle axis the integrand may overflow
      for (const auto& node : rule.gauss.nodes) {
        // From the phase at the start, not from the angle: next to the middle axis cn is less than the angle's last digit.
        const auto [sd, cd] = sincos(node.position * arc);
        const T ss = square(start_.sn * cd + start_.cn * sd), cc = square(start_.cn * cd - start_.sn * sd);
        sum += node.weight * (unit / (cc + nc * ss)) * (arc / sqrt(cc + solution_.modulus.complement * ss));
      }
      return sum / unit;
    }
    T result = third_from_zero(n, nc, end_) - third_from_zero(n, nc, start_);
    if (!(half_turns_ == T(0))) result += T(2) * half_turns_ * complete(n, nc);
    return result;
  }

  T third_by_hermite(const HermiteRule<T>& rule, const T& n, const T& nc) const {
    const std::size_t count = rule.weights.size();
    const auto start = third_kind_series(start_, solution_.modulus, n, nc, count);
    const auto end = third_kind_series(end_, solution_.modulus, n, nc, count);
    const T du = solution_.lambda * time_;
    T sum(0);
    for (std::size_t j = count; j-- > 0;)
      sum = sum * du + rule.weights[j].value * (j % 2 == 0 ? start[j] + end[j] : start[j] - end[j]);
    return sum * du;
  }

  /// On the branch next to zero, whatever the sign of cn.
  static T third_from_zero(const T& n, const T& nc, const elliptic::JacobiFunctions<T>& f) {
    const T sn = f.cn < T(0) ? -f.sn : f.sn;
    const T cn = abs(f.cn);
    if (n < T(0)) return elliptic::incomplete_third(n, sn, cn, f.dn);
    const T cc = cn * cn, dd = f.dn * f.dn, ss = sn * sn;
    return sn * (elliptic::rf(cc, dd, T(1)) + n / T(3) * ss * elliptic::rj(cc, dd, T(1), cc + nc * ss));
  }

  T complete(const T& n, const T& nc) const {
    if (n < T(0)) return elliptic::complete_third(n, solution_.modulus);
    const T kc = solution_.modulus.complement;
    return elliptic::rf(T(0), kc, T(1)) + n / T(3) * elliptic::rj(T(0), kc, T(1), nc);
  }

  RenamedBody<T> body_;
  JacobiSolution<T> solution_;
  Vector<T> m0_, m1_;
  elliptic::JacobiFunctions<T> start_, end_;
  T phi0_, phi1_;
  T half_turns_;  // of the amplitude at the end, from the origin
  T time_;
};

}  // namespace POLHODE_CORE
