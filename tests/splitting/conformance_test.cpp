// Every scheme with every method for the free motion, on the heavy top.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "polhode/splitting/driven_rotor.hpp"
#include "polhode/torque/uniform_field.hpp"
#include "reference/compare.hpp"
#include "reference/methods.hpp"

namespace polhode {

using namespace core;
namespace {

using reference::AsTypes;
using reference::MethodName;
using reference::Rebind;
using reference::state_error;

const Vector<double> moments{{1.0, 1.4, 2.0}};
const State<double> start{{{0.5, -0.7, 0.9}}, {0.5, -0.1, 0.7, 0.3}};

template <class T>
UniformField<T> field() {
  return {convert<T>(Vector<double>{{0.1, -0.2, 0.6}}), convert<T>(Vector<double>{{0.2, 0.1, 1.0}})};
}

template <class Method, Summation summation = Summation::compensated>
using Top = DrivenRotor<Splitting<Method>, UniformField<typename Method::Value>, summation>;

template <class Method, Summation summation = Summation::compensated>
Top<Method, summation> top(const Scheme& scheme) {
  using T = typename Method::Value;
  return {Body<T>(convert<T>(moments)), convert<T>(start), field<T>(), Splitting<Method>(scheme)};
}

/// Of the composition: the smaller of the scheme's and the method's.
int order_of(const Scheme& scheme, const MethodInfo& method) {
  return method.order == 0 ? scheme.order : std::min(scheme.order, method.order);
}

/// What a few thousand stages leave. Algorithm 3.1 drifts by rounding, and the formulas of [CZ08] lose a digit or two.
double round_off(const MethodInfo& method) {
  if (method.name == "jacobi-standard") return 2e-13;
  return method.name.starts_with("frb") || method.name.starts_with("jacobi") ? 6e-14 : 4e-15;
}

template <class Method>
class Splittings : public ::testing::Test {};

TYPED_TEST_SUITE(Splittings, AsTypes<FreeMotionMethods<double>>::type, MethodName);

/// In DoubleDouble, where truncation shows at the twelfth order too.
TYPED_TEST(Splittings, HaveTheirOrder) {
  using D = DoubleDouble;
  using Method = typename Rebind<TypeParam, D>::type;
  for (const Scheme& scheme : schemes) {
    const auto end = [&](int steps) {
      auto rotor = top<Method>(scheme);
      rotor.advance(D(1) / D(steps), steps);
      return rotor.state();
    };
    const State<D> coarse = end(12), middle = end(24), fine = end(48);
    EXPECT_NEAR(std::log2(state_error(coarse, middle) / state_error(middle, fine)),
                order_of(scheme, Method::info), 0.25)
        << scheme.name;
  }
}

TYPED_TEST(Splittings, AreReversible) {
  for (const Scheme& scheme : schemes) {
    auto rotor = top<TypeParam>(scheme);
    const State<double> before = rotor.state();
    rotor.advance(0.1, 20);
    rotor.advance(-0.1, 20);
    const double error = state_error(rotor.state(), before);
    if (TypeParam::info.reversible) {
      EXPECT_LT(error, 4 * round_off(TypeParam::info)) << scheme.name;
    } else {
      EXPECT_GT(error, 2e-13) << scheme.name;
    }
  }
}

/// Energy errors oscillate; what drifts is larger in the second half than in the first. For rk4 as the free motion it is.
TYPED_TEST(Splittings, KeepTheEnergyWithoutDrift) {
  for (const Scheme& scheme : schemes) {
    auto rotor = top<TypeParam>(scheme);
    const double energy = static_cast<double>(rotor.energy());
    double first = 0, second = 0;
    const int looks = 400;
    for (int i = 0; i < looks; ++i) {
      rotor.advance(0.1, 5);
      double& half = i < looks / 2 ? first : second;
      half = std::max(half, std::abs(static_cast<double>(rotor.energy() - DoubleDouble(energy))));
    }
    if (TypeParam::info.reversible) {
      EXPECT_LT(second, 1.6 * first + round_off(TypeParam::info)) << scheme.name;
    }
    // The engines' formulas of order one gain or lose energy by themselves.
    EXPECT_LT(second, TypeParam::info.order == 1 ? 1.0 : 0.02) << scheme.name;
  }
}

TYPED_TEST(Splittings, DoNotDependOnHowARunIsDivided) {
  for (const Scheme& scheme : schemes) {
    auto whole = top<TypeParam>(scheme), parts = top<TypeParam>(scheme), restored = top<TypeParam>(scheme);
    whole.advance(0.03, 60);
    for (const int count : {1, 17, 2, 25}) {
      parts.advance(0.03, count);
      parts.energy();  // looking changes nothing
    }
    restored.restore(parts.save());
    restored.advance(0.03, 15);
    EXPECT_EQ(whole.state(), restored.state()) << scheme.name;
    EXPECT_EQ(whole.time(), restored.time());
    EXPECT_EQ(whole.evaluations(), restored.evaluations()) << scheme.name;
  }
}

/// The plain sums are a matter of the motion's type alone.
TYPED_TEST(Splittings, GoWithPlainSums) {
  for (const Scheme& scheme : schemes) {
    auto plain = top<TypeParam, Summation::plain>(scheme);
    auto compensated = top<TypeParam>(scheme);
    plain.advance(0.02, 100);
    compensated.advance(0.02, 100);
    EXPECT_LT(state_error(plain.state(), compensated.state()), 2e-13) << scheme.name;
  }
}

}  // namespace
}  // namespace polhode
