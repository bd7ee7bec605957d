// Whatever instructions are chosen, the methods for the free body give the same bits.

#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>

#include "batch/instruction_set.hpp"
#include "polhode/free_motion/rotor.hpp"
#include "systems/body/free_methods.hpp"

// The build compiles the methods for these, whatever the tests themselves are compiled for.
#if defined(POLHODE_TEST_BATCH_OBJECTS)
namespace polhode_plain {
const polhode_shared::MethodFunctions& methods_of_object();
}  // namespace polhode_plain
namespace polhode_avx2 {
const polhode_shared::MethodFunctions& methods_of_object();
}  // namespace polhode_avx2
#endif

namespace polhode::testing {

using namespace core;
namespace {

/// Beside those that are compiled here.
std::vector<const MethodFunctions*> others() {
  std::vector<const MethodFunctions*> result;
#if defined(POLHODE_TEST_BATCH_OBJECTS)
  result.push_back(&polhode_plain::methods_of_object());
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    result.push_back(&polhode_avx2::methods_of_object());
#endif
  if (const MethodFunctions* const chosen = method_functions()) result.push_back(chosen);
  return result;
}

/// Short steps, those up to half a radian, back, many of one length; and long ones, of methods that take them.
template <Summation summation>
std::vector<State<DoubleDouble>> states_of(const MethodChoice& choice) {
  std::vector<State<DoubleDouble>> states;
  for (const Vector<double>& moments : {Vector<double>{{0.345, 0.653, 1}}, Vector<double>{{3, 1, 1}}}) {
    Rotor<NamedMethod<double>, summation> rotor(Body<double>(moments), {.momentum = {{0.45, 0.6, -0.66}}},
                                                choice);
    for (const double h : {0.01, -0.3, 0.4, 0.02, 3.0}) {
      if (h > 1 && rotor.method().info.order != 0) continue;
      rotor.advance(h, h == 0.01 ? 70 : 2);
      states.push_back(rotor.wide_state());
    }
  }
  return states;
}

void expect_same_bits(MethodChoice choice) {
  const auto plain = states_of<Summation::plain>(choice);
  const auto compensated = states_of<Summation::compensated>(choice);
  for (const MethodFunctions* const functions : others()) {
    choice.functions = functions;
    EXPECT_TRUE(states_of<Summation::plain>(choice) == plain) << choice.name;
    EXPECT_TRUE(states_of<Summation::compensated>(choice) == compensated) << choice.name;
  }
}

TEST(MethodsElsewhere, HaveTheBitsOfThoseHere) {
  for (const MethodDescription& method : method_descriptions())
    expect_same_bits({std::string(method.info.name)});
}

TEST(MethodsElsewhere, TakeTheOptionsByTheirPlaces) {
  for (const MethodDescription& method : method_descriptions())
    for (const OptionInfo& option : method.options) {
      const MethodChoice choice{std::string(method.info.name), {{std::string(option.name), option.largest}}};
      expect_same_bits(choice);
      EXPECT_FALSE(states_of<Summation::plain>(choice) == states_of<Summation::plain>({choice.name}))
          << choice.name << ": " << option.name << " makes no difference, and so shows nothing";
    }
}

TEST(MethodsElsewhere, AreRefusedWithTheSentenceOfThoseHere) {
  for (const MethodFunctions* const functions : others()) {
    const auto made = [&](const MethodChoice& choice) {
      return NamedMethod<double>(Inertia<double>(Vector<double>{{1, 2, 3}}), choice);
    };
    EXPECT_THROW(made({"no-such-method", {}, functions}), InputError);
    EXPECT_THROW(made({"frb-matrix", {{"quadrature", 11}}, functions}), InputError);
    EXPECT_THROW(made({"frb-matrix", {{"quadrature", 3}, {"hermite", 3}}, functions}), InputError);
  }
}

TEST(MethodsElsewhere, GoWithTheInstructionsOfTheBatch) {
  // Where all of the program is compiled for AVX2, its own methods go with batches of AVX-512.
  const auto& all = available_batch_functions();
  const bool has_others = std::any_of(all.begin() + 1, all.end(), [](const auto* functions) {
    return std::string_view(functions->name) == "avx2";
  });
  EXPECT_EQ(method_functions() != nullptr, has_others && &batch_functions() != all.front());
}

}  // namespace
}  // namespace polhode::testing
