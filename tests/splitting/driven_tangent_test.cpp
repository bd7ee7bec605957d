// The tangent map of a body under torque: against differences in quadruple precision, and what it conserves.

#include <gtest/gtest.h>

#include <cmath>

#include "polhode/torque/gravity_gradient.hpp"
#include "reference/compare.hpp"
#include "reference/driven_derivatives.hpp"

namespace polhode {

using namespace core;
namespace {

using reference::differentiable_list;
using reference::DrivenSystem;
using reference::Quad;

const SquareArray<double, 6> identity = TangentMap<double>{}.matrix();

State<double> rounded_start() {
  // An attitude of four equal components has norm one in every scalar.
  return {DrivenSystem<double>::start().momentum, {0.5, -0.5, 0.5, 0.5}};
}

/// The error of state_transition for the system of the tests, over three steps.
double transition_error(unsigned actions, const Scheme& scheme) {
  const State<double> start = rounded_start();
  const double h = 0.0625;
  const auto expected = reference::differences(convert<Quad>(start), [&](const State<Quad>& s) {
    DrivenRotor<Splitting<Exact<Quad>>, TorqueList<Quad>> rotor(Body<Quad>(DrivenSystem<Quad>::moments()), s,
                                                                differentiable_list<Quad>(actions),
                                                                Splitting<Exact<Quad>>(scheme), Quad(3));
    rotor.advance(Quad(h), 3);
    return rotor.state();
  });
  const auto found = state_transition(Body(DrivenSystem<double>::moments()), start,
                                      differentiable_list<double>(actions), scheme, h, 3, DoubleDouble(3));
  return reference::largest_difference(found, expected);
}

class DrivenTangents : public ::testing::TestWithParam<Scheme> {};

/// Everything at once: the free motion with wheels, dissipation and changing inertia, and kicks, damping and a control law.
TEST_P(DrivenTangents, AreTheDifferencesOfNeighbours) {
  EXPECT_LT(transition_error(reference::all_actions, GetParam()), 5e-15);
}

/// Kicks alone, and a gyrostat: with the exact free motion between the kicks, and without it.
TEST_P(DrivenTangents, AreTheDifferencesOfNeighboursUnderKicks) {
  EXPECT_LT(transition_error(reference::kick, GetParam()), 5e-15);
  EXPECT_LT(transition_error(reference::kick | reference::damping, GetParam()), 5e-15);
}

/// The form dm1 . xi2 - dm2 . xi1 - m . (xi1 x xi2), in the columns of a map that ends at m.
SquareArray<double, 6> form_of(const SquareArray<double, 6>& map, const Vector<double>& m) {
  SquareArray<double, 6> form;
  const auto part = [&](std::size_t j, std::size_t from) {
    return Vector<double>(map[from][j], map[from + 1][j], map[from + 2][j]);
  };
  for (std::size_t i = 0; i < 6; ++i)
    for (std::size_t j = 0; j < 6; ++j)
      form[i][j] =
          dot(part(i, 0), part(j, 3)) - dot(part(j, 0), part(i, 3)) - dot(m, cross(part(i, 3), part(j, 3)));
  return form;
}

double symplectic_error(unsigned actions, const Scheme& scheme) {
  derivatives::DrivenTangent<double> run(Body(DrivenSystem<double>::moments()), rounded_start(),
                                         differentiable_list<double>(actions), scheme);
  run.advance(0.125, 100);
  return reference::largest_difference(form_of(run.map().matrix(), run.state().momentum),
                                       form_of(identity, rounded_start().momentum));
}

TEST_P(DrivenTangents, AreSymplectic) {
  EXPECT_LT(symplectic_error(reference::kick | reference::wheels, GetParam()), 1e-12);
}

INSTANTIATE_TEST_SUITE_P(All, DrivenTangents, ::testing::ValuesIn(schemes), [](const auto& of) {
  std::string name(of.param.name);
  std::ranges::replace(name, '-', '_');
  return name;
});

TEST(DrivenTangent, OfEveryActionAlone) {
  for (unsigned action = 1; action < reference::all_actions; action *= 2) {
    EXPECT_LT(transition_error(action, scheme("strang")), 5e-15) << action;
    EXPECT_LT(transition_error(action, scheme("blanes-moan-6")), 5e-15) << action;
  }
}

TEST(DrivenTangent, IsNotSymplecticWithDamping) {
  EXPECT_GT(symplectic_error(reference::kick | reference::damping, scheme("strang")), 0.1);
}

/// The torque of a user: as a potential for any scalar, as a function for any scalar, and with its own derivative.
const auto height = [](const auto& q) {
  using U = std::decay_t<decltype(q[0])>;
  const Vector<U> up = rotate(q, Vector<U>(U(0.25), U(0.5), U(1)));
  return up[2] * up[2] / U(2) + up[0] / U(8);
};
const auto pull = []<class U>(const Quaternion<U>& q) {
  return cross(rotate(conjugate(q), Vector<U>(U(0.5), U(0), U(1))), Vector<U>(U(0.25), U(0.5), U(1)));
};
struct PullWithDerivative {
  template <class T>
  Vector<T> operator()(const Quaternion<T>& q) const {
    return pull(q);
  }
  /// u turns by u x xi, and (u x xi) x arm = (arm . u) xi - (arm . xi) u.
  template <class T>
  Matrix<T> derivative(const Quaternion<T>& q) const {
    const Vector<T> u = rotate(conjugate(q), Vector<T>(T(0.5), T(0), T(1))), arm(T(0.25), T(0.5), T(1));
    Matrix<T> result;
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) result[i][j] = (i == j ? dot(arm, u) : T(0)) - u[i] * arm[j];
    return result;
  }
};

template <class T>
Matrix<T> tilted_tensor() {
  return {{T(1.5), T(0.25), T(-0.125)}, {T(0.25), T(2), T(0.0625)}, {T(-0.125), T(0.0625), T(1.75)}};
}

/// On a body whose principal axes are not those of the user, with units far from one.
template <class Make>
double tilted_error(const Make& make) {
  State<double> start = rounded_start();
  start.momentum = 1024.0 * start.momentum;
  const auto end = [&]<class T>(const State<T>& s) {
    auto rotor = driven(Body<T>(tilted_tensor<T>()), s, make(T()), scheme("blanes-moan-4"));
    rotor.advance(T(0x1p-13), 4);
    return rotor.state();
  };
  const auto expected = reference::differences(convert<Quad>(start), end);
  const auto found =
      state_transition(Body(tilted_tensor<double>()), start, make(0.0), scheme("blanes-moan-4"), 0x1p-13, 4);
  // The blocks have different units.
  double worst = 0;
  for (const std::size_t row : {0, 3}) {
    for (const std::size_t column : {0, 3}) {
      double error = 0, largest = 0;
      for (std::size_t i = row; i < row + 3; ++i) {
        for (std::size_t j = column; j < column + 3; ++j) {
          error = std::max(error, std::abs(found[i][j] - expected[i][j]));
          largest = std::max(largest, std::abs(expected[i][j]));
        }
      }
      worst = std::max(worst, error / largest);
    }
  }
  return worst;
}

/// A torque that turns the body by as much as its momentum does.
template <class T, class Torque>
auto strong(const Torque& torque) {
  return differentiable([torque]<class U>(const Quaternion<U>& q) { return U(0x1p20) * torque(q); });
}

TEST(DrivenTangent, OfTorquesOfTheUserInAFrameOfHisOwn) {
  EXPECT_LT(tilted_error([]<class T>(const T&) { return TorqueList<T>(strong<T>(pull)); }), 5e-15);
  EXPECT_LT(tilted_error([]<class T>(const T&) { return TorqueList<T>(PullWithDerivative()); }), 5e-15);
  EXPECT_LT(tilted_error([]<class T>(const T&) { return TorqueList<T>(from_potential(height)); }), 5e-15);
  EXPECT_LT(tilted_error([]<class T>(const T&) {
              return TorqueList<T>(differentiable([]<class U>(const Quaternion<U>& q, const Vector<U>& w) {
                return Vector<U>(q[0] * w[1], U(-0.5) * w[1], w[0] * w[2]);
              }));
            }),
            5e-15);
}

TEST(DrivenTangent, OfTheTorquesOfTheLibraryInAFrameOfTheUser) {
  EXPECT_LT(tilted_error([]<class T>(const T&) {
              const OrbitElements<T> elements{
                  .gravitational_parameter = T(0x1p19), .eccentricity = T(0.25), .inclination = T(0.5)};
              return TorqueList<T>(GravityGradient<T>(KeplerOrbit<T>(elements)));
            }),
            5e-15);
  EXPECT_LT(tilted_error([]<class T>(const T&) {
              const auto v = [](double x, double y, double z) { return Vector<T>(T(x), T(y), T(z)); };
              return TorqueList<T>(
                  AlternatingField<T>(v(0x1p20, 0, 0), v(0, 0x1p19, 0), T(512), T(0.5), v(0.5, 1, 0.25)));
            }),
            5e-15);
  EXPECT_LT(tilted_error([]<class T>(const T&) {
              const auto v = [](double x, double y, double z) { return Vector<T>(T(x), T(y), T(z)); };
              return TorqueList<T>(Damping<T>(v(64, 512, 256), v(512, 256, 128)), Wheels<T>(v(512, 0, 256)));
            }),
            5e-15);
}

/// Steps with a derivative are those without, to the bit.
TEST(DrivenTangent, TakesTheStepsOfTheRotor) {
  const Body body(Vector<double>{1.0, 1.4, 2.0});
  const State<double> start = rounded_start();
  for (const Scheme& scheme : schemes) {
    const auto expect_same = [&](const auto& torque) {
      auto rotor = driven(body, start, torque, scheme);
      rotor.advance(0.1, 50);
      derivatives::DrivenTangent<double> run(body, start, torque, scheme);
      run.advance(0.1, 50);
      EXPECT_EQ(run.wide_state(), rotor.wide_state()) << scheme.name;
    };
    expect_same(UniformField({0.1, -0.2, 0.6}));
    expect_same(differentiable_list<double>(reference::kick | reference::wheels | reference::control));
  }
}

TEST(DrivenTangent, WithoutTorqueIsThatOfTheFreeBody) {
  const Body body(Vector<double>{1.0, 1.4, 2.0});
  const State<double> start = rounded_start();
  const auto found = state_transition(body, start, torques::TorqueList<double>(), scheme("strang"), 0.5, 8);
  EXPECT_LT(reference::largest_difference(found, state_transition(body, start, 4.0)), 4e-15);
}

TEST(DrivenTangent, NeedsTheDerivativeOfATorque) {
  const auto unknown = [](const Quaternion<double>& q) { return Vector<double>{q[1], q[2], 0.0}; };
  try {
    tangent_map(Body(Vector<double>{1.0, 1.4, 2.0}), rounded_start(), unknown, scheme("strang"), 0.1);
    FAIL() << "a torque without a derivative was taken";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("derivative of a torque is not known"), std::string::npos);
  }
}

/// A torque that is no number at some time: state and derivative are as they were.
TEST(DrivenTangent, IsAsItWasAfterAnError) {
  const auto torque = derivatives::differentiable([]<class U>(const Quaternion<U>& q, double t) {
    return Vector<U>(q[1] * (t > 1.0 ? std::nan("") : 1.0), q[2], U(0));
  });
  derivatives::DrivenTangent<double> run(Body(Vector<double>{1.0, 1.4, 2.0}), rounded_start(), torque,
                                         scheme("strang"));
  run.advance(0.25, 2);
  const TangentMap<double> map = run.map();
  const State<double> state = run.state();
  EXPECT_THROW(run.advance(0.25, 10), MotionError);
  EXPECT_EQ(run.map(), map);
  EXPECT_EQ(run.state(), state);
}

}  // namespace
}  // namespace polhode
