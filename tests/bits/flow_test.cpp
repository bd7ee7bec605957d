// The same bits with every compiler, at every level of optimisation, with and without FMA: the compensated methods use
// nothing but the four operations and the square root. The values and their compensation, as they were when written; a
// change of the algorithm may change them, a change of compiler or of flags may not.

#include <gtest/gtest.h>

#include <array>

#include "polhode/free_motion/exact.hpp"
#include "polhode/free_motion/fixed_step.hpp"
#include "polhode/free_motion/moser_veselov.hpp"
#include "polhode/free_motion/rotor.hpp"

namespace polhode {

using namespace core;
namespace {

const Body<double> water(Vector<double>{{0.345, 0.653, 1.0}});
const State<double> start{{{0.5, 0.2, 0.84}}, {0.1, 0.2, -0.3, 0.4}};

template <class Method>
State<DoubleDouble> after(double h, int steps, const State<double>& initial = start) {
  Rotor<Method> rotor(water, initial);
  rotor.advance(h, steps);
  return rotor.rotating_body().motion().wide_state();
}

State<DoubleDouble> after_fixed_steps(double h, int steps) {
  FixedStepRotor<double> rotor(water, start, h);
  rotor.advance(steps);
  return rotor.rotating_body().motion().wide_state();
}

void expect_bits(const State<DoubleDouble>& s, const std::array<DoubleDouble, 3>& momentum,
                 const std::array<DoubleDouble, 4>& attitude) {
  EXPECT_EQ(s.momentum.c, momentum);
  EXPECT_EQ(s.attitude.c, attitude);
}

TEST(Bits, ExactInShortSteps) {
  expect_bits(after<Exact<double>>(0.01, 1000),
              {{{0x1.1debf145823ddp-2, 0x1.e0f9e42455937p-56},
                {-0x1.dbca4d10991ecp+0, 0x1.9a5bf475cb567p-55},
                {0x1.5789fdc7b3b41p-1, -0x1.4892a2fc0a32ep-55}}},
              {{{-0x1.8614546d9afa1p-5, 0x1.82ccp-61},
                {-0x1.ae2e9327b2ee8p-7, -0x1.9bbdp-61},
                {-0x1.0cdf75645b888p-1, -0x1.193b4p-59},
                {0x1.9dbfff2ad93fbp-3, 0x1.7cdap-59}}});
}

TEST(Bits, ExactInMiddleSteps) {
  expect_bits(after<Exact<double>>(0.1, 100),
              {{{0x1.1debf145823ep-2, -0x1.ba6bf43627f16p-56},
                {-0x1.dbca4d10991ecp+0, 0x1.edc05de394dccp-54},
                {0x1.5789fdc7b3b42p-1, -0x1.8c150a75ccff6p-56}}},
              {{{-0x1.0149db0157a8dp-4, 0x1.d689d23811c6ep-58},
                {-0x1.1bbd4363d16d6p-6, -0x1.0f8c401f57d4cp-62},
                {-0x1.62afad9b42615p-1, -0x1.a33846a65b766p-55},
                {0x1.10e6b0795a106p-2, -0x1.258d2cacb5c96p-58}}});
}

TEST(Bits, ExactInStepsBeyondHalfARadian) {
  expect_bits(after<Exact<double>>(0.5, 20),
              {{{0x1.1debf145823fcp-2, 0x1.747692e985746p-56},
                {-0x1.dbca4d10991e8p+0, 0x1.63212f9d4ec28p-54},
                {0x1.5789fdc7b3b51p-1, 0x1.beedd4e29fcc4p-56}}},
              {{{-0x1.7a4465c1ca2dfp-5, -0x1.aa2f62b545898p-59},
                {-0x1.a127c3962ec5ep-7, 0x1.0f2a012f28dp-63},
                {-0x1.04bb2173250fcp-1, -0x1.a09bb0f470928p-56},
                {0x1.9138916350b0ap-3, -0x1.5aa98d8bb5148p-58}}});
}

TEST(Bits, ExactInLongSteps) {
  expect_bits(after<Exact<double>>(3.7, 10),
              {{{0x1.009153d65fc5ap+0, -0x1.19b84195adb94p-54},
                {0x1.84c3f78ca41dbp-2, -0x1.bf057c95fc9cp-58},
                {0x1.aef30ef75ee11p+0, 0x1.7be3adb8c4e8p-57}}},
              {{{0x1.076c22e2316acp-2, 0x1.5d37427c86354p-56},
                {0x1.35d24bf84dc18p-2, 0x1.1cb0ff2a18cp-64},
                {-0x1.2cfd181ce9fd2p-2, 0x1.e6a25a566815cp-57},
                {0x1.e423e1a52c1c5p-3, 0x1.079afaa432c4cp-58}}});
}

/// Next to the middle axis, where the squares of the small components are not numbers of double.
TEST(Bits, ExactFromTheMiddleAxis) {
  const State<double> beside{{{1e-160, 1.0, 1e-160}}, start.attitude};
  expect_bits(after<Exact<double>>(445.5, 1, beside),
              {{{0x1.32339d97c7883p-14, -0x1.1ef85686f08c3p-68},
                {-0x1.ffffffae37a73p-1, 0x1.fee8b989c1c0ep-55},
                {-0x1.eb24c861d20d8p-14, 0x1.43dfa3d380c14p-68}}},
              {{{0x1.4a0d31efe9515p-2, -0x1.fedc0d0007dccp-56},
                {0x1.43b9b98d854dap-2, 0x1.b7f00d7e708c4p-56},
                {0x1.3d7dfea9a685fp-2, -0x1.66c632c9709f6p-56},
                {-0x1.9145a7014b3c9p-8, 0x1.9b089fc571fd8p-62}}});
}

TEST(Bits, FixedShortSteps) {
  expect_bits(after_fixed_steps(0.01, 1000),
              {{{0x1.1debf145823ddp-2, 0x1.e140daae0f0fap-56},
                {-0x1.dbca4d10991ecp+0, 0x1.9a70ec150be54p-55},
                {0x1.5789fdc7b3b41p-1, -0x1.4867c03af8284p-55}}},
              {{{-0x1.8614546d9afa1p-5, 0x1.b5dcp-61},
                {-0x1.ae2e9327b2ee8p-7, -0x1.9a55p-61},
                {-0x1.0cdf75645b888p-1, -0x1.1aba8p-59},
                {0x1.9dbfff2ad93fbp-3, 0x1.7b998p-59}}});
}

TEST(Bits, FixedMiddleSteps) {
  expect_bits(after_fixed_steps(0.2, 50),
              {{{0x1.1debf145823ep-2, -0x1.d005781fd60f7p-56},
                {-0x1.dbca4d10991ecp+0, 0x1.eb692a2d30846p-54},
                {0x1.5789fdc7b3b42p-1, -0x1.aa024dd1f3724p-56}}},
              {{{-0x1.5e88c4f32cadcp-4, 0x1.d4cce4a5c3bdp-58},
                {-0x1.8292404ee9c09p-6, -0x1.68cc0c3a35d8p-65},
                {-0x1.e33b0948f26c5p-1, 0x1.2bc345b63ddedp-55},
                {0x1.73ce1fcd5c133p-2, 0x1.b4e5497968f94p-56}}});
}

TEST(Bits, MoserVeselov) {
  expect_bits(after<MoserVeselov<double, 10>>(0.01, 1000),
              {{{0x1.1debf145823ep-2, -0x1.bp-57},
                {-0x1.dbca4d10991ecp+0, 0x1.ccp-56},
                {0x1.5789fdc7b3b41p-1, -0x1.d4p-55}}},
              {{{-0x1.8614546d9afedp-5, 0x0p+0},
                {-0x1.ae2e9327b2ee2p-7, 0x1.4p-62},
                {-0x1.0cdf75645b887p-1, -0x1.43p-55},
                {0x1.9dbfff2ad93fep-3, -0x1.08p-57}}});
}

}  // namespace
}  // namespace polhode
