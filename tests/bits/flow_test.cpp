// The same bits with every compiler, at every level of optimisation, with and without FMA: the compensated methods use
// nothing but the four operations and the square root. The values and their compensation, as they were when written; a
// change of the algorithm may change them, a change of compiler or of flags may not.

#include <gtest/gtest.h>

#include <array>

#include "polhode/free_motion/exact.hpp"
#include "polhode/free_motion/free_rotor.hpp"
#include "polhode/free_motion/moser_veselov.hpp"

namespace polhode {
namespace {

template <class Method>
State<DoubleDouble> after(double h, int steps) {
  FreeRotor<Method> rotor(Body<double>(Vector<double>{{0.345, 0.653, 1.0}}),
                          {{{0.5, 0.2, 0.84}}, {0.1, 0.2, -0.3, 0.4}});
  rotor.steps(h, steps);
  return rotor.motion().wide_state();
}

void expect_bits(const State<DoubleDouble>& s, const std::array<DoubleDouble, 3>& momentum,
                 const std::array<DoubleDouble, 4>& attitude) {
  EXPECT_EQ(s.momentum.c, momentum);
  EXPECT_EQ(s.attitude.c, attitude);
}

TEST(Bits, ExactInShortSteps) {
  expect_bits(after<Exact<double>>(0.01, 1000),
              {{{0x1.1debf145823ep-2, 0x1.6054e960e6ddep-57},
                {-0x1.dbca4d10991ebp+0, -0x1.c257539da89b6p-54},
                {0x1.5789fdc7b3b42p-1, 0x1.0670020b5765cp-56}}},
              {{{-0x1.8614546d9af92p-5, 0x0p+0},
                {-0x1.ae2e9327b2edfp-7, 0x1.8p-61},
                {-0x1.0cdf75645b888p-1, 0x1p-61},
                {0x1.9dbfff2ad93fcp-3, 0x1.4p-59}}});
}

TEST(Bits, ExactInSeveralShortSteps) {
  expect_bits(after<Exact<double>>(0.2, 50),
              {{{0x1.1debf145823ep-2, -0x1.60fab298bcbb6p-56},
                {-0x1.dbca4d10991ecp+0, 0x1.f86d10c2a4a7p-54},
                {0x1.5789fdc7b3b42p-1, -0x1.2c97d364c0b58p-56}}},
              {{{-0x1.8916f8b55e0afp-5, 0x1p-59},
                {-0x1.b180717371152p-7, 0x1p-61},
                {-0x1.0ef2a4f7dd161p-1, -0x1.0bp-55},
                {0x1.a0f166f04a713p-3, 0x1.c8p-57}}});
}

TEST(Bits, ExactInLongSteps) {
  expect_bits(after<Exact<double>>(3.7, 10),
              {{{0x1.009153d65fc5bp+0, 0x1.8e7dff9bfae24p-54},
                {0x1.84c3f78ca419cp-2, 0x1.acf33b063b554p-58},
                {0x1.aef30ef75ee14p+0, -0x1.9e25e2cff07f8p-54}}},
              {{{0x1.076c22e2316adp-2, -0x1.fb0d923993e28p-61},
                {0x1.35d24bf84dc0ep-2, 0x1.f02d3d6c8076p-56},
                {-0x1.2cfd181ce9fd2p-2, 0x1.634913cfbfa1ep-56},
                {0x1.e423e1a52c1b1p-3, -0x1.4ad501110edc8p-59}}});
}

TEST(Bits, MoserVeselov) {
  expect_bits(after<MoserVeselov<double, 10>>(0.01, 1000),
              {{{0x1.1debf145823e1p-2, 0x1.8p-58},
                {-0x1.dbca4d10991ecp+0, 0x1.cp-54},
                {0x1.5789fdc7b3b41p-1, 0x1.f8p-56}}},
              {{{-0x1.8614546d9afcep-5, -0x1p-59},
                {-0x1.ae2e9327b2ed7p-7, -0x1.ep-61},
                {-0x1.0cdf75645b888p-1, 0x1.adp-55},
                {0x1.9dbfff2ad93fdp-3, 0x1.4p-57}}});
}

}  // namespace
}  // namespace polhode
