// Wrong input is refused with a sentence that names what is wrong.
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "polhode/body/body.hpp"

namespace polhode {

using namespace core;
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// The sentence with which InputError is thrown; "" if nothing is thrown.
std::string complaint(const std::function<void()>& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

std::string of_moments(double a, double b, double c) {
  return complaint([&] { Body<double>(Vector<double>{{a, b, c}}); });
}

std::string of_tensor(const Matrix<double>& tensor) {
  return complaint([&] { Body<double>{tensor}; });
}

Matrix<double> tensor(double xx, double yy, double zz, double xy, double xz, double yz) {
  return {{Vector<double>{{xx, xy, xz}}, Vector<double>{{xy, yy, yz}}, Vector<double>{{xz, yz, zz}}}};
}

std::string of_state(const State<double>& s) {
  return complaint([&] { examine(s); });
}

std::string of_matrix(const Matrix<double>& r) {
  return complaint([&] { attitude_from_matrix(r); });
}

TEST(Input, Moments) {
  EXPECT_EQ(of_moments(1.0, 2.0, 3.0), "");
  for (const double bad : {nan, infinity, -infinity}) {
    EXPECT_EQ(of_moments(bad, 1.0, 1.0), "a moment of inertia is not a finite number");
    EXPECT_EQ(of_moments(1.0, bad, 1.0), "a moment of inertia is not a finite number");
    EXPECT_EQ(of_moments(1.0, 1.0, bad), "a moment of inertia is not a finite number");
  }
  for (const double bad : {0.0, -0.0, -1.0, -0x1p-1074}) {
    EXPECT_EQ(of_moments(bad, 1.0, 1.0), "a moment of inertia is not positive");
    EXPECT_EQ(of_moments(1.0, bad, 1.0), "a moment of inertia is not positive");
    EXPECT_EQ(of_moments(1.0, 1.0, bad), "a moment of inertia is not positive");
  }
}

TEST(Input, MomentsThatDifferTooMuch) {
  const std::string sentence = "the moments of inertia differ by a factor of more than 1e30";
  EXPECT_EQ(of_moments(1e-152, 1.0, 1.0), sentence);
  EXPECT_EQ(of_moments(1.0, 1e152, 1e152), sentence);
  EXPECT_EQ(of_moments(1e-300, 1e-100, 1e300), sentence);
  EXPECT_EQ(of_moments(1e-30, 1.0, 1.0), "");
  EXPECT_EQ(of_moments(1e300, 1e271, 1e300), "");
  EXPECT_EQ(of_tensor(tensor(1e-160, 1.0, 1.0, 0.0, 0.0, 0.1)), sentence);
}

TEST(Input, InputErrorIsAnInvalidArgument) {
  static_assert(std::is_base_of_v<std::invalid_argument, InputError>);
  EXPECT_THROW(Body<DoubleDouble>(Vector<DoubleDouble>{{0.0, 1.0, 1.0}}), InputError);
  EXPECT_THROW(Body<DoubleDouble>(Matrix<DoubleDouble>{}), InputError);
}

TEST(Input, TensorEntries) {
  EXPECT_EQ(of_tensor(tensor(2.0, 3.0, 4.0, 0.1, 0.2, 0.3)), "");
  for (const double bad : {nan, infinity, -infinity})
    for (std::size_t i = 0; i < 9; ++i) {
      Matrix<double> t = tensor(2.0, 3.0, 4.0, 0.1, 0.2, 0.3);
      t[i / 3][i % 3] = bad;
      EXPECT_EQ(of_tensor(t), "an entry of the inertia tensor is not a finite number") << i;
    }
  EXPECT_EQ(of_tensor({}), "the inertia tensor is zero");
}

TEST(Input, AsymmetricTensor) {
  for (const auto& [i, j] : {std::pair<std::size_t, std::size_t>{0, 1}, {0, 2}, {1, 2}}) {
    Matrix<double> t = tensor(2.0, 3.0, 4.0, 0.1, 0.2, 0.3);
    t[i][j] += 1e-12;
    EXPECT_EQ(of_tensor(t), "the inertia tensor is not symmetric");
    t[i][j] = -t[j][i];
    EXPECT_EQ(of_tensor(t), "the inertia tensor is not symmetric");
  }
}

// 64 epsilons of the largest entry, 5.7e-14 here: what a computation may leave, and the mean is taken.
TEST(Input, ComputedTensorsMayBeSlightlyAsymmetric) {
  Matrix<double> t = tensor(2.0, 3.0, 4.0, 0.5, 0.25, 0.125), mean = t;
  t[0][1] += 0x1p-46;
  t[2][1] -= 0x1p-45;
  mean[0][1] = mean[1][0] = 0.5 + 0x1p-47;
  mean[1][2] = mean[2][1] = 0.125 - 0x1p-46;
  const Body<double> a(t), b(mean);
  EXPECT_EQ(a.moments(), b.moments());
  EXPECT_EQ(a.axes(), b.axes());
  // Opposite roundings of zero: still a diagonal tensor.
  Matrix<double> nearly_diagonal = tensor(2.0, 3.0, 4.0, 0.0, 0.0, 0.0);
  nearly_diagonal[0][1] = 1e-17;
  nearly_diagonal[1][0] = -1e-17;
  EXPECT_EQ(Body<double>(nearly_diagonal).axes(), Matrix<DoubleDouble>::identity());
}

TEST(Input, TensorThatIsNotPositiveDefinite) {
  const std::string sentence = "the inertia tensor is not positive definite";
  EXPECT_EQ(of_tensor(tensor(1.0, 1.0, 1.0, 2.0, 0.0, 0.0)), sentence);     // -1, 1, 3
  EXPECT_EQ(of_tensor(tensor(1.0, 1.0, 1.0, 0.0, 0.0, 1.0001)), sentence);  // -1e-4
  EXPECT_EQ(of_tensor(tensor(-2.0, -3.0, -4.0, 0.1, 0.2, 0.3)), sentence);
  EXPECT_EQ(of_tensor(tensor(0.0, 1.0, 1.0, 1e-160, 0.0, 0.0)), sentence);
  // A diagonal one is a body of moments, and is called so.
  EXPECT_EQ(of_tensor(tensor(1.0, -1.0, 1.0, 0.0, 0.0, 0.0)), "a moment of inertia is not positive");
  EXPECT_EQ(of_tensor(tensor(1.0, 0.0, 1.0, 0.0, 0.0, 0.0)), "a moment of inertia is not positive");
}

// A needle in a direction that is no axis: the smallest moment is exactly zero, and comes out as anything near it.
TEST(Input, SingularTensor) {
  const std::string sentence = "the inertia tensor is not positive definite";
  EXPECT_EQ(of_tensor(tensor(1.0, 1.0, 2.0, 1.0, 0.0, 0.0)), sentence);
  EXPECT_EQ(of_tensor(tensor(2.0, 2.0, 2.0, -1.0, -1.0, -1.0)), sentence);  // 0, 3, 3
  for (int x = 1; x <= 8; ++x) {
    for (int y = 1; y <= 8; ++y) {
      for (int z = 0; z <= 8; ++z) {  // r^2 1 - r r^T for r = (x, y, z), and with a little thickness
        const Matrix<double> needle =
            tensor(y * y + z * z, x * x + z * z, x * x + y * y, -x * y, -x * z, -y * z);
        EXPECT_EQ(of_tensor(needle), sentence) << x << ' ' << y << ' ' << z;
        Matrix<double> thick = needle;
        for (std::size_t i = 0; i < 3; ++i) thick[i][i] += 1e-12;
        EXPECT_EQ(of_tensor(thick), "") << x << ' ' << y << ' ' << z;
      }
    }
  }
  // Thin along an axis, and graded: small is not zero.
  EXPECT_EQ(of_tensor(tensor(1e-24, 1.0, 1.0, 0.5e-12, 0.0, 0.3)), "");
  EXPECT_EQ(of_tensor(tensor(1e-60, 1.0, 1.0, 1e-30, 0.0, 0.3)), sentence);
}

TEST(Input, State) {
  const State<double> good{{{0.1, 0.2, 0.3}}, {1.0, 0.0, 0.0, 0.0}};
  EXPECT_EQ(of_state(good), "");
  EXPECT_EQ(of_state({{}, {0.0, 0.0, 0.0, 1e-300}}), "");  // a body at rest, a quaternion of any norm
  for (const double bad : {nan, infinity, -infinity}) {
    for (std::size_t i = 0; i < 3; ++i) {
      State<double> s = good;
      s.momentum[i] = bad;
      EXPECT_EQ(of_state(s), "a component of the momentum is not a finite number");
    }
    for (std::size_t i = 0; i < 4; ++i) {
      State<double> s = good;
      s.attitude[i] = bad;
      EXPECT_EQ(of_state(s), "a component of the attitude is not a finite number");
    }
  }
  EXPECT_EQ(of_state({good.momentum, {0.0, -0.0, 0.0, 0.0}}), "the attitude is the zero quaternion");
}

TEST(Input, AttitudeMatrix) {
  const std::string not_orthogonal = "the attitude matrix is not orthogonal";
  const Quaternion<double> q = normalized(Quaternion<double>(0.5, 0.1, -0.7, 0.2));
  const Matrix<double> rotation = to_matrix(q);
  const Quaternion<double> back = attitude_from_matrix(rotation);
  EXPECT_LT(std::min(norm_squared(back - q), norm_squared(back + q)), 1e-31);
  Matrix<double> r = rotation;
  r[1][2] += 1e-5;
  EXPECT_EQ(of_matrix(r), not_orthogonal);
  r = rotation;
  r[1][2] += 1e-8;  // as read from six or more printed digits: accepted, and the quaternion is normalised
  EXPECT_NEAR(norm_squared(attitude_from_matrix(r)), 1.0, 1e-15);
  r = rotation;
  r[0] = 2.0 * r[0];
  EXPECT_EQ(of_matrix(r), not_orthogonal);
  EXPECT_EQ(of_matrix({}), not_orthogonal);
  for (const double bad : {nan, infinity}) {
    r = rotation;
    r[2][0] = bad;
    EXPECT_EQ(of_matrix(r), not_orthogonal);
  }
  r = rotation;
  r[2] = -r[2];
  EXPECT_EQ(of_matrix(r), "the attitude matrix is a reflection, not a rotation");
  for (auto& row : r.rows) row = -row;
  EXPECT_EQ(of_matrix(r), "");
}

}  // namespace
}  // namespace polhode
