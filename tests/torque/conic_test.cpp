// Kepler's equation and the position on conics of every eccentricity, against sums of series in quadruple precision.
#include "polhode/torque/conic.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "polhode/torque/kepler_orbit.hpp"
#include "reference/compare.hpp"
#include "reference/quadruple.hpp"

namespace polhode {

using namespace core;
namespace {

using reference::Quad;
using reference::to_double_double;
using reference::to_quad;

/// e = 0 to 10, some beyond, and around 1 as near as doubles are.
std::vector<double> eccentricities() {
  std::vector<double> all{0,   1e-300, 1e-17, 1e-8, 0.01, 0.3, 0.5, 0.7, 0.9, 1,
                          1.1, 1.5,    2,     2.5,  3.7,  5,   7.3, 10,  1e3, 1e100};
  for (const double small : {1e-15, 1e-14, 1e-12, 1e-10, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2}) {
    all.push_back(1 - small);
    all.push_back(1 + small);
  }
  all.push_back(std::nextafter(1.0, 0.0));
  all.push_back(std::nextafter(1.0, 2.0));
  return all;
}

/// The universal functions by their series, as they are defined.
struct Universal {
  Quad one, two, three;
};
Universal universal(const Quad& alpha, const Quad& s) {
  const auto sum = [&](int n) {
    Quad term(1);
    for (int i = 1; i <= n; ++i) term *= s / Quad(i);
    Quad total(0);
    for (int k = n; k < 2000; k += 2) {
      total += term;
      term *= -alpha * s * s / (Quad(k + 1) * Quad(k + 2));
      if (abs(term) < Quad(1e-38) * abs(total)) break;
    }
    return total;
  };
  return {sum(1), sum(2), sum(3)};
}

/// The largest anomaly that is tried: half a revolution, or far out.
double largest_anomaly(double e) {
  if (e == 1) return 1e10;
  return std::min(1e10, (e < 1 ? 3.14159265358979 : 45.0) / std::sqrt(std::abs(1 - e)));
}

struct Errors {
  double anomaly = 0, place = 0, distance = 0;
};

/// In units of the epsilon of U: of the anomaly relative to it, of the place and the distance relative to the distance.
template <class U>
Errors worst_errors(double e, int count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform(0, 1);
  const double unit = static_cast<double>(ScalarTraits<U>::epsilon());
  const Conic<double> conic(e);
  const Quad alpha = Quad(1) - Quad(e), root = sqrt(abs(alpha)), speed = sqrt(Quad(1) + Quad(e));
  const double largest = largest_anomaly(e);
  Errors worst;
  for (int i = 0; i < count; ++i) {
    // Evenly, or over all sizes, tiny ones too.
    const double s = i % 2 == 0 ? largest * uniform(random) : largest * std::pow(1e-24, uniform(random));
    const Universal exact = universal(alpha, Quad(s));
    const Quad r = Quad(1) + Quad(e) * exact.two;
    const DoubleDouble time = to_double_double(Quad(s) + Quad(e) * exact.three);
    const auto point = conic.at<U>(i % 4 < 2 ? time : -time);
    const Quad y = i % 4 < 2 ? speed * exact.one : -speed * exact.one;
    const auto relative = [&](const Quad& x, const Quad& size) {
      return std::abs(static_cast<double>(x / size)) / unit;
    };
    worst.place = std::max({worst.place, relative(to_quad(point.x) - (Quad(1) - exact.two), r),
                            relative(to_quad(point.y) - y, r)});
    worst.distance = std::max(worst.distance, relative(to_quad(point.distance) - r, r));
    const bool series = conic.is_series(time);
    const DoubleDouble mean = conic.mean_motion() * time;
    const auto anomaly = series  ? conic.series_anomaly<U>(time)
                         : e < 1 ? conic.elliptic_anomaly<U>(mean)
                                 : conic.hyperbolic_anomaly<U>(mean);
    const Quad expected = series ? Quad(s) : Quad(s) * root;
    worst.anomaly =
        std::max(worst.anomaly, relative(to_quad(U(anomaly.value + anomaly.change)) - expected, expected));
  }
  return worst;
}

// Of 400: 0.95, 2.01 and 1.92.
TEST(Conic, SolvesKeplersEquationInDouble) {
  for (const double e : eccentricities()) {
    const Errors worst = worst_errors<double>(e, 400, 11);
    EXPECT_LT(worst.anomaly, 1.5) << e;
    EXPECT_LT(worst.place, 2.5) << e;
    EXPECT_LT(worst.distance, 2.5) << e;
  }
}

TEST(Conic, SolvesKeplersEquationInExtendedPrecision) {
  for (const double e : eccentricities()) {
    const Errors worst = worst_errors<DoubleDouble>(e, 100, 12);
    EXPECT_LT(worst.anomaly, 1.5) << e;
    EXPECT_LT(worst.place, 2.5) << e;
    EXPECT_LT(worst.distance, 2.5) << e;
  }
}

/// The time far from the periapsis, or after many revolutions, has more digits than a double.
TEST(Conic, KeepsThePhase) {
  for (const double e : {0.2, 0.999, 1.0, 1.001, 4.0}) {
    const OrbitElements<double> elements{.gravitational_parameter = 3.0,
                                         .eccentricity = e,
                                         .inclination = 0.7,
                                         .ascending_node = 1.1,
                                         .argument_of_periapsis = -0.4,
                                         .periapsis = 0.7,
                                         .periapsis_time = 12.3};
    const OrbitElements<Quad> same{.gravitational_parameter = Quad(3.0),
                                   .eccentricity = Quad(e),
                                   .inclination = Quad(0.7),
                                   .ascending_node = Quad(1.1),
                                   .argument_of_periapsis = Quad(-0.4),
                                   .periapsis = Quad(0.7),
                                   .periapsis_time = Quad(12.3)};
    const KeplerOrbit<double> orbit(elements);
    const KeplerOrbit<Quad> exact(same);
    for (const double time : {12.3, 12.300000000001, -1e2, 1.2345e5, 3.3e7, -7.7e12}) {
      const auto point = orbit.at<double>(time);
      const auto expected = exact.at<Quad>(Quad(time));
      EXPECT_LT(reference::momentum_error(point.radial, expected.radial), 1e-15) << e << ' ' << time;
      EXPECT_LT(std::abs(static_cast<double>(Quad(point.distance) / expected.distance - Quad(1))), 1e-15)
          << e;
    }
  }
}

/// An ellipse given in both ways is one.
TEST(Conic, AgreesWithTheClassicalEllipse) {
  const double a = 2.5, e = 0.25;  // a (1 - e) is a double
  const KeplerOrbit<double> classical(
      {.semi_major_axis = a, .gravitational_parameter = 3.0, .eccentricity = e});
  const KeplerOrbit<double> other(
      {.gravitational_parameter = 3.0, .eccentricity = e, .periapsis = a * (1 - e)});
  EXPECT_LT(std::abs(static_cast<double>(classical.mean_motion() / other.mean_motion() - 1.0)), 1e-30);
  for (int i = -40; i < 40; ++i) {
    const auto one = classical.at<DoubleDouble>(0.37 * i), two = other.at<DoubleDouble>(0.37 * i);
    EXPECT_LT(reference::momentum_error(one.radial, two.radial), 1e-29);
    EXPECT_LT(reference::momentum_error(one.forward, two.forward), 1e-29);
    EXPECT_LT(std::abs(static_cast<double>(one.distance * classical.unit() - two.distance * other.unit())),
              1e-29);
  }
}

TEST(Conic, OrbitsGivenTwiceOrHalfAreRefused) {
  using Elements = OrbitElements<double>;
  const auto complaint = [](const Elements& elements) -> std::string {
    try {
      KeplerOrbit<double> orbit(elements);
    } catch (const InputError& e) {
      return e.what();
    }
    return "none";
  };
  EXPECT_EQ(complaint({.semi_major_axis = 2, .periapsis = 1.0}),
            "the orbit is given twice: by its periapsis, and by a semi-major axis or a mean anomaly");
  EXPECT_EQ(complaint({.mean_anomaly = 2, .periapsis = 1.0}),
            "the orbit is given twice: by its periapsis, and by a semi-major axis or a mean anomaly");
  EXPECT_EQ(complaint({.periapsis_time = 3}), "the time of the periapsis is given without its distance");
  EXPECT_EQ(complaint({.periapsis = 0.0}), "the distance of the periapsis is not positive");
  EXPECT_EQ(complaint({.periapsis = HUGE_VAL}), "an element of the orbit is not a finite number");
  EXPECT_EQ(complaint({.eccentricity = 1.5}),
            "the eccentricity is not below 1: the orbit is not an ellipse, give its periapsis");
  EXPECT_EQ(complaint({.eccentricity = 1.5, .periapsis = 1.0}), "none");
}

}  // namespace
}  // namespace polhode
