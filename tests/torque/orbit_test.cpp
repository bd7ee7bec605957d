// Kepler orbits, and the gravity gradient along them.

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "polhode/splitting/driven_rotor.hpp"
#include "polhode/torque/gravity_gradient.hpp"
#include "reference/compare.hpp"
#include "reference/quadruple.hpp"

namespace polhode {

using namespace core;
namespace {

using reference::momentum_error;
using reference::Quad;

const OrbitElements<double> skew{.semi_major_axis = 2.5,
                                 .gravitational_parameter = 3.0,
                                 .eccentricity = 0.3,
                                 .inclination = 0.7,
                                 .ascending_node = 1.1,
                                 .argument_of_periapsis = -0.4,
                                 .mean_anomaly = 0.9};

template <class T>
OrbitElements<T> convert_elements(const OrbitElements<double>& e) {
  return {T(e.semi_major_axis), T(e.gravitational_parameter), T(e.eccentricity), T(e.inclination),
          T(e.ascending_node),  T(e.argument_of_periapsis),   T(e.mean_anomaly)};
}

/// Mean anomaly, eccentric anomaly and the equation between them, from the point alone.
TEST(KeplerOrbit, SolvesKeplersEquation) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (const double e : {0.0, 1e-12, 0.01, 0.3, 0.9, 0.99, 0.9999}) {
    const KeplerOrbit<double> orbit({.eccentricity = e});
    double worst = 0;
    for (int i = 0; i < 2000; ++i) {
      const double mean = 3.14159 * uniform(random) * (i % 3 == 0 ? 1e-3 : 1.0);
      const OrbitPoint<DoubleDouble> point = orbit.at<DoubleDouble>(mean);
      const DoubleDouble x = point.distance * point.radial[0], y = point.distance * point.radial[1];
      const DoubleDouble c = x + e;
      const DoubleDouble s = y / sqrt((1.0 - DoubleDouble(e)) * (1.0 + DoubleDouble(e)));
      const DoubleDouble anomaly = atan2(s, c);
      worst = std::max(worst, std::abs(static_cast<double>(anomaly - e * s - mean)));
      // In double the anomaly is ill-conditioned next to the periapsis of a parabola, no more.
      const OrbitPoint<double> rounded = orbit.at<double>(mean);
      EXPECT_LT(momentum_error(rounded.radial, point.radial), 1e-15 / (1 - e)) << e << ' ' << mean;
    }
    EXPECT_LT(worst, 1e-28 / (1 - e)) << e;
  }
}

/// Two-body motion: r'' = -mu r/r^3, by differences of fourth order in quadruple precision.
TEST(KeplerOrbit, ObeysTheEquationOfMotion) {
  const KeplerOrbit<Quad> orbit(convert_elements<Quad>(skew));
  const Quad a(skew.semi_major_axis), mu(skew.gravitational_parameter), h(1e-6);
  const auto position = [&](const Quad& t) {
    const auto point = orbit.at<Quad>(t);
    return a * point.distance * point.radial;
  };
  for (const double time : {0.0, 1.0, 3.7, -2.0}) {
    const Quad t(time);
    const Vector<Quad> r = position(t);
    const Vector<Quad> second = (Quad(1) / (Quad(12) * h * h)) *
                                (Quad(16) * (position(t + h) + position(t - h)) -
                                 (position(t + Quad(2) * h) + position(t - Quad(2) * h)) - Quad(30) * r);
    const Vector<Quad> expected = (-mu / (dot(r, r) * norm(r))) * r;
    EXPECT_LT(momentum_error(second, expected), 1e-18);
    const auto point = orbit.at<Quad>(t);
    EXPECT_LT(std::abs(static_cast<double>(dot(point.radial, point.forward))), 1e-32);
    EXPECT_LT(momentum_error(cross(point.radial, point.forward), orbit.normal()), 1e-32);
  }
}

/// After a million periods the phase is as good as at first.
TEST(KeplerOrbit, KeepsThePhase) {
  const KeplerOrbit<double> orbit(skew);
  const KeplerOrbit<Quad> exact(convert_elements<Quad>(skew));
  for (const double time : {1e2, 1.2345e5, 3.3e7}) {
    const auto point = orbit.at<double>(time);
    EXPECT_LT(momentum_error(point.radial, exact.at<Quad>(Quad(time)).radial), 1e-15) << time;
  }
}

TEST(KeplerOrbit, RefusesWhatIsNoEllipse) {
  const auto with = [](auto change) {
    OrbitElements<double> e = skew;
    change(e);
    return e;
  };
  EXPECT_THROW(KeplerOrbit<double>(with([](auto& e) { e.eccentricity = 1.2; })), InputError);
  EXPECT_THROW(KeplerOrbit<double>(with([](auto& e) { e.eccentricity = 1; })), InputError);
  EXPECT_THROW(KeplerOrbit<double>(with([](auto& e) { e.eccentricity = -0.1; })), InputError);
  EXPECT_THROW(KeplerOrbit<double>(with([](auto& e) { e.semi_major_axis = 0; })), InputError);
  EXPECT_THROW(KeplerOrbit<double>(with([](auto& e) { e.gravitational_parameter = -1; })), InputError);
  EXPECT_THROW(KeplerOrbit<double>(with([](auto& e) { e.inclination = HUGE_VAL; })), InputError);
}

/// The torque is that of the potential, in every frame.
TEST(GravityGradient, IsTheDerivativeOfItsPotential) {
  const Matrix<double> tensor{
      {Vector<double>{{2.0, 0.1, -0.2}}, Vector<double>{{0.1, 1.5, 0.3}}, Vector<double>{{-0.2, 0.3, 1.0}}}};
  const Body<double> body(tensor);
  const GravityGradient<double> gradient{KeplerOrbit<double>(skew)};
  const auto attached = gradient.attached(body);
  const auto by_potential = from_potential([&](const auto& q, const DoubleDouble& t) {
    using U = std::decay_t<decltype(q[0])>;
    const auto point = gradient.orbit().at<DoubleDouble>(t);
    const Vector<U> n = rotate(conjugate(q), convert<U>(point.radial));
    const U factor =
        U(1.5) * U(square(gradient.orbit().mean_motion()) / (point.distance * square(point.distance)));
    U moment(0);
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) moment += n[i] * U(tensor[i][j]) * n[j];
    return factor * moment;
  });
  const Quaternion<DoubleDouble> q = normalized(Quaternion<DoubleDouble>(0.4, -0.3, 0.8, 0.2));
  for (const double t : {0.0, 1.5, 40.0}) {
    const Vector<DoubleDouble> expected = body.to_principal(by_potential(q, DoubleDouble(t)));
    const Quaternion<DoubleDouble> principal = q * conjugate(body.turn());
    // Of any norm.
    const Vector<double> torque = attached.torque(3.0 * convert<double>(principal), t);
    // At three times, by chance; TorqueHasItsDigits has more of them.
    EXPECT_LT(momentum_error(torque, expected), 3e-16);
    const DoubleDouble trace = tensor[0][0] + tensor[1][1] + tensor[2][2];
    const auto point = gradient.orbit().at<DoubleDouble>(DoubleDouble(t));
    const DoubleDouble mean =
        0.5 * square(gradient.orbit().mean_motion()) * trace / (point.distance * square(point.distance));
    EXPECT_LT(std::abs(static_cast<double>(attached.potential(principal, t) -
                                           (by_potential.energy(q, DoubleDouble(t)) - mean))),
              1e-15);  // the moments are rounded
  }
}

/// The place of an ellipse in double is right to some units of the last place, and the torque, where it does not all but vanish, too. (With the
/// sines of the C library and Newton's method these were 5.5e-16 and 2.3e-15.)
TEST(GravityGradient, TorqueHasItsDigits) {
  const GravityGradient<double> gradient{KeplerOrbit<double>(skew)};
  const GravityGradient<DoubleDouble> exact{KeplerOrbit<DoubleDouble>(convert_elements<DoubleDouble>(skew))};
  const auto torque = gradient.attached(Body<double>(Vector<double>{1.0, 1.5, 2.1}));
  const auto wide = exact.attached(Body<DoubleDouble>(Vector<DoubleDouble>{1.0, 1.5, DoubleDouble(2.1)}));
  const Quaternion<double> q(0.4, -0.3, 0.8, 0.2);
  double squares = 0, worst = 0;
  constexpr int count = 2000;
  for (int i = 0; i < count; ++i) {
    const double t = 0.1 * i;
    const double error =
        momentum_error(torque.torque(normalized(q), t), wide.torque(normalized(convert<DoubleDouble>(q)), t));
    squares += error * error;
    worst = std::max(worst, error);
  }
  EXPECT_LT(std::sqrt(squares / count), 5.5e-16);
  EXPECT_LT(worst, 2.3e-15);
}

/// A satellite that librates about its stable position on a circular orbit.
template <class Integrator>
DrivenRotor<Integrator, GravityGradient<double>> satellite(const Integrator& integrator, double pitch,
                                                           double roll) {
  // Radial axis 1 of least inertia, forward axis 2, orbit normal axis 3; it turns once an orbit.
  const Body<double> body(Vector<double>(0.5, 0.9, 1.0));
  const Quaternion<double> about_normal{std::cos(pitch / 2), 0, 0, std::sin(pitch / 2)};
  const Quaternion<double> about_forward{std::cos(roll / 2), 0, std::sin(roll / 2), 0};
  const Quaternion<double> q = about_normal * about_forward;
  const Vector<double> w = rotate(conjugate(q), Vector<double>(0, 0, 1));
  return {body, State<double>{times(body.moments(), w), q},
          GravityGradient<double>{KeplerOrbit<double>(OrbitElements<double>{})}, integrator};
}

TEST(GravityGradient, KeepsTheJacobiIntegral) {
  using Exactly = Splitting<Exact<double>>;
  auto rotor = satellite(Exactly(scheme("rkn6-14")), 0.4, 0.3);
  const GravityGradient<double> gradient{KeplerOrbit<double>(OrbitElements<double>{})};
  const auto integral = [&] {
    const auto now = rotor.synchronized();
    return gradient.jacobi_integral(rotor.energy_of(now), now.invariants().spatial_momentum);
  };
  const DoubleDouble before = integral();
  double worst = 0;
  for (int i = 0; i < 100; ++i) {
    rotor.advance(0.1, 63);
    worst = std::max(worst, std::abs(static_cast<double>(integral() - before)));
  }
  EXPECT_LT(worst, 1e-12);
}

/// Small angles about the normal swing with n sqrt(3 (I2 - I1)/I3).
TEST(GravityGradient, LibratesAsTheLinearTheorySays) {
  auto rotor = satellite(Splitting<Exact<double>>(scheme("rkn6-14")), 1e-5, 0);
  const double frequency = std::sqrt(3 * (0.9 - 0.5) / 1.0);
  const double period = 2 * 3.141592653589793 / frequency;
  const int steps = 200;
  rotor.advance(10 * period / steps, steps);
  const double angle = 10 * period;
  const Quaternion<double> orbital{std::cos(angle / 2), 0, 0, std::sin(angle / 2)};
  const Quaternion<double> relative = conjugate(orbital) * rotor.state().attitude;
  const double pitch = 2 * std::atan2(relative[3], relative[0]);
  // After ten periods the angle is back; a frequency wrong by 1e-6 would show as 2 (pi 1e-5)^2 of it, its rate as 6e-5.
  EXPECT_NEAR(std::abs(pitch), 1e-5, 1e-13);
  const double rate = (rotor.angular_velocity()[2] - 1) / (1e-5 * frequency);
  EXPECT_LT(std::abs(rate), 2e-6);
}

}  // namespace
}  // namespace polhode
