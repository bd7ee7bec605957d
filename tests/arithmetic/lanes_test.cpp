// Products in lanes have the errors that a number alone has, to the bit.
#include "polhode/arithmetic/lanes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "arithmetic/exact.hpp"
#include "polhode/arithmetic/pack.hpp"

namespace polhode {

using namespace core;
namespace {

/// Factors of products of any size: some are subnormal or zero, and of some the splitting overflows.
template <class Lanes>
void expect_errors_of_numbers(std::size_t size, std::uint64_t seed) {
  reference::Operands random(seed);
  for (int i = 0; i < 50000; ++i) {
    Lanes a(1.0), b(1.0);
    for (std::size_t lane = 0; lane < size; ++lane) {
      const int kind = random.integer(0, 3);
      const int power = kind == 0 ? random.integer(940, 1023) : random.integer(-1060, 900);
      const int low = kind == 1 ? std::max(-1060, -1090 - power) : -1060;
      const int rest = random.integer(low, std::max(low, std::min(1023, 1025 - power)));
      a.set(lane, random.number(power, power));
      b.set(lane, kind == 2 ? 0.0 : random.number(rest, rest));
    }
    const auto [value, error] = two_product(a, b);
    for (std::size_t lane = 0; lane < size; ++lane) {
      ASSERT_EQ(reference::bits(value[lane]), reference::bits(a[lane] * b[lane]));
      ASSERT_EQ(reference::bits(error[lane]), reference::bits(std::fma(a[lane], b[lane], -value[lane])))
          << a[lane] << " * " << b[lane];
    }
  }
}

TEST(Lanes, ProductsHaveTheErrorsOfNumbers) {
  expect_errors_of_numbers<Components<double, 3>>(3, 1);
  expect_errors_of_numbers<Components<double, 4>>(4, 2);
}

TEST(Pack, ProductsHaveTheErrorsOfNumbers) { expect_errors_of_numbers<Pack>(Pack::width, 3); }

}  // namespace
}  // namespace polhode
