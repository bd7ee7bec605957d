// The published outputs of the FRB package, ACM TOMS Algorithm 903 [CZ08]: tests/data/toms903.

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include "polhode/polhode.hpp"
#include "reference/compare.hpp"

namespace polhode {

using namespace core;
namespace {

std::vector<double> numbers(const std::string& name) {
  std::ifstream file(std::string(POLHODE_TEST_DATA) + "/toms903/" + name);
  EXPECT_TRUE(file) << name;
  std::vector<double> result;
  for (std::string word; file >> word;) {
    std::replace(word.begin(), word.end(), 'D', 'e');
    result.push_back(std::stod(word));
  }
  return result;
}

/// A matrix is stored column by column.
Matrix<double> matrix_at(const std::vector<double>& v, std::size_t i) {
  Matrix<double> m;
  for (std::size_t column = 0; column < 3; ++column)
    for (std::size_t row = 0; row < 3; ++row) m[row][column] = v.at(i + 3 * column + row);
  return m;
}
Quaternion<double> quaternion_at(const std::vector<double>& v, std::size_t i) {
  return {v.at(i), v.at(i + 1), v.at(i + 2), v.at(i + 3)};
}
Vector<double> vector_at(const std::vector<double>& v, std::size_t i) {
  return {{v.at(i), v.at(i + 1), v.at(i + 2)}};
}

double matrix_error(const Matrix<double>& a, const Matrix<double>& b) {
  double worst = 0;
  for (std::size_t i = 0; i < 3; ++i) worst = std::max(worst, reference::momentum_error(a[i], b[i]));
  return worst;
}

/// The same step by a method of ours; the published momenta have norm one to 15 digits.
template <class Method>
State<double> step(const Vector<double>& moments, const State<double>& s, double h, std::int64_t count,
                   const typename Method::Options& options = {}) {
  Rotor<Method, Summation::plain> rotor(Body<double>(moments), s, options);
  rotor.advance(h, count);
  return rotor.state();
}

TEST(Toms903, Example0MatrixOneStep) {
  const auto in = numbers("init_example0.dat"), out = numbers("out_example0.dat");
  ASSERT_EQ(out.size(), 26U - 1);
  const State<double> s{vector_at(in, 4), normalized(from_matrix(matrix_at(in, 7)))};
  for (const State<double>& end : {step<FrbMatrix<double>>(vector_at(in, 1), s, in[0], 1),
                                   step<Exact<double>>(vector_at(in, 1), s, in[0], 1)}) {
    EXPECT_LT(reference::momentum_error(end.momentum, vector_at(out, 13)), 1e-15);
    EXPECT_LT(matrix_error(to_matrix(end.attitude), matrix_at(out, 16)), 3e-15);
  }
}

TEST(Toms903, Example2QuaternionOneStep) {
  const auto in = numbers("init_example2.dat"), out = numbers("out_example2.dat");
  const State<double> s{vector_at(in, 4), quaternion_at(in, 7)};
  for (const State<double>& end : {step<FrbQuaternion<double>>(vector_at(in, 1), s, in[0], 1),
                                   step<Exact<double>>(vector_at(in, 1), s, in[0], 1)}) {
    EXPECT_LT(reference::momentum_error(end.momentum, vector_at(out, 8)), 1e-15);
    EXPECT_LT(reference::attitude_error(end.attitude, quaternion_at(out, 11)), 1e-15);
  }
}

/// Ten steps with five Gauss nodes.
TEST(Toms903, Example3MatrixGauss) {
  const auto in = numbers("init_example3.dat"), out = numbers("out_example3.dat");
  const State<double> s{vector_at(in, 2), {}};
  const Vector<double> moments = vector_at(in, 14);
  ASSERT_EQ(in.at(17), 5);
  for (std::size_t n = 1; n <= 10; ++n) {
    const auto count = static_cast<std::int64_t>(n);
    const State<double> gauss =
        step<FrbMatrix<double>>(moments, s, in[0], count, {.quadrature = 5, .frame = {}});
    const State<double> exact = step<Exact<double>>(moments, s, in[0], count);
    EXPECT_LT(reference::momentum_error(gauss.momentum, vector_at(out, 13 * n)), 1e-14);
    EXPECT_LT(reference::momentum_error(exact.momentum, vector_at(out, 13 * n)), 1e-14);
    EXPECT_LT(matrix_error(to_matrix(gauss.attitude), matrix_at(out, 13 * n + 3)), 3e-14) << n;
    EXPECT_LT(matrix_error(to_matrix(exact.attitude), matrix_at(out, 13 * n + 3)), 1e-8) << n;
  }
}

/// The published attitudes carry the truncation error of their quadrature, 8e-10. Ours is smaller, because the frame
/// follows the axis about which the momentum circulates, where the integrand is smoother.
TEST(Toms903, Example4QuaternionGauss) {
  const auto in = numbers("init_example4.dat"), out = numbers("out_example4.dat");
  const State<double> s{vector_at(in, 2), {}};
  const Vector<double> moments = vector_at(in, 9);
  ASSERT_EQ(in.at(12), 5);
  for (std::size_t n = 1; n <= 10; ++n) {
    const auto count = static_cast<std::int64_t>(n);
    const State<double> gauss =
        step<FrbQuaternion<double>>(moments, s, in[0], count, {.quadrature = 5, .frame = {}});
    const State<double> exact = step<Exact<double>>(moments, s, in[0], count);
    EXPECT_LT(reference::momentum_error(gauss.momentum, vector_at(out, 8 * n)), 1e-14);
    EXPECT_LT(reference::momentum_error(exact.momentum, vector_at(out, 8 * n)), 1e-14);
    EXPECT_LT(reference::attitude_error(gauss.attitude, quaternion_at(out, 8 * n + 3)), 1e-9) << n;
    EXPECT_LT(reference::attitude_error(exact.attitude, quaternion_at(out, 8 * n + 3)), 1e-9) << n;
    EXPECT_LT(reference::attitude_error(gauss.attitude, exact.attitude), 1e-11) << n;
  }
}

}  // namespace
}  // namespace polhode
