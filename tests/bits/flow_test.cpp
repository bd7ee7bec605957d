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
              {{{0x1.1debf145823ep-2, 0x1.602978678acep-57},
                {-0x1.dbca4d10991ebp+0, -0x1.c1a6d86a3ff94p-54},
                {0x1.5789fdc7b3b42p-1, 0x1.0661998ddb6a6p-56}}},
              {{{-0x1.8614546d9b009p-5, 0x1p-59},
                {-0x1.ae2e9327b2edap-7, -0x1.8p-63},
                {-0x1.0cdf75645b887p-1, -0x1.7cp-57},
                {0x1.9dbfff2ad94p-3, -0x1.28p-57}}});
}

TEST(Bits, ExactInSeveralShortSteps) {
  expect_bits(after<Exact<double>>(0.2, 50),
              {{{0x1.1debf145823ep-2, -0x1.5c4a9e4b58dfcp-56},
                {-0x1.dbca4d10991ecp+0, 0x1.f86523df2832cp-54},
                {0x1.5789fdc7b3b42p-1, -0x1.286a7f8eb10dp-56}}},
              {{{-0x1.8916f8b55e06p-5, 0x1p-58},
                {-0x1.b18071737115p-7, 0x1p-62},
                {-0x1.0ef2a4f7dd162p-1, 0x1.6cp-57},
                {0x1.a0f166f04a711p-3, -0x1.cp-58}}});
}

TEST(Bits, ExactInLongSteps) {
  expect_bits(after<Exact<double>>(3.7, 10),
              {{{0x1.009153d65fc5bp+0, 0x1.8ec1177bd359p-54},
                {0x1.84c3f78ca419cp-2, 0x1.85669a97d7ad4p-58},
                {0x1.aef30ef75ee14p+0, -0x1.9dbf1e478265p-54}}},
              {{{0x1.076c22e2316adp-2, -0x1.0c6a9199896e4p-60},
                {0x1.35d24bf84dc0ep-2, 0x1.ee8995f222d2cp-56},
                {-0x1.2cfd181ce9fd2p-2, 0x1.61ffc48ef2dccp-56},
                {0x1.e423e1a52c1b1p-3, -0x1.3ebdd36d00ea7p-59}}});
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
