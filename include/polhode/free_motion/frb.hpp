// The free rigid body by Jacobi's elliptic functions, with matrices or quaternions: Algorithms 1 and 2 of [CZ08].
#pragma once

#include "polhode/error.hpp"
#include "polhode/free_motion/arc.hpp"
#include "polhode/free_motion/frames.hpp"
#include "polhode/free_motion/method.hpp"

namespace POLHODE_CORE {

struct FrbOptions {
  int quadrature = 0;  ///< nodes of the Gauss rule for the integral of the third kind; 0: exact, by Carlson
  Frame frame = Frame::automatic;
  int hermite =
      0;  ///< Taylor coefficients of that integral's integrand at each end, by Hermite's rule; 0: off
};

/// The options as scenario files have them.
inline constexpr std::array<OptionEntry<FrbOptions>, 3> frb_option_list{
    {{{"quadrature", "Gauss nodes of the third-kind integral; 0: exact", 0, 10, 0},
      [](FrbOptions& options, int value) { options.quadrature = value; }},
     {{"frame", "the frame of section 1.4 of the paper; 0: the method's own choice", 0, 3, 0},
      [](FrbOptions& options, int value) { options.frame = static_cast<Frame>(value); }},
     {{"hermite", "Taylor coefficients at each end for that integral, instead of nodes; 0: off", 0, 10, 0},
      [](FrbOptions& options, int value) { options.hermite = value; }}}};

enum class Representation { matrix, quaternion };

/// The angle of a frame along an arc.
template <Scalar T>
T arc_angle(Frame frame, const ThirdKindRule<T>& rule, const Arc<T>& arc) {
  return frame == Frame::smallest_rotation ? arc.smallest_rotation_angle(rule)
         : frame == Frame::derivative      ? arc.derivative_angle(rule)
                                           : arc.azimuthal_angle(rule);
}

/// The rotation of the body along an arc, as Q -> Q R with the matrix of [CZ08 (6)], in the renamed axes.
template <Scalar T>
Matrix<T> arc_matrix(Frame frame, const ThirdKindRule<T>& rule, const RenamedBody<T>& body, const Arc<T>& arc,
                     const Vector<T>& start, const Vector<T>& end) {
  if (frame == Frame::automatic) frame = Frame::derivative;
  const T psi = arc_angle(frame, rule, arc);
  const Matrix<T> p0 = frame_matrix(frame, body, start);
  const Matrix<T> p1 = frame_matrix(frame, body, end);
  const auto [s, c] = sincos(psi);
  const Matrix<T> turned{{c * p1[0] - s * p1[1], s * p1[0] + c * p1[1], p1[2]}};
  return transpose(p0) * turned;
}

/// The same as q -> q r.
template <Representation representation, Scalar T>
Quaternion<T> arc_rotation(Frame frame, const ThirdKindRule<T>& rule, const RenamedBody<T>& body,
                           const Arc<T>& arc, const Vector<T>& start, const Vector<T>& end) {
  if constexpr (representation == Representation::matrix) {
    return from_matrix(arc_matrix(frame, rule, body, arc, start, end));
  } else {
    if (frame == Frame::automatic) frame = Frame::smallest_rotation;
    const auto [s, c] = sincos(arc_angle(frame, rule, arc) / T(2));
    return conjugate(frame_quaternion(frame, body, start)) *
           (Quaternion<T>(c, T(0), T(0), s) * frame_quaternion(frame, body, end));
  }
}

/// True if the unit momentum does not move: spin about a principal axis, or about any axis of a spherical body or in the
/// plane of two equal moments. Components whose squares would lose digits to underflow count as zero.
template <Scalar T>
bool at_rest(const RenamedBody<T>& body, const Vector<T>& m) {
  const T none(1e-280);
  const T m11 = square(m[0]), m22 = square(m[1]), m33 = square(m[2]);
  return m11 + m22 < none || m11 + m33 < none || body.a2 * m11 + body.a1 * m22 == T(0) ||
         body.a1 * (body.a2 * m33 + body.a3 * m22) == T(0);
}

/// The rotation of a body whose momentum is at rest: about the momentum, at the rate 2T.
template <Scalar T>
Quaternion<T> steady_turn(const RenamedBody<T>& body, const Vector<T>& m, const T& time) {
  const auto [s, c] = sincos(time * (body.inverse3 + body.a2 * square(m[0]) + body.a1 * square(m[1])) / T(2));
  return Quaternion<T>(c, s * m);
}

/// A momentum, and the matrix of the rotation that led to it.
template <class T>
struct MatrixDisplacement {
  Vector<T> momentum;
  Matrix<T> rotation;
};

template <Scalar T, Representation representation>
class Frb {
 public:
  using Value = T;
  using Options = FrbOptions;
  static constexpr auto option_list = frb_option_list;
  static constexpr MethodInfo info{
      .name = representation == Representation::matrix ? "frb-matrix" : "frb-quaternion",
      .summary = representation == Representation::matrix
                     ? "elliptic functions and rotation matrices, Algorithm 1 of Celledoni and Zanna"
                     : "elliptic functions and quaternions, Algorithm 2 of Celledoni and Zanna"};

  /// Throws InputError unless the numbers of nodes and of Taylor coefficients are 0 to 10, and one of them is 0.
  explicit Frb(const Inertia<T>& inertia, const Options& options = {})
      : inertia_(inertia), rule_(rule_of(options)), frame_(options.frame) {}

  template <class M>
  void step(M& motion, const T& h) const {
    const Vector<T> m = motion.momentum();
    const auto [momentum, rotation] = displacement(m, h);
    motion.assign(momentum, normalized(motion.attitude() * rotation));
  }

  /// The new momentum and the rotation r, q -> q r.
  State<T> displacement(const Vector<T>& m, const T& h) const {
    State<T> result{m, Quaternion<T>()};
    move(
        m, h, result.momentum,
        [&](const AxisRenaming<T>& axes, const Quaternion<T>& r) {
          result.attitude = Quaternion<T>(r[0], axes.outward(r.vector()));
        },
        [&](const auto& body, const auto& arc, const auto& start, const auto& end) {
          return arc_rotation<representation>(frame_, rule_, body, arc, start, end);
        });
    return result;
  }

  /// The new momentum and the matrix of the rotation, Q -> Q R: Algorithm 1 for an attitude that is carried as a matrix.
  MatrixDisplacement<T> matrix_displacement(const Vector<T>& m, const T& h) const
      requires(representation == Representation::matrix) {
    MatrixDisplacement<T> result{m, Matrix<T>::identity()};
    move(
        m, h, result.momentum,
        [&](const AxisRenaming<T>& axes, const auto& r) {
          Matrix<T> rows;  // S^T R S, where the renaming S is a signed permutation, row by row
          if constexpr (std::same_as<std::remove_cvref_t<decltype(r)>, Quaternion<T>>) {
            rows = to_matrix(r);
          } else {
            rows = r;
          }
          for (auto& row : rows.rows) row = axes.outward(row);
          rows = transpose(rows);
          for (auto& row : rows.rows) row = axes.outward(row);
          result.rotation = transpose(rows);
        },
        [&](const auto& body, const auto& arc, const auto& start, const auto& end) {
          return arc_matrix(frame_, rule_, body, arc, start, end);
        });
    return result;
  }

 private:
  static ThirdKindRule<T> rule_of(const Options& options) {
    constexpr int most = ThirdKindRule<T>::most;
    if (options.quadrature < 0 || options.quadrature > most)
      throw InputError("the number of Gauss nodes must be 0 (exact) to 10");
    if (options.hermite < 0 || options.hermite > most)
      throw InputError("the number of Taylor coefficients of Hermite's rule must be 0 (off) to 10");
    if (options.quadrature > 0 && options.hermite > 0)
      throw InputError("quadrature and hermite are two rules for one integral: one of them must be 0");
    return {gauss_legendre<T>(options.quadrature), hermite_rule<T>(options.hermite)};
  }

  /// The motion in the renamed axes: set(axes, rotation) with rotation_of(body, arc, start, end), or with the turn of a body whose
  /// momentum is at rest. A momentum of zero sets nothing.
  template <class Set, class RotationOf>
  void move(const Vector<T>& m, const T& h, Vector<T>& momentum, Set&& set, RotationOf&& rotation_of) const {
    const T size = norm(m);
    if (size == T(0)) return;
    const AxisRenaming<T> axes(inertia_, m);
    const RenamedBody<T> body(axes, inertia_);
    const Vector<T> start = axes.inward((T(1) / size) * m);
    const T time = h * size;
    if (at_rest(body, start)) return set(axes, steady_turn(body, start, time));
    const JacobiSolution<T> solution(body, start);
    const auto phase = solution.phase(start);
    const auto [sn, cn, dn, winding] =
        advance_phase(phase.sn, phase.cn, phase.dn, solution.lambda * time, solution.modulus);
    const Vector<T> end{{solution.x0 * cn, solution.y0 * sn, solution.z0 * dn}};
    const Arc<T> arc(body, solution, start, end, time, winding);
    momentum = size * axes.outward(end);
    set(axes, rotation_of(body, arc, start, end));
  }

  Inertia<T> inertia_;
  ThirdKindRule<T> rule_;
  Frame frame_;
};

template <Scalar T>
using FrbMatrix = Frb<T, Representation::matrix>;
template <Scalar T>
using FrbQuaternion = Frb<T, Representation::quaternion>;

}  // namespace POLHODE_CORE

namespace polhode::methods {
using core::Frame;
using core::FrbMatrix;
using core::FrbOptions;
using core::FrbQuaternion;
}  // namespace polhode::methods
