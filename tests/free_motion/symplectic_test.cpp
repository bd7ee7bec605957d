// Which methods for the free motion are symplectic on the whole phase space, momentum and attitude: what a splitting needs for an
// energy that does not drift.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <type_traits>

#include "polhode/free_motion/exact.hpp"
#include "polhode/free_motion/magnus.hpp"
#include "polhode/free_motion/mclachlan_reich.hpp"
#include "polhode/free_motion/moser_veselov.hpp"
#include "polhode/free_motion/rk4.hpp"

namespace polhode {

using namespace core;
namespace {

using W = DoubleDouble;
using Point = std::array<W, 7>;  // the momentum, then a unit quaternion
using Brackets = std::array<std::array<W, 7>, 7>;

/// Those of the coordinates with each other: {m_i, m_j} = -e_ijk m_k, {q, m_i} = q (0, e_i)/2.
Brackets brackets_at(const Point& x) {
  Brackets b{};
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
    b[i][j] = -x[k];
    b[j][i] = x[k];
    Vector<W> axis{};
    axis[i] = W(0.5);
    const Quaternion<W> turned = times_vector(Quaternion<W>{x[3], x[4], x[5], x[6]}, axis);
    for (std::size_t a = 0; a < 4; ++a) {
      b[3 + a][i] = turned[a];
      b[i][3 + a] = -turned[a];
    }
  }
  return b;
}

template <class Method>
Point after(const Point& x, double h) {
  const Method method(Inertia<W>(Vector<W>{{W(1.0), W(1.4), W(2.0)}}), {});
  Motion<W, Summation::plain> motion;
  motion.assign(Vector<W>{{x[0], x[1], x[2]}}, Quaternion<W>{x[3], x[4], x[5], x[6]});
  method.step(motion, W(h));
  const Vector<W> m = motion.wide_momentum();
  const Quaternion<W> q = normalized(motion.wide_attitude());
  return {m[0], m[1], m[2], q[0], q[1], q[2], q[3]};
}

/// How far a step is from keeping the brackets: of the momenta among themselves, and of all.
struct Defect {
  double of_momenta = 0, of_all = 0;
};

template <class Method>
Defect defect(double h) {
  Point x{W(0.5), W(-0.7), W(0.9), W(0.5), W(-0.1), W(0.7), W(0.5)};  // the quaternion has norm one
  std::array<Point, 7> derivative;
  const W d(1e-8);
  for (std::size_t k = 0; k < 7; ++k) {
    const auto moved = [&](double by) {
      Point y = x;
      y[k] += W(by) * d;
      return after<Method>(y, h);
    };
    const Point a = moved(1), b = moved(-1), c = moved(2), e = moved(-2);
    for (std::size_t i = 0; i < 7; ++i)
      derivative[k][i] = (W(8) * (a[i] - b[i]) - (c[i] - e[i])) / (W(12) * d);
  }
  const Brackets before = brackets_at(x), behind = brackets_at(after<Method>(x, h));
  Defect result;
  for (std::size_t i = 0; i < 7; ++i) {
    for (std::size_t j = 0; j < 7; ++j) {
      W carried(0);
      for (std::size_t k = 0; k < 7; ++k)
        for (std::size_t l = 0; l < 7; ++l) carried += derivative[k][i] * before[k][l] * derivative[l][j];
      const double error = std::abs(static_cast<double>(carried - behind[i][j]));
      result.of_all = std::max(result.of_all, error);
      if (i < 3 && j < 3) result.of_momenta = std::max(result.of_momenta, error);
    }
  }
  return result;
}

TEST(Symplectic, ExactAndTheSplittingAre) {
  for (const double h : {0.1, 0.4, 3.0}) {
    EXPECT_LT(defect<Exact<W>>(h).of_all, 1e-21) << h;
    EXPECT_LT((defect<MoserVeselov<W, 2>>(h / 4).of_all), 1e-21) << h;
    EXPECT_LT(defect<McLachlanReich<W>>(h).of_all, 1e-21) << h;
  }
}

/// The moments that preprocessing modifies depend on the motion. The momentum goes along its orbit by a time that the invariants
/// determine, which is symplectic; but the turn about the momentum that would belong to it is only there to the order of the
/// method. In a splitting the energy drifts.
TEST(Symplectic, PreprocessedMoserVeselovIsInTheMomentumAlone) {
  const auto check = []<int order>(std::integral_constant<int, order>, double at_a_tenth) {
    using Method = MoserVeselov<W, order>;
    const Defect small = defect<Method>(0.1), large = defect<Method>(0.2);
    EXPECT_LT(small.of_momenta, 1e-21);
    EXPECT_NEAR(std::log2(large.of_all / small.of_all), order + 1, 0.2);
    EXPECT_NEAR(small.of_all / at_a_tenth, 1.0, 0.2);
  };
  check(std::integral_constant<int, 4>{}, 2.1e-8);
  check(std::integral_constant<int, 6>{}, 1.3e-11);
  check(std::integral_constant<int, 8>{}, 3.5e-15);
  check(std::integral_constant<int, 10>{}, 6.2e-19);
}

/// The attitude follows by itself: the brackets are off to the order of the method, those of the momentum alone are kept.
TEST(Symplectic, MagnusIsInTheMomentumAlone) {
  const Defect small = defect<Magnus<W, 2>>(0.1), large = defect<Magnus<W, 2>>(0.2);
  EXPECT_LT(small.of_momenta, 1e-21);
  EXPECT_GT(small.of_all, 1e-6);
  EXPECT_NEAR(std::log2(large.of_all / small.of_all), 3, 0.2);
  const Defect fine = defect<Magnus<W, 4>>(0.1), coarse = defect<Magnus<W, 4>>(0.2);
  EXPECT_LT(fine.of_momenta, 1e-21);
  EXPECT_NEAR(std::log2(coarse.of_all / fine.of_all), 5, 0.2);
}

TEST(Symplectic, RungeKuttaIsNot) { EXPECT_GT(defect<RungeKutta4<W>>(0.1).of_momenta, 1e-10); }

}  // namespace
}  // namespace polhode
