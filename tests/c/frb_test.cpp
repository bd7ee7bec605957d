// frb_step and quat_step of the C interface: the numbers of the C++ library, quadruple precision where formulas are
// singular, and what they refuse.

#include "polhode_frb.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <thread>

#include "fixture.hpp"
#include "reference/compare.hpp"
#include "reference/degenerate.hpp"
#include "reference/quadruple.hpp"
#include "reference/taylor.hpp"

namespace polhode::testing {

using namespace core;
namespace {

using reference::Quad;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

using Columns = std::array<double, 9>;  ///< a matrix, column by column

Columns columns(const Matrix<double>& m) {
  Columns result{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) result[3 * j + i] = m[i][j];
  return result;
}

Matrix<double> to_rows(const Columns& c) {
  Matrix<double> result;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) result[i][j] = c[3 * j + i];
  return result;
}

template <class Method>
State<double> rotated(const Vector<double>& moments, const State<double>& s, double h, int nodes) {
  Rotor<Method, Summation::plain> rotor(Body<double>(moments), s, {.quadrature = nodes, .frame = {}});
  rotor.advance(h, 1);
  return rotor.state();
}

/// m times the rotation matrix of r, rounded once.
Matrix<double> product(const Matrix<double>& m, const Quaternion<double>& r) {
  Matrix<double> result;
  for (std::size_t i = 0; i < 3; ++i)
    result[i] = convert<double>(rotate(conjugate(convert<DoubleDouble>(r)), convert<DoubleDouble>(m[i])));
  return result;
}

/// The largest difference of an entry.
template <class Q>
double matrix_error(const Matrix<double>& a, const Matrix<Q>& b) {
  double worst = 0;
  for (std::size_t i = 0; i < 3; ++i) worst = std::max(worst, reference::momentum_error(a[i], b[i]));
  return worst;
}

// A body after another: what is kept of the last one serves no other.
TEST(CFrb, SameBits) {
  const Columns attitude = columns(to_matrix(Quaternion<double>(0.1, 0.2, -0.3, 0.4)));
  for (const auto& c : cases(200)) {
    for (const int nodes : {0, 1, 5, 10}) {
      for (const double h : {0.01, -0.3, 2.5, 0.0}) {
        State<double> s;
        ASSERT_EQ(quat_step_gauss(s.momentum.c.data(), s.attitude.c.data(), h, c.moments.c.data(),
                                  c.state.momentum.c.data(), c.state.attitude.c.data(), nodes),
                  POLHODE_OK);
        EXPECT_EQ(s, rotated<FrbQuaternion<double>>(c.moments, c.state, h, nodes));

        const State<double> turn = rotated<FrbMatrix<double>>(c.moments, {c.state.momentum, {}}, h, nodes);
        Vector<double> m;
        Columns q{};
        ASSERT_EQ(frb_step_gauss(m.c.data(), q.data(), h, c.moments.c.data(), c.state.momentum.c.data(),
                                 attitude.data(), nodes),
                  POLHODE_OK);
        EXPECT_EQ(m, turn.momentum);
        EXPECT_EQ(q, columns(product(to_rows(attitude), turn.attitude)));
      }
    }
  }
}

// The names without a number of nodes are the exact steps, and the arrays out may be the arrays in.
TEST(CFrb, ExactAndInPlace) {
  State<double> s = start, other;
  ASSERT_EQ(quat_step(s.momentum.c.data(), s.attitude.c.data(), 0.3, water.c.data(), s.momentum.c.data(),
                      s.attitude.c.data()),
            POLHODE_OK);
  EXPECT_EQ(s, rotated<FrbQuaternion<double>>(water, start, 0.3, 0));
  Vector<double> m = start.momentum;
  const Columns before = columns(to_matrix(start.attitude));
  Columns q = before, apart{};
  ASSERT_EQ(frb_step(m.c.data(), q.data(), 0.3, water.c.data(), m.c.data(), q.data()), POLHODE_OK);
  ASSERT_EQ(frb_step(other.momentum.c.data(), apart.data(), 0.3, water.c.data(), start.momentum.c.data(),
                     before.data()),
            POLHODE_OK);
  EXPECT_EQ(m, other.momentum);
  EXPECT_EQ(q, apart);
  EXPECT_LT(reference::momentum_error(m, s.momentum), 5e-16);
  EXPECT_LT(matrix_error(to_rows(q), to_matrix(s.attitude)), 2e-15);
}

State<Quad> solution(const reference::Case& c, double h) {
  return reference::taylor<32>(convert<Quad>(c.moments), State<Quad>{convert<Quad>(c.momentum), {}}, Quad(h));
}

/// The worst errors of both steps with a number of nodes, in units of one more than the angle that the body may turn by.
class Errors {
 public:
  explicit Errors(int nodes) : nodes_(nodes) {}

  void add(const reference::Case& c, double h, const State<Quad>& exact) {
    const Columns attitude = columns(to_matrix(Quaternion<double>(0.1, 0.2, -0.3, 0.4)));
    State<double> s;
    ASSERT_EQ(quat_step_gauss(s.momentum.c.data(), s.attitude.c.data(), h, c.moments.c.data(),
                              c.momentum.c.data(), s.attitude.c.data(), nodes_),
              POLHODE_OK)
        << reference::description(c, h);
    Vector<double> m;
    Columns q{};
    ASSERT_EQ(frb_step_gauss(m.c.data(), q.data(), h, c.moments.c.data(), c.momentum.c.data(),
                             attitude.data(), nodes_),
              POLHODE_OK)
        << reference::description(c, h);
    const double least = *std::min_element(c.moments.c.begin(), c.moments.c.end());
    const double scale = 1 + std::abs(h) * norm(c.momentum) / least;
    const Matrix<Quad> turned = convert<Quad>(to_rows(attitude)) * to_matrix(exact.attitude);
    momentum = std::max({momentum, reference::momentum_error(s.momentum, exact.momentum) / scale,
                         reference::momentum_error(m, exact.momentum) / scale});
    quaternion = std::max(quaternion, reference::attitude_error(s.attitude, exact.attitude) / scale);
    matrix = std::max(matrix, matrix_error(to_rows(q), turned) / scale);
  }

  double momentum = 0, quaternion = 0, matrix = 0;

 private:
  int nodes_;
};

// Where the published programs turn the wrong way, return NaN or do not return: spin about each axis in both directions,
// spheres, symmetric bodies, the separatrix, the neighbourhood of the middle axis. The ascending axes are renamed, in
// turn, so that the moments are in each even order. Measured: momentum 4.3e-16, matrix 7.8e-16, quaternion 6.7e-15 (next
// to the middle axis, as the frame of the quaternions has it). Ten nodes: matrix 1.6e-12, quaternion 1.3e-11, the error of the
// rule; the rod is left to the exact steps, because it turns too far.
TEST(CFrb, SingularCasesAgainstQuadruplePrecision) {
  Errors exact(0), gauss(10);
  std::size_t turn = 0;
  for (const reference::Case& sorted : reference::degenerate_cases()) {
    ++turn;
    reference::Case c = sorted;
    for (std::size_t i = 0; i < 3; ++i) {
      c.moments[i] = sorted.moments[(i + turn) % 3];
      c.momentum[i] = sorted.momentum[(i + turn) % 3];
    }
    for (const double h : {-0.1, 0.7}) {
      const bool rod = sorted.moments[0] < 0.1;
      if (rod && h > 0.5) continue;
      const State<Quad> s = solution(c, h);
      exact.add(c, h, s);
      if (!rod) gauss.add(c, h, s);
    }
  }
  EXPECT_LT(gauss.momentum, 1e-15);
  EXPECT_LT(gauss.matrix, 4e-12);
  EXPECT_LT(gauss.quaternion, 4e-11);
  EXPECT_LT(exact.momentum, 1e-15);
  EXPECT_LT(exact.matrix, 2e-15);
  EXPECT_LT(exact.quaternion, 1.5e-14);
}

// Components beside the middle axis so small that their squares vanish: the phase is long, and the momentum leaves the
// axis by the right number of powers of e. Measured: momentum 2.9e-21, matrix 1.2e-16, quaternion 1.8e-14; ten nodes:
// matrix 2.5e-16, quaternion 1.6e-14.
TEST(CFrb, NextToTheMiddleAxis) {
  Errors exact(0), gauss(10);
  for (double beside = 1e-10; beside > 1e-310; beside *= 1e-10) {
    for (const double sign : {1.0, -1.0}) {
      for (const double h : {2.0, -2.0}) {
        const reference::Case c{{{0.6, 0.8, 1}}, {{beside, sign, h * beside / 6}}};
        const State<Quad> s = solution(c, h);
        exact.add(c, h, s);
        gauss.add(c, h, s);
      }
    }
  }
  for (const Errors& errors : {exact, gauss}) {
    EXPECT_LT(errors.momentum, 1e-20);
    EXPECT_LT(errors.matrix, 6e-16);
    EXPECT_LT(errors.quaternion, 5e-14);
  }
}

// Nothing brings the matrix back to an orthogonal one, as in the paper. What it loses is a random walk: 1.7e-14 measured; a
// product with the rotation matrix in double, 2.1e-12.
TEST(CFrb, OrthogonalityAfterManySteps) {
  Vector<double> m = start.momentum;
  Columns q = columns(Matrix<double>::identity());
  for (int i = 0; i < 100000; ++i)
    ASSERT_EQ(frb_step(m.c.data(), q.data(), 0.1, water.c.data(), m.c.data(), q.data()), POLHODE_OK);
  const Matrix<double> r = to_rows(q);
  const double lost = matrix_error(r * transpose(r), Matrix<double>::identity());
  EXPECT_LT(lost, 1e-13);
  EXPECT_LT(reference::momentum_error(r * m, start.momentum), 1e-13);
}

// Five nodes: the attitude is off by what the rule is, the momentum by nothing, and the momentum in space stays.
TEST(CFrb, SemiExact) {
  const Columns attitude = columns(Matrix<double>::identity());
  double previous = 1;
  State<double> exact;
  Columns exact_matrix{};
  ASSERT_EQ(quat_step(exact.momentum.c.data(), exact.attitude.c.data(), 0.5, water.c.data(),
                      start.momentum.c.data(), start.attitude.c.data()),
            POLHODE_OK);
  ASSERT_EQ(frb_step(exact.momentum.c.data(), exact_matrix.data(), 0.5, water.c.data(),
                     start.momentum.c.data(), attitude.data()),
            POLHODE_OK);
  for (const int nodes : {1, 3, 5, 7}) {
    Vector<double> m;
    Columns q{};
    ASSERT_EQ(frb_step_gauss(m.c.data(), q.data(), 0.5, water.c.data(), start.momentum.c.data(),
                             attitude.data(), nodes),
              POLHODE_OK);
    EXPECT_EQ(m, exact.momentum);
    EXPECT_LT(reference::momentum_error(to_rows(q) * m, start.momentum), 1e-15);
    const double error = matrix_error(to_rows(q), to_rows(exact_matrix));
    EXPECT_LT(error, 0.1 * previous) << nodes;
    previous = error;
  }
}

void expect_error(int status, const std::string& sentence) {
  EXPECT_EQ(status, POLHODE_INVALID_ARGUMENT);
  EXPECT_EQ(polhode_last_error(), sentence);
}

TEST(CFrb, ErrorsWriteNothing) {
  constexpr double mark = 7;
  std::array<double, 3> m{mark, mark, mark};
  std::array<double, 4> q{mark, mark, mark, mark};
  Columns r;
  r.fill(mark);
  const std::array<double, 3> momentum{0.5, 0.2, 0.84};
  const std::array<double, 4> attitude{1, 0, 0, 0};
  const Columns turn = columns(Matrix<double>::identity());
  const double* const i = water.c.data();
  const double* const p = momentum.data();

  for (const int nodes : {-1, 11}) {
    const char* const sentence = "the number of Gauss nodes must be 0 (exact) to 10";
    expect_error(frb_step_gauss(m.data(), r.data(), 1, i, p, turn.data(), nodes), sentence);
    expect_error(quat_step_gauss(m.data(), q.data(), 1, i, p, attitude.data(), nodes), sentence);
  }
  for (const double h : {nan, infinity}) {
    expect_error(frb_step(m.data(), r.data(), h, i, p, turn.data()), "the step is not a finite number");
    expect_error(quat_step(m.data(), q.data(), h, i, p, attitude.data()), "the step is not a finite number");
  }
  const std::array<double, 3> bad_inertia{1, -1, 2}, bad_momentum{0, nan, 1};
  expect_error(frb_step(m.data(), r.data(), 1, bad_inertia.data(), p, turn.data()),
               "a moment of inertia is not positive");
  expect_error(quat_step(m.data(), q.data(), 1, bad_inertia.data(), p, attitude.data()),
               "a moment of inertia is not positive");
  expect_error(frb_step(m.data(), r.data(), 1, i, bad_momentum.data(), turn.data()),
               "a component of the momentum is not a finite number");
  expect_error(quat_step(m.data(), q.data(), 1, i, bad_momentum.data(), attitude.data()),
               "a component of the momentum is not a finite number");
  Columns bad_turn = turn;
  bad_turn[5] = infinity;
  expect_error(frb_step(m.data(), r.data(), 1, i, p, bad_turn.data()),
               "an entry of the attitude matrix is not a finite number");
  bad_turn.fill(1.5e308);
  expect_error(frb_step(m.data(), r.data(), 1, i, p, bad_turn.data()),
               "an entry of the attitude matrix is too large");
  const std::array<double, 4> none{};
  expect_error(quat_step(m.data(), q.data(), 1, i, p, none.data()), "the attitude is the zero quaternion");

  expect_error(frb_step(nullptr, r.data(), 1, i, p, turn.data()), "momentum_out is a null pointer");
  expect_error(frb_step(m.data(), nullptr, 1, i, p, turn.data()), "attitude_out is a null pointer");
  expect_error(frb_step(m.data(), r.data(), 1, nullptr, p, turn.data()), "inertia is a null pointer");
  expect_error(quat_step(m.data(), q.data(), 1, i, nullptr, attitude.data()),
               "momentum_in is a null pointer");
  expect_error(quat_step(m.data(), q.data(), 1, i, p, nullptr), "attitude_in is a null pointer");

  for (const double x : m) EXPECT_EQ(x, mark);
  for (const double x : q) EXPECT_EQ(x, mark);
  for (const double x : r) EXPECT_EQ(x, mark);
}

// Each thread keeps its own last body.
TEST(CFrb, Threads) {
  const auto walk = [](const Vector<double>& moments) {
    State<double> s = start;
    for (int n = 0; n < 2000; ++n)
      EXPECT_EQ(quat_step_gauss(s.momentum.c.data(), s.attitude.c.data(), 0.1, moments.c.data(),
                                s.momentum.c.data(), s.attitude.c.data(), 5),
                POLHODE_OK);
    return s;
  };
  const Vector<double> other{{3, 1, 2}};
  const State<double> first = walk(water), second = walk(other);
  State<double> a, b;
  std::thread one([&] { a = walk(water); }), two([&] { b = walk(other); });
  one.join();
  two.join();
  EXPECT_EQ(a, first);
  EXPECT_EQ(b, second);
}

}  // namespace
}  // namespace polhode::testing
