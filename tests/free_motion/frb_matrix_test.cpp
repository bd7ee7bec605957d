// Algorithm 1 of [CZ08] for an attitude that is carried as a matrix.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "polhode/polhode.hpp"

namespace polhode {

using namespace core;
namespace {

/// Random bodies and momenta, symmetric bodies and spin about an axis among them: the matrix is that of the quaternion, to 1e-15 measured.
TEST(FrbMatrixDisplacement, IsTheRotationOfTheQuaternion) {
  std::mt19937_64 random(2008);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int i = 0; i < 2000; ++i) {
    Vector<double> moments, m;
    for (std::size_t k = 0; k < 3; ++k) {
      moments[k] = 0.1 + std::abs(uniform(random));
      m[k] = uniform(random);
    }
    if (i % 7 == 0) moments[1] = moments[0];
    if (i % 11 == 0) m[0] = m[1] = 0;
    if (i % 13 == 0) m = {};
    const double h = 5 * uniform(random);
    const Body<double> body(moments);
    const FrbMatrix<double> method(body.inertia());
    const State<double> expected = method.displacement(m, h);
    const MatrixDisplacement<double> found = method.matrix_displacement(m, h);
    EXPECT_EQ(found.momentum, expected.momentum);
    const Matrix<double> r = to_matrix(expected.attitude);
    for (std::size_t j = 0; j < 3; ++j)
      for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(found.rotation[j][k], r[j][k], 2e-15);
  }
}

}  // namespace
}  // namespace polhode
