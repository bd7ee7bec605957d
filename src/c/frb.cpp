#include "polhode/free_motion/frb.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "boundary.hpp"
#include "polhode/arithmetic/double_double.hpp"
#include "polhode/body/rotating_body.hpp"

using namespace polhode::c;

namespace {

/// A body and its method, as a step needs them.
template <class Method>
struct Prepared {
  std::array<double, 3> inertia;
  int nodes;
  polhode::Body<double> body;
  Method method;

  Prepared(const std::array<double, 3>& i, int n)
      : inertia(i),
        nodes(n),
        body(Vector<double>{i}),
        method(body.inertia(), {.quadrature = n, .frame = {}}) {}
};

/// The last one of this thread is kept: a program calls with the same body again and again, and ten Gauss nodes take ten times
/// as long as a step.
template <class Method>
const Prepared<Method>& prepared(const double* inertia, int nodes) {
  thread_local std::optional<Prepared<Method>> kept;
  if (!kept || kept->nodes != nodes || !std::equal(kept->inertia.begin(), kept->inertia.end(), inertia))
    kept.emplace(std::array<double, 3>{inertia[0], inertia[1], inertia[2]}, nodes);
  return *kept;
}

template <class Method>
State<double> stepped(const double* inertia, int nodes, const State<double>& s, double h) {
  const Prepared<Method>& p = prepared<Method>(inertia, nodes);
  RotatingBody<double, Summation::plain> rotor(p.body, s);
  rotor.advance_with(p.method, h, 1);
  return rotor.state();
}

Matrix<double> read_matrix(const double* columns) {
  Matrix<double> m;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      m[i][j] = columns[3 * j + i];
      require(std::isfinite(m[i][j]), "an entry of the attitude matrix is not a finite number");
    }
  }
  return m;
}

/// The product of a matrix and the rotation r, rounded once. A rotation matrix in double is too long or too short by what its
/// rounding makes it, and the same at every return of the momentum: the product of many would lose 2e-17 of its
/// orthogonality in every step, not the square root of their number.
Matrix<double> turned(const Matrix<double>& m, const Quaternion<double>& r) {
  const Quaternion<DoubleDouble> back = conjugate(convert<DoubleDouble>(r));
  Matrix<double> result;
  for (std::size_t i = 0; i < 3; ++i) result[i] = convert<double>(rotate(back, convert<DoubleDouble>(m[i])));
  return result;
}

void require_arrays(const void* momentum_out, const void* attitude_out, const void* inertia,
                    const void* momentum_in, const void* attitude_in) {
  require_pointer(momentum_out, "momentum_out");
  require_pointer(attitude_out, "attitude_out");
  require_pointer(inertia, "inertia");
  require_pointer(momentum_in, "momentum_in");
  require_pointer(attitude_in, "attitude_in");
}

}  // namespace

int polhode_frb_step(double momentum_out[3], double attitude_out[9], double h, const double inertia[3],
                     const double momentum_in[3], const double attitude_in[9], int nodes) {
  return guarded([&] {
    require_arrays(momentum_out, attitude_out, inertia, momentum_in, attitude_in);
    require_step(h, 1);
    const Matrix<double> before = read_matrix(attitude_in);
    // The rotation of the step is what the attitude one becomes [CZ08 (6)].
    const State<double> start{{{momentum_in[0], momentum_in[1], momentum_in[2]}}, {}};
    const State<double> end = stepped<FrbMatrix<double>>(inertia, nodes, start, h);
    require_finite(end);
    const Matrix<double> after = turned(before, end.attitude);
    for (const auto& row : after.rows)
      for (const double x : row.c) require(std::isfinite(x), "an entry of the attitude matrix is too large");
    std::copy(end.momentum.c.begin(), end.momentum.c.end(), momentum_out);
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) attitude_out[3 * j + i] = after[i][j];
  });
}

int polhode_quat_step(double momentum_out[3], double attitude_out[4], double h, const double inertia[3],
                      const double momentum_in[3], const double attitude_in[4], int nodes) {
  return guarded([&] {
    require_arrays(momentum_out, attitude_out, inertia, momentum_in, attitude_in);
    require_step(h, 1);
    write_state(stepped<FrbQuaternion<double>>(inertia, nodes, read_state(momentum_in, attitude_in), h),
                momentum_out, attitude_out);
  });
}
