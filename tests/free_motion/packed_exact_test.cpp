// The exact flow of a pack against that of its bodies, bit for bit.

#include "polhode/free_motion/packed_exact.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace polhode {
namespace {

using Sums = Motion<double, Summation::compensated>;

Sums lane_of(const PackSums& sums, std::size_t lane) {
  Sums one;
  one.visit_with(sums, [lane](double& x, const Pack& y) { x = y[lane]; });
  return one;
}

bool same(const Sums& a, const Sums& b) {
  return a.momentum() == b.momentum() && a.momentum_error() == b.momentum_error() &&
         a.attitude() == b.attitude() && a.attitude_error() == b.attitude_error();
}

/// Bodies at rest, with short, middle, divided and long steps side by side, each of its own kind.
TEST(PackedExact, HasTheBitsOfEachBodyAlone) {
  std::mt19937_64 random(23);
  std::uniform_real_distribution<double> uniform(0.05, 1.0);
  std::normal_distribution<double> normal;
  const std::vector<double> angles{0.0, 1e-9, 0.03, 0.062, 0.0626, 0.2, 0.499, 0.51, 1.7, 3.9, 4.1, 100.0};
  for (int trial = 0; trial < 3000; ++trial) {
    std::vector<Exact<double>> exact;
    std::vector<Sums> alone;
    PackedExact packed;
    PackSums sums;
    Pack h;
    for (std::size_t lane = 0; lane < Pack::width; ++lane) {
      Vector<double> moments{{uniform(random), uniform(random), uniform(random)}};
      if (trial % 7 == 0) moments[1] = moments[0];
      std::sort(moments.c.begin(), moments.c.end());
      exact.emplace_back(Inertia<double>(moments));
      packed.set(lane, exact.back());
      // Mostly of one kind, so that each branch is taken by whole packs too.
      const double angle = angles[trial % 3 == 0 ? static_cast<std::size_t>(trial / 3) % angles.size()
                                                 : random() % angles.size()];
      Vector<double> m{{normal(random), normal(random), normal(random)}};
      if (angle == 0.0) m = {};
      alone.emplace_back(State<double>{m, {normal(random), normal(random), normal(random), normal(random)}});
      h.set(lane, angle == 0.0 ? 0.1 : (trial % 2 == 0 ? 1 : -1) * angle * moments[0] / norm(m));
      sums.visit_with(alone.back(), [lane](Pack& x, double y) { x.set(lane, y); });
    }
    for (int step = 0; step < 3; ++step) {
      packed.step(sums, h, [&](std::size_t lane) -> const Exact<double>& { return exact[lane]; });
      for (std::size_t lane = 0; lane < Pack::width; ++lane) {
        exact[lane].step(alone[lane], h[lane]);
        ASSERT_TRUE(same(lane_of(sums, lane), alone[lane])) << "lane " << lane << ", step " << h[lane];
      }
    }
  }
}

}  // namespace
}  // namespace polhode
