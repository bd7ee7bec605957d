#if __has_include(<Eigen/Geometry>)
#include "polhode/eigen.hpp"

#include <gtest/gtest.h>

#include "polhode/free_motion/rotor.hpp"

namespace polhode::testing {
namespace {

using eigen::from_eigen;
using eigen::to_eigen;

TEST(Eigen, RotatesAsWeDo) {
  const Rotor rotor = [] {
    Rotor r(Body({1.0, 2.0, 3.0}), {.momentum = {0.3, 0.4, 0.5}, .attitude = {0.8, 0.0, 0.6, 0.0}});
    r.advance(0.7, 3);
    return r;
  }();
  const State<double> state = rotor.state();
  const Eigen::Vector3d ours = to_eigen(rotate(state.attitude, state.momentum));
  const Eigen::Vector3d theirs = to_eigen(state.attitude) * to_eigen(state.momentum);
  EXPECT_LT((ours - theirs).norm(), 1e-15);
  EXPECT_LT((to_eigen(to_matrix(state.attitude)) - to_eigen(state.attitude).toRotationMatrix()).norm(),
            1e-15);
}

TEST(Eigen, ComesBackTheSame) {
  const Vector<double> v{1.0, 2.0, 3.0};
  const Quaternion<double> q{0.1, 0.2, 0.3, 0.4};
  const Matrix<double> m{{1.0, 2.0, 3.0}, {4.0, 5.0, 6.0}, {7.0, 8.0, 9.0}};
  EXPECT_EQ(from_eigen(to_eigen(v)), v);
  EXPECT_EQ(from_eigen(to_eigen(q)), q);
  EXPECT_EQ(from_eigen(to_eigen(m)), m);
  EXPECT_EQ(to_eigen(q).w(), 0.1);
  EXPECT_EQ(to_eigen(m)(0, 2), 3.0);
}

TEST(Eigen, MapsShareTheMemory) {
  Vector<double> v{1.0, 2.0, 3.0};
  eigen::map(v) *= 2.0;
  EXPECT_EQ(v, (Vector<double>{2.0, 4.0, 6.0}));
}

}  // namespace
}  // namespace polhode::testing
#endif
