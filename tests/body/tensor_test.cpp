// A body from its full inertia tensor, and the diagonalization behind it.
#include <gtest/gtest.h>

#include "arithmetic/exact.hpp"
#include "polhode/body/body.hpp"

namespace polhode {

using namespace core;
namespace {

using reference::Operands;
using W = DoubleDouble;

Quaternion<W> random_rotation(Operands& random) {
  Quaternion<W> q;
  for (auto& x : q.c) x = DoubleDouble::sum(random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0) * 0x1p-54);
  return normalized(q);
}

/// axes^T diag(moments) axes.
Matrix<W> tensor_of(const Vector<W>& moments, const Matrix<W>& axes) {
  Matrix<W> scaled = axes;
  for (std::size_t i = 0; i < 3; ++i) scaled[i] = moments[i] * axes[i];
  return transpose(axes) * scaled;
}

template <class T>
double distance(const Matrix<T>& a, const Matrix<T>& b) {
  double largest = 0.0;
  for (std::size_t i = 0; i < 3; ++i) largest = std::max(largest, static_cast<double>(norm(a[i] - b[i])));
  return largest;
}

double ulps(double x, double expected) {
  return std::abs(x - expected) / std::ldexp(1.0, std::ilogb(expected) - 52);
}

/// The angle, about, between the axes up to their signs.
double axis_error(const Vector<W>& a, const Vector<W>& b) {
  return std::min(static_cast<double>(norm(a - b)), static_cast<double>(norm(a + b)));
}

struct Found {
  double moments = 0.0;  // in units in the last place
  double axes = 0.0;     // in radians
  double orthogonality = 0.0;
};

/// The tensor is rounded to double, which turns the axes by about epsilon/(relative gap) and moves the moments by about
/// an epsilon of the largest.
Found worst(const Vector<double>& moments, double unit, int samples) {
  Operands random(1);
  Found found;
  for (int n = 0; n < samples; ++n) {
    const Matrix<W> axes = to_matrix(random_rotation(random));
    const Body<double> body(convert<double>(tensor_of(convert<W>(unit * moments), axes)));
    EXPECT_GT(determinant(body.axes()), W(0));
    found.orthogonality =
        std::max(found.orthogonality, distance(body.axes() * transpose(body.axes()), Matrix<W>::identity()));
    for (std::size_t i = 0; i < 3; ++i) {
      found.moments = std::max(found.moments, ulps(body.moments()[i], unit * moments[i]));
      found.axes = std::max(found.axes, axis_error(body.axes()[i], axes[i]));
    }
  }
  return found;
}

TEST(Tensor, MomentsAndAxesOfATurnedBody) {
  for (const double unit : {1.0, 1e-46, 1e40}) {
    const Found found = worst({{0.6, 0.7, 0.9}}, unit, 300);
    EXPECT_LE(found.moments, 2.0) << unit;            // of 5000: 1
    EXPECT_LT(found.axes, 1e-15) << unit;             // 5.4e-16
    EXPECT_LT(found.orthogonality, 4.3e-31) << unit;  // 3.3e-31
  }
}

// With entries of DoubleDouble nothing is lost by rounding the tensor.
TEST(Tensor, WideTensor) {
  Operands random(2);
  const Vector<W> moments{{W(0.6), W(0.7), W(0.9)}};
  for (int n = 0; n < 100; ++n) {
    const Matrix<W> axes = to_matrix(random_rotation(random));
    const Body<W> body(tensor_of(moments, axes));
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_LT(static_cast<double>(abs(body.moments()[i] - moments[i])), 3.2e-31);  // of 3000: 2.4e-31
      EXPECT_LT(axis_error(body.axes()[i], axes[i]), 1e-30);                         // 4.7e-31
    }
  }
}

// The plane of the two nearly equal moments is found, their directions in it only as well as the rounded tensor tells.
TEST(Tensor, NearlyEqualMoments) {
  for (const double gap : {1e-6, 1e-10, 1e-14}) {
    const Found found = worst({{0.7, 0.7 * (1.0 + gap), 0.9}}, 1.0, 100);
    EXPECT_LE(found.moments, 2.0) << gap;
    EXPECT_LT(found.axes, 1e-15 / gap) << gap;  // of 3000: 7.2e-17 / gap
    EXPECT_LT(found.orthogonality, 4.3e-31) << gap;
  }
}

TEST(Tensor, EqualMoments) {
  const Found two = worst({{0.7, 0.7, 0.9}}, 1.0, 100);
  EXPECT_LE(two.moments, 2.0);
  EXPECT_LT(two.orthogonality, 4.3e-31);
  const Found three = worst({{0.7, 0.7, 0.7}}, 1.0, 100);
  EXPECT_LE(three.moments, 2.0);
  // Equal and not diagonal, in numbers that are exact: 3 1 + ones, with moments 3, 3, 6.
  const Body<double> body(
      Matrix<double>{{Vector<double>{{4, 1, 1}}, Vector<double>{{1, 4, 1}}, Vector<double>{{1, 1, 4}}}});
  EXPECT_EQ(body.moments(), (Vector<double>{{3, 3, 6}}));
  const W component = W(1) / sqrt(W(3));
  EXPECT_LT(axis_error(body.axes()[2], {{component, component, component}}), 1e-31);
}

TEST(Tensor, DiagonalTensorIsTheBodyOfItsMoments) {
  for (const double unit : {1.0, 1e-46, 1e40}) {
    for (const Vector<double>& moments :
         {Vector<double>{{0.345, 0.653, 1.0}}, Vector<double>{{0.9, 0.3, 0.7}},
          Vector<double>{{2.0, 1.0, 1.0}}, Vector<double>{{1.0, 1.0, 1.0}}}) {
      Matrix<double> tensor;
      for (std::size_t i = 0; i < 3; ++i) tensor[i][i] = unit * moments[i];
      const Body<double> a(tensor), b(unit * moments);
      EXPECT_EQ(a.moments(), b.moments());
      EXPECT_EQ(a.axes(), b.axes());
      EXPECT_EQ(a.inertia().a2, b.inertia().a2);
      EXPECT_EQ(a.inertia_exponent(), b.inertia_exponent());
      const State<double> s{{{0.1, -0.7, 0.4}}, {0.3, 0.5, -0.2, 0.8}};
      EXPECT_EQ(a.to_principal(s), b.to_principal(s));
    }
  }
}

// States pass through the axes of a full tensor: they lose no more than the axes' last digits.
TEST(Tensor, StatesGoThereAndBack) {
  Operands random(3);
  for (int n = 0; n < 50; ++n) {
    const Matrix<W> axes = to_matrix(random_rotation(random));
    const Body<double> body(convert<double>(tensor_of({{W(0.6), W(0.7), W(0.9)}}, axes)));
    const State<double> user{{{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)}},
                             {0.4, random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)}};
    const State<W> wide = convert<W>(user), principal = body.to_principal(user),
                   back = body.to_user(principal);
    EXPECT_LT(static_cast<double>(norm(back.momentum - wide.momentum)), 5e-31);  // of 3000: 3.5e-31
    EXPECT_LT(static_cast<double>(sqrt(norm_squared(back.attitude - wide.attitude))), 6e-32);  // 4.0e-32
    const auto in_space = rotate(principal.attitude, principal.momentum);
    EXPECT_LT(static_cast<double>(norm(in_space - rotate(wide.attitude, wide.momentum))), 3e-31);  // 2.2e-31
  }
}

TEST(Diagonalize, ToTheLastDigits) {
  Operands random(4);
  for (const Vector<W>& values : {Vector<W>{{W(0.3), W(0.7), W(0.9)}}, Vector<W>{{W(1), W(1.0, 1e-25), W(2)}},
                                  Vector<W>{{W(1), W(1), W(1.5)}}, Vector<W>{{W(-1), W(0.5), W(2)}}}) {
    for (int n = 0; n < 100; ++n) {
      Matrix<W> a = tensor_of(values, to_matrix(random_rotation(random)));
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < i; ++j) a[i][j] = a[j][i];
      const auto [found, axes] = diagonalize(a);
      EXPECT_LT(distance(tensor_of(found, axes), a), 1.3e-30);  // of 12000: 9.4e-31, for |a| = 2
      EXPECT_LT(distance(axes * transpose(axes), Matrix<W>::identity()), 1e-30);  // 4.8e-31
    }
  }
}

TEST(Diagonalize, LeavesADiagonalMatrixAlone) {
  const Matrix<W> a{{Vector<W>{{3, 0, 0}}, Vector<W>{{0, 1, 0}}, Vector<W>{{0, 0, 2}}}};
  const auto [values, axes] = diagonalize(a);
  EXPECT_EQ(values, (Vector<W>{{3, 1, 2}}));
  EXPECT_EQ(axes, Matrix<W>::identity());
}

// A needle whose thin moment is far below the epsilon of the thick ones: Jacobi's rotations keep its digits, because the
// matrix is graded.
TEST(Diagonalize, KeepsSmallValuesOfAGradedMatrix) {
  const W small(1e-80), off(5e-41);  // off is a quarter of the determinant, and 1e-9 of epsilon
  const Matrix<W> a{
      {Vector<W>{{small, off, W(0)}}, Vector<W>{{off, W(1), W(0.25)}}, Vector<W>{{W(0), W(0.25), W(2)}}}};
  const auto [values, axes] = diagonalize(a);
  const W product = values[0] * values[1] * values[2];
  EXPECT_LT(abs(product - determinant(a)), W(1e-30) * determinant(a));
}

}  // namespace
}  // namespace polhode
