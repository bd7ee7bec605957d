// The header for engines against quadruple precision, and over many steps.

#include "polhode_step.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <tuple>
#include <utility>
#include <vector>

#include "reference/growth.hpp"
#include "reference/quadruple.hpp"
#include "reference/taylor.hpp"

namespace polhode {

using namespace core;
namespace {

using reference::Quad;

struct Problem {
  std::array<double, 3> omega;
  std::array<double, 4> q;
  std::array<double, 3> moments;
  double dt;
};

/// Bodies of all shapes (needles, discs, spheres, symmetric and nearly so), one spin in four next to an axis, one in four on the
/// separatrix or next to it, steps of up to `angle` radians in both directions.
class Problems {
 public:
  explicit Problems(double angle) : angle_(angle) {}

  Problem next() {
    Problem p;
    std::array<double, 3> spread;  // the second moments of mass: the triangle inequality holds
    for (double& x : spread) x = uniform() < 0.3 ? std::pow(10, -8 * uniform()) : uniform();
    if (uniform() < 0.1) spread[1] = spread[0];
    if (uniform() < 0.05) spread[2] = spread[1];
    if (uniform() < 0.05) spread[0] = spread[1] * (1 + 1e-12);
    if (uniform() < 0.05) spread[2] = 0;
    p.moments = {spread[1] + spread[2], spread[0] + spread[2], spread[0] + spread[1]};
    for (double& x : p.omega) x = normal_(random_);
    const int kind = static_cast<int>(4 * uniform());
    if (kind == 0) {
      const auto axis = static_cast<std::size_t>(3 * uniform());
      const double beside = std::pow(10, -16 * uniform());
      for (std::size_t i = 0; i < 3; ++i)
        if (i != axis) p.omega[i] *= beside;
    } else if (kind == 1) {
      const auto& m = p.moments;
      const int middle = polhode_middle_(m[0] < m[1], m[1] < m[2], m[2] < m[0]);
      const auto axis = [&](std::size_t i) { return (static_cast<std::size_t>(middle) + 2 + i) % 3; };
      const auto moment = [&](std::size_t i) { return p.moments[axis(i)]; };
      const auto omega = [&](std::size_t i) -> double& { return p.omega[axis(i)]; };
      const double third = (moment(2) - moment(1)) * moment(2), first = (moment(1) - moment(0)) * moment(0);
      if (third != 0) omega(2) = omega(0) * std::sqrt(first / third);
      if (uniform() < 0.5) {
        const double near = std::pow(10, -10 * uniform());
        omega(0) *= near;
        omega(2) *= near;
      }
    }
    const double speed = std::hypot(p.omega[0], p.omega[1], p.omega[2]);
    p.dt = (uniform() < 0.5 ? angle_ * uniform() : angle_ * std::pow(10, -4 * uniform())) / speed;
    if (uniform() < 0.3) p.dt = -p.dt;
    double size = 0;
    for (double& x : p.q) {
      x = normal_(random_);
      size += x * x;
    }
    for (double& x : p.q) x /= std::sqrt(size);
    return p;
  }

 private:
  double uniform() { return uniform_(random_); }

  double angle_;
  std::mt19937_64 random_{2026};
  std::uniform_real_distribution<double> uniform_{0, 1};
  std::normal_distribution<double> normal_{};
};

/// The larger of |d omega|/|omega| and |d q|, the sign of q included.
template <class T>
double error(const Problem& p, const T* omega, const T* q) {
  State<Quad> start;
  Vector<Quad> moments;
  Quad size(0);
  for (double x : p.q) size += Quad(x) * Quad(x);
  for (std::size_t i = 0; i < 3; ++i) {
    moments[i] = p.moments[i];
    start.momentum[i] = Quad(p.moments[i]) * Quad(p.omega[i]);
  }
  for (std::size_t i = 0; i < 4; ++i) start.attitude.c[i] = Quad(p.q[i]) / sqrt(size);
  const double speed = std::hypot(p.omega[0], p.omega[1], p.omega[2]);
  const double steps = std::max(1.0, std::ceil(std::abs(p.dt) * speed / 0.25));
  const State<Quad> end = reference::taylor_steps<32, Quad>(moments, start, {}, {}, Quad(p.dt) / Quad(steps),
                                                            static_cast<long>(steps));
  double omega_error = 0, q_error = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const auto d = static_cast<double>(Quad(omega[i]) - end.momentum[i] / moments[i]);
    omega_error += d * d;
  }
  for (std::size_t i = 0; i < 4; ++i) {
    const auto d = static_cast<double>(Quad(q[i]) - end.attitude[i]);
    q_error += d * d;
  }
  const double worst = std::max(std::sqrt(omega_error) / speed, std::sqrt(q_error));
  return std::isnan(worst) ? HUGE_VAL : worst;
}

TEST(Step, IsExactForAnyBodyAndStep) {
  for (const auto& [angle, count, bound] :
       {std::tuple{0.15, 800, 1e-15}, std::tuple{2.4, 200, 4e-15}, std::tuple{10.0, 200, 4e-15}}) {
    Problems problems(angle);
    for (int i = 0; i < count; ++i) {
      const Problem p = problems.next();
      Problem end = p;
      polhode_free_step(end.omega.data(), end.q.data(), p.moments.data(), p.dt);
      ASSERT_LT(error(p, end.omega.data(), end.q.data()), bound) << angle << ' ' << i;
    }
  }
}

TEST(Step, IsExactInSinglePrecision) {
  for (const auto& [angle, count] : {std::pair{0.15, 500}, std::pair{10.0, 100}}) {
    Problems problems(angle);
    for (int i = 0; i < count; ++i) {
      Problem p = problems.next();
      std::array<float, 3> omega, moments;
      std::array<float, 4> q;
      for (std::size_t j = 0; j < 3; ++j) {
        p.omega[j] = omega[j] = static_cast<float>(p.omega[j]);
        p.moments[j] = moments[j] = static_cast<float>(p.moments[j]);
      }
      for (std::size_t j = 0; j < 4; ++j) p.q[j] = q[j] = static_cast<float>(p.q[j]);
      const auto dt = static_cast<float>(p.dt);
      p.dt = static_cast<double>(dt);
      polhode_free_stepf(omega.data(), q.data(), moments.data(), dt);
      ASSERT_LT(error(p, omega.data(), q.data()), 1e-6) << angle << ' ' << i;
    }
  }
}

double relative_energy_error(const double* omega, const double* start, const double* moments) {
  Quad now(0), before(0);
  for (std::size_t i = 0; i < 3; ++i) {
    now += Quad(moments[i]) * Quad(omega[i]) * Quad(omega[i]);
    before += Quad(moments[i]) * Quad(start[i]) * Quad(start[i]);
  }
  return static_cast<double>(now / before - Quad(1));
}

/// The energy walks at random. What storing omega in double costs alone is 1.1e-13 after 10^6 steps.
TEST(Step, KeepsTheEnergyOverAMillionSteps) {
  const std::vector<double> counts{1e3, 1e4, 1e5, 1e6};
  std::vector<double> sizes(counts.size(), 0.0);
  constexpr int bodies = 24;
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> uniform(0, 1);
  for (int body = 0; body < bodies; ++body) {
    double spread[3], start[3];
    for (double& x : spread) x = 0.1 + uniform(random);
    for (double& x : start) x = 6 * uniform(random) - 3;
    const double moments[3] = {spread[1] + spread[2], spread[0] + spread[2], spread[0] + spread[1]};
    double omega[3] = {start[0], start[1], start[2]}, q[4] = {1, 0, 0, 0};
    long taken = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
      for (; taken < static_cast<long>(counts[i]); ++taken) polhode_free_step(omega, q, moments, 1.0 / 60);
      const double e = relative_energy_error(omega, start, moments);
      sizes[i] += e * e / bodies;
    }
  }
  for (double& size : sizes) size = std::sqrt(size);
  EXPECT_LT(sizes.back(), 2e-13);
  EXPECT_LT(reference::growth(counts, sizes), 0.6);
}

/// An hour at 60 Hz, next to the axes of least and of greatest moment.
TEST(Step, StableSpinStaysStableInSinglePrecision) {
  const float moments[3] = {0.8083F, 0.6833F, 0.1417F};
  for (const std::size_t axis : {0U, 2U}) {
    float omega[3] = {0.05F, 0.05F, 0.05F}, q[4] = {1, 0, 0, 0};
    omega[axis] = 5.0F;
    for (int i = 0; i < 3600 * 60; ++i) {
      polhode_free_stepf(omega, q, moments, 1.0F / 60);
      ASSERT_GT(omega[axis], 4.99F) << axis << ' ' << i;
    }
    EXPECT_NEAR(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3], 1.0F, 1e-6F);
  }
}

/// The two frames have bodies that differ in the last place, which 146 seconds of free motion make 2e-13.
TEST(Step, TakesATensor) {
  const Quaternion<double> turn = normalized(Quaternion<double>(0.3, 0.8, -0.1, 0.5));
  const Matrix<double> r = to_matrix(turn);
  const double moments[3] = {0.345, 0.653, 0.9};
  double tensor[9];
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      tensor[3 * i + j] = 0;
      for (std::size_t k = 0; k < 3; ++k) tensor[3 * i + j] += r[i][k] * moments[k] * r[j][k];
    }
  polhode_tensor body;
  ASSERT_EQ(polhode_prepare(&body, tensor), 1);
  double omega[3] = {0.5, 0.2, 0.84}, q[4] = {1, 0, 0, 0};
  const Vector<double> rotated = r * Vector<double>{{0.5, 0.2, 0.84}};
  double omega2[3] = {rotated[0], rotated[1], rotated[2]}, q2[4];
  for (std::size_t i = 0; i < 4; ++i) q2[i] = conjugate(turn)[i];
  for (const double dt : {0.01, 0.3, 7.0}) {
    for (int i = 0; i < 20; ++i) {
      polhode_free_step(omega, q, moments, dt);
      polhode_tensor_step(omega2, q2, &body, dt);
    }
    const Vector<double> expected = r * Vector<double>{{omega[0], omega[1], omega[2]}};
    const Quaternion<double> attitude = Quaternion<double>(q[0], q[1], q[2], q[3]) * conjugate(turn);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(omega2[i], expected[i], 1e-12) << dt;
    for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(q2[i], attitude[i], 1e-12) << dt;
  }
  // In single precision each of the numbers is rounded once a step.
  float omegaf[3] = {static_cast<float>(omega2[0]), static_cast<float>(omega2[1]),
                     static_cast<float>(omega2[2])};
  float qf[4] = {static_cast<float>(q2[0]), static_cast<float>(q2[1]), static_cast<float>(q2[2]),
                 static_cast<float>(q2[3])};
  polhode_tensor_step(omega2, q2, &body, 0.5);
  polhode_tensor_stepf(omegaf, qf, &body, 0.5F);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(static_cast<double>(omegaf[i]), omega2[i], 4e-7);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(static_cast<double>(qf[i]), q2[i], 4e-7);
  // What is diagonal keeps its axes.
  const double diagonal[9] = {2, 0, 0, 0, 1, 0, 0, 0, 1.5};
  ASSERT_EQ(polhode_prepare(&body, diagonal), 1);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(body.moments[i], diagonal[4 * i]);
    EXPECT_EQ(body.axes[i][i], 1);
  }
  const double flat[9] = {1, 0, 0, 0, 1, 0, 0, 0, -1};
  EXPECT_EQ(polhode_prepare(&body, flat), 0);
}

TEST(Step, LeavesWhatIsAtRestAndRefusesNothing) {
  double omega[3] = {0, 0, 0}, q[4] = {1, 0, 0, 0};
  const double moments[3] = {1, 2, 2.5}, none[3] = {1, 0, 1};
  polhode_free_step(omega, q, moments, 0.1);
  EXPECT_EQ(omega[0], 0);
  EXPECT_EQ(q[0], 1);
  omega[0] = 3;
  polhode_free_step(omega, q, none, 0.1);
  polhode_free_step(omega, q, moments, 0.0);
  EXPECT_EQ(omega[0], 3);
  EXPECT_EQ(q[0], 1);
  polhode_damp(omega, 2.0, 0.25);
  EXPECT_EQ(omega[0], 2);
}

}  // namespace
}  // namespace polhode
