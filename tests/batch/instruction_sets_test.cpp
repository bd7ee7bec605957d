// Whatever instructions are chosen, the batch gives the same bits.

#include "batch/instruction_set.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>

#include "polhode/batch/batch.hpp"
#include "tests/batch/crowd.hpp"

// The build compiles the batch for these, whatever the tests themselves are compiled for.
#if defined(POLHODE_TEST_BATCH_OBJECTS)
namespace polhode_plain {
const polhode_shared::BatchFunctions& functions_of_object();
}  // namespace polhode_plain
namespace polhode_avx2 {
const polhode_shared::BatchFunctions& functions_of_object();
}  // namespace polhode_avx2
namespace polhode_avx512 {
const polhode_shared::BatchFunctions& functions_of_object();
}  // namespace polhode_avx512
#endif

namespace polhode::testing {

using namespace core;
namespace {

/// Beside those that are compiled here.
std::vector<const BatchFunctions*> others() {
  std::vector<const BatchFunctions*> result;
#if defined(POLHODE_TEST_BATCH_OBJECTS)
  result.push_back(&polhode_plain::functions_of_object());
  EXPECT_STREQ(result.back()->name, "sse2");
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    result.push_back(&polhode_avx2::functions_of_object());
    EXPECT_STREQ(result.back()->name, "avx2");
  }
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl")) {
    result.push_back(&polhode_avx512::functions_of_object());
    EXPECT_STREQ(result.back()->name, "avx512");
  }
#endif
  result.push_back(&batch_functions());
  return result;
}

template <class B, class T>
void expect_same_bits(const std::vector<Body<T>>& bodies, const std::vector<State<T>>& states) {
  const auto run = [&](const BatchFunctions& functions) {
    B batch(bodies, states, functions);
    for (const double h : {0.01, -0.003, 0.04, 0.7}) {
      batch.set_threads(1);
      batch.advance(static_cast<T>(h), 1);
      batch.set_threads(2);
      batch.advance(static_cast<T>(h), 66);
    }
    return batch;
  };
  const B expected = run(compiled_batch_functions());
  for (const BatchFunctions* const functions : others()) {
    const B batch = run(*functions);
    for (std::size_t i = 0; i < batch.size(); ++i)
      ASSERT_EQ(batch.wide_state(i), expected.wide_state(i)) << functions->name << ", body " << i;
  }
}

TEST(InstructionSets, GiveTheSameBits) {
  const Crowd crowd(4002, 5);
  expect_same_bits<Batch>(crowd.bodies, crowd.states);
}

TEST(InstructionSets, GiveTheSameBitsWithoutCompensation) {
  const CrowdOf<double> crowd(2002, 5);
  expect_same_bits<PlainBatch<double>>(crowd.bodies, crowd.states);
  const CrowdOf<float> crowd_of_float(2002, 5);
  expect_same_bits<PlainBatch<float>>(crowd_of_float.bodies, crowd_of_float.states);
}

TEST(InstructionSets, GiveTheSameBitsToStates) {
  const Crowd crowd(1002, 6);
  const Body<double> body(Vector<double>{{0.653, 0.345, 1}});
  const auto run = [&](const BatchFunctions& functions) {
    std::vector<double> momenta(3 * crowd.states.size()), attitudes(4 * crowd.states.size());
    for (std::size_t i = 0; i < crowd.states.size(); ++i) {
      std::copy_n(crowd.states[i].momentum.c.begin(), 3, &momenta[3 * i]);
      std::copy_n(crowd.states[i].attitude.c.begin(), 4, &attitudes[4 * i]);
    }
    const StateArrays in_place{momenta.data(), attitudes.data(), momenta.data(), attitudes.data()};
    for (const double h : {0.01, -0.003, 0.04, 0.7})
      StateSteps(body, functions).advance(in_place, 0, crowd.states.size(), h, 3, [](auto, const auto&) {});
    momenta.insert(momenta.end(), attitudes.begin(), attitudes.end());
    return momenta;
  };
  const std::vector<double> expected = run(compiled_batch_functions());
  for (const BatchFunctions* const functions : others())
    EXPECT_EQ(run(*functions), expected) << functions->name;
}

TEST(InstructionSets, AreChosenByTheMachineOrByName) {
  const auto& available = available_batch_functions();
  ASSERT_FALSE(available.empty());
  EXPECT_EQ(available.front(), &compiled_batch_functions());
  EXPECT_EQ(&batch_functions_named("plain"), available.front());
  for (const BatchFunctions* const functions : available)
    EXPECT_EQ(&batch_functions_named(functions->name), functions);
  const char* const wish = std::getenv("POLHODE_INSTRUCTION_SET");
  EXPECT_EQ(&batch_functions(), wish == nullptr ? available.back() : &batch_functions_named(wish));
  try {
    batch_functions_named("mmx");
    FAIL() << "there is mmx";
  } catch (const InputError& e) {
    EXPECT_EQ(std::string(e.what()).find("there is no instruction set \"mmx\" in this build on this machine; "
                                         "there are plain, "),
              0U)
        << e.what();
  }
}

/// What a program says whose environment has the given value.
void say_choice(const char* wish) {
  setenv("POLHODE_INSTRUCTION_SET", wish, 1);
  try {
    std::cerr << (&batch_functions() == available_batch_functions().front() ? "the first" : "another");
  } catch (const InputError& e) {
    std::cerr << e.what();
  }
  std::exit(0);
}

TEST(InstructionSetsDeathTest, AreChosenByTheEnvironment) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");  // a process in which nothing is chosen yet
  EXPECT_EXIT(say_choice("plain"), ::testing::ExitedWithCode(0), "^the first$");
  EXPECT_EXIT(say_choice("mmx"), ::testing::ExitedWithCode(0),
              "^POLHODE_INSTRUCTION_SET: there is no instruction set \"mmx\"");
}

}  // namespace
}  // namespace polhode::testing
