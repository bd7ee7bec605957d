// Algorithms 3.1 and 4.1 of [Vil08] with their constants in quadruple precision.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "polhode/polhode.hpp"
#include "reference/compare.hpp"

namespace polhode {

using namespace core;
namespace {

struct Energy {
  double mean = 0, rms = 0;
};

/// A body and the first two components of momenta of norm one.
struct Setting {
  Vector<double> moments;
  double first, second;
};
const Setting about_third_axis{{{0.345, 0.653, 1.0}}, 0.5, 0.2},
    about_first_axis{{{0.5, 0.7, 1.0}}, 0.9, 0.1};

template <class Method>
Energy energy_errors(const Setting& setting, const typename Method::Options& options) {
  constexpr int runs = 8;
  std::mt19937_64 random(2008);
  std::uniform_real_distribution<double> uniform(-0.01, 0.01);
  Energy result;
  for (int i = 0; i < runs; ++i) {
    State<double> s{{{setting.first + uniform(random), setting.second + uniform(random), 0}}, {}};
    s.momentum[2] = std::sqrt(1 - s.momentum[0] * s.momentum[0] - s.momentum[1] * s.momentum[1]);
    Rotor<Method, Summation::plain> rotor(Body<double>(setting.moments), s, options);
    rotor.advance(0.01, 50'000);
    const double error = static_cast<double>(rotor.errors().energy);
    result.mean += error / runs;
    result.rms += error * error / runs;
  }
  result.rms = std::sqrt(result.rms);
  return result;
}

/// In double the energy drifts by 0.03 or 0.04 eps a step, which is 4e-13 after 50 000; its random walk is 2e-14.
TEST(JacobiConstants, QuadrupleOnesLeaveAWalk) {
  for (const Setting& setting : {about_third_axis, about_first_axis}) {
    const Energy rounded = energy_errors<JacobiStandard<double>>(setting, {});
    EXPECT_GT(std::abs(rounded.mean), 3e-13);
    EXPECT_GT(std::abs(rounded.mean), 0.95 * rounded.rms);
    const Energy quadruple = energy_errors<JacobiStandard<double>>(setting, {.quadruple_constants = true});
    EXPECT_LT(quadruple.rms, 3e-14);
    EXPECT_GT(quadruple.rms, 5e-15);  // elliptic functions and state are in double
  }
}

/// Algorithm 4.1 walks as it is: in quadruple it is no better and no worse.
TEST(JacobiConstants, TheReducedAlgorithmDoesNotNeedThem) {
  for (const Setting& setting : {about_third_axis, about_first_axis}) {
    EXPECT_LT(energy_errors<JacobiReduced<double>>(setting, {}).rms, 4e-14);
    EXPECT_LT(energy_errors<JacobiReduced<double>>(setting, {.quadruple_constants = true}).rms, 4e-14);
  }
}

TEST(JacobiConstants, AreAnOptionOfTheNamedMethod) {
  const Body<double> body(about_third_axis.moments);
  const State<double> start{{{0.5, 0.2, 0.84}}, {}};
  for (const char* name : {"jacobi-standard", "jacobi-reduced"}) {
    const auto after = [&](int value) {
      Rotor rotor(body, start, MethodChoice{name, {{"quadruple_constants", value}}});
      rotor.advance(0.1, 100);
      return rotor.state();
    };
    EXPECT_NE(after(0), after(1)) << name;
    EXPECT_LT(reference::state_error(after(1), Trajectory<double>(body, start).at(10)), 2e-14) << name;
    EXPECT_THROW(after(2), InputError) << name;
  }
  Rotor<JacobiStandard<double>> typed(body, start, {.quadruple_constants = true});
  Rotor named(body, start, MethodChoice{"jacobi-standard", {{"quadruple_constants", 1}}});
  typed.advance(0.1, 100);
  named.advance(0.1, 100);
  EXPECT_EQ(typed.state(), named.state());
  EXPECT_THROW(Rotor(body, start, MethodChoice{"jacobi-kept", {{"quadruple_constants", 1}}}), InputError);
}

}  // namespace
}  // namespace polhode
