// Derivatives of motions under torque by moments of inertia and by parameters of what acts, against quadruple precision.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "polhode/torque/gravity_gradient.hpp"
#include "reference/driven_derivatives.hpp"

namespace polhode {

using namespace core;
namespace {

using reference::DrivenSystem;
using reference::Quad;

constexpr double step = 0.0625;
constexpr int steps = 4;

/// What acts for a value of the parameter: each part depends on it in its own way.
template <class T>
TorqueList<T> acting(unsigned actions, const T& p) {
  using System = DrivenSystem<T>;
  TorqueList<T> all;
  if (actions & reference::kick) {
    all.add(UniformField<T>(p * System::field_in_space(), System::arm()));
    all.add(AlternatingField<T>(System::field_in_space(), System::medium(), T(3) * p, T(0.5), System::arm()));
    all.add(GravityGradient<T>(KeplerOrbit<T>(OrbitElements<T>{
        .gravitational_parameter = p * p, .eccentricity = p / T(4), .inclination = p / T(2)})));
  }
  if (actions & reference::damping) {
    Matrix<T> c = System::damping_matrix();
    for (auto& row : c.rows) row = p * row;
    all.add(Damping<T>(c, p * System::medium()));
  }
  if (actions & reference::control)
    all.add(differentiable([p]<class U>(const Quaternion<U>& q, const Vector<U>& w, const T& t) {
      return U(p) * reference::DrivenSystem<U>::control_at(q, w, U(p * t));
    }));
  if (actions & reference::wheels) {
    all.add(Wheels<T>(p * System::rotor()));
    all.add(Wheels<T>([p](const T& t) { return System::motor_at(p * t); }));
  }
  if (actions & reference::dissipation) all.add(Dissipation<T>(p * System::dissipation_coefficient()));
  if (actions & reference::inertia)
    all.add(ChangingInertia<T>([p](const T& t) { return System::tensor_at(p * t); }));
  return all;
}

template <class T>
State<T> start() {
  return {DrivenSystem<T>::start().momentum, {T(0.5), T(-0.5), T(0.5), T(0.5)}};
}

State<Quad> quadruple_end(unsigned actions, const Scheme& scheme, const Vector<Quad>& moments,
                          const Quad& p) {
  DrivenRotor<Splitting<Exact<Quad>>, TorqueList<Quad>> rotor(
      Body<Quad>(moments), start<Quad>(), acting<Quad>(actions, p), Splitting<Exact<Quad>>(scheme), Quad(3));
  rotor.advance(Quad(step), steps);
  return rotor.state();
}

/// In units of the largest component, or of one where all are zero.
double error_of(const Tangent<double>& found, const std::function<State<Quad>(const Quad&)>& end) {
  const Quad e(0x1p-36);
  const auto d = reference::difference<Quad>(end(e), end(-e));
  double worst = 0, largest = 0;
  for (std::size_t i = 0; i < 6; ++i) {
    const auto expected = static_cast<double>(d[i] / (Quad(2) * e));
    worst = std::max(worst, std::abs((i < 3 ? found.momentum[i] : found.rotation[i - 3]) - expected));
    largest = std::max(largest, std::abs(expected));
  }
  return worst / (largest > 0 ? largest : 1.0);
}

void expect_derivatives(unsigned actions, const Scheme& scheme, double bound) {
  const Vector<double> moments{1.0, 1.375, 2.0};
  derivatives::DrivenTangent<double> run(Body<double>(moments), start<double>(),
                                         acting<double>(actions, 1.25), scheme, DoubleDouble(3));
  run.follow_moments();
  run.follow(1.25, [&](double p) { return acting<double>(actions, p); });
  run.advance(step, steps);
  const auto found = run.by_parameters();
  ASSERT_EQ(found.size(), 4u);
  for (std::size_t j = 0; j < 3; ++j)
    EXPECT_LT(error_of(found[j],
                       [&](const Quad& e) {
                         Vector<Quad> changed = convert<Quad>(moments);
                         changed[j] += e;
                         return quadruple_end(actions, scheme, changed, Quad(1.25));
                       }),
              bound)
        << scheme.name << ", moment " << j << " with " << actions;
  EXPECT_LT(error_of(found[3],
                     [&](const Quad& e) {
                       return quadruple_end(actions, scheme, convert<Quad>(moments), Quad(1.25) + e);
                     }),
            bound)
      << scheme.name << ", the parameter of " << actions;
}

TEST(ParameterDerivative, OfEveryActionAlone) {
  for (unsigned action = 1; action < reference::all_actions; action *= 2)
    expect_derivatives(action, scheme("strang"), 1e-12);
}

// The exponential of a kick without control, of the momentum relative to wheels.
TEST(ParameterDerivative, OfWheelsAndDamping) {
  expect_derivatives(reference::wheels | reference::damping, scheme("strang"), 1e-12);
  expect_derivatives(reference::wheels | reference::damping | reference::kick, scheme("aba-8-2"), 1e-12);
}

TEST(ParameterDerivative, OfAllActionsTogether) {
  for (const char* name : {"strang", "blanes-moan-4", "aba-8-6-4"}) {
    expect_derivatives(reference::all_actions, scheme(name), 1e-12);
    expect_derivatives(reference::all_actions & ~unsigned{reference::inertia}, scheme(name), 1e-12);
  }
}

/// A frequency after a long time, where the torque is far from a polynomial of it.
TEST(ParameterDerivative, OfAFrequencyAfterALongTime) {
  const auto make = []<class T>(const T& frequency) {
    const auto v = [](double x, double y, double z) { return Vector<T>(T(x), T(y), T(z)); };
    return TorqueList<T>(AlternatingField<T>(v(0.5, 0, 0), v(0, 0.25, 0), frequency, T(0), v(0.5, 1, 0.25)));
  };
  derivatives::DrivenTangent<double> run(Body(Vector<double>{1.0, 1.375, 2.0}), start<double>(), make(1.75),
                                         scheme("strang"), DoubleDouble(1000));
  run.follow(1.75, make);
  run.advance(step, steps);
  EXPECT_LT(error_of(run.by_parameters()[0],
                     [&](const Quad& e) {
                       DrivenRotor<Splitting<Exact<Quad>>, TorqueList<Quad>> rotor(
                           Body<Quad>(Vector<Quad>(Quad(1), Quad(1.375), Quad(2))), start<Quad>(),
                           make(Quad(1.75) + e), Splitting<Exact<Quad>>(scheme("strang")), Quad(1000));
                       rotor.advance(Quad(step), steps);
                       return rotor.state();
                     }),
            1e-12);
}

/// In a frame of the user's, and in units far from one: the derivative by a moment times it has no unit.
TEST(ParameterDerivative, FollowsFrameAndUnits) {
  const Matrix<double> tensor{{1.5, 0.25, -0.125}, {0.25, 2.0, 0.0625}, {-0.125, 0.0625, 1.75}};
  Matrix<double> large = tensor;
  for (auto& row : large.rows) row = 0x1p40 * row;
  const auto run = [](const Matrix<double>& inertia, double unit) {
    State<double> state = start<double>();
    state.momentum = unit * state.momentum;
    derivatives::DrivenTangent<double> body(Body<double>(inertia), state,
                                            UniformField(unit * Vector<double>{0.5, 0, 1}), scheme("strang"));
    body.follow_moments();
    body.advance(0.1, 10);
    return body.by_parameters();
  };
  const auto small_units = run(tensor, 1.0), large_units = run(large, 0x1p40);
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      EXPECT_EQ(large_units[i].momentum[j], small_units[i].momentum[j]);
      EXPECT_EQ(0x1p40 * large_units[i].rotation[j], small_units[i].rotation[j]);
    }
  }
}

/// What is zero and may not be negative: differences on one side, there and in the reference.
template <class Make>
void expect_derivative_at_none(const Make& make, double bound) {
  const Vector<double> moments{1.0, 1.375, 2.0};
  derivatives::DrivenTangent<double> run(Body<double>(moments), start<double>(), make(0.0), scheme("strang"));
  run.follow(0.0, make);
  run.advance(step, steps);
  const Quad interval(0x1p-22);
  const auto end = [&](double i) {
    DrivenRotor<Splitting<Exact<Quad>>, TorqueList<Quad>> rotor(Body<Quad>(convert<Quad>(moments)),
                                                                start<Quad>(), make(Quad(i) * interval),
                                                                Splitting<Exact<Quad>>(scheme("strang")));
    rotor.advance(Quad(step), steps);
    return rotor.state();
  };
  const auto change = [&](double i) { return reference::difference<Quad>(end(i), end(0)); };
  const auto one = change(1), two = change(2), three = change(3);
  const Tangent<double> found = run.by_parameters()[0];
  for (std::size_t k = 0; k < 6; ++k) {
    const auto expected =
        static_cast<double>((Quad(3) * one[k] - Quad(1.5) * two[k] + three[k] / Quad(3)) / interval);
    EXPECT_NEAR(k < 3 ? found.momentum[k] : found.rotation[k - 3], expected, bound);
  }
}

TEST(ParameterDerivative, OfWhatIsZeroAndMayNotBeNegative) {
  expect_derivative_at_none([]<class T>(const T& p) { return TorqueList<T>(Damping<T>(p)); }, 1e-14);
  expect_derivative_at_none([]<class T>(const T& p) { return TorqueList<T>(Dissipation<T>(p)); }, 1e-14);
  // Weights of up to 19 times the torque's rounding, over intervals of 1/16 at most.
  expect_derivative_at_none(
      []<class T>(const T& p) {
        return TorqueList<T>(GravityGradient<T>(KeplerOrbit<T>(
            OrbitElements<T>{.gravitational_parameter = T(1), .eccentricity = p, .inclination = T(0.5)})));
      },
      1e-12);
  EXPECT_THROW(
      DifferenceParameter<double>(
          [](double p) -> Actions<double> { throw InputError(p > 0 ? "too large" : "too small"); }, 0.0),
      InputError);
}

}  // namespace
}  // namespace polhode
