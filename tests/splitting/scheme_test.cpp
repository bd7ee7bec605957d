// The schemes themselves, on two flows that have nothing to do with rigid bodies.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <set>

#include "polhode/arithmetic/double_double_functions.hpp"
#include "polhode/splitting/composition.hpp"
#include "polhode/splitting/schemes.hpp"

namespace polhode {

using namespace core;
namespace {

using D = DoubleDouble;

struct Point {
  D x, y, p, r;
};

double distance(const Point& a, const Point& b) {
  double worst = 0;
  for (const D& d : {a.x - b.x, a.y - b.y, a.p - b.p, a.r - b.r})
    worst = std::max(worst, std::abs(static_cast<double>(d)));
  return worst;
}

/// Henon and Heiles' force; the drift is quadratic in the momenta where the scheme needs that, and of degree four otherwise.
struct Flows {
  bool quadratic;
  void drift(Point& s, const D& h) const {
    s.x += h * (quadratic ? s.p : s.p + s.p * s.p * s.p + s.r);
    s.y += h * (quadratic ? s.r : s.r + s.p);
  }
  void kick(Point& s, const D& h) const {
    s.p -= h * (s.x + D(2) * s.x * s.y);
    s.r -= h * (s.y + s.x * s.x - s.y * s.y);
  }
};

Point after(const Scheme& scheme, int steps) {
  const Flows flows{scheme.nystrom};
  Point s{0.3, -0.2, 0.2, 0.35};
  compose(
      scheme, D(1) / D(steps), [&](Point& a, const D& h) { flows.drift(a, h); },
      [&](Point& a, const D& h) { flows.kick(a, h); })(s, steps);
  return s;
}

TEST(Scheme, HasItsOrder) {
  for (const Scheme& scheme : schemes) {
    const Point coarse = after(scheme, 16), middle = after(scheme, 32), fine = after(scheme, 64);
    EXPECT_NEAR(std::log2(distance(coarse, middle) / distance(middle, fine)), scheme.order, 0.08)
        << scheme.name;
  }
}

TEST(Scheme, LeavesNothingOfTheStep) {
  for (const Scheme& scheme : schemes) {
    for (const double step : {0.1, 1.0 / 3, 7e-5, -0.3}) {
      D free(0), kick(0);
      std::size_t kicks = 0;
      const Stages<double> stages(scheme, step);
      for (const auto& stage : stages.list()) {
        (stage.part == Part::free ? free : kick) += D(stage.length);
        kicks += stage.part == Part::kick;
      }
      // The rounding of one stage, which may be longer than the step, or of two that are shorter.
      EXPECT_LE(std::abs(static_cast<double>(free - D(step))), 0x1p-52 * std::abs(step)) << scheme.name;
      EXPECT_LE(std::abs(static_cast<double>(kick - D(step))), 0x1p-52 * std::abs(step)) << scheme.name;
      EXPECT_EQ(kicks, scheme.stages() + (scheme.first == Part::kick ? 1 : 0)) << scheme.name;
      const auto& last = stages.list().back();
      EXPECT_EQ(stages.list().front().length, last.length);
      if (last.part == Part::kick) {
        EXPECT_LT(std::abs(static_cast<double>(last.time - D(step))), 1e-30) << scheme.name;
      }
    }
  }
}

TEST(Scheme, HasANameOfItsOwn) {
  std::set<std::string_view> names;
  for (const Scheme& scheme : schemes) {
    EXPECT_TRUE(names.insert(scheme.name).second) << scheme.name;
    EXPECT_EQ(find_scheme(scheme.name), &scheme);
  }
  EXPECT_EQ(find_scheme("no-such-scheme"), nullptr);
  static_assert(scheme("rkn6-14").order == 6);
}

/// With a kick that is eps times the free motion the error is eps h^p1 + eps^2 h^p2 + eps^3 h^p3. The terms are told apart by
/// combinations of eps, -eps, 2 eps and -2 eps in which all lower ones cancel.
TEST(Scheme, HasItsGeneralisedOrders) {
  // A rotation, whose flow is known, and a kick of the third degree.
  const auto difference = [](const Scheme& scheme, double eps, int steps) {
    const auto end = [&](int n) {
      Point s{0.7, 0, -0.4, 0};
      compose(
          scheme, D(2) / D(n),
          [](Point& a, const D& h) {
            const auto [sine, cosine] = sincos(h);
            const D x = a.x;
            a.x = cosine * x + sine * a.p;
            a.p = cosine * a.p - sine * x;
          },
          [eps](Point& a, const D& h) { a.p -= h * D(eps) * a.x * a.x * (D(1) + a.x); })(s, n);
      return s.x;
    };
    return end(steps) - end(2 * steps);
  };
  const auto term = [&](const Scheme& scheme, int power, int steps) {
    const double eps = power == 1 ? 1e-8 : 1e-3;
    const auto at = [&](double e) { return difference(scheme, e, steps); };
    switch (power) {
      case 1:
        return at(eps) - at(-eps);
      case 2:
        return at(eps) + at(-eps);
      default:
        return (at(2 * eps) - at(-2 * eps)) - D(2) * (at(eps) - at(-eps));
    }
  };
  for (const Scheme& scheme : schemes) {
    for (int power = 1; power <= 3; ++power) {
      const int order = scheme.generalised[static_cast<std::size_t>(power - 1)];
      if (order == 0) continue;
      const int steps = 8;
      const double coarse = std::abs(static_cast<double>(term(scheme, power, steps)));
      const double fine = std::abs(static_cast<double>(term(scheme, power, 2 * steps)));
      EXPECT_NEAR(std::log2(coarse / fine), order, 0.15) << scheme.name << ", eps^" << power;
    }
  }
}

TEST(Decimal, IsReadToTheLastPlace) {
  EXPECT_EQ(from_decimal<double>("0.1"), 0.1);
  EXPECT_EQ(from_decimal<double>("-1.17767998417887100694641568096431573"), -1.177679984178871007);
  EXPECT_EQ(from_decimal<double>("3"), 3.0);
  const D third = from_decimal<D>("0.33333333333333333333333333333333333333333");
  EXPECT_LT(std::abs(static_cast<double>(third - D(1) / D(3))), 1e-32);
}

}  // namespace
}  // namespace polhode
