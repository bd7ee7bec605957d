// The sums that carry a state from step to step.
#include "polhode/body/motion.hpp"

#include <gtest/gtest.h>

#include "arithmetic/exact.hpp"

namespace polhode {

using namespace core;
namespace {

using reference::Operands;
using W = DoubleDouble;
using Plain = Motion<double, Summation::plain>;
using Summed = Motion<double, Summation::compensated>;

const State<double> start{{{0.1, -0.2, 0.3}}, {0.5, 0.1, -0.7, 0.2}};

State<W> random_wide_state(Operands& random) {
  const auto x = [&] {
    return DoubleDouble::sum(random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0) * 0x1p-54);
  };
  return {{{x(), x(), x()}}, {x(), x(), x(), x()}};
}

TEST(Motion, StartsAtRestWithoutRotation) {
  EXPECT_EQ(Plain().momentum(), Vector<double>{});
  EXPECT_EQ(Plain(start).momentum(), start.momentum);
  EXPECT_EQ(Summed(start).attitude(), start.attitude);
  static_assert(!Plain::compensated && Summed::compensated);
  static_assert(std::is_same_v<Plain::W, DoubleDouble>);
}

TEST(Motion, PlainSumsForgetTheirErrors) {
  const Vector<double> dm{{1e-3, 0.0, 0.0}};
  const Quaternion<double> dq(0.0, 0.0, 0.0, 1e-4);
  Plain motion(start), with_errors(start);
  double m = start.momentum[0], q = start.attitude[3];
  for (int i = 0; i < 1000; ++i) {
    motion.add_momentum(dm);
    motion.add_attitude(dq);
    with_errors.add_momentum(std::array<ErrorFree<double>, 3>{{{1e-3, 1e-20}, {0.0, 1e-20}, {0.0, 0.0}}});
    m += 1e-3;
    q += 1e-4;
  }
  EXPECT_EQ(motion.momentum(), (Vector<double>{{m, start.momentum[1], start.momentum[2]}}));
  EXPECT_EQ(motion.attitude()[3], q);
  EXPECT_EQ(motion.wide_momentum()[0], W(m));
  EXPECT_EQ(motion.momentum_error(), Vector<double>{});
  EXPECT_EQ(motion.attitude_error(), Quaternion<double>(0.0, 0.0, 0.0, 0.0));
  EXPECT_EQ(with_errors.momentum(), motion.momentum());  // plain is plain
}

/// An increment has an error of its own, which must not be lost: after ten thousand of them the sum is that of exact arithmetic.
TEST(Motion, ASumTakesTheErrorsOfItsIncrements) {
  Operands random(2);
  Compensated<double> sum{1.0, 0.0};
  W expected = 1.0;
  for (int i = 0; i < 10000; ++i) {
    const ErrorFree<double> increment{random.uniform(-1e-3, 1e-3), random.uniform(-1e-20, 1e-20)};
    sum.add(increment);
    expected += W(increment.value) + W(increment.error);
  }
  EXPECT_LT(std::abs(static_cast<double>(W(sum.value) + W(sum.error) - expected)), 1e-27);
}

TEST(Motion, CompensatedSumsAreThoseOfCompensated) {
  Operands random(1);
  Summed kahan(start), with_errors(start);
  std::array<Compensated<double>, 7> expected, expected_with;
  for (std::size_t i = 0; i < 7; ++i)
    expected[i].value = expected_with[i].value = i < 3 ? start.momentum[i] : start.attitude[i - 3];
  for (int n = 0; n < 1000; ++n) {
    Vector<double> dm;
    Quaternion<double> dq;
    std::array<ErrorFree<double>, 3> pm;
    std::array<ErrorFree<double>, 4> pq;
    for (std::size_t i = 0; i < 3; ++i)
      pm[i] = {dm[i] = random.uniform(-0.3, 0.3), random.uniform(-1e-18, 1e-18)};
    for (std::size_t i = 0; i < 4; ++i)
      pq[i] = {dq[i] = random.uniform(-0.3, 0.3), random.uniform(-1e-18, 1e-18)};
    kahan.add_momentum(dm);
    kahan.add_attitude(dq);
    with_errors.add_momentum(pm);
    with_errors.add_attitude(pq);
    for (std::size_t i = 0; i < 7; ++i) {
      expected[i].add(i < 3 ? dm[i] : dq[i - 3]);
      expected_with[i].add(i < 3 ? pm[i] : pq[i - 3]);
      const auto expect = [&](const Summed& s, const Compensated<double>& sum) {
        ASSERT_EQ(i < 3 ? s.momentum()[i] : s.attitude()[i - 3], sum.value);
        ASSERT_EQ(i < 3 ? s.momentum_error()[i] : s.attitude_error()[i - 3], sum.error);
        ASSERT_EQ(i < 3 ? s.wide_momentum()[i] : s.wide_attitude()[i - 3],
                  DoubleDouble::sum(sum.value, sum.error));
      };
      expect(kahan, expected[i]);
      expect(with_errors, expected_with[i]);
    }
  }
}

// A million steps: measured 1.7e-8 for the plain sum, 1.9e-15 and 0 compensated; half a unit in the last place is 5.7e-14.
TEST(Motion, CompensationKeepsAMillionSteps) {
  const Vector<double> dm{{1e-3, 0.0, 0.0}};
  Plain plain(start);
  Summed summed(start);
  for (int i = 0; i < 1000000; ++i) {
    plain.add_momentum(dm);
    summed.add_momentum(dm);
  }
  const W exact = W(start.momentum[0]) + W(1e-3) * 1e6;
  EXPECT_GT(abs(plain.wide_momentum()[0] - exact), W(1e-9));
  EXPECT_LT(abs(W(summed.momentum()[0]) - exact), W(6e-14));
  EXPECT_LT(abs(summed.wide_momentum()[0] - exact), W(1e-15));
}

TEST(Motion, WideStatesGoInAndComeOut) {
  Operands random(2);
  for (int n = 0; n < 100; ++n) {
    const State<W> s = random_wide_state(random);
    const Summed summed(s);
    EXPECT_EQ(summed.wide_state(), s);  // to the bit
    EXPECT_EQ(summed.momentum(), convert<double>(s.momentum));
    EXPECT_EQ(Plain(s).wide_state(), convert<W>(convert<double>(s)));
    Summed assigned(start);
    assigned.assign(s.momentum, s.attitude);
    EXPECT_EQ(assigned.wide_state(), s);
    assigned.assign_momentum(start.momentum);  // a narrow one clears the error
    EXPECT_EQ(assigned.wide_momentum(), convert<W>(start.momentum));
    EXPECT_EQ(assigned.wide_attitude(), s.attitude);
    assigned.assign_attitude(start.attitude);
    EXPECT_EQ(assigned.wide_state(), convert<W>(start));
    // Of DoubleDouble the wide type is itself.
    EXPECT_EQ((Motion<W, Summation::compensated>(s).wide_state()), s);
    EXPECT_EQ((Motion<W, Summation::plain>(s).wide_state()), s);
  }
}

template <class M>
class Settle : public ::testing::Test {};
using Motions =
    ::testing::Types<Plain, Summed, Motion<W, Summation::plain>, Motion<W, Summation::compensated>>;
TYPED_TEST_SUITE(Settle, Motions);

// Also where the squared norm overflows or vanishes.
TYPED_TEST(Settle, BringsTheNormBackByAPowerOfTwo) {
  Operands random(3);
  for (const int power : {-1000, -800, -540, -200, -60, 60, 200, 511, 520, 1000}) {
    State<W> s = random_wide_state(random);
    s.attitude[0] = W(1.0, 0x1p-55);  // the largest component
    State<W> scaled = s;
    for (auto& x : scaled.attitude.c) x = ldexp(x, power);
    TypeParam motion(scaled);
    const State<W> before = motion.wide_state();
    motion.keep_in_range();
    const State<W> after = motion.wide_state();
    EXPECT_EQ(after.momentum, before.momentum);
    EXPECT_GE(norm_squared(after.attitude), W(0.9)) << power;
    EXPECT_LT(norm_squared(after.attitude), W(16)) << power;
    const int exponent = std::ilogb(after.attitude[0].high()) - std::ilogb(before.attitude[0].high());
    EXPECT_NE(exponent, 0);
    for (std::size_t i = 0; i < 4; ++i) {
      // Below 2^-1022 the low parts have lost bits before the motion saw them.
      EXPECT_EQ(after.attitude[i], ldexp(before.attitude[i], exponent)) << power;
    }
    if (std::abs(power) < 300) {
      EXPECT_EQ(rotate(after.attitude, s.momentum), rotate(before.attitude, s.momentum)) << power;
    }
  }
}

TYPED_TEST(Settle, LeavesAnAttitudeInRangeAlone) {
  for (const int power : {-48, -1, 0, 1, 48}) {
    State<W> s = convert<W>(start);
    for (auto& x : s.attitude.c) x = ldexp(x, power);
    TypeParam motion(s);
    motion.keep_in_range();
    EXPECT_EQ(motion.wide_state(), s);
  }
}

TYPED_TEST(Settle, LeavesWhatCannotBeSettled) {
  State<W> s = convert<W>(start);
  s.attitude = {W(0), W(0), W(0), W(0)};
  TypeParam motion(s);
  motion.keep_in_range();
  EXPECT_EQ(motion.wide_state(), s);
}

TEST(State, Conversion) {
  EXPECT_EQ(convert<double>(convert<W>(start)), start);
  EXPECT_NE(convert<W>(start), (State<W>{{}, {}}));
}

}  // namespace
}  // namespace polhode
