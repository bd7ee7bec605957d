// Vectors, matrices and quaternions: algebra exactly, on small integers, and rotations to the last digits of the scalar.
#include "polhode/arithmetic/quaternion.hpp"

#include <gtest/gtest.h>

#include "arithmetic/exact.hpp"
#include "polhode/arithmetic/vector.hpp"

namespace polhode {

using namespace core;
namespace {

using reference::Operands;

template <class T>
class VectorTest : public ::testing::Test {
 protected:
  T integer() { return T(random_.integer(-50, 50)); }
  Vector<T> vector() { return {{integer(), integer(), integer()}}; }
  Matrix<T> matrix() { return {{vector(), vector(), vector()}}; }
  Operands random_{1};
};

using Scalars = ::testing::Types<double, DoubleDouble>;
TYPED_TEST_SUITE(VectorTest, Scalars);

TYPED_TEST(VectorTest, ValuesByHand) {
  using V = Vector<TypeParam>;
  const V a{{1, 2, 3}}, b{{4, -5, 6}};
  EXPECT_EQ(a + b, (V{{5, -3, 9}}));
  EXPECT_EQ(a - b, (V{{-3, 7, -3}}));
  EXPECT_EQ(-a, (V{{-1, -2, -3}}));
  EXPECT_EQ(TypeParam(2) * a, (V{{2, 4, 6}}));
  EXPECT_EQ(dot(a, b), TypeParam(12));
  EXPECT_EQ(cross(a, b), (V{{27, 6, -13}}));
  EXPECT_EQ(times(a, b), (V{{4, -10, 18}}));
  EXPECT_EQ(norm(V{{2, 3, 6}}), TypeParam(7));
  EXPECT_EQ(V{}, (V{{0, 0, 0}}));
  EXPECT_NE(a, b);
  const Matrix<TypeParam> m{{V{{1, 2, 3}}, V{{0, 1, 4}}, V{{5, 6, 0}}}};
  EXPECT_EQ(m * a, (V{{14, 14, 17}}));
  EXPECT_EQ(determinant(m), TypeParam(1));
  EXPECT_EQ(transpose(m)[0], (V{{1, 0, 5}}));
  const Matrix<TypeParam> inverse{{V{{-24, 18, 5}}, V{{20, -15, -4}}, V{{-5, 4, 1}}}};
  EXPECT_EQ(m * inverse, Matrix<TypeParam>::identity());
}

TYPED_TEST(VectorTest, CrossProduct) {
  for (int i = 0; i < 100; ++i) {
    const auto a = this->vector(), b = this->vector(), c = this->vector();
    EXPECT_EQ(cross(a, b), -cross(b, a));
    EXPECT_EQ(dot(a, cross(a, b)), TypeParam(0));
    EXPECT_EQ(dot(a, cross(b, c)), dot(c, cross(a, b)));
    EXPECT_EQ(cross(a, cross(b, c)), dot(a, c) * b - dot(a, b) * c);
    EXPECT_EQ(dot(cross(a, b), cross(a, b)), dot(a, a) * dot(b, b) - square(dot(a, b)));
  }
}

TYPED_TEST(VectorTest, MatrixProduct) {
  for (int i = 0; i < 100; ++i) {
    const auto a = this->matrix(), b = this->matrix(), c = this->matrix();
    const auto v = this->vector(), w = this->vector();
    EXPECT_EQ((a * b) * v, a * (b * v));
    EXPECT_EQ((a * b) * c, a * (b * c));
    EXPECT_EQ(transpose(a * b), transpose(b) * transpose(a));
    EXPECT_EQ(transpose(transpose(a)), a);
    EXPECT_EQ(dot(a * v, w), dot(v, transpose(a) * w));
    EXPECT_EQ(determinant(a * b), determinant(a) * determinant(b));
    EXPECT_EQ(determinant(transpose(a)), determinant(a));
    EXPECT_EQ(a * Matrix<TypeParam>::identity(), a);
  }
}

TEST(Vector, Conversion) {
  const Vector<DoubleDouble> wide{
      {DoubleDouble(1.0, 0x1p-60), DoubleDouble(2.0), DoubleDouble(-3.0, 0x1p-55)}};
  EXPECT_EQ(convert<double>(wide), (Vector<double>{{1.0, 2.0, -3.0}}));
  EXPECT_EQ(convert<DoubleDouble>(convert<double>(wide)), (Vector<DoubleDouble>{{1.0, 2.0, -3.0}}));
  const Matrix<double> m{{Vector<double>{{1, 2, 3}}, Vector<double>{{4, 5, 6}}, Vector<double>{{7, 8, 9}}}};
  EXPECT_EQ(convert<double>(convert<DoubleDouble>(m)), m);
}

TEST(Vector, IsUsableAtCompileTime) {
  constexpr Vector<double> a{{1, 2, 3}};
  static_assert(dot(a, a) == 14.0 && cross(a, a) == Vector<double>{});
  static_assert(determinant(Matrix<double>::identity()) == 1.0);
}

template <class T>
class QuaternionTest : public ::testing::Test {
 protected:
  T integer() { return T(random_.integer(-20, 20)); }
  T real() { return T(random_.uniform(-1.0, 1.0)) + T(random_.uniform(-1.0, 1.0)) * T(0x1p-54); }
  Quaternion<T> integers() { return {integer(), integer(), integer(), integer()}; }
  Vector<T> vector() { return {{real(), real(), real()}}; }
  Quaternion<T> attitude() { return {real(), real(), real(), real()}; }

  static T difference(const Vector<T>& a, const Vector<T>& b) { return norm(a - b); }
  static T difference(const Matrix<T>& a, const Matrix<T>& b) {
    T largest(0);
    for (std::size_t i = 0; i < 3; ++i) largest = std::max(largest, norm(a[i] - b[i]));
    return largest;
  }
  /// As rotations: the sign does not count.
  static T difference(const Quaternion<T>& a, const Quaternion<T>& b) {
    return sqrt(std::min(norm_squared(a - b), norm_squared(a + b)));
  }
  static T epsilon() { return ScalarTraits<T>::epsilon(); }
  Operands random_{1};
};

TYPED_TEST_SUITE(QuaternionTest, Scalars);

TYPED_TEST(QuaternionTest, HamiltonsRules) {
  using Q = Quaternion<TypeParam>;
  const Q one, i(0, 1, 0, 0), j(0, 0, 1, 0), k(0, 0, 0, 1), minus_one(-1, 0, 0, 0);
  EXPECT_EQ(one, Q(1, 0, 0, 0));
  EXPECT_EQ(i * i, minus_one);
  EXPECT_EQ(j * j, minus_one);
  EXPECT_EQ(k * k, minus_one);
  EXPECT_EQ(i * j, k);
  EXPECT_EQ(j * k, i);
  EXPECT_EQ(k * i, j);
  EXPECT_EQ(i * j * k, minus_one);
  EXPECT_EQ(Q(TypeParam(2), Vector<TypeParam>{{3, 4, 5}}), Q(2, 3, 4, 5));
  EXPECT_EQ(Q(2, 3, 4, 5).vector(), (Vector<TypeParam>{{3, 4, 5}}));
}

TYPED_TEST(QuaternionTest, Algebra) {
  using Q = Quaternion<TypeParam>;
  for (int n = 0; n < 100; ++n) {
    const Q a = this->integers(), b = this->integers(), c = this->integers();
    EXPECT_EQ((a * b) * c, a * (b * c));
    EXPECT_EQ(a * (b + c), a * b + a * c);
    EXPECT_EQ((a - b) * c, a * c - b * c);
    EXPECT_EQ(conjugate(a * b), conjugate(b) * conjugate(a));
    EXPECT_EQ(norm_squared(a * b), norm_squared(a) * norm_squared(b));
    EXPECT_EQ(a * conjugate(a), Q(norm_squared(a), TypeParam(0), TypeParam(0), TypeParam(0)));
    EXPECT_EQ(TypeParam(3) * a, a + a + a);
    EXPECT_EQ(times_vector(a, b.vector()), a * Q(TypeParam(0), b.vector()));
  }
}

// The numbers in comments are the worst of 20000, in epsilons, for double and DoubleDouble: here 3.7 and 2.3, 4 and 2.3.
TYPED_TEST(QuaternionTest, RotateIsTheProductOnBothSides) {
  using Q = Quaternion<TypeParam>;
  for (int n = 0; n < 200; ++n) {
    const Q q = this->attitude();
    const auto v = this->vector();
    const Q turned = times_vector(q, v) * conjugate(q);
    const auto expected = (TypeParam(1) / norm_squared(q)) * turned.vector();
    ASSERT_LT(this->difference(rotate(q, v), expected), TypeParam(5) * this->epsilon());
    ASSERT_LT(abs(norm(rotate(q, v)) - norm(v)), TypeParam(5) * this->epsilon());
  }
}

TYPED_TEST(QuaternionTest, RotationsByHand) {
  using V = Vector<TypeParam>;
  const Quaternion<TypeParam> quarter_about_z(1, 0, 0, 1);  // of norm sqrt(2)
  EXPECT_EQ(rotate(quarter_about_z, V{{1, 0, 0}}), (V{{0, 1, 0}}));
  EXPECT_EQ(rotate(quarter_about_z, V{{0, 1, 0}}), (V{{-1, 0, 0}}));
  EXPECT_EQ(rotate(quarter_about_z, V{{0, 0, 1}}), (V{{0, 0, 1}}));
  const Quaternion<TypeParam> cycle(1, 1, 1, 1);
  EXPECT_EQ(rotate(cycle, V{{1, 2, 3}}), (V{{3, 1, 2}}));
}

// 4.2 and 2.0, 7.0 and 4.3, 6 and 4.2, 4.3 and 2.6.
TYPED_TEST(QuaternionTest, MatrixIsTheRotation) {
  using Q = Quaternion<TypeParam>;
  for (int n = 0; n < 200; ++n) {
    const Q p = this->attitude(), q = this->attitude();
    const auto v = this->vector();
    const auto r = to_matrix(q);
    ASSERT_LT(this->difference(r * v, rotate(q, v)), TypeParam(5) * this->epsilon());
    ASSERT_LT(this->difference(r * transpose(r), Matrix<TypeParam>::identity()),
              TypeParam(9) * this->epsilon());
    ASSERT_LT(abs(determinant(r) - TypeParam(1)), TypeParam(8) * this->epsilon());
    ASSERT_LT(this->difference(to_matrix(p) * r, to_matrix(p * q)), TypeParam(6) * this->epsilon());
  }
}

// 6.4 and 3.7, 3 and 2.4.
TYPED_TEST(QuaternionTest, NormDoesNotChangeTheRotation) {
  for (int n = 0; n < 200; ++n) {
    const auto q = this->attitude();
    const auto v = this->vector();
    ASSERT_EQ(rotate(TypeParam(-8) * q, v), rotate(q, v));  // exactly, by powers of two
    ASSERT_EQ(to_matrix(TypeParam(0x1p-20) * q), to_matrix(q));
    ASSERT_LT(this->difference(rotate(TypeParam(3.7) * q, v), rotate(q, v)), TypeParam(8) * this->epsilon());
    ASSERT_LT(abs(norm_squared(normalized(q)) - TypeParam(1)), TypeParam(4) * this->epsilon());
  }
}

// Each component in turn is the largest, with both signs of the others; half turns and the identity have zeros.
// 2.6 and 1.2.
TYPED_TEST(QuaternionTest, FromMatrixInAllFourBranches) {
  using Q = Quaternion<TypeParam>;
  for (std::size_t largest = 0; largest < 4; ++largest) {
    for (int n = 0; n < 100; ++n) {
      Q q = TypeParam(0.9) * this->attitude();
      q[largest] = TypeParam(n % 2 == 0 ? 1 : -1);
      if (n < 4) {
        q = Q(0, 0, 0, 0);
        q[largest] = TypeParam(1);
      }
      q = normalized(q);
      const Q back = from_matrix(to_matrix(q));
      ASSERT_LT(this->difference(back, q), TypeParam(3.3) * this->epsilon()) << largest;
      ASSERT_GT(back[largest], TypeParam(0.49)) << largest;  // taken as the positive root
    }
  }
}

// Where two components are equally large the branch does not matter: 0.71 and 0.13.
TYPED_TEST(QuaternionTest, FromMatrixAtTheEdgesOfBranches) {
  using Q = Quaternion<TypeParam>;
  for (int signs = 0; signs < 16; ++signs) {
    for (int zeros = 0; zeros < 15; ++zeros) {
      Q q;
      for (int i = 0; i < 4; ++i)
        q[std::size_t(i)] = TypeParam(zeros >> i & 1 ? 0 : (signs >> i & 1 ? -1 : 1));
      q = normalized(q);
      ASSERT_LT(this->difference(from_matrix(to_matrix(q)), q), TypeParam(1) * this->epsilon());
    }
  }
}

TEST(Quaternion, Conversion) {
  const Quaternion<DoubleDouble> wide(DoubleDouble(1.0, 0x1p-60), 2.0, 3.0, DoubleDouble(4.0, -0x1p-60));
  EXPECT_EQ(convert<double>(wide), Quaternion<double>(1.0, 2.0, 3.0, 4.0));
  EXPECT_EQ(convert<DoubleDouble>(Quaternion<double>(1, 2, 3, 4)),
            Quaternion<DoubleDouble>(1.0, 2.0, 3.0, 4.0));
}

}  // namespace
}  // namespace polhode
