// The same bits everywhere: results of fixed inputs, written down once. Every compiler, level of optimisation and use of
// the fused operation has to give them. They are what was computed first, not what is right: where an algorithm is
// changed on purpose they are to be replaced (the accuracy is the other tests' business).
#include <gtest/gtest.h>

#include "polhode/arithmetic/compensated.hpp"
#include "polhode/arithmetic/double_double_functions.hpp"
#include "polhode/arithmetic/quaternion.hpp"

namespace polhode {

using namespace core;
namespace {

// Read through volatile, so that nothing is computed by the compiler.
double opaque(double x) {
  const volatile double y = x;
  return y;
}
const double p = opaque(0x1.921fb54442d18p+1), r = opaque(0x1.6a09e667f3bcdp+0);
const DoubleDouble a(p, opaque(0x1.1a62633145c07p-53)),
    b(r, opaque(-0x1.bdd3413b26456p-54));  // pi and sqrt(2)

void expect_bits(const DoubleDouble& x, double high, double low) {
  EXPECT_EQ(x.high(), high) << std::hexfloat << x.high() << ", " << x.low();
  EXPECT_EQ(x.low(), low) << std::hexfloat << x.high() << ", " << x.low();
}

TEST(GoldenBits, ErrorFree) {
  const auto sum = two_sum(p, 1e-3 * r);
  expect_bits({sum.value, sum.error}, 0x1.924e0c8cc2cffp+1, -0x1.dp-55);
  const auto product = two_product(p, r);
  expect_bits({product.value, product.error}, 0x1.1c5831add62e4p+2, 0x1.3de903fc9487p-52);
  const auto squared = two_square(r);
  expect_bits({squared.value, squared.error}, 0x1.0000000000001p+1, -0x1.898208143bbaep-53);
}

TEST(GoldenBits, Operations) {
  expect_bits(a + b, 0x1.2392543c1e57fp+2, 0x1.1dbc6149d94eep-52);
  expect_bits(a - b, 0x1.ba35842091e64p+0, -0x1.acff0c49c738p-59);
  expect_bits(a * b, 0x1.1c5831add62e4p+2, 0x1.4edf1f285c1f7p-53);
  expect_bits(a / b, 0x1.1c5831add62e4p+1, 0x1.4edf1f285c1f8p-54);
  expect_bits(sqrt(a), 0x1.c5bf891b4ef6bp+0, -0x1.618f13eb7ca88p-54);
  expect_bits(a + 0.1, 0x1.9eec82110f9e5p+1, 0x1.69898cc51701cp-55);
  expect_bits(a * 0.1, 0x1.41b2f769cf0e1p-2, -0x1.dc64b93b92be8p-56);
  expect_bits(a / 0.1, 0x1.f6a7a2955385ep+4, -0x1.2b594d2f78aaap-51);
  expect_bits(0.1 / a, 0x1.04c26be3b06cfp-5, 0x1.5e4e90da6f378p-60);
}

TEST(GoldenBits, Functions) {
  expect_bits(sin(b), 0x1.f9bc75444858ap-1, 0x1.921d2eea296cap-55);
  expect_bits(cos(b), 0x1.3f5f6868470b7p-3, -0x1.d6326001c496ap-58);
  expect_bits(sin(1000.0 * b), 0x1.e81d724fd60bap-2, -0x1.3679c04a182b7p-59);
  expect_bits(sincos_short(b).sin, 0x1.f9bc75444858ap-1, 0x1.921dc7b029daap-55);
  expect_bits(sincos_short(b).cos, 0x1.3f5f6868470b7p-3, -0x1.d64bd4dae828ap-58);
  // The last two begin with the C library's atan2.
  expect_bits(atan2(b, -a), 0x1.5bfb5232a3ac1p+1, -0x1.d15355e212856p-54);
  expect_bits(asin(b / 2.0), 0x1.921fb54442d18p-1, 0x1.1a62633145c06p-55);
}

TEST(GoldenBits, Sums) {
  Compensated<double> kahan, with_errors;
  DoubleDouble x = b;
  for (int i = 0; i < 1000; ++i) {
    x = x * a - floor(x * a) + b / (1.0 + x);
    kahan.add(x.high() - 1.0);
    with_errors.add(ErrorFree<double>{x.high() - 1.0, x.low()});
  }
  expect_bits(x, 0x1.4cc8b7110eb37p+0, 0x1.48656b0ac2f1fp-55);
  expect_bits({kahan.value, kahan.error}, 0x1.58eca564e0394p+7, -0x1.8p-47);
  expect_bits({with_errors.value, with_errors.error}, 0x1.58eca564e0394p+7, -0x1.a92d92da09e4ep-47);
}

TEST(GoldenBits, Rotation) {
  const Quaternion<double> q(p, r, 0.3, -0.7);
  const Vector<double> v = rotate(normalized(q), Vector<double>{{r, p, 0.1}});
  expect_bits({v[0], v[1]}, 0x1.4d86ae228decdp+1, 0x1.682d31cd9d5a7p+0);
  const Quaternion<DoubleDouble> wide =
      from_matrix(to_matrix(Quaternion<DoubleDouble>(a, b, a / 7.0, b * a)));
  expect_bits(wide[0], 0x1.1d30feabd60edp-1, 0x1.b417a84da498cp-55);
  expect_bits(wide[1], 0x1.00c33072e65e1p-2, 0x1.151cebd560e3p-59);
  expect_bits(wide[2], 0x1.45eed9e8f4a34p-4, -0x1.5b0190e63420bp-60);
  expect_bits(wide[3], 0x1.93524f85c3c83p-1, -0x1.4b065191ab68ep-56);
}

}  // namespace
}  // namespace polhode
